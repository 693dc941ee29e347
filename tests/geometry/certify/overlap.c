/*
 * The axis of least depth of two cores that overlap.
 *
 * The depth is least along an axis that two features have in common: the normal of a face, an axis across two edges, and
 * their like for cylinders. Each of them gives an upper bound of the depth, whatever its accuracy.
 */
#include <math.h>
#include <stddef.h>

#include "circle.h"
#include "solid.h"

enum { LIMIT = 32768, RANDOM = 200, GRID = 4096 };

/* Axes with the same depth, and axes that are the same [of the size; -]. */
static const double SAME_DEPTH = 1e-6, SAME_AXIS = 1e-6;
/* Sines below which the vector across two others is computed in long numbers, and below which there is none [-]. */
static const double NEAR = 1e-4, PARALLEL = 1e-22;
/* A rim and a line nearer to each other than this nearly meet [of the size]. */
static const double MEETING = 1e-3;
/* Depths that are evaluated in long numbers [of the size]. */
static const double BEST = 1e-12;
/* By which a search may improve the best axis: a tenth of the bound of errors [of the size]. */
static const double MISSED = 1e-10;

typedef struct axes {
    const solid *a, *b;
    double size, best;
    int count;
} axes;

static d3 list[LIMIT];
static double values[LIMIT];

static void keep(axes *s, d3 n, double value)
{
    if (value > s->best) {
        s->best = value;
    }
    if (value >= s->best - SAME_DEPTH * s->size && s->count < LIMIT) {
        list[s->count] = n;
        values[s->count++] = value;
    }
}

/* Takes a vector and its opposite as axes. */
static void try(axes *s, d3 vector)
{
    const double length = d3_norm(vector);
    if (length == 0) {
        return;
    }
    const d3 n = d3_scale(vector, 1 / length);
    double low_a, high_a, low_b, high_b;
    extent(s->a, n, &low_a, &high_a);
    extent(s->b, n, &low_b, &high_b);
    keep(s, n, low_b - high_a);
    keep(s, d3_scale(n, -1), low_a - high_b);
}

static v3 along_edge(const solid *s, int edge)
{
    return v3_sub(s->corners[s->shape->edges[edge][1]], s->corners[s->shape->edges[edge][0]]);
}

/* The vector across two others, accurate where these are nearly parallel. */
static d3 across(d3 a, d3 b, v3 long_a, v3 long_b)
{
    const d3 n = d3_cross(a, b);
    if (d3_norm(n) > NEAR) {
        return n;
    }
    const v3 exact = v3_cross(long_a, long_b);
    const double length = dd_double(v3_norm(exact));
    const double scale = dd_double(dd_mul(v3_norm(long_a), v3_norm(long_b)));
    return length > PARALLEL * scale ? v3_double(v3_unit(exact)) : (d3){0, 0, 0};
}

static void faces(axes *s, const solid *of)
{
    for (int i = 0; i < of->shape->face_count; ++i) {
        try(s, of->normals[i]);
    }
}

static void edges_and_edges(axes *s)
{
    const solid *a = s->a, *b = s->b;
    for (int i = 0; i < a->shape->edge_count; ++i) {
        const d3 d = a->directions[i];
        for (int j = 0; j < b->shape->edge_count; ++j) {
            d3 n = d3_cross(d, b->directions[j]);
            if (d3_dot(n, n) < NEAR * NEAR) {
                n = across(d, b->directions[j], along_edge(a, i), along_edge(b, j));
            }
            try(s, n);
        }
    }
}

/* Angles of a circle, with their cosines and sines. */
static double cosines[GRID + 1], sines[GRID + 1], start_of_grid = 0.1234;
static int grid_samples;

static void fill_grid(int samples)
{
    if (samples != grid_samples) {
        grid_samples = samples;
        for (int i = 0; i <= samples; ++i) {
            cosines[i] = cos(start_of_grid + i * 2 * acos(-1) / samples);
            sines[i] = sin(start_of_grid + i * 2 * acos(-1) / samples);
        }
    }
}

/*
 * The rim of a cylinder and a line: where the vector from the line to the rim is across the rim. It is the root of
 * -A sin + B cos + C (cos^2 - sin^2) + D sin cos.
 */
typedef struct wave {
    double a, b, c, d;
} wave;

static double wave_at(const wave *w, double c, double s)
{
    return -w->a * s + w->b * c + w->c * (c * c - s * s) + w->d * s * c;
}

/* The root between two samples. */
static double wave_root(const wave *w, int i, int samples)
{
    double low = start_of_grid + i * 2 * acos(-1) / samples, high = low + 2 * acos(-1) / samples;
    double at_low = wave_at(w, cosines[i], sines[i]), at_high = wave_at(w, cosines[i + 1], sines[i + 1]);
    for (int k = 0; k < 60 && high - low > 1e-16; ++k) {
        double t = k % 4 == 3 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
        const double value = wave_at(w, cos(t), sin(t));
        if (value == 0 || t <= low || t >= high) {
            return t;
        }
        if (value * at_low > 0) {
            low = t;
            at_low = value;
        } else {
            high = t;
            at_high = value;
        }
    }
    return 0.5 * (low + high);
}

