/*
 * Problems that cannot be posed: each is refused with a message that names the member, nothing is written, and the
 * solver is unchanged. And problems that can be posed and not be solved: finite, with a residual.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>
#include "problem.h"

static dry_solver *solver;
static dry_settings settings;
static own good, bad;
static int refused_calls, refused_wrongly;

static int named(const char *message, const char *word)
{
    return word == NULL || strstr(message, word) != NULL;
}

/* `bad` is refused; then it is as good as before. */
static void refused(int line, dry_status expected, const char *word, const char *other, dry_status status,
                    const own *before)
{
    char message[1024] = "";
    (void)dry_last_error(message, sizeof message, NULL);
    int right = status == expected && named(message, word) && named(message, other) &&
                memcmp(before, &bad, sizeof bad) == 0;
    ++refused_calls;
    if (!right) {
        ++refused_wrongly;
        printf("FAIL line %d: expected %s naming \"%s\" and \"%s\", found %s%s: %s\n", line, dry_status_name(expected),
               word, other ? other : "", dry_status_name(status),
               memcmp(before, &bad, sizeof bad) == 0 ? "" : ", with something written", message);
    }
}

/* Copies `good`, so that its pointers show the copy. */
static void take_good(void)
{
    bad = good;
    bad.problem.bodies = bad.bodies;
    bad.problem.contacts = bad.contacts;
    bad.problem.rows = bad.rows;
    bad.solution.velocities = bad.velocities[0];
    bad.solution.contacts = bad.solved;
    bad.solution.row_impulses = bad.row_impulses;
    bad.solution.report = &bad.report;
}

static void solve_bad(int line, dry_status expected, const char *word, const char *other)
{
    static own before;
    before = bad;
    refused(line, expected, word, other, dry_solver_solve(solver, &bad.problem, &settings, &bad.solution), &before);
    take_good();
}

/* The good problem with one thing changed. */
#define BAD(expected, word, other, change) (change, solve_bad(__LINE__, expected, word, other))
#define ARGUMENT(word, other, change) BAD(DRY_ERR_ARGUMENT, word, other, change)

/* One number: never NaN or infinite, and below 0 only where `may_be_negative` is set. */
#define NUMBER(name, member, may_be_negative)                                           \
    do {                                                                                \
        BAD(DRY_ERR_NOT_FINITE, name, "NaN", bad.member = NAN);                         \
        BAD(DRY_ERR_NOT_FINITE, name, "inf", bad.member = INFINITY);                    \
        BAD(DRY_ERR_NOT_FINITE, name, "-inf", bad.member = -INFINITY);                  \
        if (!(may_be_negative))                                                         \
            ARGUMENT(name, "-3", bad.member = -3);                                      \
    } while (0)

static void check_refused(const char *group)
{
    char name[96];
    snprintf(name, sizeof name, "%s: wrong among %d refused calls", group, refused_calls);
    check_at_most(name, refused_wrongly, 0);
    refused_calls = refused_wrongly = 0;
}

/* Two cubes and an immovable body; the first cube on the second, the second on the immovable one; three rows, the last
   bounded by the first. Outputs hold a pattern. */
static void make_good(void)
{
    own_begin(&good, 0.01);
    own_cube(&good, 3, 0.5, 0.1);
    own_cube(&good, 3, 0.5, 0);
    good.problem.body_count = 3;
    own_corners(&good, 2, 1, 0.5, 0.5, 10);
    own_corners(&good, 1, 0, 0.5, 0.5, 20);
    for (int k = 0; k < 3; ++k) {
        dry_problem_row *row = own_row(&good, UINT32_MAX, 0);
        row->jacobian_b[k] = 1;
        row->lower = -0.01;
        row->upper = 0.01;
        row->key = 30 + (uint64_t)k;
    }
    good.rows[2].friction_row = 0;
    memset(good.velocities, 0xA5, sizeof good.velocities);
    memset(good.solved, 0xA5, sizeof good.solved);
    memset(good.row_impulses, 0xA5, sizeof good.row_impulses);
    memset(&good.report, 0xA5, sizeof good.report);
    good.report.struct_size = sizeof good.report;
    take_good();
}

