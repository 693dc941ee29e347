/*
 * The compatibility correction of a host's own problems against closed forms: beams on supports, solved and
 * corrected by dry_solver_solve, and corrected alone by dry_solver_correct; the laws.
 */
#include "compatible.h"

static const double STEP = 0.01, WEIGHT = 10;

/* [N], of weights around 10 */
static const double EXACT = 1e-10;

static const double ONES[5] = {1, 1, 1, 1, 1};

/* Forces of the beam by both ways: solved and corrected, and corrected alone. Infinite where a report says less
   than that it is right. */
static double beam_error(const dry_settings *settings, double weight, double center, size_t count, const double *x,
                         const double *stiffness, const double *expected)
{
    own all;
    dry_solver *solver = new_solver();
    double found[MAX_ITEMS], worst = 0;
    own_beam(&all, STEP, weight, center, count, x, stiffness);
    own_solve(&all, solver, settings);
    for (size_t k = 0; k < count; ++k) {
        const dry_contact_solution *solved = &all.solved[k];
        found[k] = solved->compatible_impulse[2] / STEP;
        keep_worst(&worst, fabs(solved->compatible_impulse[0]) + fabs(solved->compatible_impulse[1]));
        keep_worst(&worst, -solved->normal_impulse);
    }
    keep_worst(&worst, farthest(count, found, expected));
    int right = all.report.flags == 0 && all.report.infeasible_islands == 0 && all.report.closed_contacts == count &&
                all.report.compatibility_residual <= settings->compatibility_tolerance;

    /* The same resultant by two supports, one of which may have to pull: w (x_1 - c) / (x_1 - x_0) and the rest. */
    double normal[MAX_ITEMS] = {0};
    normal[0] = STEP * weight * (x[1] - center) / (x[1] - x[0]);
    normal[1] = STEP * weight - normal[0];
    dry_step_report report = correct_normal(solver, &all, settings, normal, found);
    for (size_t k = 0; k < count; ++k)
        found[k] /= STEP;
    keep_worst(&worst, farthest(count, found, expected));
    right = right && report.flags == 0 && report.infeasible_islands == 0;
    dry_solver_destroy(solver);
    return right ? worst : INFINITY;
}

static void three_supports(void)
{
    const double x[3] = {-1, 0, 1}, equal[3] = {WEIGHT / 3, WEIGHT / 3, WEIGHT / 3};
    const double stiffness[3] = {1, 3, 1}, unequal[3] = {2, 6, 2}, zeros[3] = {0};
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    printf("-- a beam of weight 10 on three supports\n");
    check_at_most("of equal stiffness: 10/3 each [N]", beam_error(&settings, WEIGHT, 0, 3, x, ONES, equal), EXACT);
    check_at_most("of stiffness 0, which is 1: 10/3 each [N]",
                  beam_error(&settings, WEIGHT, 0, 3, x, zeros, equal), EXACT);
    check_at_most("of stiffness 1:3:1: 2, 6, 2 [N]", beam_error(&settings, WEIGHT, 0, 3, x, stiffness, unequal),
                  EXACT);

    /* The beam goes down evenly: forces in proportion to the stiffness, whatever the exponent. */
    settings.compatibility = DRY_COMPATIBILITY_HERTZ;
    check_at_most("1:3:1, Hertz: 2, 6, 2 [N]", beam_error(&settings, WEIGHT, 0, 3, x, stiffness, unequal), EXACT);

    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    const double scales[3] = {1e-9, 1, 1e9};
    for (int s = 0; s < 3; ++s) {
        const double same[3] = {1 * scales[s], 3 * scales[s], 1 * scales[s]};
        check_at_most("1:3:1 in other units: 2, 6, 2 [N]", beam_error(&settings, WEIGHT, 0, 3, x, same, unequal),
                      EXACT);
    }

    /* The middle takes 10^6 / (10^6 + 2) of it. */
    const double hard[3] = {1, 1e6, 1}, f = WEIGHT / (1e6 + 2), hard_forces[3] = {f, 1e6 * f, f};
    check_at_most("1:10^6:1 [N]", beam_error(&settings, WEIGHT, 0, 3, x, hard, hard_forces), EXACT);
    /* Equal forces F outside for the moments; they go in by F / 10^6 and F, the middle by half the sum. */
    const double lame[3] = {1e6, 1, 1}, g = WEIGHT / (2 + 0.5 * (1 + 1e-6)), lame_forces[3] = {g, WEIGHT - 2 * g, g};
    /* The stiff one goes in by 10^-6 of what the others do: known to 10^6 times round-off. */
    settings.compatibility_tolerance = 1e-10;
    check_at_most("10^6:1:1 [N]", beam_error(&settings, WEIGHT, 0, 3, x, lame, lame_forces), 1e6 * 2.3e-16 * WEIGHT);
    settings.compatibility_tolerance = 1e-13;
    /* Two supports in one place share its force: the same as one twice as stiff. */
    const double place[4] = {-1, 0, 0, 1}, quarter[4] = {2.5, 2.5, 2.5, 2.5};
    check_at_most("a support given twice: 2.5 each [N]", beam_error(&settings, WEIGHT, 0, 4, place, ONES, quarter),
                  EXACT);
}

