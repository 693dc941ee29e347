//! All rows of a problem prepared for the sweep, and the sweep.
//!
//! Contacts stand in batches of eight, central ones and general ones apart ([`batches`]); scalar rows stand alone. [`plan`] chooses the order
//! of the visits: tiles of space first, then the contacts between tiles, colour by colour. Several threads can therefore work on a sweep,
//! and its result does not depend on their number.

pub(super) mod batches;
pub(in crate::solver) mod kernels;
pub(in crate::solver) mod layout;
mod measured;
pub(super) mod plan;
mod position;
mod prepare;
mod read;
pub(super) mod row_ref;
pub(super) mod window;

use crate::error::Result;
use crate::math::lanes::{Level, Lines, WIDE, Wide};
use crate::solver::islands::Island;
use crate::solver::lane_contacts::{LaneContacts, occupied};
use crate::solver::order::{Order, shuffle};
use crate::solver::problem::{Impulses, MassInverse, Velocity};
use crate::solver::rows::batches::{ContactBatches, Phases};
use crate::solver::rows::layout::Layout;
use crate::solver::rows::measured::{Measured, MeasuredColumns};
use crate::solver::rows::plan::{Plan, Planner};
use crate::solver::rows::row_ref::RowRef;
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::central::CentralBatch;
use crate::solver::wide::general::GeneralBatch;
use crate::solver::wide::{SweepContext, lines};
use crate::tasks::{Tasks, each_piece};

/// Contacts whose impulses are read at a time.
const CONTACTS_PER_PIECE: usize = 1024;

/// Bodies whose lines are written at a time.
const LINES_PER_PIECE: usize = 1024;

/// No contact.
const NONE: u32 = u32::MAX;

/// The rows, each kind in an array of its own, those of an island side by side.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The width of the kernels.
    level: Level,
    /// The lines of the bodies, the resting one last.
    bodies: Vec<Wide>,
    /// The masses that general contacts need besides; one line for each body where there are general contacts.
    masses: Vec<Wide>,
    central: ContactBatches<CentralBatch>,
    general: ContactBatches<GeneralBatch>,
    /// The contact in each lane: of central batches, then of general ones, then the contacts that are in no batch.
    lanes: Vec<LaneContacts>,
    /// The lane of each contact.
    lane_of: Vec<u32>,
    /// The scalar rows of the problem, then with box friction those of the contacts (see `box_rows`).
    scalar: Vec<ScalarRow>,
    /// With box friction, the normal row of each contact among the scalar rows; else empty.
    box_starts: Vec<u32>,
    /// Whether any contact resists turning.
    resists_turning: bool,
    /// What is visited one by one: scalar rows, or all rows where the order is not that of batches.
    visits: Vec<RowRef>,
    /// The same before any shuffle, for random orders.
    unshuffled: Vec<RowRef>,
    /// What belongs to each island.
    schedules: Vec<IslandSchedule>,
    planner: Planner,
    measured: MeasuredColumns,
    /// Whether the measured columns are those of the present impulses.
    is_measured: bool,
    /// The layout of the present lanes; none where the next problem needs new ones.
    layout: Option<Layout>,
    /// Whether the visits are still those of an older layout.
    needs_visits: bool,
}

/// What belongs to one island.
#[derive(Debug, Clone, Copy, Default)]
struct IslandSchedule {
    visits: [u32; 2],
    central: Plan,
    general: Plan,
}

/// How a sweep is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass<'a> {
    /// The order of the visits.
    pub(super) order: Order,
    /// Factor on the change of every row.
    pub(super) relaxation: f64,
    /// Whether the change of the velocities is needed.
    pub(super) measured: bool,
    /// What runs it.
    pub(super) tasks: &'a dyn Tasks,
}

impl Rows {
    /// Returns whether the impulses of some rows bound those of others that are visited apart from them.
    pub(super) fn bound_each_other(&self) -> bool {
        !self.scalar.is_empty()
    }

    /// Returns whether any contact carries torques.
    pub(super) fn carry_torques(&self) -> bool {
        self.resists_turning
    }

    /// The contact in each lane, batch by batch.
    pub(super) fn lanes(&self) -> &[LaneContacts] {
        &self.lanes
    }

    /// The lane of each contact.
    pub(super) fn lane_of(&self) -> &[u32] {
        &self.lane_of
    }

    /// The row of a contact that impulses move: its lane in the batches of its kind, or its first scalar row.
    #[inline]
    fn row_of(&self, contact: usize) -> Option<RowRef> {
        let lane = self.lane_of[contact] as usize;
        let (central, general) = (WIDE * self.central.contacts.len(), WIDE * self.general.contacts.len());
        if lane < central {
            Some(RowRef::central(lane))
        } else if lane < central + general {
            Some(RowRef::general(lane - central))
        } else {
            self.box_starts.get(contact).map(|start| RowRef::scalar(*start as usize))
        }
    }

    /// The scalar rows of a contact with box friction.
    fn box_of(&self, contact: usize) -> std::ops::Range<usize> {
        let end = self.box_starts.get(contact + 1).map_or(self.scalar.len(), |start| *start as usize);
        self.box_starts[contact] as usize..end
    }

