/*
 * Random sequences of joint calls, good and bad, each from its own seed: every call answers, no step goes wrong, and what
 * is read is finite.
 */
#include "joint.h"

enum { SEQUENCES = 10000, CALLS = 16, MAX_JOINTS = 8 };

static uint64_t seed;
static dry_world *world;
static dry_body members[4]; /* the first is 0, the world */
static dry_joint joints[MAX_JOINTS];
static int defects, not_finite, steps_done, steps_failed, added, events_read, disordered;

static unsigned below(unsigned limit)
{
    return (unsigned)uniform(&seed, 0, limit);
}

/* Mostly usual numbers, sometimes extreme ones. */
static double number(void)
{
    static const double extreme[8] = {0, -1, 1e-300, 1e12, -1e300, INFINITY, -INFINITY, NAN};
    return below(24) == 0 ? extreme[below(8)] : uniform(&seed, -1, 2);
}

static double not_negative(void)
{
    return below(30) == 0 ? number() : uniform(&seed, 0, 2);
}

static void answered(dry_status status)
{
    defects += status == DRY_ERR_INTERNAL || status == DRY_ERR_MEMORY || status == DRY_ERR_ABI || status == DRY_ERR_NULL;
}

static dry_joint_def random_def(void)
{
    dry_joint_def def = joint_of((dry_joint_kind)below(9), members[below(4)], members[below(4)]);
    if (below(40) == 0)
        def.kind = (dry_joint_kind)below(20);
    def.flags = below(10) == 0 ? below(4) : 0;
    for (int c = 0; c < 3; ++c) {
        def.point_a[c] = number();
        def.point_b[c] = number();
    }
    def.length_min = not_negative();
    def.length_max = below(3) == 0 ? INFINITY : def.length_min + not_negative();
    if (below(3) == 0) {
        def.linear_compliance = 1e-3 * not_negative();
        def.angular_compliance = 1e-3 * not_negative();
        def.relaxation = 0.1 * not_negative();
    }
    if (below(4) == 0)
        def.break_force = 100 * not_negative();
    return def;
}

static dry_joint_axis random_axis(void)
{
    dry_joint_axis axis = default_axis();
    axis.mode = (dry_joint_mode)below(3);
    axis.motor = (dry_joint_motor)below(below(20) == 0 ? 5 : 3);
    axis.lower = -not_negative();
    axis.upper = not_negative();
    axis.limit_restitution = below(4) == 0 ? uniform(&seed, 0, 1.1) : 0;
    if (below(2)) {
        axis.frequency = below(2) ? 5 * not_negative() : 0;
        axis.ratio = not_negative();
        axis.stiffness = 100 * not_negative();
        axis.damping = 10 * not_negative();
        axis.rest = number();
    }
    axis.target_position = number();
    axis.target_velocity = number();
    axis.motor_stiffness = 100 * not_negative();
    axis.motor_damping = 10 * not_negative();
    if (below(2)) {
        axis.force_lower = -20 * not_negative();
        axis.force_upper = 20 * not_negative();
    }
    if (below(3) == 0) {
        axis.friction = not_negative();
        axis.friction_coefficient = not_negative();
        axis.friction_radius = not_negative();
        axis.armature = not_negative();
    }
    return axis;
}

static void read_all(void)
{
    dry_joint_state state;
    for (int k = 0; k < MAX_JOINTS; ++k) {
        if (dry_joint_get_state(world, joints[k], &state, sizeof state) != DRY_OK)
            continue;
        for (int c = 0; c < 6; ++c)
            not_finite += !isfinite(state.position[c]) || !isfinite(state.velocity[c]) || !isfinite(state.motor_force[c]);
        for (int c = 0; c < 3; ++c)
            not_finite += !isfinite(state.force[c]) || !isfinite(state.torque[c]);
    }
}

/* The events of the last step are those of joints that are there, in order. */
static void read_events(void)
{
    dry_joint_event events[64];
    dry_joint_state state;
    size_t count = 0;
    answered(dry_query_joint_events(world, events, 64, &count));
    for (size_t k = 0; k < count; ++k) {
        const dry_joint_event event = events[k], before = events[k > 0 ? k - 1 : 0];
        const int follows = (uint32_t)event.joint > (uint32_t)before.joint
                            || (event.joint == before.joint
                                && (event.axis > before.axis || before.type == DRY_JOINT_EVENT_BROKEN));
        disordered += event.axis > 5 || (k > 0 && !follows);
        defects += dry_joint_get_state(world, event.joint, &state, sizeof state) != DRY_OK;
        ++events_read;
    }
}

