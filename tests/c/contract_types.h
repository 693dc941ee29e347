/*
 * Every constant, type and member of the interface's contract, by name and exact type: for a C and a C++ host. A name
 * that is missing or has another type does not compile; a number that differs is counted.
 */
#ifndef CONTRACT_TYPES_H
#define CONTRACT_TYPES_H

#include <drystone.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The number of the recorded header. */
#ifndef RECORD
#define RECORD 8
#endif

static int contract_failures = 0;

static void expect_number(const char *name, unsigned long found, unsigned long expected) {
    if (found != expected) {
        printf("%s is %lu, expected %lu\n", name, found, expected);
        contract_failures += 1;
    }
}

#define NUMBER(name, expected) expect_number(#name, (unsigned long)(name), expected)

static void contract_constants(void) {
    NUMBER(DRY_OK, 0);
    NUMBER(DRY_ERR_NULL, 1);
    NUMBER(DRY_ERR_ABI, 2);
    NUMBER(DRY_ERR_ARGUMENT, 3);
    NUMBER(DRY_ERR_NOT_FINITE, 4);
    NUMBER(DRY_ERR_STALE_HANDLE, 5);
    NUMBER(DRY_ERR_CAPACITY, 6);
    NUMBER(DRY_ERR_UNSUPPORTED, 7);
    NUMBER(DRY_ERR_NOT_CONVERGED, 8);
    NUMBER(DRY_ERR_FORMAT, 9);
    NUMBER(DRY_ERR_IO, 10);
    NUMBER(DRY_ERR_BUSY, 11);
    NUMBER(DRY_ERR_INTERNAL, 12);
    NUMBER(DRY_ERR_MEMORY, 13);
    NUMBER(DRY_METHOD_RIGID, 0);
    NUMBER(DRY_METHOD_SPOOK, 1);
    NUMBER(DRY_METHOD_THETA, 2);
    NUMBER(DRY_SOLVER_PGS, 0);
    NUMBER(DRY_SOLVER_PGS_ACCELERATED, 1);
    NUMBER(DRY_SOLVER_NEWTON, 2);
    NUMBER(DRY_SOLVER_APGD, 3);
    NUMBER(DRY_SOLVER_CONIC, 4);
    NUMBER(DRY_SWEEP_COLORED, 0);
    NUMBER(DRY_SWEEP_NATURAL, 1);
    NUMBER(DRY_SWEEP_SYMMETRIC, 2);
    NUMBER(DRY_SWEEP_RANDOM, 3);
    NUMBER(DRY_LOCAL_BLOCK, 0);
    NUMBER(DRY_LOCAL_ROWS, 1);
    NUMBER(DRY_WARM_OFF, 0);
    NUMBER(DRY_WARM_HISTORY, 1);
    NUMBER(DRY_WARM_MODEL, 2);
    NUMBER(DRY_WARM_NORMALS, 3);
    NUMBER(DRY_WARM_HISTORY_NO_VELOCITY, 4);
    NUMBER(DRY_WARM_GUARDED, 5);
    NUMBER(DRY_WARM_COMPATIBLE, 6);
    NUMBER(DRY_FRICTION_COULOMB, 0);
    NUMBER(DRY_FRICTION_ASSOCIATED, 1);
    NUMBER(DRY_FRICTION_BOX, 2);
    NUMBER(DRY_PROJECTION_OFF, 0);
    NUMBER(DRY_PROJECTION_STICK, 1);
    NUMBER(DRY_COMPATIBILITY_OFF, 0);
    NUMBER(DRY_COMPATIBILITY_HOOKE, 1);
    NUMBER(DRY_COMPATIBILITY_HERTZ, 2);
    NUMBER(DRY_COMPATIBILITY_POWER, 3);
    NUMBER(DRY_COMPATIBLE_FRICTION_OFF, 0);
    NUMBER(DRY_COMPATIBLE_FRICTION_ASSOCIATED, 1);
    NUMBER(DRY_COMPATIBLE_FRICTION_ELASTIC, 2);
    NUMBER(DRY_STATIC, 0);
    NUMBER(DRY_KINEMATIC, 1);
    NUMBER(DRY_DYNAMIC, 2);
    NUMBER(DRY_REPORT_NOT_CONVERGED, 1u);
    NUMBER(DRY_REPORT_PROJECTION_REJECTED, 2u);
    NUMBER(DRY_REPORT_COMPATIBILITY_INFEASIBLE, 4u);
    NUMBER(DRY_REPORT_COMPATIBILITY_NOT_CONVERGED, 8u);
#if RECORD >= 7
    NUMBER(DRY_REPORT_FALLBACK, 16u);
    NUMBER(DRY_REPORT_COMPATIBILITY_NOT_UNIQUE, 32u);
    NUMBER(DRY_REPORT_INFEASIBLE, 64u);
#endif
    NUMBER(DRY_LOCK_X, 1u);
    NUMBER(DRY_LOCK_Y, 2u);
    NUMBER(DRY_LOCK_Z, 4u);
    NUMBER(DRY_LOCK_ROTATION_X, 8u);
    NUMBER(DRY_LOCK_ROTATION_Y, 16u);
    NUMBER(DRY_LOCK_ROTATION_Z, 32u);
    NUMBER(DRY_CONTACT_ACTIVE, 1u);
    NUMBER(DRY_CONTACT_SLIDING, 2u);
    NUMBER(DRY_CONTACT_ROLLING, 4u);
    NUMBER(DRY_CONTACT_NEW, 8u);
}

