//! Accelerated Gauss-Seidel: after each full sweep the impulses are extrapolated from the last few sweeps.
//!
//! The extrapolation is projected on the cones and swept. The change of that sweep measures, at no cost, how far the
//! extrapolation was from solved. Two guards follow from it, tuned on problems of other people's simulations:
//! - A sweep that changes more than `RISE` times the one before shows that other contacts stick and slide now. The
//!   remembered differences no longer apply and are dropped, but the sweep's result is kept.
//! - A sweep that changes more than `DIVERGENCE_JUMP` times the one before is undone.
//!
//! The obvious guard is to refuse each extrapolation that does not lower the residual at once. It was measured to be
//! worse: the way to the solution often leads over a change of modes, at which the residual rises for a few sweeps.
//! Where extrapolations gain less than plain sweeps, the two alternate (`epochs`). The best iterate is returned. By the
//! residual itself, it is never worse than the start.
//!
//! The extrapolation is Anderson's mixing, type II.
//! An iteration takes `x` to `g(x)` by the step `f = g - x`. Between sweeps at which the same contacts stick and slide,
//! `f` and `g` change almost linearly. The combination of past differences that makes `f` least then predicts where
//! the iteration would end: `y = g - dG gamma`, `gamma = argmin |f - dF gamma|`.
//!
//! The differences are made orthonormal as they come (modified Gram-Schmidt), each `dG` along with its `dF`. That is
//! the QR decomposition of the least squares. It needs neither a triangular solve nor the normal equations with their
//! squared condition number. It grows only at its end: a full memory is dropped and started again. This was also
//! measured to do better than dropping the oldest difference, since the oldest are of other contacts' modes.

use crate::error::{Result, refill, resize};
use crate::solver::anderson::epochs::{Epochs, Next};
use crate::solver::gauss_seidel::sweeps::{CHECK_BELOW, CHECK_EVERY, Sweeps};
use crate::solver::monitor::Monitor;
use crate::solver::problem::options::Progress;
use std::ops::Range;

mod epochs;

/// A change of velocities above this many times the last ends what is remembered [-]. From 2 to 5 do about as well; at
/// 1.5 sweeps on their way are taken for lost.
const RISE: f64 = 2.0;

/// A change of velocities above this many times the last is undone [-]. At 10 it throws away sweeps that were on their
/// way; without it the sweeps still converge where they were tried, but nothing bounds the leap.
const DIVERGENCE_JUMP: f64 = 100.0;

/// Sweeps before the first extrapolation [-]: the first ones find which contacts close, and point nowhere. From 3 to 4
/// do about as well.
const FIRST: u32 = 3;

/// How many differences are remembered at most [-]. 5 take a tenth more sweeps, 12 a tenth fewer, at their share of memory
/// and time.
const MEMORY: usize = 8;

/// A difference adds nothing but round-off if all of it but this part is a combination of the remembered ones [-].
const INDEPENDENT: f64 = 1e-5;

/// The solver's workspace, reused from one island to the next.
#[derive(Debug, Default)]
pub struct Anderson {
    secants: Secants,
    /// Makes velocities of impulses, so that what is least is a velocity.
    weights: Vec<f64>,
    /// What the sweep started from, and what it came to.
    from: Vec<f64>,
    to: Vec<f64>,
    step: Vec<f64>,
    /// The result of the last sweep that was not undone, and its change.
    kept: Vec<f64>,
    kept_change: f64,
    /// The result of the sweep with the least change, and that change.
    best: Vec<f64>,
    best_change: f64,
    start: Vec<f64>,
    start_residual: f64,
    /// After how many sweeps their order repeats; 0: never.
    period: u32,
    /// Whether the sweep to come starts from an extrapolation.
    extrapolated: bool,
    epochs: Epochs,
    pub(in crate::solver) monitor: Monitor,
}

