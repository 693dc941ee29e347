/*
 * Joints of a world: a pendulum on a rod, a rope, a hinge with a motor and a bound, a slider with a spring, friction, breaking,
 * and the force contract: contacts, joints and weight make up the change of momentum.
 */
#include "joint.h"

/* A point on a rod, released level with its pivot. */
static void pendulum(void)
{
    const double h = 0.01, up[3] = {0, 0, 6}, at[3] = {1, 0, 6};
    dry_world *world = exact_world(GRAVITY);
    dry_body ball = add_ball(world, 1, 0, 6);
    dry_joint_def def = joint_of(DRY_JOINT_DISTANCE, 0, ball);
    double length = 0, worst_force = 0;
    MUST(dry_joint_def_place_points(world, &def, up, at));
    check_true("a rod has the distance of its points", def.length_min == 1 && def.length_max == 1);
    dry_joint rod = add_joint(world, &def);
    for (int k = 0; k < 1000; ++k) {
        double force[3], torque[3];
        steps(world, 1, h);
        dry_joint_state state = joint_state(world, rod);
        dry_body_state now = state_of(world, ball);
        keep_worst(&length, fabs(norm(sub(vec(now.position), vec(up))) - 1));
        keep_worst(&length, fabs(state.position[0] - norm(sub(vec(now.position), vec(up)))));
        MUST(dry_query_body_joint_force(world, ball, force, torque));
        keep_worst(&worst_force, norm(sub(vec(force), vec(state.force))));
    }
    check_at_most("pendulum: length off after 1000 steps", length, 1e-13);
    check_at_most("pendulum: force of the joint - joint force of the ball", worst_force, 1e-12);
    dry_world_destroy(world);
}

/* A rope pulls and does not push. */
static void rope(void)
{
    dry_world *world = exact_world(GRAVITY);
    const double up[3] = {0, 0, 6}, at[3] = {0, 0, 4};
    dry_body ball = add_ball(world, 0, 0, 5);
    dry_joint_def def = joint_of(DRY_JOINT_DISTANCE, 0, ball);
    MUST(dry_joint_def_place_points(world, &def, up, at));
    def.point_b[2] = 0;
    def.length_min = 0;
    dry_joint joint = add_joint(world, &def);
    steps(world, 10, 0.01);
    check_at_most("rope, slack: its force", norm(vec(joint_state(world, joint).force)), 0);
    steps(world, 190, 0.01);
    dry_joint_state state = joint_state(world, joint);
    check_at_most("rope, taut: length off", fabs(state.position[0] - 2), 1e-12);
    check_at_most("rope, taut: its force - weight", fabs(state.force[2] - GRAVITY), 1e-12);
    dry_world_destroy(world);
}

static void motor_and_bound(void)
{
    const double h = 1.0 / 128;
    dry_world *world = exact_world(0);
    dry_body ball = add_ball(world, 0, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_HINGE, 0, ball, (vec3){0, 0, 4}, (vec3){0, 0, 1});
    dry_joint joint = add_joint(world, &def);
    dry_joint_axis axis = default_axis();
    axis.motor = DRY_JOINT_MOTOR_VELOCITY;
    axis.target_velocity = 16;
    axis.force_lower = -2;
    axis.force_upper = 2;
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.upper = 8;
    MUST(dry_joint_set_axis(world, joint, 5, &axis));
    /* 2 N m on 0.1 kg m^2: 20 rad/s^2 */
    steps(world, 64, h);
    dry_joint_state state = joint_state(world, joint);
    check_at_most("hinge: speed - torque times time over inertia", fabs(state.velocity[5] - 10), 1e-11);
    check_at_most("hinge: torque of the motor - its bound", fabs(state.motor_force[5] - 2), 1e-11);
    check_true("hinge: the motor is saturated", state.axis_flags[5] == DRY_JOINT_SATURATED && state.flags == 0);
    steps(world, 256, h); /* 8 rad are more than one turn */
    state = joint_state(world, joint);
    check_at_most("hinge at its bound: position", fabs(state.position[5] - 8), 1e-11);
    check_at_most("hinge at its bound: torques", fabs(state.limit_force[5] + state.motor_force[5]), 1e-11);
    check_true("hinge at its bound: flags", state.axis_flags[5] == (DRY_JOINT_AT_UPPER | DRY_JOINT_SATURATED));
    MUST(dry_joint_set_target(world, joint, 5, 0, -1));
    steps(world, 128, h);
    state = joint_state(world, joint);
    check_at_most("hinge turned back: speed", fabs(state.velocity[5] + 1), 1e-11);
    dry_world_destroy(world);
}