/*
 * The axis of a rim and a line in long numbers, where both nearly meet: there round-off turns it. `slope` is the derivative of the wave at
 * the root.
 */
static d3 polished(const solid *round, int sign, const v3 line[2], double angle, double slope)
{
    v3 out = v3_plus(v3_scale(round->frame[0], dd_of(cos(angle))), round->frame[1], dd_of(sin(angle))), tangent, arm;
    const v3 end = v3_plus(round->center, round->frame[2], dd_of(sign * round->shape->half_height));
    for (int k = 0; k < 3; ++k) {
        out = v3_unit(out);
        tangent = v3_cross(round->frame[2], out);
        arm = v3_sub(v3_plus(end, out, dd_of(round->shape->radius)), line[0]);
        arm = v3_plus(arm, line[1], dd_neg(v3_dot(arm, line[1])));
        out = v3_plus(out, tangent, dd_div(v3_dot(arm, tangent), dd_of(-slope)));
    }
    return v3_double(v3_unit(v3_cross(tangent, line[1])));
}

/* Axes of the rims of a cylinder and a line: a point and a unit vector. `is_side` means the side of a cylinder about the line. */
static void rims_and_line(axes *s, const solid *round, const v3 line[2], int is_side, int samples)
{
    const d3 start = v3_double(line[0]), along = v3_double(line[1]);
    const d3 u = round->axes[0], v = round->axes[1];
    const d3 pu = d3_plus(u, along, -d3_dot(u, along)), pv = d3_plus(v, along, -d3_dot(v, along));
    const double radius = round->shape->radius;
    for (int sign = -1; sign <= 1; sign += 2) {
        d3 arm = d3_sub(d3_plus(round->middle, round->axes[2], sign * round->shape->half_height), start);
        arm = d3_plus(arm, along, -d3_dot(arm, along));
        const wave w = {
            d3_dot(arm, u), d3_dot(arm, v), radius * d3_dot(u, pv), radius * (d3_dot(v, pv) - d3_dot(u, pu)),
        };
        double last = wave_at(&w, cosines[0], sines[0]);
        for (int i = 0; i < samples; ++i) {
            const double next = wave_at(&w, cosines[i + 1], sines[i + 1]);
            if (last * next <= 0) {
                const double angle = wave_root(&w, i, samples), c = cos(angle), q = sin(angle);
                const d3 tangent = d3_sub(d3_scale(v, c), d3_scale(u, q));
                const d3 n = d3_cross(tangent, along);
                const d3 between = d3_plus(d3_plus(arm, pu, radius * c), pv, radius * q);
                const double slope = -w.a * c - w.b * q - 4 * w.c * q * c + w.d * (c * c - q * q);
                if (!is_side) {
                    try(s, n);
                }
                if (!is_side && d3_norm(between) < MEETING * s->size && slope != 0) {
                    try(s, polished(round, sign, line, angle, slope));
                }
                if (is_side || d3_norm(n) < 1e-3) {
                    try(s, between);
                }
            }
            last = next;
        }
    }
}

static void polytope_and_round(axes *s, int samples)
{
    const solid *a = s->a, *b = s->b;
    try(s, b->axes[2]);
    for (int i = 0; i < a->shape->edge_count; ++i) {
        if (d3_norm(a->directions[i]) > 0) {
            try(s, across(b->axes[2], a->directions[i], b->frame[2], along_edge(a, i)));
            const v3 line[2] = {a->corners[a->shape->edges[i][0]], v3_unit(along_edge(a, i))};
            rims_and_line(s, b, line, 0, samples);
        }
    }
    for (int i = 0; i < a->shape->corner_count; ++i) {
        const v3 arm = v3_sub(a->corners[i], b->center);
        try(s, v3_double(v3_plus(arm, b->frame[2], dd_neg(v3_dot(arm, b->frame[2])))));
    }
}

/* The point of a circle that is closest to a point. */
static d3 on_rim(const solid *s, int sign, d3 point)
{
    const d3 center = d3_plus(s->middle, s->axes[2], sign * s->shape->half_height), arm = d3_sub(point, center);
    const d3 out = d3_unit(d3_plus(arm, s->axes[2], -d3_dot(arm, s->axes[2])));
    return d3_plus(center, out, s->shape->radius);
}

static double rims_slope(const axes *s, int i, int j, double angle, d3 *tangent, d3 *arm)
{
    const d3 point = rim_double(s->a, i, angle, tangent);
    *arm = d3_sub(point, on_rim(s->b, j, point));
    return d3_dot(*arm, *tangent);
}

