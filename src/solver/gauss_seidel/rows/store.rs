//! The rows of a problem, prepared for the sweeps.

use crate::math::lanes::{Level, Lines, WIDE, Wide};
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::measured::MeasuredColumns;
use crate::solver::gauss_seidel::rows::plan::{Plan, Planner};
use crate::solver::gauss_seidel::rows::row_ref::RowRef;
use crate::solver::gauss_seidel::scalar::ScalarRow;
use crate::solver::gauss_seidel::wide::SweepContext;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::problem::lane_contacts::LaneContacts;
use crate::solver::problem::layout::Layout;

/// The rows, each kind in an array of its own, those of an island side by side.
#[derive(Debug, Default)]
pub(in crate::solver) struct Rows {
    /// The width of the kernels.
    pub(super) level: Level,
    /// The lines of the bodies, the resting one last.
    pub(super) bodies: Vec<Wide>,
    /// The masses of general contacts; one line for each body where there are general contacts.
    pub(super) masses: Vec<Wide>,
    pub(super) central: ContactBatches<CentralBatch>,
    pub(super) general: ContactBatches<GeneralBatch>,
    /// The contact in each lane: of central batches, then of general ones, then the contacts that are in no batch.
    pub(super) lanes: Vec<LaneContacts>,
    /// The lane of each contact.
    pub(super) lane_of: Vec<LaneSlot>,
    /// The scalar rows of the problem, then with box friction those of the contacts (see `box_rows`).
    pub(super) scalar: Vec<ScalarRow>,
    /// With box friction, the normal row of each contact among the scalar rows; else empty.
    pub(super) box_starts: Vec<u32>,
    /// Whether any contact resists turning.
    pub(super) resists_turning: bool,
    /// The rows that are visited one by one: scalar rows, or all rows where the order is not that of batches.
    pub(super) visits: Vec<RowRef>,
    /// The same before any shuffle, for random orders.
    pub(super) unshuffled: Vec<RowRef>,
    /// The visits and plans of each island.
    pub(super) schedules: Vec<IslandSchedule>,
    pub(super) planner: Planner,
    pub(super) measured: MeasuredColumns,
    /// Whether the measured columns are those of the present impulses.
    pub(super) is_measured: bool,
    /// The layout of the present lanes; none where the next problem needs new ones.
    pub(super) layout: Option<Layout>,
    /// Whether the visits are still those of an older layout.
    pub(super) needs_visits: bool,
}

/// The visits and plans of one island.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct IslandSchedule {
    pub(super) visits: [u32; 2],
    pub(super) central: Plan,
    pub(super) general: Plan,
}

impl Rows {
    /// Returns whether the impulses of some rows bound those of others that are visited apart from them.
    pub(in crate::solver) fn bound_each_other(&self) -> bool {
        !self.scalar.is_empty()
    }

    /// Returns whether any contact carries torques.
    pub(in crate::solver) fn carry_torques(&self) -> bool {
        self.resists_turning
    }

    /// The contact in each lane, batch by batch.
    pub(in crate::solver) fn lanes(&self) -> &[LaneContacts] {
        &self.lanes
    }

    /// The lane of each contact.
    pub(in crate::solver) fn lane_of(&self) -> &[LaneSlot] {
        &self.lane_of
    }

    /// The row of a contact that impulses move: its lane in the batches of its kind, or its first scalar row.
    #[inline]
    pub(super) fn row_of(&self, contact: ContactId) -> Option<RowRef> {
        let lane = self.lane_of[contact].index();
        let (central, general) = (WIDE * self.central.contacts.len(), WIDE * self.general.contacts.len());
        if lane < central {
            Some(RowRef::central(lane))
        } else if lane < central + general {
            Some(RowRef::general(lane - central))
        } else {
            self.box_starts.get(contact.index()).map(|start| RowRef::scalar(*start as usize))
        }
    }

    /// The scalar rows of a contact with box friction.
    pub(super) fn box_of(&self, contact: ContactId) -> std::ops::Range<usize> {
        let end = self.box_starts.get(contact.index() + 1).map_or(self.scalar.len(), |start| *start as usize);
        self.box_starts[contact] as usize..end
    }

    /// The lines of the bodies, as they were moved last; after the position pass they hold displacements.
    pub(in crate::solver) fn bodies(&self) -> &[Wide] {
        &self.bodies
    }

    /// The velocities that the sweeps work on.
    #[cfg(test)]
    pub(in crate::solver) fn velocity(&self, body: usize) -> crate::solver::Velocity {
        crate::solver::gauss_seidel::wide::lines::velocity(&self.bodies[body])
    }
}

/// Returns the context of a pass without relaxation.
pub(super) fn unrelaxed<'a>(bodies: &'a mut [Wide], masses: &'a mut [Wide]) -> SweepContext<'a> {
    SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: 1.0 }
}
