//! What a step says of itself.

use crate::error::Error;
use crate::solver::Outcome;
use crate::solver::compatibility::Corrected;

/// `residual_max` is above the tolerance.
pub(super) const NOT_CONVERGED: u32 = 1;

/// In at least one island the projection was rejected.
pub(super) const PROJECTION_REJECTED: u32 = 2;
/// In at least one island no forces carry the loads.
const INFEASIBLE: u32 = 4;
/// In at least one island the correction stopped above its tolerance.
const NOT_CORRECTED: u32 = 8;
/// At least one island was too large for the solver asked for.
pub(super) const FALLBACK: u32 = 16;

/// What a step did; `dry_step_report` of the C interface says what each member means.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)] // documented once, at `dry_step_report`
pub struct Report {
    pub flags: u32,
    pub bodies: u32,
    pub awake_bodies: u32,
    pub islands: u32,
    pub contacts: u32,
    pub new_contacts: u32,
    pub iterations: u32,
    pub projection_passes: u32,
    pub compatibility_iterations: u32,
    pub worst_contact: u64,
    pub residual_max: f64,
    pub residual_mean: f64,
    pub solver_residual: f64,
    pub compatibility_residual: f64,
    pub max_overlap: f64,
    pub kinetic_energy: f64,
    pub potential_energy: f64,
    pub seconds_detect: f64,
    pub seconds_assemble: f64,
    pub seconds_impact: f64,
    pub seconds_solve: f64,
    pub seconds_project: f64,
    pub seconds_compatibility: f64,
    pub seconds_integrate: f64,
    pub seconds_total: f64,
    pub projected_islands: u32,
    pub rejected_islands: u32,
    pub infeasible_islands: u32,
    pub associated_islands: u32,
    pub closed_contacts: u32,
    pub contacts_beyond_friction: u32,
    pub closing_velocity: f64,
}

impl Report {
    /// Takes over what the solver says of a substep: iterations, passes and seconds add up; islands are the most of any;
    /// residuals are those of the substep that ended worst. Returns whether that is this one, so far.
    pub(super) fn record(&mut self, outcome: &Outcome) -> bool {
        self.islands = self.islands.max(outcome.islands);
        self.iterations = self.iterations.saturating_add(outcome.iterations);
        self.seconds_project += outcome.seconds_project;
        self.projection_passes = self.projection_passes.saturating_add(outcome.projection.passes);
        self.projected_islands = self.projected_islands.max(outcome.projection.islands);
        self.rejected_islands = self.rejected_islands.max(outcome.projection.rejected);
        // No number is the worst there is.
        let is_worst = outcome.residual_max.is_nan() || outcome.residual_max >= self.residual_max;
        if is_worst {
            self.residual_max = outcome.residual_max;
            self.residual_mean = outcome.residual_mean;
            self.solver_residual = outcome.solver_residual;
        }
        if outcome.projection.rejected > 0 {
            self.flags |= PROJECTION_REJECTED;
        }
        if outcome.fallbacks > 0 {
            self.flags |= FALLBACK;
        }
        is_worst
    }

    /// Takes over what the correction says of itself.
    pub(super) fn record_correction(&mut self, corrected: &Corrected) {
        self.compatibility_iterations = corrected.iterations;
        self.compatibility_residual = corrected.residual;
        self.infeasible_islands = corrected.infeasible;
        self.associated_islands = corrected.associated;
        self.closed_contacts = corrected.closed;
        self.contacts_beyond_friction = corrected.beyond;
        self.closing_velocity = corrected.closing;
        if corrected.infeasible > 0 {
            self.flags |= INFEASIBLE;
        }
        if corrected.unconverged + corrected.associated > 0 {
            self.flags |= NOT_CORRECTED;
        }
    }
}

/// A step that was undone, with its report if it came that far.
#[derive(Debug, Clone, PartialEq)]
pub struct StepFailure {
    /// Why.
    pub error: Error,
    /// Of the step as it would have been; only where it did not converge.
    pub report: Option<Box<Report>>,
}

impl From<Error> for StepFailure {
    fn from(error: Error) -> Self {
        Self { error, report: None }
    }
}
