//! The statuses. Numbers are never changed and never used again.

/// The status that a call returns if it can fail.
///
/// After a failure outputs are untouched and the world is as before the call. There are three exceptions.
/// DRY_ERR_CAPACITY writes the full number. DRY_ERR_NOT_CONVERGED writes the report, and of a solver the solution.
/// dry_world_run keeps the steps that it completed, and writes their number.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum dry_status {
    /// The call succeeded.
    DRY_OK = 0,
    /// A required pointer was NULL.
    DRY_ERR_NULL = 1,
    /// The library does not know this struct_size: the structure was not initialised, or its header is newer.
    DRY_ERR_ABI = 2,
    /// A value outside its range.
    DRY_ERR_ARGUMENT = 3,
    /// NaN or infinity in the input, or a step or solve that would have ended in one or beyond the limits, undone.
    DRY_ERR_NOT_FINITE = 4,
    /// No such object, or it was removed or destroyed, or the handle is of another kind.
    DRY_ERR_STALE_HANDLE = 5,
    /// The caller's buffer is too small; the count is the full number.
    DRY_ERR_CAPACITY = 6,
    /// A function, setting or combination that this version does not offer.
    DRY_ERR_UNSUPPORTED = 7,
    /// Only with require_convergence: the step was undone, its report is written; of a solver the solution too.
    DRY_ERR_NOT_CONVERGED = 8,
    /// A snapshot or a file that does not have the format of its kind.
    DRY_ERR_FORMAT = 9,
    /// Reading or writing a file failed.
    DRY_ERR_IO = 10,
    /// A call from inside a callback, or while a step runs on the host's tasks; a solver in use by another thread.
    DRY_ERR_BUSY = 11,
    /// A defect of drystone, caught; the world, or the solver, can only be destroyed.
    DRY_ERR_INTERNAL = 12,
    /// An allocation sized by the input failed.
    DRY_ERR_MEMORY = 13,
    /// The function that dry_world_run calls between steps, or a solver or a static problem between iterations, asked to
    /// stop. A run keeps the steps before; otherwise the solver or the world is as before the call.
    DRY_ERR_STOPPED = 14,
}

impl dry_status {
    /// Its name, or a fixed text for a number that is no status.
    pub(super) fn name(number: u32) -> &'static std::ffi::CStr {
        match number {
            0 => c"DRY_OK",
            1 => c"DRY_ERR_NULL",
            2 => c"DRY_ERR_ABI",
            3 => c"DRY_ERR_ARGUMENT",
            4 => c"DRY_ERR_NOT_FINITE",
            5 => c"DRY_ERR_STALE_HANDLE",
            6 => c"DRY_ERR_CAPACITY",
            7 => c"DRY_ERR_UNSUPPORTED",
            8 => c"DRY_ERR_NOT_CONVERGED",
            9 => c"DRY_ERR_FORMAT",
            10 => c"DRY_ERR_IO",
            11 => c"DRY_ERR_BUSY",
            12 => c"DRY_ERR_INTERNAL",
            13 => c"DRY_ERR_MEMORY",
            14 => c"DRY_ERR_STOPPED",
            _ => c"unknown status",
        }
    }
}
