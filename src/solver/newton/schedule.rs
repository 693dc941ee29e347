//! Which proximal problem comes next: what follows from success and failure.

use crate::solver::newton::map::{Form, Proximal};

/// The first `alpha`, in units of the mean diagonal.
const START: f64 = 1e-3;
/// Below this the term is lost in the round-off of `W`.
const FLOOR: f64 = 1e-13;
/// Above this the answer hardly leaves the center.
const CEILING: f64 = 1e3;
/// So many proximal problems in a row that do not lower the residual by a tenth end the solve.
const MAX_STALLED: u32 = 100;
/// After a failure so many successes lower `alpha` by a smaller factor: a full one would lead back to the failure.
const CAREFUL: u32 = 3;
/// Sweeps at the start and after a failure.
const SWEEPS: u32 = 10;

/// The form and `rho` of an attempt by the number of failures so far. Near the answer of a soft system velocities are
/// far smaller than `rho = 1` expects. A large `rho` brings the kinks into reach.
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

/// So few steps at one `t` let the next be much smaller.
const FEW_STEPS: u32 = 4;
/// The first proximal term of smoothed laws, the factor by which it falls with each `t`, and the least.
const PATH_START: f64 = 1e-4;
const PATH_FALL: f64 = 0.2;
const PATH_FLOOR: f64 = 1e-10;
/// The smallest factor from one `t` to the next. Above the largest the path has an end.
const SMALLEST: f64 = 0.1;
const LARGEST: f64 = 0.9;

/// How `alpha`, `rho` and the form of the equations follow from success and failure of the proximal problems.
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
        self.waited < MAX_STALLED
    }
}

/// How `t` and `alpha` follow from success and failure along the solutions of smoothed laws.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) t: f64,
    pub(super) alpha: f64,
    /// The last `t` that was solved, and the factor to the next one.
    solved: f64,
    factor: f64,
}

impl Path {
    pub(super) fn new(t: f64) -> Self {
        Self { t, alpha: PATH_START, solved: t / SMALLEST, factor: SMALLEST }
    }

    /// After so many steps that solved the laws at `t`.
    pub(super) fn advance(&mut self, steps: u32) {
        if steps <= FEW_STEPS {
            self.factor = (self.factor * self.factor).max(SMALLEST);
        }
        self.solved = self.t;
        self.t *= self.factor;
        self.alpha = (PATH_FALL * self.alpha).max(PATH_FLOOR);
    }

    /// After steps that did not; `false` when the path is to be left.
    pub(super) fn step_back(&mut self) -> bool {
        self.factor = self.factor.sqrt();
        self.t = self.solved * self.factor;
        self.factor <= LARGEST
    }
}