impl Anderson {
    /// At most `sweeps` sweeps, until the residual is at most `tolerance` [m/s]; 0: all of them.
    pub fn solve(&mut self, island: &mut impl Sweeps, sweeps: u32, tolerance: f64) -> Result<Progress> {
        self.begin(island)?;
        if tolerance > 0.0 && self.start_residual <= tolerance {
            return Ok(Progress { iterations: 0, residual: self.start_residual });
        }
        let mut done = 0;
        while done < sweeps {
            let end = (done + self.period.max(1)).min(sweeps);
            let change = self.sweep(island, done..end)?;
            let checks = change <= CHECK_BELOW * tolerance || end / CHECK_EVERY > done / CHECK_EVERY;
            done = end;
            if tolerance > 0.0 && checks {
                let residual = island.residual();
                if residual <= tolerance {
                    return Ok(Progress { iterations: done, residual });
                }
            }
            self.extrapolate(island, done, change);
        }
        Ok(Progress { iterations: sweeps, residual: self.finish(island) })
    }

    /// Reserves memory and remembers the start.
    fn begin(&mut self, island: &mut impl Sweeps) -> Result<()> {
        let size = island.size();
        self.secants.prepare(size)?;
        let vectors = [&mut self.weights, &mut self.from, &mut self.to, &mut self.step];
        for vector in vectors.into_iter().chain([&mut self.kept, &mut self.best, &mut self.start]) {
            refill(vector, size, 0.0, "impulses of an island")?;
        }
        island.weights(&mut self.weights);
        island.read(&mut self.start);
        self.from.copy_from_slice(&self.start);
        self.kept.copy_from_slice(&self.start);
        self.best.copy_from_slice(&self.start);
        (self.kept_change, self.best_change) = (f64::INFINITY, f64::INFINITY);
        refill(&mut self.epochs.from, size, 0.0, "impulses of an island")?;
        self.epochs.begin(FIRST);
        self.start_residual = island.residual();
        self.extrapolated = false;
        self.period = island.period();
        Ok(())
    }

    /// The sweeps of one step, which are those of a period of their order; returns the largest change of a contact's
    /// velocity [m/s].
    ///
    /// An order that never repeats is held at its first sweep: only one and the same map can be extrapolated.
    fn sweep(&mut self, island: &mut impl Sweeps, numbers: Range<u32>) -> Result<f64> {
        let mut change: f64 = 0.0;
        for number in numbers {
            let last = island.sweep(if self.period == 0 { 0 } else { number });
            // unlike a maximum, this keeps a change that is no number
            change = if last <= change { change } else { last };
            self.monitor.iterated()?;
        }
        island.read(&mut self.to);
        if change < self.best_change {
            self.best_change = change;
            self.best.copy_from_slice(&self.to);
        }
        Ok(change)
    }

    /// What follows the first `done` sweeps, the last of them with the given change: the guards, and where to go on.
    fn extrapolate(&mut self, island: &mut impl Sweeps, done: u32, change: f64) {
        let rise = if change.is_nan() { f64::INFINITY } else { change };
        let undone = self.extrapolated && rise > DIVERGENCE_JUMP * self.kept_change;
        let dropped = self.extrapolated && rise > RISE * self.kept_change;
        self.extrapolated = false;
        if dropped {
            self.secants.clear_history();
        }
        if undone {
            island.write(&self.kept);
            island.read(&mut self.from);
            return;
        }
        self.kept_change = change;
        self.kept.copy_from_slice(&self.to);
        for (((step, weight), to), from) in self.step.iter_mut().zip(&self.weights).zip(&self.to).zip(&self.from) {
            *step = weight * (to - from);
        }
        self.secants.push(&self.step, &self.to);
        let norm = dot(&self.step, &self.step).sqrt();
        match self.epochs.count(norm, &self.to) {
            Next::Plain { back: true } => {
                self.secants.clear_history();
                island.write(&self.epochs.from);
                island.read(&mut self.from);
                return;
            }
            _ if self.epochs.plain => {
                self.from.copy_from_slice(&self.to);
                return;
            }
            _ => {}
        }
        if !dropped && done >= FIRST && self.secants.count > 0 {
            self.secants.extrapolate(&self.step, &mut self.from);
            self.extrapolated = self.from.iter().all(|value| value.is_finite());
        }
        if self.extrapolated {
            island.write(&self.from);
            island.read(&mut self.from);
        } else {
            self.from.copy_from_slice(&self.to);
        }
    }

