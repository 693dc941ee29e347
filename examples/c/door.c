/*
 * A door on a hinge: a motor opens it up to its stop, then a spring with a damper closes it. Every line shows what acts
 * about its axis, and the last ones show that its forces and the weight make up the change of momentum.
 *
 *     cc -std=c99 door.c $(pkg-config --cflags --libs drystone) -lm -o door
 */
#include "host.h"

#include <math.h>

static const double STEP = 1.0 / 240.0;

/* The door is upright, 0.9 m wide, and turns about its edge at the origin. */
static dry_body add_door(dry_world *world)
{
    const double half_extents[3] = {0.45, 0.02, 1.05};
    dry_body_def def;
    dry_body door;
    CHECK(dry_body_def_init(&def, sizeof def));
    CHECK(dry_shape_box(world, half_extents, &def.shape));
    def.mass = 25.0;
    def.position[0] = 0.45;
    def.position[2] = 1.05;
    CHECK(dry_body_add(world, &def, &door));
    return door;
}

/* Frame A is in the world, which body 0 stands for. Both frames have z, the axis of the hinge, along the edge. */
static dry_joint add_hinge(dry_world *world, dry_body door)
{
    const double edge[3] = {0.0, 0.0, 1.05}, up[3] = {0.0, 0.0, 1.0};
    dry_joint_def def;
    dry_joint hinge;
    CHECK(dry_joint_def_init(&def, sizeof def, DRY_JOINT_HINGE));
    def.body_b = door;
    CHECK(dry_joint_def_place(world, &def, edge, up, NULL));
    CHECK(dry_joint_add(world, &def, &hinge));
    return hinge;
}

/* Without the sign of what is shown as 0. Speeds below 0.05 rad/s are shown as 0 too. */
static double shown(double value)
{
    return fabs(value) < 0.05 ? 0.0 : value;
}

static void run(dry_world *world, dry_joint hinge, const char *what, double seconds)
{
    dry_joint_state state;
    for (int step = 0; step < (int)(seconds / STEP + 0.5); ++step) CHECK(dry_world_step(world, STEP, NULL));
    CHECK(dry_joint_get_state(world, hinge, &state, sizeof state));
    printf("%-26s %8.1f %9.2f %9.1f %9.1f %9.1f%s\n", what, shown(state.position[5] * 180.0 / 3.14159265358979323846),
           shown(state.velocity[5]), shown(state.motor_force[5]), shown(state.limit_force[5]), shown(state.spring_force[5]),
           state.axis_flags[5] & DRY_JOINT_SATURATED ? "   motor at its bound" : "");
}

/* One step more: the change of momentum against the forces on the door. */
static void balance(dry_world *world, dry_body door, dry_joint hinge)
{
    dry_body_state before, after;
    dry_joint_state state;
    double mass, center[3], inertia[6], force[3], torque[3], worst = 0.0;
    const double weight[3] = {0.0, 0.0, -9.81};
    CHECK(dry_body_get_mass(world, door, &mass, center, inertia));
    CHECK(dry_body_get_state(world, door, &before));
    CHECK(dry_world_step(world, STEP, NULL));
    CHECK(dry_body_get_state(world, door, &after));
    CHECK(dry_query_body_joint_force(world, door, force, torque));
    for (int c = 0; c < 3; ++c) {
        const double gained = mass * (after.linear_velocity[c] - before.linear_velocity[c]) / STEP;
        worst = fmax(worst, fabs(gained - force[c] - mass * weight[c]));
    }
    CHECK(dry_joint_get_state(world, hinge, &state, sizeof state));
    printf("\nthe hinge carries %.2f N, and a torque of %.2f N m about its middle\n", state.force[2],
           sqrt(state.torque[0] * state.torque[0] + state.torque[1] * state.torque[1]));
    printf("change of momentum - hinge - weight: %s 1e-9 N\n", worst < 1e-9 ? "below" : "above");
}

int main(void)
{
    dry_world_def world_def;
    dry_world *world;
    dry_joint_axis axis;
    CHECK(dry_world_def_init(&world_def, sizeof world_def));
    CHECK(dry_world_create(&world_def, &world));
    const dry_body door = add_door(world);
    const dry_joint hinge = add_hinge(world, door);

    /* Axis 5 is the turn about z. */
    CHECK(dry_joint_axis_init(&axis, sizeof axis));
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.lower = 0.0;
    axis.upper = 2.0;
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    axis.target_velocity = 1.0;
    axis.force_lower = -10.0;
    axis.force_upper = 10.0;
    CHECK(dry_joint_set_axis(world, hinge, 5, &axis));
    printf("%-26s %8s %9s %9s %9s %9s\n%-26s %8s %9s %9s %9s %9s\n", "", "angle", "speed", "motor", "stop", "spring", "",
           "[deg]", "[rad/s]", "[N m]", "[N m]", "[N m]");
    run(world, hinge, "the motor sets out", 0.5);
    run(world, hinge, "the door opens", 1.0);
    run(world, hinge, "it stands at its stop", 2.0);

    axis.motor = DRY_JOINT_MOTOR_OFF;
    axis.stiffness = 8.0;
    axis.damping = 14.0;
    CHECK(dry_joint_set_axis(world, hinge, 5, &axis));
    run(world, hinge, "the spring closes it", 1.0);
    run(world, hinge, "", 1.0);
    run(world, hinge, "it is closed", 12.0);
    balance(world, door, hinge);
    dry_world_destroy(world);
    return EXIT_SUCCESS;
}
