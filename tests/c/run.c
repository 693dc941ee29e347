/*
 * Many steps in one call: the same bits as single ones, a function between them that may stop the run, calls from it that
 * are refused, and bad input.
 */
#include "refuse.h"

/* What the function between the steps does and saw. */
typedef struct watch {
    dry_world *running; /* not NULL: is called, and must be busy */
    dry_world *other;   /* not NULL: runs meanwhile, with this function too */
    uint64_t stop_after;
    uint64_t calls, last, count, not_busy, unlike;
} watch;

static void call_the_world(watch *self)
{
    dry_world *busy = self->running;
    const double gravity[3] = {0, 0, -1};
    double kinetic, potential;
    uint64_t hash;
    size_t count;
    const dry_status status[] = {
        dry_world_step(busy, 0.01, NULL),
        dry_world_run(busy, 0.01, 1, NULL, NULL, NULL),
        dry_world_hash(busy, &hash),
        dry_world_set_gravity(busy, gravity),
        dry_query_energy(busy, &kinetic, &potential),
        dry_query_bodies(busy, NULL, 0, &count),
    };
    for (size_t k = 0; k < sizeof status / sizeof status[0]; ++k)
        self->not_busy += status[k] != DRY_ERR_BUSY;
}

static int32_t progress(void *user_data, uint64_t steps_done, uint64_t count, const dry_step_report *report)
{
    watch *self = user_data;
    self->calls += 1;
    self->last = steps_done;
    self->count = count;
    self->unlike += report->struct_size != sizeof *report || report->bodies == 0;
    if (self->running != NULL)
        call_the_world(self);
    if (self->other != NULL) {
        /* its function calls the first world, two calls further in */
        watch inner = {self->running, NULL, 0, 0, 0, 0, 0, 0};
        dry_run_progress with = {sizeof with, &inner, progress, 0};
        MUST(dry_world_run(self->other, 0.005, 2, &with, NULL, NULL));
        self->not_busy += inner.not_busy;
    }
    return steps_done == self->stop_after;
}

static dry_run_progress progress_of(watch *self, uint64_t every)
{
    dry_run_progress with;
    memset(&with, 0, sizeof with);
    with.struct_size = sizeof with;
    with.user_data = self;
    with.progress = progress;
    with.every = every;
    return with;
}

static dry_world *heap(void)
{
    return mixed_heap(8, NULL);
}

static void the_same_as_single_steps(void)
{
    dry_world *one = heap(), *other = heap();
    dry_step_report single = {.struct_size = sizeof single}, run = {.struct_size = sizeof run};
    uint64_t done = 77;
    watch self = {NULL, NULL, 0, 0, 0, 0, 0, 0};
    dry_run_progress with = progress_of(&self, 0);
    for (int k = 0; k < 30; ++k)
        MUST(dry_world_step(one, 0.005, &single));
    MUST(dry_world_run(other, 0.005, 10, NULL, NULL, NULL));
    MUST(dry_world_run(other, 0.005, 20, &with, &done, &run));
    check_true("a run has the bits of single steps", world_hash(one) == world_hash(other));
    check_true("it reports the last step", run.kinetic_energy == single.kinetic_energy && run.contacts == single.contacts);
    check_true("and says how many were done", done == 20);
    check_true("the function is called after every step", self.calls == 20 && self.last == 20 && self.count == 20);
    check_true("with a report", self.unlike == 0);
    self.calls = 0;
    with.every = 8;
    MUST(dry_world_run(other, 0.005, 20, &with, &done, NULL));
    check_true("or after every eighth, and the last", self.calls == 3 && self.last == 20);
    memset(&run, 0x5a, sizeof run);
    run.struct_size = sizeof run;
    const dry_step_report before = run;
    self.calls = 0;
    MUST(dry_world_run(other, 0.005, 0, &with, &done, &run));
    check_true("no steps are nothing to do", done == 0 && self.calls == 0 && memcmp(&run, &before, sizeof run) == 0);
    dry_world_destroy(one);
    dry_world_destroy(other);
}

