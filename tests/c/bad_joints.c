/*
 * Bad input, fourth part: joints. Every member out of range, wrong handles, sizes and capacities.
 */
#include "refuse.h"
#include "joint.h"

static dry_body ball, other, floor_body, wall, removed_body;
static dry_joint hinge, cone, slider, general, removed_joint;
static uint64_t foreign_body, foreign_joint;

static void set_up(void)
{
    /* Of a world with more in it, so that its last handles mean nothing here. */
    dry_world *elsewhere = exact_world(0);
    for (int k = 0; k < 40; ++k) {
        foreign_body = add_ball(elsewhere, 3.0 * k, 0, 0);
        dry_joint_def def = joint_of(DRY_JOINT_BALL, 0, foreign_body);
        foreign_joint = add_joint(elsewhere, &def);
    }
    dry_world_destroy(elsewhere);

    world = exact_world(GRAVITY);
    dry_material material = add_material(world, 0.5, 0, 1000);
    floor_body = add_floor(world, material);
    wall = add_half_space(world, material, 1, 0, 0, -100);
    ball = add_ball(world, 0, 0, 4);
    other = add_ball(world, 3, 0, 4);
    removed_body = add_ball(world, 6, 0, 4);
    MUST(dry_body_remove(world, removed_body));
    const vec3 at = {0, 0, 4}, z = {0, 0, 1};
    dry_joint_def def = joint_at(world, DRY_JOINT_HINGE, 0, ball, at, z);
    hinge = add_joint(world, &def);
    def = joint_at(world, DRY_JOINT_BALL, ball, other, at, z);
    cone = add_joint(world, &def);
    def = joint_at(world, DRY_JOINT_SLIDER, floor_body, other, at, z);
    slider = add_joint(world, &def);
    def = joint_at(world, DRY_JOINT_GENERAL, ball, other, at, z);
    general = add_joint(world, &def);
    removed_joint = add_joint(world, &def);
    MUST(dry_joint_remove(world, removed_joint));
    steps(world, 3, 0.01);
    accept_state();
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void definition_numbers(dry_joint_def def)
{
#define ADD dry_joint_add(world, &def, &out.handles[0])
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("point_a", def.point_a[c], 0, ADD);
        BAD_NUMBERS("point_b", def.point_b[c], 0, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, "point_a", def.point_a[c], double, 2e50, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, "point_b", def.point_b[c], double, -1e300, ADD);
    }
    for (int c = 0; c < 4; ++c) {
        BAD_NUMBERS("rotation_a", def.rotation_a[c], 0, ADD);
        BAD_NUMBERS("rotation_b", def.rotation_b[c], 0, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, "rotation_a", def.rotation_a[c], double, 1.5, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, "rotation_b", def.rotation_b[c], double, 1.5, ADD);
    }
    BAD_NUMBERS("length_min", def.length_min, NEGATIVE, ADD);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "length_max", def.length_max, double, NAN, ADD);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "length_max", def.length_max, double, -INFINITY, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "length_max", def.length_max, double, 0, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "length_max", def.length_max, double, -1, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "length_max", def.length_max, double, 0.5 * def.length_min, ADD);
    BAD_NUMBERS("linear_compliance", def.linear_compliance, NEGATIVE, ADD);
    BAD_NUMBERS("angular_compliance", def.angular_compliance, NEGATIVE, ADD);
    BAD_NUMBERS("relaxation", def.relaxation, NEGATIVE, ADD);
    BAD_NUMBERS("break_force", def.break_force, NEGATIVE, ADD);
    BAD_NUMBERS("break_torque", def.break_torque, NEGATIVE, ADD);
    BAD_NUMBERS("break_impulse", def.break_impulse, NEGATIVE, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "flags", def.flags, uint32_t, 2, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "flags", def.flags, uint32_t, DRY_JOINT_BROKEN, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "kind", def.kind, dry_joint_kind, 9, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "kind", def.kind, dry_joint_kind, 77, ADD);
    BAD_SIZES("struct_size", def.struct_size, ADD);
}

