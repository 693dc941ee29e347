/* What is declared and not offered says so by name, after the ordinary checks, and writes nothing. */
#include "expect.h"

static void settings_not_offered(dry_world *world) {
    dry_settings usual, settings;
    OK(dry_world_get_settings(world, &usual, sizeof usual));
#define REFUSED(member, value, text)                                                           \
    settings = usual;                                                                          \
    settings.member = value;                                                                   \
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_UNSUPPORTED, text)
    REFUSED(method, DRY_METHOD_SPOOK, "method");
    REFUSED(method, DRY_METHOD_THETA, "method");
    REFUSED(solver, DRY_SOLVER_PGS_ACCELERATED, "solver");
    REFUSED(solver, DRY_SOLVER_NEWTON, "solver");
    REFUSED(solver, DRY_SOLVER_APGD, "solver");
    REFUSED(solver, DRY_SOLVER_CONIC, "solver");
    REFUSED(local_solver, DRY_LOCAL_ROWS, "local_solver");
    REFUSED(warm_start, DRY_WARM_MODEL, "warm_start");
    REFUSED(warm_start, DRY_WARM_COMPATIBLE, "warm_start");
    REFUSED(friction_law, DRY_FRICTION_ASSOCIATED, "friction_law");
    REFUSED(friction_law, DRY_FRICTION_BOX, "friction_law");
    REFUSED(projection, DRY_PROJECTION_STICK, "projection");
    REFUSED(compatibility, DRY_COMPATIBILITY_HOOKE, "compatibility");
    REFUSED(compatibility, DRY_COMPATIBILITY_HERTZ, "compatibility");
    REFUSED(compatibility, DRY_COMPATIBILITY_POWER, "compatibility");
    REFUSED(compatible_friction, DRY_COMPATIBLE_FRICTION_ASSOCIATED, "compatible_friction");
    REFUSED(compatible_friction, DRY_COMPATIBLE_FRICTION_ELASTIC, "compatible_friction");
    REFUSED(sleeping, 1, "sleeping");
}

static void definitions_not_offered(dry_world *world) {
    dry_world_def def;
    dry_world *other = NULL;
    dry_material_def material;
    dry_material handle = 7;
    dry_pair_def pair;
    OK(dry_world_def_init(&def, sizeof def));
    def.threads = 4;
    EXPECT_STATUS(dry_world_create(&def, &other), DRY_ERR_UNSUPPORTED, "threads is 4");
    def.threads = 0;
    EXPECT_STATUS(dry_world_create(&def, &other), DRY_ERR_UNSUPPORTED, "threads is 0");
    EXPECT(other == NULL);
    OK(dry_material_def_init(&material, sizeof material));
    material.rolling_friction = 0.1;
    EXPECT_STATUS(dry_material_add(world, &material, &handle), DRY_ERR_UNSUPPORTED, "rolling_friction is 0.1");
    EXPECT(handle == 7);
    OK(dry_pair_def_init(&pair, sizeof pair));
    pair.twisting_friction = 0.1;
    EXPECT_STATUS(dry_material_pair_set(world, 0, 0, &pair), DRY_ERR_UNSUPPORTED, "twisting_friction is 0.1");
}

static void functions_not_offered(dry_world *world) {
    const double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {1.0, 1.0, 1.0};
    double stress[9] = {7.0};
    uint8_t bytes[4] = {7, 7, 7, 7};
    size_t count = 7;
    dry_solver *solver = NULL;
    EXPECT_STATUS(dry_query_stress(world, NULL, upper, stress), DRY_ERR_NULL, "lower is NULL");
    EXPECT_STATUS(dry_query_stress(world, lower, NULL, stress), DRY_ERR_NULL, "upper is NULL");
    EXPECT_STATUS(dry_query_stress(world, lower, upper, NULL), DRY_ERR_NULL, "stress is NULL");
    EXPECT_STATUS(dry_query_stress(world, lower, upper, stress), DRY_ERR_UNSUPPORTED, "dry_query_stress");
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 0, NULL), DRY_ERR_NULL, "count is NULL");
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 4, &count), DRY_ERR_NULL, "buffer is NULL");
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 0, &count), DRY_ERR_UNSUPPORTED, "dry_world_snapshot");
    EXPECT_STATUS(dry_world_snapshot(world, bytes, 4, &count), DRY_ERR_UNSUPPORTED, "dry_world_snapshot");
    EXPECT_STATUS(dry_world_restore(world, NULL, 4), DRY_ERR_NULL, "buffer is NULL");
    EXPECT_STATUS(dry_world_restore(world, bytes, 4), DRY_ERR_UNSUPPORTED, "dry_world_restore");
    EXPECT_STATUS(dry_solver_create(NULL), DRY_ERR_NULL, "solver is NULL");
    EXPECT_STATUS(dry_solver_create(&solver), DRY_ERR_UNSUPPORTED, "dry_solver_create");
    EXPECT(stress[0] == 7.0 && bytes[0] == 7 && count == 7 && solver == NULL);
}

static void solver_not_offered(void) {
    /* No solver exists; none is looked at. */
    double place = 0.0, numbers[6] = {0.0};
    dry_solver *solver = (dry_solver *)(void *)&place;
    dry_problem problem;
    dry_local_problem local;
    dry_solution solution;
    dry_settings settings;
    memset(&problem, 0, sizeof problem);
    memset(&local, 0, sizeof local);
    memset(&solution, 0, sizeof solution);
    OK(dry_settings_init(&settings, sizeof settings));
    EXPECT_STATUS(dry_solver_solve(NULL, &problem, &settings, &solution), DRY_ERR_NULL, "solver is NULL");
    EXPECT_STATUS(dry_solver_solve(solver, &problem, &settings, &solution), DRY_ERR_ABI, "problem.struct_size is 0");
    problem.struct_size = sizeof problem;
    local.struct_size = sizeof local;
    EXPECT_STATUS(dry_solver_solve(solver, &problem, &settings, &solution), DRY_ERR_ABI, "solution.struct_size is 0");
    solution.struct_size = sizeof solution;
    EXPECT_STATUS(dry_solver_solve(solver, &problem, &settings, &solution), DRY_ERR_UNSUPPORTED, "dry_solver_solve");
    EXPECT_STATUS(dry_solver_correct(solver, &problem, &settings, numbers, numbers + 3, NULL), DRY_ERR_UNSUPPORTED,
                  "dry_solver_correct");
    EXPECT_STATUS(dry_solver_solve_local(solver, &local, &settings, numbers, NULL), DRY_ERR_UNSUPPORTED,
                  "dry_solver_solve_local");
    dry_solver_destroy(NULL);
}

int main(void) {
    dry_world *world = new_world();
    const uint64_t before = hash_of(world);
    settings_not_offered(world);
    definitions_not_offered(world);
    functions_not_offered(world);
    solver_not_offered();
    EXPECT(hash_of(world) == before);
    dry_world_destroy(world);
    dry_world_destroy(NULL);
    return verdict();
}