static void stopping(void)
{
    dry_world *one = heap(), *other = heap();
    dry_step_report report = {.struct_size = sizeof report};
    uint64_t done = 77;
    watch self = {NULL, NULL, 7, 0, 0, 0, 0, 0};
    dry_run_progress with = progress_of(&self, 1);
    char message[256] = "";
    check_true("a run can be stopped", dry_world_run(one, 0.005, 20, &with, &done, &report) == DRY_ERR_STOPPED);
    MUST(dry_last_error(message, sizeof message, NULL));
    check_true("which its message says", strstr(message, "dry_world_run: progress returned 1 after 7 of 20 steps") != NULL);
    check_true("after the step that was done", done == 7 && self.calls == 7 && report.bodies > 0);
    check_true("the status has a name", strcmp(dry_status_name(DRY_ERR_STOPPED), "DRY_ERR_STOPPED") == 0);
    MUST(dry_world_run(other, 0.005, 7, NULL, NULL, NULL));
    check_true("the world is as after so many steps", world_hash(one) == world_hash(other));
    self.stop_after = 5;
    MUST(dry_world_run(one, 0.005, 5, &with, &done, NULL));
    MUST(dry_world_run(other, 0.005, 5, NULL, NULL, NULL));
    check_true("and runs on", done == 5 && world_hash(one) == world_hash(other));
    dry_world_destroy(one);
    dry_world_destroy(other);
}

/* A step that fails leaves those before. */
static void failing(void)
{
    dry_settings settings = default_settings();
    settings.require_convergence = 1;
    settings.projection = DRY_PROJECTION_OFF;
    settings.iterations = 1;
    settings.tolerance = 1e-12;
    dry_world *failing_world = mixed_heap(16, &settings), *same = mixed_heap(16, &settings);
    dry_step_report report = {.struct_size = sizeof report};
    uint64_t done = 77, made = 0;
    dry_status status = dry_world_run(failing_world, 0.005, 1000, NULL, &done, &report);
    while (dry_world_step(same, 0.005, NULL) == DRY_OK)
        ++made;
    check_true("a step that fails ends the run", status == DRY_ERR_NOT_CONVERGED && done == made && made < 1000);
    check_true("with its report", (report.flags & DRY_REPORT_NOT_CONVERGED) != 0);
    check_true("and the steps before stay", world_hash(failing_world) == world_hash(same));
    dry_world_destroy(failing_world);
    dry_world_destroy(same);
}

static void calls_from_within(void)
{
    dry_world *one = heap(), *other = heap();
    watch self = {one, other, 0, 0, 0, 0, 0, 0};
    dry_run_progress with = progress_of(&self, 0);
    MUST(dry_world_run(one, 0.005, 3, &with, NULL, NULL));
    check_true("calls on the world from the function are busy, on another one not", self.not_busy == 0 && self.calls == 3);
    MUST(dry_world_step(one, 0.005, NULL));
    dry_world_destroy(one);
    dry_world_destroy(other);
}

static void bad_input(void)
{
    watch self = {NULL, NULL, 0, 0, 0, 0, 0, 0};
    dry_run_progress with = progress_of(&self, 0);
    uint64_t *done = &out.handles[0];
    world = heap();
    accept_state();
#define RUN dry_world_run(world, 0.005, 2, &with, done, NULL)
    REFUSED(DRY_ERR_NULL, "world", dry_world_run(NULL, 0.005, 2, &with, done, NULL));
    with.progress = NULL;
    REFUSED(DRY_ERR_NULL, "progress.progress", RUN);
    with.progress = progress;
    with.struct_size = 0;
    REFUSED(DRY_ERR_ABI, "progress.struct_size", RUN);
    with.struct_size = sizeof with;
    REFUSED(DRY_ERR_ABI, "report.struct_size",
            dry_world_run(world, 0.005, 2, &with, done, &(dry_step_report){.struct_size = 3}));
    check_refused("dry_world_run");
    uint64_t made = 77;
    check_true("a bad length is found by the first step",
               dry_world_run(world, -1, 2, &with, &made, NULL) == DRY_ERR_ARGUMENT && made == 0 && self.calls == 0);
    dry_world_destroy(world);
}

int main(void)
{
    watch_standard_error();
    the_same_as_single_steps();
    stopping();
    failing();
    calls_from_within();
    bad_input();
    check_silence();
    return check_result();
}
