//! Joints: set what acts along their axes.

use crate::error::{Result, finite, reserve, text};
use crate::id::Handle;
use crate::joint::JointAxis;
use crate::world::{JointTarget, World};

use super::handle::{self, dry_joint, dry_world};
use super::joint_types_axis::dry_joint_axis;
use super::status_code::dry_status;
use super::{guard, structure};

/// Sets an axis of a joint, and wakes its bodies.
///
/// index: of an axis that the kind of the joint leaves free, 0 to 5; see dry_joint_kind.
/// axis: all of it; read during the call. Members that a caller's older, shorter structure lacks do not change.
///
/// The call checks the axis with the other ones as they are: where no turn of a DRY_JOINT_GENERAL is locked, axis 4
/// must be as dry_joint_axis_init has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_set_axis(
    world: *mut dry_world,
    joint: dry_joint,
    index: u32,
    axis: *const dry_joint_axis,
) -> dry_status {
    guard::run("dry_joint_set_axis", || {
        handle::of(world)?.write(|world| {
            let present = dry_joint_axis::from(&free_axis(world, Handle(joint), index)?);
            // SAFETY: the host gives a structure of the size it says.
            let axis = unsafe { structure::read_onto("axis", axis, present) }?;
            world.set_joint_axis(Handle(joint), index as usize, &axis.checked()?)
        })
    })
}

/// Returns an axis that the joint leaves free, or refuses its index.
pub(super) fn free_axis(world: &World, joint: Handle, index: u32) -> Result<JointAxis> {
    let kind = world.joint_definition(joint)?.kind;
    // The check makes texts, which getters must not: it is for its message alone.
    if !kind.free_axes().contains(&(index as usize)) {
        JointAxis::new(kind).check(kind, index as usize)?;
    }
    world.joint_axis(joint, index as usize)
}

/// Sets the target of the motor of an axis. Wakes the bodies of the joint if it changes something.
///
/// index: as of dry_joint_set_axis.
/// position: dry_joint_axis.target_position [m] or [rad].
/// velocity: dry_joint_axis.target_velocity [m/s] or [rad/s].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_set_target(
    world: *mut dry_world,
    joint: dry_joint,
    index: u32,
    position: f64,
    velocity: f64,
) -> dry_status {
    guard::run("dry_joint_set_target", || {
        handle::of(world)?.write(|world| {
            free_axis(world, Handle(joint), index)?;
            let (position, velocity) = (Some(position), Some(velocity));
            world.set_joint_targets(&[JointTarget { joint: Handle(joint), index: index as usize, position, velocity }])
        })
    })
}

/// Sets the targets of many motors, all or none. A joint may occur several times, with the same or other axes.
///
/// joints: count handles.
/// indices: count indices of their axes, as of dry_joint_set_axis.
/// count: with 0 the call does nothing, and the arrays may be NULL.
///
/// positions_or_null: count values of dry_joint_axis.target_position [m] or [rad]. NULL leaves them unchanged.
///
/// velocities_or_null: count values of dry_joint_axis.target_velocity [m/s] or [rad/s]. NULL leaves them unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joints_set_targets(
    world: *mut dry_world,
    joints: *const dry_joint,
    indices: *const u32,
    count: usize,
    positions_or_null: *const f64,
    velocities_or_null: *const f64,
) -> dry_status {
    guard::run("dry_joints_set_targets", || {
        let world = handle::of(world)?;
        // SAFETY: the host gives arrays of `count` elements, or NULL for the last two.
        let (joints, indices, positions, velocities) = unsafe {
            let or_null = |name: &'static str, pointer: *const f64| {
                (!pointer.is_null()).then(|| guard::array([name, "count"], pointer, count)).transpose()
            };
            (
                guard::array(["joints", "count"], joints, count)?,
                guard::array(["indices", "count"], indices, count)?,
                or_null("positions", positions_or_null)?,
                or_null("velocities", velocities_or_null)?,
            )
        };
        let mut targets = Vec::new();
        reserve(&mut targets, count, "targets")?;
        world.write(|world| {
            for (at, (joint, index)) in joints.iter().zip(indices).enumerate() {
                let (joint, index) = (Handle(*joint), *index);
                world.joint_user_data(joint).map_err(|error| error.at(format_args!("joints[{at}]: ")))?;
                free_axis(world, joint, index).map_err(|error| error.at(format_args!("indices[{at}]: ")))?;
                let (position, velocity) = (positions.map(|all| all[at]), velocities.map(|all| all[at]));
                finite_at("positions", at, position)?;
                finite_at("velocities", at, velocity)?;
                targets.push(JointTarget { joint, index: index as usize, position, velocity });
            }
            world.set_joint_targets(&targets)
        })
    })
}

/// Refuses a value that is not finite, by the name of its array.
fn finite_at(name: &str, at: usize, value: Option<f64>) -> Result<()> {
    match value {
        Some(value) if !value.is_finite() => finite(&text!("{name}[{at}]"), value),
        _ => Ok(()),
    }
}
