/*
 * A step and a solve refuse a floating point environment that would change their bits, and say what is wrong. Unmasked
 * exceptions change none: no call stops at one, and the host has them unmasked afterwards, with the flags as they were.
 */
#if defined(__linux__)
#define _GNU_SOURCE /* feenableexcept */
#endif
#include "expect.h"

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static dry_solver *solver = NULL;

/* A problem without bodies, contacts and rows. */
static dry_status solve_nothing(void) {
    dry_problem problem;
    dry_solution solution;
    dry_settings settings;
    memset(&problem, 0, sizeof problem);
    memset(&solution, 0, sizeof solution);
    problem.struct_size = sizeof problem;
    problem.step = 0.01;
    solution.struct_size = sizeof solution;
    OK(dry_settings_init(&settings, sizeof settings));
    return dry_solver_solve(solver, &problem, &settings, &solution);
}

static void refuses(dry_world *world, const char *text) {
    const uint64_t before = hash_of(world);
    dry_step_report report;
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    EXPECT_STATUS(dry_world_step(world, 0.01, &report), DRY_ERR_UNSUPPORTED, text);
    EXPECT(hash_of(world) == before && report.bodies == 0);
    EXPECT_STATUS(solve_nothing(), DRY_ERR_UNSUPPORTED, text);
}

/* Four boxes on each other, after a step. A new hull, the queries and a solve are called as well. */
static uint64_t stacked(void) {
    static const double half_extents[3] = {0.5, 0.5, 0.5}, up[3] = {0.0, 0.0, 1.0};
    static const double points[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    dry_world *world = new_world();
    dry_shape floor = 0, box = 0, hull = 0;
    dry_contact contacts[32];
    size_t count = 0;
    uint64_t hash = 0;
    int level;
    OK(dry_shape_half_space(world, up, 0.0, &floor));
    OK(dry_shape_box(world, half_extents, &box));
    OK(dry_shape_hull(world, points, 4, &hull));
    new_body(world, DRY_STATIC, floor, 0.0);
    for (level = 0; level < 4; ++level) {
        new_body(world, DRY_DYNAMIC, box, 0.5 + level);
    }
    new_body(world, DRY_DYNAMIC, hull, 9.0);
    OK(dry_world_step(world, 1.0 / 60.0, NULL));
    OK(dry_query_contacts(world, contacts, sizeof contacts[0], 32, &count));
    EXPECT(count == 16);
    OK(solve_nothing());
    hash = hash_of(world);
    dry_world_destroy(world);
    return hash;
}

#if defined(__GLIBC__)
static void runs_with_unmasked_exceptions(void) {
    const int kinds = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
    const uint64_t usual = stacked();
    EXPECT(feclearexcept(FE_ALL_EXCEPT) == 0);
    /* A processor without traps answers -1. */
    if (feenableexcept(kinds) == -1) {
        return;
    }
    EXPECT(stacked() == usual);
    /* A step that overflows, and is undone. */
    {
        dry_world *world = new_world();
        static const double force[3] = {1e308, 0.0, 0.0};
        dry_shape sphere = 0;
        dry_body body;
        OK(dry_shape_sphere(world, 0.01, &sphere));
        body = new_body(world, DRY_DYNAMIC, sphere, 1.0);
        OK(dry_body_add_force(world, body, force, NULL));
        EXPECT_STATUS(dry_world_step(world, 0.01, NULL), DRY_ERR_NOT_FINITE, "body");
        dry_world_destroy(world);
    }
    EXPECT(fegetexcept() == kinds && fetestexcept(FE_ALL_EXCEPT) == 0);
    EXPECT(fedisableexcept(kinds) == kinds);
}
#endif

int main(void) {
    dry_world *world = new_world();
    const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    size_t index;
    dry_shape sphere = 0;
    OK(dry_shape_sphere(world, 0.5, &sphere));
    new_body(world, DRY_DYNAMIC, sphere, 1.0);
    OK(dry_world_step(world, 0.01, NULL));
    OK(dry_solver_create(&solver));
    OK(solve_nothing());
    for (index = 0; index < sizeof roundings / sizeof roundings[0]; ++index) {
        EXPECT(fesetround(roundings[index]) == 0);
        refuses(world, "rounding mode is not to nearest");
        EXPECT(fesetround(FE_TONEAREST) == 0);
    }
#if defined(__SSE2__)
    {
        const unsigned int flush_to_zero = 0x8000u, denormals_are_zero = 0x0040u, usual = _mm_getcsr();
        _mm_setcsr(usual | flush_to_zero);
        refuses(world, "flush-to-zero is set");
        _mm_setcsr(usual | denormals_are_zero);
        refuses(world, "denormals-are-zero is set");
        _mm_setcsr(usual);
    }
#endif
    OK(dry_world_step(world, 0.01, NULL));
    OK(solve_nothing());
#if defined(__GLIBC__)
    runs_with_unmasked_exceptions();
#else
    stacked();
#endif
    dry_solver_destroy(solver);
    dry_world_destroy(world);
    return verdict();
}
