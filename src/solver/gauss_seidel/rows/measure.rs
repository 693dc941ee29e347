//! Residuals, normal velocities and rolling speeds of the rows.

use crate::error::Result;
use crate::math::lanes::Wide;
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::rows::measured::{Measured, MeasuredColumns};
use crate::solver::gauss_seidel::rows::store::{Rows, unrelaxed};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::Velocity;
use crate::solver::problem::lane_contacts::occupied;
use crate::tasks::{Tasks, each_piece};

/// Bodies whose lines are written at a time.
const LINES_PER_PIECE: usize = 1024;

impl Rows {
    /// Measures the contacts of each kind at these velocities and their present impulses, those that can be measured in batches.
    pub(in crate::solver) fn measure(&mut self, velocities: &[Velocity], tasks: &dyn Tasks) -> Result<()> {
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
    pub(in crate::solver) fn measure_all(&self) -> bool {
        let in_batches = self.central.contacts.len() + self.general.contacts.len();
        self.scalar.is_empty() && self.lanes.len() == in_batches && self.general.can_be_measured()
    }

    /// Returns whether every contact was measured in a batch.
    pub(in crate::solver) fn has_measured_all(&self) -> bool {
        self.is_measured && self.measure_all()
    }

    /// Makes the measured columns count as those of other impulses.
    pub(in crate::solver) fn forget_measured(&mut self) {
        self.is_measured = false;
    }

    /// Computes the normal velocities of the contacts that were not measured in batches: `velocity` returns that of the contact of a
    /// number, which is in a lane [m/s].
    pub(in crate::solver) fn measure_others(&mut self, velocity: impl Fn(ContactId, LaneSlot) -> f64) {
        let first = match self.general.can_be_measured() {
            true => self.central.contacts.len() + self.general.contacts.len(),
            false => self.central.contacts.len(),
        };
        for at in first..self.lanes.len() {
            let velocities = &mut self.measured.normal_velocities[at];
            for (lane, contact) in occupied(&self.lanes[at]) {
                velocities.0[lane] = velocity(contact, LaneSlot::new(at, lane));
            }
        }
    }

    /// The velocity of b relative to a along the normal, of each lane [m/s].
    pub(in crate::solver) fn normal_velocities(&self) -> &[Wide] {
        &self.measured.normal_velocities
    }

    /// Returns the rolling speed of the contact in a lane if it was measured in a batch [m/s].
    pub(in crate::solver) fn rolling_speed(&self, slot: LaneSlot) -> Option<f64> {
        let speed = self.measured.rolling_speeds.get(slot.batch())?.0[slot.lane()];
        Some(if self.central.resists_turning(slot.index()) { speed } else { 0.0 })
    }

    /// Returns the residual of a contact if it was measured in a batch [m/s].
    #[inline]
    pub(in crate::solver) fn residual(&self, contact: ContactId) -> Option<f64> {
        if !self.is_measured {
            return None;
        }
        let batch = self.lane_of[contact].batch();
        let central = self.central.contacts.len();
        let in_batches = central + self.general.contacts.len();
        let is_known = batch < central || (batch < in_batches && self.general.can_be_measured());
        is_known.then(|| self.measured.residuals[batch].0[self.lane_of[contact].lane()])
    }
}