/*
 * Five supports at -2 .. 2. A rigid beam that goes down by a + b x presses each by c = max(a + b x, 0) and gets
 * f = k c^(p-1): for any a, b these are the compatible forces of the load that they carry, their sum W at
 * sum(f x) / W, for they obey all conditions of the minimum, which is the only one. With 1 <= a < b the supports at
 * -2 and -1 lift off.
 */
static void five_supports(void)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, stiffness[5] = {2, 7, 4, 1, 3};
    static const struct {
        dry_compatibility law;
        double p, a, b;
        const char *name;
    } cases[] = {
        {DRY_COMPATIBILITY_HOOKE, 2, 1, 2, "Hooke, two of five lift off: 0, 0, 4, 3, 15 [N]"},
        {DRY_COMPATIBILITY_HERTZ, 2.5, 1, 3, "Hertz, two of five lift off [N]"},
        {DRY_COMPATIBILITY_POWER, 3, 1, 2, "exponent 3, two of five lift off: 0, 0, 4, 9, 75 [N]"},
        {DRY_COMPATIBILITY_POWER, 1.5, 1, 4, "exponent 1.5, two of five lift off [N]"},
        {DRY_COMPATIBILITY_HOOKE, 2, 5, 2, "Hooke, none lifts off: 2, 21, 20, 7, 27 [N]"},
        {DRY_COMPATIBILITY_HOOKE, 2, 1.75, 1, "Hooke, one lifts off [N]"},
    };
    printf("-- a beam on five supports, loaded off its centre\n");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        dry_settings settings = corrected_settings(cases[n].law);
        double forces[5], weight = 0, moment = 0, p = cases[n].p;
        settings.compatibility_exponent = p;
        for (int k = 0; k < 5; ++k) {
            forces[k] = stiffness[k] * pow(fmax(cases[n].a + cases[n].b * x[k], 0), p - 1);
            weight += forces[k];
            moment += forces[k] * x[k];
        }
        check_at_most(cases[n].name, beam_error(&settings, weight, moment / weight, 5, x, stiffness, forces),
                      EXACT * weight / 10);
    }
}

/* The conditions of the minimum, without the answer: forces balance the weight, push, and press by a + b x, 0 where
   that is not above 0. The line goes through two supports that carry. */
