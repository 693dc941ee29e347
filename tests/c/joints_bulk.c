/*
 * Many joints at once, lists, what is set and read back, and placement.
 */
#include "joint.h"

enum { COUNT = 40 };

static dry_world *world;
static dry_body balls[COUNT + 1];
static dry_joint joints[COUNT];

/* A chain of balls on hinges, added at once. */
static void add_chain(void)
{
    dry_joint_def defs[COUNT];
    for (int k = 0; k <= COUNT; ++k)
        balls[k] = add_ball(world, 1.5 * k, 0, 50);
    for (int k = 0; k < COUNT; ++k) {
        const dry_body first = k == 0 ? 0 : balls[k - 1];
        defs[k] = joint_at(world, DRY_JOINT_HINGE, first, balls[k], (vec3){1.5 * k - 0.75, 0, 50}, (vec3){0, 1, 0});
        defs[k].user_data = 100 + (uint64_t)k;
    }
    MUST(dry_joints_add(world, defs, COUNT, joints));
    MUST(dry_joints_add(world, NULL, 0, NULL));
}

static void lists(void)
{
    dry_joint listed[COUNT], own[COUNT];
    size_t count = 0;
    MUST(dry_query_joints(world, NULL, 0, &count));
    check_true("number of joints", count == COUNT);
    MUST(dry_query_joints(world, listed, COUNT, &count));
    check_true("joints in the order of creation", memcmp(listed, joints, sizeof joints) == 0);
    MUST(dry_query_body_joints(world, balls[3], own, COUNT, &count));
    check_true("joints of a body", count == 2 && own[0] == joints[3] && own[1] == joints[4]);
    MUST(dry_query_body_joints(world, balls[COUNT], NULL, 0, &count));
    check_true("joints of a body without any", count == 0);
    check_true("too little room", dry_query_body_joints(world, balls[3], own, 1, &count) == DRY_ERR_CAPACITY && count == 2);
}

static void targets(void)
{
    dry_joint_axis axis = default_axis();
    dry_joint named[2 * COUNT];
    uint32_t indices[2 * COUNT];
    double positions[2 * COUNT], velocities[2 * COUNT];
    int wrong = 0;
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    for (int k = 0; k < COUNT; ++k)
        MUST(dry_joint_set_axis(world, joints[k], 5, &axis));
    for (int k = 0; k < 2 * COUNT; ++k) { /* the second half stands */
        named[k] = joints[k % COUNT];
        indices[k] = 5;
        positions[k] = k;
        velocities[k] = -0.01 * k;
    }
    MUST(dry_joints_set_targets(world, named, indices, 2 * COUNT, positions, velocities));
    for (int k = 0; k < COUNT; ++k) {
        MUST(dry_joint_get_axis(world, joints[k], 5, &axis, sizeof axis));
        wrong += axis.target_position != k + COUNT || axis.target_velocity != -0.01 * (k + COUNT);
    }
    check_at_most("targets set at once: wrong", wrong, 0);
    velocities[0] = 7;
    positions[1] = 8;
    MUST(dry_joints_set_targets(world, named, indices, 1, NULL, velocities));
    MUST(dry_joints_set_targets(world, named + 1, indices, 1, positions + 1, NULL));
    MUST(dry_joints_set_targets(world, NULL, NULL, 0, NULL, NULL));
    MUST(dry_joint_get_axis(world, joints[0], 5, &axis, sizeof axis));
    check_true("velocity alone", axis.target_velocity == 7 && axis.target_position == COUNT);
    MUST(dry_joint_get_axis(world, joints[1], 5, &axis, sizeof axis));
    check_true("position alone", axis.target_position == 8 && axis.target_velocity == -0.01 * (1 + COUNT));
    MUST(dry_joint_set_target(world, joints[2], 5, 3, 0.25));
    MUST(dry_joint_get_axis(world, joints[2], 5, &axis, sizeof axis));
    check_true("one target", axis.target_position == 3 && axis.target_velocity == 0.25);
}

static void states(void)
{
    dry_joint_state all[COUNT], some[3], one;
    int wrong = 0;
    steps(world, 5, 0.005);
    MUST(dry_joints_get_states(world, NULL, COUNT, all, sizeof all[0]));
    for (int k = 0; k < COUNT; ++k) {
        one = joint_state(world, joints[k]);
        wrong += memcmp(&one, &all[k], sizeof one) != 0 || one.reserved != 0;
    }
    check_at_most("states read at once: wrong", wrong, 0);
    const dry_joint turned[3] = {joints[7], joints[2], joints[7]};
    MUST(dry_joints_get_states(world, turned, 3, some, sizeof some[0]));
    check_true("states of some joints", memcmp(&some[0], &all[7], sizeof one) == 0 &&
                                            memcmp(&some[1], &all[2], sizeof one) == 0 &&
                                            memcmp(&some[2], &all[7], sizeof one) == 0);
    MUST(dry_joints_get_states(world, turned, 0, NULL, sizeof some[0]));
    check_at_least("the chain turns", fabs(all[0].position[5]), 1e-3);
}

