/*
 * Bad input, last part: threads and the host's tasks. What is wrong with the callbacks is found when the world is made,
 * before any of them is called; calls from within them are refused while the world steps.
 */
#include "refuse.h"

enum { BALLS = 400 }; /* so many that a step has several pieces */

/* A job system that does everything at once or, if it is lazy, when it is waited for; or never. */
typedef struct jobs {
    enum { AT_ONCE, LATE, NEVER } habit;
    dry_task task[16];
    void *argument[16];
    int pending, runs, waits;
    dry_world *stepping; /* not NULL: is called from within the callbacks, and must be busy */
    int calls, not_busy;
} jobs;

/* Calls of every kind on the world that steps. */
static void call_the_world(jobs *self)
{
    dry_world *busy = self->stepping;
    const double gravity[3] = {0, 0, -1};
    double kinetic, potential, numbers[3];
    uint64_t hash;
    size_t count;
    dry_settings settings;
    dry_body_def def;
    dry_body body;
    if (busy == NULL)
        return;
    MUST(dry_body_def_init(&def, sizeof def));
    const dry_status status[] = {
        dry_world_step(busy, 0.01, NULL),
        dry_world_hash(busy, &hash),
        dry_world_set_gravity(busy, gravity),
        dry_world_get_gravity(busy, numbers),
        dry_world_get_period(busy, numbers),
        dry_world_set_strain_rate(busy, gravity),
        dry_world_get_strain_rate(busy, numbers),
        dry_world_get_settings(busy, &settings, sizeof settings),
        dry_query_energy(busy, &kinetic, &potential),
        dry_query_contacts(busy, NULL, sizeof(dry_contact), 0, &count),
        dry_body_add(busy, &def, &body),
    };
    char message[256] = "";
    MUST(dry_last_error(message, sizeof message, NULL));
    for (size_t k = 0; k < sizeof status / sizeof status[0]; ++k)
        self->not_busy += status[k] != DRY_ERR_BUSY;
    self->not_busy += strstr(message, "world is being stepped") == NULL;
    self->calls += 1;
}

static void *run_task(void *user_data, dry_task task, void *argument)
{
    jobs *self = user_data;
    self->runs += 1;
    call_the_world(self);
    if (self->habit == AT_ONCE)
        task(argument);
    if (self->habit != LATE || self->pending == 16)
        return NULL;
    self->task[self->pending] = task;
    self->argument[self->pending] = argument;
    self->pending += 1;
    return &self->task[self->pending - 1];
}

static void wait_for(void *user_data, void *handle)
{
    jobs *self = user_data;
    self->waits += 1;
    call_the_world(self);
    /* the last one first, and all at the first wait */
    while (self->pending > 0) {
        self->pending -= 1;
        self->task[self->pending](self->argument[self->pending]);
        self->task[self->pending](self->argument[self->pending]); /* once too often: nothing is left to do */
    }
    check_failures += handle == NULL;
}

static dry_task_callbacks callbacks_of(jobs *host, uint32_t workers)
{
    dry_task_callbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.struct_size = sizeof callbacks;
    callbacks.user_data = host;
    callbacks.run_task = run_task;
    callbacks.wait = wait_for;
    callbacks.worker_count = workers;
    return callbacks;
}

