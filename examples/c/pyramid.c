/*
 * The cannonball pyramid: a square pile of close-packed spheres, the lowest layer fixed, every other layer
 * lifted a little and dropped. The program steps the pile until it is at rest, prints what the contacts carry
 * and draws it, as the sweeps found it and after the compatibility correction.
 *
 * After T. Olsen and K. Kamrin, Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions, section
 * 8.2. The library finds the contacts from the positions.
 *
 *     cc -std=c99 -O2 -Iinclude examples/c/pyramid.c -Ltarget/release -ldrystone -lm -o pyramid
 *     LD_LIBRARY_PATH=target/release ./pyramid [picture.svg] [spheres along an edge of the base]
 */
#define _POSIX_C_SOURCE 200112L /* fileno, isatty: for the progress line only */

#include "network_picture.h"

#include <unistd.h>

/* At rest: no sphere faster than this for a while. Gravity adds 1e-2 m/s in one step. */
static const double rest_speed = 1e-8;       /* [m/s] */

static dry_settings choose_settings(void)
{
    dry_settings settings;
    CHECK(dry_settings_init(&settings, sizeof settings));
    settings.method = DRY_METHOD_RIGID;          /* contacts are not compliant */
    settings.solver = DRY_SOLVER_PGS;            /* contact by contact, each one solved exactly */
    settings.sweep = DRY_SWEEP_SYMMETRIC;        /* forth and back, so that no side of the pile comes first */
    settings.warm_start = DRY_WARM_HISTORY;      /* begin from the forces of the last step */
    settings.warm_start_factor = 1.0;            /* all of them: a pile at rest then stays at its solution */
    settings.iterations = 100;                   /* sweeps in each step */
    settings.tolerance = 0.0;                    /* make all sweeps: the forces are what this program is about */
    settings.contact_margin = 0.04 * radius;     /* contacts are made up to this gap [m] */
    return settings;
}

/* On a terminal one line, rewritten with every step; elsewhere a line now and then. */
static void show_progress(const outcome *now, bool terminal, bool last)
{
    if (now->steps == 1) {
        printf("\n%10s %10s %10s %10s %10s %10s\n%10s %10s %10s %10s %10s %10s\n", "time", "contacts", "energy", "fastest",
               "residual", "per step", "[ms]", "", "[J]", "[m/s]", "[m/s]", "[ms]");
    }
    if (terminal || last || now->steps <= 5 || now->steps % 20 == 0) {
        printf("%s%10.0f %10" PRIu32 " %10.1e %10.1e %10.1e %10.1f%s", terminal ? "\r" : "",
               1e3 * time_step * now->steps, now->report.contacts, now->report.kinetic_energy, now->largest_speed,
               now->report.residual_max, 1e3 * now->seconds / now->steps, terminal && !last ? "" : "\n");
        fflush(stdout);
    }
}

static outcome step_to_rest(const pile *pyramid)
{
    const bool terminal = isatty(fileno(stdout)) != 0;
    outcome now = {.at_rest = false};
    while (!now.at_rest && now.steps < MAX_STEPS) {
        pile_step(pyramid, rest_speed, &now);
        show_progress(&now, terminal, now.at_rest || now.steps == MAX_STEPS);
    }
    return now;
}

/* One step more, which also finds the forces that stiff elastic spheres carry. */
static dry_step_report correct(const pile *pyramid, const dry_settings *settings)
{
    dry_settings corrected = *settings;
    dry_step_report report = empty_report();
    corrected.compatibility = DRY_COMPATIBILITY_HOOKE;
    CHECK(dry_world_set_settings(pyramid->world, &corrected));
    CHECK(dry_world_step(pyramid->world, time_step, &report));
    return report;
}

/* What the base carries, as the library adds it up body by body [N]. */
static double force_on_base(const pile *pyramid)
{
    double sum = 0.0;
    for (size_t i = 0; i < pyramid->base_count; ++i) {
        double force[3], torque[3];
        CHECK(dry_query_body_force(pyramid->world, pyramid->bodies[i], force, torque));
        sum -= force[2];
    }
    return sum;
}