/* A position motor turns a hinge to its target against no load, and holds it there. */
static void servo(void)
{
    dry_world *world = exact_world(GRAVITY);
    dry_body ball = add_ball(world, 1, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_HINGE, 0, ball, (vec3){0, 0, 4}, (vec3){0, 1, 0});
    dry_joint joint = add_joint(world, &def);
    dry_joint_axis axis = default_axis();
    const double inertia = 0.1 + 1, w = 20;
    axis.motor = DRY_JOINT_MOTOR_POSITION;
    axis.motor_stiffness = inertia * w * w;
    axis.motor_damping = 2 * inertia * w;
    axis.target_position = -0.5; /* z along y: up is negative */
    MUST(dry_joint_set_axis(world, joint, 5, &axis));
    steps(world, 400, 0.01);
    dry_joint_state state = joint_state(world, joint);
    const double sag = state.position[5] - axis.target_position, torque = GRAVITY * cos(state.position[5]);
    check_at_most("servo at rest: speed", fabs(state.velocity[5]), 1e-9);
    check_at_most("servo at rest: stiffness times sag - torque of the weight", fabs(axis.motor_stiffness * sag - torque),
                  1e-8);
    check_at_most("servo at rest: its torque - torque of the weight", fabs(state.motor_force[5] + torque), 1e-8);
    dry_world_destroy(world);
}

static void slider_with_spring(void)
{
    const double h = 1.0 / 128, k = 400, d = 4, w = 20, z = 0.1;
    dry_world *world = exact_world(0);
    dry_body ball = add_ball(world, 0, 0, 0);
    dry_joint_def def = joint_at(world, DRY_JOINT_SLIDER, 0, ball, (vec3){0, 0, 0}, (vec3){0, 0, 1});
    dry_joint joint = add_joint(world, &def);
    dry_joint_axis axis = default_axis();
    axis.stiffness = k;
    axis.damping = d;
    axis.rest = -0.1;
    MUST(dry_joint_set_axis(world, joint, 2, &axis));
    /* From 0.1 m away from its rest. The velocity of the start is that of the chord from the step before: 0. */
    const double turn = w * sqrt(1 - z * z), decay = w * z;
#define AT(t, v) (exp(-decay * (t)) * (0.1 * cos(turn * (t)) + ((v) + decay * 0.1) / turn * sin(turn * (t))))
    const double back = AT(-h, 0) - 0.1, slope = AT(-h, 1) - AT(-h, 0), v = -back / slope;
    double worst = 0;
    for (int n = 1; n < 200; ++n) {
        steps(world, 1, h);
        keep_worst(&worst, fabs(joint_state(world, joint).position[2] + 0.1 - AT(n * h, v)));
    }
    check_at_most("slider with a spring: position - closed form", worst, 1e-12);
    steps(world, 4000, h);
    const double gravity[3] = {0, 0, -GRAVITY};
    MUST(dry_world_set_gravity(world, gravity));
    steps(world, 4000, h);
    dry_joint_state state = joint_state(world, joint);
    check_at_most("slider at rest: sag - weight over stiffness", fabs(state.position[2] + 0.1 + GRAVITY / k), 1e-12);
    check_at_most("slider at rest: force of the spring - weight", fabs(state.spring_force[2] - GRAVITY), 1e-10);
    dry_world_destroy(world);
}

/* Dry friction of a hinge holds a weight below its bound. */
static void friction(void)
{
    dry_world *world = exact_world(GRAVITY);
    dry_body ball = add_ball(world, 1, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_HINGE, 0, ball, (vec3){0, 0, 4}, (vec3){0, 1, 0});
    dry_joint joint = add_joint(world, &def);
    dry_joint_axis axis = default_axis();
    axis.friction = 2 * GRAVITY;
    MUST(dry_joint_set_axis(world, joint, 5, &axis));
    steps(world, 100, 0.01);
    dry_joint_state state = joint_state(world, joint);
    check_at_most("friction holds: turn", fabs(state.position[5]), 1e-12);
    check_at_most("friction holds: torque - that of the weight", fabs(state.friction_force[5] + GRAVITY), 1e-10);
    check_true("friction holds: flags", state.axis_flags[5] == DRY_JOINT_STICKING);
    axis.friction = 0.5 * GRAVITY;
    MUST(dry_joint_set_axis(world, joint, 5, &axis));
    steps(world, 10, 0.01);
    state = joint_state(world, joint);
    check_at_most("friction slides: torque - bound", fabs(state.friction_force[5] + axis.friction), 1e-10);
    check_true("friction slides: flags", state.axis_flags[5] == 0 && state.velocity[5] > 0.1);
    dry_world_destroy(world);
}

