/*
 * Joints in the contract: every constant, type, member and function, for hosts of the sixth recorded header and later.
 */
#ifndef CONTRACT_JOINTS_H
#define CONTRACT_JOINTS_H

#include "contract_functions.h"
#include "contract_types.h"

static void contract_joint_constants(void) {
    NUMBER(DRY_JOINT_COLLIDE, 1);
    NUMBER(DRY_JOINT_AT_LOWER, 2);
    NUMBER(DRY_JOINT_AT_UPPER, 4);
    NUMBER(DRY_JOINT_SATURATED, 8);
    NUMBER(DRY_JOINT_STICKING, 16);
    NUMBER(DRY_JOINT_BROKEN, 32);
    NUMBER(DRY_JOINT_DISABLED, 64);
    NUMBER(DRY_JOINT_BALL, 0);
    NUMBER(DRY_JOINT_HINGE, 1);
    NUMBER(DRY_JOINT_SLIDER, 2);
    NUMBER(DRY_JOINT_FIXED, 3);
    NUMBER(DRY_JOINT_DISTANCE, 4);
    NUMBER(DRY_JOINT_UNIVERSAL, 5);
    NUMBER(DRY_JOINT_CYLINDRICAL, 6);
    NUMBER(DRY_JOINT_PLANAR, 7);
    NUMBER(DRY_JOINT_GENERAL, 8);
    NUMBER(DRY_JOINT_MODE_FREE, 0);
    NUMBER(DRY_JOINT_MODE_LOCKED, 1);
    NUMBER(DRY_JOINT_MODE_LIMITED, 2);
    NUMBER(DRY_JOINT_MOTOR_OFF, 0);
    NUMBER(DRY_JOINT_MOTOR_VELOCITY, 1);
    NUMBER(DRY_JOINT_MOTOR_POSITION, 2);
    NUMBER(DRY_JOINT_EVENT_BROKEN, 0);
    NUMBER(DRY_JOINT_EVENT_LIMIT, 1);
}

static void contract_dry_joint_def(void) {
    BEGIN(dry_joint_def);
    MEMBER(size_t, struct_size);
    MEMBER(dry_joint_kind, kind);
    MEMBER(uint32_t, flags);
    MEMBER(dry_body, body_a);
    MEMBER(dry_body, body_b);
    ARRAY(double, point_a, 3);
    ARRAY(double, rotation_a, 4);
    ARRAY(double, point_b, 3);
    ARRAY(double, rotation_b, 4);
    MEMBER(double, length_min);
    MEMBER(double, length_max);
    MEMBER(double, linear_compliance);
    MEMBER(double, angular_compliance);
    MEMBER(double, relaxation);
    MEMBER(double, break_force);
    MEMBER(double, break_torque);
    MEMBER(double, break_impulse);
    MEMBER(uint64_t, user_data);
    END;
}

static void contract_dry_joint_axis(void) {
    BEGIN(dry_joint_axis);
    MEMBER(size_t, struct_size);
    MEMBER(dry_joint_mode, mode);
    MEMBER(dry_joint_motor, motor);
    MEMBER(double, lower);
    MEMBER(double, upper);
    MEMBER(double, limit_restitution);
    MEMBER(double, frequency);
    MEMBER(double, ratio);
    MEMBER(double, stiffness);
    MEMBER(double, damping);
    MEMBER(double, rest);
    MEMBER(double, target_position);
    MEMBER(double, target_velocity);
    MEMBER(double, motor_stiffness);
    MEMBER(double, motor_damping);
    MEMBER(double, force_lower);
    MEMBER(double, force_upper);
    MEMBER(double, friction);
    MEMBER(double, friction_coefficient);
    MEMBER(double, friction_radius);
    MEMBER(double, armature);
    END;
}

static void contract_dry_joint_state(void) {
    BEGIN(dry_joint_state);
    ARRAY(double, position, 6);
    ARRAY(double, velocity, 6);
    ARRAY(double, force, 3);
    ARRAY(double, torque, 3);
    ARRAY(double, motor_force, 6);
    ARRAY(double, limit_force, 6);
    ARRAY(double, spring_force, 6);
    ARRAY(double, friction_force, 6);
    MEMBER(double, linear_error);
    MEMBER(double, angular_error);
    ARRAY(uint32_t, axis_flags, 6);
    MEMBER(uint32_t, flags);
    MEMBER(uint32_t, reserved);
    END;
}

static void contract_dry_joint_event(void) {
    BEGIN(dry_joint_event);
    MEMBER(dry_joint, joint);
    MEMBER(dry_joint_event_type, type);
    MEMBER(uint32_t, axis);
    END;
}

static void contract_dry_joint_def_init(void) {
    dry_status (*pointer)(dry_joint_def *def, size_t size, dry_joint_kind kind) = dry_joint_def_init;
    IS_THERE(dry_joint_def_init);
}

static void contract_dry_joint_def_place(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint_def *def, const double *point, const double *axis,
        const double *reference_or_null) = dry_joint_def_place;
    IS_THERE(dry_joint_def_place);
}

