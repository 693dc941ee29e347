//! Joints: define, place, add, remove, change.

use std::mem::MaybeUninit;

use crate::error::{Error, Result, text};
use crate::id::Handle;
use crate::joint::{JointDefinition, JointKind};
use crate::world::World;

use super::handle::{self, dry_joint, dry_world};
use super::joint_types::{self, dry_joint_def, dry_joint_kind};
use super::joint_types_axis::dry_joint_axis;
use super::status_code::dry_status;
use super::{guard, structure};

/// Fills in a default joint of a kind: rigid and unbreakable, without bodies. At least one body must be set.
///
/// def: the structure of the caller.
/// size: sizeof(dry_joint_def) as the caller was compiled.
/// kind: what the joint locks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_def_init(
    def: *mut dry_joint_def,
    size: usize,
    kind: MaybeUninit<dry_joint_kind>,
) -> dry_status {
    guard::run("dry_joint_def_init", || {
        // SAFETY: the host gives room for `size` bytes.
        let place = unsafe { structure::output_of_size("def", def, size) }?;
        let joint = JointDefinition::new(joint_types::kind(kind)?);
        place.write(dry_joint_def::of(&joint, [Handle::NULL; 2], 0));
        Ok(())
    })
}

/// Sets the frames of a definition so that they coincide now: both have their origin at point, and z along axis. The
/// bodies of the definition must be set.
///
/// def: its points and rotations are written; the rest is read.
/// point: world axes [m].
/// axis: world axes, of any length but 0.
///
/// reference_or_null: world axes, not along axis. The x axis of both frames is its part perpendicular to axis. NULL:
/// x is some direction perpendicular to axis.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[point; 3], [axis; 3], [reference_or_null; 3]]
pub unsafe extern "C" fn dry_joint_def_place(
    world: *const dry_world,
    def: *mut dry_joint_def,
    point: *const f64,
    axis: *const f64,
    reference_or_null: *const f64,
) -> dry_status {
    guard::run("dry_joint_def_place", || {
        // SAFETY: the host gives three numbers, three more, and NULL or three more.
        let (point, axis, reference) = unsafe {
            let reference = (!reference_or_null.is_null()).then(|| guard::numbers("reference", reference_or_null));
            (guard::numbers("point", point), guard::numbers("axis", axis), reference.transpose())
        };
        // SAFETY: the host gives a structure of the size it says.
        unsafe {
            placed(world, def, |world, joint, bodies| {
                world.place_joint(joint, bodies, &point?, &axis?, reference?.as_ref())
            })
        }
    })
}

/// Sets the points of a definition of a distance joint to two points of the world, and both its lengths to their
/// distance: the definition of a rod. The bodies of the definition must be set.
///
/// def: of DRY_JOINT_DISTANCE; its points and lengths are written, the rest is read.
/// point_a: fixed in body_a, world axes [m].
/// point_b: fixed in body_b, world axes, not at point_a [m].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[point_a; 3], [point_b; 3]]
pub unsafe extern "C" fn dry_joint_def_place_points(
    world: *const dry_world,
    def: *mut dry_joint_def,
    point_a: *const f64,
    point_b: *const f64,
) -> dry_status {
    guard::run("dry_joint_def_place_points", || {
        // SAFETY: the host gives three numbers, and three more.
        let (point_a, point_b) = unsafe { (guard::numbers("point_a", point_a), guard::numbers("point_b", point_b)) };
        // SAFETY: the host gives a structure of the size it says.
        unsafe {
            placed(world, def, |world, joint, bodies| {
                if joint.kind == JointKind::Distance {
                    return world.place_joint_points(joint, bodies, &point_a?, &point_b?);
                }
                let name = joint.kind.name();
                Err(Error::argument(text!("def.kind is DRY_JOINT_{name}, expected DRY_JOINT_DISTANCE")))
            })
        }
    })
}

