//! A function of the host that a call runs between its iterations, and that may stop the call.

use core::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result, text};
use crate::solver::monitor::{Monitor, Observer};

use super::callback::Callback;
use super::guard;

/// Receives the progress of a call of a solver, of a static increment or of a limit load: the number of iterations
/// that are over. An iteration is a sweep, a step of another method, a round of the projection or a step of the
/// correction; those of all islands count. Returns 0 to go on, any other number to stop.
pub type dry_iteration_progress = Option<unsafe extern "C" fn(user_data: *mut c_void, iterations_done: u64) -> i32>;

/// The host's function with its user data, and the progress of the present call.
#[derive(Debug)]
pub(super) struct IterationProgress {
    user_data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void, u64) -> i32,
    every: u64,
    /// Iterations of the present call. Only the thread that has the lock of the object counts.
    done: AtomicU64,
    callback: Arc<Callback>,
}

// SAFETY: the pointer is the host's own and only handed back to it. `new` was promised that the function may be called
// by whichever thread calls the object.
unsafe impl Send for IterationProgress {}
// SAFETY: as above; the lock of the object keeps all threads but one from calling the host.
unsafe impl Sync for IterationProgress {}

impl IterationProgress {
    /// Returns what calls `function` after every `every` iterations; 0 counts as 1.
    ///
    /// # Safety
    /// The function may be called with its user data, as the interface allows, for as long as the result lives.
    pub(super) unsafe fn new(
        function: unsafe extern "C" fn(*mut c_void, u64) -> i32,
        user_data: *mut c_void,
        every: u64,
        callback: &Arc<Callback>,
    ) -> Arc<Self> {
        let (every, callback) = (every.max(1), Arc::clone(callback));
        Arc::new(Self { user_data, function, every, done: AtomicU64::new(0), callback })
    }

    /// Begins a call.
    pub(super) fn begin(&self) {
        self.done.store(0, Ordering::Relaxed);
    }

    /// Returns what the solver calls.
    pub(super) fn monitor(this: Option<&Arc<Self>>) -> Monitor {
        this.map_or_else(Monitor::default, |progress| Monitor::new(Arc::<Self>::clone(progress)))
    }
}

impl Observer for IterationProgress {
    fn iterated(&self) -> Result<()> {
        let done = self.done.load(Ordering::Relaxed) + 1;
        self.done.store(done, Ordering::Relaxed);
        if !done.is_multiple_of(self.every) {
            return Ok(());
        }
        // SAFETY: `new` was promised that the function may be called.
        let call = || guard::call_host(|| unsafe { (self.function)(self.user_data, done) });
        match self.callback.during(call) {
            0 => Ok(()),
            answer => Err(Error::new(ErrorKind::Stopped, text!("progress returned {answer} after {done} iterations"))),
        }
    }
}
