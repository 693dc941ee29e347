//! Bodies: add, remove, read, change, push.

use crate::error::{Error, text};
use crate::id::Handle;

use super::body_types::{dry_body_def, dry_body_state};
use super::handle::{self, dry_body, dry_world};
use super::status_code::dry_status;
use super::{guard, structure};

/// Fills in a default body: dynamic, at the origin, at rest, without a shape.
///
/// def: the structure of the caller.
/// size: sizeof(dry_body_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_def_init(def: *mut dry_body_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_body_def_init", || unsafe { structure::init("def", def, size) })
}

/// Adds a body to a world.
///
/// def: read during the call.
/// body: receives its handle.
///
/// DRY_ERR_UNSUPPORTED: a dynamic body with a half-space, a mesh or a curve that runs clockwise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_add(
    world: *mut dry_world,
    def: *const dry_body_def,
    body: *mut dry_body,
) -> dry_status {
    guard::run("dry_body_add", || {
        // SAFETY: the host gives a structure of the size it says, and a place for a handle.
        let (world, def, place) =
            unsafe { (handle::of(world)?, structure::read("def", def)?, guard::output("body", body)?) };
        let definition = def.checked()?;
        world.write(|world| world.add_body(&definition)).map(|added| place.write(added.0))
    })
}

/// Adds many bodies to a world, all or none.
///
/// defs: count structures; each carries the first one's struct_size, which is the distance in bytes from one to the
/// next. Read during the call. An error names the element: "defs[3]: ...".
/// count: 0 is nothing to do; defs and bodies may then be NULL.
/// bodies: receives count handles, in the order of defs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_bodies_add(
    world: *mut dry_world,
    defs: *const dry_body_def,
    count: usize,
    bodies: *mut dry_body,
) -> dry_status {
    guard::run("dry_bodies_add", || {
        let world = handle::of(world)?;
        if count == 0 {
            return Ok(());
        }
        guard::present("defs", defs)?;
        // SAFETY: the host gives room for `count` handles, and `count` structures of the size that the first one says.
        let (place, definitions) = unsafe {
            let place = guard::filled(["bodies", "count"], bodies, count)?;
            (place, structure::read_each(["defs", "bodies"], defs, count, |def: dry_body_def| def.checked())?)
        };
        let handles = world.write(|world| world.add_bodies(&definitions))?;
        place.write(handles.iter().map(|handle| handle.0));
        Ok(())
    })
}

/// Removes a body, with its contacts and its joints.
///
/// body: its handle, stale from then on. The partners' contact and joint forces of the last step go with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_remove(world: *mut dry_world, body: dry_body) -> dry_status {
    guard::run("dry_body_remove", || handle::of(world)?.write(|world| world.remove_body(Handle(body))))
}

/// Lists the bodies of a world in the order of their creation.
///
/// bodies: receives the handles if there is room for all; with NULL and capacity 0 the call returns the number alone.
/// capacity: handles that bodies has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_bodies(
    world: *const dry_world,
    bodies: *mut dry_body,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_bodies", || {
        // SAFETY: the host gives room for `capacity` handles, and a place for a number.
        let (world, buffer) =
            unsafe { (handle::of(world)?, guard::buffer("bodies", bodies, size_of::<dry_body>(), capacity, count)?) };
        world.read(|world| buffer.fill("bodies", world.body_count(), world.body_handles().map(|handle| handle.0)))
    })
}

/// Reads where a body is and how it moves.
///
/// state: receives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_get_state(
    world: *const dry_world,
    body: dry_body,
    state: *mut dry_body_state,
) -> dry_status {
    guard::run("dry_body_get_state", || {
        // SAFETY: the host gives a place for a state.
        let (world, place) = unsafe { (handle::of(world)?, guard::output("state", state)?) };
        world.read(|world| world.body_state(Handle(body))).map(|state| place.write(state.into()))
    })
}

/// Puts a body somewhere and sets its velocities.
///
/// state: finite numbers, a quaternion of length 1 within 1e-6; read during the call. Locked components of the
/// velocities are taken as zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_set_state(
    world: *mut dry_world,
    body: dry_body,
    state: *const dry_body_state,
) -> dry_status {
    guard::run("dry_body_set_state", || {
        // SAFETY: the host gives a state.
        let (world, state) = unsafe { (handle::of(world)?, guard::input("state", state)?) };
        world.write(|world| world.set_body_state(Handle(body), &state.into()))
    })
}

/// Reads the mass of a body; mass and inertia are 0 for a body that is not dynamic.
///
/// mass: receives the mass [kg].
///
/// center_of_mass: receives the centre of mass, body axes, from the shape's origin [m].
///
/// inertia: receives the inertia about the centre of mass, body axes: xx yy zz xy yz xz [kg m^2].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[center_of_mass; 3], [inertia; 6]]
pub unsafe extern "C" fn dry_body_get_mass(
    world: *const dry_world,
    body: dry_body,
    mass: *mut f64,
    center_of_mass: *mut f64,
    inertia: *mut f64,
) -> dry_status {
    guard::run("dry_body_get_mass", || {
        // SAFETY: the host gives places for 1, 3 and 6 numbers.
        let (world, mass, center, inertia) = unsafe {
            (
                handle::of(world)?,
                guard::output("mass", mass)?,
                guard::output_numbers("center_of_mass", center_of_mass)?,
                guard::output_numbers("inertia", inertia)?,
            )
        };
        world.read(|world| world.body_mass(Handle(body))).map(|answer| {
            mass.write(answer.mass);
            center.write(answer.center);
            inertia.write(answer.inertia);
        })
    })
}

