//! Chooses the next proximal problem after the success or failure of the last one.

use crate::solver::newton::map::{Form, Proximal};

/// The first `alpha`, in units of the mean diagonal.
const START: f64 = 1e-3;
/// The smallest `alpha`: below it the term is lost in the round-off of `W`.
const FLOOR: f64 = 1e-13;
/// The largest `alpha`: above it the solution hardly moves from the center.
const CEILING: f64 = 1e3;
/// The solve ends after this number of successive proximal problems that do not lower the residual by a tenth.
const MAX_STALLED: u32 = 100;
/// After a failure this number of successes lower `alpha` by a smaller factor. The full factor would lead back to the
/// failure.
const CAREFUL: u32 = 3;
/// The number of sweeps at the start and after a failure.
const SWEEPS: u32 = 10;

/// The form and `rho` of an attempt by the number of failures so far. Near the solution of a soft system velocities are
/// far smaller than `rho = 1` assumes. A large `rho` makes it possible to reach the kinks.
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

/// If at most this number of steps solve the laws at one `t`, the next `t` is much smaller.
const FEW_STEPS: u32 = 4;
/// The first proximal term of smoothed laws.
const PATH_START: f64 = 1e-4;
/// The factor by which the proximal term falls with each `t`.
const PATH_FALL: f64 = 0.2;
/// The smallest proximal term of smoothed laws.
const PATH_FLOOR: f64 = 1e-10;
/// The smallest factor from one `t` to the next.
const SMALLEST: f64 = 0.1;
/// The largest factor from one `t` to the next. The path ends if it would be larger.
const LARGEST: f64 = 0.9;

/// Chooses `alpha`, `rho` and the form of the equations from success and failure of the proximal problems.
#[derive(Debug)]
pub(super) struct Schedule {
    alpha: f64,
    failures: usize,
    /// The number of successes that still lower `alpha` by the smaller factor.
    careful: u32,
    /// The number of sweeps before Newton's method.
    pub(super) sweeps: u32,
    /// The residual that must fall by a tenth. Below, the number of problems since it last did.
    milestone: f64,
    waited: u32,
}

impl Schedule {
    /// Returns the schedule for a start with this residual.
    pub(super) fn new(residual: f64) -> Self {
        Self { alpha: START, failures: 0, careful: 0, sweeps: SWEEPS, milestone: residual, waited: 0 }
    }

    /// Returns the next proximal problem.
    pub(super) fn proximal(&self) -> Proximal {
        let (form, rho) = ATTEMPTS[self.failures % ATTEMPTS.len()];
        Proximal { alpha: self.alpha, form, rho }
    }

    /// Updates the schedule after a proximal problem. Returns `false` if the solve ends.
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

/// Chooses `t` and `alpha` from success and failure along the solutions of smoothed laws.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) t: f64,
    pub(super) alpha: f64,
    /// The last `t` that was solved. Below, the factor to the next one.
    solved: f64,
    factor: f64,
}

impl Path {
    pub(super) fn new(t: f64) -> Self {
        Self { t, alpha: PATH_START, solved: t / SMALLEST, factor: SMALLEST }
    }

    /// Continues after the laws at `t` were solved in this number of steps.
    pub(super) fn advance(&mut self, steps: u32) {
        if steps <= FEW_STEPS {
            self.factor = (self.factor * self.factor).max(SMALLEST);
        }
        self.solved = self.t;
        self.t *= self.factor;
        self.alpha = (PATH_FALL * self.alpha).max(PATH_FLOOR);
    }

    /// Tries a larger `t` after a failure. Returns `false` if the path ends.
    pub(super) fn step_back(&mut self) -> bool {
        self.factor = self.factor.sqrt();
        self.t = self.solved * self.factor;
        self.factor <= LARGEST
    }
}
