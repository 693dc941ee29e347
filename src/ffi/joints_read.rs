//! Joints: list, read back.

use crate::error::{Error, Result, text};
use crate::id::Handle;
use crate::world::World;

use super::handle::{self, dry_body, dry_joint, dry_world};
use super::joint_types::dry_joint_def;
use super::joint_types_axis::{dry_joint_axis, dry_joint_state};
use super::joints_drive::free_axis;
use super::status_code::dry_status;
use super::{guard, structure};

/// Lists the joints of a world in the order of their creation.
///
/// joints: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number
/// alone.
/// capacity: handles that joints has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_joints(
    world: *const dry_world,
    joints: *mut dry_joint,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_joints", || {
        // SAFETY: the host gives room for `capacity` handles, and a place for a number.
        let (world, buffer) =
            unsafe { (handle::of(world)?, guard::buffer("joints", joints, size_of::<dry_joint>(), capacity, count)?) };
        world.read(|world| buffer.fill("joints", world.joint_count(), world.joint_handles().map(|handle| handle.0)))
    })
}

/// Lists the joints of a body in the order of their creation.
///
/// joints: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number
/// alone.
/// capacity: handles that joints has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of joints of the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_body_joints(
    world: *const dry_world,
    body: dry_body,
    joints: *mut dry_joint,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_body_joints", || {
        // SAFETY: the host gives room for `capacity` handles, and a place for a number.
        let (world, buffer) =
            unsafe { (handle::of(world)?, guard::buffer("joints", joints, size_of::<dry_joint>(), capacity, count)?) };
        world.read(|world| {
            let number = world.body_joints(Handle(body))?.count();
            let joints = world.body_joints(Handle(body))?;
            buffer.fill("joints of the body", number, joints.map(|handle| handle.0))
        })
    })
}

/// Reads what a joint was added with: its bodies and user_data too, and the frames that were set last.
///
/// def: receives it, with struct_size set to size.
/// size: sizeof(dry_joint_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_get_def(
    world: *const dry_world,
    joint: dry_joint,
    def: *mut dry_joint_def,
    size: usize,
) -> dry_status {
    guard::run("dry_joint_get_def", || {
        // SAFETY: the host gives room for `size` bytes.
        let (world, place) = unsafe { (handle::of(world)?, structure::output_of_size("def", def, size)?) };
        let joint = Handle(joint);
        let answer = world.read(|world| {
            let definition = world.joint_definition(joint)?;
            Ok(dry_joint_def::of(&definition, world.joint_bodies(joint)?, world.joint_user_data(joint)?))
        });
        answer.map(|def| place.write(def))
    })
}

/// Reads an axis of a joint, with the targets that were set last.
///
/// index: of an axis that the kind of the joint leaves free, 0 to 5. See dry_joint_kind.
///
/// axis: receives it, with struct_size set to size.
/// size: sizeof(dry_joint_axis) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_get_axis(
    world: *const dry_world,
    joint: dry_joint,
    index: u32,
    axis: *mut dry_joint_axis,
    size: usize,
) -> dry_status {
    guard::run("dry_joint_get_axis", || {
        // SAFETY: the host gives room for `size` bytes.
        let (world, place) = unsafe { (handle::of(world)?, structure::output_of_size("axis", axis, size)?) };
        world.read(|world| free_axis(world, Handle(joint), index)).map(|axis| place.write((&axis).into()))
    })
}

/// Reads the position of a joint, and the forces that it carried in the last step.
///
/// state: receives it.
/// size: sizeof(dry_joint_state) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_get_state(
    world: *const dry_world,
    joint: dry_joint,
    state: *mut dry_joint_state,
    size: usize,
) -> dry_status {
    guard::run("dry_joint_get_state", || {
        let world = handle::of(world)?;
        structure::known_size::<dry_joint_state>("size", size)?;
        // SAFETY: the host gives room for `size` bytes.
        let place = unsafe { guard::filled_by_stride(["state", "count"], state, size, 1) }?;
        let state = world.read(|world| state_of(world, Handle(joint)))?;
        place.write(std::iter::once(state));
        Ok(())
    })
}

/// Reads the positions of many joints, and the forces that they carried in the last step.
///
/// joints_or_null: count handles, in any order. NULL stands for all joints, in the order of creation.
/// count: with NULL it must be the number of joints. With 0 the call does nothing, and states may be NULL.
///
/// states: receives count states.
/// size: sizeof(dry_joint_state) as the caller was compiled, the distance in bytes from one to the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joints_get_states(
    world: *const dry_world,
    joints_or_null: *const dry_joint,
    count: usize,
    states: *mut dry_joint_state,
    size: usize,
) -> dry_status {
    guard::run("dry_joints_get_states", || {
        let world = handle::of(world)?;
        structure::known_size::<dry_joint_state>("size", size)?;
        // SAFETY: the host gives room for `count` states of `size` bytes.
        let places = unsafe { guard::filled_by_stride(["states", "count"], states, size, count) }?;
        if joints_or_null.is_null() {
            return world.read(|world| {
                let number = world.joint_count();
                if count != number {
                    let text = text!("count is {count}, expected {number}, the number of joints, since joints is NULL");
                    return Err(Error::argument(text));
                }
                places.write(world.joint_handles().filter_map(|joint| state_of(world, joint).ok()));
                Ok(())
            });
        }
        guard::present("joints", joints_or_null)?;
        // SAFETY: the host gives `count` handles.
        let joints = (0..count).map(|index| Handle(unsafe { joints_or_null.add(index).read() }));
        world.read(|world| {
            // All are checked before the first is written.
            for (index, joint) in joints.clone().enumerate() {
                world.joint_user_data(joint).map_err(|error| error.at(format_args!("joints[{index}]: ")))?;
            }
            // A handle may change while the states are written, if the host's arrays overlap.
            let mut failed = Ok(());
            let states = joints.map_while(|joint| state_of(world, joint).map_err(|error| failed = Err(error)).ok());
            places.write(states);
            failed
        })
    })
}

/// Adds up the joint forces on a body in the last step, world axes; dry_query_body_force has those of contacts.
///
/// force: receives the force, averaged over the step [N].
/// torque: receives the torque about the body's centre of mass at the start of the step [N m].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[force; 3], [torque; 3]]
pub unsafe extern "C" fn dry_query_body_joint_force(
    world: *const dry_world,
    body: dry_body,
    force: *mut f64,
    torque: *mut f64,
) -> dry_status {
    guard::run("dry_query_body_joint_force", || {
        // SAFETY: the host gives places for three numbers each.
        let (world, force, torque) = unsafe {
            (handle::of(world)?, guard::output_numbers("force", force)?, guard::output_numbers("torque", torque)?)
        };
        world.read(|world| world.body_joint_force(Handle(body))).map(|answer| {
            force.write(answer.0);
            torque.write(answer.1);
        })
    })
}

fn state_of(world: &World, joint: Handle) -> Result<dry_joint_state> {
    world.joint_state(joint).map(|state| dry_joint_state::of(&state))
}
