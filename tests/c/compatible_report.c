/*
 * What the compatibility correction says of itself: which contacts it took for closed, its residual, loads that
 * nothing carries, and no loads at all.
 */
#include "compatible.h"

static const double STEP = 0.01, WEIGHT = 10;

static const double ONES[5] = {1, 1, 1, 1, 1};

/* What opens faster than the report says is open: a fourth support under the beam of three, its gap so wide that it
   opens by a given speed. */
static void closed_contacts(void)
{
    const double x[4] = {-1, 0, 1, 0.5}, three[3] = {WEIGHT / 3, WEIGHT / 3, WEIGHT / 3};
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    settings.tolerance = 1e-7;
    for (int opens = 0; opens < 2; ++opens) {
        own all;
        dry_solver *solver = new_solver();
        own_beam(&all, STEP, WEIGHT, 0, 4, x, ONES);
        /* ten times the tolerance, and round-off of the speed of falling, [K] with the error of its solve */
        double closing = 10 * settings.tolerance;
        /* a gap of a millionth of the arm is none */
        double forgiven = 1e-6 * norm(vec(all.contacts[3].arm_b)) / STEP;
        all.contacts[3].normal_bias = forgiven + (opens ? 1.01 : 0.99) * closing;
        own_solve(&all, solver, &settings);
        check_at_most("closing_velocity / ten times the tolerance - 1",
                      fabs(all.report.closing_velocity / closing - 1), 1e-7);
        check_true(opens ? "a gap that opens faster is open" : "a gap that opens more slowly is closed",
                   all.report.closed_contacts == (opens ? 3 : 4));
        double found[3];
        for (int k = 0; k < 3; ++k)
            found[k] = all.solved[k].compatible_impulse[2] / STEP;
        if (opens) {
            /* to the tolerance of the solve */
            check_at_most("the others carry the beam: 10/3 each [N]", farthest(3, found, three),
                          settings.tolerance / STEP);
            check_true("the open one carries nothing", all.solved[3].compatible_impulse[2] == 0);
        } else {
            check_at_least("the closed one carries its part [N s]", all.solved[3].compatible_impulse[2], 0.02);
        }
        dry_solver_destroy(solver);
    }
}

/* The residual of the report against the one summed here; without a correction there is none. */
static void residuals(void)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, stiffness[5] = {5, 0.3, 1, 2, 0.7};
    own all;
    dry_solver *solver = new_solver();
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_POWER);
    settings.compatibility_exponent = 3;
    settings.compatibility_tolerance = 0.1; /* coarse, so that there is a residual */
    own_beam(&all, STEP, WEIGHT, 0.3, 5, x, stiffness);
    own_solve(&all, solver, &settings);
    double force = 0, turn = 0, load_turn = 0, load = WEIGHT * STEP, longest = 0;
    for (int k = 0; k < 5; ++k) {
        double change = all.solved[k].compatible_impulse[2] - all.solved[k].impulse[2], arm = x[k] - 0.3;
        force += change;
        turn += arm * change;
        load_turn += arm * all.solved[k].impulse[2];
        longest = fmax(longest, norm(vec(all.contacts[k].arm_b)));
    }
    /* turns are measured by the longest arm, and about x by the least of the moments of inertia: at most 5 times as
       much */
    double least = fabs(force) / load, most = hypot(force, 5 * turn / longest) / load;
    check_true("coarsely corrected: a residual above round-off and below the tolerance",
               all.report.compatibility_residual > 1e-10 && all.report.compatibility_residual <= 0.1);
    check_at_least("its residual / that of the force alone", all.report.compatibility_residual / least, 1 - 1e-9);
    check_at_most("its residual / the most that it may be", all.report.compatibility_residual / most, 1);
    check_at_most("the load does not turn the beam about its centre [N m s]", fabs(load_turn), 1e-12);
    check_at_least("Newton steps", all.report.compatibility_iterations, 1);
    check_true("time of the correction: part of the whole",
               all.report.seconds_compatibility > 0 && all.report.seconds_compatibility <= all.report.seconds_total);

    settings.compatibility = DRY_COMPATIBILITY_OFF;
    own_solve(&all, solver, &settings);
    int same = 1;
    for (int k = 0; k < 5; ++k)
        same = same && memcmp(all.solved[k].impulse, all.solved[k].compatible_impulse,
                              sizeof all.solved[k].impulse) == 0;
    check_true("off: compatible impulses are the impulses, bit for bit", same);
    check_true("off: the report knows of no correction",
               all.report.compatibility_iterations == 0 && all.report.compatibility_residual == 0 &&
                   all.report.closed_contacts == 0 && all.report.closing_velocity == 0);
    dry_solver_destroy(solver);
}

/* ---- loads that nothing carries, and no loads ------------------------------------------------------- */

