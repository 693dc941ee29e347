//! The world as hosts hold it: with a lock, and a mark if a panic has broken it. Also the types of handles of its objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::RwLock;

use crate::error::{Error, ErrorKind, Result, text};
use crate::tasks::{Serial, Tasks};
use crate::world::World;

use super::callback::Callback;
use super::guard;
use super::live::Live;

/// A world: bodies in contact, their materials and shapes, and what they remember between steps.
///
/// Made by dry_world_create, ended by dry_world_destroy. Worlds are independent of each other. Of one world, calls that
/// only read may run at the same time, from any threads; a call that changes it excludes all others and waits for them.
/// Only a world that steps on the host's tasks lets no call wait for the step: it is DRY_ERR_BUSY.
pub struct dry_world {
    lock: RwLock<World>,
    poison: PoisonFlag,
    /// Of a world on the host's tasks: whether they run a step at present. Set before the lock is taken for the step,
    /// and cleared after it is given back.
    stepping: Option<AtomicBool>,
    callback: Arc<Callback>,
}

/// The time for which a call waits for the lock before it tests again whether a step has begun.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Whether an object is sound. A panic while it is used breaks it for good.
pub(super) struct PoisonFlag {
    name: &'static str,
    broken: AtomicBool,
}

impl PoisonFlag {
    /// Returns the mark of a new object of the type `dry_` with this name.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, broken: AtomicBool::new(false) }
    }

    pub(super) fn check(&self) -> Result<()> {
        if !self.broken.load(Ordering::Acquire) {
            return Ok(());
        }
        let name = self.name;
        Err(Error::new(
            ErrorKind::Internal,
            text!("{name} was broken by a defect of drystone, expected dry_{name}_destroy"),
        ))
    }

    /// Runs `call` on the object if it is sound. A panic marks the object as broken.
    pub(super) fn marked<T>(&self, call: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check()?;
        let mark = StoreOnDrop(&self.broken, true);
        let answer = call();
        std::mem::forget(mark);
        answer
    }
}

/// Stores a value when it is dropped, by a panic that passes by too.
struct StoreOnDrop<'a>(&'a AtomicBool, bool);

impl Drop for StoreOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Release);
    }
}

impl dry_world {
    pub(super) fn new(world: World, on_host_tasks: bool) -> Self {
        let stepping = on_host_tasks.then(|| AtomicBool::new(false));
        let callback = Arc::new(Callback::new("world"));
        Self { lock: RwLock::new(world), poison: PoisonFlag::new("world"), stepping, callback }
    }

    /// Returns another world on the same tasks.
    pub(super) fn with_tasks_of(&self, world: World) -> Self {
        Self::new(world, self.stepping.is_some())
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&World) -> Result<T>) -> Result<T> {
        let world = self.locked(|| self.lock.read(), |time| self.lock.try_read_for(time))?;
        self.poison.marked(|| read(&world))
    }

    /// Reads the world, with tasks for the work: its own threads, or the calling thread. The host's tasks work only within steps.
    pub(super) fn read_on_tasks<T>(&self, read: impl FnOnce(&World, &dyn Tasks) -> Result<T>) -> Result<T> {
        let is_on_host_tasks = self.stepping.is_some();
        self.read(|world| read(world, if is_on_host_tasks { &Serial } else { world.tasks() }))
    }

    pub(super) fn write<T>(&self, change: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        let mut world = self.locked(|| self.lock.write(), |time| self.lock.try_write_for(time))?;
        self.poison.marked(|| change(&mut world))
    }

    /// Changes the world by work that may run on its tasks. If these are the host's, other calls on the world are refused
    /// meanwhile: a thread that waited might be the one that the step needs.
    pub(super) fn step<T>(&self, step: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        self.callback.check()?;
        let Some(stepping) = &self.stepping else {
            return self.write(step);
        };
        if stepping.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        let _over = StoreOnDrop(stepping, false);
        // Waits for calls that began before; they run no callback.
        let mut world = self.lock.write();
        self.poison.marked(|| step(&mut world))
    }

    /// Calls a function of the host within a call on this world, which holds the lock. Calls on the world from there are refused, as they
    /// would wait for themselves.
    pub(super) fn during_callback<T>(&self, call: impl FnOnce() -> T) -> T {
        self.callback.during(call)
    }

    /// Returns what marks that a call on this world runs a function of the host.
    pub(super) fn callback(&self) -> &Arc<Callback> {
        &self.callback
    }

    /// Returns the lock. It is refused while a step runs on the host's tasks.
    fn locked<G>(&self, wait: impl Fn() -> G, wait_for: impl Fn(Duration) -> Option<G>) -> Result<G> {
        self.callback.check()?;
        let Some(stepping) = &self.stepping else {
            return Ok(wait());
        };
        while !stepping.load(Ordering::Acquire) {
            if let Some(world) = wait_for(POLL_INTERVAL) {
                return Ok(world);
            }
        }
        Err(busy())
    }
}

fn busy() -> Error {
    Error::new(ErrorKind::Busy, "world is being stepped on the host's tasks, expected a call before or after that step")
}

/// The worlds that hosts hold.
pub(super) static WORLDS: Live<dry_world> = Live::new("world");

/// Returns the world of a host. Refuses one that does not exist or is broken.
pub(super) fn of(world: *const dry_world) -> Result<Arc<dry_world>> {
    let world = WORLDS.get(world)?;
    world.poison.check()?;
    Ok(world)
}

const _: () = guard::assert_send_sync::<dry_world>();

/// A material of a world. 0 is null: the world's default material.
pub type dry_material = u64;

/// A shape of a world. 0 is null.
pub type dry_shape = u64;

/// A body of a world. 0 is null; as a partner of a contact: the fixed world.
pub type dry_body = u64;

/// A joint of a world. 0 is null.
pub type dry_joint = u64;