    /// The lines of the bodies, as they were moved last; after the position pass they hold displacements.
    pub(super) fn bodies(&self) -> &[Wide] {
        &self.bodies
    }

    /// The velocities that the sweeps work on.
    #[cfg(test)]
    pub(super) fn velocity(&self, body: usize) -> Velocity {
        lines::velocity(&self.bodies[body])
    }

    /// Sets the velocities of the bodies of an island.
    pub(super) fn move_bodies(&mut self, island: Island, velocities: &[Velocity]) {
        for body in island.bodies {
            lines::set_velocity(&mut self.bodies[*body as usize], &velocities[*body as usize]);
        }
    }

    /// Makes the sweep of this `number` over an island. Returns the largest change of a row's velocity [m/s], or nothing of use
    /// where it is not measured.
    pub(super) fn sweep(&mut self, masses: &[MassInverse], island: usize, number: u32, pass: &Pass) -> f64 {
        let IslandSchedule { visits: [first, end], central, general } = self.schedules[island];
        let range = first as usize..end as usize;
        if let Order::Random(seed) = pass.order {
            let visits = &mut self.visits[range.clone()];
            visits.copy_from_slice(&self.unshuffled[range.clone()]);
            shuffle(visits, seed, number);
        }
        let back = pass.order == Order::Symmetric && number % 2 == 1;
        let mut largest = 0.0;
        for step in 0..range.len() {
            let at = if back { range.end - 1 - step } else { range.start + step };
            largest = f64::max(largest, self.visit(masses, self.visits[at], pass));
        }
        let Self { central: centrals, general: generals, bodies, masses, level, planner, .. } = self;
        let context =
            SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: pass.relaxation };
        let phases = |plan| Phases { plan, planner, level: *level, tasks: pass.tasks };
        largest = largest.max(centrals.sweep(phases(&central), context, pass.measured));
        largest = largest.max(generals.sweep(phases(&general), context, pass.measured));
        largest.sqrt()
    }

    /// Solves one row. Returns the square of the change of its velocity [m^2/s^2].
    fn visit(&mut self, masses: &[MassInverse], row: RowRef, pass: &Pass) -> f64 {
        let Self { central, general, scalar, bodies, masses: lines, .. } = self;
        let context = |bodies, lines| SweepContext {
            bodies: Lines::new(bodies),
            masses: Lines::new(lines),
            relaxation: pass.relaxation,
        };
        match row.kind() {
            row_ref::Kind::Central(lane) => central.relax(lane, context(bodies, lines)),
            row_ref::Kind::General(lane) => general.relax(lane, context(bodies, lines)),
            row_ref::Kind::Scalar(index) => {
                let scale = scalar[index].scale as usize;
                let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
                scalar[index].relax(masses, bodies, scale, pass.relaxation)
            }
        }
    }

    /// Adds to the velocities of the bodies of an island what the present impulses change.
    pub(super) fn apply(&mut self, masses: &[MassInverse], island: usize, tasks: &dyn Tasks) {
        let Self { central, general, scalar, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let IslandSchedule { visits: [first, end], central: centrals, general: generals } = &schedules[island];
        for row in &visits[*first as usize..*end as usize] {
            match row.kind() {
                row_ref::Kind::Central(lane) => central.apply(lane, unrelaxed(bodies, lines)),
                row_ref::Kind::General(lane) => general.apply(lane, unrelaxed(bodies, lines)),
                row_ref::Kind::Scalar(index) => scalar[index].apply(masses, bodies, scalar[index].lambda),
            }
        }
        let context = unrelaxed(bodies, lines);
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        central.apply_all(phases(centrals), context);
        general.apply_all(phases(generals), context);
    }

    /// Returns whether [`Rows::sum`] sums all impulses: scalar rows are in no lane.
    pub(super) fn can_sum(&self) -> bool {
        self.scalar.is_empty()
    }

    /// Adds the present impulses of an island up on the lines of its bodies, which are at [`rest`](Rows::rest). In place of velocities the
    /// lines then hold the sums: linear [N s], and about the centres of mass [N m s].
    pub(super) fn sum(&mut self, island: usize, tasks: &dyn Tasks) {
        let Self { central, general, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let IslandSchedule { visits: [first, end], central: centrals, general: generals } = &schedules[island];
        let context = unrelaxed(bodies, lines);
        for row in &visits[*first as usize..*end as usize] {
            match row.kind() {
                row_ref::Kind::Central(lane) => central.sum(lane, context),
                row_ref::Kind::General(lane) => general.sum(lane, context),
                row_ref::Kind::Scalar(_) => {}
            }
        }
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        central.sum_all(phases(centrals), context);
        general.sum_all(phases(generals), context);
    }

    /// Returns how many parts are swept one after the other.
    pub(super) fn parts(&self) -> usize {
        self.schedules.len()
    }

    /// Brings the lines of some bodies to rest.
    pub(super) fn rest_bodies(&mut self, bodies: &[u32]) {
        for body in bodies {
            let line = &mut self.bodies[*body as usize];
            *line = lines::at_rest(line);
        }
    }

    /// Brings all lines to rest, before they take sums or displacements.
    pub(super) fn rest(&mut self, tasks: &dyn Tasks) {
        each_piece(tasks, LINES_PER_PIECE, &mut self.bodies, |_, lines| {
            lines.iter_mut().for_each(|line| *line = lines::at_rest(line));
        });
    }

    /// Measures the contacts of each kind at these velocities and their present impulses, those that can be measured in batches.
    pub(super) fn measure(&mut self, velocities: &[Velocity], tasks: &dyn Tasks) -> Result<()> {
        let Self { central, general, bodies, masses, level, measured, lanes, .. } = self;
        each_piece(tasks, LINES_PER_PIECE, bodies, |first, lines| {
            for (line, velocity) in lines.iter_mut().zip(velocities.get(first..).unwrap_or_default()) {
                lines::set_velocity(line, velocity);
            }
        });
        let count = central.contacts.len();
        measured.begin(lanes.len(), if central.torques.is_empty() { 0 } else { count })?;
        let context = unrelaxed(bodies, masses);
        let MeasuredColumns { residuals, normal_velocities, rolling_speeds } = measured;
        let (residuals, residuals_of_general) = residuals.split_at_mut(count);
        let (normal_velocities, velocities_of_general) = normal_velocities.split_at_mut(count);
        central.measure(Measured { residuals, normal_velocities, rolling_speeds }, context, *level, tasks);
        if general.can_be_measured() {
            let count = general.contacts.len();
            let residuals = &mut residuals_of_general[..count];
            let normal_velocities = &mut velocities_of_general[..count];
            general.measure(Measured { residuals, normal_velocities, rolling_speeds: &mut [] }, context, *level, tasks);
        }
        self.is_measured = true;
        Ok(())
    }

    /// Returns whether every contact can be measured in a batch.
    pub(super) fn measure_all(&self) -> bool {
        let in_batches = self.central.contacts.len() + self.general.contacts.len();
        self.scalar.is_empty() && self.lanes.len() == in_batches && self.general.can_be_measured()
    }

    /// Returns whether every contact was measured in a batch.
    pub(super) fn has_measured_all(&self) -> bool {
        self.is_measured && self.measure_all()
    }

    /// Makes the measured columns count as those of other impulses.
    pub(super) fn forget_measured(&mut self) {
        self.is_measured = false;
    }

    /// Computes the normal velocities of the contacts that were not measured in batches: `velocity` returns that of the contact of a
    /// number, which is in a lane [m/s].
    pub(super) fn measure_others(&mut self, velocity: impl Fn(usize, usize) -> f64) {
        let first = match self.general.can_be_measured() {
            true => self.central.contacts.len() + self.general.contacts.len(),
            false => self.central.contacts.len(),
        };
        for at in first..self.lanes.len() {
            let velocities = &mut self.measured.normal_velocities[at];
            for (lane, contact) in occupied(&self.lanes[at]) {
                velocities.0[lane] = velocity(contact, WIDE * at + lane);
            }
        }
    }

    /// The velocity of b relative to a along the normal, of each lane [m/s].
    pub(super) fn normal_velocities(&self) -> &[Wide] {
        &self.measured.normal_velocities
    }

    /// Returns the rolling speed of the contact in a lane if it was measured in a batch [m/s].
    pub(super) fn rolling_speed(&self, lane: usize) -> Option<f64> {
        let speed = self.measured.rolling_speeds.get(lane / WIDE)?.0[lane % WIDE];
        Some(if self.central.resists_turning(lane) { speed } else { 0.0 })
    }

    /// Returns the residual of a contact if it was measured in a batch [m/s].
    #[inline]
    pub(super) fn residual(&self, contact: usize) -> Option<f64> {
        if !self.is_measured {
            return None;
        }
        let batch = self.lane_of[contact] as usize / WIDE;
        let central = self.central.contacts.len();
        let in_batches = central + self.general.contacts.len();
        let is_known = batch < central || (batch < in_batches && self.general.can_be_measured());
        is_known.then(|| self.measured.residuals[batch].0[self.lane_of[contact] as usize % WIDE])
    }

    /// Sets the impulses of scalar rows, without applying them to the velocities: contacts in batches have theirs.
    pub(super) fn set_scalars(&mut self, impulses: &Impulses) {
        for (row, lambda) in self.scalar.iter_mut().zip(&impulses.rows) {
            row.lambda = *lambda;
        }
        for contact in 0..self.box_starts.len() {
            let (rows, impulse) = (self.box_of(contact), impulses.wrench(contact));
            self.scalar[rows].iter_mut().for_each(|row| row.set(&impulse));
        }
    }
}

/// The context of a pass without relaxation.
fn unrelaxed<'a>(bodies: &'a mut [Wide], masses: &'a mut [Wide]) -> SweepContext<'a> {
    SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: 1.0 }
}
