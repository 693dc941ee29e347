//! The rows of a problem, prepared for the sweeps, and access to their impulses by the numbers of contacts.

use crate::error::{Error, Result, resize};
use crate::math::lanes::prefetch::{CONTACTS_AHEAD, FEW_BODIES};
use crate::math::lanes::{Level, Lines, Wide};
use crate::math::{ContactId, LaneSlot, RowId, Vec3};
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::blocks::BlockBatches;
use crate::solver::gauss_seidel::rows::exchanged::ExchangedRows;
use crate::solver::gauss_seidel::rows::plan::{Plan, Planner};
use crate::solver::gauss_seidel::rows::split::{Split, SplitSchedule};
use crate::solver::gauss_seidel::scalar::ScalarRow;
use crate::solver::gauss_seidel::wide::SweepContext;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::problem::contacts::LaneContacts;
use crate::solver::problem::islands::Island;
use crate::solver::problem::order::Layout;
use crate::solver::problem::{Impulse, Impulses, ImpulsiveWrench};
use crate::tasks::{Tasks, each_piece};

/// The rows. Each kind has its own array, in which the rows of an island follow each other.
#[derive(Debug, Default)]
pub(in crate::solver) struct Rows {
    /// The width of the kernels.
    pub(super) level: Level,
    /// The lines of the bodies with their present velocities. The resting line is last. After the position pass the
    /// lines hold displacements.
    pub(in crate::solver) bodies: Vec<Wide>,
    /// The masses for general contacts: one line for each body, or empty if there are no general contacts.
    pub(super) masses: Vec<Wide>,
    pub(super) central: ContactBatches<CentralBatch>,
    pub(super) general: ContactBatches<GeneralBatch>,
    /// The contact in each lane: of central batches, then of general ones, then the contacts that are in no batch.
    pub(in crate::solver) lanes: Vec<LaneContacts>,
    /// The lane of each contact.
    pub(in crate::solver) lane_of: Vec<LaneSlot>,
    /// The blocks of scalar rows.
    pub(super) blocks: BlockBatches,
    /// The scalar rows in no block. With box friction those of the contacts follow (see `box_rows`).
    pub(super) scalar: Vec<ScalarRow>,
    /// The index among the scalar rows for each row of the problem in no block, and [`RowId::NONE`] for others. Empty
    /// if all rows are in blocks.
    pub(super) scalar_of: Vec<RowId>,
    /// With box friction, the index of the normal row of each contact among the scalar rows. Otherwise empty.
    pub(super) box_starts: Vec<u32>,
    /// Whether any contact resists turning.
    pub(in crate::solver) resists_turning: bool,
    /// The dilation of the friction law [-].
    pub(super) dilation: f64,
    /// The rows that are visited one by one: scalar rows, or all rows if the order is not that of batches.
    pub(super) visits: Vec<RowRef>,
    /// The visits before any shuffle, for random orders.
    pub(super) unshuffled: Vec<RowRef>,
    /// The visits and plans of each island.
    pub(super) schedules: Vec<IslandSchedule>,
    /// The mechanisms whose rows are eliminated.
    pub(super) split: Split,
    /// Whether the rows with bounds that the mechanisms hold have been chosen.
    pub(super) is_split_prepared: bool,
    /// Whether the rows without bounds of mechanisms have been solved for the present impulses of all others.
    pub(super) is_joined: bool,
    /// The error that stopped the solve of a mechanism.
    pub(super) failed: Option<Error>,
    pub(super) exchanged: ExchangedRows,
    pub(super) planner: Planner,
    pub(in crate::solver) measured: MeasuredColumns,
    /// Whether the measured columns belong to the present impulses.
    pub(in crate::solver) is_measured: bool,
    /// The layout of the present lanes, or none if the next problem needs new lanes.
    pub(super) layout: Option<Layout>,
    /// Whether the visits are still those of an older layout.
    pub(super) needs_visits: bool,
}

/// The values measured after a solve, in the order of the lanes.
#[derive(Debug, Default)]
pub(in crate::solver) struct MeasuredColumns {
    /// The residual of each contact that can be measured in a batch [m/s].
    pub(super) residuals: Vec<Wide>,
    /// The velocity of b relative to a along the normal [m/s].
    pub(in crate::solver) normal_velocities: Vec<Wide>,
}

impl MeasuredColumns {
    /// Reserves memory for this many `batches`. The present values must be overwritten.
    pub(super) fn begin(&mut self, batches: usize) -> Result<()> {
        let Self { residuals, normal_velocities } = self;
        resize(residuals, batches, Wide::splat(0.0), "contacts")?;
        resize(normal_velocities, batches, Wide::splat(0.0), "contacts")
    }
}

/// A row of any kind, in eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum RowRef {
    /// A lane of central batches.
    Central(LaneSlot),
    /// A lane of general batches.
    General(LaneSlot),
    /// A lane of blocks of rows.
    Block(LaneSlot),
    /// A scalar row in no block. For a contact with box friction it is the first of its rows.
    Scalar(RowId),
}

/// The number of contacts whose impulses are read at a time.
const CONTACTS_PER_PIECE: usize = 1024;

