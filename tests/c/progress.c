/*
 * A function between the iterations of a solver: it changes no answer; a call that it stops writes nothing and is
 * forgotten, whatever the solver; calls from it are refused; bad input.
 */
#include "refuse.h"
#include "problem.h"

enum { LEVELS = 5, DIMENSION = 3, CONTACTS = 4 };

/* What the function does and saw. */
typedef struct watch {
    dry_solver *running; /* not NULL: is called, and must be busy */
    dry_solver *other;   /* not NULL: solves meanwhile */
    uint64_t stop_after; /* in calls; 0: never */
    uint64_t calls, last, every, not_busy, unlike;
} watch;

/* A leaning stack of cubes, and a row that drives the top one. */
static void stack(own *all)
{
    uint32_t below = UINT32_MAX;
    own_begin(all, 0.01);
    for (uint64_t level = 0; level < LEVELS; ++level) {
        uint32_t cube = own_cube(all, level % 2 ? 3 : 1, 0.5, 0.01 * (double)level);
        own_corners(all, below, cube, 0.5, 0.4, 10 * level + 1);
        below = cube;
    }
    dry_problem_row *row = own_row(all, UINT32_MAX, below);
    row->key = 1000;
    row->jacobian_b[1] = 1;
    row->rhs = 0.02;
    row->lower = -0.5;
    row->upper = 0.5;
}

static void call_the_solver(watch *self)
{
    static own all;
    dry_solver *busy = self->running;
    dry_settings settings = default_settings();
    unsigned char buffer[8];
    size_t count;
    char message[256] = "";
    stack(&all);
    const dry_status status[] = {
        dry_solver_solve(busy, &all.problem, &settings, &all.solution),
        dry_solver_snapshot(busy, buffer, sizeof buffer, &count),
        dry_solver_restore(busy, buffer, sizeof buffer),
        dry_solver_set_progress(busy, NULL),
    };
    for (size_t k = 0; k < sizeof status / sizeof status[0]; ++k)
        self->not_busy += status[k] != DRY_ERR_BUSY;
    MUST(dry_last_error(message, sizeof message, NULL));
    self->unlike += strstr(message, "solver runs this callback") == NULL;
}

static int32_t progress(void *user_data, uint64_t iterations_done)
{
    watch *self = user_data;
    self->calls += 1;
    self->unlike += iterations_done != self->last + (self->every ? self->every : 1);
    self->last = iterations_done;
    if (self->running != NULL)
        call_the_solver(self);
    if (self->other != NULL) {
        static own all;
        dry_settings settings = default_settings();
        stack(&all);
        MUST(dry_solver_solve(self->other, &all.problem, &settings, &all.solution));
    }
    return self->calls == self->stop_after ? -7 : 0;
}

static void begin(dry_solver *solver, watch *self, uint64_t every, uint64_t stop_after)
{
    dry_solver_progress with = {sizeof with, self, progress, every};
    memset(self, 0, sizeof *self);
    self->every = every;
    self->stop_after = stop_after;
    MUST(dry_solver_set_progress(solver, &with));
}

/* Times differ from call to call. */
static void drop_times(dry_step_report *report)
{
    report->seconds_total = report->seconds_assemble = report->seconds_solve = 0;
    report->seconds_project = report->seconds_compatibility = 0;
}

static int same_answer(own *one, own *other)
{
    drop_times(&one->report);
    drop_times(&other->report);
    return memcmp(one->velocities, other->velocities, sizeof one->velocities) == 0 &&
           memcmp(one->solved, other->solved, sizeof one->solved) == 0 &&
           memcmp(one->row_impulses, other->row_impulses, sizeof one->row_impulses) == 0 &&
           memcmp(one->compatible_row_impulses, other->compatible_row_impulses, sizeof one->row_impulses) == 0 &&
           memcmp(&one->report, &other->report, sizeof one->report) == 0;
}

/* The bytes of all outputs. */
static void spoil(own *all)
{
    memset(all->velocities, PATTERN, sizeof all->velocities);
    memset(all->solved, PATTERN, sizeof all->solved);
    memset(all->row_impulses, PATTERN, sizeof all->row_impulses);
    memset(all->compatible_row_impulses, PATTERN, sizeof all->compatible_row_impulses);
    memset(&all->report, PATTERN, sizeof all->report);
    all->report.struct_size = sizeof all->report;
}

static int is_spoiled(const own *all)
{
    static own pattern;
    spoil(&pattern);
    return memcmp(all->velocities, pattern.velocities, sizeof all->velocities) == 0 &&
           memcmp(all->solved, pattern.solved, sizeof all->solved) == 0 &&
           memcmp(all->row_impulses, pattern.row_impulses, sizeof all->row_impulses) == 0 &&
           memcmp(all->compatible_row_impulses, pattern.compatible_row_impulses, sizeof all->row_impulses) == 0 &&
           memcmp(&all->report, &pattern.report, sizeof all->report) == 0;
}

