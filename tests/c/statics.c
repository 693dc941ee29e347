/*
 * Statics: springs of contacts, a block that is pushed over, a wedge that holds itself, and a floor that yields.
 */
#include "scene.h"

static dry_static_report solved(dry_world *world, const dry_static_def *def, double *moves, size_t count)
{
    dry_static_report report = {.struct_size = sizeof report};
    MUST(dry_world_solve_static(world, def, moves, count, &report));
    return report;
}

static dry_static_def default_def(void)
{
    dry_static_def def;
    MUST(dry_static_def_init(&def, sizeof def));
    return def;
}

static dry_material springs(dry_world *world, double stiffness, double friction)
{
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.normal_stiffness = stiffness;
    def.friction = friction;
    MUST(dry_material_add(world, &def, &material));
    return material;
}

/* A ball of 1 kg on springs of 1e4 N/m: it sinks by its weight over them, and its contact carries the weight. */
static void a_ball_on_springs(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    const dry_material material = springs(world, 2e4, 0.5);
    add_half_space(world, material, 0, 0, 1, 0);
    dry_body_def ball = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    ball.mass = 1;
    const dry_body body = add_body(world, &ball);
    const dry_static_def def = default_def();
    double moves[12], force[3], torque[3];
    const dry_static_report report = solved(world, &def, moves, 2);
    check_true("an increment converges", report.flags == 0 && report.unbalanced < 1e-10 * GRAVITY);
    check_true("the ball sinks", fabs(moves[8] + GRAVITY / 1e4) < 1e-13 && fabs(report.displacement_max + moves[8]) < 1e-15);
    check_true("its energy", fabs(report.elastic_energy - 0.5 * GRAVITY * GRAVITY / 1e4) < 1e-12);
    MUST(dry_query_body_force(world, body, force, torque));
    check_true("its contact carries it", fabs(force[2] - GRAVITY) < 1e-9);
    check_true("no moves are wanted", solved(world, &def, NULL, 0).displacement_max < 1e-12);
    dry_world_destroy(world);
}

/* Without a floor a ball falls for ever: a collapse, in which nothing moves. */
static void a_ball_without_a_floor(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    const dry_body_def ball = body_at(sphere(world, 0.5), 0, 0, 0, 5);
    const dry_body body = add_body(world, &ball);
    const dry_static_def def = default_def();
    double moves[6];
    const dry_static_report report = solved(world, &def, moves, 1);
    check_true("a fall is a collapse", (report.flags & DRY_STATIC_COLLAPSE) && moves[2] < 0);
    dry_body_state state;
    MUST(dry_body_get_state(world, body, &state));
    check_true("nothing has moved", state.position[2] == 5);
    dry_world_destroy(world);
}

/* A block of 2 x 1 x 4 m is pushed over by b/h of its weight where friction holds it, else it slides. */
static void a_block_that_is_pushed(void)
{
    const double friction[2] = {0.8, 0.3}, expected[2] = {0.5, 0.3};
    for (int k = 0; k < 2; ++k) {
        dry_world *world = new_world(NULL, GRAVITY);
        const dry_material material = springs(world, 0, friction[k]);
        add_half_space(world, material, 0, 0, 1, 0);
        dry_body_def block = body_at(box(world, 1, 0.5, 2), material, 0, 0, 2);
        block.mass = 1;
        add_body(world, &block);
        const dry_static_def def = default_def();
        dry_static_report report = {.struct_size = sizeof report};
        const double loads[12] = {0, 0, 0, 0, 0, 0, GRAVITY, 0, 0, 0, 0, 0};
        double mechanism[12];
        MUST(dry_world_limit_load(world, loads, 2, &def, mechanism, &report));
        check_true("the push of a block", fabs(report.load_factor - expected[k]) < 1e-9);
        check_true("the mechanism does the work 1", fabs(GRAVITY * mechanism[6] - 1) < 1e-9);
        check_true("whether it slides", !(report.flags & DRY_STATIC_SLIDING_MECHANISM) == (k == 0));
        for (int axis = 0; axis < 12; ++axis)
            mechanism[axis] = 1e90 * loads[axis];
        MUST(dry_world_limit_load(world, mechanism, 2, &def, NULL, &report));
        check_true("in another unit", fabs(1e90 * report.load_factor - expected[k]) < 1e-9);
        MUST(dry_world_limit_load(world, (const double[12]){0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0}, 2, &def, NULL, &report));
        check_true("no weight is too large", report.load_factor == INFINITY && (report.flags & DRY_STATIC_UNBOUNDED));
        dry_world_destroy(world);
    }
}

