//! A function of the host that a solver calls between its iterations, and that may stop the call.

use core::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result, text};
use crate::solver::monitor::{Monitor, Observer};

use super::callback::Callback;
use super::guard;
use super::structure::{self, structure};

/// Receives the progress of a call of a solver: the number of iterations that are over. An iteration is a sweep, a
/// step of another method, a round of the projection or a step of the correction; those of all islands count. Returns
/// 0 to go on, any other number to stop.
pub type dry_iteration_progress = Option<unsafe extern "C" fn(user_data: *mut c_void, iterations_done: u64) -> i32>;

/// The function that a solver calls between its iterations. The host zeroes it and sets the members that it needs;
/// grows at its end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_solver_progress {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Passed to the function; may be NULL.
    pub user_data: *mut c_void,
    /// Not NULL. It runs on the thread that called the solver and must not throw or longjmp. Within it every call on
    /// the same solver is DRY_ERR_BUSY, except dry_solver_destroy; other solvers may be used.
    pub progress: dry_iteration_progress,
    /// The number of iterations of a call between two calls of the function; 0 counts as 1.
    pub every: u64,
}

structure!(dry_solver_progress);

/// The host's function with its user data, and the progress of the present call.
#[derive(Debug)]
pub(super) struct SolverProgress {
    user_data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void, u64) -> i32,
    every: u64,
    /// Iterations of the present call. Only the thread that has the solver's lock counts.
    done: AtomicU64,
    callback: Arc<Callback>,
}

// SAFETY: the pointer is the host's own and only handed back to it. `from_host` was promised that the function may be
// called by whichever thread calls the solver.
unsafe impl Send for SolverProgress {}
// SAFETY: as above; the solver's lock keeps all threads but one from calling the host.
unsafe impl Sync for SolverProgress {}

impl SolverProgress {
    /// Returns what the host gave, checked; none for NULL.
    ///
    /// # Safety
    /// If `progress` is neither NULL nor misaligned, it points to a structure of the size in its first member. Its
    /// function may be called, as the interface allows, for as long as the result lives.
    pub(super) unsafe fn from_host(
        progress: *const dry_solver_progress,
        callback: &Arc<Callback>,
    ) -> Result<Option<Arc<Self>>> {
        if progress.is_null() {
            return Ok(None);
        }
        // SAFETY: this function's own condition.
        let dry_solver_progress { user_data, progress, every, .. } = unsafe { structure::read("progress", progress) }?;
        let Some(function) = progress else {
            return Err(Error::new(ErrorKind::Null, "progress.progress is NULL, expected a function"));
        };
        let (every, callback) = (every.max(1), Arc::clone(callback));
        Ok(Some(Arc::new(Self { user_data, function, every, done: AtomicU64::new(0), callback })))
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

impl Observer for SolverProgress {
    fn iterated(&self) -> Result<()> {
        let done = self.done.load(Ordering::Relaxed) + 1;
        self.done.store(done, Ordering::Relaxed);
        if !done.is_multiple_of(self.every) {
            return Ok(());
        }
        // SAFETY: `from_host` was promised that the function may be called.
        let call = || guard::call_host(|| unsafe { (self.function)(self.user_data, done) });
        match self.callback.during(call) {
            0 => Ok(()),
            answer => Err(Error::new(ErrorKind::Stopped, text!("progress returned {answer} after {done} iterations"))),
        }
    }
}
