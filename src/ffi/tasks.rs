//! The host's job system.

use libc::c_void;

use super::structure::{Recorded, Structure};

/// Work of drystone's: to be called once, with its argument, on any thread.
pub type dry_task = Option<unsafe extern "C" fn(argument: *mut c_void)>;

/// Sees to it that a task is called; on another thread if possible, and at once if it likes. Returns what
/// dry_task_wait needs to know it by. NULL: the task has been called already, or never will be; it is then not
/// waited for.
pub type dry_task_run =
    Option<unsafe extern "C" fn(user_data: *mut c_void, task: dry_task, argument: *mut c_void) -> *mut c_void>;

/// Returns when a task has ended. May call it now, and may do other work of the host's meanwhile. Each task that is
/// not NULL is waited for once, by the thread that gave it out.
pub type dry_task_wait = Option<unsafe extern "C" fn(user_data: *mut c_void, handle: *mut c_void)>;

/// How a host's job system does drystone's work: a pointer to it in dry_world_def makes the steps of that world run
/// on the host's threads. Zeroed by the host, which sets all members; grows at its end. Read while the world is
/// made, and not kept; what user_data shows must last as long as the world.
///
/// A step asks for tasks again and again, up to some hundred times: each time for at most worker_count - 1 of them,
/// which share pieces of 5 to 50 microseconds with the thread that steps, of some hundred and more where many thousand
/// contacts meet or part. That thread works too, and then waits for each. So tasks may run at the same time or one
/// after the other, in any order, before they are waited for or while they are, or not at all: only the time of the
/// step depends on it. They use little stack, never wait for each other and never call the host.
///
/// The functions are called by the thread that steps, within dry_world_step, and must not throw or longjmp; one that
/// has to give up its task calls it. While the world steps every other call on it is DRY_ERR_BUSY, at once and from
/// any thread: a job that runs while dry_task_wait waits may use other worlds. Each task brings its own floating
/// point environment and leaves the thread's as it was.
#[repr(C)]
#[derive(Clone, Copy)]
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

impl Recorded for dry_task_callbacks {
    const NAME: &'static str = "dry_task_callbacks";
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

// SAFETY: `repr(C)`, begins with its size, has no padding (tested), and any bits are a raw pointer or a function's.
unsafe impl Structure for dry_task_callbacks {}

impl Default for dry_task_callbacks {
    fn default() -> Self {
        let (struct_size, user_data) = (size_of::<Self>(), std::ptr::null_mut());
        Self { struct_size, user_data, run_task: None, wait: None, worker_count: 0, reserved: 0 }
    }
}
