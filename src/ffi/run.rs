//! Many steps in one call, which the host may stop.

use core::ffi::c_void;

use crate::error::{Error, ErrorKind, Result, text};
use crate::world::World;

use super::handle::{self, dry_world};
use super::status_code::dry_status;
use super::step::{dry_step_report, written};
use super::structure::{self, structure};
use super::{environment, guard};

/// Receives the progress of a run: steps_done of count steps are over. report describes the last step, and lasts
/// until the function returns. Its struct_size is that of the library. Returns 0 to go on, any other number to stop.
pub type dry_progress = Option<
    unsafe extern "C" fn(user_data: *mut c_void, steps_done: u64, count: u64, report: *const dry_step_report) -> i32,
>;

/// The function that a run calls between its steps. The host zeroes it and sets the members that it needs; grows at
/// its end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_run_progress {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Passed to the function; may be NULL.
    pub user_data: *mut c_void,
    /// Not NULL. It runs on the calling thread and must not throw or longjmp. Within it every call on the same world
    /// is DRY_ERR_BUSY, also those that only read; other worlds may be used. It must not wait for a thread that uses
    /// the world.
    pub progress: dry_progress,
    /// The number of steps between two calls of the function; 0 counts as 1. It is also called after the last step.
    pub every: u64,
}

structure!(dry_run_progress);

/// Advances a world by many steps of the same length, as dry_world_step does again and again, to the last bit.
///
/// step: duration of each [s].
/// count: number of steps. With 0 the call does nothing.
///
/// progress_or_null: the function to call between steps, which may stop the run; read before the first step.
///
/// steps_done_or_null: receives the number of completed steps, whatever ends the run. It is untouched where a pointer or
/// a structure is refused.
///
/// report_or_null: receives the report of the last completed step. It is untouched if there is none.
///
/// The run is one call that changes the world: those of other threads wait until it is over, or are DRY_ERR_BUSY where
/// the world steps on the host's tasks.
///
/// DRY_ERR_STOPPED: the function asked to stop; the world is as after the last completed step, and may run on. After
/// the last of all steps the answer does not matter. The failures of dry_world_step end the run in the same way: the
/// world is as before the step that failed, and with DRY_ERR_NOT_CONVERGED the report is that of this step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_run(
    world: *mut dry_world,
    step: f64,
    count: u64,
    progress_or_null: *const dry_run_progress,
    steps_done_or_null: *mut u64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run("dry_world_run", || {
        // SAFETY: the host gives NULL or a structure of the size it says, three times, or a place for a number.
        let (world, progress, done, place) = unsafe {
            (
                handle::of(world)?,
                Progress::from_host(progress_or_null, count)?,
                guard::output_or_null("steps_done", steps_done_or_null)?,
                structure::output_or_null("report", report_or_null)?,
            )
        };
        environment::check()?;
        let mut run = Run { world: &world, progress, done: 0, report: None };
        let answer = world.step(|inside| run.steps(inside, step, count));
        if let Some(done) = done {
            done.write(run.done);
        }
        if let Some(report) = run.report {
            place.write(report);
        }
        answer
    })
}

/// A run, and how far it is.
struct Run<'a> {
    world: &'a dry_world,
    progress: Option<Progress>,
    done: u64,
    /// Of the last step.
    report: Option<dry_step_report>,
}

impl Run<'_> {
    /// Makes the steps.
    fn steps(&mut self, inside: &mut World, step: f64, count: u64) -> Result<()> {
        while self.done < count {
            let report = &mut self.report;
            written(inside.step(step), |made| *report = Some(dry_step_report::from(made)))?;
            self.done += 1;
            self.call_if_due(count)?;
        }
        Ok(())
    }

    /// Calls the host's function if it is due.
    fn call_if_due(&self, count: u64) -> Result<()> {
        let (Some(progress), Some(report)) = (&self.progress, &self.report) else { return Ok(()) };
        let is_last = self.done == count;
        if !(is_last || self.done.is_multiple_of(progress.every)) {
            return Ok(());
        }
        let answer = self.world.during_callback(|| progress.call(self.done, report));
        if answer == 0 || is_last {
            return Ok(());
        }
        let done = self.done;
        Err(Error::new(ErrorKind::Stopped, text!("progress returned {answer} after {done} of {count} steps")))
    }
}

/// The host's function with its user data.
struct Progress {
    user_data: *mut c_void,
    function: unsafe extern "C" fn(*mut c_void, u64, u64, *const dry_step_report) -> i32,
    every: u64,
    count: u64,
}

impl Progress {
    /// Returns what the host gave, checked; none for NULL.
    ///
    /// # Safety If `progress` is neither NULL nor misaligned it points to a structure of the size in its first
    /// member. Its function may be called as the interface allows.
    unsafe fn from_host(progress: *const dry_run_progress, count: u64) -> Result<Option<Self>> {
        if progress.is_null() {
            return Ok(None);
        }
        // SAFETY: this function's own condition.
        let dry_run_progress { user_data, progress, every, .. } = unsafe { structure::read("progress", progress) }?;
        let Some(function) = progress else {
            return Err(Error::new(ErrorKind::Null, "progress.progress is NULL, expected a function"));
        };
        Ok(Some(Self { user_data, function, every: every.max(1), count }))
    }

    fn call(&self, done: u64, report: &dry_step_report) -> i32 {
        // SAFETY: `from_host` was promised that the function may be called; the report lasts longer than the call.
        guard::call_host(|| unsafe { (self.function)(self.user_data, done, self.count, &raw const *report) })
    }
}
