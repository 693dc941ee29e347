//! How `alpha`, `rho` and the form of the equations follow from success and failure of the proximal problems.
//!
//! Owns the history of a solve. It knows nothing of contacts.

use crate::solver::newton::map::Form;

/// In units of the mean diagonal.
const START: f64 = 1e-3;
/// Below this the term is lost in the round-off of `W`.
const FLOOR: f64 = 1e-13;
/// Above this the answer hardly leaves the center.
const CEILING: f64 = 1e3;
/// So many proximal problems in a row that do not lower the residual by a tenth end the solve.
const PATIENCE: u32 = 100;
/// After a failure so many successes lower `alpha` by a smaller factor: a full one would lead back to the failure.
const CAREFUL: u32 = 3;
/// Sweeps at the start and after a failure.
const SWEEPS: u32 = 10;

/// The form and `rho` of an attempt by the number of failures so far: near the answer of a soft system velocities are far
/// smaller than `rho = 1` expects, and a large one brings the kinks into reach.
const ATTEMPTS: [(Form, f64); 8] = [
    (Form::AlartCurnier, 1.0),
    (Form::Natural, 1.0),
    (Form::AlartCurnier, 1e1),
    (Form::Natural, 1e1),
    (Form::AlartCurnier, 1e2),
    (Form::Natural, 1e2),
    (Form::AlartCurnier, 1e3),
    (Form::Natural, 1e3),
];

/// One proximal problem: its weight, and the equations by which it is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proximal {
    pub(super) alpha: f64,
    pub(super) form: Form,
    /// The step of the projection.
    pub(super) rho: f64,
}

/// The history of a solve, and what comes next.
#[derive(Debug)]
pub(super) struct Schedule {
    alpha: f64,
    failures: usize,
    /// Careful steps that are due.
    careful: u32,
    /// Sweeps before Newton's method.
    pub(super) sweeps: u32,
    /// The residual from which a tenth is to be gained, and for how long it was not.
    milestone: f64,
    waited: u32,
}

impl Schedule {
    /// At a start with this residual.
    pub(super) fn new(residual: f64) -> Self {
        Self { alpha: START, failures: 0, careful: 0, sweeps: SWEEPS, milestone: residual, waited: 0 }
    }

    /// The next proximal problem.
    pub(super) fn proximal(&self) -> Proximal {
        let (form, rho) = ATTEMPTS[self.failures % ATTEMPTS.len()];
        Proximal { alpha: self.alpha, form, rho }
    }

    /// After a proximal problem; `false` when the solve is to end.
    pub(super) fn advance(&mut self, converged: bool, best: f64) -> bool {
        if converged {
            let factor = if self.careful > 0 { 3.0 } else { 10.0 };
            self.careful = self.careful.saturating_sub(1);
            self.alpha = (self.alpha / factor).max(FLOOR);
            self.sweeps = 0;
        } else {
            self.failures += 1;
            self.careful = CAREFUL;
            self.alpha = (self.alpha * 10.0).min(CEILING);
            self.sweeps = SWEEPS;
        }
        self.waited += 1;
        if best < 0.9 * self.milestone {
            self.milestone = best;
            self.waited = 0;
        }
        self.waited < PATIENCE
    }
}