static void contract_dry_joint_def_place_points(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint_def *def, const double *point_a,
        const double *point_b) = dry_joint_def_place_points;
    IS_THERE(dry_joint_def_place_points);
}

static void contract_dry_joint_axis_init(void) {
    dry_status (*pointer)(dry_joint_axis *axis, size_t size) = dry_joint_axis_init;
    IS_THERE(dry_joint_axis_init);
}

static void contract_dry_joint_add(void) {
    dry_status (*pointer)(dry_world *world, const dry_joint_def *def, dry_joint *joint) = dry_joint_add;
    IS_THERE(dry_joint_add);
}

static void contract_dry_joints_add(void) {
    dry_status (*pointer)(dry_world *world, const dry_joint_def *defs, size_t count,
        dry_joint *joints) = dry_joints_add;
    IS_THERE(dry_joints_add);
}

static void contract_dry_joint_remove(void) {
    dry_status (*pointer)(dry_world *world, dry_joint joint) = dry_joint_remove;
    IS_THERE(dry_joint_remove);
}

static void contract_dry_joint_set_axis(void) {
    dry_status (*pointer)(dry_world *world, dry_joint joint, uint32_t index,
        const dry_joint_axis *axis) = dry_joint_set_axis;
    IS_THERE(dry_joint_set_axis);
}

static void contract_dry_joint_set_target(void) {
    dry_status (*pointer)(dry_world *world, dry_joint joint, uint32_t index, double position,
        double velocity) = dry_joint_set_target;
    IS_THERE(dry_joint_set_target);
}

static void contract_dry_joints_set_targets(void) {
    dry_status (*pointer)(dry_world *world, const dry_joint *joints, const uint32_t *indices, size_t count,
        const double *positions_or_null, const double *velocities_or_null) = dry_joints_set_targets;
    IS_THERE(dry_joints_set_targets);
}

static void contract_dry_joint_set_frames(void) {
    dry_status (*pointer)(dry_world *world, dry_joint joint, const dry_joint_def *def) = dry_joint_set_frames;
    IS_THERE(dry_joint_set_frames);
}

static void contract_dry_joint_set_enabled(void) {
    dry_status (*pointer)(dry_world *world, dry_joint joint, uint32_t enabled) = dry_joint_set_enabled;
    IS_THERE(dry_joint_set_enabled);
}

static void contract_dry_query_joints(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint *joints, size_t capacity,
        size_t *count) = dry_query_joints;
    IS_THERE(dry_query_joints);
}

static void contract_dry_query_body_joints(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, dry_joint *joints, size_t capacity,
        size_t *count) = dry_query_body_joints;
    IS_THERE(dry_query_body_joints);
}

static void contract_dry_joint_get_def(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint joint, dry_joint_def *def,
        size_t size) = dry_joint_get_def;
    IS_THERE(dry_joint_get_def);
}

static void contract_dry_joint_get_axis(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint joint, uint32_t index, dry_joint_axis *axis,
        size_t size) = dry_joint_get_axis;
    IS_THERE(dry_joint_get_axis);
}

static void contract_dry_joint_get_state(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint joint, dry_joint_state *state,
        size_t size) = dry_joint_get_state;
    IS_THERE(dry_joint_get_state);
}

static void contract_dry_joints_get_states(void) {
    dry_status (*pointer)(const dry_world *world, const dry_joint *joints_or_null, size_t count,
        dry_joint_state *states, size_t size) = dry_joints_get_states;
    IS_THERE(dry_joints_get_states);
}

static void contract_dry_query_body_joint_force(void) {
    dry_status (*pointer)(const dry_world *world, dry_body body, double *force,
        double *torque) = dry_query_body_joint_force;
    IS_THERE(dry_query_body_joint_force);
}

static void contract_dry_query_joint_events(void) {
    dry_status (*pointer)(const dry_world *world, dry_joint_event *events, size_t capacity,
        size_t *count) = dry_query_joint_events;
    IS_THERE(dry_query_joint_events);
}

static void contract_joints(void) {
    contract_joint_constants();
    contract_dry_joint_def();
    contract_dry_joint_axis();
    contract_dry_joint_state();
    contract_dry_joint_event();
    contract_dry_joint_def_init();
    contract_dry_joint_def_place();
    contract_dry_joint_def_place_points();
    contract_dry_joint_axis_init();
    contract_dry_joint_add();
    contract_dry_joints_add();
    contract_dry_joint_remove();
    contract_dry_joint_set_axis();
    contract_dry_joint_set_target();
    contract_dry_joints_set_targets();
    contract_dry_joint_set_frames();
    contract_dry_joint_set_enabled();
    contract_dry_query_joints();
    contract_dry_query_body_joints();
    contract_dry_joint_get_def();
    contract_dry_joint_get_axis();
    contract_dry_joint_get_state();
    contract_dry_joints_get_states();
    contract_dry_query_body_joint_force();
    contract_dry_query_joint_events();
}

#endif
