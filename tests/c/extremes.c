/*
 * Extreme numbers, with every method: a step that would end beyond the limits is undone, no report and no query that
 * answers DRY_OK has a number that is none, and friction stays inside its cone however small or large the forces are.
 */
#include "check.h"

enum { METHODS = 6 };
static const char *const names[METHODS] = {"PGS", "PGS_ACCELERATED", "NEWTON", "APGD", "stick", "box"};

static dry_settings settings_of(int method)
{
    dry_settings settings;
    MUST(dry_settings_init(&settings, sizeof settings));
    if (method < 4)
        settings.solver = (dry_solver_kind)method;
    if (method == 4)
        settings.projection = DRY_PROJECTION_STICK;
    if (method == 5)
        settings.friction_law = DRY_FRICTION_BOX;
    return settings;
}

/* A floor with a friction of 0.5, and nothing else. */
static dry_world *floor_of(int method, double gravity)
{
    const double up[3] = {0, 0, 1};
    const dry_settings settings = settings_of(method);
    dry_world_def def;
    dry_material_def material;
    dry_body_def body;
    dry_world *world = NULL;
    dry_body floor;
    MUST(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    def.gravity[2] = -gravity;
    MUST(dry_world_create(&def, &world));
    MUST(dry_material_def_init(&material, sizeof material));
    material.friction = 0.5;
    MUST(dry_body_def_init(&body, sizeof body));
    body.kind = DRY_STATIC;
    MUST(dry_material_add(world, &material, &body.material));
    MUST(dry_shape_half_space(world, up, 0, &body.shape));
    MUST(dry_body_add(world, &body, &floor));
    return world;
}

/* A box or a ball of half a metre on the floor, that slides along x. */
static dry_status add_slider(dry_world *world, int is_box, double mass, double speed, dry_body *added)
{
    const double half_extents[3] = {0.5, 0.5, 0.5};
    dry_material_def material;
    dry_body_def body;
    MUST(dry_material_def_init(&material, sizeof material));
    material.friction = 0.5;
    MUST(dry_body_def_init(&body, sizeof body));
    MUST(dry_material_add(world, &material, &body.material));
    if (is_box)
        MUST(dry_shape_box(world, half_extents, &body.shape));
    else
        MUST(dry_shape_sphere(world, 0.5, &body.shape));
    body.mass = mass;
    body.position[2] = 0.5;
    body.linear_velocity[0] = speed;
    return dry_body_add(world, &body, added);
}

/* The largest friction over its bound, minus one; with scaled norms. */
static double beyond_cone(const dry_world *world, int method, double *normal)
{
    contacts all = {0, 0, NULL};
    double worst = -1;
    *normal = 0;
    contacts_read(world, &all);
    for (size_t k = 0; k < all.count; ++k) {
        const double *force = all.at[k].friction_force;
        double bound = 0.5 * all.at[k].normal_force * (method == 5 ? sqrt(2.0) : 1.0);
        double size = hypot(hypot(force[0], force[1]), force[2]);
        keep_worst(&worst, size > 0 ? size / bound - 1 : -1);
        *normal += all.at[k].normal_force;
    }
    free(all.at);
    return worst;
}

static int has_only_numbers(const dry_world *world, const dry_step_report *report)
{
    double kinetic = 0, potential = 0;
    const dry_status status = dry_query_energy(world, &kinetic, &potential);
    return isfinite(report->residual_max) && isfinite(report->residual_mean) && isfinite(report->solver_residual) &&
           isfinite(report->kinetic_energy) && isfinite(report->potential_energy) && status == DRY_OK &&
           isfinite(kinetic) && isfinite(potential);
}

/* Masses and gravities whose forces reach from 1e-159 to 1e104 N: inside the cone, and the floor carries the weight. */
static void small_and_large_forces(int method, int is_box)
{
    static const double scales[][2] = {{1e-100, 1e-60}, {1e-100, 1}, {1e-50, 1}, {1, 1e-158}, {1, 1e-40},
                                       {1, 1},          {1e100, 1},  {1e100, 1e3}};
    double cone = -1, weight = 0;
    int numbers = 1;
    for (size_t k = 0; k < sizeof scales / sizeof scales[0]; ++k) {
        const double mass = scales[k][0], gravity = 10 * scales[k][1];
        dry_world *world = floor_of(method, gravity);
        dry_body slider;
        dry_step_report report;
        double normal = 0;
        /* Not so fast that the torque on the floor about its origin is beyond its limit. */
        MUST(add_slider(world, is_box, mass, fmin(gravity / 10, 1e3), &slider));
        for (int step = 0; step < 20; ++step) {
            report = step_world(world, 0.01);
            keep_worst(&cone, beyond_cone(world, method, &normal));
        }
        numbers = numbers && has_only_numbers(world, &report);
        /* Below, a residual or a change of impulses has no square: the methods see no difference from the answer. */
        if (gravity > 1e-100 && mass * gravity > 1e-130)
            keep_worst(&weight, fabs(normal / (mass * gravity) - 1));
        dry_world_destroy(world);
    }
    printf("     %s, a %s\n", names[method], is_box ? "box" : "ball");
    check_at_most("friction over its bound, minus one", cone, 1e-14);
    check_at_most("the floor's force over the weight, minus one", weight, 1e-6);
    check_true("only numbers", numbers);
}

/* Masses beyond the limits are refused by name, and change nothing. */
static void masses_beyond_the_limits(void)
{
    static const double masses[] = {1e-200, 1e-158, 9e-101, 2e100, 1e165, 1e290};
    dry_world *world = floor_of(0, 10);
    int refused = 1;
    for (size_t k = 0; k < sizeof masses / sizeof masses[0]; ++k) {
        char message[512] = "";
        dry_body slider;
        refused = refused && add_slider(world, 0, masses[k], 0, &slider) == DRY_ERR_ARGUMENT;
        MUST(dry_last_error(message, sizeof message, NULL));
        refused = refused && strstr(message, "dry_body_add: mass is ") != NULL;
    }
    check_true("masses beyond the limits are refused by name", refused);
    dry_world_destroy(world);
}

/* A ball that meets the floor far too fast: the step is undone, whatever the method. */
static void fast_bodies(int method)
{
    static const double speeds[] = {1e152, 1e155, 1e160, 1e200, 1e308};
    int undone = 1;
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; ++k) {
        dry_world *world = floor_of(method, 10);
        dry_body ball;
        dry_body_state state;
        uint64_t before;
        MUST(add_slider(world, 0, 1, 0, &ball));
        MUST(dry_world_step(world, 0.01, NULL));
        state = state_of(world, ball);
        state.linear_velocity[2] = -speeds[k];
        MUST(dry_body_set_state(world, ball, &state));
        before = world_hash(world);
        undone = undone && dry_world_step(world, 0.01, NULL) == DRY_ERR_NOT_FINITE && world_hash(world) == before;
        dry_world_destroy(world);
    }
    printf("     %s\n", names[method]);
    check_true("a step that ends beyond the limits is undone", undone);
}

