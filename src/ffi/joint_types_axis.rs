//! One axis of a joint, and what a joint carried.

use std::mem::MaybeUninit;

use crate::error::{Error, Result, text};
use crate::joint::{AxisMode, JointAxis, JointKind, MotorMode};
use crate::world::JointReading;

use super::joint_types::{
    DRY_JOINT_AT_LOWER, DRY_JOINT_AT_UPPER, DRY_JOINT_BROKEN, DRY_JOINT_DISABLED, DRY_JOINT_REDUNDANT,
    DRY_JOINT_SATURATED, DRY_JOINT_STICKING, DRY_JOINT_UNAIMED,
};
use super::structure::{number, numbered, recorded, same_members, structure};

/// Whether an axis of a joint may move.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_joint_mode {
    /// Without bounds.
    DRY_JOINT_MODE_FREE = 0,
    /// Not at all, without motor and spring. Only axes of DRY_JOINT_GENERAL can be locked by their mode.
    DRY_JOINT_MODE_LOCKED = 1,
    /// From lower to upper.
    DRY_JOINT_MODE_LIMITED = 2,
}

/// What the motor of an axis does, with a force from force_lower to force_upper.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_joint_motor {
    /// Nothing.
    DRY_JOINT_MOTOR_OFF = 0,
    /// It brings the axis to target_velocity within a step, as far as its force allows. target_position has no effect.
    DRY_JOINT_MOTOR_VELOCITY = 1,
    /// It pulls the axis to target_position as a spring of motor_stiffness and a damper of motor_damping, which acts on
    /// the velocity relative to target_velocity.
    DRY_JOINT_MOTOR_POSITION = 2,
}

/// A free axis of a joint: bounds, motor, spring, dry friction, rotor. Filled in by dry_joint_axis_init; grows at its
/// end.
///
/// Where two units stand, the first one is that of displacements (axes 0 to 2), the second one that of turns (axes 3
/// to 5). Forces are those on body B; they are positive where they let the position grow. A spring and a motor of
/// DRY_JOINT_MOTOR_POSITION act together.
///
/// Where no turn is locked, as in a ball, the friction of axis 5 is that of all turns together. Its bound limits the
/// length of the torque, whatever its direction, and the load is the whole force of the joint. Axes 3 and 4 have no
/// friction then.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_joint_axis {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Default DRY_JOINT_MODE_FREE.
    pub mode: MaybeUninit<dry_joint_mode>,
    /// Default DRY_JOINT_MOTOR_OFF.
    pub motor: MaybeUninit<dry_joint_motor>,
    /// Least position of DRY_JOINT_MODE_LIMITED, below INFINITY [m] or [rad]. Default -INFINITY. Two equal bounds hold
    /// the axis. Of the cone of a ball: 0 or less.
    pub lower: f64,
    /// Largest position of DRY_JOINT_MODE_LIMITED, not below lower [m] or [rad]. Default INFINITY. Of the cone of a
    /// ball: above 0.
    pub upper: f64,
    /// Speed after an impact on a bound over that before, 0 to 1 [-]. Default 0.
    pub limit_restitution: f64,
    /// Natural frequency of the spring without damping, with the mass of both bodies along the axis, 0 or above [Hz].
    /// Default 0: stiffness and damping define the spring.
    pub frequency: f64,
    /// Of a spring with a frequency: its damping as a part of the critical one, 0 or above [-]. Default 0.
    pub ratio: f64,
    /// Of the spring where frequency is 0; 0 or above [N/m] or [N m/rad]. Default 0.
    pub stiffness: f64,
    /// Of the spring where frequency is 0, or of a damper alone; 0 or above [N s/m] or [N m s/rad]. Default 0.
    pub damping: f64,
    /// The position at which the spring has no force [m] or [rad]. Default 0.
    pub rest: f64,
    /// Of DRY_JOINT_MOTOR_POSITION [m] or [rad]. Default 0. It stays until it is set again; target_velocity does not
    /// change it.
    pub target_position: f64,
    /// Of DRY_JOINT_MOTOR_VELOCITY: the velocity of the axis. Of DRY_JOINT_MOTOR_POSITION: that of the target [m/s] or
    /// [rad/s]. Default 0.
    pub target_velocity: f64,
    /// Of DRY_JOINT_MOTOR_POSITION, above 0 there [N/m] or [N m/rad]. Default 0.
    pub motor_stiffness: f64,
    /// Of DRY_JOINT_MOTOR_POSITION, 0 or above [N s/m] or [N m s/rad]. Default 0.
    pub motor_damping: f64,
    /// Least force of the motor on body B, below INFINITY [N] or [N m]. Default -INFINITY.
    pub force_lower: f64,
    /// Largest force of the motor on body B, not below force_lower [N] or [N m]. Default INFINITY.
    pub force_upper: f64,
    /// Dry friction without load, 0 or above [N] or [N m]. Default 0.
    pub friction: f64,
    /// Friction over the load, 0 or above [-]. Default 0. The load is the force of the joint across this axis of frame A
    /// in the substep before. It adds load times this to the bound of the friction; on turns times friction_radius.
    pub friction_coefficient: f64,
    /// Of turns: the distance from the axis at which the load rubs, 0 or above [m]. Default 0. Displacements have none.
    pub friction_radius: f64,
    /// Mass or inertia of a rotor that moves with the axis and with no body, 0 or above [kg] or [kg m^2]. Default 0.
    pub armature: f64,
}

