/*
 * Snapshots: 1000 steps are 500 steps, a snapshot, another process and 500 steps more, bit for bit, on one thread and on
 * two; copies; what is refused. The program runs itself again as the other process.
 */
#include <inttypes.h>
#include "joint.h"

enum { STEPS = 500 };
static const double STEP = 0.005;

/* A heap, a stack that falls asleep, and a chain that swings, in substeps. */
static dry_world *new_scene(uint32_t threads)
{
    dry_settings settings = default_settings();
    settings.sleeping = 1;
    settings.substeps = 2;
    settings.iterations = 20;
    dry_world_def def;
    dry_world *world = NULL;
    MUST(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    def.threads = threads;
    MUST(dry_world_create(&def, &world));
    dry_material material = add_rolling_material(world, 0.5, 0.05, 0.02);
    add_floor(world, material);
    dry_shape ball = sphere(world, 0.1), cube = box(world, 0.1, 0.08, 0.09);
    uint64_t seed = 5;
    for (int k = 0; k < 120; ++k) {
        dry_body_def body = body_at(k % 3 ? ball : cube, material, 0.25 * (k % 5) + uniform(&seed, -0.02, 0.02),
                                    0.25 * (k / 5 % 4), 0.15 + 0.25 * (k / 20));
        add_body(world, &body);
    }
    for (int k = 0; k < 3; ++k) {
        dry_body_def body = body_at(cube, material, 5, 0, 0.09 + 0.18 * k);
        add_body(world, &body);
    }
    dry_body before = 0;
    for (int k = 0; k < 4; ++k) {
        dry_body_def body = body_at(cube, material, -3 + 0.3 * k, 0, 3);
        dry_body link = add_body(world, &body);
        const vec3 point = {-3.15 + 0.3 * k, 0, 3}, across = {0, 1, 0};
        const dry_joint_def joint = joint_at(world, k % 2 ? DRY_JOINT_BALL : DRY_JOINT_HINGE, before, link, point, across);
        add_joint(world, &joint);
        before = link;
    }
    return world;
}

static void advance(dry_world *world, int steps)
{
    for (int k = 0; k < steps; ++k)
        MUST(dry_world_step(world, STEP, NULL));
}

static size_t snapshot_of(const dry_world *world, uint8_t **bytes)
{
    size_t count = 0, again = 0;
    MUST(dry_world_snapshot(world, NULL, 0, &count));
    *bytes = (uint8_t *)allocate(count, 1);
    MUST(dry_world_snapshot(world, *bytes, count, &again));
    check_true("the number of bytes is that which was asked for", again == count);
    return count;
}

/* The other process: restores the file and takes the second half of the steps. */
static int go_on(const char *file, uint32_t threads, const char *expected)
{
    dry_world_def def;
    dry_world *world = NULL;
    MUST(dry_world_def_init(&def, sizeof def));
    def.threads = threads;
    MUST(dry_world_create(&def, &world));
    FILE *stream = fopen(file, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        return EXIT_FAILURE;
    const size_t count = (size_t)ftell(stream);
    uint8_t *bytes = (uint8_t *)allocate(count, 1);
    rewind(stream);
    if (fread(bytes, 1, count, stream) != count)
        return EXIT_FAILURE;
    fclose(stream);
    MUST(dry_world_restore(world, bytes, count));
    free(bytes);
    advance(world, STEPS);
    char found[17];
    snprintf(found, sizeof found, "%016" PRIx64, world_hash(world));
    dry_world_destroy(world);
    return strcmp(found, expected) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void restart(const char *program, uint32_t threads)
{
    char file[1024], command[4096];
    dry_world *world = new_scene(threads);
    advance(world, STEPS);
    uint8_t *bytes = NULL;
    const size_t count = snapshot_of(world, &bytes);
    snprintf(file, sizeof file, "%s.%u.snapshot", program, (unsigned)threads);
    FILE *stream = fopen(file, "wb");
    check_true("a file is written", stream != NULL && fwrite(bytes, 1, count, stream) == count && fclose(stream) == 0);
    advance(world, STEPS);
    for (uint32_t other = 1; other <= 2; ++other) {
        snprintf(command, sizeof command, "\"%s\" \"%s\" %u %016" PRIx64, program, file, (unsigned)other,
                 world_hash(world));
        check_true("another process ends with the same bits", system(command) == 0);
    }
    remove(file);
    free(bytes);
    dry_world_destroy(world);
}

static void copies(void)
{
    dry_world *world = new_scene(1), *copy = NULL;
    advance(world, 100);
    MUST(dry_world_clone(world, &copy));
    check_true("a copy is equal", world_hash(copy) == world_hash(world));
    advance(world, 50);
    check_true("and stays as it is", world_hash(copy) != world_hash(world));
    advance(copy, 50);
    check_true("and goes on alike", world_hash(copy) == world_hash(world));
    dry_world_destroy(world);
    advance(copy, 1);
    dry_world_destroy(copy);
}

static void expect(const char *name, dry_status found, dry_status expected, const char *text)
{
    char message[1024] = "";
    (void)dry_last_error(message, sizeof message, NULL);
    check_true(name, found == expected && strstr(message, text) != NULL);
}

static void refusals(void)
{
    dry_world *world = new_scene(1), *copy = world;
    advance(world, 10);
    const uint64_t before = world_hash(world);
    uint8_t *bytes = NULL;
    size_t count = snapshot_of(world, &bytes), needed = 0;
    uint8_t *few = (uint8_t *)allocate(count, 1);
    expect("too little room", dry_world_snapshot(world, few, count - 1, &needed), DRY_ERR_CAPACITY, "capacity");
    check_true("says how much there must be, and writes nothing", needed == count && few[0] == 0);
    free(few);
    bytes[16] = 9;
    expect("another format", dry_world_restore(world, bytes, count), DRY_ERR_FORMAT, "format 9, expected 1");
    bytes[16] = 1;
    bytes[200] ^= 1;
    expect("a broken one", dry_world_restore(world, bytes, count), DRY_ERR_FORMAT, "checksum");
    bytes[200] ^= 1;
    expect("a part", dry_world_restore(world, bytes, count - 1), DRY_ERR_FORMAT, "bytes");
    expect("nothing", dry_world_restore(world, bytes, 0), DRY_ERR_FORMAT, "0 bytes");
    expect("NULL", dry_world_restore(world, NULL, count), DRY_ERR_NULL, "buffer");
    expect("no place", dry_world_clone(world, NULL), DRY_ERR_NULL, "copy");
    expect("no world", dry_world_clone(NULL, &copy), DRY_ERR_NULL, "world");
    check_true("all is unchanged", world_hash(world) == before && copy == world);
    MUST(dry_world_restore(world, bytes, count));
    check_true("the whole one is accepted", world_hash(world) == before);
    dry_solver *solver = NULL;
    MUST(dry_solver_create(&solver));
    expect("a world for a solver", dry_solver_restore(solver, bytes, count), DRY_ERR_FORMAT, "a world, expected one of a solver");
    MUST(dry_solver_snapshot(solver, NULL, 0, &needed));
    MUST(dry_solver_snapshot(solver, bytes, count, &needed));
    MUST(dry_solver_restore(solver, bytes, needed));
    expect("a solver for a world", dry_world_restore(world, bytes, needed), DRY_ERR_FORMAT, "a solver, expected one of a world");
    expect("no solver", dry_solver_snapshot(NULL, NULL, 0, &needed), DRY_ERR_NULL, "solver");
    expect("NULL for a solver", dry_solver_restore(solver, NULL, 8), DRY_ERR_NULL, "buffer");
    dry_solver_destroy(solver);
    free(bytes);
    dry_world_destroy(world);
}

int main(int count, char **arguments)
{
    if (count == 4)
        return go_on(arguments[1], (uint32_t)atoi(arguments[2]), arguments[3]);
    restart(arguments[0], 1);
    restart(arguments[0], 2);
    copies();
    refusals();
    return check_result();
}