/* Energies that no number holds are refused, by the query too. */
static void energies(void)
{
    dry_world *world = floor_of(0, 1e50);
    double kinetic = 7, potential = 7;
    for (int side = -1; side <= 1; side += 2) {
        dry_body body;
        dry_body_state state;
        MUST(add_slider(world, 0, 1e100, 0, &body));
        state = state_of(world, body);
        state.position[2] = side * 1e300;
        MUST(dry_body_set_state(world, body, &state));
    }
    check_true("the query refuses", dry_query_energy(world, &kinetic, &potential) == DRY_ERR_NOT_FINITE);
    check_true("and writes nothing", kinetic == 7 && potential == 7);
    check_true("so does a step", dry_world_step(world, 0.01, NULL) == DRY_ERR_NOT_FINITE);
    dry_world_destroy(world);
}

/* A step too short to be one is refused, and the next one is a step like any other. */
static void short_steps(void)
{
    dry_world *world = floor_of(0, 10);
    dry_body ball;
    double normal = 0;
    MUST(add_slider(world, 0, 1, 0, &ball));
    for (int step = 0; step < 10; ++step)
        MUST(dry_world_step(world, 0.01, NULL));
    check_true("a step of 1e-315 s is refused", dry_world_step(world, 1e-315, NULL) == DRY_ERR_ARGUMENT);
    MUST(dry_world_step(world, 1e-100, NULL));
    MUST(dry_world_step(world, 0.01, NULL));
    (void)beyond_cone(world, 0, &normal);
    check_at_most("the weight after a step of 1e-100 s", fabs(normal / 10 - 1), 1e-12);
    dry_world_destroy(world);
}

