//! The world's handle: a lock around the world, and a mark for one that a defect has broken.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::RwLock;

use crate::error::{Error, Kind, Result};
use crate::world::World;

use super::guard;

/// A world: bodies in contact, their materials and shapes, and what they remember between steps.
///
/// Made by dry_world_create, ended by dry_world_destroy. Worlds are independent of each other. Of one world, calls that
/// only read may run at the same time, from any threads; a call that changes it excludes all others and waits for them.
pub struct dry_world {
    lock: RwLock<World>,
    broken: AtomicBool,
}

/// Marks an object as broken when it is dropped: by a panic that passes by, since otherwise it is forgotten.
pub(super) struct BreakOnPanic<'a>(pub(super) &'a AtomicBool);

impl Drop for BreakOnPanic<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl dry_world {
    /// A sound world.
    pub(super) fn new(world: World) -> Self {
        Self { lock: RwLock::new(world), broken: AtomicBool::new(false) }
    }

    /// Asks the world.
    pub(super) fn read<T>(&self, ask: impl FnOnce(&World) -> Result<T>) -> Result<T> {
        let world = self.lock.read();
        self.sound()?;
        let mark = BreakOnPanic(&self.broken);
        let answer = ask(&world);
        std::mem::forget(mark);
        answer
    }

    /// Changes the world.
    pub(super) fn write<T>(&self, change: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        let mut world = self.lock.write();
        self.sound()?;
        let mark = BreakOnPanic(&self.broken);
        let answer = change(&mut world);
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