static void print_report(const pile *pyramid, const outcome *end, double on_base)
{
    const dry_step_report *report = &end->report;
    const double weight = pile_free_weight(pyramid);
    printf("\n%s after %" PRIu32 " steps of %g s\n\n", end->at_rest ? "at rest" : "NOT AT REST", end->steps, time_step);
    printf("  spheres                   %zu, of which %zu free\n", pyramid->count,
           pyramid->count - pyramid->base_count);
    printf("  contacts                  %" PRIu32 "\n", report->contacts);
    printf("  sweeps per step           %" PRIu32 "\n", report->iterations);
    printf("  residual                  %.2e m/s\n", report->residual_max);
    printf("  largest speed             %.2e m/s\n", end->largest_speed);
    printf("  kinetic energy            %.2e J\n", report->kinetic_energy);
    printf("  largest overlap           %.2e m\n", report->max_overlap);
    printf("  weight of free spheres    %.10f N\n", weight);
    printf("  vertical force on base    %.10f N\n", on_base);
    printf("  relative difference       %.1e\n", fabs(on_base - weight) / weight);
    printf("  wall time                 %.2f s, %.2f ms per step\n", end->seconds, 1e3 * end->seconds / end->steps);
}

/* The rigid contacts leave open which of many force networks holds the pile. The classic one is what the sweeps found, the
 * compatible one the only one that stiff elastic spheres could have. */
static void print_networks(const force_network *classic, const force_network *compatible, const dry_step_report *report)
{
    printf("\n  force network             %14s %14s\n", "classic", "compatible");
    printf("  largest contact force     %11.4f mN %11.4f mN\n", 1e3 * classic->largest, 1e3 * compatible->largest);
    printf("  contacts with a force     %14zu %14zu\n", classic->bearing, compatible->bearing);
    printf("  vertical force on base    %12.8f N %12.8f N\n", classic->on_base, compatible->on_base);
    printf("  asymmetry of the base     %14.1e %14.1e  of the largest force on a base sphere\n", classic->asymmetry,
           compatible->asymmetry);
    printf("  correction                %" PRIu32 " Newton steps, %.1f ms, residual %.1e\n", report->compatibility_iterations,
           1e3 * report->seconds_compatibility, report->compatibility_residual);
}

static void describe(force_network *network, const char *name)
{
    snprintf(network->name, sizeof network->name, "%s", name);
    snprintf(network->note, sizeof network->note, "largest %.3f mN, base asymmetric by %.1g", 1e3 * network->largest,
             network->asymmetry);
}

static bool draw(const char *path, const pile *pyramid, const outcome *end, const dry_contact *contacts,
                 const force_network *classic, const force_network *compatible)
{
    const force_network *const networks[] = {classic, compatible};
    char state[160];
    picture drawing = {.pyramid = pyramid, .contacts = contacts, .networks = networks, .network_count = 2};
    snprintf(drawing.title, sizeof drawing.title, "%zu spheres %s, and what their %zu contacts carry", pyramid->count,
             end->at_rest ? "at rest" : "not yet at rest", classic->contact_count);
    snprintf(state, sizeof state, "Fastest sphere %.0e m/s, residual %.0e m/s; of the weight the base carries %.9f and %.9f.",
             end->largest_speed, end->report.residual_max, classic->on_base / pile_free_weight(pyramid),
             compatible->on_base / pile_free_weight(pyramid));
    drawing.caption[0] = "Both networks move every sphere alike. Left: what the sweeps happened to find. "
                         "Right: the one that stiff elastic spheres carry.";
    drawing.caption[1] = state;
    const bool drawn = picture_write(&drawing, path);
    printf(drawn ? "\n  picture                   %s\n" : "\ncannot write %s\n", path);
    return drawn;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "pyramid.svg";
    const dry_settings settings = choose_settings();
    pile pyramid = pile_create(argc > 2 ? parse_side(argv[2]) : 20, &settings);
    printf("drystone %s: a pyramid of %zu spheres, its layers dropped from %g %% of a radius\n", dry_version_string(),
           pyramid.count, 100.0 * lift / radius);

    const outcome end = step_to_rest(&pyramid);
    const double on_base = force_on_base(&pyramid), weight = pile_free_weight(&pyramid);
    print_report(&pyramid, &end, on_base);

    const dry_step_report correction = correct(&pyramid, &settings);
    size_t count = 0;
    dry_contact *contacts = pile_contacts(&pyramid, &count);
    force_network classic = network_of(&pyramid, contacts, count, false);
    force_network compatible = network_of(&pyramid, contacts, count, true);
    describe(&classic, "Classic");
    describe(&compatible, "Compatible");
    print_networks(&classic, &compatible, &correction);
    const bool drawn = draw(path, &pyramid, &end, contacts, &classic, &compatible);

    network_free(&classic);
    network_free(&compatible);
    free(contacts);
    pile_destroy(&pyramid);
    const bool balanced = fabs(on_base - weight) <= 1e-6 * weight && fabs(compatible.on_base - weight) <= 1e-6 * weight;
    if (!balanced)
        fprintf(stderr, "the base does not carry the weight of the pile\n");
    return end.at_rest && balanced && drawn ? EXIT_SUCCESS : EXIT_FAILURE;
}