static void adding_one(void)
{
    const uint64_t bad[5] = {removed_body, hinge, removed_joint, foreign_body, UINT64_MAX};
    dry_joint_def def = joint_of(DRY_JOINT_DISTANCE, ball, other);
    size_t size = sizeof def;
    def.length_min = 1;
    def.length_max = 4;
    ACCEPTED(ADD);
    definition_numbers(def);
    BAD_HANDLES("body_a", def.body_a, bad, ADD);
    BAD_HANDLES("body_b", def.body_b, bad, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "body_b", def.body_b, dry_body, ball, ADD); /* twice the same */
    def.body_b = floor_body;
    BAD_VALUE(DRY_ERR_ARGUMENT, "dynamic", def.body_a, dry_body, wall, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "dynamic", def.body_a, dry_body, 0, ADD);
    def.body_b = other;
    def.kind = DRY_JOINT_HINGE;
    def.rotation_a[3] = 0;
    def.rotation_a[0] = 1; /* z of frame A points down */
    REFUSED(DRY_ERR_ARGUMENT, "90 degrees", ADD);
    REFUSED(DRY_ERR_NULL, "world", dry_joint_add(NULL, &def, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "def", dry_joint_add(world, NULL, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "joint", dry_joint_add(world, &def, NULL));
#undef ADD
    REFUSED(DRY_ERR_NULL, "def", dry_joint_def_init(NULL, size, DRY_JOINT_BALL));
    REFUSED(DRY_ERR_ARGUMENT, "kind", dry_joint_def_init(&out.joint_def, size, (dry_joint_kind)9));
    BAD_SIZES("size", size, dry_joint_def_init(&out.joint_def, size, DRY_JOINT_BALL));
    size = sizeof(dry_joint_axis);
    REFUSED(DRY_ERR_NULL, "axis", dry_joint_axis_init(NULL, size));
    BAD_SIZES("size", size, dry_joint_axis_init(&out.joint_axis, size));
    check_refused("dry_joint_add, dry_joint_def_init, dry_joint_axis_init");
}

static void adding_many(void)
{
    dry_joint_def defs[4];
    for (int k = 0; k < 4; ++k)
        defs[k] = joint_of(DRY_JOINT_DISTANCE, ball, other);
#define ADD dry_joints_add(world, defs, 4, out.handles)
    ACCEPTED(ADD);
    for (int k = 0; k < 4; ++k) {
        char name[16];
        snprintf(name, sizeof name, "defs[%d]", k);
        BAD_NUMBERS(name, defs[k].point_a[2], 0, ADD);
        BAD_NUMBERS("break_force", defs[k].break_force, NEGATIVE, ADD);
        BAD_VALUE(DRY_ERR_STALE_HANDLE, name, defs[k].body_a, dry_body, removed_body, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, name, defs[k].kind, dry_joint_kind, 77, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, name, defs[k].flags, uint32_t, 4, ADD);
        BAD_SIZES(name, defs[k].struct_size, ADD);
    }
#undef ADD
    REFUSED(DRY_ERR_NULL, "world", dry_joints_add(NULL, defs, 4, out.handles));
    REFUSED(DRY_ERR_NULL, "defs", dry_joints_add(world, NULL, 4, out.handles));
    REFUSED(DRY_ERR_NULL, "joints", dry_joints_add(world, defs, 4, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_joints_add(world, defs, SIZE_MAX, out.handles));
    ABSURD("joints", dry_joints_add(world, defs, HUNDREDS_OF_TERABYTES / 16, out.handles));
    check_refused("dry_joints_add");
}

static void placing(void)
{
    const uint64_t bad[3] = {removed_body, hinge, UINT64_MAX};
    double at[3] = {1, 2, 3}, along[3] = {0, 1, 2}, reference[3] = {1, 0, 0}, nothing[3] = {0, 0, 0};
    dry_joint_def def = joint_of(DRY_JOINT_HINGE, ball, other);
    const dry_joint_def kept = def;
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("point", at[c], 0, dry_joint_def_place(world, &def, at, along, reference));
        BAD_NUMBERS("axis", along[c], 0, dry_joint_def_place(world, &def, at, along, reference));
        BAD_NUMBERS("reference", reference[c], 0, dry_joint_def_place(world, &def, at, along, reference));
    }
    REFUSED(DRY_ERR_ARGUMENT, "axis", dry_joint_def_place(world, &def, at, nothing, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "reference", dry_joint_def_place(world, &def, at, along, nothing));
    REFUSED(DRY_ERR_ARGUMENT, "reference", dry_joint_def_place(world, &def, at, along, along));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_def_place(NULL, &def, at, along, NULL));
    REFUSED(DRY_ERR_NULL, "def", dry_joint_def_place(world, NULL, at, along, NULL));
    REFUSED(DRY_ERR_NULL, "point", dry_joint_def_place(world, &def, NULL, along, NULL));
    REFUSED(DRY_ERR_NULL, "axis", dry_joint_def_place(world, &def, at, NULL, NULL));
    BAD_HANDLES("body_a", def.body_a, bad, dry_joint_def_place(world, &def, at, along, NULL));
    BAD_SIZES("struct_size", def.struct_size, dry_joint_def_place(world, &def, at, along, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "kind", dry_joint_def_place_points(world, &def, at, along));
    check_true("a definition that was not placed", memcmp(&def, &kept, sizeof def) == 0);
    def.kind = DRY_JOINT_DISTANCE;
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("point_a", at[c], 0, dry_joint_def_place_points(world, &def, at, along));
        BAD_NUMBERS("point_b", along[c], 0, dry_joint_def_place_points(world, &def, at, along));
    }
    REFUSED(DRY_ERR_ARGUMENT, "distance", dry_joint_def_place_points(world, &def, at, at));
    REFUSED(DRY_ERR_NULL, "point_a", dry_joint_def_place_points(world, &def, NULL, at));
    REFUSED(DRY_ERR_NULL, "point_b", dry_joint_def_place_points(world, &def, at, NULL));
    REFUSED(DRY_ERR_NULL, "def", dry_joint_def_place_points(world, NULL, at, along));
    BAD_HANDLES("body_b", def.body_b, bad, dry_joint_def_place_points(world, &def, at, along));
    check_refused("dry_joint_def_place, dry_joint_def_place_points");
}

/* ---- one joint --------------------------------------------------------------------------------- */

static void axis_numbers(dry_joint joint, uint32_t index, dry_joint_axis axis)
{
    double *const not_negative[10] = {&axis.limit_restitution, &axis.frequency, &axis.ratio, &axis.stiffness, &axis.damping,
                                      &axis.motor_damping, &axis.friction, &axis.friction_coefficient,
                                      &axis.friction_radius, &axis.armature};
    const char *const names[10] = {"limit_restitution", "frequency", "ratio", "stiffness", "damping",
                                   "motor_damping", "friction", "friction_coefficient", "friction_radius", "armature"};
#define SET dry_joint_set_axis(world, joint, index, &axis)
    ACCEPTED(SET);
    for (int k = 0; k < 10; ++k)
        BAD_NUMBERS(names[k], *not_negative[k], NEGATIVE, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "limit_restitution", axis.limit_restitution, double, 1.001, SET);
    BAD_NUMBERS("rest", axis.rest, 0, SET);
    BAD_NUMBERS("target_position", axis.target_position, 0, SET);
    BAD_NUMBERS("target_velocity", axis.target_velocity, 0, SET);
    BAD_NUMBERS("motor_stiffness", axis.motor_stiffness, NEGATIVE | ZERO, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "lower", axis.lower, double, NAN, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "upper", axis.upper, double, NAN, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "force_lower", axis.force_lower, double, NAN, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "force_upper", axis.force_upper, double, NAN, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "lower", axis.lower, double, INFINITY, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "upper", axis.upper, double, -INFINITY, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "force_lower", axis.force_lower, double, INFINITY, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "force_upper", axis.force_upper, double, -INFINITY, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "lower", axis.lower, double, axis.upper + 1, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "force_lower", axis.force_lower, double, axis.force_upper + 1, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "mode", axis.mode, dry_joint_mode, 3, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "motor", axis.motor, dry_joint_motor, 3, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "mode", axis.mode, dry_joint_mode, DRY_JOINT_MODE_LOCKED, SET);
    BAD_SIZES("struct_size", axis.struct_size, SET);
#undef SET
}

static void axes(void)
{
    const uint64_t bad[6] = {0, removed_joint, ball, floor_body, foreign_joint, UINT64_MAX};
    const uint32_t locked[7] = {0, 1, 2, 3, 4, 6, UINT32_MAX};
    uint64_t joint = hinge;
    size_t size = sizeof(dry_joint_axis);
    dry_joint_axis axis = default_axis(), plain = default_axis();
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.motor = DRY_JOINT_MOTOR_POSITION;
    axis.motor_stiffness = axis.upper = axis.force_upper = 2;
    axis_numbers(hinge, 5, axis);
    axis_numbers(slider, 2, axis);
    axis_numbers(general, 1, axis);
    for (int k = 0; k < 7; ++k) {
        REFUSED(DRY_ERR_ARGUMENT, "index", dry_joint_set_axis(world, hinge, locked[k], &plain));
        REFUSED(DRY_ERR_ARGUMENT, "index", dry_joint_get_axis(world, hinge, locked[k], &out.joint_axis, size));
        REFUSED(DRY_ERR_ARGUMENT, "index", dry_joint_set_target(world, hinge, locked[k], 0, 0));
    }
    REFUSED(DRY_ERR_ARGUMENT, "index", dry_joint_set_axis(world, cone, 4, &plain));
    plain.friction = 1; /* that of all turns is axis 5's */
    REFUSED(DRY_ERR_ARGUMENT, "friction", dry_joint_set_axis(world, cone, 3, &plain));
    plain.friction = 0;
    plain.friction_coefficient = 1;
    REFUSED(DRY_ERR_ARGUMENT, "friction_coefficient", dry_joint_set_axis(world, cone, 3, &plain));
    plain.friction_coefficient = 0;
    plain.mode = DRY_JOINT_MODE_LIMITED; /* of a cone: from 0 or less to above 0 */
    plain.lower = 0.5;
    REFUSED(DRY_ERR_ARGUMENT, "lower", dry_joint_set_axis(world, cone, 3, &plain));
    plain.lower = -1;
    BAD_VALUE(DRY_ERR_ARGUMENT, "upper", plain.upper, double, 0, dry_joint_set_axis(world, cone, 3, &plain));
    plain = default_axis();
    REFUSED(DRY_ERR_NULL, "world", dry_joint_set_axis(NULL, hinge, 5, &plain));
    REFUSED(DRY_ERR_NULL, "axis", dry_joint_set_axis(world, hinge, 5, NULL));
    BAD_HANDLES("joint", joint, bad, dry_joint_set_axis(world, joint, 5, &plain));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_get_axis(NULL, hinge, 5, &out.joint_axis, size));
    REFUSED(DRY_ERR_NULL, "axis", dry_joint_get_axis(world, hinge, 5, NULL, size));
    BAD_HANDLES("joint", joint, bad, dry_joint_get_axis(world, joint, 5, &out.joint_axis, size));
    BAD_SIZES("size", size, dry_joint_get_axis(world, hinge, 5, &out.joint_axis, size));
    check_refused("dry_joint_set_axis, dry_joint_get_axis");
}

static void targets(void)
{
    const uint64_t bad[6] = {0, removed_joint, ball, floor_body, foreign_joint, UINT64_MAX};
    uint64_t joint = hinge, named[3] = {hinge, slider, hinge};
    uint32_t indices[3] = {5, 2, 5};
    double position = 1, velocity = 2, positions[3] = {1, 2, 3}, velocities[3] = {1, 2, 3};
    ACCEPTED(dry_joint_set_target(world, hinge, 5, position, velocity));
    BAD_NUMBERS("position", position, 0, dry_joint_set_target(world, hinge, 5, position, velocity));
    BAD_NUMBERS("velocity", velocity, 0, dry_joint_set_target(world, hinge, 5, position, velocity));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_set_target(NULL, hinge, 5, 0, 0));
    BAD_HANDLES("joint", joint, bad, dry_joint_set_target(world, joint, 5, 0, 0));
#define SET dry_joints_set_targets(world, named, indices, 3, positions, velocities)
    ACCEPTED(SET);
    BAD_HANDLES("joints[2]", named[2], bad, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "indices[1]", indices[1], uint32_t, 5, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "indices[1]", indices[1], uint32_t, 6, SET);
    BAD_NUMBERS("positions[2]", positions[2], 0, SET);
    BAD_NUMBERS("velocities[2]", velocities[2], 0, SET);
#undef SET
    REFUSED(DRY_ERR_NULL, "world", dry_joints_set_targets(NULL, named, indices, 3, positions, velocities));
    REFUSED(DRY_ERR_NULL, "joints", dry_joints_set_targets(world, NULL, indices, 3, positions, velocities));
    REFUSED(DRY_ERR_NULL, "indices", dry_joints_set_targets(world, named, NULL, 3, positions, velocities));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_joints_set_targets(world, named, indices, SIZE_MAX, positions, velocities));
    ABSURD("targets", dry_joints_set_targets(world, named, indices, HUNDREDS_OF_TERABYTES, NULL, NULL));
    check_refused("dry_joint_set_target, dry_joints_set_targets");
}

