//! Overlap undone after the velocities are solved, [C] (22)-(23): displacements that carry no momentum and no energy.
//!
//! ```text
//! M dq = G_n^T nu,   0 <= nu  _|_  G_n dq - target >= 0
//! ```
//!
//! The target of an overlapping contact is the part of the overlap to undo. That of an open one is minus the gap that is left, so that
//! nothing is pushed into a neighbour and nothing is held back across a gap.

use crate::math::lanes::Wide;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::{MassInverse, Velocity};
use crate::solver::solve::Solver;

/// Most sweeps of the position pass. It need not converge: what is left is undone in the following steps. With 4 a
/// column of 20 boxes falls at 10 sweeps of the velocities.
pub const SWEEPS: usize = 20;

/// The same where the targets are slight and only central contacts have any: the next step goes on from there. A pile rests with as little
/// overlap and motion with two as with three.
pub const FEW_SWEEPS: usize = 2;

/// From which part of its multiplier of the step before a central contact starts [-].
///
/// With all of it, what is left of an overlap that is gone takes long to vanish: a frictionless pyramid of 2870 spheres rests after
/// 176 steps, with nine tenths after 108. But with nine tenths a pile of 91 spheres that roll keeps 3e-3 J after two seconds, with this
/// 5e-6. Contacts on which bodies can rock start from nothing: with remembered multipliers columns and walls keep some joules.
const REMEMBERED: f64 = 0.95;

/// The pass ends when a sweep moves no contact by more than this fraction of the largest target [-].
const ENOUGH: f64 = 0.01;

/// The same where only central contacts have anything to undo, and more than a slight overlap: they go on from there in the next
/// step.
const ENOUGH_REMEMBERED: f64 = 0.3;

impl Solver {
    /// Finds displacements that open each contact of the problem solved last by its target. `masses` are those of its bodies. `targets` [m]
    /// and `multipliers` [kg m] have one element for each batch of lanes. Central contacts start from part of their multipliers, and theirs
    /// are found in the end; all others end at zero. Where no target is above `slight` [m], few sweeps may be enough.
    pub fn project_positions(
        &mut self,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
        slight: f64,
    ) {
        let Self { rows, tasks, .. } = self;
        let [central, others] = rows.largest_targets(targets);
        let largest = f64::max(central, others);
        if largest == 0.0 {
            multipliers.fill(Wide::splat(0.0));
            self.leave_positions();
            return;
        }
        self.is_displaced = true;
        rows.scale_multipliers(multipliers, REMEMBERED);
        rows.rest(&**tasks);
        rows.shift(multipliers, &**tasks);
        let (sweeps, enough) = match (others > 0.0, largest <= slight) {
            (true, _) => (SWEEPS, ENOUGH),
            (false, true) => (FEW_SWEEPS, ENOUGH),
            (false, false) => (SWEEPS, ENOUGH_REMEMBERED),
        };
        for _ in 0..sweeps {
            if rows.push(masses, targets, multipliers, &**tasks) <= enough * largest {
                break;
            }
        }
        rows.forget_others(multipliers);
    }

    /// Leaves all bodies where they are.
    pub fn leave_positions(&mut self) {
        self.is_displaced = false;
    }

    /// The velocity of b relative to a along the normal in each lane of the problem solved last [m/s].
    pub fn normal_velocities(&self) -> &[Wide] {
        &self.rows.measured.normal_velocities
    }

    /// The displacement of a body that was found last: linear [m], and a rotation vector [rad].
    #[inline]
    pub fn displacement(&self, body: usize) -> Velocity {
        let lines = if self.is_displaced { &self.rows.bodies[..] } else { &[] };
        lines.get(body).map_or(Velocity::ZERO, lines::velocity)
    }

    /// Those of all bodies and of the resting one; none where nothing was to be opened.
    #[cfg(test)]
    pub(in crate::solver) fn displacements(&self) -> Vec<Velocity> {
        let lines = if self.is_displaced { &self.rows.bodies[..] } else { &[] };
        lines.iter().map(lines::velocity).collect()
    }
}