/* What was set is what is read, for every member. */
static void round_trips(void)
{
    dry_joint_def def = joint_of(DRY_JOINT_GENERAL, balls[COUNT], balls[5]), back;
    double *numbers[] = {&def.length_min, &def.length_max, &def.linear_compliance, &def.angular_compliance,
                         &def.relaxation, &def.break_force, &def.break_torque, &def.break_impulse};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k)
        *numbers[k] = 1.5 + (double)k;
    for (int c = 0; c < 3; ++c) {
        def.point_a[c] = 0.1 * c;
        def.point_b[c] = -0.2 * c;
    }
    def.rotation_a[2] = def.rotation_b[2] = 0.6;
    def.rotation_a[3] = def.rotation_b[3] = 0.8;
    def.flags = DRY_JOINT_COLLIDE;
    def.user_data = 0x123456789abcdef;
    dry_joint joint = add_joint(world, &def);
    memset(&back, 0x55, sizeof back);
    MUST(dry_joint_get_def(world, joint, &back, sizeof back));
    check_true("definition read back", memcmp(&def, &back, sizeof def) == 0);
    MUST(dry_joint_get_def(world, joints[9], &back, sizeof back));
    check_true("bodies and user_data read back",
               back.body_a == balls[8] && back.body_b == balls[9] && back.user_data == 109);

    dry_joint_axis axis = default_axis(), same;
    MUST(dry_joint_get_axis(world, joint, 4, &same, sizeof same));
    check_true("axes of a general joint begin locked", same.mode == DRY_JOINT_MODE_LOCKED);
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.motor = DRY_JOINT_MOTOR_POSITION;
    double *members[] = {&axis.frequency, &axis.ratio, &axis.stiffness, &axis.damping, &axis.rest, &axis.target_position,
                         &axis.target_velocity, &axis.motor_stiffness, &axis.motor_damping, &axis.friction,
                         &axis.friction_coefficient, &axis.friction_radius, &axis.armature, &axis.upper,
                         &axis.force_upper};
    for (size_t k = 0; k < sizeof members / sizeof members[0]; ++k)
        *members[k] = 0.25 * (double)(k + 1);
    axis.lower = -3;
    axis.force_lower = -5;
    axis.limit_restitution = 0.5;
    MUST(dry_joint_set_axis(world, joint, 1, &axis));
    MUST(dry_joint_get_axis(world, joint, 1, &same, sizeof same));
    check_true("axis read back", memcmp(&axis, &same, sizeof axis) == 0);
    axis = default_axis();
    MUST(dry_joint_set_axis(world, joint, 1, &axis));
    MUST(dry_joint_get_axis(world, joint, 1, &same, sizeof same));
    check_true("a locked axis can be freed", memcmp(&axis, &same, sizeof axis) == 0);
    MUST(dry_joint_remove(world, joint));
}

/* Frames that coincide have no error; points keep their distance; frames can be moved. */
static void placement(void)
{
    const double at[3] = {3, 1, 49}, along[3] = {2, -1, 3}, reference[3] = {0, 1, 1}, there[3] = {4, 2, 51};
    dry_body_state turned = state_of(world, balls[6]);
    const double rotation[4] = {0.6, 0, 0, 0.8};
    memcpy(turned.rotation, rotation, sizeof rotation);
    MUST(dry_body_set_state(world, balls[6], &turned));
    dry_joint_def def = joint_of(DRY_JOINT_FIXED, balls[COUNT], balls[6]);
    MUST(dry_joint_def_place(world, &def, at, along, reference));
    const dry_body_state a = state_of(world, balls[COUNT]), b = state_of(world, balls[6]);
    const vec3 z = {0, 0, 1}, x = {1, 0, 0};
    check_at_most("placed: point of B",
                  norm(sub(add(vec(b.position), rotate(b.rotation, vec(def.point_b))), vec(at))), 1e-13);
    check_at_most("placed: z of A along the axis",
                  norm(sub(rotate(a.rotation, rotate(def.rotation_a, z)), unit(vec(along)))), 1e-14);
    check_at_most("placed: z of B along the axis",
                  norm(sub(rotate(b.rotation, rotate(def.rotation_b, z)), unit(vec(along)))), 1e-14);
    const vec3 side = rotate(b.rotation, rotate(def.rotation_b, x));
    check_at_most("placed: x in the plane of axis and reference", fabs(dot(side, cross(vec(along), vec(reference)))),
                  1e-13);
    check_at_least("placed: x towards the reference", dot(side, vec(reference)), 0.1);
    dry_joint joint = add_joint(world, &def);
    dry_joint_state state = joint_state(world, joint);
    check_at_most("placed: errors", fmax(state.linear_error, state.angular_error), 1e-13);

    MUST(dry_joint_get_def(world, joint, &def, sizeof def));
    MUST(dry_joint_def_place(world, &def, there, along, NULL));
    def.break_force = 5; /* not a frame */
    MUST(dry_joint_set_frames(world, joint, &def));
    dry_joint_def moved;
    MUST(dry_joint_get_def(world, joint, &moved, sizeof moved));
    check_true("frames moved", memcmp(moved.point_b, def.point_b, sizeof def.point_b) == 0 && moved.break_force == 0);

    dry_joint_def rod = joint_of(DRY_JOINT_DISTANCE, balls[1], balls[6]);
    MUST(dry_joint_def_place_points(world, &rod, at, there));
    check_at_most("placed: length", fabs(rod.length_min - norm(sub(vec(there), vec(at)))), 1e-14);
    joint = add_joint(world, &rod);
    check_at_most("placed: distance", fabs(joint_state(world, joint).position[0] - rod.length_max), 1e-13);
}

/* Joints go with their bodies, and handles are never used again. */
static void removal(void)
{
    size_t before = 0, after = 0;
    MUST(dry_query_joints(world, NULL, 0, &before));
    MUST(dry_body_remove(world, balls[20]));
    MUST(dry_query_joints(world, NULL, 0, &after));
    check_true("joints go with a body", after + 2 == before);
    MUST(dry_joint_remove(world, joints[0]));
    check_true("a removed joint", dry_joint_remove(world, joints[0]) == DRY_ERR_STALE_HANDLE);
    steps(world, 2, 0.005);
}

int main(void)
{
    world = exact_world(GRAVITY);
    add_chain();
    lists();
    targets();
    states();
    round_trips();
    placement();
    removal();
    dry_world_destroy(world);
    return check_result();
}
