/* A step and a solve refuse a floating point environment that would change their bits, and say what is wrong. */
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
    dry_solver_destroy(solver);
    dry_world_destroy(world);
    return verdict();
}