/// Reads the user_data that a body was added with.
///
/// user_data: receives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_get_user_data(
    world: *const dry_world,
    body: dry_body,
    user_data: *mut u64,
) -> dry_status {
    guard::run("dry_body_get_user_data", || {
        // SAFETY: the host gives a place for a number.
        let (world, place) = unsafe { (handle::of(world)?, guard::output("user_data", user_data)?) };
        world.read(|world| world.body_user_data(Handle(body))).map(|data| place.write(data))
    })
}

/// Pushes a dynamic body during the next step; several forces add up.
///
/// force: world axes [N].
/// point_or_null: where it acts, world axes [m]; NULL: at the centre of mass.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[force; 3], [point_or_null; 3]]
pub unsafe extern "C" fn dry_body_add_force(
    world: *mut dry_world,
    body: dry_body,
    force: *const f64,
    point_or_null: *const f64,
) -> dry_status {
    guard::run("dry_body_add_force", || {
        // SAFETY: the host gives three numbers, and NULL or three more.
        let (world, force, point) = unsafe {
            let (world, force) = (handle::of(world)?, guard::numbers("force", force)?);
            let point = (!point_or_null.is_null()).then(|| guard::numbers("point", point_or_null)).transpose()?;
            (world, force, point)
        };
        world.write(|world| world.add_force(Handle(body), force, point))
    })
}

/// Turns a dynamic body during the next step; several torques add up.
///
/// torque: world axes [N m].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[torque; 3]]
pub unsafe extern "C" fn dry_body_add_torque(world: *mut dry_world, body: dry_body, torque: *const f64) -> dry_status {
    guard::run("dry_body_add_torque", || {
        // SAFETY: the host gives three numbers.
        let (world, torque) = unsafe { (handle::of(world)?, guard::numbers("torque", torque)?) };
        world.write(|world| world.add_torque(Handle(body), torque))
    })
}

/// Wakes a body and all that fell asleep with it; see dry_settings.sleeping. A body that is awake stays so for at least
/// half a second more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_wake(world: *mut dry_world, body: dry_body) -> dry_status {
    guard::run("dry_body_wake", || handle::of(world)?.write(|world| world.wake(Handle(body))))
}

/// Reads whether a body is awake; see dry_settings.sleeping. Static and kinematic bodies always are.
///
/// awake: receives 1, or 0 for a body that sleeps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_body_is_awake(world: *const dry_world, body: dry_body, awake: *mut u32) -> dry_status {
    guard::run("dry_body_is_awake", || {
        // SAFETY: the host gives a place for a number.
        let (world, place) = unsafe { (handle::of(world)?, guard::output("awake", awake)?) };
        world.read(|world| world.is_awake(Handle(body))).map(|awake| place.write(awake.into()))
    })
}

/// Reads the positions and velocities of many bodies.
///
/// bodies_or_null: count handles, in any order. NULL stands for all bodies, in the order of creation.
/// count: with NULL it must be the number of bodies. With 0 the call does nothing, and states may be NULL.
/// states: receives count states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_bodies_get_states(
    world: *const dry_world,
    bodies_or_null: *const dry_body,
    count: usize,
    states: *mut dry_body_state,
) -> dry_status {
    guard::run("dry_bodies_get_states", || {
        // SAFETY: the host gives room for `count` states.
        let (world, places) = unsafe { (handle::of(world)?, guard::filled(["states", "count"], states, count)?) };
        if bodies_or_null.is_null() {
            return world.read(|world| {
                let number = world.body_count();
                if count != number {
                    let text = text!("count is {count}, expected {number}, the number of bodies, since bodies is NULL");
                    return Err(Error::argument(text));
                }
                places.write(world.body_states().map(dry_body_state::from));
                Ok(())
            });
        }
        guard::present("bodies", bodies_or_null)?;
        // SAFETY: the host gives `count` handles.
        let bodies = (0..count).map(|index| Handle(unsafe { bodies_or_null.add(index).read() }));
        world.read(|world| {
            // All are checked before the first is written.
            for (index, body) in bodies.clone().enumerate() {
                world.body_user_data(body).map_err(|error| error.at(format_args!("bodies[{index}]: ")))?;
            }
            // A handle may change while the states are written, if the host's arrays overlap.
            let mut failed = Ok(());
            let states = bodies.map_while(|body| world.body_state(body).map_err(|error| failed = Err(error)).ok());
            places.write(states.map(dry_body_state::from));
            failed
        })
    })
}
