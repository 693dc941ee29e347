/*
 * Contact problems out of other people's simulations, solved through the C interface.
 *
 *     problems FOLDER [NAME ...]      FOLDER holds the .dsfc files
 *
 * The error is that of the literature (see dsfc.h): relative, recomputed here from the impulses. `plain` is what a cold
 * Gauss-Seidel sweep with an exact one-contact solve needs to an error of 1e-4, in the order of the file, as a reference
 * implementation counted it (0: not within its cap); `arrives` where it came to 1e-8.
 */
#define _POSIX_C_SOURCE 199309L
#include "dsfc.h"
#include <time.h>

typedef struct entry {
    const char *name;
    uint32_t plain;
    int arrives; /* whether plain sweeps reach 1e-8 at all */
    double newton_error; /* the largest allowed */
} entry;

static const entry entries[] = {
    {"Box_Stacks-i0122-82-5", 13, 1, 1e-10},
    {"BoxesStack1-i100000-32", 1400, 0, 1e-10},
    {"Capsules-i101-404", 12, 1, 1e-10},
    {"Capsules-i103-990", 15, 1, 1e-10},
    {"Confeti-ex13", 1, 1, 1e-10},
    {"KaplasTower-i1061-4", 210, 1, 1e-10},
    {"LMGC_100_PR_PerioBox-i00361-60", 1, 1, 1e-10},
    {"NESpheres_30_1", 1, 1, 1e-10},
    {"OneObject-i100000-499", 0, 0, 1e-10},
    {"RFC3D_cube_1", 2, 1, 1e-10},
    {"RockPile_tob1", 0, 0, 1e-5},
    {"Rover1040", 5, 1, 1e-10},
    {"Spheres-i099-356-679-ortho", 100, 1, 1e-10},
    {"mj_boxes_heap_100", 390, 1, 1e-10},
    {"mj_column_25", 1300, 1, 1e-10},
    {"spheres-in-a-box-98-256-ortho", 760, 0, 1e-10},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Most sweeps of a count. */
enum { CAP = 12000 };

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static dry_settings settings_of(dry_solver_kind solver, uint32_t iterations)
{
    dry_settings settings;
    MUST(dry_settings_init(&settings, sizeof settings));
    settings.solver = solver;
    settings.sweep = DRY_SWEEP_NATURAL;
    settings.warm_start = DRY_WARM_OFF;
    settings.iterations = iterations;
    return settings;
}

typedef struct answer {
    double error, milliseconds, residual;
    uint32_t iterations;
} answer;

/* Cold, with so many iterations. */
static answer solve(dry_solver *solver, const dsfc *p, dry_solver_kind kind, uint32_t iterations, double *r)
{
    dry_settings settings = settings_of(kind, iterations);
    dry_local_problem local = dsfc_local(p);
    dry_step_report report = {.struct_size = sizeof report};
    double begin = now();
    MUST(dry_solver_solve_local(solver, &local, &settings, r, &report));
    double milliseconds = 1e3 * (now() - begin);
    return (answer){dsfc_error(p, r), milliseconds, report.residual_max, report.iterations};
}

/* The worst error of Newton's method where q differs by round-off: an answer must not be luck. */
static double shaken(dry_solver *solver, dsfc *p, double *r)
{
    size_t rows = (size_t)p->dimension * p->contacts;
    double worst = 0;
    for (int seed = 1; seed <= 2; ++seed) {
        for (size_t row = 0; row < rows; ++row)
            p->q[row] *= 1 + ((double)((row * 7 + (size_t)seed) % 5) - 2) * 1e-15;
        worst = fmax(worst, solve(solver, p, DRY_SOLVER_NEWTON, 5000, r).error);
    }
    return worst;
}

/* The fewest sweeps to an error, within 10 %; 0: more than the cap. */
static uint32_t count(dry_solver *solver, const dsfc *p, dry_solver_kind kind, double error, double *r)
{
    for (uint32_t sweeps = 1; sweeps <= CAP; sweeps += 1 + sweeps / 10)
        if (solve(solver, p, kind, sweeps, r).error <= error)
            return sweeps;
    return 0;
}

static void check_error(const char *name, const char *how, double error, double bound)
{
    char text[120];
    (void)snprintf(text, sizeof text, "%s: %s", name, how);
    check_at_most(text, error, bound);
}

/* Whether acceleration took at most half of the plain sweeps to 1e-8. */
static int compare_sweeps(dry_solver *solver, const dsfc *p, const entry *e, double *r)
{
    const char *name = e->name;
    uint32_t plain = e->arrives ? count(solver, p, DRY_SOLVER_PGS, 1e-8, r) : 0;
    uint32_t accelerated = count(solver, p, DRY_SOLVER_PGS_ACCELERATED, 1e-8, r);
    printf("     %-40s sweeps to 1e-8: plain %u, accelerated %u\n", name, plain, accelerated);
    if (plain > 0) {
        /* where one or two sweeps do, a factor says nothing */
        double most = fmax(1.2 * plain, plain + 1.0);
        check_error(name, "accelerated over plain sweeps", accelerated ? accelerated / most : INFINITY, 1);
    }
    return accelerated > 0 && (plain == 0 || 2 * accelerated <= plain);
}

/* A file with bodies, as bodies. */
static void solve_bodies(dry_solver *solver, const dsfc *p, const entry *e, double *r)
{
    dry_problem_body *bodies;
    dry_problem_contact *contacts;
    dry_problem problem = dsfc_problem(p, &bodies, &contacts);
    dry_contact_solution *found = allocate(p->contacts, sizeof *found);
    dry_step_report report = {.struct_size = sizeof report};
    dry_solution solution = {.struct_size = sizeof solution, .contacts = found, .report = &report};
    dry_settings settings = settings_of(DRY_SOLVER_NEWTON, 5000);
    MUST(dry_solver_solve(solver, &problem, &settings, &solution));
    dsfc_impulses(p, found, r);
    check_error(e->name, "NEWTON with bodies, error", dsfc_error(p, r), e->newton_error);
    if (e->plain > 0) {
        settings = settings_of(DRY_SOLVER_PGS, (uint32_t)(1.2 * e->plain));
        MUST(dry_solver_solve(solver, &problem, &settings, &solution));
        dsfc_impulses(p, found, r);
        check_error(e->name, "PGS with bodies, error after 1.2 times the sweeps", dsfc_error(p, r), 1e-4);
    }
    free(found);
    free(bodies);
    free(contacts);
}

int main(int count_of_arguments, char **arguments)
{
    if (count_of_arguments < 2) {
        printf("usage: %s FOLDER [NAME ...]\n", arguments[0]);
        return EXIT_FAILURE;
    }
    dry_solver *solver;
    MUST(dry_solver_create(&solver));
    int halved = 0, files = 0;
    for (size_t k = 0; k < ENTRIES; ++k) {
        const entry *e = &entries[k];
        int wanted = count_of_arguments == 2;
        for (int a = 2; a < count_of_arguments; ++a)
            wanted |= strcmp(arguments[a], e->name) == 0;
        if (!wanted)
            continue;
        dsfc p = dsfc_read(arguments[1], e->name);
        double *r = allocate((size_t)p.dimension * p.contacts, sizeof *r);
        answer newton = solve(solver, &p, DRY_SOLVER_NEWTON, 5000, r);
        printf("     %-32s NEWTON %5u steps %8.1f ms, error %.1e, residual %.1e m/s\n", e->name, newton.iterations,
               newton.milliseconds, newton.error, newton.residual);
        check_error(e->name, "NEWTON, error", newton.error, e->newton_error);
        answer apgd = solve(solver, &p, DRY_SOLVER_APGD, 1000, r);
        printf("     %-32s APGD   %5u steps %8.1f ms, error %.1e, residual %.1e m/s\n", e->name, apgd.iterations,
               apgd.milliseconds, apgd.error, apgd.residual);
        if (e->plain > 0) {
            answer plain = solve(solver, &p, DRY_SOLVER_PGS, (uint32_t)(1.2 * e->plain), r);
            check_error(e->name, "PGS, error after 1.2 times the sweeps", plain.error, 1e-4);
        }
        if (p.dimension == 5)
            check_error(e->name, "PGS with rolling, error", solve(solver, &p, DRY_SOLVER_PGS, 50, r).error, 1e-10);
        halved += compare_sweeps(solver, &p, e, r);
        if (p.bodies > 0)
            solve_bodies(solver, &p, e, r);
        check_error(e->name, "NEWTON from q moved by round-off, error", shaken(solver, &p, r), e->newton_error);
        files += 1;
        free(r);
        dsfc_free(&p);
    }
    if (files == ENTRIES)
        check_at_least("files on which acceleration halves the sweeps", halved, 8);
    dry_solver_destroy(solver);
    return check_result();
}