structure!(dry_joint_axis);

impl Default for dry_joint_axis {
    fn default() -> Self {
        Self::from(&JointAxis::new(JointKind::Hinge))
    }
}

impl From<&JointAxis> for dry_joint_axis {
    fn from(axis: &JointAxis) -> Self {
        same_members! { axis {
            lower, upper, limit_restitution, frequency, ratio, stiffness, damping, rest, target_position,
            target_velocity, motor_stiffness, motor_damping, force_lower, force_upper, friction, friction_coefficient,
            friction_radius, armature,
        } into Self {
            struct_size: size_of::<Self>(),
            mode: numbered(axis.mode as u32),
            motor: numbered(axis.motor as u32),
        } }
    }
}

impl dry_joint_axis {
    /// The axis behind the numbers. Ranges the world checks.
    pub(super) fn checked(&self) -> Result<JointAxis> {
        Ok(same_members! { self {
            lower, upper, limit_restitution, frequency, ratio, stiffness, damping, rest, target_position,
            target_velocity, motor_stiffness, motor_damping, force_lower, force_upper, friction, friction_coefficient,
            friction_radius, armature,
        } into JointAxis { mode: mode(number(self.mode))?, motor: motor(number(self.motor))? } })
    }
}

fn mode(number: u32) -> Result<AxisMode> {
    match number {
        0 => Ok(AxisMode::Free),
        1 => Ok(AxisMode::Locked),
        2 => Ok(AxisMode::Limited),
        _ => Err(Error::argument(text!("mode is {number}, expected a DRY_JOINT_MODE_ constant"))),
    }
}

fn motor(number: u32) -> Result<MotorMode> {
    match number {
        0 => Ok(MotorMode::Off),
        1 => Ok(MotorMode::Velocity),
        2 => Ok(MotorMode::Position),
        _ => Err(Error::argument(text!("motor is {number}, expected a DRY_JOINT_MOTOR_ constant"))),
    }
}

/// The position of a joint, and the forces that it carried in the last step. Grows at its end:
/// sizeof(dry_joint_state) goes to dry_joint_get_state and dry_joints_get_states as a parameter.
///
/// Forces are those on body B, averaged over the step; body A receives the opposite force. Positions and velocities
/// are the present ones, and 0 for axes that the joint locks. A removed joint has no forces any more.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_joint_state {
    /// Along each axis [m] or [rad].
    pub position: [f64; 6],
    /// Along each axis, of body B relative to body A [m/s] or [rad/s].
    pub velocity: [f64; 6],
    /// Of the whole joint, its motors, bounds, springs and friction included, on body B, world axes [N].
    pub force: [f64; 3],
    /// Of the whole joint on body B, about the origin of frame B at the start of the step, world axes [N m].
    pub torque: [f64; 3],
    /// Of the motor and the rotor of each axis [N] or [N m].
    pub motor_force: [f64; 6],
    /// Of the bounds of each axis [N] or [N m].
    pub limit_force: [f64; 6],
    /// Of the spring of each axis [N] or [N m].
    pub spring_force: [f64; 6],
    /// Of the dry friction of each axis [N] or [N m]. Where no turn is locked, elements 3, 4, 5 are the parts of its
    /// torque along x, y, z of frame A.
    pub friction_force: [f64; 6],
    /// Largest error of the locked displacements, or of the bounds of a distance [m].
    pub linear_error: f64,
    /// Largest error of the locked turns [rad].
    pub angular_error: f64,
    /// DRY_JOINT_ bits: DRY_JOINT_AT_LOWER, AT_UPPER, SATURATED, STICKING of each axis.
    pub axis_flags: [u32; 6],
    /// DRY_JOINT_ bits: DRY_JOINT_BROKEN, DISABLED, REDUNDANT, UNAIMED.
    pub flags: u32,
    /// Always 0.
    pub reserved: u32,
}

recorded!(dry_joint_state);

impl dry_joint_state {
    /// The structure of what the world read.
    pub(super) fn of(state: &JointReading) -> Self {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        let axis_flags = std::array::from_fn(|index| {
            let [at_lower, at_upper] = state.is_at_limit[index];
            bit(at_lower, DRY_JOINT_AT_LOWER)
                | bit(at_upper, DRY_JOINT_AT_UPPER)
                | bit(state.is_saturated[index], DRY_JOINT_SATURATED)
                | bit(state.is_sticking[index], DRY_JOINT_STICKING)
        });
        let flags = bit(state.is_broken, DRY_JOINT_BROKEN)
            | bit(!state.is_enabled, DRY_JOINT_DISABLED)
            | bit(state.is_redundant, DRY_JOINT_REDUNDANT)
            | bit(state.is_unaimed, DRY_JOINT_UNAIMED);
        same_members! { state {
            position, velocity, force, torque, motor_force, limit_force, spring_force, friction_force, linear_error,
            angular_error,
        } into Self { axis_flags, flags, reserved: 0 } }
    }
}
