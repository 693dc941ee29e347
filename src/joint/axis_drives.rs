//! The drives along one free axis in a step: limits, motor, spring, friction, rotor inertia.

use crate::joint::axis::{AxisMode, JointAxis, MotorMode};
use crate::joint::drive::{Drive, LimitApproach, LimitSide};
use crate::joint::spring::Spring;

/// The data on which the drives of an axis depend, apart from its definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisState {
    /// Position, velocities and step, as the limits see them.
    pub approach: LimitApproach,
    /// `m_j = 1 / (g M_j^-1 g^T)`, with the locked rows of this joint eliminated from `M_j^-1` [kg] or [kg m^2].
    pub inertia: f64,
    /// The target position at the start of this step, which moves with the target velocity from substep to substep [m] or [rad].
    pub target_position: f64,
    /// What target velocities count for [-]: see `Substep::pace`.
    pub pace: f64,
    /// The force across the axis, which presses on its friction [N].
    pub load: f64,
    /// Whether the axis is the angle of a cone, which has no lower bound (see `Coordinate`).
    pub is_cone: bool,
    /// That of the rotor at the start of the step: see [`Drive::armature`] [m/s] or [rad/s].
    pub rotor_velocity: f64,
    /// Whether the step before was as long as this one, or there was none.
    pub is_steady: bool,
}

/// The rows along one axis, all on the same row `g`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AxisDrives {
    /// Holds an axis with two equal bounds.
    pub held: Option<Drive>,
    /// The lower limit.
    pub lower_limit: Option<Drive>,
    /// The upper limit.
    pub upper_limit: Option<Drive>,
    /// The motor.
    pub motor: Option<Drive>,
    /// The spring and damper.
    pub spring: Option<Drive>,
    /// Dry friction.
    pub friction: Option<Drive>,
    /// The inertia of the rotor.
    pub armature: Option<Drive>,
}

/// Returns the drives along axis `index` in a step.
///
/// A ball joint, and a general one with three free turns, has the friction of axis 5 on its three spins together. Its caller uses
/// [`JointAxis::largest_friction`] instead of the row in `friction`.
pub fn axis_drives(axis: &JointAxis, index: usize, state: &AxisState) -> AxisDrives {
    let AxisState { approach, load, is_cone, .. } = state;
    if axis.mode == AxisMode::Locked {
        return AxisDrives::default();
    }
    let [stops_below, stops_above] = stops(axis);
    let limit = |side, bound: f64, motor_stops: bool| {
        let is_held = axis.held_position().is_some();
        let bounds = axis.mode == AxisMode::Limited && bound.is_finite() && !is_held && !motor_stops;
        bounds.then(|| Drive::limit(side, bound, axis.limit_restitution, approach))
    };
    let bound = axis.largest_friction(index, *load);
    AxisDrives {
        held: axis.held_position().map(|_| Drive::held()),
        lower_limit: limit(LimitSide::Lower, if *is_cone { f64::NEG_INFINITY } else { axis.lower }, stops_below),
        upper_limit: limit(LimitSide::Upper, axis.upper, stops_above),
        motor: motor(axis, state),
        spring: spring(axis, state),
        friction: (bound > 0.0).then(|| Drive::friction(bound, approach.step)),
        armature: (axis.armature > 0.0).then(|| Drive::armature(axis.armature, state.rotor_velocity)).flatten(),
    }
}

/// Returns the row of the motor.
fn motor(axis: &JointAxis, state: &AxisState) -> Option<Drive> {
    let (forces, step) = ([axis.force_lower, axis.force_upper], state.approach.step);
    match axis.motor {
        MotorMode::Off => None,
        MotorMode::Velocity => Some(Drive::velocity_motor(velocity_target(axis, state), forces, step)),
        MotorMode::Position => {
            let spring =
                Spring::from_stiffness(axis.motor_stiffness, axis.motor_damping, state.inertia + axis.armature);
            let drive = pulled(&spring, axis, state, [state.target_position, state.pace * axis.target_velocity]);
            drive.map(|drive| drive.limited(forces, step))
        }
    }
}

/// Returns whether a velocity motor stops by itself at the lower and the upper bound of its axis. It does where nothing
/// could stop it: its force in that direction has no bound. Such a bound needs no row of its own.
fn stops(axis: &JointAxis) -> [bool; 2] {
    let drives = axis.mode == AxisMode::Limited && axis.motor == MotorMode::Velocity;
    [drives && axis.force_lower == f64::NEG_INFINITY, drives && axis.force_upper == f64::INFINITY]
}

/// Returns the velocity that a velocity motor is to reach, which is less where it stops at a bound.
fn velocity_target(axis: &JointAxis, state: &AxisState) -> f64 {
    let LimitApproach { position, step, .. } = state.approach;
    let target = state.pace * axis.target_velocity;
    let [stops_below, stops_above] = stops(axis);
    let lower = if stops_below && !state.is_cone { axis.lower } else { f64::NEG_INFINITY };
    let upper = if stops_above { axis.upper } else { f64::INFINITY };
    let [slowest, fastest] = [lower, upper].map(|bound| (bound - position) / step);
    target.max(slowest.min(0.0)).min(fastest.max(0.0))
}

/// Returns the row of the spring, or of the damper alone.
fn spring(axis: &JointAxis, state: &AxisState) -> Option<Drive> {
    match axis.spring(state.inertia + axis.armature) {
        Some(spring) => pulled(&spring, axis, state, [axis.rest, 0.0]),
        None if axis.damping > 0.0 => Drive::damper(axis.damping, 0.0, state.approach.step),
        None => None,
    }
}

/// A spring with less damping than this part of the critical one is exact only up to a certain stiffness [-].
const WELL_DAMPED: f64 = 0.7;

/// The largest `w h` of exact springs with less damping [-]. Springs that meet at a body are stable together up to a sum of `(w h)^2` of 6.
const MAX_ANGLE: f64 = 1.0;

/// Returns the row of a spring that pulls to a place that moves.
///
/// The row is exact at the ends of the steps if steps have one length, and if other springs on the same bodies cannot
/// make it unstable. Otherwise it is the compliant row, which is stable in every case.
fn pulled(spring: &Spring, axis: &JointAxis, state: &AxisState, [place, speed]: [f64; 2]) -> Option<Drive> {
    let LimitApproach { position, velocity, step, .. } = state.approach;
    let Spring { angular_frequency, ratio } = *spring;
    let inertia = state.inertia + axis.armature;
    let is_soft = ratio >= WELL_DAMPED || angular_frequency * step <= MAX_ANGLE * (1.0 + 1e-9);
    if state.is_steady && is_soft {
        return spring.node_exact(step)?.drive(inertia, position - place, velocity, speed);
    }
    let stiffness = inertia * angular_frequency * angular_frequency;
    let damping = 2.0 * ratio * angular_frequency * inertia;
    let drive = Drive::compliant_spring([stiffness, damping], position - place, velocity - speed, step)?;
    Some(Drive { bias: drive.bias - speed, ..drive })
}
