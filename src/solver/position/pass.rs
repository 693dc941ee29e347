//! What the position pass is to do in each island, and when an island ends.

use crate::math::LaneSlot;
use crate::math::lanes::Wide;

/// Most sweeps of the position pass. It need not converge: what is left is undone in the following steps. With 4 a
/// column of 20 boxes falls at 10 sweeps of the velocities.
const SWEEPS: usize = 20;

/// The same where the targets are slight and only central contacts have any: the next step goes on from there. A pile rests with as little
/// overlap and motion with two as with three.
const FEW_SWEEPS: usize = 2;

/// An island ends when a sweep moves none of its contacts by more than this fraction of its largest target [-].
pub(super) const ENOUGH: f64 = 0.01;

/// The same where only central contacts have anything to undo, and more than a slight overlap: they go on from there in the next
/// step.
const ENOUGH_CENTRAL: f64 = 0.3;

/// What the position pass is to do in each island; the workspace of the pass.
#[derive(Debug, Default)]
pub(in crate::solver) struct PositionPass {
    pub(super) islands: Vec<IslandTargets>,
    pub(super) scales: Vec<Wide>,
    /// The lanes of the contacts of a heavy island.
    pub(super) lanes: Vec<LaneSlot>,
}

/// What the pass is to do in an island, or in several.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct IslandTargets {
    /// The largest targets of central contacts and of all others [m].
    pub(super) central: f64,
    pub(super) others: f64,
}

impl IslandTargets {
    pub(super) fn largest(&self) -> f64 {
        f64::max(self.central, self.others)
    }

    /// Returns the most sweeps, and the move with which they end [m].
    pub(super) fn sweeps(&self, slight: f64) -> (usize, f64) {
        let (sweeps, enough) = match (self.others > 0.0, self.largest() <= slight) {
            (true, _) => (SWEEPS, ENOUGH),
            (false, true) => (FEW_SWEEPS, ENOUGH),
            (false, false) => (SWEEPS, ENOUGH_CENTRAL),
        };
        (sweeps, enough * self.largest())
    }
}
