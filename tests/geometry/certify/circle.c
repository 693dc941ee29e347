/*
 * Roots of growing functions, and the rims of cylinders.
 */
#include "circle.h"

#include <stddef.h>

dd root(slope f, const void *context, dd low, dd high, double width)
{
    dd at_low = f(context, low), at_high = f(context, high), last = low;
    if (at_low.hi >= 0 || at_high.hi <= 0) {
        return at_low.hi >= 0 ? low : high;
    }
    /* Secants, and a bisection between every two: distances to cylinders have kinks, at which secants alone stall. */
    for (int k = 0; k < 250; ++k) {
        const int is_secant = k % 2 == 0;
        const dd across = dd_sub(high, low);
        const dd part = is_secant ? dd_div(dd_neg(at_low), dd_sub(at_high, at_low)) : dd_of(0.5);
        const dd t = dd_add(low, dd_mul(across, part)), value = f(context, t);
        if (value.hi == 0 || across.hi <= width || (is_secant && fabs(dd_sub(t, last).hi) <= width)) {
            return t;
        }
        if (value.hi < 0) {
            low = t;
            at_low = value;
        } else {
            high = t;
            at_high = value;
        }
        last = is_secant ? t : last;
    }
    return low;
}

d3 rim_double(const solid *s, int sign, double angle, d3 *tangent)
{
    const double c = cos(angle), w = sin(angle);
    const d3 x = s->axes[0], y = s->axes[1];
    const d3 end = d3_plus(s->middle, s->axes[2], sign * s->shape->half_height);
    if (tangent != NULL) {
        *tangent = d3_sub(d3_scale(y, c), d3_scale(x, w));
    }
    return d3_plus(end, d3_plus(d3_scale(x, c), y, w), s->shape->radius);
}

/* A rim about one of its points. The parameter is the tangent of half the angle from there. */
typedef struct arc {
    v3 center, start, side;
    dd radius;
    const solid *to;
} arc;

static v3 on_arc(const arc *arc, dd t, v3 *tangent)
{
    const dd square = dd_mul(t, t), one = dd_of(1), scale = dd_div(one, dd_add(one, square));
    const dd cosine = dd_mul(dd_sub(one, square), scale), sine = dd_mul(dd_mul(dd_of(2), t), scale);
    *tangent = v3_plus(v3_scale(arc->side, cosine), arc->start, dd_neg(sine));
    return v3_plus(arc->center, v3_plus(v3_scale(arc->start, cosine), arc->side, sine), arc->radius);
}

/* The slope of the squared distance to a cylinder. */
static dd arc_slope(const void *context, dd t)
{
    const arc *arc = context;
    v3 tangent;
    const v3 point = on_arc(arc, t, &tangent);
    return v3_dot(v3_sub(point, foot(arc->to, point)), tangent);
}

v3 rim_nearest(const solid *s, int sign, double angle, double width, const solid *to, double accuracy)
{
    const v3 x = v3_scale(s->frame[0], dd_of(cos(angle))), start = v3_unit(v3_plus(x, s->frame[1], dd_of(sin(angle))));
    const v3 end = v3_plus(s->center, s->frame[2], dd_of(sign * s->shape->half_height));
    const arc arc = {end, start, v3_cross(s->frame[2], start), dd_of(s->shape->radius), to};
    const double limit = tan(0.5 * width);
    dd t = dd_of(0);
    v3 tangent;
    /* On a flat part every point is as near as the others. */
    if (arc_slope(&arc, dd_of(-limit)).hi < 0 && arc_slope(&arc, dd_of(limit)).hi > 0) {
        t = root(arc_slope, &arc, dd_of(-limit), dd_of(limit), accuracy);
    }
    return on_arc(&arc, t, &tangent);
}
