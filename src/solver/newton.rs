//! Newton: the accurate solver of the reduced problem, for one island.
//!
//! The outer loop is a proximal point method: it solves `y = (W + alpha) x + q - alpha center` with the laws, moves the
//! center to the answer, and lowers `alpha`. The term makes every system regular however redundant the contacts are, and
//! vanishes from the answer. Inside, a semismooth Newton method with sparse direct solves and backtracking works on the
//! laws written as equations (`map`). Where it is caught at a kink the next attempt has a larger `alpha`, another form
//! of the equations and another `rho`, after a few sweeps over the contacts.
//!
//! It knows no bodies and no time step. It never returns impulses worse than its start.

use crate::error::{Result, refill};
use crate::solver::newton::map::{Form, Proximal, System};
use crate::solver::newton::scaled::Scaled;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::Progress;

pub(super) mod map;
pub(super) mod scaled;

/// Newton steps of one attempt at a proximal problem. Successful ones rarely need 20.
const STEPS_OF_ATTEMPT: u32 = 30;
/// An attempt is given up after as many steps in a row that were cut below a tenth.
const SHORT_STEPS: u32 = 5;
/// Halvings of a step before it counts as failed.
const HALVINGS: u32 = 12;
/// The part of the error of a proximal problem that is left to the next one.
const REDUCTION: f64 = 0.01;
/// Residuals below this multiple of [`Reduced::round_off`] cannot be lowered.
const ROUND_OFF: f64 = 1.5;

/// The first `alpha`, in units of the mean diagonal.
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

/// The solver and its workspace, which later solves use again.
#[derive(Debug, Default)]
pub struct Newton {
    scaled: Scaled,
    system: System,
    iterate: Iterate,
    next: Iterate,
    center: Vec<f64>,
    step: Vec<f64>,
    full: Vec<f64>,
    candidate: Vec<f64>,
    velocity: Vec<f64>,
}

/// Impulses, the velocities of the proximal problem, and the error of the equations.
#[derive(Debug, Default)]
struct Iterate {
    x: Vec<f64>,
    y: Vec<f64>,
    error: Vec<f64>,
    /// `|error|^2`
    merit: f64,
}

impl Newton {
    /// Improves the impulses `lambda` until the residual is at most `tolerance` [m/s], or at round-off, or falls no more,
    /// or after `steps` linear solves.
    ///
    /// What is returned obeys the bounds of all laws, and its residual is not above that of the start brought to them.
    /// A start whose residual is no finite number counts as zero.
    pub fn solve(&mut self, problem: &Reduced, lambda: &mut [f64], steps: u32, tolerance: f64) -> Result<Progress> {
        let mut best = self.begin(problem, lambda)?;
        let mut schedule = Schedule::new(best);
        let mut used = 0;
        while used < steps && best > tolerance && best > ROUND_OFF * problem.round_off(lambda) {
            let now = schedule.proximal();
            let goal = self.pose(now);
            for _ in 0..schedule.sweeps {
                self.scaled.sweep(now.alpha, &self.center, &mut self.iterate.x);
            }
            if schedule.sweeps > 0 {
                self.evaluate(now);
            }
            let (taken, converged) = self.attempt(now, goal, STEPS_OF_ATTEMPT.min(steps - used))?;
            used += taken;
            self.scaled.give(&self.iterate.x, &mut self.candidate);
            let residual = problem.measure(&mut self.candidate, &mut self.velocity);
            if residual < best {
                // Where no impulse fits, they would grow without end for ever smaller gains.
                if residual < 0.999 * best {
                    lambda.copy_from_slice(&self.candidate);
                    best = residual;
                }
            } else if !residual.is_finite() {
                self.scaled.take(lambda, &mut self.iterate.x);
            }
            if !schedule.advance(converged, best) {
                break;
            }
        }
        Ok(Progress { iterations: used, residual: best })
    }

    /// Takes the problem over, brings the start to its bounds, and returns its residual.
    fn begin(&mut self, problem: &Reduced, lambda: &mut [f64]) -> Result<f64> {
        let size = problem.size();
        let Self { iterate, next, center, step, full, candidate, velocity, .. } = self;
        let of_iterates =
            [&mut iterate.x, &mut iterate.y, &mut iterate.error, &mut next.x, &mut next.y, &mut next.error];
        for vector in of_iterates.into_iter().chain([center, step, full, candidate, velocity]) {
            refill(vector, size, 0.0, "rows of Newton's workspace")?;
        }
        let residual = problem.start(lambda, &mut self.velocity);
        self.scaled.set(problem, lambda)?;
        self.system.set(&self.scaled)?;
        self.scaled.take(lambda, &mut self.iterate.x);
        self.candidate.copy_from_slice(lambda);
        Ok(residual)
    }