static void conditions_of_five(void)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, stiffness[5] = {5, 0.3, 1, 2, 0.7};
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    dry_solver *solver = new_solver();
    int lifted = 0;
    double worst = 0;
    for (int n = 0; n <= 16; ++n) {
        own all;
        double center = -1.6 + 0.2 * n, normal[5] = {0}, f[5], sum = 0, moment = 0;
        own_beam(&all, 1, 1, center, 5, x, stiffness);
        normal[0] = 0.5 - 0.25 * center;
        normal[4] = 1 - normal[0];
        dry_step_report report = correct_normal(solver, &all, &settings, normal, f);
        int first = 0, last = 4;
        while (first < 3 && f[first] == 0)
            ++first;
        while (last > first + 1 && f[last] == 0)
            --last;
        double c_first = f[first] / stiffness[first], c_last = f[last] / stiffness[last];
        double b = (c_last - c_first) / (x[last] - x[first]), a = c_first - b * x[first];
        for (int k = 0; k < 5; ++k) {
            sum += f[k];
            moment += f[k] * (x[k] - center);
            keep_worst(&worst, fabs(f[k] - stiffness[k] * fmax(a + b * x[k], 0)));
            lifted += f[k] == 0;
        }
        keep_worst(&worst, fabs(sum - 1));
        keep_worst(&worst, fabs(moment));
        keep_worst(&worst, report.flags);
    }
    check_at_most("five supports, loads from -1.6 to 1.6: balance and compatibility, of weight 1", worst, 1e-11);
    check_true("five supports: some lifted off, some did not", lifted > 5 && lifted < 60);
    dry_solver_destroy(solver);
}

/* ---- laws ------------------------------------------------------------------------------------------- */

/* What is said twice is done alike, bit for bit; what is said differently is not. */
static void exponents(void)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, stiffness[5] = {5, 0.3, 1, 2, 0.7};
    static const double normal[5] = {0.05, 0, 0.01, 0, 0.04};
    static const struct {
        dry_compatibility law;
        double p;
    } laws[4] = {{DRY_COMPATIBILITY_HOOKE, 7}, {DRY_COMPATIBILITY_POWER, 2}, {DRY_COMPATIBILITY_HERTZ, 7},
                 {DRY_COMPATIBILITY_POWER, 2.5}};
    double found[4][5];
    for (int n = 0; n < 4; ++n) {
        own all;
        dry_solver *solver = new_solver();
        dry_settings settings = corrected_settings(laws[n].law);
        settings.compatibility_exponent = laws[n].p; /* of HOOKE and HERTZ ignored */
        own_beam(&all, STEP, WEIGHT, 0, 5, x, stiffness);
        (void)correct_normal(solver, &all, &settings, normal, found[n]);
        dry_solver_destroy(solver);
    }
    check_true("exponent 2 is Hooke, bit for bit", memcmp(found[0], found[1], sizeof found[0]) == 0);
    check_true("exponent 2.5 is Hertz, bit for bit", memcmp(found[2], found[3], sizeof found[0]) == 0);
    check_at_least("Hooke and Hertz differ [N s]", farthest(5, found[0], found[2]), 1e-4);
}

/* The answer depends on the resultant alone, not on how the given impulses share it. */
static void any_share(void)
{
    static const double x[3] = {-1, 0, 1}, stiffness[3] = {1, 2, 5};
    static const double given[][3] = {
        {0.03, 0.04, 0.03}, {0, 0.1, 0}, {0.05, 0, 0.05}, {0.1, -0.1, 0.1}, {-0.4, 0.9, -0.4}};
    /* c = a + b x with -1 (a - b) + 5 (a + b) = 0: b = -2 a / 3, forces in proportion to 5/3, 2, 5/3: of 16/3 */
    static const double expected[3] = {0.5 / 16, 0.6 / 16, 0.5 / 16};
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    double worst = 0;
    for (size_t n = 0; n < sizeof given / sizeof *given; ++n) {
        own all;
        dry_solver *solver = new_solver();
        double found[3];
        own_beam(&all, STEP, WEIGHT, 0, 3, x, stiffness);
        dry_step_report report = correct_normal(solver, &all, &settings, given[n], found);
        keep_worst(&worst, farthest(3, found, expected));
        keep_worst(&worst, report.flags & DRY_REPORT_COMPATIBILITY_INFEASIBLE);
        dry_solver_destroy(solver);
    }
    check_at_most("equal resultants, also of impulses that pull: the same answer [N s]", worst, 1e-12);
}

int main(void)
{
    three_supports();
    five_supports();
    conditions_of_five();
    exponents();
    any_share();
    return check_result();
}
