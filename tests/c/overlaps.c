/*
 * Which bodies a shape would overlap: gaps with a closed form, the two calls of a query, and bad input.
 */
#include "refuse.h"

static dry_shape_pose pose_at(dry_shape shape, double x, double y, double z)
{
    dry_shape_pose pose = {shape, {x, y, z}, {0, 0, 0, 1}};
    return pose;
}

/* A floor at z = 0, a sphere of radius 0.5 that rests on it at the origin, and a cube of half edge 0.5 beside it. */
static dry_shape scene_of(dry_body bodies[3])
{
    dry_shape sphere, box, plane;
    const double half[3] = {0.5, 0.5, 0.5}, up[3] = {0, 0, 1};
    dry_world_def world_def;
    dry_body_def def;
    MUST(dry_world_def_init(&world_def, sizeof world_def));
    MUST(dry_world_create(&world_def, &world));
    MUST(dry_shape_sphere(world, 0.5, &sphere));
    MUST(dry_shape_box(world, half, &box));
    MUST(dry_shape_half_space(world, up, 0, &plane));
    MUST(dry_body_def_init(&def, sizeof def));
    def.position[2] = 0.5;
    def.shape = sphere;
    MUST(dry_body_add(world, &def, &bodies[0]));
    def.shape = box;
    def.position[0] = 2;
    MUST(dry_body_add(world, &def, &bodies[1]));
    def.kind = DRY_STATIC;
    def.shape = plane;
    def.position[0] = def.position[2] = 0;
    MUST(dry_body_add(world, &def, &bodies[2]));
    return sphere;
}

static void answers(void)
{
    dry_body bodies[3];
    const dry_shape sphere = scene_of(bodies);
    /* between both; deep in the floor, beside the cube; in the air */
    const dry_shape_pose poses[3] = {pose_at(sphere, 0.875, 0, 0.5), pose_at(sphere, 2.75, 0, 0.25), pose_at(sphere, 0, 0, 3)};
    const struct {
        uint64_t pose;
        dry_body body;
        double gap;
    } expected[] = {{0, bodies[0], -0.125}, {0, bodies[1], 0.125}, {0, bodies[2], 0}, {1, bodies[1], -0.25}, {1, bodies[2], -0.25}};
    dry_overlap found[8];
    size_t count = 77, wrong = 0;
    double worst = 0;
    uint64_t before = world_hash(world);
    MUST(dry_query_overlaps(world, poses, 3, 0.25, NULL, 0, &count));
    check_true("the number alone", count == 5);
    count = 0;
    MUST(dry_query_overlaps(world, poses, 3, 0.25, found, 8, &count));
    for (size_t k = 0; k < 5 && count == 5; ++k) {
        wrong += found[k].pose != expected[k].pose || found[k].body != expected[k].body;
        keep_worst(&worst, fabs(found[k].gap - expected[k].gap));
    }
    check_true("by pose, and in the order of creation", count == 5 && wrong == 0);
    check_at_most("gaps [m]", worst, 1e-15);
    MUST(dry_query_overlaps(world, poses, 3, 0, found, 8, &count));
    check_true("what touches does not overlap", count == 3 && found[0].body == bodies[0] && found[1].body == bodies[1]);
    MUST(dry_query_overlaps(world, poses + 2, 1, 0, NULL, 0, &count));
    check_true("a place in the air is free", count == 0);
    MUST(dry_query_overlaps(world, NULL, 0, 0, NULL, 0, &count));
    check_true("no poses, no overlaps", count == 0);
    check_true("nothing changes", world_hash(world) == before);
    dry_world_destroy(world);
}

static void bad_input(void)
{
    dry_body bodies[3];
    dry_shape sphere = scene_of(bodies);
    dry_shape_pose poses[2] = {pose_at(sphere, 0, 0, 0.5), pose_at(sphere, 2, 0, 0.5)};
    dry_overlap *into = (dry_overlap *)out.bytes;
    size_t *count = &out.count + 100;
    double margin = 0;
    const uint64_t handles[] = {0, 77, bodies[0]};
    accept_state();
#define ASK dry_query_overlaps(world, poses, 2, margin, into, 8, count)
    REFUSED(DRY_ERR_NULL, "world", dry_query_overlaps(NULL, poses, 2, 0, into, 8, count));
    REFUSED(DRY_ERR_NULL, "poses", dry_query_overlaps(world, NULL, 2, 0, into, 8, count));
    REFUSED(DRY_ERR_NULL, "overlaps", dry_query_overlaps(world, poses, 2, 0, NULL, 8, count));
    REFUSED(DRY_ERR_NULL, "count", dry_query_overlaps(world, poses, 2, 0, into, 8, NULL));
    ABSURD("pose_count", dry_query_overlaps(world, poses, SIZE_MAX / 2, 0, into, 8, count));
    ABSURD("capacity", dry_query_overlaps(world, poses, 2, 0, into, SIZE_MAX / 2, count));
    BAD_NUMBERS("margin", margin, NEGATIVE, ASK);
    BAD_NUMBERS("poses[1]: position[1]", poses[1].position[1], 0, ASK);
    BAD_NUMBERS("poses[1]: rotation", poses[1].rotation[3], 0, ASK);
    BAD_VALUE(DRY_ERR_ARGUMENT, "poses[1]: the length of rotation", poses[1].rotation[3], double, 0.9, ASK);
    BAD_HANDLES("poses[1]: shape", poses[1].shape, handles, ASK);
    check_refused("dry_query_overlaps");
    size_t needed = 0;
    dry_overlap one[1];
    memset(one, PATTERN, sizeof one);
    check_true("too little room", dry_query_overlaps(world, poses, 2, 0, one, 1, &needed) == DRY_ERR_CAPACITY && needed == 2);
    dry_world_destroy(world);
}

int main(void)
{
    watch_standard_error();
    answers();
    bad_input();
    check_silence();
    return check_result();
}
