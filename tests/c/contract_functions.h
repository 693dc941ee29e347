/*
 * Every function of the interface's contract, through a pointer of the contract's type.
 */
#ifndef CONTRACT_FUNCTIONS_H
#define CONTRACT_FUNCTIONS_H

#include <drystone.h>
#include <stddef.h>
#include <stdint.h>

#define IS_THERE(function) expect_number(#function, pointer != NULL, 1)

static void contract_dry_status_name(void) {
    const char *(*pointer)(dry_status status) = dry_status_name;
    IS_THERE(dry_status_name);
}

static void contract_dry_last_error(void) {
    dry_status (*pointer)(char *buffer, size_t capacity, size_t *needed_or_null) = dry_last_error;
    IS_THERE(dry_last_error);
}

static void contract_dry_version(void) {
    uint32_t (*pointer)(void) = dry_version;
    IS_THERE(dry_version);
}

static void contract_dry_version_string(void) {
    const char *(*pointer)(void) = dry_version_string;
    IS_THERE(dry_version_string);
}

static void contract_dry_settings_init(void) {
    dry_status (*pointer)(dry_settings *settings, size_t size) = dry_settings_init;
    IS_THERE(dry_settings_init);
}

static void contract_dry_world_def_init(void) {
    dry_status (*pointer)(dry_world_def *def, size_t size) = dry_world_def_init;
    IS_THERE(dry_world_def_init);
}

static void contract_dry_world_create(void) {
    dry_status (*pointer)(const dry_world_def *def, dry_world **world) = dry_world_create;
    IS_THERE(dry_world_create);
}

static void contract_dry_world_destroy(void) {
    void (*pointer)(dry_world *world) = dry_world_destroy;
    IS_THERE(dry_world_destroy);
}

static void contract_dry_world_get_settings(void) {
    dry_status (*pointer)(const dry_world *world, dry_settings *settings, size_t size) =
        dry_world_get_settings;
    IS_THERE(dry_world_get_settings);
}

static void contract_dry_world_set_settings(void) {
    dry_status (*pointer)(dry_world *world, const dry_settings *settings) = dry_world_set_settings;
    IS_THERE(dry_world_set_settings);
}

static void contract_dry_world_set_gravity(void) {
    dry_status (*pointer)(dry_world *world, const double gravity[3]) = dry_world_set_gravity;
    IS_THERE(dry_world_set_gravity);
}

static void contract_dry_world_step(void) {
    dry_status (*pointer)(dry_world *world, double step, dry_step_report *report_or_null) = dry_world_step;
    IS_THERE(dry_world_step);
}

static void contract_dry_material_def_init(void) {
    dry_status (*pointer)(dry_material_def *def, size_t size) = dry_material_def_init;
    IS_THERE(dry_material_def_init);
}

static void contract_dry_material_add(void) {
    dry_status (*pointer)(dry_world *world, const dry_material_def *def, dry_material *material) =
        dry_material_add;
    IS_THERE(dry_material_add);
}

static void contract_dry_pair_def_init(void) {
    dry_status (*pointer)(dry_pair_def *def, size_t size) = dry_pair_def_init;
    IS_THERE(dry_pair_def_init);
}

static void contract_dry_material_pair_set(void) {
    dry_status (*pointer)(dry_world *world, dry_material first, dry_material second, const dry_pair_def *def)
        = dry_material_pair_set;
    IS_THERE(dry_material_pair_set);
}

static void contract_dry_shape_sphere(void) {
    dry_status (*pointer)(dry_world *world, double radius, dry_shape *shape) = dry_shape_sphere;
    IS_THERE(dry_shape_sphere);
}

static void contract_dry_shape_box(void) {
    dry_status (*pointer)(dry_world *world, const double half_extents[3], dry_shape *shape) = dry_shape_box;
    IS_THERE(dry_shape_box);
}

static void contract_dry_shape_capsule(void) {
    dry_status (*pointer)(dry_world *world, double half_height, double radius, dry_shape *shape) =
        dry_shape_capsule;
    IS_THERE(dry_shape_capsule);
}