/// The visits and plans of one island.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct IslandSchedule {
    pub(super) visits: [u32; 2],
    /// The range of the plans of blocks.
    pub(super) blocks: [u32; 2],
    pub(super) central: Plan,
    pub(super) general: Plan,
    /// The contacts and rows of mechanisms, which are visited separately.
    pub(super) split: SplitSchedule,
}

impl Rows {
    /// Returns whether there are scalar rows in no block. These are in no lane, and their impulses may bound those of
    /// rows that are visited separately.
    pub(in crate::solver) fn has_scalars(&self) -> bool {
        !self.scalar.is_empty()
    }

    /// Returns whether the impulses of some rows scale the bounds of others. A sweep may then end with impulses outside of their bounds.
    pub(in crate::solver) fn are_coupled(&self) -> bool {
        self.has_scalars() || self.blocks.found.are_coupled
    }

    /// Returns the row of a contact that impulses move.
    #[inline]
    pub(super) fn row_of(&self, contact: ContactId) -> Option<RowRef> {
        self.row_in(self.lane_of[contact])
    }

    /// Returns the row in a lane. Returns none for a lane outside the batches that has no contact that impulses move.
    #[inline(always)]
    pub(super) fn row_in(&self, slot: LaneSlot) -> Option<RowRef> {
        let (batch, central) = (slot.batch(), self.central.assigned.contacts.len());
        if batch < central {
            Some(RowRef::Central(slot))
        } else if batch < central + self.general.assigned.contacts.len() {
            Some(RowRef::General(LaneSlot::new(batch - central, slot.lane())))
        } else {
            let contact = self.lanes[batch][slot.lane()];
            self.box_starts.get(contact.index()).map(|start| RowRef::Scalar(RowId(*start)))
        }
    }

    /// Returns the scalar rows of the contact with box friction whose `first` row this is.
    pub(super) fn box_of(&self, first: RowId) -> std::ops::Range<usize> {
        let next = self.scalar[first].contact.index() + 1;
        first.index()..self.box_starts.get(next).map_or(self.scalar.len(), |start| *start as usize)
    }

    /// Returns whether a row of the problem is one of a mechanism whose rows are eliminated.
    pub(in crate::solver) fn is_split(&self, row: RowId) -> bool {
        self.split.has_row(row)
    }