static void pointers_and_counts(void)
{
    static own before;
    before = bad;
    refused(__LINE__, DRY_ERR_NULL, "solver is NULL", NULL,
            dry_solver_solve(NULL, &bad.problem, &settings, &bad.solution), &before);
    refused(__LINE__, DRY_ERR_NULL, "problem is NULL", NULL, dry_solver_solve(solver, NULL, &settings, &bad.solution),
            &before);
    refused(__LINE__, DRY_ERR_NULL, "settings is NULL", NULL,
            dry_solver_solve(solver, &bad.problem, NULL, &bad.solution), &before);
    refused(__LINE__, DRY_ERR_NULL, "solution is NULL", NULL,
            dry_solver_solve(solver, &bad.problem, &settings, NULL), &before);
    refused(__LINE__, DRY_ERR_NULL, "solver is NULL", NULL, dry_solver_create(NULL), &before);
    BAD(DRY_ERR_ABI, "problem.struct_size", "0", bad.problem.struct_size = 0);
    BAD(DRY_ERR_ABI, "solution.struct_size", "0", bad.solution.struct_size = 0);
    BAD(DRY_ERR_ABI, "report.struct_size", "7", bad.report.struct_size = 7);
    BAD(DRY_ERR_NULL, "bodies is NULL", NULL, bad.problem.bodies = NULL);
    BAD(DRY_ERR_NULL, "contacts is NULL", NULL, bad.problem.contacts = NULL);
    BAD(DRY_ERR_NULL, "rows is NULL", NULL, bad.problem.rows = NULL);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 64 + 1, (size_t)1 << 60, (size_t)1 << 44};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
        ARGUMENT("body_count", NULL, bad.problem.body_count = counts[k]);
        ARGUMENT("contact_count", NULL, bad.problem.contact_count = counts[k]);
        ARGUMENT("row_count", NULL, bad.problem.row_count = counts[k]);
    }
    check_refused("pointers, sizes and counts");
}

static void bodies_and_contacts(void)
{
    NUMBER("step", problem.step, 0);
    ARGUMENT("step is 0", NULL, bad.problem.step = 0);
    NUMBER("bodies[1].inverse_mass", bodies[1].inverse_mass, 0);
    for (int k = 0; k < 6; ++k)
        NUMBER("bodies[1].inverse_inertia", bodies[1].inverse_inertia[k], 1);
    for (int k = 0; k < 3; ++k) {
        NUMBER("bodies[0].velocity", bodies[0].velocity[k], 1);
        NUMBER("bodies[0].angular_velocity", bodies[0].angular_velocity[k], 1);
        NUMBER("contacts[5].normal", contacts[5].normal[k], 1);
        NUMBER("contacts[5].arm_a", contacts[5].arm_a[k], 1);
        NUMBER("contacts[5].arm_b", contacts[5].arm_b[k], 1);
        NUMBER("contacts[5].surface_velocity", contacts[5].surface_velocity[k], 1);
        /* indefinite: the block of xy, yz or xz has a negative determinant */
        ARGUMENT("bodies[1].inverse_inertia", "semidefinite", bad.bodies[1].inverse_inertia[3 + k] = 10);
        ARGUMENT("bodies[1].inverse_inertia", "semidefinite", bad.bodies[1].inverse_inertia[k] = -1e-3);
    }
    NUMBER("contacts[5].normal_bias", contacts[5].normal_bias, 1);
    NUMBER("contacts[5].normal_compliance", contacts[5].normal_compliance, 0);
    NUMBER("contacts[5].tangential_compliance", contacts[5].tangential_compliance, 0);
    NUMBER("contacts[5].friction", contacts[5].friction, 0);
    NUMBER("contacts[5].rolling", contacts[5].rolling, 0);
    NUMBER("contacts[5].twisting", contacts[5].twisting, 0);
    NUMBER("contacts[5].stiffness", contacts[5].stiffness, 0);
    ARGUMENT("contacts[5].normal", "length", bad.contacts[5].normal[2] = 1 + 1e-7);
    ARGUMENT("contacts[5].normal", "length", bad.contacts[5].normal[2] = 0);
    ARGUMENT("contacts[5].body_a is 3", "body_count", bad.contacts[5].body_a = 3);
    ARGUMENT("contacts[5].body_b is 4294967294", "body_count", bad.contacts[5].body_b = UINT32_MAX - 1);
    ARGUMENT("contacts[5].body_b is 1", "another", bad.contacts[5].body_b = 1);
    ARGUMENT("contacts[5].body_b", "another", bad.contacts[5].body_a = bad.contacts[5].body_b = UINT32_MAX);
    ARGUMENT("contacts[1].body_a", "immovable", bad.contacts[1].body_b = UINT32_MAX);
    /* a wheel on an axle, touched at its axle */
    ARGUMENT("contacts[1].normal", "no impulse",
             (bad.bodies[1].inverse_mass = 0, memset(bad.contacts[1].arm_b, 0, sizeof bad.contacts[1].arm_b)));
    check_refused("bodies and contacts");
}