static void definitions_and_states(void)
{
    const uint64_t bad[6] = {0, removed_joint, ball, floor_body, foreign_joint, UINT64_MAX};
    uint64_t joint = hinge, named[2] = {hinge, cone};
    size_t size = sizeof(dry_joint_def), count = 0;
    dry_joint_def def;
    MUST(dry_joint_get_def(world, hinge, &def, sizeof def));
    BAD_HANDLES("joint", joint, bad, dry_joint_get_def(world, joint, &out.joint_def, size));
    BAD_SIZES("size", size, dry_joint_get_def(world, hinge, &out.joint_def, size));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_get_def(NULL, hinge, &out.joint_def, size));
    REFUSED(DRY_ERR_NULL, "def", dry_joint_get_def(world, hinge, NULL, size));
    ACCEPTED(dry_joint_set_frames(world, hinge, &def));
    BAD_HANDLES("joint", joint, bad, dry_joint_set_frames(world, joint, &def));
    BAD_NUMBERS("point_b", def.point_b[1], 0, dry_joint_set_frames(world, hinge, &def));
    BAD_NUMBERS("rotation_a", def.rotation_a[1], 0, dry_joint_set_frames(world, hinge, &def));
    BAD_VALUE(DRY_ERR_ARGUMENT, "kind", def.kind, dry_joint_kind, 9, dry_joint_set_frames(world, hinge, &def));
    BAD_SIZES("struct_size", def.struct_size, dry_joint_set_frames(world, hinge, &def));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_set_frames(NULL, hinge, &def));
    REFUSED(DRY_ERR_NULL, "def", dry_joint_set_frames(world, hinge, NULL));
    BAD_HANDLES("joint", joint, bad, dry_joint_set_enabled(world, joint, 1));
    REFUSED(DRY_ERR_ARGUMENT, "enabled", dry_joint_set_enabled(world, hinge, 2));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_set_enabled(NULL, hinge, 1));
    BAD_HANDLES("joint", joint, bad, dry_joint_remove(world, joint));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_remove(NULL, hinge));
    check_refused("dry_joint_get_def, dry_joint_set_frames, dry_joint_set_enabled, dry_joint_remove");

    size = sizeof(dry_joint_state);
    MUST(dry_query_joints(world, NULL, 0, &count));
    BAD_HANDLES("joint", joint, bad, dry_joint_get_state(world, joint, out.joint_states, size));
    BAD_SIZES("size", size, dry_joint_get_state(world, hinge, out.joint_states, size));
    REFUSED(DRY_ERR_NULL, "world", dry_joint_get_state(NULL, hinge, out.joint_states, size));
    REFUSED(DRY_ERR_NULL, "state", dry_joint_get_state(world, hinge, NULL, size));
    BAD_HANDLES("joints[1]", named[1], bad, dry_joints_get_states(world, named, 2, out.joint_states, size));
    BAD_SIZES("size", size, dry_joints_get_states(world, named, 2, out.joint_states, size));
    REFUSED(DRY_ERR_NULL, "world", dry_joints_get_states(NULL, named, 2, out.joint_states, size));
    REFUSED(DRY_ERR_NULL, "states", dry_joints_get_states(world, named, 2, NULL, size));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_joints_get_states(world, NULL, count + 1, out.joint_states, size));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_joints_get_states(world, named, SIZE_MAX, out.joint_states, size));
    check_refused("dry_joint_get_state, dry_joints_get_states");
}