/* A joint that carries more than it bears breaks, and acts again once it is switched on. */
static void breaking(void)
{
    dry_world *world = exact_world(GRAVITY);
    dry_body ball = add_ball(world, 0, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_FIXED, 0, ball, (vec3){0, 0, 4}, (vec3){0, 0, 1});
    def.break_force = 2 * GRAVITY;
    dry_joint joint = add_joint(world, &def);
    const double push[3] = {0, 0, -1.5 * GRAVITY};
    steps(world, 10, 0.01);
    check_true("a joint bears its weight", joint_state(world, joint).flags == 0);
    MUST(dry_body_add_force(world, ball, push, NULL));
    steps(world, 1, 0.01);
    dry_joint_state state = joint_state(world, joint);
    check_true("a joint breaks", state.flags == DRY_JOINT_BROKEN);
    check_at_most("the forces of that step stand", fabs(state.force[2] - 2.5 * GRAVITY), 1e-9);
    steps(world, 10, 0.01);
    check_at_most("a broken joint lets go: speed", fabs(state_of(world, ball).linear_velocity[2] + 0.1 * GRAVITY), 1e-9);
    MUST(dry_joint_set_enabled(world, joint, 0));
    check_true("a joint that is off", (joint_state(world, joint).flags & DRY_JOINT_DISABLED) != 0);
    MUST(dry_joint_set_enabled(world, joint, 1));
    check_true("a joint that is on again", joint_state(world, joint).flags == 0);
    dry_world_destroy(world);
}

/* Three balls in a chain that fall on a floor: contacts, joints and weight are what changes momentum. */
static void force_contract(void)
{
    const double h = 1.0 / 128;
    dry_world *world = exact_world(GRAVITY);
    add_floor(world, add_material(world, 0.4, 0, 1000));
    const dry_body balls[3] = {add_ball(world, 0, 0, 0.5), add_ball(world, 1.1, 0, 0.6), add_ball(world, 2.2, 0, 1.1)};
    dry_body_state thrown = state_of(world, balls[2]);
    thrown.linear_velocity[0] = 0.5;
    thrown.linear_velocity[1] = 0.7;
    thrown.linear_velocity[2] = -2;
    thrown.angular_velocity[0] = 3;
    MUST(dry_body_set_state(world, balls[2], &thrown));
    dry_joint_def first = joint_at(world, DRY_JOINT_BALL, balls[0], balls[1], (vec3){0.55, 0.1, 0.7}, (vec3){0, 0, 1});
    dry_joint_def second = joint_at(world, DRY_JOINT_HINGE, balls[1], balls[2], (vec3){1.6, 0.1, 0.7}, (vec3){0, 1, 0});
    add_joint(world, &first);
    add_joint(world, &second);
    double worst = 0, largest = GRAVITY, worst_turn = 0, largest_turn = 1;
    for (int step = 0; step < 100; ++step) {
        dry_body_state before[3];
        for (int k = 0; k < 3; ++k)
            before[k] = state_of(world, balls[k]);
        steps(world, 1, h);
        for (int k = 0; k < 3; ++k) {
            double contact[3], moment[3], joint[3], turn[3];
            dry_body_state after = state_of(world, balls[k]);
            MUST(dry_query_body_force(world, balls[k], contact, moment));
            MUST(dry_query_body_joint_force(world, balls[k], joint, turn));
            for (int c = 0; c < 3; ++c) {
                const double gained = (after.linear_velocity[c] - before[k].linear_velocity[c]) / h;
                const double turned = 0.1 * (after.angular_velocity[c] - before[k].angular_velocity[c]) / h;
                keep_worst(&worst, fabs(gained - contact[c] - joint[c] + (c == 2 ? GRAVITY : 0)));
                keep_worst(&worst_turn, fabs(turned - moment[c] - turn[c]));
                keep_worst(&largest, fmax(fabs(contact[c]), fabs(joint[c])));
                keep_worst(&largest_turn, fmax(fabs(moment[c]), fabs(turn[c])));
            }
        }
    }
    check_at_most("change of momentum - contacts - joints - weight, relative", worst / largest, 1e-11);
    check_at_most("change of angular momentum - contacts - joints, relative", worst_turn / largest_turn, 1e-11);
    dry_world_destroy(world);
}

int main(void)
{
    pendulum();
    rope();
    motor_and_bound();
    servo();
    slider_with_spring();
    friction();
    breaking();
    force_contract();
    return check_result();
}
