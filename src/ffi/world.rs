//! Worlds: create, destroy, configure.

use std::sync::Arc;

use crate::error::{Error, Result, text};
#[cfg(feature = "threads")]
use crate::tasks::Pool;
use crate::tasks::{Serial, Tasks};
use crate::world::{Settings, World};

#[cfg(feature = "threads")]
use super::environment;
use super::guard;
use super::handle::{self, WORLDS, dry_world};
use super::settings::dry_settings;
use super::status_code::dry_status;
use super::structure::{self, structure};
use super::tasks::{HostTasks, MAX_THREADS, dry_task_callbacks};

/// What a world starts with. Filled in by dry_world_def_init; grows at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_world_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// NULL, the default: the default settings. Read during the call, not kept.
    pub settings: *const dry_settings,
    /// World axes, each component up to 1e50 [m/s^2]. Default (0, 0, -9.81).
    pub gravity: [f64; 3],
    /// Threads that work on a step. Default 1: the calling thread alone. n: also n - 1 threads that the world starts,
    /// and ends when it is destroyed. 0: as many as there are cores. At most 1024. A library that was built without
    /// threads of its own offers only 1: DRY_ERR_UNSUPPORTED.
    pub threads: u32,
    /// Must be 0.
    pub reserved: u32,
    /// The host's job system, which works on steps; threads must then be 1. NULL, the default: threads decides. Read
    /// during the call, not kept.
    pub tasks: *const dry_task_callbacks,
    /// Lengths of a periodic box along the world axes: 0 (the default) where an axis is open, else from 1e-100 to
    /// 1e100 [m]. Bodies touch in their nearest images. Positions stay continuous: bodies are not moved back into the
    /// box, and a contact keeps its key when they cross a side. The point of a contact is at body_a, not at one of
    /// its images. Arms and branch vectors lead to the nearest image. dry_query_stress counts each image of a contact
    /// in its region.
    ///
    /// Twice the radius of a shape's bounding sphere plus the contact margin is at most half of each period, so that
    /// two bodies touch in one image only. The sphere is about the shape's origin. Adding a larger body, or setting a
    /// larger margin, is DRY_ERR_ARGUMENT. So is a half-space whose normal has a component along a periodic axis, or
    /// that turns. Joints do not use images. dry_world_set_strain_rate lets the periods grow or shrink.
    pub period: [f64; 3],
}

structure!(dry_world_def, tasks, period);

impl Default for dry_world_def {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            settings: std::ptr::null(),
            gravity: [0.0, 0.0, -9.81],
            threads: 1,
            reserved: 0,
            tasks: std::ptr::null(),
            period: [0.0; 3],
        }
    }
}

/// Fills in what a world starts with by default.
///
/// def: the structure of the caller.
/// size: sizeof(dry_world_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_def_init(def: *mut dry_world_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_world_def_init", || unsafe { structure::init("def", def, size) })
}

/// Creates an empty world.
///
/// def: what it starts with; read during the call.
/// world: receives the world, which the caller ends with dry_world_destroy.
///
/// The same calls give the same bits, for any threads and tasks. Several threads pay from some thousand contacts on.
///
/// DRY_ERR_MEMORY: also when a thread could not be started.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_create(def: *const dry_world_def, world: *mut *mut dry_world) -> dry_status {
    guard::run("dry_world_create", || {
        // SAFETY: the host gives a structure of the size it says, one more behind `settings` if that is not NULL, and
        // a place for a pointer.
        let (def, settings, tasks, place) = unsafe {
            let def = structure::read("def", def)?;
            let settings = if def.settings.is_null() {
                Settings::default()
            } else {
                structure::read("settings", def.settings)?.checked()?
            };
            (def, settings, tasks_of(&def)?, guard::output("world", world)?)
        };
        structure::reserved(def.reserved)?;
        let created = World::with_tasks(settings, def.gravity, tasks)?.with_period(def.period)?;
        place.write(WORLDS.insert(dry_world::new(created, !def.tasks.is_null()))?);
        Ok(())
    })
}