/* Two solves with these settings, the second one warm: without a function, with one, and by a solver that is stopped
   before, wherever it can be. */
static void one_way(const char *name, const dry_settings *settings)
{
    static own plain, watched, stopped;
    dry_solver *one = new_solver(), *other = new_solver(), *third = new_solver();
    watch self;
    uint64_t all_calls = 0, wrong = 0, written = 0, traces = 0;
    char line[96];
    for (int turn = 0; turn < 2; ++turn) {
        stack(&plain);
        own_solve(&plain, one, settings);
        stack(&watched);
        begin(other, &self, 0, 0);
        own_solve(&watched, other, settings);
        wrong += self.unlike + !same_answer(&plain, &watched);
        const uint64_t calls = self.calls;
        for (uint64_t stop = 1; stop <= calls; stop += 1 + stop / 4) {
            stack(&stopped);
            spoil(&stopped);
            begin(third, &self, 0, stop);
            wrong += dry_solver_solve(third, &stopped.problem, settings, &stopped.solution) != DRY_ERR_STOPPED;
            wrong += self.calls != stop;
            written += !is_spoiled(&stopped);
        }
        MUST(dry_solver_set_progress(third, NULL));
        stack(&stopped);
        own_solve(&stopped, third, settings);
        traces += !same_answer(&plain, &stopped);
        all_calls += calls;
    }
    snprintf(line, sizeof line, "%s: the function is called and changes nothing", name);
    check_true(line, wrong == 0 && all_calls > 1);
    snprintf(line, sizeof line, "%s: stopped calls write nothing and leave no trace", name);
    check_true(line, written == 0 && traces == 0);
    dry_solver_destroy(one);
    dry_solver_destroy(other);
    dry_solver_destroy(third);
}

static void every_way(void)
{
    const struct {
        const char *name;
        uint32_t solver, friction_law;
    } kinds[] = {
        {"sweeps", DRY_SOLVER_PGS, DRY_FRICTION_COULOMB},
        {"accelerated sweeps", DRY_SOLVER_PGS_ACCELERATED, DRY_FRICTION_COULOMB},
        {"Newton", DRY_SOLVER_NEWTON, DRY_FRICTION_COULOMB},
        {"projected gradients", DRY_SOLVER_APGD, DRY_FRICTION_COULOMB},
        {"conic", DRY_SOLVER_CONIC, DRY_FRICTION_ASSOCIATED},
    };
    const uint32_t projections[] = {DRY_PROJECTION_OFF, DRY_PROJECTION_STICK, DRY_PROJECTION_AUTO};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; ++kind)
        for (size_t k = 0; k < 3; ++k) {
            dry_settings settings = default_settings();
            char name[64];
            settings.solver = kinds[kind].solver;
            settings.friction_law = kinds[kind].friction_law;
            settings.projection = projections[k];
            snprintf(name, sizeof name, "%s, projection %u", kinds[kind].name, (unsigned)projections[k]);
            if (kind == 4)
                settings.tolerance = 1e-10;
            one_way(name, &settings);
            settings.tolerance = 1e-8;
            settings.compatibility = DRY_COMPATIBILITY_HOOKE;
            snprintf(name, sizeof name, "%s, projection %u, corrected", kinds[kind].name, (unsigned)projections[k]);
            one_way(name, &settings);
        }
}

/* The correction of given impulses. */
static void correcting(void)
{
    static own all;
    dry_solver *one = new_solver(), *other = new_solver();
    dry_settings settings = settled_settings(1e-12);
    double given[3 * MAX_ITEMS], plain[3 * MAX_ITEMS], found[3 * MAX_ITEMS];
    watch self;
    stack(&all);
    all.problem.row_count = 0;
    own_solve(&all, one, &settings);
    for (size_t k = 0; k < all.problem.contact_count; ++k)
        memcpy(given + 3 * k, all.solved[k].impulse, sizeof all.solved[k].impulse);
    settings = default_settings();
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    dry_solver *fresh = new_solver();
    MUST(dry_solver_correct(fresh, &all.problem, &settings, given, plain, NULL));
    memset(found, PATTERN, sizeof found);
    begin(other, &self, 0, 1);
    dry_status status = dry_solver_correct(other, &all.problem, &settings, given, found, NULL);
    const unsigned char *bytes = (const unsigned char *)found;
    size_t touched = 0;
    for (size_t k = 0; k < sizeof found; ++k)
        touched += bytes[k] != PATTERN;
    check_true("a correction can be stopped", status == DRY_ERR_STOPPED && touched == 0 && self.calls == 1);
    begin(other, &self, 0, 0);
    MUST(dry_solver_correct(other, &all.problem, &settings, given, found, NULL));
    check_true("and made", memcmp(found, plain, 3 * all.problem.contact_count * sizeof(double)) == 0);
    dry_solver_destroy(one);
    dry_solver_destroy(other);
    dry_solver_destroy(fresh);
}