/* Nothing touches, nothing pulls: nothing happens. */
static void a_ball_without_weight(void)
{
    dry_world *world = new_world(NULL, 0);
    const dry_body_def ball = body_at(sphere(world, 0.5), 0, 0, 0, 5);
    add_body(world, &ball);
    const dry_static_def def = default_def();
    const dry_static_report report = solved(world, &def, NULL, 0);
    check_true("a ball without weight", report.flags == 0 && report.displacement_max == 0);
    dry_world_destroy(world);
}

/* A bar of 2 kg hangs on a hinge at its end and lies on a ball at three quarters of its length. */
static void a_bar_on_a_hinge(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    const double end[3] = {0, 0, 0}, axis[3] = {0, 1, 0};
    const dry_material smooth = springs(world, 0, 0);
    dry_body_def def = body_at(sphere(world, 0.5), smooth, 1.5, 0, -0.6);
    def.kind = DRY_STATIC;
    const dry_body ball = add_body(world, &def);
    def = body_at(box(world, 1, 0.1, 0.1), smooth, 1, 0, 0);
    def.mass = 2;
    dry_joint_def hinge;
    dry_joint joint;
    MUST(dry_joint_def_init(&hinge, sizeof hinge, DRY_JOINT_HINGE));
    hinge.body_b = add_body(world, &def);
    MUST(dry_joint_def_place(world, &hinge, end, axis, NULL));
    MUST(dry_joint_add(world, &hinge, &joint));
    const dry_static_def how = default_def();
    const dry_static_report report = solved(world, &how, NULL, 0);
    double force[3], torque[3];
    MUST(dry_query_body_force(world, ball, force, torque));
    check_true("a bar on a hinge", report.flags == 0 && fabs(force[2] + 2 * GRAVITY / 1.5) < 1e-8);
    dry_world_destroy(world);
}

/*
 * A block of 1 kg between two walls that do not press it. By Coulomb's law nothing holds it. Springs show that as a collapse,
 * without forces that balance. Rigid walls press it by a stress of their own, of the associated law: no others are found.
 */
static void a_block_between_walls(double stiffness, uint32_t law, uint32_t flags)
{
    dry_settings settings = default_settings();
    settings.friction_law = law;
    dry_world *world = new_world(&settings, GRAVITY);
    const dry_material material = springs(world, stiffness, 0.5);
    add_half_space(world, material, 1, 0, 0, -0.5);
    add_half_space(world, material, -1, 0, 0, -0.5);
    dry_body_def block = body_at(box(world, 0.5, 0.5, 0.5), material, 0, 0, 0);
    block.mass = 1;
    const dry_body body = add_body(world, &block);
    const dry_static_def def = default_def();
    double moves[18];
    const dry_static_report report = solved(world, &def, moves, 3);
    check_true("the flags of a block between walls", report.flags == flags);
    check_true("it stays or slides down", (report.flags & DRY_STATIC_COLLAPSE) ? moves[14] < 0 : report.unbalanced < 1e-9);
    check_true("a collapse moves nothing", !(flags & DRY_STATIC_COLLAPSE) || state_of(world, body).position[2] == 0);
    dry_world_destroy(world);
}

int main(void)
{
    a_block_between_walls(2e5, DRY_FRICTION_COULOMB, DRY_STATIC_COLLAPSE | DRY_STATIC_NOT_CONVERGED);
    a_block_between_walls(2e5, DRY_FRICTION_ASSOCIATED, 0);
    a_block_between_walls(0, DRY_FRICTION_COULOMB, DRY_STATIC_NOT_COULOMB);
    a_block_between_walls(0, DRY_FRICTION_ASSOCIATED, 0);
    a_ball_on_springs();
    a_ball_without_a_floor();
    a_ball_without_weight();
    a_bar_on_a_hinge();
    a_block_that_is_pushed();
    return check_result();
}
