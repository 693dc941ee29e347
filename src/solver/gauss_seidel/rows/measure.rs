//! Residuals, normal velocities and rolling speeds of the rows.

use crate::error::Result;
use crate::math::lanes::{Level, Wide, dispatch};
use crate::math::{ContactId, LaneSlot, RowId};
use crate::solver::gauss_seidel::rows::batches::{ContactBatches, PIECE, behind};
use crate::solver::gauss_seidel::rows::kernels::Measure;
use crate::solver::gauss_seidel::rows::store::{MeasuredColumns, Rows, unrelaxed};
use crate::solver::gauss_seidel::wide::{ContactBatch, Extras, SweepContext, lines};
use crate::solver::problem::Velocity;
use crate::solver::problem::contacts::occupied;
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

impl Rows {
    /// Measures the contacts of each kind and the rows in blocks at these velocities and their present impulses.
    /// Contacts and rows that cannot be measured in batches are skipped.
    pub(in crate::solver) fn measure(&mut self, velocities: &[Velocity], tasks: &dyn Tasks) -> Result<()> {
        let all = self.measured_batches();
        let Self { central, general, blocks, bodies, masses, level, measured, lanes, dilation, .. } = self;
        each_piece(tasks, lines::PIECE, bodies, |first, lines| {
            for (line, velocity) in lines.iter_mut().zip(velocities.get(first..).unwrap_or_default()) {
                lines::set_velocity(line, velocity);
            }
        });
        let count = central.assigned.contacts.len();
        measured.begin(lanes.len())?;
        let context = SweepContext { dilation: *dilation, ..unrelaxed(bodies, masses) };
        let MeasuredColumns { residuals, normal_velocities } = measured;
        let (residuals, residuals_of_general) = residuals[..all].split_at_mut(count);
        let (velocities, velocities_of_general) = normal_velocities[..all].split_at_mut(count);
        central.measure([residuals, velocities], context, *level, tasks);
        general.measure([residuals_of_general, velocities_of_general], context, *level, tasks);
        blocks.measure(*level, context, tasks)?;
        self.is_measured = true;
        Ok(())
    }

    /// Returns how many batches can be measured. These are the first ones.
    fn measured_batches(&self) -> usize {
        let general = if self.general.can_be_measured() { self.general.assigned.contacts.len() } else { 0 };
        self.central.assigned.contacts.len() + general
    }

    /// Returns whether every contact can be measured in a batch.
    pub(in crate::solver) fn measure_all(&self) -> bool {
        self.scalar.is_empty() && self.lanes.len() == self.measured_batches()
    }

    /// Computes the normal velocities of the contacts that were not measured in batches. `velocity` returns that of a
    /// contact, given its number and its lane [m/s].
    pub(in crate::solver) fn measure_others(&mut self, velocity: impl Fn(ContactId, LaneSlot) -> f64) {
        for at in self.measured_batches()..self.lanes.len() {
            let velocities = &mut self.measured.normal_velocities[at];
            for (lane, contact) in occupied(&self.lanes[at]) {
                velocities.0[lane] = velocity(contact, LaneSlot::new(at, lane));
            }
        }
    }

    /// Returns the residual of a contact if it was measured in a batch [m/s].
    #[inline]
    pub(in crate::solver) fn residual(&self, contact: ContactId) -> Option<f64> {
        if !self.is_measured {
            return None;
        }
        let slot = self.lane_of[contact];
        (slot.batch() < self.measured_batches()).then(|| self.measured.residuals[slot.batch()].0[slot.lane()])
    }
}

impl Rows {
    /// Returns the residual of a row of the problem if it was measured in a block [m/s].
    pub(in crate::solver) fn row_residual(&self, row: RowId) -> Option<f64> {
        let lane = self.blocks.row(row).filter(|_| self.is_measured)?;
        Some(self.blocks.residual(lane))
    }
}

impl<B: ContactBatch> ContactBatches<B> {
    /// Returns whether the contacts can be measured in their batches.
    fn can_be_measured(&self) -> bool {
        B::MEASURES_TURNING || self.torques.is_empty()
    }

    /// Measures the contacts at the velocities of the lines and their present impulses. The `columns` receive residuals
    /// and normal velocities. Batches beyond the length of the columns are skipped.
    fn measure(&self, columns: [&mut [Wide]; 2], context: SweepContext, level: Level, tasks: &dyn Tasks) {
        let Self { batches, extras: all, extra_places: places, torques, .. } = self;
        let extras = Extras { all, places };
        let [residuals, normal_velocities] = columns;
        each_pair_of_pieces(tasks, PIECE, (residuals, normal_velocities), |first, residuals, normal| {
            let (batches, extras, torques) = (&batches[first..], extras.behind(first), behind(torques, first));
            dispatch(level, Measure { batches, extras, torques, normal, residuals, context });
        });
    }
}