/* A problem without bodies: a diagonal operator. */
static void local_problems(void)
{
    uint32_t offsets[CONTACTS + 1], columns[CONTACTS];
    double blocks[CONTACTS * DIMENSION * DIMENSION] = {0}, q[CONTACTS * DIMENSION], friction[CONTACTS];
    double plain[CONTACTS * DIMENSION], found[CONTACTS * DIMENSION];
    dry_local_problem problem = {.struct_size = sizeof problem, .contact_count = CONTACTS, .dimension = DIMENSION};
    const uint32_t solvers[] = {DRY_SOLVER_PGS, DRY_SOLVER_PGS_ACCELERATED, DRY_SOLVER_NEWTON, DRY_SOLVER_APGD};
    for (uint32_t k = 0; k < CONTACTS; ++k) {
        offsets[k] = columns[k] = k;
        friction[k] = 0.5;
        for (uint32_t i = 0; i < DIMENSION; ++i) {
            blocks[(k * DIMENSION + i) * DIMENSION + i] = 2 + i;
            q[k * DIMENSION + i] = i == 0 ? -1 : 0.2;
        }
    }
    offsets[CONTACTS] = CONTACTS;
    problem.row_offsets = offsets;
    problem.columns = columns;
    problem.blocks = blocks;
    problem.q = q;
    problem.friction = friction;
    for (size_t k = 0; k < 4; ++k) {
        dry_settings settings = default_settings();
        dry_solver *solver = new_solver();
        watch self;
        settings.solver = solvers[k];
        settings.projection = DRY_PROJECTION_OFF;
        MUST(dry_solver_solve_local(solver, &problem, &settings, plain, NULL));
        memset(found, 0, sizeof found);
        begin(solver, &self, 0, 1);
        dry_status status = dry_solver_solve_local(solver, &problem, &settings, found, NULL);
        check_true("a local problem is stopped", status == DRY_ERR_STOPPED && found[0] == 0);
        begin(solver, &self, 2, 0);
        MUST(dry_solver_solve_local(solver, &problem, &settings, found, NULL));
        check_true("and solved", memcmp(found, plain, sizeof found) == 0 && self.unlike == 0);
        dry_solver_destroy(solver);
    }
}

static void counting(void)
{
    static own all;
    dry_solver *solver = new_solver(), *other = new_solver();
    dry_settings settings = default_settings();
    watch self;
    char message[256] = "";
    settings.projection = DRY_PROJECTION_OFF;
    settings.iterations = 40;
    stack(&all);
    begin(solver, &self, 7, 0);
    own_solve(&all, solver, &settings);
    check_true("every seventh of forty sweeps", self.calls == 5 && self.last == 35 && self.unlike == 0);
    self.last = self.calls = 0;
    own_solve(&all, solver, &settings);
    check_true("each call counts from 0", self.calls == 5 && self.unlike == 0);
    begin(solver, &self, 7, 3);
    check_true("a solve can be stopped",
               dry_solver_solve(solver, &all.problem, &settings, &all.solution) == DRY_ERR_STOPPED && self.calls == 3);
    MUST(dry_last_error(message, sizeof message, NULL));
    check_true("which its message says",
               strstr(message, "dry_solver_solve: progress returned -7 after 21 iterations") != NULL);
    begin(solver, &self, 0, 0);
    self.running = solver;
    self.other = other;
    own_solve(&all, solver, &settings);
    check_true("calls on the solver from the function are busy, on another one not",
               self.not_busy == 0 && self.calls == 40 && self.unlike == 0);
    MUST(dry_solver_set_progress(solver, NULL));
    own_solve(&all, solver, &settings);
    check_true("without a function none is called", self.calls == 40);
    dry_solver_destroy(solver);
    dry_solver_destroy(other);
}

static void bad_input(void)
{
    watch self = {NULL, NULL, 0, 0, 0, 0, 0, 0};
    dry_solver *solver = new_solver();
    dry_solver_progress with = {sizeof with, &self, progress, 0};
    dry_world_def def;
    MUST(dry_world_def_init(&def, sizeof def));
    MUST(dry_world_create(&def, &world));
    accept_state();
    REFUSED(DRY_ERR_NULL, "solver", dry_solver_set_progress(NULL, &with));
    with.progress = NULL;
    REFUSED(DRY_ERR_NULL, "progress.progress", dry_solver_set_progress(solver, &with));
    with.progress = progress;
    BAD_SIZES("progress.struct_size", with.struct_size, dry_solver_set_progress(solver, &with));
    check_refused("dry_solver_set_progress");
    dry_world_destroy(world);
    dry_solver_destroy(solver);
}

int main(void)
{
    watch_standard_error();
    every_way();
    correcting();
    local_problems();
    counting();
    bad_input();
    check_silence();
    return check_result();
}