static void rows(void)
{
    for (int k = 0; k < 6; ++k) {
        NUMBER("rows[1].jacobian_a", rows[1].jacobian_a[k], 1);
        NUMBER("rows[1].jacobian_b", rows[1].jacobian_b[k], 1);
    }
    NUMBER("rows[1].rhs", rows[1].rhs, 1);
    NUMBER("rows[1].compliance", rows[1].compliance, 0);
    BAD(DRY_ERR_NOT_FINITE, "rows[1].lower", "NaN", bad.rows[1].lower = NAN);
    BAD(DRY_ERR_NOT_FINITE, "rows[1].upper", "NaN", bad.rows[1].upper = NAN);
    ARGUMENT("rows[1].lower is 0.02", "0.01", bad.rows[1].lower = 0.02);
    ARGUMENT("rows[1].lower is inf", NULL, bad.rows[1].lower = bad.rows[1].upper = INFINITY);
    ARGUMENT("rows[1].upper is -inf", NULL, bad.rows[1].lower = bad.rows[1].upper = -INFINITY);
    ARGUMENT("rows[1].body_a is 3", "body_count", bad.rows[1].body_a = 3);
    ARGUMENT("rows[1].body_b is 0", "another", bad.rows[1].body_a = 0);
    ARGUMENT("rows[1].body_b", "another", bad.rows[1].body_b = UINT32_MAX);
    ARGUMENT("rows[1].body_a", "immovable", bad.rows[1].body_b = 2);
    ARGUMENT("rows[1].jacobian_a", "zero", bad.rows[1].jacobian_b[1] = 0);
    ARGUMENT("rows[1].jacobian_a", "zero", (bad.rows[1].jacobian_b[1] = 0, bad.rows[1].jacobian_a[1] = 1));
    ARGUMENT("rows[1].friction_row is -2", NULL, bad.rows[1].friction_row = -2);
    ARGUMENT("rows[1].friction_row is -2147483648", NULL, bad.rows[1].friction_row = INT32_MIN);
    ARGUMENT("rows[1].friction_row is 3", "row_count", bad.rows[1].friction_row = 3);
    ARGUMENT("rows[1].friction_row is 1", "itself", bad.rows[1].friction_row = 1);
    ARGUMENT("rows[1].friction_row is 2", "has a friction_row", bad.rows[1].friction_row = 2);
    ARGUMENT("rows[0].friction_row is 2", "has a friction_row", bad.rows[0].friction_row = 2);
    ARGUMENT("rows[1].reserved is 9", NULL, bad.rows[1].reserved = 9);
    ARGUMENT("contacts[7].key is 10", "contacts[0].key", bad.contacts[7].key = 10);
    ARGUMENT("rows[2].key is 30", "rows[0].key", bad.rows[2].key = 30);
    ARGUMENT("rows[2].key is 21", "contacts[5].key", bad.rows[2].key = 21);
    check_refused("rows and keys");
}

#define OVERLAP(output, type, name, place, other) ARGUMENT(name, other, bad.solution.output = (type *)(void *)(place))
#define OVERLAPS(output, type, name)                                              \
    do {                                                                          \
        OVERLAP(output, type, name, &bad.bodies[2], "bodies");                    \
        OVERLAP(output, type, name, bad.contacts, "contacts");                    \
        OVERLAP(output, type, name, &bad.rows[1], "rows");                        \
        OVERLAP(output, type, name, &bad.problem, "problem");                     \
        OVERLAP(output, type, name, &bad.solution, "solution");                   \
        OVERLAP(output, type, name, &settings, "settings");                       \
    } while (0)

static void overlaps(void)
{
    OVERLAPS(velocities, double, "velocities");
    OVERLAPS(contacts, dry_contact_solution, "solution.contacts");
    OVERLAPS(row_impulses, double, "row_impulses");
    OVERLAP(contacts, dry_contact_solution, "solution.contacts", &bad.velocities[2][5], "velocities");
    OVERLAP(row_impulses, double, "row_impulses", &bad.velocities[2][5], "velocities");
    OVERLAP(row_impulses, double, "row_impulses", &bad.solved[7].residual, "solution.contacts");
    OVERLAP(velocities, double, "velocities", &bad.report, "report");
    OVERLAP(row_impulses, double, "row_impulses", &bad.report, "report");
    /* A report begins with its size, which may be a key, or what an output held before. */
    ARGUMENT("report", "solution.contacts",
             (memcpy(&bad.solved[1], &(size_t){sizeof bad.report}, sizeof(size_t)),
              bad.solution.report = (void *)&bad.solved[1]));
    ARGUMENT("report", "rows", (bad.rows[1].key = sizeof bad.report, bad.solution.report = (void *)&bad.rows[1]));
    ARGUMENT("report", "contacts",
             (bad.contacts[1].key = sizeof bad.report, bad.solution.report = (void *)&bad.contacts[1]));
    /* Crooked addresses. */
    ARGUMENT("velocities", "divisible by 8", bad.solution.velocities = (void *)((char *)bad.velocities + 4));
    ARGUMENT("bodies", "divisible by 8", bad.problem.bodies = (void *)((char *)bad.bodies + 4));
    check_refused("outputs that overlap");
}

