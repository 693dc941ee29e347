/*
 * What the hosts with joints share: worlds whose steps are solved to round-off, definitions, and the reading of joints.
 */
#ifndef DRYSTONE_TESTS_JOINT_H
#define DRYSTONE_TESTS_JOINT_H
#include "scene.h"

/* A world whose sweeps go on to round-off. */
static inline dry_world *exact_world(double gravity)
{
    dry_settings settings = default_settings();
    settings.iterations = 1000;
    settings.tolerance = 1e-15;
    return new_world(&settings, gravity);
}

/* A ball of 1 kg and 0.5 m, so that its inertia is 0.1 kg m^2. */
static inline dry_body add_ball(dry_world *world, double x, double y, double z)
{
    const double pi = 3.14159265358979323846;
    dry_material material = add_material(world, 0.4, 0, 1 / (4 / 3.0 * pi * 0.125));
    dry_body_def def = body_at(sphere(world, 0.5), material, x, y, z);
    return add_body(world, &def);
}

static inline dry_joint_def joint_of(dry_joint_kind kind, dry_body body_a, dry_body body_b)
{
    dry_joint_def def;
    MUST(dry_joint_def_init(&def, sizeof def, kind));
    def.body_a = body_a;
    def.body_b = body_b;
    return def;
}

/* Frames at a point of the world, z along an axis. */
static inline dry_joint_def joint_at(const dry_world *world, dry_joint_kind kind, dry_body body_a, dry_body body_b,
                                     vec3 point, vec3 axis)
{
    dry_joint_def def = joint_of(kind, body_a, body_b);
    const double at[3] = {point.x, point.y, point.z}, along[3] = {axis.x, axis.y, axis.z};
    MUST(dry_joint_def_place(world, &def, at, along, NULL));
    return def;
}

static inline dry_joint add_joint(dry_world *world, const dry_joint_def *def)
{
    dry_joint joint = 0;
    MUST(dry_joint_add(world, def, &joint));
    return joint;
}

static inline dry_joint_axis default_axis(void)
{
    dry_joint_axis axis;
    MUST(dry_joint_axis_init(&axis, sizeof axis));
    return axis;
}

static inline dry_joint_state joint_state(const dry_world *world, dry_joint joint)
{
    dry_joint_state state;
    MUST(dry_joint_get_state(world, joint, &state, sizeof state));
    return state;
}

static inline void steps(dry_world *world, int count, double step)
{
    for (int k = 0; k < count; ++k)
        MUST(dry_world_step(world, step, NULL));
}
#endif
