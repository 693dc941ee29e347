/*
 * The gap of two shapes.
 */
#include <math.h>

#include "solid.h"

static const int grids[] = {64, 512, 4096};
/* Bounds of a gap that differ by more are made tighter, and prove it [of the size]. */
static const double TIGHT = 1e-16, PROVED = 1e-13;

/* A half-space is all below a plane, so the lowest point of the other shape decides. */
static answer solve_plane(const shape *a, const pose *pa, const shape *b, const pose *pb)
{
    static solid s;
    v3 frame[3];
    place(&s, a, pa, pa->position);
    frame_of(pb->rotation, frame);
    const v3 own = v3_unit(v3_of(b->plane_normal));
    const v3 n = v3_add(v3_add(v3_scale(frame[0], own.x), v3_scale(frame[1], own.y)), v3_scale(frame[2], own.z));
    const dd height = v3_dot(n, v3_sub(v3_of(pb->position), v3_of(pa->position)));
    const dd lowest = dd_neg(support(&s, v3_neg(n)));
    const dd core = dd_sub(dd_sub(lowest, dd_of(b->plane_offset)), height);
    const dd gap = dd_sub(core, dd_of(a->grown));
    return (answer){.low = gap, .high = gap, .normal = v3_double(v3_neg(n)), .core = dd_double(core), .is_proved = 1, .is_single = 1};
}

/*
 * The cores of two solids. Finer samples of circles are used where nothing is proved with few. `is_thorough` begins with finer
 * ones.
 */
static answer solve_cores(const solid *a, const solid *b, int is_thorough)
{
    answer apart = {.is_proved = 0}, axes = {.is_proved = 0};
    const int has_circles = is_cylinder(a) || is_cylinder(b);
    for (int k = has_circles && is_thorough; k < 3; ++k) {
        const int is_found = nearest(a, b, grids[k], &apart);
        if (is_found && dd_sub(apart.high, apart.low).hi <= TIGHT * fmin(a->shape->size, b->shape->size)) {
            return apart;
        }
        deepest(a, b, grids[k], &axes);
        const dd low = dd_max(apart.low, axes.low);
        const int is_tight = dd_sub(apart.high, low).hi <= PROVED * fmin(a->shape->size, b->shape->size);
        if (!is_found && axes.low.hi <= 0 && axes.is_proved) {
            return axes;
        }
        /* Of shapes that touch to round-off the two points have no direction. An axis of features may be better. */
        apart.low = low;
        apart.is_proved = is_tight;
        if (is_tight) {
            return apart;
        }
        if (!has_circles) {
            break;
        }
    }
    return axes.low.hi <= 0 ? axes : apart;
}

answer solve(const shape *a, const pose *pa, const shape *b, const pose *pb, int is_thorough)
{
    static solid first, second;
    if (b->kind == HALF_SPACE) {
        return solve_plane(a, pa, b, pb);
    }
    place(&first, a, pa, pa->position);
    place(&second, b, pb, pa->position);
    const int is_swapped = is_cylinder(&first) && !is_cylinder(&second);
    answer found = is_swapped ? solve_cores(&second, &first, is_thorough) : solve_cores(&first, &second, is_thorough);
    const dd grown = dd_add(dd_of(a->grown), dd_of(b->grown));
    found.low = dd_sub(found.low, grown);
    found.high = dd_sub(found.high, grown);
    if (is_swapped) {
        found.normal = d3_scale(found.normal, -1);
    }
    return found;
}
