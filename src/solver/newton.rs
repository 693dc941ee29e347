//! Newton: the accurate solver of the reduced problem, for one island.
//!
//! The outer loop is a proximal point method. It solves `y = (W + alpha) x + q - alpha center` with the laws, moves the
//! center to the solution, and lowers `alpha`. The term makes every system regular even if contacts are redundant, and
//! it vanishes from the solution. The inner loop is a semismooth Newton method with sparse direct solves and
//! backtracking. It works on the laws written as equations (`map`). If it stops at a kink, the next attempt has a
//! larger `alpha` and another form of the equations or another `rho`, after some sweeps over the contacts. After three
//! failures the solutions of smoothed laws are followed once (`smooth`). They have no kinks, but they start cold.
//!
//! The method does not depend on bodies or on the time step. It never returns impulses worse than its start.

use crate::error::{Result, refill};
use crate::solver::monitor::Monitor;
use crate::solver::newton::equations::{Equations, Iterate};
use crate::solver::newton::map::{Proximal, System};
use crate::solver::newton::scaled::Scaled;
use crate::solver::newton::schedule::{Path, Schedule};
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::Progress;

mod equations;
pub(super) mod map;
pub(super) mod scaled;
mod schedule;
pub(super) mod smooth;

/// The largest number of Newton steps of one attempt at a proximal problem. Successful attempts rarely need 20.
const STEPS_OF_ATTEMPT: u32 = 30;
/// An attempt ends after this number of successive steps that were cut below a tenth.
const SHORT_STEPS: u32 = 5;
/// The number of trials of a step, each half as long as the one before, before the step fails.
const HALVINGS: u32 = 12;
/// The part of the error of a proximal problem to which it is solved [-].
const REDUCTION: f64 = 0.01;
/// Residuals below this multiple of [`Reduced::round_off`] cannot be lowered.
const ROUND_OFF: f64 = 1.5;

/// After this number of failures smoothed laws are tried. They start cold. If forces are redundant, they end in other
/// forces than those near the start.
const FAILURES: u32 = 3;
/// The largest number of Newton steps along the solutions of smoothed laws.
const STEPS_OF_PATH: u32 = 80;
/// The largest number of Newton steps at one `t`.
const STEPS_OF_POINT: u32 = 12;
/// The error at which smoothed laws count as solved, in units of `sqrt(t)` of each block.
const NEAR: f64 = 0.3;
/// The part of the first `t` that is below all round-off [-].
const PATH_END: f64 = 1e-40;

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
    /// The last iterate that solved smoothed laws.
    solved: Vec<f64>,
    pub(in crate::solver) monitor: Monitor,
}

impl Newton {
    /// Improves the impulses `lambda` until the residual is at most `tolerance` [m/s] or at round-off. Also ends when
    /// the residual no longer falls, or after `steps` linear solves.
    ///
    /// The result obeys the bounds of all laws. Its residual is not above that of the start, projected to the bounds. A
    /// start whose residual is not finite counts as zero.
    pub fn solve(&mut self, problem: &Reduced, lambda: &mut [f64], steps: u32, tolerance: f64) -> Result<Progress> {
        let mut best = self.begin(problem, lambda)?;
        let mut schedule = Schedule::new(best);
        let (mut used, mut failures, mut followed) = (0, 0, false);
        while used < steps && best > tolerance && best > ROUND_OFF * problem.round_off(lambda) {
            let now = schedule.proximal();
            let goal = self.pose(now);
            for _ in 0..schedule.sweeps {
                self.scaled.sweep(now.alpha, &self.center, &mut self.iterate.x);
            }
            let equations = Equations::Kinked(now);
            if schedule.sweeps > 0 {
                self.evaluate(equations);
            }
            let (taken, converged) = self.attempt(equations, goal, STEPS_OF_ATTEMPT.min(steps - used))?;
            used += taken;
            if !self.keep_better(problem, lambda, &mut best) {
                self.scaled.take(lambda, &mut self.iterate.x);
            }
            if !schedule.advance(converged, best) {
                break;
            }
            failures += u32::from(!converged);
            if failures == FAILURES && !std::mem::replace(&mut followed, true) {
                used += self.follow(problem, lambda, &mut best, steps - used, tolerance)?;
            }
        }
        Ok(Progress { iterations: used, residual: best })
    }

    /// Copies the iterate to `lambda` if its residual is below the `best` one. Returns whether the residual is finite.
    fn keep_better(&mut self, problem: &Reduced, lambda: &mut [f64], best: &mut f64) -> bool {
        self.scaled.give(&self.iterate.x, &mut self.candidate);
        let residual = problem.measure(&mut self.candidate, &mut self.velocity);
        // If no impulses are a solution, they would grow without bound for ever smaller gains.
        if residual < 0.999 * *best {
            lambda.copy_from_slice(&self.candidate);
            *best = residual;
        }
        residual.is_finite()
    }