    /// The iterate becomes the center of a proximal problem. The merit at which that problem counts as solved.
    fn pose(&mut self, now: Proximal) -> f64 {
        self.center.copy_from_slice(&self.iterate.x);
        self.evaluate(now);
        (REDUCTION * REDUCTION * self.iterate.merit).max(self.scaled.round_off(&self.iterate.x, now.alpha, now.rho))
    }

    fn evaluate(&mut self, now: Proximal) {
        self.scaled.proximal_velocity(&self.iterate.x, now.alpha, &self.center, &mut self.iterate.y);
        self.iterate.evaluate(&self.scaled, now);
    }

    /// Newton's method on one proximal problem, from the evaluated iterate. How many steps, and whether it came to the goal.
    fn attempt(&mut self, now: Proximal, goal: f64, steps: u32) -> Result<(u32, bool)> {
        let (mut taken, mut short) = (0, 0);
        while taken < steps && self.iterate.merit > goal && short < SHORT_STEPS {
            taken += 1;
            if !self.direction(now)? {
                return Ok((taken, false));
            }
            let Some(length) = self.backtrack(now) else {
                return Ok((taken, false));
            };
            short = if length < 0.1 { short + 1 } else { 0 };
        }
        Ok((taken, self.iterate.merit <= goal))
    }

    /// The Newton step at the iterate, into `step`; `false` where the matrix is singular.
    fn direction(&mut self, now: Proximal) -> Result<bool> {
        let Self { scaled, system, iterate, step, .. } = self;
        system.fill(scaled, now.alpha, |block| map::slope(scaled, block, now, &iterate.x, &iterate.y));
        step.iter_mut().zip(&iterate.error).for_each(|(step, error)| *step = -error);
        system.linear.solve(&system.values, step)
    }

    /// Goes along `step` as far as the error falls. The part of the step taken, nothing where it never fell.
    fn backtrack(&mut self, now: Proximal) -> Option<f64> {
        let Self { scaled, iterate, next, center, step, full, .. } = self;
        let mut length = 1.0;
        for halving in 0..HALVINGS {
            for ((next, x), step) in next.x.iter_mut().zip(&iterate.x).zip(step.iter()) {
                *next = x + length * step;
            }
            if halving == 0 {
                scaled.proximal_velocity(&next.x, now.alpha, center, full);
                next.y.copy_from_slice(full);
            } else {
                // the velocities are affine in the impulses
                for ((next, y), full) in next.y.iter_mut().zip(&iterate.y).zip(full.iter()) {
                    *next = y + length * (full - y);
                }
            }
            next.evaluate(scaled, now);
            if next.merit <= iterate.merit * (1.0 - 2e-4 * length) {
                std::mem::swap(iterate, next);
                return Some(length);
            }
            length *= 0.5;
        }
        None
    }
}

impl Iterate {
    fn evaluate(&mut self, scaled: &Scaled, now: Proximal) {
        for block in &scaled.problem.blocks {
            map::value(scaled, block, now, &self.x, &self.y, &mut self.error);
        }
        self.merit = self.error.iter().map(|error| error * error).sum();
    }
}

/// How `alpha`, `rho` and the form of the equations follow from success and failure of the proximal problems.
#[derive(Debug)]
struct Schedule {
    alpha: f64,
    failures: usize,
    /// Careful steps that are due.
    careful: u32,
    /// Sweeps before Newton's method.
    sweeps: u32,
    /// The residual from which a tenth is to be gained, and for how long it was not.
    milestone: f64,
    waited: u32,
}

impl Schedule {
    /// At a start with this residual.
    fn new(residual: f64) -> Self {
        Self { alpha: START, failures: 0, careful: 0, sweeps: SWEEPS, milestone: residual, waited: 0 }
    }

    /// The next proximal problem.
    fn proximal(&self) -> Proximal {
        let (form, rho) = ATTEMPTS[self.failures % ATTEMPTS.len()];
        Proximal { alpha: self.alpha, form, rho }
    }

    /// After a proximal problem; `false` when the solve is to end.
    fn advance(&mut self, converged: bool, best: f64) -> bool {
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