/* Numbers whose squares and sums no double holds: an answer that is not finite is none. */
static void beyond_numbers(void)
{
    BAD(DRY_ERR_NOT_FINITE, "that is not finite", NULL, bad.bodies[0].velocity[2] = -1e308);
    BAD(DRY_ERR_NOT_FINITE, "that is not finite", NULL, bad.contacts[4].arm_b[1] = 1e200);
    BAD(DRY_ERR_NOT_FINITE, "that is not finite", NULL, bad.rows[0].jacobian_b[0] = 1e200);
    check_refused("answers that are not finite");
}

static void bad_settings(void)
{
    const dry_settings usual = settings;
    settings.tolerance = NAN;
    BAD(DRY_ERR_NOT_FINITE, "tolerance", NULL, (void)0);
    settings = usual;
    settings.relaxation = 2;
    ARGUMENT("relaxation", NULL, (void)0);
    settings = usual;
    settings.friction_law = (dry_friction_law)77;
    ARGUMENT("friction_law is 77", NULL, (void)0);
    settings = usual;
    settings.warm_start = DRY_WARM_MODEL;
    BAD(DRY_ERR_UNSUPPORTED, "warm_start", NULL, (void)0);
    settings = usual;
    settings.struct_size = 5;
    BAD(DRY_ERR_ABI, "settings.struct_size", "5", (void)0);
    settings = usual;
    check_refused("settings");
}

/* ---- two threads --------------------------------------------------------------------------------- */

static void *long_solve(void *argument)
{
    static own all;
    dry_settings many = default_settings();
    many.iterations = 1000000;
    own_begin(&all, 0.01);
    own_body(&all, 1, 1, 1, 1);
    for (int k = 0; k < 2; ++k) {
        dry_problem_row *row = own_row(&all, UINT32_MAX, 0);
        row->jacobian_b[0] = 1;
        row->rhs = k;
    }
    while (dry_solver_solve(argument, &all.problem, &many, &all.solution) == DRY_ERR_BUSY)
        continue;
    return isfinite(all.velocities[0][0]) && isfinite(all.row_impulses[0]) ? argument : NULL;
}

/* One long solve on another thread, and whether this one met it. Between its attempts this thread sleeps, so that it
   does not keep the solver from the other one where threads alternate (valgrind). */
static int meets_a_long_solve(dry_solver *shared, own *all, int *finite)
{
    pthread_t thread;
    void *fine = NULL;
    dry_status status = DRY_OK;
    if (pthread_create(&thread, NULL, long_solve, shared) != 0)
        return 0;
    for (int k = 0; k < 1000 && status == DRY_OK; ++k) {
        const struct timespec millisecond = {0, 1000000};
        nanosleep(&millisecond, NULL);
        status = dry_solver_solve(shared, &all->problem, &settings, &all->solution);
    }
    pthread_join(thread, &fine);
    *finite = *finite && fine != NULL;
    return status == DRY_ERR_BUSY;
}

/* The schedule is the machine's: a long solve that came and went between two attempts is tried again. */
static void two_threads(void)
{
    dry_solver *shared = new_solver();
    static own all;
    int met = 0, finite = 1;
    own_begin(&all, 0.01);
    for (int attempt = 0; attempt < 20 && !met; ++attempt)
        met = meets_a_long_solve(shared, &all, &finite);
    check_true("a solver in use by another thread is busy", met);
    check_true("rows that contradict each other, 10^6 sweeps: finite", finite);
    check_true("afterwards it is free", dry_solver_solve(shared, &all.problem, &settings, &all.solution) == DRY_OK);
    dry_solver_destroy(shared);
}

/* Nothing that was refused changed what the solver remembers. */
static void still_usable(void)
{
    own_solve(&bad, solver, &settings);
    check_true("the solver still remembers the good problem",
               bad.report.new_contacts == 0 && bad.report.iterations <= 1);
    own_check(&bad, "the good problem");
    take_good();
}

int main(void)
{
    solver = new_solver();
    settings = settled_settings(1e-12);
    make_good();
    own_solve(&bad, solver, &settings);
    check_true("the good problem is solved, from nothing", bad.report.new_contacts == 8 && bad.report.iterations > 1);
    take_good();
    pointers_and_counts();
    bodies_and_contacts();
    rows();
    overlaps();
    beyond_numbers();
    bad_settings();
    still_usable();
    two_threads();
    dry_solver_destroy(solver);
    return check_result();
}
