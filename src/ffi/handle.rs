//! The world's handle: a lock around the world, and a mark for one that a defect has broken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::RwLock;

use crate::error::{Error, Kind, Result};
use crate::world::World;

use super::guard;

/// A world: bodies in contact, their materials and shapes, and what they remember between steps.
///
/// Made by dry_world_create, ended by dry_world_destroy. Worlds are independent of each other. Of one world, calls that
/// only read may run at the same time, from any threads; a call that changes it excludes all others and waits for them.
/// Only a world that steps on the host's tasks lets no call wait for the step: it is DRY_ERR_BUSY.
pub struct dry_world {
    lock: RwLock<World>,
    broken: AtomicBool,
    /// Whether the host's tasks run its steps.
    on_host_tasks: bool,
    /// Whether they do just now. Set before the lock is taken for the step, and cleared after it is given back.
    stepping: AtomicBool,
}

/// How long a call waits for the lock before it looks again whether a step has begun meanwhile.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Marks an object as broken when it is dropped: by a panic that passes by, since otherwise it is forgotten.
pub(super) struct BreakOnPanic<'a>(pub(super) &'a AtomicBool);

impl Drop for BreakOnPanic<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl dry_world {
    /// A sound world.
    pub(super) fn new(world: World, on_host_tasks: bool) -> Self {
        let (broken, stepping) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { lock: RwLock::new(world), broken, on_host_tasks, stepping }
    }

    /// Asks the world.
    pub(super) fn read<T>(&self, ask: impl FnOnce(&World) -> Result<T>) -> Result<T> {
        let world = self.locked(|| self.lock.read(), |time| self.lock.try_read_for(time))?;
        self.marked(|| ask(&world))
    }

    /// Changes the world.
    pub(super) fn write<T>(&self, change: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        let mut world = self.locked(|| self.lock.write(), |time| self.lock.try_write_for(time))?;
        self.marked(|| change(&mut world))
    }

    /// Changes the world by what its tasks may work on. If they are the host's, other calls on the world are refused
    /// meanwhile: a thread that waited might be the very one that the step needs.
    pub(super) fn step<T>(&self, step: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        /// The step is over.
        struct Over<'a>(&'a AtomicBool);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.store(false, Ordering::Release);
            }
        }
        if !self.on_host_tasks {
            return self.write(step);
        }
        if self.stepping.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        let _over = Over(&self.stepping);
        // Waits for calls that were there before, and call nobody.
        let mut world = self.lock.write();
        self.marked(|| step(&mut world))
    }

    /// The lock, refused while a step runs on the host's tasks.
    fn locked<G>(&self, wait: impl Fn() -> G, wait_for: impl Fn(Duration) -> Option<G>) -> Result<G> {
        if !self.on_host_tasks {
            return Ok(wait());
        }
        loop {
            if self.stepping.load(Ordering::Acquire) {
                return Err(busy());
            }
            if let Some(world) = wait_for(LOOK_AGAIN) {
                return Ok(world);
            }
        }
    }

    /// Does something with the locked world, which is broken for good if that panics.
    fn marked<T>(&self, call: impl FnOnce() -> Result<T>) -> Result<T> {
        self.sound()?;
        let mark = BreakOnPanic(&self.broken);
        let answer = call();
        std::mem::forget(mark);
        answer
    }

    fn sound(&self) -> Result<()> {
        if !self.broken.load(Ordering::Acquire) {
            return Ok(());
        }
        Err(Error::new(Kind::Internal, "world was broken by a defect of drystone, expected dry_world_destroy"))
    }
}

fn busy() -> Error {
    Error::new(Kind::Busy, "world is being stepped on the host's tasks, expected a call before or after that step")
}

/// The world of a host, refused if a defect has broken it.
///
/// # Safety
/// If `world` is not NULL and aligned, `dry_world_create` gave it and it was not destroyed.
pub(super) unsafe fn of<'a>(world: *const dry_world) -> Result<&'a dry_world> {
    // SAFETY: this function's own condition; the lock inside makes sharing sound.
    let world = unsafe { guard::input("world", world) }?;
    world.sound()?;
    Ok(world)
}

/// Hosts use a world from any thread.
const _: () = {
    const fn usable_from_any_thread<T: Send + Sync>() {}
    usable_from_any_thread::<dry_world>();
};