/* Two beams; the resultant of the first one lies outside its supports, at x = 1.5, and the other one's is carried. */
static void infeasible(void)
{
    static const double x[3] = {-1, 0, 1};
    static const double given[6] = {-0.025, 0, 0.125, 0, 0.1, 0}, second[3] = {0.1 / 3, 0.1 / 3, 0.1 / 3};
    const dry_compatibility laws[3] = {DRY_COMPATIBILITY_HOOKE, DRY_COMPATIBILITY_HERTZ, DRY_COMPATIBILITY_POWER};
    for (int n = 0; n < 3; ++n) {
        own all;
        dry_solver *solver = new_solver();
        dry_settings settings = corrected_settings(laws[n]);
        settings.compatibility_exponent = 4;
        double found[6];
        own_beam(&all, STEP, WEIGHT, 0, 3, x, ONES);
        uint32_t other = own_body(&all, 1, 0.02, 0.5, 0.5);
        for (int k = 0; k < 3; ++k) {
            dry_problem_contact contact = all.contacts[k];
            contact.body_b = other;
            contact.key = 11 + (uint64_t)k;
            all.contacts[all.problem.contact_count++] = contact;
        }
        dry_step_report report = correct_normal(solver, &all, &settings, given, found);
        check_true("tension needed: said so, of one island of two",
                   report.flags == (DRY_REPORT_COMPATIBILITY_INFEASIBLE | DRY_REPORT_COMPATIBILITY_NOT_UNIQUE) && report.infeasible_islands == 1 &&
                       report.islands == 2);
        check_true("tension needed: the impulses come back as they were, bit for bit",
                   memcmp(found, given, 3 * sizeof *given) == 0);
        check_at_most("the other beam is corrected nevertheless [N s]", farthest(3, found + 3, second), 1e-12);
        check_at_most("the residual is that of the other beam", report.compatibility_residual, 1e-13);

        /* Both pulled straight down. */
        const double pulled[6] = {-0.1, -0.1, -0.1, -0.2, 0, 0};
        report = correct_normal(solver, &all, &settings, pulled, found);
        check_true("both pulled: both islands, bit for bit",
                   report.infeasible_islands == 2 && memcmp(found, pulled, sizeof found) == 0 &&
                       report.flags == (DRY_REPORT_COMPATIBILITY_INFEASIBLE | DRY_REPORT_COMPATIBILITY_NOT_UNIQUE) && report.compatibility_residual == 0);
        dry_solver_destroy(solver);
    }
}

/* Numbers come back as they were, also where normals are not axes. */
static void slanted(void)
{
    const double given[2][3] = {{-0.07, 0.013, -0.031}, {0.3, 0.1, -0.7}};
    own all;
    double found[2][3];
    dry_solver *solver = new_solver();
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    dry_step_report report = {.struct_size = sizeof report};
    own_begin(&all, STEP);
    own_cube(&all, 3, 0.5, 0);
    own_contact(&all, UINT32_MAX, 0, unit((vec3){1, 2, 3}), (vec3){0, 0, 0}, (vec3){0.1, 0.2, -0.5}, 0.5);
    own_contact(&all, UINT32_MAX, 0, unit((vec3){-1, 0.3, 7}), (vec3){0, 0, 0}, (vec3){-0.1, 0.4, -0.5}, 0.5);
    MUST(dry_solver_correct(solver, &all.problem, &settings, given[0], found[0], &report));
    check_true("pulled along slanted normals: said so",
               report.flags == (DRY_REPORT_COMPATIBILITY_INFEASIBLE | DRY_REPORT_COMPATIBILITY_NOT_UNIQUE) && report.infeasible_islands == 1);
    check_true("pulled along slanted normals: impulses as they were, bit for bit",
               memcmp(given, found, sizeof given) == 0);
    dry_solver_destroy(solver);
}

static void next_to_nothing(void)
{
    static const double x[3] = {-1, 0, 1}, zeros[3] = {0};
    own all;
    dry_solver *solver = new_solver();
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HERTZ);
    dry_step_report report = {.struct_size = sizeof report};
    double found[3];
    printf("-- zero load, one contact, none\n");
    own_beam(&all, STEP, 0, 0, 3, x, ONES);
    own_solve(&all, solver, &settings);
    for (int k = 0; k < 3; ++k)
        found[k] = norm(vec(all.solved[k].compatible_impulse));
    check_true("zero load: zero impulses, no steps, no residual",
               memcmp(found, zeros, sizeof found) == 0 && all.report.compatibility_residual == 0 &&
                   all.report.compatibility_iterations == 0 && all.report.flags == 0 &&
                       all.report.closed_contacts == 3);
    /* Self-stress: pairs that cancel on the body. */
    const double cancel[3] = {1, -2, 1};
    report = correct_normal(solver, &all, &settings, cancel, found);
    check_at_most("impulses that cancel: zero [N s]", farthest(3, found, zeros), 1e-15);

    own_begin(&all, STEP);
    own_cube(&all, 3, 0.5, 0);
    own_contact(&all, UINT32_MAX, 0, (vec3){0, 0, 1}, (vec3){0, 0, 0}, (vec3){0, 0, -0.5}, 0.5);
    own_solve(&all, solver, &settings);
    check_at_most("one contact: its impulse is the only one [N s]",
                  fabs(all.solved[0].compatible_impulse[2] - 3 * GRAVITY * STEP), 1e-14);
    all.problem.contact_count = 0;
    own_solve(&all, solver, &settings);
    check_true("no contacts: nothing to correct", all.report.flags == 0 && all.report.closed_contacts == 0);
    all.problem.contacts = NULL;
    MUST(dry_solver_correct(solver, &all.problem, &settings, NULL, NULL, &report));
    check_true("no contacts and no arrays", report.flags == 0 && report.contacts == 0 && report.bodies == 1);
    all.problem = (dry_problem){.struct_size = sizeof all.problem, .step = STEP};
    MUST(dry_solver_correct(solver, &all.problem, &settings, NULL, NULL, NULL));
    check_true("no bodies either, and no report", 1);
    dry_solver_destroy(solver);
}

int main(void)
{
    closed_contacts();
    residuals();
    infeasible();
    slanted();
    next_to_nothing();
    return check_result();
}