    /// Follows the solutions of smoothed laws from a cold start. Ends when the residual is at most `tolerance` or at
    /// round-off, or when the path cannot be followed further. Returns the number of Newton steps. The next iterate is
    /// `lambda`, the best that was found.
    fn follow(
        &mut self,
        problem: &Reduced,
        lambda: &mut [f64],
        best: &mut f64,
        steps: u32,
        tolerance: f64,
    ) -> Result<u32> {
        let first = smooth::first(&self.scaled);
        if !smooth::applies(&self.scaled) || first <= 0.0 || !first.is_finite() {
            return Ok(0);
        }
        let (mut path, mut used) = (Path::new(first), 0);
        smooth::start(&self.scaled, first, &mut self.iterate.x);
        self.solved.copy_from_slice(&self.iterate.x);
        while used < steps.min(STEPS_OF_PATH) && path.t > PATH_END * first {
            let now = Equations::Smoothed { t: path.t, alpha: path.alpha };
            self.center.copy_from_slice(&self.iterate.x);
            self.evaluate(now);
            // At least one step.
            let goal = (NEAR * NEAR * path.t * problem.blocks.len() as f64).min(0.5 * self.iterate.merit);
            let (taken, converged) = self.attempt(now, goal, STEPS_OF_POINT.min(steps - used))?;
            used += taken;
            if converged && self.keep_better(problem, lambda, best) {
                self.solved.copy_from_slice(&self.iterate.x);
                if *best <= tolerance || *best <= ROUND_OFF * problem.round_off(lambda) {
                    break;
                }
                path.advance(taken);
            } else {
                self.iterate.x.copy_from_slice(&self.solved);
                if !path.step_back() {
                    break;
                }
            }
        }
        self.scaled.take(lambda, &mut self.iterate.x);
        Ok(used)
    }

    /// Copies the problem, projects the start to its bounds, and returns the residual of the start.
    fn begin(&mut self, problem: &Reduced, lambda: &mut [f64]) -> Result<f64> {
        let size = problem.size();
        let Self { iterate, next, center, step, full, candidate, velocity, solved, .. } = self;
        let of_iterates =
            [&mut iterate.x, &mut iterate.y, &mut iterate.error, &mut next.x, &mut next.y, &mut next.error];
        for vector in of_iterates.into_iter().chain([center, step, full, candidate, velocity, solved]) {
            refill(vector, size, 0.0, "rows of Newton's workspace")?;
        }
        let residual = problem.start(lambda, &mut self.velocity);
        self.scaled.set(problem, lambda)?;
        self.system.set(&self.scaled)?;
        self.scaled.take(lambda, &mut self.iterate.x);
        self.candidate.copy_from_slice(lambda);
        Ok(residual)
    }

    /// Makes the iterate the center of a proximal problem. Returns the merit at which that problem counts as solved.
    fn pose(&mut self, now: Proximal) -> f64 {
        self.center.copy_from_slice(&self.iterate.x);
        self.evaluate(Equations::Kinked(now));
        (REDUCTION * REDUCTION * self.iterate.merit).max(self.scaled.round_off(&self.iterate.x, now.alpha, now.rho))
    }

    fn evaluate(&mut self, now: Equations) {
        self.scaled.proximal_velocity(&self.iterate.x, now.alpha(), &self.center, &mut self.iterate.y);
        self.iterate.evaluate(&self.scaled, now);
    }

    /// Solves one proximal problem by Newton's method, from the evaluated iterate. Returns the number of steps, and
    /// whether the goal was reached.
    fn attempt(&mut self, now: Equations, goal: f64, steps: u32) -> Result<(u32, bool)> {
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
            self.monitor.iterated()?;
        }
        Ok((taken, self.iterate.merit <= goal))
    }

    /// Computes the Newton step at the iterate, and writes it to `step`. Returns `false` if the matrix is singular.
    fn direction(&mut self, now: Equations) -> Result<bool> {
        let Self { scaled, system, iterate, step, .. } = self;
        system.fill(scaled, now.alpha(), |block| now.slope(scaled, block, &iterate.x, &iterate.y));
        step.iter_mut().zip(&iterate.error).for_each(|(step, error)| *step = -error);
        system.linear.solve(&system.values, step)
    }

    /// Moves along `step`, which is halved until the error falls. Returns the part of the step, or `None` if the error
    /// never fell.
    fn backtrack(&mut self, now: Equations) -> Option<f64> {
        let Self { scaled, iterate, next, center, step, full, .. } = self;
        let mut length = 1.0;
        for halving in 0..HALVINGS {
            for ((next, x), step) in next.x.iter_mut().zip(&iterate.x).zip(step.iter()) {
                *next = x + length * step;
            }
            if halving == 0 {
                scaled.proximal_velocity(&next.x, now.alpha(), center, full);
                next.y.copy_from_slice(full);
            } else {
                // The velocities are affine in the impulses.
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