static void rim_and_rim(axes *s, int i, int j, int samples)
{
    const double step = 2 * acos(-1) / samples;
    d3 tangent, arm;
    double last = rims_slope(s, i, j, start_of_grid, &tangent, &arm);
    for (int k = 0; k < samples; ++k) {
        double low = start_of_grid + k * step, high = low + step;
        const double next = rims_slope(s, i, j, high, &tangent, &arm);
        if (last * next <= 0) {
            for (int m = 0; m < 50; ++m) {
                const double middle = 0.5 * (low + high);
                if (rims_slope(s, i, j, middle, &tangent, &arm) * last > 0) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            const d3 point = rim_double(s->a, i, low, &tangent);
            const d3 center = d3_plus(s->b->middle, s->b->axes[2], j * s->b->shape->half_height);
            const d3 out = d3_sub(on_rim(s->b, j, point), center);
            try(s, d3_cross(tangent, d3_cross(s->b->axes[2], out)));
            try(s, d3_sub(point, on_rim(s->b, j, point)));
        }
        last = next;
    }
}

static void rounds(axes *s, int samples)
{
    const solid *a = s->a, *b = s->b;
    try(s, a->axes[2]);
    try(s, b->axes[2]);
    try(s, across(a->axes[2], b->axes[2], a->frame[2], b->frame[2]));
    const v3 arm = v3_sub(b->center, a->center);
    try(s, v3_double(v3_plus(arm, a->frame[2], dd_neg(v3_dot(arm, a->frame[2])))));
    const v3 axis_a[2] = {a->center, a->frame[2]}, axis_b[2] = {b->center, b->frame[2]};
    rims_and_line(s, a, axis_b, 1, samples);
    rims_and_line(s, b, axis_a, 1, samples);
    for (int i = -1; i <= 1; i += 2) {
        for (int j = -1; j <= 1; j += 2) {
            rim_and_rim(s, i, j, 2 * samples);
        }
    }
}

double climb(const solid *a, const solid *b, d3 *n, double step)
{
    double best = separation_double(a, b, *n), turn = 0.3;
    for (int i = 0; i < 300 && step > 1e-13; ++i) {
        const d3 side = d3_across(*n), other = d3_cross(*n, side);
        int is_better = 0;
        for (int k = 0; k < 6; ++k) {
            const double angle = turn + k * acos(-1) / 3;
            const d3 beside = d3_unit(d3_plus(d3_plus(*n, side, step * cos(angle)), other, step * sin(angle)));
            const double value = separation_double(a, b, beside);
            if (value > best + 1e-16) {
                best = value;
                *n = beside;
                is_better = 1;
                break;
            }
        }
        turn += 2.4;
        step *= is_better ? 1.5 : 0.6;
    }
    return best;
}

/* A search without features, from the best of random axes. */
static void climb_from_some(axes *s)
{
    uint64_t state = 12345;
    double most = -HUGE_VAL;
    d3 from = {0, 0, 1};
    for (int i = 0; i < RANDOM; ++i) {
        double numbers[3];
        for (int k = 0; k < 3; ++k) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            numbers[k] = (double)(int64_t)state / 9.3e18;
        }
        const d3 n = d3_unit((d3){numbers[0], numbers[1], numbers[2]});
        const double value = separation_double(s->a, s->b, n);
        if (value > most) {
            most = value;
            from = n;
        }
    }
    /* A climb may end near its axis, which is no other axis then: it counts only where it is better. */
    const double value = climb(s->a, s->b, &from, 0.1);
    if (value > s->best) {
        keep(s, from, value);
    }
}

/* The best axis in long numbers, and whether there is another one of the same depth. */
static void choose(axes *s, answer *found)
{
    dd best = dd_of(-HUGE_VAL);
    for (int i = 0; i < s->count; ++i) {
        if (values[i] >= s->best - BEST * s->size) {
            const dd value = separation(s->a, s->b, v3_unit(v3_of(list[i])));
            if (dd_less(best, value)) {
                best = value;
                found->normal = list[i];
            }
        }
    }
    found->low = found->high = best;
    found->core = dd_double(best);
    found->is_single = 1;
    for (int i = 0; i < s->count; ++i) {
        const int is_same = d3_norm(d3_sub(list[i], found->normal)) <= SAME_AXIS;
        if (!is_same && values[i] >= found->core - SAME_DEPTH * s->size) {
            found->is_single = 0;
        }
    }
}

void deepest(const solid *a, const solid *b, int samples, answer *found)
{
    axes s = {a, b, fmin(a->shape->size, b->shape->size), -HUGE_VAL, 0};
    fill_grid(samples);
    faces(&s, a);
    faces(&s, b);
    if (is_cylinder(a)) {
        rounds(&s, samples);
    } else if (is_cylinder(b)) {
        polytope_and_round(&s, samples);
    } else {
        edges_and_edges(&s);
    }
    const double by_features = s.best;
    climb_from_some(&s);
    choose(&s, found);
    d3 n = found->normal;
    const double nearby = climb(a, b, &n, 1e-3);
    found->seen = fmax(nearby, s.best);
    found->is_proved = found->seen <= by_features + MISSED * s.size;
    if (nearby > s.best + MISSED * s.size) {
        found->low = found->high = separation(a, b, v3_unit(v3_of(n)));
        found->normal = n;
        found->core = nearby;
    }
}
