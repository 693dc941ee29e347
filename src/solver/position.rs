//! Overlap undone after the velocities are solved, [C] (22)-(23): displacements that carry no momentum and no energy.
//!
//! ```text
//! M dq = G_n^T nu,   0 <= nu  _|_  G_n dq - target >= 0
//! ```
//!
//! The target of an overlapping contact is the part of the overlap to undo; of an open one it is minus the gap that is
//! left, so that nothing is pushed into a neighbour and nothing is held back across a gap.

use crate::error::Result;
use crate::solver::problem::{Aims, MassInverse, Velocity};
use crate::solver::solve::Solver;
use crate::solver::wide::lines;

/// Most sweeps of the position pass. It need not converge: what is left is undone in the following steps. With 4 a
/// column of 20 boxes falls at 10 sweeps of the velocities.
pub const SWEEPS: usize = 20;

/// The same where what is to be undone is slight, and central contacts alone have any of it: the next step goes on from there. A pile
/// rests with as little overlap and motion with two as with three.
pub const FEW_SWEEPS: usize = 2;

/// From which part of its multiplier of the step before a central contact starts [-].
///
/// With all of it, what is left of an overlap that is gone takes long to vanish: a frictionless pyramid of 2870 spheres rests after
/// 176 steps; before contacts had strings after 173, with nine tenths after 108. But with nine tenths a pile of 91 spheres that roll keeps 3e-3 J after two seconds, with
/// this 5e-6. Contacts on which bodies can rock start from nothing: with remembered multipliers
/// columns and walls keep some joules.
const RECALLED: f64 = 0.95;

/// The pass ends when a sweep moves no contact by more than this fraction of the largest target [-].
const ENOUGH: f64 = 0.01;

/// The same where central contacts alone have anything to undo, and more than a slight overlap: they go on from there in the next
/// step.
const ENOUGH_RECALLED: f64 = 0.3;

impl Solver {
    /// Finds displacements that open each contact of the problem solved last, whose `masses` these are, as `aims`
    /// say. Central contacts start from the multipliers of their aims; what is found is
    /// told by [`Solver::multiplier`]. Where no target is above `slight` [m], few sweeps may be enough.
    pub fn displace(&mut self, masses: &[MassInverse], aims: &impl Aims, slight: f64) -> Result<()> {
        let Self { rows, motion, relative, tasks, .. } = self;
        if rows.have_aimed() {
            rows.measure(&motion.velocities, &**tasks)?;
        }
        let [central, others] = rows.aim((aims, relative), RECALLED, &**tasks)?;
        let largest = f64::max(central, others);
        if largest == 0.0 {
            self.leave();
            return Ok(());
        }
        self.is_displaced = true;
        rows.rest(&**tasks);
        rows.shift(&**tasks);
        let (sweeps, enough) = match (others > 0.0, largest <= slight) {
            (true, _) => (SWEEPS, ENOUGH),
            (false, true) => (FEW_SWEEPS, ENOUGH),
            (false, false) => (SWEEPS, ENOUGH_RECALLED),
        };
        for _ in 0..sweeps {
            if rows.push(masses, &**tasks) <= enough * largest {
                break;
            }
        }
        Ok(())
    }

    /// Leaves all bodies where they are.
    pub fn leave(&mut self) {
        self.rows.forget_multipliers();
        self.is_displaced = false;
    }

    /// The displacement of a body that was found last: linear [m], and a rotation vector [rad].
    #[inline]
    pub fn displacement(&self, body: usize) -> Velocity {
        let lines = if self.is_displaced { self.rows.bodies() } else { &[] };
        lines.get(body).map_or(Velocity::ZERO, lines::velocity)
    }

    /// Those of all bodies and of the resting one; none where nothing was to be opened.
    #[cfg(test)]
    pub(in crate::solver) fn displacements(&self) -> Vec<Velocity> {
        let lines = if self.is_displaced { self.rows.bodies() } else { &[] };
        lines.iter().map(lines::velocity).collect()
    }
}