    /// Ends with the best of the impulses with the least change, the last ones and the start; returns their residual
    /// [m/s].
    fn finish(&mut self, island: &mut impl Sweeps) -> f64 {
        let mut smallest = self.start_residual;
        let mut at = &self.start;
        for candidate in [&self.kept, &self.best] {
            island.write(candidate);
            let residual = island.residual();
            if residual <= smallest {
                (smallest, at) = (residual, candidate);
            }
        }
        island.write(at);
        island.residual()
    }
}

/// The differences since the last restart.
#[derive(Debug, Default)]
struct Secants {
    count: usize,
    /// Orthonormal, one after the other.
    steps: Vec<f64>,
    /// What belongs to them.
    results: Vec<f64>,
    /// Whether there was an iteration before; its `f` and `g`.
    primed: bool,
    last_step: Vec<f64>,
    last_result: Vec<f64>,
}

impl Secants {
    /// Forgets all, and reserves memory for vectors of `size` numbers.
    fn prepare(&mut self, size: usize) -> Result<()> {
        self.clear_history();
        resize(&mut self.last_step, size, 0.0, "impulses of an island")?;
        resize(&mut self.last_result, size, 0.0, "impulses of an island")?;
        resize(&mut self.steps, size * MEMORY, 0.0, "remembered impulses of an island")?;
        resize(&mut self.results, size * MEMORY, 0.0, "remembered impulses of an island")
    }

    /// Forgets all.
    fn clear_history(&mut self) {
        self.count = 0;
        self.primed = false;
    }

    /// Takes the next iteration's step `f` and result `g`.
    fn push(&mut self, step: &[f64], result: &[f64]) {
        let size = self.last_step.len();
        if self.primed && size > 0 {
            if self.count == MEMORY {
                self.count = 0;
            }
            let before = difference(&mut self.steps[self.count * size..][..size], step, &self.last_step);
            difference(&mut self.results[self.count * size..][..size], result, &self.last_result);
            self.orthonormalize(before);
        }
        self.primed = true;
        self.last_step.copy_from_slice(step);
        self.last_result.copy_from_slice(result);
    }

    /// Makes the newest difference, of the length `before`, orthonormal to the others, and counts it.
    fn orthonormalize(&mut self, before: f64) {
        let size = self.last_step.len();
        let (steps, step) = self.steps.split_at_mut(self.count * size);
        let (results, result) = self.results.split_at_mut(self.count * size);
        let (step, result) = (&mut step[..size], &mut result[..size]);
        for (q, g) in steps.chunks_exact(size).zip(results.chunks_exact(size)) {
            let along = dot(q, step);
            subtract(step, along, q);
            subtract(result, along, g);
        }
        let length = dot(step, step).sqrt();
        if length <= INDEPENDENT * before || !length.is_finite() {
            // The remembered differences are used up: the next difference starts a new set.
            self.count = 0;
            return;
        }
        step.iter_mut().chain(result).for_each(|value| *value /= length);
        self.count += 1;
    }

    /// Where the last iteration, of the step `f`, seems to lead, into `onto`.
    fn extrapolate(&self, step: &[f64], onto: &mut [f64]) {
        onto.copy_from_slice(&self.last_result);
        let size = self.last_step.len();
        let (steps, results) = (&self.steps[..self.count * size], &self.results[..self.count * size]);
        let pairs = steps.chunks_exact(size.max(1)).zip(results.chunks_exact(size.max(1)));
        for (q, g) in pairs {
            subtract(onto, dot(q, step), g);
        }
    }
}

/// `onto = a - b`; returns its length.
fn difference(onto: &mut [f64], a: &[f64], b: &[f64]) -> f64 {
    for ((onto, a), b) in onto.iter_mut().zip(a).zip(b) {
        *onto = a - b;
    }
    dot(onto, onto).sqrt()
}

/// `from -= factor * of`
fn subtract(from: &mut [f64], factor: f64, of: &[f64]) {
    for (from, of) in from.iter_mut().zip(of) {
        *from -= factor * of;
    }
}

/// The scalar product, in four sums side by side: one sum alone waits for itself.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
