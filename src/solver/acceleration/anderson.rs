//! Accelerated Gauss-Seidel: after each full sweep the impulses are extrapolated from the last few sweeps.
//!
//! The extrapolation is projected on the cones and swept; what that sweep changes tells, at no cost, how far the
//! extrapolation was from solved. Two guards follow from it, tuned on problems of other people's simulations:
//! - a sweep that changes more than `RISE` times the one before shows that other contacts stick and slide now: what is
//!   remembered no longer applies and is dropped, but the sweep's result is kept;
//! - a sweep that changes more than `LEAP` times the one before is undone.
//!
//! Refusing each extrapolation that does not lower the residual at once is the obvious guard, and was measured to be
//! worse: the way to the solution often leads over a change of modes, at which the residual rises for a few sweeps.
//! What is returned is the best seen, and never worse than the start by the residual itself.

use crate::error::{Result, resize};
use crate::solver::acceleration::secants::Secants;
use crate::solver::gauss_seidel::sweeps::{LOOK, LOOK_EVERY, Sweeps};
use crate::solver::problem::progress::Progress;
use std::ops::Range;

/// A change of velocities above this many times the last ends what is remembered [-]. From 2 to 5 do about as well; at
/// 1.5 sweeps on their way are taken for lost.
const RISE: f64 = 2.0;

/// A change of velocities above this many times the last is undone [-]. At 10 it throws away sweeps that were on their
/// way; without it the sweeps still converge where they were tried, but nothing bounds the leap.
const LEAP: f64 = 100.0;

/// Sweeps before the first extrapolation [-]: the first ones find which contacts close, and point nowhere. From 3 to 4
/// do about as well.
const FIRST: u32 = 3;

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
            let change = self.sweep(island, done..end);
            let looks = change <= LOOK * tolerance || end / LOOK_EVERY > done / LOOK_EVERY;
            done = end;
            if tolerance > 0.0 && looks {
                let residual = island.residual();
                if residual <= tolerance {
                    return Ok(Progress { iterations: done, residual });
                }
            }
            self.extrapolate(island, done, change);
        }
        Ok(Progress { iterations: sweeps, residual: self.finish(island) })
    }

    /// Makes room and remembers the start.
    pub fn begin(&mut self, island: &mut impl Sweeps) -> Result<()> {
        let size = island.size();
        self.secants.prepare(size)?;
        let vectors = [&mut self.weights, &mut self.from, &mut self.to, &mut self.step];
        for vector in vectors.into_iter().chain([&mut self.kept, &mut self.best, &mut self.start]) {
            vector.clear();
            resize(vector, size, 0.0, "impulses of an island")?;
        }
        island.weights(&mut self.weights);
        island.read(&mut self.start);
        self.from.copy_from_slice(&self.start);
        self.kept.copy_from_slice(&self.start);
        self.best.copy_from_slice(&self.start);
        (self.kept_change, self.best_change) = (f64::INFINITY, f64::INFINITY);
        self.start_residual = island.residual();
        self.extrapolated = false;
        self.period = island.period();
        Ok(())
    }

    /// The sweeps of one step, which are those of a period of their order; returns the largest change of a contact's
    /// velocity [m/s].
    ///
    /// An order that never repeats is held at its first sweep: only one and the same map can be extrapolated.
    pub fn sweep(&mut self, island: &mut impl Sweeps, numbers: Range<u32>) -> f64 {
        let mut change: f64 = 0.0;
        for number in numbers {
            let last = island.sweep(if self.period == 0 { 0 } else { number });
            // unlike a maximum, this keeps a change that is no number
            change = if last <= change { change } else { last };
        }
        island.read(&mut self.to);
        if change < self.best_change {
            self.best_change = change;
            self.best.copy_from_slice(&self.to);
        }
        change
    }

    /// What follows the first `done` sweeps, the last of them with the given change: the guards, and where to go on.
    pub fn extrapolate(&mut self, island: &mut impl Sweeps, done: u32, change: f64) {
        let rise = if change.is_nan() { f64::INFINITY } else { change };
        let undone = self.extrapolated && rise > LEAP * self.kept_change;
        let dropped = self.extrapolated && rise > RISE * self.kept_change;
        self.extrapolated = false;
        if dropped {
            self.secants.forget();
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
        if !dropped && done >= FIRST && !self.secants.is_empty() {
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
    pub fn finish(&mut self, island: &mut impl Sweeps) -> f64 {
        let mut least = self.start_residual;
        let mut at = &self.start;
        for candidate in [&self.kept, &self.best] {
            island.write(candidate);
            let residual = island.residual();
            if residual <= least {
                (least, at) = (residual, candidate);
            }
        }
        island.write(at);
        island.residual()
    }

    /// The best impulses seen.
    pub fn best(&self) -> &[f64] {
        &self.best
    }
}