/*
 * A pointer to a member has the contract's type; members lie in the contract's order, without gaps. What the library
 * adds follows behind them: ADDED with the second recorded header, ADDED_3 with the third, ADDED_4 with the fourth, ADDED_5 with
 * the fifth, ADDED_6 with the sixth, ADDED_7 and ADDED_ARRAY_7 with the seventh. Hosts compiled against an older one, whose number is
 * RECORD, do not see it.
 */
#if RECORD >= 2
#define ADDED(type, member) MEMBER(type, member)
#else
#define ADDED(type, member) ((void)0)
#endif
#if RECORD >= 3
#define ADDED_3(type, member) MEMBER(type, member)
#else
#define ADDED_3(type, member) ((void)0)
#endif
#if RECORD >= 4
#define ADDED_4(type, member) MEMBER(type, member)
#define RENAMED_4(old, member) member
#else
#define ADDED_4(type, member) ((void)0)
#define RENAMED_4(old, member) old
#endif
#if RECORD >= 5
#define ADDED_5(type, member) MEMBER(type, member)
#else
#define ADDED_5(type, member) ((void)0)
#endif
#if RECORD >= 6
#define ADDED_6(type, member) MEMBER(type, member)
#else
#define ADDED_6(type, member) ((void)0)
#endif
#if RECORD >= 7
#define ADDED_7(type, member) MEMBER(type, member)
#define ADDED_ARRAY_7(type, member, length) ARRAY(type, member, length)
#else
#define ADDED_7(type, member) ((void)0)
#define ADDED_ARRAY_7(type, member, length) ((void)0)
#endif
#if RECORD >= 8
#define ADDED_ARRAY_8(type, member, length) ARRAY(type, member, length)
#else
#define ADDED_ARRAY_8(type, member, length) ((void)0)
#endif
#define BEGIN(structure) \
    structure x;         \
    const char *name = #structure; \
    unsigned long end = 0
