//! Checks of the result of a step, before it is committed.

use crate::body::{Bodies, Motion};
use crate::error::{Error, Kind, Result};
use crate::world::assemble::Assembly;
use crate::world::body_forces::BodyForces;
use crate::world::report::{NOT_CONVERGED, Report, StepFailure};
use crate::world::settings::Settings;

/// What the check for finite numbers reads; arrays are row by row.
pub(in crate::world) struct FiniteInput<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    /// The slot of each row.
    pub(in crate::world) slots: &'a [u32],
    pub(in crate::world) assembly: &'a Assembly,
    /// The motion at the end of the substep of the rows that take part in the step.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) forces: BodyForces<'a>,
}

/// Checks that every position, velocity and force is finite.
///
/// # Errors
///
/// One is not. The message names the body. It is a body whose velocity is infinite or NaN before the contacts act, if there is one,
/// since this body makes the velocities of others infinite or NaN through contacts.
pub(in crate::world) fn check_finite(input: &FiniteInput) -> Result<()> {
    let FiniteInput { bodies, slots, assembly, motion, forces } = input;
    let before_contacts = (0..motion.len()).find(|row| !assembly.is_finite(*row));
    let is_finite = |row: &usize| motion.get(*row).is_none_or(Motion::is_finite) && forces.of(*row).is_finite();
    let broken = before_contacts.or_else(|| (0..slots.len()).find(|row| !is_finite(row)));
    let Some(row) = broken else { return Ok(()) };
    let handle = bodies.registry.handle(slots[row] as usize).0;
    let message = format!(
        "the step would end with body {handle:#x} at a place, a speed or under a force that is not finite; it was undone"
    );
    Err(Error::new(Kind::NotFinite, message))
}

/// Checks the residual against the tolerance, and sets a flag of the report if it is larger.
///
/// # Errors
///
/// `require_convergence` is set and the tolerance was missed.
pub(in crate::world) fn check_converged(
    settings: &Settings,
    report: &mut Report,
) -> std::result::Result<(), StepFailure> {
    let tolerance = settings.tolerance;
    if tolerance == 0.0 || report.residual_max <= tolerance {
        return Ok(());
    }
    report.flags |= NOT_CONVERGED;
    if !settings.require_convergence {
        return Ok(());
    }
    let (residual, sweeps) = (report.residual_max, report.iterations);
    let message = format!(
        "residual_max is {residual:e} m/s after {sweeps} sweeps, expected at most the tolerance {tolerance:e}; the step was undone"
    );
    Err(StepFailure { error: Error::new(Kind::NotConverged, message), report: Some(Box::new(*report)) })
}
