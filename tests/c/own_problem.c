/*
 * Bring your own contacts: small problems against closed forms, warm starting by key, rows alone and with contacts.
 */
#include "problem.h"

static const vec3 UP = {0, 0, 1}, ORIGIN = {0, 0, 0};
static const double STEP = 0.01;

/* Relative to the numbers at hand: sums of a few products of order 1. */
static const double ROUND_OFF = 1e-14;

static double off(double value, double expected)
{
    return fabs(value - expected);
}

/* ---- one sphere on a plane ------------------------------------------------------------------------ */

static const double MASS = 2, RADIUS = 0.5;

static void sphere_on_plane(own *all, double x_velocity, double friction)
{
    double inertia = 0.4 * MASS * RADIUS * RADIUS;
    own_begin(all, STEP);
    uint32_t ball = own_body(all, MASS, inertia, inertia, inertia);
    all->bodies[ball].velocity[0] = x_velocity;
    all->bodies[ball].velocity[2] = -GRAVITY * STEP;
    own_contact(all, UINT32_MAX, ball, UP, ORIGIN, (vec3){0, 0, -RADIUS}, friction);
}

static void sliding_sphere(dry_solver *solver)
{
    own all;
    dry_settings settings = default_settings();
    double normal = MASS * GRAVITY * STEP, inertia = 0.4 * MASS * RADIUS * RADIUS, worst = 0;
    sphere_on_plane(&all, 3, 0.1);
    own_solve(&all, solver, &settings);
    const double *v = all.velocities[0];
    /* The impulse (-mu N, 0, N) at (0, 0, -r) turns the sphere about y by r mu N. */
    const double expected[6] = {3 - 0.1 * GRAVITY * STEP, 0, 0, 0, RADIUS * 0.1 * normal / inertia, 0};
    for (int i = 0; i < 6; ++i)
        keep_worst(&worst, off(v[i], expected[i]));
    keep_worst(&worst, off(all.solved[0].normal_impulse, normal));
    keep_worst(&worst, off(all.solved[0].impulse[0], -0.1 * normal));
    check_at_most("sliding sphere: velocities and impulses", worst, ROUND_OFF);
    check_at_most("sliding sphere: its residual", all.solved[0].residual, ROUND_OFF);
    check_true("sliding sphere: active, sliding, new",
               all.solved[0].state == (DRY_CONTACT_ACTIVE | DRY_CONTACT_SLIDING | DRY_CONTACT_NEW));
    check_true("sliding sphere: one island, one body that moves, a new contact",
               all.report.islands == 1 && all.report.awake_bodies == 1 && all.report.new_contacts == 1);
    own_check(&all, "sliding sphere");
}

static void gripping_sphere(dry_solver *solver)
{
    own all;
    dry_settings settings = default_settings();
    double worst = 0;
    sphere_on_plane(&all, 0.007, 1);
    own_solve(&all, solver, &settings);
    /* 2/7 of the mass answers at the contact, so that 5/7 of the speed is left, and the point stands still. */
    keep_worst(&worst, off(all.velocities[0][0], 0.005));
    keep_worst(&worst, off(all.velocities[0][4], 0.005 / RADIUS));
    keep_worst(&worst, off(all.solved[0].impulse[0], -MASS * 0.002));
    check_at_most("gripping sphere: velocities and impulse", worst, ROUND_OFF);
    check_true("gripping sphere: active; what does not resist rolling is not said to roll",
               (all.solved[0].state & ~DRY_CONTACT_NEW) == DRY_CONTACT_ACTIVE);
    own_check(&all, "gripping sphere");

    /* A surface that moves along takes it with it: the same as seen from the surface. */
    sphere_on_plane(&all, 0.007 + 1, 1);
    all.contacts[0].surface_velocity[0] = 1;
    own_solve(&all, solver, &settings);
    check_at_most("gripping sphere on a conveyor: velocity", off(all.velocities[0][0], 1.005), ROUND_OFF);
    check_true("gripping sphere on a conveyor: does not slide", (all.solved[0].state & DRY_CONTACT_SLIDING) == 0);

    /* A gap that is wider than the fall of the step: u_n + gap / step is above 0 without an impulse. */
    all.contacts[0].normal_bias = 2 * GRAVITY * STEP;
    own_solve(&all, solver, &settings);
    check_true("sphere above a gap: no impulse, no state, its velocity as given",
               all.solved[0].normal_impulse == 0 && (all.solved[0].state & ~DRY_CONTACT_NEW) == 0 &&
                   all.velocities[0][2] == all.bodies[0].velocity[2]);

    /* Soft: (1/m + S) lambda = g h. */
    all.contacts[0].normal_bias = 0;
    all.contacts[0].normal_compliance = 1.5;
    own_solve(&all, solver, &settings);
    check_at_most("sphere on a soft contact: normal impulse",
                  off(all.solved[0].normal_impulse, GRAVITY * STEP / (1 / MASS + 1.5)), ROUND_OFF);
    own_check(&all, "sphere on a soft contact");
}

