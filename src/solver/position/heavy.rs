//! An island of the position pass as something that can be swept with extrapolation.

use crate::math::lanes::Wide;
use crate::math::{BodyRow, LaneSlot};
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::problem::MassInverse;
use crate::solver::problem::pairs::LinePair;

/// An island whose contacts are opened one by one. Its impulses are the multipliers.
pub(super) struct HeavyIsland<'a> {
    pub(super) rows: &'a mut Rows,
    pub(super) masses: &'a [MassInverse],
    pub(super) bodies: &'a [BodyRow],
    /// The lanes of its contacts, and the lines of the bodies of all contacts.
    pub(super) lanes: &'a [LaneSlot],
    pub(super) pairs: &'a [LinePair],
    pub(super) targets: &'a [Wide],
    pub(super) multipliers: &'a mut [Wide],
}

impl Sweeps for HeavyIsland<'_> {
    fn size(&self) -> usize {
        self.lanes.len()
    }

    fn sweep(&mut self, _: u32) -> f64 {
        let Self { rows, masses, lanes, targets, multipliers, .. } = self;
        lanes
            .iter()
            .fold(0.0, |farthest, lane| f64::max(farthest, rows.project_contact(*lane, masses, targets, multipliers)))
    }

    fn read(&self, multipliers: &mut [f64]) {
        for (own, lane) in multipliers.iter_mut().zip(self.lanes) {
            *own = self.multipliers[lane.batch()].0[lane.lane()];
        }
    }

    fn write(&mut self, multipliers: &[f64]) {
        self.rows.rest_bodies(self.bodies);
        for (own, lane) in multipliers.iter().zip(self.lanes) {
            self.multipliers[lane.batch()].0[lane.lane()] = own.max(0.0);
            self.rows.shift_one(*lane, self.multipliers);
        }
    }

    /// Returns how far a contact would move at most if it were opened now [m].
    fn residual(&mut self) -> f64 {
        let Self { rows, masses, lanes, targets, multipliers, .. } = self;
        let mut farthest = 0.0;
        for lane in *lanes {
            let multiplier = multipliers[lane.batch()].0[lane.lane()];
            let pair = self.pairs[rows.lanes[lane.batch()][lane.lane()]];
            // Bodies that nothing moves keep their lines.
            let before = pair.map(|line| (!line.is_read_only()).then(|| rows.bodies[line.row()]));
            farthest = f64::max(farthest, rows.project_contact(*lane, masses, targets, multipliers));
            for (line, before) in pair.into_iter().zip(before) {
                before.into_iter().for_each(|before| rows.bodies[line.row()] = before);
            }
            multipliers[lane.batch()].0[lane.lane()] = multiplier;
        }
        farthest
    }
}