static void queries(void)
{
    const uint64_t bad[5] = {0, removed_body, hinge, foreign_joint, UINT64_MAX};
    uint64_t body = ball;
    size_t count = 0, joints = 0, *unread = &out.count;
    double *numbers = out.numbers;
    MUST(dry_query_joints(world, NULL, 0, &joints));
    REFUSED(DRY_ERR_CAPACITY, "capacity", dry_query_joints(world, out.handles, joints - 1, &count));
    check_true("dry_query_joints, too small: count", count == joints);
    REFUSED(DRY_ERR_CAPACITY, "capacity", dry_query_body_joints(world, ball, out.handles, 1, &count));
    REFUSED(DRY_ERR_NULL, "world", dry_query_joints(NULL, NULL, 0, unread));
    REFUSED(DRY_ERR_NULL, "joints", dry_query_joints(world, NULL, 4, unread));
    REFUSED(DRY_ERR_NULL, "count", dry_query_joints(world, NULL, 0, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "capacity", dry_query_joints(world, out.handles, SIZE_MAX, unread));
    REFUSED(DRY_ERR_NULL, "world", dry_query_body_joints(NULL, ball, NULL, 0, unread));
    REFUSED(DRY_ERR_NULL, "joints", dry_query_body_joints(world, ball, NULL, 4, unread));
    REFUSED(DRY_ERR_NULL, "count", dry_query_body_joints(world, ball, NULL, 0, NULL));
    BAD_HANDLES("body", body, bad, dry_query_body_joints(world, body, NULL, 0, unread));
    REFUSED(DRY_ERR_NULL, "world", dry_query_body_joint_force(NULL, ball, numbers, numbers + 3));
    REFUSED(DRY_ERR_NULL, "force", dry_query_body_joint_force(world, ball, NULL, numbers + 3));
    REFUSED(DRY_ERR_NULL, "torque", dry_query_body_joint_force(world, ball, numbers, NULL));
    BAD_HANDLES("body", body, bad, dry_query_body_joint_force(world, body, numbers, numbers + 3));
    check_refused("queries of joints");
}

int main(void)
{
    watch_standard_error();
    set_up();
    adding_one();
    adding_many();
    placing();
    axes();
    targets();
    definitions_and_states();
    queries();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