/// Returns the tasks that run the steps of a world.
///
/// # Safety
/// The tasks of `def` are NULL or show a structure of the size it says, whose functions may be called for as long as
/// the result lives.
unsafe fn tasks_of(def: &dry_world_def) -> Result<Arc<dyn Tasks>> {
    let threads = def.threads;
    if threads > MAX_THREADS {
        return Err(Error::argument(text!("threads is {threads}, expected 0 to {MAX_THREADS}")));
    }
    if def.tasks.is_null() {
        return own_threads(threads);
    }
    if threads != 1 {
        return Err(Error::argument(text!("threads is {threads}, expected 1 where tasks is not NULL")));
    }
    // SAFETY: this function's own condition.
    Ok(Arc::new(unsafe { HostTasks::from_host(def.tasks) }?))
}

#[cfg(feature = "threads")]
fn own_threads(threads: u32) -> Result<Arc<dyn Tasks>> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS as usize);
    let threads = if threads == 0 { cores() } else { threads as usize };
    if threads == 1 {
        return Ok(Arc::new(Serial));
    }
    let prepare = || {
        guard::enter_library();
        environment::make_default()
    };
    Ok(Arc::new(Pool::new(threads, prepare)?))
}

#[cfg(not(feature = "threads"))]
fn own_threads(threads: u32) -> Result<Arc<dyn Tasks>> {
    if threads == 1 {
        return Ok(Arc::new(Serial));
    }
    Err(Error::unsupported(text!("threads is {threads}, but this library was built without the feature threads")))
}

/// Ends a world, with everything in it. A call that is using it keeps it until that call ends.
///
/// world: NULL is nothing to do, and so is a world that was destroyed already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_destroy(world: *mut dry_world) {
    guard::run("dry_world_destroy", || WORLDS.destroy(world));
}

/// Reads the settings of a world.
///
/// settings: receives them, with struct_size set to size.
/// size: sizeof(dry_settings) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_get_settings(
    world: *const dry_world,
    settings: *mut dry_settings,
    size: usize,
) -> dry_status {
    guard::run("dry_world_get_settings", || {
        // SAFETY: the host gives room for `size` bytes.
        let (world, place) = unsafe { (handle::of(world)?, structure::output_of_size("settings", settings, size)?) };
        world.read(|world| Ok(dry_settings::from(world.settings()))).map(|settings| place.write(settings))
    })
}

/// Changes the settings of a world, from the next step on.
///
/// settings: all of them; read during the call. Members that a caller's older, shorter structure lacks do not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_set_settings(world: *mut dry_world, settings: *const dry_settings) -> dry_status {
    guard::run("dry_world_set_settings", || {
        let world = handle::of(world)?;
        world.write(|world| {
            let present = dry_settings::from(world.settings());
            // SAFETY: the host gives a structure of the size it says.
            let settings = unsafe { structure::read_onto("settings", settings, present) }?;
            world.set_settings(settings.checked()?)
        })
    })
}

/// Reads the gravity of a world.
///
/// gravity: receives it, world axes [m/s^2].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[gravity; 3]]
pub unsafe extern "C" fn dry_world_get_gravity(world: *const dry_world, gravity: *mut f64) -> dry_status {
    guard::run("dry_world_get_gravity", || {
        // SAFETY: the host gives room for three numbers.
        let (world, gravity) = unsafe { (handle::of(world)?, guard::output_numbers("gravity", gravity)?) };
        world.read(|world| Ok(world.gravity())).map(|answer| gravity.write(answer))
    })
}

/// Reads the present periods of a world, also of one that was restored: dry_world_def.period. They change in steps where
/// the box is strained (dry_world_set_strain_rate).
///
/// period: receives the length of the box along each world axis, 0 along an axis without a period [m].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[period; 3]]
pub unsafe extern "C" fn dry_world_get_period(world: *const dry_world, period: *mut f64) -> dry_status {
    guard::run("dry_world_get_period", || {
        // SAFETY: the host gives room for three numbers.
        let (world, period) = unsafe { (handle::of(world)?, guard::output_numbers("period", period)?) };
        world.read(|world| Ok(world.period())).map(|answer| period.write(answer))
    })
}

/// Changes the gravity of a world, from the next step on.
///
/// gravity: world axes, each component up to 1e50 [m/s^2].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[gravity; 3]]
pub unsafe extern "C" fn dry_world_set_gravity(world: *mut dry_world, gravity: *const f64) -> dry_status {
    guard::run("dry_world_set_gravity", || {
        // SAFETY: the host gives three numbers.
        let (world, gravity) = unsafe { (handle::of(world)?, guard::numbers("gravity", gravity)?) };
        world.write(|world| world.set_gravity(gravity))
    })
}
