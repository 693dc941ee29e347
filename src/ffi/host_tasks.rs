//! The host's job system as somebody who runs the pieces of a step.
//!
//! What a host's thread gets is a place to help at ([`Shared`]), which lives as long as the world: a task that the host
//! calls twice, or after it should have ended, finds nothing to do.

use std::cell::RefCell;

use libc::c_void;
use parking_lot::Mutex;

use crate::error::{Error, Kind, Result, reserve};
use crate::tasks::{Shared, Tasks};

use super::tasks::{dry_task, dry_task_callbacks};
use super::{environment, guard, structure};

/// Most threads of a world, the host's or drystone's own.
pub(super) const MOST_THREADS: u32 = 1024;

type Run = unsafe extern "C" fn(*mut c_void, dry_task, *mut c_void) -> *mut c_void;
type Wait = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// The host's functions, with what they are handed.
pub(super) struct HostTasks {
    shared: Shared,
    user_data: *mut c_void,
    run_task: Run,
    wait: Wait,
    workers: usize,
    /// Of the tasks that are to be waited for; kept between runs, which allocate nothing.
    handles: Mutex<Vec<*mut c_void>>,
}

// SAFETY: the pointers are the host's own and only handed back to it. `from_host` was promised that its functions may be
// called by whichever thread steps.
unsafe impl Send for HostTasks {}
// SAFETY: as above; of several threads that run something at a time, one alone calls the host (see `Shared::run`).
unsafe impl Sync for HostTasks {}

impl HostTasks {
    /// What the host says of its job system, checked.
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
        if !(1..=MOST_THREADS).contains(&workers) {
            return Err(Error::argument(format!("tasks.worker_count is {workers}, expected 1 to {MOST_THREADS}")));
        }
        let (user_data, workers) = (callbacks.user_data, workers as usize);
        let mut handles = Vec::new();
        reserve(&mut handles, workers, "tasks")?;
        Ok(Self { shared: Shared::new(workers), user_data, run_task, wait, workers, handles: Mutex::new(handles) })
    }

    /// Gives out one task; answers its handle.
    fn submit(&self) -> *mut c_void {
        let place = (&raw const self.shared).cast_mut().cast::<c_void>();
        // SAFETY: `from_host` was promised that the function may be called, and `help` may be with this argument for as
        // long as the world lives.
        at_the_host(|| unsafe { (self.run_task)(self.user_data, Some(help), place) })
    }

    fn wait_for(&self, handle: *mut c_void) {
        // SAFETY: `from_host` was promised that the function may be called, and the handle came from `run_task`.
        at_the_host(|| unsafe { (self.wait)(self.user_data, handle) });
    }
}

fn missing(member: &str) -> Error {
    Error::new(Kind::Null, format!("tasks.{member} is NULL, expected a function"))
}

/// Calls a function of the host on the thread that steps: its panics are its own, and the thread's floating point
/// environment stays what it is.
fn at_the_host<T>(call: impl FnOnce() -> T) -> T {
    environment::kept(|| guard::outside(call))
}

/// What a host's thread calls.
///
/// # Safety
/// `argument` is the place that came with the task.
unsafe extern "C" fn help(argument: *mut c_void) {
    // SAFETY: `submit` gave it, and the world it belongs to lives while the host has tasks of it.
    let shared = unsafe { &*argument.cast_const().cast::<Shared>() };
    // A panic of a piece is caught there and goes on at the thread that steps.
    guard::inside(|| environment::in_default(|| shared.help()));
}

impl Tasks for HostTasks {
    fn workers(&self) -> usize {
        self.workers
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let tasks = self.workers.min(count).saturating_sub(1);
        let handles = RefCell::new(Vec::new());
        let invite = || {
            let mut handles = handles.borrow_mut();
            *handles = std::mem::take(&mut *self.handles.lock());
            handles.extend((0..tasks).map(|_| self.submit()).filter(|handle| !handle.is_null()));
        };
        let dismiss = || {
            let mut handles = handles.take();
            handles.drain(..).for_each(|handle| self.wait_for(handle));
            *self.handles.lock() = handles;
        };
        self.shared.run(count, work, invite, dismiss);
    }
}

impl std::fmt::Debug for HostTasks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("HostTasks").field("workers", &self.workers).finish_non_exhaustive()
    }
}