static void place(void)
{
    dry_joint_def def = random_def();
    const double point[3] = {number(), number(), number()}, axis[3] = {number(), number(), number()};
    answered(def.kind == DRY_JOINT_DISTANCE ? dry_joint_def_place_points(world, &def, point, axis)
                                            : dry_joint_def_place(world, &def, point, axis, below(2) ? point : NULL));
    dry_joint *slot = &joints[below(MAX_JOINTS)];
    const dry_status status = dry_joint_add(world, &def, slot);
    answered(status);
    added += status == DRY_OK;
}

static void target_many(void)
{
    double positions[3], velocities[3];
    dry_joint named[3];
    uint32_t indices[3];
    for (int k = 0; k < 3; ++k) {
        named[k] = joints[below(MAX_JOINTS)];
        indices[k] = below(7);
        positions[k] = number();
        velocities[k] = number();
    }
    answered(dry_joints_set_targets(world, named, indices, below(4), below(2) ? positions : NULL,
                                    below(2) ? velocities : NULL));
}

static void one_call(void)
{
    const dry_joint joint = below(30) == 0 ? seed : joints[below(MAX_JOINTS)];
    dry_joint_axis axis = random_axis();
    dry_joint_def def = random_def();
    dry_joint some[2];
    size_t count;
    switch (below(13)) {
    case 0:
    case 1:
        place();
        break;
    case 2:
        if (dry_joints_add(world, &def, 1, &joints[below(MAX_JOINTS)]) == DRY_OK)
            ++added;
        break;
    case 3:
    case 4:
    case 5:
        answered(dry_joint_set_axis(world, joint, below(7), &axis));
        break;
    case 6:
        answered(dry_joint_set_target(world, joint, below(7), number(), number()));
        break;
    case 7:
        target_many();
        break;
    case 8:
        answered(dry_joint_set_frames(world, joint, &def));
        break;
    case 9:
        answered(dry_joint_set_enabled(world, joint, below(3)));
        break;
    case 10:
        answered(below(3) == 0 ? dry_joint_remove(world, joint) : dry_joint_get_def(world, joint, &def, sizeof def));
        break;
    case 11:
        answered(dry_query_body_joints(world, members[below(4)], some, 2, &count));
        answered(dry_joint_get_axis(world, joint, below(7), &axis, sizeof axis));
        break;
    default:
        if (below(20) == 0)
            (void)dry_body_remove(world, members[1 + below(3)]);
    }
    if (below(3) == 0) {
        const dry_status status = dry_world_step(world, 0.01, NULL);
        answered(status);
        ++steps_done;
        steps_failed += status != DRY_OK;
    }
    read_all();
    read_events();
}

int main(void)
{
    for (int sequence = 0; sequence < SEQUENCES; ++sequence) {
        const int before = defects + not_finite;
        dry_settings settings = default_settings();
        seed = 12345 + (uint64_t)sequence;
        (void)below(2);
        settings.substeps = below(4) == 0 ? 3 : 0;
        settings.sleeping = below(2);
        settings.iterations = 20;
        world = new_world(&settings, GRAVITY);
        dry_material material = add_material(world, 0.5, 0, 2);
        if (below(2))
            add_floor(world, material);
        const dry_shape shape = sphere(world, 0.5);
        for (int k = 1; k < 4; ++k) {
            dry_body_def def = body_at(shape, material, 1.1 * k, uniform(&seed, -1, 1), uniform(&seed, 0.5, 2));
            def.kind = below(6) == 0 ? DRY_KINEMATIC : DRY_DYNAMIC;
            members[k] = add_body(world, &def);
        }
        memset(joints, 0, sizeof joints);
        for (int call = 0; call < CALLS; ++call)
            one_call();
        (void)world_hash(world);
        dry_world_destroy(world);
        if (defects + not_finite > before)
            printf("sequence %d: %d calls ended with a defect, %d values are not finite\n", sequence, defects,
                   not_finite);
    }
    check_at_most("calls that ended with a defect", defects, 0);
    check_at_most("values that are not finite", not_finite, 0);
    check_at_most("events out of order", disordered, 0);
    check_at_least("events", events_read, SEQUENCES / 4);
    check_at_least("joints added", added, SEQUENCES);
    check_at_least("steps", steps_done, SEQUENCES);
    check_at_most("steps that were undone, of all", (double)steps_failed / steps_done, 0.05);
    return check_result();
}