/// Changes the definition of a host by `place`, and writes it back.
///
/// # Safety
/// `def` is NULL, misaligned, or shows a structure of the size it says.
unsafe fn placed(
    world: *const dry_world,
    def: *mut dry_joint_def,
    place: impl FnOnce(&World, &mut JointDefinition, [Handle; 2]) -> Result<()>,
) -> Result<()> {
    let world = handle::of(world)?;
    // SAFETY: this function's own condition.
    let (given, output) = unsafe { (structure::read("def", def)?, structure::output_or_null("def", def)?) };
    let (mut joint, bodies) = (given.checked()?, given.bodies());
    world.read(|world| place(world, &mut joint, bodies))?;
    output.write(dry_joint_def::of(&joint, bodies, given.user_data));
    Ok(())
}

/// Fills in a default axis: free, without motor, spring and friction.
///
/// axis: the structure of the caller.
/// size: sizeof(dry_joint_axis) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_axis_init(axis: *mut dry_joint_axis, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_joint_axis_init", || unsafe { structure::init("axis", axis, size) })
}

/// Adds a joint to a world, with default axes, and wakes its bodies. Where its frames do not coincide yet, the steps
/// bring them together, at most at push_out_velocity.
///
/// def: read during the call.
/// joint: receives its handle.
///
/// DRY_ERR_ARGUMENT: neither body is dynamic, both are the same, or locked directions of the frames are more than 90
/// degrees apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_add(
    world: *mut dry_world,
    def: *const dry_joint_def,
    joint: *mut dry_joint,
) -> dry_status {
    guard::run("dry_joint_add", || {
        // SAFETY: the host gives a structure of the size it says, and a place for a handle.
        let (world, def, place) =
            unsafe { (handle::of(world)?, structure::read("def", def)?, guard::output("joint", joint)?) };
        let request = def.request()?;
        world.write(|world| world.add_joint(&request)).map(|added| place.write(added.0))
    })
}

/// Adds many joints to a world, all or none.
///
/// defs: count structures; each carries the first one's struct_size, which is the distance in bytes from one to the
/// next. Read during the call. An error names the element: "defs[3]: ...".
/// count: 0 is nothing to do; defs and joints may then be NULL.
/// joints: receives count handles, in the order of defs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joints_add(
    world: *mut dry_world,
    defs: *const dry_joint_def,
    count: usize,
    joints: *mut dry_joint,
) -> dry_status {
    guard::run("dry_joints_add", || {
        let world = handle::of(world)?;
        if count == 0 {
            return Ok(());
        }
        guard::present("defs", defs)?;
        // SAFETY: the host gives room for `count` handles, and `count` structures of the size that the first one says.
        let (place, requests) = unsafe {
            let place = guard::filled(["joints", "count"], joints, count)?;
            (place, structure::read_each(["defs", "joints"], defs, count, |def: dry_joint_def| def.request())?)
        };
        let handles = world.write(|world| world.add_joints(&requests))?;
        place.write(handles.iter().map(|handle| handle.0));
        Ok(())
    })
}

/// Removes a joint, with its forces of the last step, and wakes its bodies.
///
/// joint: its handle, stale from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_remove(world: *mut dry_world, joint: dry_joint) -> dry_status {
    guard::run("dry_joint_remove", || handle::of(world)?.write(|world| world.remove_joint(Handle(joint))))
}

/// Moves the frames of a joint, and wakes its bodies. The steps bring them together as those of a new joint.
///
/// def: its points and rotations are read, the rest is not, but must be valid; dry_joint_get_def and
/// dry_joint_def_place make one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_set_frames(
    world: *mut dry_world,
    joint: dry_joint,
    def: *const dry_joint_def,
) -> dry_status {
    guard::run("dry_joint_set_frames", || {
        // SAFETY: the host gives a structure of the size it says.
        let (world, def) = unsafe { (handle::of(world)?, structure::read("def", def)?) };
        let definition = def.checked()?;
        world.write(|world| world.set_joint_frames(Handle(joint), &definition))
    })
}

/// Switches a joint off or on, and wakes its bodies. A joint that is off carries nothing; its bodies still do not
/// collide with each other. A broken joint that is switched on acts again.
///
/// enabled: 0 or 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_joint_set_enabled(world: *mut dry_world, joint: dry_joint, enabled: u32) -> dry_status {
    guard::run("dry_joint_set_enabled", || {
        let world = handle::of(world)?;
        let is_enabled = structure::flag("enabled", enabled)?;
        world.write(|world| world.set_joint_enabled(Handle(joint), is_enabled))
    })
}