static void callbacks_that_are_refused(void)
{
    jobs host = {AT_ONCE, {NULL}, {NULL}, 0, 0, 0, NULL, 0, 0};
    dry_task_callbacks tasks = callbacks_of(&host, 4);
    dry_world_def def;
    MUST(dry_world_def_init(&def, sizeof def));
    def.tasks = &tasks;
#define CREATE dry_world_create(&def, &out.world)
    BAD_SIZES("tasks.struct_size", tasks.struct_size, CREATE);
    BAD_VALUE(DRY_ERR_NULL, "tasks.run_task is NULL", tasks.run_task, dry_task_run, 0, CREATE);
    BAD_VALUE(DRY_ERR_NULL, "tasks.wait is NULL", tasks.wait, dry_task_wait, 0, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "tasks.worker_count is 0", tasks.worker_count, uint32_t, 0, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "tasks.worker_count is 1025", tasks.worker_count, uint32_t, 1025, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "worker_count is 4294967295", tasks.worker_count, uint32_t, UINT32_MAX, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "reserved is 1", tasks.reserved, uint32_t, 1, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "threads is 0, expected 1", def.threads, uint32_t, 0, CREATE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "threads is 2, expected 1", def.threads, uint32_t, 2, CREATE);
    def.tasks = (const dry_task_callbacks *)(const void *)((const char *)(const void *)&tasks + 4);
    REFUSED(DRY_ERR_ARGUMENT, "tasks", CREATE);
    def.tasks = NULL;
    BAD_VALUE(DRY_ERR_ARGUMENT, "threads is 1025", def.threads, uint32_t, 1025, CREATE);
    check_refused("threads and tasks");
    check_true("no callback was called", host.runs == 0 && host.waits == 0);
}

/* A few steps of many balls that fall on each other. */
static uint64_t stepped(const dry_world_def *def, jobs *host)
{
    dry_world *made;
    MUST(dry_world_create(def, &made));
    dry_material material = add_material(made, 0.5, 0, 1000);
    add_floor(made, material);
    dry_shape ball = sphere(made, 0.1);
    for (int k = 0; k < BALLS; ++k) {
        double x = 0.19 * (k % 8) + 0.002 * (k % 5), y = 0.19 * (k / 8 % 8), z = 0.09 + 0.17 * (k / 64);
        dry_body_def body = body_at(ball, material, x, y, z);
        add_body(made, &body);
    }
    if (host)
        host->stepping = made;
    for (int k = 0; k < 3; ++k)
        MUST(dry_world_step(made, 0.01, NULL));
    uint64_t hash = world_hash(made);
    dry_world_destroy(made);
    return hash;
}

static void worlds_that_are_made(void)
{
    dry_world_def def;
    MUST(dry_world_def_init(&def, sizeof def));
    const uint64_t expected = stepped(&def, NULL);
    def.threads = 3;
    check_true("three threads: the same bits", stepped(&def, NULL) == expected);
    def.threads = 0;
    check_true("as many threads as cores: the same bits", stepped(&def, NULL) == expected);
    def.threads = 1;
    for (int habit = AT_ONCE; habit <= NEVER; ++habit) {
        jobs host = {AT_ONCE, {NULL}, {NULL}, 0, 0, 0, NULL, 0, 0};
        const dry_task_callbacks tasks = callbacks_of(&host, 4);
        host.habit = habit;
        def.tasks = &tasks;
        check_true("tasks of a host: the same bits", stepped(&def, &host) == expected);
        check_at_least("tasks run", host.runs, 6);
        check_true("each task that was not done was waited for", host.waits == (habit == LATE ? host.runs : 0));
        check_at_least("callbacks that called their world", host.calls, 6);
        check_at_most("calls from callbacks that were not busy", host.not_busy, 0);
    }
    /* one worker is the calling thread: nothing to be run elsewhere */
    jobs host = {NEVER, {NULL}, {NULL}, 0, 0, 0, NULL, 0, 0};
    const dry_task_callbacks alone = callbacks_of(&host, 1);
    def.tasks = &alone;
    check_true("one worker: the same bits", stepped(&def, &host) == expected && host.runs == 0);
}

/* Threads that never get anything to do end too. */
static void unused_threads(void)
{
    dry_world_def def;
    dry_world *made;
    MUST(dry_world_def_init(&def, sizeof def));
    def.threads = 5;
    MUST(dry_world_create(&def, &made));
    dry_world_destroy(made);
}

int main(void)
{
    watch_standard_error();
    world = new_world(NULL, GRAVITY);
    accept_state();
    callbacks_that_are_refused();
    worlds_that_are_made();
    unused_threads();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