#define PLACE(member)                                                                       \
    expect_number(#member, (unsigned long)((const char *)pointer - (const char *)&x), end); \
    end += sizeof x.member
#define MEMBER(type, member)      \
    do {                          \
        type *pointer = &x.member; \
        PLACE(member);            \
    } while (0)
#define ARRAY(type, member, length)         \
    do {                                    \
        type(*pointer)[length] = &x.member; \
        PLACE(member);                      \
    } while (0)
#define END                            \
    expect_number(name, sizeof x, end); \
    printf("%s %lu\n", name, end)

static void contract_dry_settings(void) {
    BEGIN(dry_settings);
    MEMBER(size_t, struct_size);
    MEMBER(dry_method, method);
    MEMBER(dry_solver_kind, solver);
    MEMBER(dry_sweep, sweep);
    MEMBER(dry_local_solver, local_solver);
    MEMBER(dry_warm_start, warm_start);
    MEMBER(dry_friction_law, friction_law);
    MEMBER(dry_projection, projection);
    MEMBER(dry_compatibility, compatibility);
    MEMBER(dry_compatible_friction, compatible_friction);
    MEMBER(uint32_t, iterations);
    MEMBER(uint32_t, projection_passes);
    MEMBER(uint32_t, position_projection);
    MEMBER(uint32_t, sleeping);
    MEMBER(uint32_t, require_convergence);
    MEMBER(uint64_t, seed);
    MEMBER(double, tolerance);
    MEMBER(double, relaxation);
    MEMBER(double, warm_start_factor);
    MEMBER(double, theta);
    MEMBER(double, compatibility_exponent);
    MEMBER(double, compatibility_tolerance);
    MEMBER(double, tangential_stiffness);
    MEMBER(double, contact_margin);
    MEMBER(double, push_out_velocity);
    MEMBER(double, restitution_threshold);
    ADDED(uint32_t, newton_limit);
    ADDED(uint32_t, RENAMED_4(reserved, substeps));
    ADDED_6(dry_joint_solver, joint_solver);
    ADDED_6(uint32_t, joint_aim);
    ADDED_7(dry_contact_law, contact_law);
    ADDED_7(uint32_t, diagnostics);
    ADDED_7(double, spook_relaxation);
    ADDED_7(double, regularisation);
    END;
}

static void contract_dry_world_def(void) {
    BEGIN(dry_world_def);
    MEMBER(size_t, struct_size);
    MEMBER(const dry_settings *, settings);
    ARRAY(double, gravity, 3);
    MEMBER(uint32_t, threads);
    MEMBER(uint32_t, reserved);
    ADDED_4(const dry_task_callbacks *, tasks);
    ADDED_ARRAY_7(double, period, 3);
    END;
}

#if RECORD >= 4
static void contract_dry_task_callbacks(void) {
    BEGIN(dry_task_callbacks);
    MEMBER(size_t, struct_size);
    MEMBER(void *, user_data);
    MEMBER(dry_task_run, run_task);
    MEMBER(dry_task_wait, wait);
    MEMBER(uint32_t, worker_count);
    MEMBER(uint32_t, reserved);
    END;
}
#endif

static void contract_dry_step_report(void) {
    BEGIN(dry_step_report);
    MEMBER(size_t, struct_size);
    MEMBER(uint32_t, flags);
    MEMBER(uint32_t, bodies);
    MEMBER(uint32_t, awake_bodies);
    MEMBER(uint32_t, islands);
    MEMBER(uint32_t, contacts);
    MEMBER(uint32_t, new_contacts);
    MEMBER(uint32_t, iterations);
    MEMBER(uint32_t, projection_passes);
    MEMBER(uint32_t, compatibility_iterations);
    MEMBER(uint32_t, reserved);
    MEMBER(uint64_t, worst_contact);
    MEMBER(double, residual_max);
    MEMBER(double, residual_mean);
    MEMBER(double, solver_residual);
    MEMBER(double, compatibility_residual);
    MEMBER(double, max_overlap);
    MEMBER(double, kinetic_energy);
    MEMBER(double, potential_energy);
    MEMBER(double, seconds_detect);
    MEMBER(double, seconds_assemble);
    MEMBER(double, seconds_impact);
    MEMBER(double, seconds_solve);
    MEMBER(double, seconds_project);
    MEMBER(double, seconds_compatibility);
    MEMBER(double, seconds_integrate);
    MEMBER(double, seconds_total);
    ADDED(uint32_t, projected_islands);
    ADDED(uint32_t, rejected_islands);
    ADDED_3(uint32_t, infeasible_islands);
    ADDED_3(uint32_t, associated_islands);
    ADDED_3(uint32_t, closed_contacts);
    ADDED_3(uint32_t, contacts_beyond_friction);
    ADDED_3(double, closing_velocity);
    ADDED_6(uint32_t, joints);
    ADDED_6(uint32_t, unaimed_mechanisms);
    ADDED_6(dry_joint, worst_joint);
    ADDED_6(double, joint_residual);
    ADDED_6(double, joint_error);
    ADDED_6(double, joint_stiffness);
    ADDED_6(double, seconds_joints);
    ADDED_7(double, residual_normal);
    ADDED_7(double, residual_friction);
    ADDED_7(double, residual_rolling);
    ADDED_7(double, elastic_energy);
    ADDED_7(double, friction_loss);
    ADDED_7(double, rolling_loss);
    ADDED_7(double, impact_loss);
    ADDED_7(double, damping_loss);
    ADDED_7(double, wall_work);
    ADDED_7(double, joint_work);
    ADDED_7(double, force_work);
    ADDED_7(double, numerical_energy);
    END;
}

static void contract_dry_material_def(void) {
    BEGIN(dry_material_def);
    MEMBER(size_t, struct_size);
    MEMBER(double, friction);
    MEMBER(double, rolling_friction);
    MEMBER(double, twisting_friction);
    MEMBER(double, restitution);
    MEMBER(double, young_modulus);
    MEMBER(double, poisson_ratio);
    MEMBER(double, density);
    MEMBER(uint64_t, user_data);
    ADDED_7(double, contact_damping);
    ADDED_7(double, normal_stiffness);
    ADDED_7(double, tangential_stiffness);
    END;
}

static void contract_dry_pair_def(void) {
    BEGIN(dry_pair_def);
    MEMBER(size_t, struct_size);
    MEMBER(double, friction);
    MEMBER(double, rolling_friction);
    MEMBER(double, twisting_friction);
    MEMBER(double, restitution);
    MEMBER(double, stiffness);
    ADDED_7(double, contact_stiffness);
    ADDED_7(double, contact_damping);
    ADDED_7(double, normal_stiffness);
    ADDED_7(double, tangential_stiffness);
    END;
}

static void contract_dry_body_def(void) {
    BEGIN(dry_body_def);
    MEMBER(size_t, struct_size);
    MEMBER(dry_body_kind, kind);
    MEMBER(uint32_t, lock);
    MEMBER(dry_shape, shape);
    MEMBER(dry_material, material);
    ARRAY(double, position, 3);
    ARRAY(double, rotation, 4);
    ARRAY(double, linear_velocity, 3);
    ARRAY(double, angular_velocity, 3);
    MEMBER(double, mass);
    ARRAY(double, center_of_mass, 3);
    ARRAY(double, inertia, 6);
    MEMBER(double, gravity_scale);
    MEMBER(double, linear_damping);
    MEMBER(double, angular_damping);
    MEMBER(uint32_t, filter_category);
    MEMBER(uint32_t, filter_mask);
    MEMBER(int32_t, filter_group);
    MEMBER(uint32_t, reserved);
    MEMBER(uint64_t, user_data);
    END;
}

static void contract_dry_body_state(void) {
    BEGIN(dry_body_state);
    ARRAY(double, position, 3);
    ARRAY(double, rotation, 4);
    ARRAY(double, linear_velocity, 3);
    ARRAY(double, angular_velocity, 3);
    END;
}

static void contract_dry_contact(void) {
    BEGIN(dry_contact);
    MEMBER(dry_body, body_a);
    MEMBER(dry_body, body_b);
    MEMBER(uint64_t, key);
    ARRAY(double, point, 3);
    ARRAY(double, normal, 3);
    MEMBER(double, gap);
    MEMBER(double, normal_force);
    ARRAY(double, friction_force, 3);
    ARRAY(double, rolling_torque, 3);
    MEMBER(double, compatible_normal_force);
    ARRAY(double, compatible_friction_force, 3);
    ARRAY(double, relative_velocity, 3);
    MEMBER(double, friction);
    MEMBER(double, stiffness);
    MEMBER(uint32_t, state);
    MEMBER(uint32_t, reserved);
    ADDED_ARRAY_8(double, impact_force, 3);
    END;
}

static void contract_dry_problem_body(void) {
    BEGIN(dry_problem_body);
    MEMBER(double, inverse_mass);
    ARRAY(double, inverse_inertia, 6);
    ARRAY(double, velocity, 3);
    ARRAY(double, angular_velocity, 3);
    END;
}

static void contract_dry_problem_contact(void) {
    BEGIN(dry_problem_contact);
    MEMBER(uint64_t, key);
    MEMBER(uint32_t, body_a);
    MEMBER(uint32_t, body_b);
    ARRAY(double, normal, 3);
    ARRAY(double, arm_a, 3);
    ARRAY(double, arm_b, 3);
    MEMBER(double, normal_bias);
    ARRAY(double, surface_velocity, 3);
    MEMBER(double, normal_compliance);
    MEMBER(double, tangential_compliance);
    MEMBER(double, friction);
    MEMBER(double, rolling);
    MEMBER(double, twisting);
    MEMBER(double, stiffness);
    END;
}

static void contract_dry_problem_row(void) {
    BEGIN(dry_problem_row);
    MEMBER(uint64_t, key);
    MEMBER(uint32_t, body_a);
    MEMBER(uint32_t, body_b);
    ARRAY(double, jacobian_a, 6);
    ARRAY(double, jacobian_b, 6);
    MEMBER(double, rhs);
    MEMBER(double, compliance);
    MEMBER(double, lower);
    MEMBER(double, upper);
    MEMBER(int32_t, friction_row);
    MEMBER(uint32_t, reserved);
    END;
}

static void contract_dry_problem(void) {
    BEGIN(dry_problem);
    MEMBER(size_t, struct_size);
    MEMBER(double, step);
    MEMBER(const dry_problem_body *, bodies);
    MEMBER(size_t, body_count);
    MEMBER(const dry_problem_contact *, contacts);
    MEMBER(size_t, contact_count);
    MEMBER(const dry_problem_row *, rows);
    MEMBER(size_t, row_count);
    END;
}

static void contract_dry_contact_solution(void) {
    BEGIN(dry_contact_solution);
    ARRAY(double, impulse, 3);
    MEMBER(double, normal_impulse);
    ARRAY(double, torque_impulse, 3);
    ARRAY(double, compatible_impulse, 3);
    MEMBER(double, residual);
    MEMBER(uint32_t, state);
    MEMBER(uint32_t, reserved);
    END;
}

static void contract_dry_solution(void) {
    BEGIN(dry_solution);
    MEMBER(size_t, struct_size);
    MEMBER(double *, velocities);
    MEMBER(dry_contact_solution *, contacts);
    MEMBER(double *, row_impulses);
    MEMBER(dry_step_report *, report);
    ADDED_5(double *, compatible_row_impulses);
    END;
}

static void contract_dry_local_problem(void) {
    BEGIN(dry_local_problem);
    MEMBER(size_t, struct_size);
    MEMBER(size_t, contact_count);
    MEMBER(uint32_t, dimension);
    MEMBER(uint32_t, reserved);
    MEMBER(const uint32_t *, row_offsets);
    MEMBER(const uint32_t *, columns);
    MEMBER(const double *, blocks);
    MEMBER(const double *, q);
    MEMBER(const double *, friction);
    MEMBER(const double *, rolling);
    END;
}

static void contract_types(void) {
    NUMBER(sizeof(dry_material), sizeof(uint64_t));
    NUMBER(sizeof(dry_shape), sizeof(uint64_t));
    NUMBER(sizeof(dry_body), sizeof(uint64_t));
    NUMBER(sizeof(dry_joint), sizeof(uint64_t));
    contract_dry_settings();
    contract_dry_world_def();
#if RECORD >= 4
    contract_dry_task_callbacks();
#endif
    contract_dry_step_report();
    contract_dry_material_def();
    contract_dry_pair_def();
    contract_dry_body_def();
    contract_dry_body_state();
    contract_dry_contact();
    contract_dry_problem_body();
    contract_dry_problem_contact();
    contract_dry_problem_row();
    contract_dry_problem();
    contract_dry_contact_solution();
    contract_dry_solution();
    contract_dry_local_problem();
}

#endif
