//! Stepping a world.

use crate::error::Kind;

use super::environment;
use super::guard;
use super::handle::{self, dry_world};
use super::report::dry_step_report;
use super::status_code::dry_status;
use super::structure;

/// Advances a world by one step.
///
/// step: its duration, above 0 [s]. A body should move less than its own size in it; 1/60 to 1/1000 are usual.
/// report_or_null: receives what happened.
///
/// The calling thread works, alone or with others, as dry_world_def said.
///
/// DRY_ERR_BUSY: the world is being stepped on the host's tasks already.
/// DRY_ERR_NOT_FINITE: the step would have ended in NaN or infinity; the message names the body.
/// DRY_ERR_NOT_CONVERGED: only with require_convergence; the report is written.
/// DRY_ERR_UNSUPPORTED: the calling thread flushes small numbers to zero or does not round to nearest.
/// In all these cases the world is as before the step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_step(
    world: *mut dry_world,
    step: f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run(|| {
        // SAFETY: the host gives a world of its own, and NULL or a structure of the size it says.
        let (world, place) = unsafe { (handle::of(world)?, structure::output_or_null("report", report_or_null)?) };
        environment::check()?;
        let (report, outcome) = match world.step(|world| Ok(world.step(step)))? {
            Ok(report) => (Some(report), Ok(())),
            Err(failure) if failure.error.kind == Kind::NotConverged => {
                (failure.report.map(|report| *report), Err(failure.error))
            }
            Err(failure) => (None, Err(failure.error)),
        };
        if let (Some(place), Some(report)) = (place, report) {
            place.write(dry_step_report::from(&report));
        }
        outcome
    })
}
