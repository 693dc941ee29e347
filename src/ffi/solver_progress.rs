//! A function of the host that a solver calls between its iterations, and that may stop the call.

use core::ffi::c_void;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};

use super::callback::Callback;
use super::iteration_progress::{IterationProgress, dry_iteration_progress};
use super::structure::{self, structure};

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

/// Returns what the host gave, checked; none for NULL.
///
/// # Safety
/// If `progress` is neither NULL nor misaligned, it points to a structure of the size in its first member. Its function
/// may be called, as the interface allows, for as long as the result lives.
pub(super) unsafe fn from_host(
    progress: *const dry_solver_progress,
    callback: &Arc<Callback>,
) -> Result<Option<Arc<IterationProgress>>> {
    if progress.is_null() {
        return Ok(None);
    }
    // SAFETY: this function's own condition.
    let dry_solver_progress { user_data, progress, every, .. } = unsafe { structure::read("progress", progress) }?;
    let Some(function) = progress else {
        return Err(Error::new(ErrorKind::Null, "progress.progress is NULL, expected a function"));
    };
    // SAFETY: this function's own condition.
    Ok(Some(unsafe { IterationProgress::new(function, user_data, every, callback) }))
}