static void contract_dry_shape_cylinder(void) {
    dry_status (*pointer)(dry_world *world, double half_height, double radius, dry_shape *shape) =
        dry_shape_cylinder;
    IS_THERE(dry_shape_cylinder);
}

static void contract_dry_shape_half_space(void) {
    dry_status (*pointer)(dry_world *world, const double normal[3], double offset, dry_shape *shape) =
        dry_shape_half_space;
    IS_THERE(dry_shape_half_space);
}

static void contract_dry_shape_hull(void) {
    dry_status (*pointer)(dry_world *world, const double *points_xyz, size_t point_count, dry_shape *shape) =
        dry_shape_hull;
    IS_THERE(dry_shape_hull);
}

static void contract_dry_shape_mesh(void) {
    dry_status (*pointer)(dry_world *world, const double *points_xyz, size_t point_count, const uint32_t
        *triangles, size_t triangle_count, dry_shape *shape) = dry_shape_mesh;
    IS_THERE(dry_shape_mesh);
}

static void contract_dry_shape_remove(void) {
    dry_status (*pointer)(dry_world *world, dry_shape shape) = dry_shape_remove;
    IS_THERE(dry_shape_remove);
}

static void contract_dry_body_def_init(void) {
    dry_status (*pointer)(dry_body_def *def, size_t size) = dry_body_def_init;
    IS_THERE(dry_body_def_init);
}

static void contract_dry_body_add(void) {
    dry_status (*pointer)(dry_world *world, const dry_body_def *def, dry_body *body) = dry_body_add;
    IS_THERE(dry_body_add);
}

static void contract_dry_bodies_add(void) {
    dry_status (*pointer)(dry_world *world, const dry_body_def *defs, size_t count, dry_body *bodies) =
        dry_bodies_add;
    IS_THERE(dry_bodies_add);
}

static void contract_dry_body_remove(void) {
    dry_status (*pointer)(dry_world *world, dry_body body) = dry_body_remove;
    IS_THERE(dry_body_remove);
}

static void contract_dry_query_bodies(void) {
    dry_status (*pointer)(const dry_world *world, dry_body *bodies, size_t capacity, size_t *count) =
        dry_query_bodies;
    IS_THERE(dry_query_bodies);
}

static void contract_dry_body_get_state(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, dry_body_state *state) = dry_body_get_state;
    IS_THERE(dry_body_get_state);
}

static void contract_dry_body_set_state(void) {
    dry_status (*pointer)(dry_world *world, dry_body body, const dry_body_state *state) = dry_body_set_state;
    IS_THERE(dry_body_set_state);
}

static void contract_dry_body_get_mass(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, double *mass, double center_of_mass[3],
        double inertia[6]) = dry_body_get_mass;
    IS_THERE(dry_body_get_mass);
}

static void contract_dry_body_get_user_data(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, uint64_t *user_data) =
        dry_body_get_user_data;
    IS_THERE(dry_body_get_user_data);
}

static void contract_dry_body_add_force(void) {
    dry_status (*pointer)(dry_world *world, dry_body body, const double force[3], const double
        point_or_null[3]) = dry_body_add_force;
    IS_THERE(dry_body_add_force);
}

static void contract_dry_body_add_torque(void) {
    dry_status (*pointer)(dry_world *world, dry_body body, const double torque[3]) = dry_body_add_torque;
    IS_THERE(dry_body_add_torque);
}

static void contract_dry_bodies_get_states(void) {
    dry_status (*pointer)(const dry_world *world, const dry_body *bodies_or_null, size_t count, dry_body_state
        *states) = dry_bodies_get_states;
    IS_THERE(dry_bodies_get_states);
}

static void contract_dry_query_contacts(void) {
    dry_status (*pointer)(const dry_world *world, dry_contact *contacts, size_t contact_size, size_t capacity,
        size_t *count) = dry_query_contacts;
    IS_THERE(dry_query_contacts);
}

static void contract_dry_query_body_force(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, double force[3], double torque[3]) =
        dry_query_body_force;
    IS_THERE(dry_query_body_force);
}

