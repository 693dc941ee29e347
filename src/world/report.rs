//! The report of a step.

use crate::error::{Error, ErrorKind, Number, Result, text};
use crate::id::Handle;
use crate::math::limits;
use crate::solver::Outcome;
use crate::solver::compatibility::Corrected;
use crate::world::ledger::Ledger;
use crate::world::settings::Settings;

/// The flag of a `residual_max` above the tolerance.
pub(super) const NOT_CONVERGED: u32 = 1;

/// The flag of a projection that was rejected in at least one island.
pub(super) const PROJECTION_REJECTED: u32 = 2;
/// The flag of at least one island whose loads no forces can carry.
const INFEASIBLE: u32 = 4;
/// The flag of a correction that stopped above its tolerance in at least one island.
const NOT_CORRECTED: u32 = 8;
/// The flag of at least one island that was too large for the chosen solver.
pub(super) const FALLBACK: u32 = 16;
/// The flag of a correction that left a part of the solver's choice in at least one island.
const NOT_UNIQUE: u32 = 32;

/// The flag of at least one island in which no motion obeys all laws.
const NO_MOTION: u32 = 64;

/// The report of a step. `dry_step_report` of the C interface documents each member.
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
    pub joints: u32,
    pub unaimed_mechanisms: u32,
    pub joint_residual: f64,
    pub joint_error: f64,
    pub joint_stiffness: f64,
    pub worst_joint: Handle,
    pub seconds_joints: f64,
    pub residual_normal: f64,
    pub residual_friction: f64,
    pub residual_rolling: f64,
    pub ledger: Ledger,
}

impl Report {
    /// Adds the outcome of a substep. Iterations, passes and seconds are summed; the numbers of islands are maxima; residuals are those of
    /// the substep with the largest one. Returns whether that is this substep, so far.
    pub(super) fn record(&mut self, outcome: &Outcome) -> bool {
        self.islands = self.islands.max(outcome.islands);
        self.iterations = self.iterations.saturating_add(outcome.iterations);
        self.seconds_project += outcome.seconds_project;
        self.projection_passes = self.projection_passes.saturating_add(outcome.projection.passes);
        self.projected_islands = self.projected_islands.max(outcome.projection.islands);
        self.rejected_islands = self.rejected_islands.max(outcome.projection.rejected);
        // NaN counts as the largest residual.
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
        if outcome.infeasible > 0 {
            self.flags |= NO_MOTION;
        }
        is_worst
    }

    /// Adds the result of the compatibility correction.
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
        if corrected.undetermined > 0 {
            self.flags |= NOT_UNIQUE;
        }
        if corrected.unconverged + corrected.associated > 0 {
            self.flags |= NOT_CORRECTED;
        }
    }

    /// Checks that every number is finite, except for the kinetic energy and what follows from it, and residuals small enough to have a square. The message ends with
    /// `undone`.
    ///
    /// # Errors
    ///
    /// One is not.
    pub(super) fn check_finite(&self, undone: &str) -> Result<()> {
        // Where the square of a speed is infinite, so may be the entries of the ledger.
        let ledger = if self.kinetic_energy.is_finite() { self.ledger } else { Ledger::default() };
        let Ledger { elastic, friction_loss, rolling_loss, impact_loss, damping_loss, .. } = ledger;
        let Ledger { wall_work, joint_work, force_work, numerical, .. } = ledger;
        let numbers = [
            ("elastic_energy", elastic),
            ("friction_loss", friction_loss),
            ("rolling_loss", rolling_loss),
            ("impact_loss", impact_loss),
            ("damping_loss", damping_loss),
            ("wall_work", wall_work),
            ("joint_work", joint_work),
            ("force_work", force_work),
            ("numerical_energy", numerical),
            ("residual_max", self.residual_max),
            ("residual_mean", self.residual_mean),
            ("solver_residual", self.solver_residual),
            ("compatibility_residual", self.compatibility_residual),
            ("max_overlap", self.max_overlap),
            ("potential_energy", self.potential_energy),
            ("closing_velocity", self.closing_velocity),
            ("joint_residual", self.joint_residual),
            ("joint_error", self.joint_error),
            ("joint_stiffness", self.joint_stiffness),
        ];
        let broken = numbers.iter().find(|(_, number)| !number.is_finite());
        let residual = ("residual_max", self.residual_max);
        match broken.or((!limits::has_square(self.residual_max)).then_some(&residual)) {
            None => Ok(()),
            Some((name, number)) => {
                let number = Number(*number);
                let message = text!(
                    "{name} would be {number} in the report, expected a finite number, a residual up to 1e150{undone}"
                );
                Err(Error::new(ErrorKind::NotFinite, message))
            }
        }
    }

    /// Checks the residual against the tolerance, and sets a flag if it is larger. The message calls the iterations `unit`, and ends with
    /// `undone`.
    ///
    /// # Errors
    ///
    /// `require_convergence` is set and the tolerance was missed.
    pub(super) fn check_converged(
        &mut self,
        settings: &Settings,
        unit: &str,
        undone: &str,
    ) -> std::result::Result<(), StepFailure> {
        let (residual, iterations, tolerance) = (self.residual_max, self.iterations, settings.tolerance);
        if tolerance == 0.0 || residual <= tolerance {
            return Ok(());
        }
        self.flags |= NOT_CONVERGED;
        if !settings.require_convergence {
            return Ok(());
        }
        let message = text!(
            "residual_max is {residual:e} m/s after {iterations} {unit}, expected at most the tolerance {tolerance:e}{undone}"
        );
        Err(StepFailure { error: Error::new(ErrorKind::NotConverged, message), report: Some(Box::new(*self)) })
    }
}

/// A step that failed and was undone. It is displayed as its error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct StepFailure {
    /// The reason.
    pub error: Error,
    /// The report of the step, if it failed only because it did not converge.
    pub report: Option<Box<Report>>,
}

impl From<Error> for StepFailure {
    fn from(error: Error) -> Self {
        Self { error, report: None }
    }
}
