/*
 * A function between the iterations of statics: it changes no answer; a call that it stops writes nothing and leaves the
 * world as it is; calls on the world from it are refused.
 */
#include "scene.h"

/* What the function does and saw. */
typedef struct watch {
    dry_world *running;  /* not NULL: is called, and must be busy */
    dry_world *other;    /* not NULL: makes a step meanwhile */
    uint64_t stop_after; /* in calls; 0: never */
    uint64_t every, calls, last, not_busy, unlike;
} watch;

static int32_t progress(void *user_data, uint64_t iterations_done)
{
    watch *self = user_data;
    self->calls += 1;
    self->unlike += iterations_done != self->last + (self->every ? self->every : 1);
    self->last = iterations_done;
    if (self->running != NULL) {
        uint64_t hash;
        size_t count;
        char message[256] = "";
        self->not_busy += dry_world_step(self->running, 0.01, NULL) != DRY_ERR_BUSY;
        self->not_busy += dry_query_contacts(self->running, NULL, sizeof(dry_contact), 0, &count) != DRY_ERR_BUSY;
        self->not_busy += dry_world_hash(self->running, &hash) != DRY_ERR_BUSY;
        MUST(dry_last_error(message, sizeof message, NULL));
        self->unlike += strstr(message, "world runs this callback") == NULL;
    }
    if (self->other != NULL)
        MUST(dry_world_step(self->other, 0.01, NULL));
    return self->calls == self->stop_after ? -7 : 0;
}

/* A block of 2 x 1 x 4 m on a floor. */
static dry_world *block_on_floor(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    dry_material_def rough;
    dry_material material;
    MUST(dry_material_def_init(&rough, sizeof rough));
    rough.friction = 0.8;
    MUST(dry_material_add(world, &rough, &material));
    add_half_space(world, material, 0, 0, 1, 0);
    dry_body_def block = body_at(box(world, 1, 0.5, 2), material, 0, 0, 2);
    block.mass = 1;
    add_body(world, &block);
    return world;
}

static dry_static_def watched(watch *self, uint64_t every, uint64_t stop_after)
{
    dry_static_def def;
    MUST(dry_static_def_init(&def, sizeof def));
    check_true("no function by default", def.progress == NULL && def.user_data == NULL && def.every == 1);
    memset(self, 0, sizeof *self);
    self->every = every;
    self->stop_after = stop_after;
    def.user_data = self;
    def.progress = progress;
    def.every = every;
    return def;
}

static const double push[12] = {0, 0, 0, 0, 0, 0, GRAVITY};

/* Either kind of static problem. */
static dry_status solve(dry_world *world, int is_limit, const dry_static_def *def, double *moves, dry_static_report *report)
{
    report->struct_size = sizeof *report;
    return is_limit ? dry_world_limit_load(world, push, 2, def, moves, report)
                    : dry_world_solve_static(world, def, moves, 2, report);
}

static void stopping(int is_limit)
{
    const char *name = is_limit ? "dry_world_limit_load" : "dry_world_solve_static";
    dry_world *plain = block_on_floor(), *world = block_on_floor();
    const uint64_t before = world_hash(world);
    double expected[12], moves[12], untouched[12];
    dry_static_report first = {0}, report = {0};
    watch self;
    uint64_t wrong = 0, written = 0, changed = 0;
    char message[256] = "", says[256];
    dry_static_def def = watched(&self, 0, 0);
    def.progress = NULL;
    MUST(solve(plain, is_limit, &def, expected, &first));
    check_true("NULL: no call", self.calls == 0);
    dry_world *counting = block_on_floor();
    def = watched(&self, 0, 0);
    MUST(solve(counting, is_limit, &def, moves, &report));
    check_true("the function is called after every iteration", self.calls > 3 && self.unlike == 0);
    check_true("and changes nothing", memcmp(moves, expected, sizeof moves) == 0 &&
                                          memcmp(&report, &first, sizeof report) == 0 &&
                                          world_hash(counting) == world_hash(plain));
    const uint64_t calls = self.calls;
    memset(untouched, 0x5a, sizeof untouched);
    for (uint64_t stop = 1; stop <= calls; ++stop) {
        dry_static_report none = {0};
        memset(moves, 0x5a, sizeof moves);
        def = watched(&self, 0, stop);
        wrong += solve(world, is_limit, &def, moves, &none) != DRY_ERR_STOPPED || self.calls != stop;
        MUST(dry_last_error(message, sizeof message, NULL));
        snprintf(says, sizeof says, "%s: progress returned -7 after %d iterations", name, (int)stop);
        wrong += strstr(message, says) == NULL;
        written += memcmp(moves, untouched, sizeof moves) != 0 || none.flags != 0 || none.iterations != 0;
        changed += world_hash(world) != before;
    }
    check_true("it stops the call wherever it asks, which the message says", wrong == 0);
    check_true("a stopped call writes nothing", written == 0);
    check_true("and changes nothing", changed == 0);
    def = watched(&self, 2, 0);
    MUST(solve(world, is_limit, &def, moves, &report));
    check_true("the call can be made again", memcmp(moves, expected, sizeof moves) == 0 &&
                                                 world_hash(world) == world_hash(plain));
    check_true("with every second iteration", self.calls == calls / 2 && self.unlike == 0);
    dry_world_destroy(plain);
    dry_world_destroy(counting);
    dry_world_destroy(world);
}

/* A function that calls the world it is of, and another one. */
static void calls_from_within(int is_limit)
{
    dry_world *world = block_on_floor(), *other = block_on_floor();
    double moves[12];
    dry_static_report report = {0};
    watch self;
    dry_static_def def = watched(&self, 0, 0);
    self.running = world;
    self.other = other;
    MUST(solve(world, is_limit, &def, moves, &report));
    check_true("calls on the world from the function are busy, on another one not",
               self.calls > 3 && self.not_busy == 0 && self.unlike == 0);
    MUST(dry_world_step(world, 0.01, NULL));
    dry_world_destroy(world);
    dry_world_destroy(other);
}

/* A structure of the size that had no function: what lies behind it is not read. */
static void older_hosts(void)
{
    dry_world *world = block_on_floor();
    double moves[12];
    dry_static_report report = {0};
    watch self;
    dry_static_def def = watched(&self, 0, 1);
    def.struct_size = offsetof(dry_static_def, user_data);
    MUST(solve(world, 0, &def, moves, &report));
    check_true("an older structure has no function", self.calls == 0 && report.flags == 0);
    dry_world_destroy(world);
}

int main(void)
{
    for (int is_limit = 0; is_limit < 2; ++is_limit) {
        stopping(is_limit);
        calls_from_within(is_limit);
    }
    older_hosts();
    return check_result();
}