static void resisting_sphere(dry_solver *solver)
{
    own all;
    dry_settings settings = settled_settings(1e-14);
    double worst = 0, normal = MASS * GRAVITY * STEP;
    sphere_on_plane(&all, 0.007, 1);
    all.contacts[0].rolling = 0.2; /* bound 0.2 N = 0.039 N m s, needed r m v = 0.007 */
    own_solve(&all, solver, &settings);
    for (int i = 0; i < 6; ++i)
        keep_worst(&worst, off(all.velocities[0][i], 0));
    keep_worst(&worst, off(all.solved[0].impulse[0], -MASS * 0.007));
    keep_worst(&worst, off(all.solved[0].torque_impulse[1], -RADIUS * MASS * 0.007));
    check_at_most("sphere that resists rolling: stands, with this impulse and torque", worst, 1e-13);
    check_true("sphere that resists rolling: sticks", (all.solved[0].state & ~DRY_CONTACT_NEW) == DRY_CONTACT_ACTIVE);
    own_check(&all, "sphere that resists rolling");

    all.contacts[0].rolling = 0.001;
    own_solve(&all, solver, &settings);
    check_at_most("sphere that resists rolling little: torque at its bound",
                  off(all.solved[0].torque_impulse[1], -0.001 * normal), ROUND_OFF);
    check_true("sphere that resists rolling little: rolls",
               (all.solved[0].state & ~DRY_CONTACT_NEW) == (DRY_CONTACT_ACTIVE | DRY_CONTACT_ROLLING));
    own_check(&all, "sphere that resists rolling little");
}

/* ---- a cube on its corners ------------------------------------------------------------------------- */

static void sum_of_impulses(const own *all, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (size_t k = 0; k < all->problem.contact_count; ++k)
        for (int i = 0; i < 3; ++i)
            sum[i] += all->solved[k].impulse[i];
}

static void cube_on_corners(dry_solver *solver)
{
    own all;
    dry_settings settings = settled_settings(1e-14);
    double sum[3], worst = 0;
    own_begin(&all, STEP);
    uint32_t cube = own_cube(&all, 3, 0.5, 0.02); /* mu g h = 0.049 m/s holds it */
    own_corners(&all, UINT32_MAX, cube, 0.5, 0.5, 0);
    own_solve(&all, solver, &settings);
    sum_of_impulses(&all, sum);
    for (int i = 0; i < 6; ++i)
        keep_worst(&worst, off(all.velocities[cube][i], 0));
    check_at_most("cube that sticks: velocity", worst, 1e-13);
    worst = off(sum[2], 3 * GRAVITY * STEP);
    keep_worst(&worst, off(sum[0], -3 * 0.02));
    keep_worst(&worst, off(sum[1], 0));
    check_at_most("cube that sticks: sum of the impulses", worst, 1e-13);
    own_check(&all, "cube that sticks");

    own_begin(&all, STEP);
    own_cube(&all, 3, 0.5, 1);
    own_corners(&all, UINT32_MAX, cube, 0.5, 0.5, 0);
    own_solve(&all, solver, &settings);
    sum_of_impulses(&all, sum);
    const double expected[6] = {1 - 0.5 * GRAVITY * STEP, 0, 0, 0, 0, 0};
    worst = 0;
    for (int i = 0; i < 6; ++i)
        keep_worst(&worst, off(all.velocities[cube][i], expected[i]));
    check_at_most("cube that slides: velocity", worst, 1e-13);
    check_at_most("cube that slides: sum of the friction", off(sum[0], -0.5 * 3 * GRAVITY * STEP), 1e-13);
    int sliding = 0;
    for (int k = 0; k < 4; ++k)
        sliding += (all.solved[k].state & DRY_CONTACT_SLIDING) != 0;
    check_true("cube that slides: all four corners slide", sliding == 4);
    own_check(&all, "cube that slides");
}