/* A ball on the fixed world, of 1 kg, as a problem of the host's own, and without bodies. */
static dry_status solve_own(int method, int is_local, double size, double impulse[3])
{
    const double whole[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-size, 2 * size, -size}, friction = 0.5;
    const uint32_t offsets[2] = {0, 1}, column = 0;
    const dry_settings settings = settings_of(method);
    dry_solver *solver = NULL;
    dry_problem_body body;
    dry_problem_contact contact;
    dry_contact_solution solved;
    dry_problem problem;
    dry_local_problem local;
    dry_solution solution;
    dry_status status;
    memset(&body, 0, sizeof body);
    memset(&contact, 0, sizeof contact);
    memset(&solved, 0, sizeof solved);
    memset(&problem, 0, sizeof problem);
    memset(&local, 0, sizeof local);
    memset(&solution, 0, sizeof solution);
    body.inverse_mass = 1;
    body.inverse_inertia[0] = body.inverse_inertia[1] = body.inverse_inertia[2] = 10;
    body.velocity[0] = 2 * size;
    body.velocity[1] = -size;
    body.velocity[2] = -size;
    contact.body_a = UINT32_MAX;
    contact.normal[2] = 1;
    contact.arm_b[2] = -0.5;
    contact.friction = friction;
    problem.struct_size = sizeof problem;
    problem.step = 0.01;
    problem.bodies = &body;
    problem.contacts = &contact;
    problem.body_count = problem.contact_count = 1;
    solution.struct_size = sizeof solution;
    solution.contacts = &solved;
    local.struct_size = sizeof local;
    local.contact_count = 1;
    local.dimension = 3;
    local.row_offsets = offsets;
    local.columns = &column;
    local.blocks = whole;
    local.q = q;
    local.friction = &friction;
    MUST(dry_solver_create(&solver));
    status = is_local ? dry_solver_solve_local(solver, &local, &settings, impulse, NULL)
                      : dry_solver_solve(solver, &problem, &settings, &solution);
    if (!is_local)
        for (int k = 0; k < 3; ++k)
            impulse[k] = solved.impulse[(k + 2) % 3];
    dry_solver_destroy(solver);
    return status;
}

static void own_problems(int method)
{
    static const double large[] = {1e155, 1e160, 1e200, 1e308}, small[] = {1e-100, 1e-140, 1e-158, 1e-200, 1e-300};
    for (int is_local = 0; is_local < (method < 4 ? 2 : 1); ++is_local) {
        int refused = 1;
        double cone = -1;
        for (size_t k = 0; k < sizeof large / sizeof large[0]; ++k) {
            double impulse[3] = {0, 0, 0};
            refused = refused && solve_own(method, is_local, large[k], impulse) == DRY_ERR_NOT_FINITE &&
                      impulse[0] == 0 && impulse[1] == 0 && impulse[2] == 0;
        }
        for (size_t k = 0; k < sizeof small / sizeof small[0]; ++k) {
            double impulse[3] = {0, 0, 0}, bound, size;
            MUST(solve_own(method, is_local, small[k], impulse));
            bound = 0.5 * impulse[0] * (method == 5 ? sqrt(2.0) : 1.0);
            size = hypot(impulse[1], impulse[2]);
            keep_worst(&cone, size > 0 ? size / bound - 1 : -1);
        }
        printf("     %s, %s\n", names[method], is_local ? "without bodies" : "own contacts");
        check_true("a solve that ends beyond the limits is refused", refused);
        check_at_most("friction over its bound, minus one", cone, 1e-14);
    }
}

int main(void)
{
    for (int method = 0; method < METHODS; ++method) {
        small_and_large_forces(method, 0);
        small_and_large_forces(method, 1);
        fast_bodies(method);
        own_problems(method);
    }
    masses_beyond_the_limits();
    energies();
    short_steps();
    return check_result();
}
