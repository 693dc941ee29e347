//! Runs the pieces of a step on the host's job system.
//!
//! A host's thread gets a [`SharedRun`], a place to help at, which lives as long as the world. If the host calls a
//! task twice, or after the task should have ended, the task finds nothing to do.

use core::ffi::c_void;
use std::cell::RefCell;

use parking_lot::Mutex;

use crate::error::{Error, ErrorKind, Result, reserve, text};
use crate::tasks::{SharedRun, Tasks};

use super::structure::{self, structure};
use super::{environment, guard};

/// Work of drystone's: to be called once, with its argument, on any thread.
pub type dry_task = Option<unsafe extern "C" fn(argument: *mut c_void)>;

/// Runs a task or queues it: on another thread if possible. It may also call the task at once. Returns a handle of the
/// task for dry_task_wait. NULL: the task was called already, or never will be; it is then not waited for.
pub type dry_task_run =
    Option<unsafe extern "C" fn(user_data: *mut c_void, task: dry_task, argument: *mut c_void) -> *mut c_void>;

/// Returns when a task has ended. It may call the task now, and may do other work of the host meanwhile. Each handle
/// that is not NULL is waited for once, by the thread that got it.
pub type dry_task_wait = Option<unsafe extern "C" fn(user_data: *mut c_void, handle: *mut c_void)>;

/// How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
/// on the host's threads. Zeroed by the host, which sets all members; grows at its end. Read while the world is
/// made, and not kept; what user_data shows must last as long as the world.
///
/// A step requests tasks repeatedly, up to some hundred times. Each time it requests at most worker_count - 1 of
/// them. They share pieces of 5 to 50 microseconds with the thread that steps. Where many thousand contacts meet or
/// part, a piece takes some hundred microseconds and more. The thread that steps works too, and then waits for each
/// task. So tasks may run at the same time or one after the other, in any order. They may run before that wait,
/// during it, or not at all: only the time of the step depends on it. They use little stack, never wait for each
/// other and never call the host.
///
/// The functions are called by the thread that steps, within dry_world_step, and must not throw or longjmp. A
/// function that has to give up its task calls the task itself. While the world steps every other call on it is
/// DRY_ERR_BUSY, at once and from any thread: a job that runs while dry_task_wait waits may use other worlds. Each
/// task sets its own floating point environment and then restores that of the thread.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_task_callbacks {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Handed to both functions; may be NULL.
    pub user_data: *mut c_void,
    /// Not NULL.
    pub run_task: dry_task_run,
    /// Not NULL.
    pub wait: dry_task_wait,
    /// How many threads work at most, the one that steps included: 1 to 1024.
    pub worker_count: u32,
    /// Must be 0.
    pub reserved: u32,
}

structure!(dry_task_callbacks);

/// Most threads of a world, the host's or drystone's own.
pub(super) const MAX_THREADS: u32 = 1024;

/// The host's functions, with what they are handed.
#[derive(Debug)]
pub(super) struct HostTasks {
    shared: SharedRun,
    user_data: *mut c_void,
    run_task: unsafe extern "C" fn(*mut c_void, dry_task, *mut c_void) -> *mut c_void,
    wait: unsafe extern "C" fn(*mut c_void, *mut c_void),
    workers: usize,
    /// Of the tasks that are to be waited for; kept between runs, which allocate nothing.
    handles: Mutex<Vec<*mut c_void>>,
}

// SAFETY: the pointers are the host's own and only handed back to it. `from_host` was promised that its functions may be
// called by whichever thread steps.
unsafe impl Send for HostTasks {}
// SAFETY: as above; of several threads that run something at a time, one alone calls the host (see `SharedRun::run`).
unsafe impl Sync for HostTasks {}

impl HostTasks {
    /// The host's description of its job system, checked.
    ///
    /// # Safety
    /// If `callbacks` is aligned it shows a structure of the size it says, whose functions may be called as it promises
    /// for as long as the result lives.
    pub(super) unsafe fn from_host(callbacks: *const dry_task_callbacks) -> Result<Self> {
        // SAFETY: this function's own condition.
        let callbacks = unsafe { structure::read("tasks", callbacks) }?;
        structure::reserved(callbacks.reserved)?;
        let run_task = callbacks.run_task.ok_or_else(|| missing("run_task"))?;
        let wait = callbacks.wait.ok_or_else(|| missing("wait"))?;
        let workers = callbacks.worker_count;
        if !(1..=MAX_THREADS).contains(&workers) {
            return Err(Error::argument(text!("tasks.worker_count is {workers}, expected 1 to {MAX_THREADS}")));
        }
        let (user_data, workers) = (callbacks.user_data, workers as usize);
        let mut handles = Vec::new();
        reserve(&mut handles, workers, "tasks")?;
        Ok(Self { shared: SharedRun::new(workers), user_data, run_task, wait, workers, handles: Mutex::new(handles) })
    }
}

fn missing(member: &str) -> Error {
    Error::new(ErrorKind::Null, text!("tasks.{member} is NULL, expected a function"))
}

/// The function that a host's thread calls.
///
/// # Safety
/// `argument` is the place that came with the task.
unsafe extern "C" fn help(argument: *mut c_void) {
    // SAFETY: `run` gave it, and the world it belongs to lives while the host has tasks of it.
    let shared = unsafe { &*argument.cast_const().cast::<SharedRun>() };
    environment::kept(|| {
        if environment::make_default() {
            // A panic of a piece is caught there and goes on at the thread that steps.
            guard::with_library_flag(true, || shared.help());
        }
    });
}

impl Tasks for HostTasks {
    fn workers(&self) -> usize {
        self.workers
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let tasks = self.workers.min(count).saturating_sub(1);
        let handles = RefCell::new(Vec::new());
        let place = (&raw const self.shared).cast_mut().cast::<c_void>();
        // SAFETY: `from_host` was promised that the function may be called, and `help` may be with this argument for as
        // long as the world lives.
        let submit = |_| guard::call_host(|| unsafe { (self.run_task)(self.user_data, Some(help), place) });
        // SAFETY: `from_host` was promised that the function may be called, and the handle came from `run_task`.
        let wait_for = |handle| guard::call_host(|| unsafe { (self.wait)(self.user_data, handle) });
        let invite = || {
            let mut handles = handles.borrow_mut();
            *handles = std::mem::take(&mut *self.handles.lock());
            handles.extend((0..tasks).map(submit).filter(|handle| !handle.is_null()));
        };
        let dismiss = || {
            let mut handles = handles.take();
            handles.drain(..).for_each(wait_for);
            *self.handles.lock() = handles;
        };
        self.shared.run(count, work, invite, dismiss);
    }
}