/* ---- warm starting ------------------------------------------------------------------------------------ */

/* Three cubes on top of each other, at rest except for gravity. */
static void column(own *all, double step, uint64_t first_key)
{
    uint32_t below = UINT32_MAX;
    own_begin(all, step);
    for (uint64_t k = 0; k < 3; ++k) {
        uint32_t cube = own_cube(all, 3, 0.5, 0);
        own_corners(all, below, cube, 0.5, 0.5, first_key ? first_key + 4 * k : 0);
        below = cube;
    }
}

static void warm_starts(void)
{
    own all;
    dry_settings settings = settled_settings(1e-12);
    dry_solver *solver = new_solver();
    column(&all, STEP, 100);
    own_solve(&all, solver, &settings);
    uint32_t cold = all.report.iterations;
    check_true("column, cold: all contacts are new, and it takes sweeps", all.report.new_contacts == 12 && cold > 5);
    own_check(&all, "column, cold");
    column(&all, STEP, 100);
    own_solve(&all, solver, &settings);
    check_true("column, again: none is new, one sweep at most",
               all.report.new_contacts == 0 && all.report.iterations <= 1);
    check_true("column, again: no state says new", (all.solved[0].state & DRY_CONTACT_NEW) == 0);

    /* Contacts in another order are found nevertheless. */
    column(&all, STEP, 100);
    for (size_t k = 0; k < 6; ++k) {
        dry_problem_contact kept = all.contacts[k];
        all.contacts[k] = all.contacts[11 - k];
        all.contacts[11 - k] = kept;
    }
    own_solve(&all, solver, &settings);
    check_true("column, contacts the other way round: one sweep at most",
               all.report.new_contacts == 0 && all.report.iterations <= 1);

    /* Impulses of half the step are half as large. */
    column(&all, 0.5 * STEP, 100);
    own_solve(&all, solver, &settings);
    check_true("column, half the step: one sweep at most",
               all.report.new_contacts == 0 && all.report.iterations <= 1);
    own_check(&all, "column, half the step");

    settings.warm_start = DRY_WARM_OFF;
    column(&all, STEP, 100);
    own_solve(&all, solver, &settings);
    check_true("column, not warm started: as many sweeps as cold", all.report.iterations == cold);
    settings.warm_start = DRY_WARM_HISTORY;
    for (int k = 0; k < 2; ++k) {
        column(&all, STEP, 0);
        own_solve(&all, solver, &settings);
        check_true("column with keys 0: as many sweeps as cold, all new",
                   all.report.iterations == cold && all.report.new_contacts == 12);
    }
    dry_solver_destroy(solver);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* A wheel that a motor turns to 2 rad/s with at most `most` N m s. */
static void motor(dry_solver *solver)
{
    own all;
    dry_settings settings = default_settings();
    for (int strong = 0; strong < 2; ++strong) {
        double most = strong ? 10 : 0.3;
        own_begin(&all, STEP);
        uint32_t wheel = own_body(&all, 1, 1, 1, 0.5);
        dry_problem_row *row = own_row(&all, UINT32_MAX, wheel);
        row->jacobian_b[5] = 1;
        row->rhs = 2;
        row->lower = -most;
        row->upper = most;
        own_solve(&all, solver, &settings);
        /* I w = 1 N m s is needed */
        double expected = strong ? 1 : most;
        check_at_most(strong ? "strong motor: impulse" : "weak motor: impulse", off(all.row_impulses[0], expected),
                      ROUND_OFF);
        check_at_most(strong ? "strong motor: spin" : "weak motor: spin",
                      off(all.velocities[wheel][5], expected / 0.5), ROUND_OFF);
        check_at_most("motor: residual", all.report.residual_max, ROUND_OFF);
        own_check(&all, "motor");
    }
}

/* A body of inertia 0.3 about its centre, held at a point L above it: L m v0 turns it about that point. */
static void pendulum(dry_solver *solver)
{
    const double mass = 2, length = 0.7, inertia = 0.3, v0 = 1.3;
    own all;
    dry_settings settings = settled_settings(1e-14);
    own_begin(&all, STEP);
    uint32_t bob = own_body(&all, mass, inertia, inertia, inertia);
    all.bodies[bob].velocity[0] = v0;
    all.bodies[bob].velocity[2] = -GRAVITY * STEP;
    const vec3 arm = {0, 0, length};
    for (int i = 0; i < 3; ++i) {
        dry_problem_row *row = own_row(&all, UINT32_MAX, bob);
        vec3 axis = {i == 0, i == 1, i == 2}, turning = cross(arm, axis);
        memcpy(row->jacobian_b, &axis, sizeof axis);
        memcpy(row->jacobian_b + 3, &turning, sizeof turning);
        row->key = 40 + (uint64_t)i;
    }
    own_solve(&all, solver, &settings);
    double x = mass * length * length * v0 / (inertia + mass * length * length), worst = 0;
    const double expected[6] = {x, 0, 0, 0, -x / length, 0};
    for (int i = 0; i < 6; ++i)
        keep_worst(&worst, off(all.velocities[bob][i], expected[i]));
    check_at_most("pendulum: velocity", worst, 1e-13);
    check_at_most("pendulum: the joint carries the weight", off(all.row_impulses[2], mass * GRAVITY * STEP), 1e-13);
    own_check(&all, "pendulum");
    own_solve(&all, solver, &settings);
    check_true("pendulum, again: rows are warm started by key", all.report.iterations <= 1);
}

/* A lever of weight 10 N and length 2 m, hinged at its end, on supports at 0.7 and 1.6 m: elastic ones carry as they are
   far from the hinge. */
static void lever(void)
{
    own all;
    dry_settings settings = settled_settings(1e-15);
    dry_solver *solver = new_solver();
    own_begin(&all, STEP);
    uint32_t beam = own_body(&all, 1, 0.5, 2, 2.1);
    all.bodies[beam].velocity[2] = -10 * STEP;
    vec3 arm = {-1, 0, 0};
    for (int i = 0; i < 3; ++i) {
        dry_problem_row *row = own_row(&all, UINT32_MAX, beam);
        vec3 axis = {i == 0, i == 1, i == 2}, turning = cross(arm, axis);
        memcpy(row->jacobian_b, &axis, sizeof axis);
        memcpy(row->jacobian_b + 3, &turning, sizeof turning);
    }
    own_row(&all, UINT32_MAX, beam)->jacobian_b[3] = 1;
    own_row(&all, UINT32_MAX, beam)->jacobian_b[5] = 1;
    own_contact(&all, UINT32_MAX, beam, UP, ORIGIN, (vec3){-0.3, 0, 0}, 0);
    own_contact(&all, UINT32_MAX, beam, UP, ORIGIN, (vec3){0.6, 0, 0}, 0);
    own_solve(&all, solver, &settings);
    check_true("lever: without a correction rows keep their impulses",
               !memcmp(all.compatible_row_impulses, all.row_impulses, sizeof all.row_impulses));
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    own_solve(&all, solver, &settings);
    const double sum = 0.7 * 0.7 + 1.6 * 1.6;
    check_at_most("lever: near support", off(all.solved[0].compatible_impulse[2] / STEP, 7 / sum), 1e-9);
    check_at_most("lever: far support", off(all.solved[1].compatible_impulse[2] / STEP, 16 / sum), 1e-9);
    check_at_most("lever: hinge", off(all.compatible_row_impulses[2] / STEP, 10 - 23 / sum), 1e-9);
    check_true("lever: unique", (all.report.flags & DRY_REPORT_COMPATIBILITY_NOT_UNIQUE) == 0);
    dry_solver_destroy(solver);
}

/* A motor that pushes a cube along a floor with at most `most`: friction holds it, or it slides. */
static void pushed_cube(dry_solver *solver)
{
    const double mass = 3, grip = 0.5 * mass * GRAVITY * STEP;
    dry_settings settings = settled_settings(1e-14);
    for (int strong = 0; strong < 2; ++strong) {
        own all;
        double most = strong ? 2 * grip : 0.6 * grip;
        own_begin(&all, STEP);
        uint32_t cube = own_cube(&all, mass, 0.5, 0);
        own_corners(&all, UINT32_MAX, cube, 0.5, 0.5, 1);
        dry_problem_row *row = own_row(&all, UINT32_MAX, cube);
        row->jacobian_b[0] = 1;
        row->rhs = 5;
        row->lower = -most;
        row->upper = most;
        row->key = 5;
        own_solve(&all, solver, &settings);
        double sum[3];
        sum_of_impulses(&all, sum);
        const char *name = strong ? "cube pushed hard" : "cube pushed gently";
        check_at_most(name, off(all.velocities[cube][0], strong ? (most - grip) / mass : 0), 1e-13);
        check_at_most("cube pushed: friction", off(sum[0], strong ? -grip : -most), 1e-13);
        check_at_most("cube pushed: the motor's impulse", off(all.row_impulses[0], most), ROUND_OFF);
        own_check(&all, name);
    }
}

/* Two rows that require different values of one velocity: finite, between the two, and reported. */
static void contradicting_rows(dry_solver *solver)
{
    own all;
    dry_settings settings = default_settings();
    own_begin(&all, STEP);
    uint32_t body = own_body(&all, 1, 1, 1, 1);
    for (int k = 0; k < 2; ++k) {
        dry_problem_row *row = own_row(&all, UINT32_MAX, body);
        row->jacobian_b[0] = 1;
        row->rhs = k;
        row->key = 77 + (uint64_t)k;
    }
    own_solve(&all, solver, &settings);
    double v = all.velocities[body][0];
    check_true("rows that contradict each other: a velocity between the two", v >= -1e-12 && v <= 1 + 1e-12);
    check_at_least("rows that contradict each other: the residual shows it", all.report.residual_max, 0.5);
    check_true("rows that contradict each other: the worst is a row", all.report.worst_contact - 77 <= 1);
    own_check(&all, "rows that contradict each other");
    settings.tolerance = 1e-6;
    own_solve(&all, solver, &settings);
    check_true("rows that contradict each other: the report shows it",
               (all.report.flags & DRY_REPORT_NOT_CONVERGED) != 0);
    settings.require_convergence = 1;
    memset(all.velocities, 0x55, sizeof all.velocities);
    check_true("rows that contradict each other: required to converge, it does not, and the answer is written",
               dry_solver_solve(solver, &all.problem, &settings, &all.solution) == DRY_ERR_NOT_CONVERGED &&
                   own_balance_error(&all) < 1e-13);
}

/* Nothing to solve, and nothing wanted. */
static void nothing(dry_solver *solver)
{
    own all;
    dry_settings settings = default_settings();
    own_begin(&all, STEP);
    own_solve(&all, solver, &settings);
    check_true("empty problem: nothing is counted", all.report.bodies == 0 && all.report.islands == 0);
    all.problem.bodies = NULL;
    all.problem.contacts = NULL;
    all.problem.rows = NULL;
    memset(&all.solution, 0, sizeof all.solution);
    all.solution.struct_size = sizeof all.solution;
    own_solve(&all, solver, &settings);
    own_begin(&all, STEP);
    uint32_t body = own_body(&all, 1, 1, 1, 1);
    all.bodies[body].velocity[1] = 3;
    own_solve(&all, solver, &settings);
    check_true("a body alone keeps its velocity", all.velocities[body][1] == 3 && all.report.awake_bodies == 1);
    sphere_on_plane(&all, 1, 0.5);
    memset(&all.solution, 0, sizeof all.solution);
    all.solution.struct_size = sizeof all.solution;
    own_solve(&all, solver, &settings);
}

int main(void)
{
    dry_solver *solver = new_solver();
    sliding_sphere(solver);
    gripping_sphere(solver);
    resisting_sphere(solver);
    cube_on_corners(solver);
    warm_starts();
    motor(solver);
    pendulum(solver);
    pushed_cube(solver);
    lever();
    contradicting_rows(solver);
    nothing(solver);
    dry_solver_destroy(solver);
    dry_solver_destroy(NULL);
    return check_result();
}