    /// Returns the error that stopped the solve of a mechanism, if any.
    pub(in crate::solver) fn check_mechanisms(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Sets the impulses of scalar rows, without applying them to the velocities. Contacts in batches already have
    /// theirs.
    pub(in crate::solver) fn set_scalars(&mut self, impulses: &Impulses) {
        for (row, lambda) in RowId::range(0..impulses.rows.len()).zip(&impulses.rows) {
            self.set_row(row, *lambda);
        }
        for contact in ContactId::range(0..self.box_starts.len()) {
            self.set_box(RowId(self.box_starts[contact]), &impulses.wrench(contact));
        }
    }

    /// Sets the impulses of the rows of a contact with box friction.
    fn set_box(&mut self, first: RowId, impulse: &ImpulsiveWrench) {
        let rows = self.box_of(first);
        self.scalar[rows].iter_mut().for_each(|row| row.set(impulse));
    }

    /// Sets the impulses of an island, without applying them to the velocities.
    pub(in crate::solver) fn set(&mut self, island: Island, impulses: &Impulses) {
        for row in island.rows {
            self.set_row(*row, impulses.rows[*row]);
        }
        for contact in island.contacts {
            self.set_contact(*contact, &impulses.wrench(*contact));
        }
    }

    /// Sets the impulse of a contact, without applying it to the velocities.
    pub(in crate::solver) fn set_contact(&mut self, contact: ContactId, impulse: &ImpulsiveWrench) {
        match self.row_of(contact) {
            Some(RowRef::Central(lane)) => self.central.set(lane, impulse),
            Some(RowRef::General(lane)) => self.general.set(lane, impulse),
            Some(RowRef::Scalar(first)) => self.set_box(first, impulse),
            Some(RowRef::Block(_)) | None => {}
        }
    }

    /// Sets the impulse of a scalar row of the problem, without applying it to the velocities.
    pub(in crate::solver) fn set_row(&mut self, row: RowId, lambda: f64) {
        if let Some(place) = self.blocks.row(row) {
            self.blocks.set(place, lambda);
        } else if let Some(scalar) = self.scalar_of.get(row.index()) {
            self.scalar[*scalar].lambda = lambda;
        }
    }

    /// Writes the impulses of all rows and contacts. Contacts that belong to no island have none.
    pub(in crate::solver) fn read_all(&self, impulses: &mut Impulses, tasks: &dyn Tasks) {
        for (row, lambda) in RowId::range(0..impulses.rows.len()).zip(&mut impulses.rows) {
            *lambda = self.row_impulse(row);
        }
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.contacts, |first, impulses| {
            for (contact, impulse) in ContactId::range(first..first + impulses.len()).zip(impulses) {
                self.prefetch_impulses(contact);
                self.read_force(self.row_of(contact), impulse);
            }
        });
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.torques, |first, torques| {
            for (contact, torque) in ContactId::range(first..first + torques.len()).zip(torques) {
                self.prefetch_impulses(contact);
                *torque = self.torque(self.row_of(contact));
            }
        });
    }

    /// Writes the impulses of all lanes. `impulses` has one entry for each lane. Entries of lanes without a contact
    /// become zero.
    pub(in crate::solver) fn read_lanes(&self, impulses: &mut [Impulse], torques: &mut [Vec3], tasks: &dyn Tasks) {
        each_piece(tasks, CONTACTS_PER_PIECE, impulses, |first, impulses| {
            for (lane, impulse) in LaneSlot::range(first..first + impulses.len()).zip(impulses) {
                self.read_force(self.row_in(lane), impulse);
            }
        });
        each_piece(tasks, CONTACTS_PER_PIECE, torques, |first, torques| {
            for (lane, torque) in LaneSlot::range(first..first + torques.len()).zip(torques) {
                *torque = self.torque(self.row_in(lane));
            }
        });
    }

    /// Prefetches the impulses of a contact at a fixed distance behind this one.
    #[inline(always)]
    fn prefetch_impulses(&self, contact: ContactId) {
        if self.bodies.len() <= FEW_BODIES || contact.index() + CONTACTS_AHEAD >= self.lane_of.len() {
            return;
        }
        match self.row_of((contact.index() + CONTACTS_AHEAD).into()) {
            Some(RowRef::Central(lane)) => self.central.prefetch_impulses(lane),
            Some(RowRef::General(lane)) => self.general.prefetch_impulses(lane),
            Some(RowRef::Block(_) | RowRef::Scalar(_)) | None => {}
        }
    }

    /// Writes the impulses of an island.
    pub(in crate::solver) fn read(&self, island: Island, impulses: &mut Impulses) {
        for row in island.rows {
            impulses.rows[*row] = self.row_impulse(*row);
        }
        for contact in island.contacts {
            impulses.set_wrench(*contact, &self.contact_impulse(*contact));
        }
    }

    /// Returns the impulse of a scalar row of the problem; 0 if no impulse moves the row.
    pub(in crate::solver) fn row_impulse(&self, row: RowId) -> f64 {
        impulse_of(&self.blocks, &self.scalar, &self.scalar_of, row)
    }

    /// Returns the impulse of a contact of the problem.
    pub(in crate::solver) fn contact_impulse(&self, contact: ContactId) -> ImpulsiveWrench {
        let (row, mut force) = (self.row_of(contact), Impulse::ZERO);
        self.read_force(row, &mut force);
        ImpulsiveWrench { force, torque: self.torque(row) }
    }

    /// Writes the impulse of the force of a contact in place. A copy of this size would wait for the stores just
    /// before.
    #[inline]
    fn read_force(&self, row: Option<RowRef>, impulse: &mut Impulse) {
        match row {
            Some(RowRef::Central(lane)) => self.central.read(lane, impulse),
            Some(RowRef::General(lane)) => self.general.read(lane, impulse),
            Some(RowRef::Scalar(first)) => *impulse = self.box_impulse(first).force,
            Some(RowRef::Block(_)) | None => *impulse = Impulse::ZERO,
        }
    }

    /// Returns the impulse of the torque of a contact.
    #[inline]
    fn torque(&self, row: Option<RowRef>) -> Vec3 {
        match row {
            Some(RowRef::Central(lane)) => self.central.torque(lane),
            Some(RowRef::General(lane)) => self.general.torque(lane),
            Some(RowRef::Scalar(first)) => self.box_impulse(first).torque,
            Some(RowRef::Block(_)) | None => Vec3::zeros(),
        }
    }

    /// Returns the impulse of a contact with box friction.
    fn box_impulse(&self, first: RowId) -> ImpulsiveWrench {
        let mut impulse = ImpulsiveWrench::from(Impulse::force(self.scalar[first].lambda, Vec3::zeros()));
        self.scalar[self.box_of(first)].iter().skip(1).for_each(|row| row.add_to(&mut impulse));
        impulse
    }

    /// Chooses the width of the kernels.
    #[cfg(test)]
    pub(in crate::solver) fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Returns the velocity of a body on which the sweeps work.
    #[cfg(test)]
    pub(in crate::solver) fn velocity(&self, body: usize) -> crate::solver::Velocity {
        crate::solver::gauss_seidel::wide::lines::velocity(&self.bodies[body])
    }
}

/// Returns the impulse of a scalar row of the problem.
pub(super) fn impulse_of(blocks: &BlockBatches, scalar: &[ScalarRow], scalar_of: &[RowId], row: RowId) -> f64 {
    let of_scalar = || scalar_of.get(row.index()).map(|own| scalar[*own].lambda);
    blocks.row(row).map(|place| blocks.impulse(place)).or_else(of_scalar).unwrap_or(0.0)
}

/// Returns the context of a pass without relaxation and dilation.
pub(super) fn unrelaxed<'a>(bodies: &'a mut [Wide], masses: &'a mut [Wide]) -> SweepContext<'a> {
    SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: 1.0, dilation: 0.0 }
}
