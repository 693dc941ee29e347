/*
 * What messages say: the name of the function first, names of the header, true ranges, short numbers, and what was
 * forgotten. A pointer to a destroyed world or solver is answered.
 */
#include "expect.h"

static dry_world *world = NULL;

static void names_of_the_header(void) {
    const double force[3] = {1.0, 0.0, 0.0};
    dry_shape sphere = 0;
    dry_body body;
    dry_settings settings;
    OK(dry_shape_sphere(world, 0.5, &sphere));
    body = new_body(world, DRY_STATIC, sphere, 0.0);
    EXPECT_STATUS(dry_body_add_force(world, body, force, NULL), DRY_ERR_ARGUMENT, "dry_body_add_force: body is 0x");
    EXPECT_STATUS(dry_body_add_force(world, body, force, NULL), DRY_ERR_ARGUMENT,
                  ", a DRY_STATIC body, expected a DRY_DYNAMIC one");
    OK(dry_settings_init(&settings, sizeof settings));
    settings.solver = DRY_SOLVER_CONIC;
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_UNSUPPORTED,
                  "dry_world_set_settings: solver is DRY_SOLVER_CONIC, which needs the friction_law DRY_FRICTION_ASSOCIATED, but "
                  "that is DRY_FRICTION_COULOMB");
}

static void ranges_and_numbers(void) {
    dry_settings settings;
    dry_shape shape = 0;
    OK(dry_settings_init(&settings, sizeof settings));
    settings.substeps = 1001;
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_ARGUMENT,
                  "dry_world_set_settings: substeps is 1001, expected at most 1000");
    settings.substeps = 0;
    OK(dry_world_set_settings(world, &settings));
    EXPECT_STATUS(dry_shape_sphere(world, 1e300, &shape), DRY_ERR_ARGUMENT,
                  "dry_shape_sphere: radius is 1e300, expected a length between 1e-50 and 1e50");
    EXPECT_STATUS(dry_world_step(world, 1e-315, NULL), DRY_ERR_ARGUMENT, "dry_world_step: step is 1e-315, expected 1e-100 to");
}

/* A structure that _init, or the caller, has not filled in. */
static void forgotten_sizes(void) {
    dry_body_def def;
    dry_step_report report;
    dry_body body;
    memset(&def, 0, sizeof def);
    memset(&report, 0, sizeof report);
    EXPECT_STATUS(dry_body_add(world, &def, &body), DRY_ERR_ABI, "dry_body_add: def");
    EXPECT_STATUS(dry_body_add(world, &def, &body), DRY_ERR_ABI, "struct_size is 0, expected 264");
    EXPECT_STATUS(dry_body_add(world, &def, &body), DRY_ERR_ABI, "; dry_body_def_init sets it");
    EXPECT_STATUS(dry_world_step(world, 0.01, &report), DRY_ERR_ABI, "the caller zeroes the structure and sets it");
}

static void destroyed_objects(void) {
    const double gravity[3] = {0.0, 0.0, -1.0};
    dry_world *gone = new_world(), *next = NULL;
    dry_solver *solver = NULL, *gone_solver = NULL;
    double kinetic, potential;
    OK(dry_world_step(gone, 0.01, NULL));
    dry_world_destroy(gone);
    next = new_world();
    EXPECT(next != gone);
    EXPECT_STATUS(dry_world_step(gone, 0.01, NULL), DRY_ERR_STALE_HANDLE, "dry_world_step: world is 0x");
    EXPECT_STATUS(dry_world_set_gravity(gone, gravity), DRY_ERR_STALE_HANDLE, "before its dry_world_destroy");
    EXPECT_STATUS(dry_query_energy(gone, &kinetic, &potential), DRY_ERR_STALE_HANDLE, "dry_query_energy: world is 0x");
    dry_world_destroy(gone);
    dry_world_destroy(NULL);
    OK(dry_world_step(next, 0.01, NULL));
    /* What was never a world: memory of the host's own. */
    EXPECT_STATUS(dry_world_step((dry_world *)(void *)&kinetic, 0.01, NULL), DRY_ERR_STALE_HANDLE, "world is 0x");
    OK(dry_solver_create(&solver));
    gone_solver = solver;
    dry_solver_destroy(solver);
    EXPECT_STATUS(dry_solver_solve(gone_solver, NULL, NULL, NULL), DRY_ERR_STALE_HANDLE, "dry_solver_solve: solver is 0x");
    dry_solver_destroy(gone_solver);
    dry_solver_destroy(NULL);
    dry_world_destroy(next);
}

int main(void) {
    world = new_world();
    names_of_the_header();
    ranges_and_numbers();
    forgotten_sizes();
    destroyed_objects();
    dry_world_destroy(world);
    return verdict();
}
