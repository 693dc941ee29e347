/*
 * Belts: a surface that moves over its body. A box is accelerated by friction and then moves with the belt; a ball rolls;
 * a belt on a dynamic body drives it.
 */
#include "scene.h"

static const double AT_REST[3] = {0, 0, 0};

static void a_box_on_a_belt(void)
{
    const double belt[3] = {2, 0, 0};
    double linear[3] = {9, 9, 9}, angular[3] = {9, 9, 9};
    dry_world *world = new_world(NULL, 10);
    dry_material material = add_material(world, 0.5, 0, 1000);
    dry_body floor_body = add_floor(world, material);
    dry_body_def def = body_at(box(world, 0.25, 0.2, 0.05), material, 0, 0, 0.05);
    dry_body body = add_body(world, &def);
    dry_body_state state;
    double sliding = 0, carried = 0, creep = 0;

    MUST(dry_body_get_surface_velocity(world, floor_body, linear, angular));
    check_true("a surface is at rest at first", linear[0] == 0 && angular[2] == 0);
    MUST(dry_body_set_surface_velocity(world, floor_body, belt, AT_REST));
    MUST(dry_body_get_surface_velocity(world, floor_body, linear, angular));
    check_true("its velocity can be read", linear[0] == 2 && linear[1] == 0 && angular[0] == 0);
    for (int k = 1; k <= 40; ++k) {
        MUST(dry_world_step(world, 0.01 * 0.99, NULL));
        MUST(dry_body_get_state(world, body, &state));
        keep_worst(&sliding, fabs(state.linear_velocity[0] - 5 * 0.0099 * k));
    }
    check_at_most("a box on a belt has the speed mu g t, off by [m/s]", sliding, 1e-12);
    MUST(dry_world_step(world, 0.01, NULL));
    MUST(dry_body_get_state(world, body, &state));
    const double start = state.position[0];
    for (int k = 1; k <= 1000; ++k) {
        MUST(dry_world_step(world, 0.01, NULL));
        MUST(dry_body_get_state(world, body, &state));
        keep_worst(&carried, fabs(state.linear_velocity[0] - 2));
        keep_worst(&creep, fabs(state.position[0] - start - 0.02 * k));
    }
    check_at_most("then it has that of the belt, off by [m/s]", carried, 1e-12);
    check_at_most("and creeps over it by [m]", creep, 1e-12);
    MUST(dry_body_set_surface_velocity(world, floor_body, AT_REST, AT_REST));
    for (int k = 0; k < 45; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    MUST(dry_body_get_state(world, body, &state));
    check_at_most("and is at rest when the belt is [m/s]", fabs(state.linear_velocity[0]), 1e-12);
    dry_world_destroy(world);
}

static void a_ball_and_a_vehicle(void)
{
    const double belt[3] = {2, 0, 0}, track[3] = {0, -0.5, 0};
    dry_world *world = new_world(NULL, 10);
    dry_material material = add_material(world, 0.5, 0, 1000);
    dry_body floor_body = add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    dry_body ball = add_body(world, &def);
    def = body_at(box(world, 0.25, 0.2, 0.05), material, 0, 5, 0.05);
    dry_body vehicle = add_body(world, &def);
    dry_body_state state;
    MUST(dry_body_set_surface_velocity(world, floor_body, belt, AT_REST));
    MUST(dry_body_set_surface_velocity(world, vehicle, track, AT_REST));
    for (int k = 0; k < 400; ++k)
        MUST(dry_world_step(world, 0.005, NULL));
    MUST(dry_body_get_state(world, ball, &state));
    check_at_most("a ball rolls with 2/7 of the speed of the belt, off by [m/s]",
                  fabs(state.linear_velocity[0] - 4.0 / 7), 1e-12);
    MUST(dry_body_get_state(world, vehicle, &state));
    check_at_most("a body on tracks drives over the belt, off by [m/s]",
                  fabs(state.linear_velocity[0] - 2) + fabs(state.linear_velocity[1] - 0.5), 1e-11);
    dry_world_destroy(world);
}

int main(void)
{
    a_box_on_a_belt();
    a_ball_and_a_vehicle();
    return check_result();
}
