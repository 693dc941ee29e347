/*
 * What the hosts of the compatibility correction share: rigid beams on supports, as a host's own problem.
 */
#ifndef DRYSTONE_TESTS_COMPATIBLE_H
#define DRYSTONE_TESTS_COMPATIBLE_H
#include "problem.h"

/* Solved and corrected as far as doubles go: the bounds of the tests are 1e-10. */
static inline dry_settings corrected_settings(dry_compatibility compatibility)
{
    dry_settings settings = default_settings();
    settings.solver = DRY_SOLVER_NEWTON;
    settings.tolerance = 1e-13;
    settings.compatibility = compatibility;
    settings.compatibility_tolerance = 1e-13;
    return settings;
}

/* A beam along x with its centre of mass at `center`, of mass 1 and falling by weight * step, on `count` fixed
   supports at the places x. Its lower side lies 0.1 m below the centre of mass. */
static inline void own_beam(own *all, double step, double weight, double center, size_t count, const double *x,
                            const double *stiffness)
{
    own_begin(all, step);
    uint32_t beam = own_body(all, 1, 0.02, 0.5, 0.5);
    all->bodies[beam].velocity[2] = -weight * step;
    for (size_t k = 0; k < count; ++k) {
        const vec3 up = {0, 0, 1}, arm = {x[k] - center, 0, -0.1}, place = {x[k], 0, 0};
        dry_problem_contact *contact = own_contact(all, UINT32_MAX, beam, up, place, arm, 0);
        contact->stiffness = stiffness[k];
        contact->key = 1 + k;
    }
}

/* Corrects normal impulses alone, given and received as numbers. */
static inline dry_step_report correct_normal(dry_solver *solver, const own *all, const dry_settings *settings,
                                             const double *normal, double *compatible)
{
    double given[MAX_ITEMS][3] = {{0}}, answer[MAX_ITEMS][3];
    dry_step_report report = {.struct_size = sizeof report};
    size_t count = all->problem.contact_count;
    for (size_t k = 0; k < count; ++k) {
        vec3 impulse = scale(normal[k], vec(all->contacts[k].normal));
        memcpy(given[k], &impulse, sizeof impulse);
    }
    MUST(dry_solver_correct(solver, &all->problem, settings, given[0], answer[0], &report));
    for (size_t k = 0; k < count; ++k)
        compatible[k] = dot(vec(answer[k]), vec(all->contacts[k].normal));
    return report;
}

/* The largest difference of two arrays of numbers. */
static inline double farthest(size_t count, const double *found, const double *expected)
{
    double worst = 0;
    for (size_t k = 0; k < count; ++k)
        keep_worst(&worst, fabs(found[k] - expected[k]));
    return worst;
}
#endif