static void contract_dry_query_energy(void) {
    dry_status (*pointer)(const dry_world *world, double *kinetic, double *potential) = dry_query_energy;
    IS_THERE(dry_query_energy);
}

static void contract_dry_query_stress(void) {
    dry_status (*pointer)(const dry_world *world, const double lower[3], const double upper[3], double
        stress[9]) = dry_query_stress;
    IS_THERE(dry_query_stress);
}

static void contract_dry_world_hash(void) {
    dry_status (*pointer)(const dry_world *world, uint64_t *hash) = dry_world_hash;
    IS_THERE(dry_world_hash);
}

static void contract_dry_world_snapshot(void) {
    dry_status (*pointer)(const dry_world *world, uint8_t *buffer, size_t capacity, size_t *count) =
        dry_world_snapshot;
    IS_THERE(dry_world_snapshot);
}

static void contract_dry_world_restore(void) {
    dry_status (*pointer)(dry_world *world, const uint8_t *buffer, size_t count) = dry_world_restore;
    IS_THERE(dry_world_restore);
}

static void contract_dry_solver_create(void) {
    dry_status (*pointer)(dry_solver **solver) = dry_solver_create;
    IS_THERE(dry_solver_create);
}

static void contract_dry_solver_destroy(void) {
    void (*pointer)(dry_solver *solver) = dry_solver_destroy;
    IS_THERE(dry_solver_destroy);
}

static void contract_dry_solver_solve(void) {
    dry_status (*pointer)(dry_solver *solver, const dry_problem *problem, const dry_settings *settings,
        dry_solution *solution) = dry_solver_solve;
    IS_THERE(dry_solver_solve);
}

static void contract_dry_solver_correct(void) {
    dry_status (*pointer)(dry_solver *solver, const dry_problem *problem, const dry_settings *settings, const
        double *impulses, double *compatible_impulses, dry_step_report *report_or_null) = dry_solver_correct;
    IS_THERE(dry_solver_correct);
}

static void contract_dry_solver_solve_local(void) {
    dry_status (*pointer)(dry_solver *solver, const dry_local_problem *problem, const dry_settings *settings,
        double *impulses, dry_step_report *report_or_null) = dry_solver_solve_local;
    IS_THERE(dry_solver_solve_local);
}

static void contract_functions(void) {
    contract_dry_status_name();
    contract_dry_last_error();
    contract_dry_version();
    contract_dry_version_string();
    contract_dry_settings_init();
    contract_dry_world_def_init();
    contract_dry_world_create();
    contract_dry_world_destroy();
    contract_dry_world_get_settings();
    contract_dry_world_set_settings();
    contract_dry_world_set_gravity();
    contract_dry_world_step();
    contract_dry_material_def_init();
    contract_dry_material_add();
    contract_dry_pair_def_init();
    contract_dry_material_pair_set();
    contract_dry_shape_sphere();
    contract_dry_shape_box();
    contract_dry_shape_capsule();
    contract_dry_shape_cylinder();
    contract_dry_shape_half_space();
    contract_dry_shape_hull();
    contract_dry_shape_mesh();
    contract_dry_shape_remove();
    contract_dry_body_def_init();
    contract_dry_body_add();
    contract_dry_bodies_add();
    contract_dry_body_remove();
    contract_dry_query_bodies();
    contract_dry_body_get_state();
    contract_dry_body_set_state();
    contract_dry_body_get_mass();
    contract_dry_body_get_user_data();
    contract_dry_body_add_force();
    contract_dry_body_add_torque();
    contract_dry_bodies_get_states();
    contract_dry_query_contacts();
    contract_dry_query_body_force();
    contract_dry_query_energy();
    contract_dry_query_stress();
    contract_dry_world_hash();
    contract_dry_world_snapshot();
    contract_dry_world_restore();
    contract_dry_solver_create();
    contract_dry_solver_destroy();
    contract_dry_solver_solve();
    contract_dry_solver_correct();
    contract_dry_solver_solve_local();
}

#endif
