//! The position pass over all rows.

use crate::math::lanes::{Wide, dispatch};
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::kernels::{Push, Shift};
use crate::solver::gauss_seidel::rows::store::{RowRef, Rows, unrelaxed};
use crate::solver::gauss_seidel::rows::sweep::Phases;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{Batch, SweepContext};
use crate::solver::problem::MassInverse;
use crate::tasks::Tasks;

impl Rows {
    /// Splits the lanes of a column by the kind of their contacts: central ones, general ones, and those in no batch.
    fn by_kind<'a>(&self, column: &'a [Wide]) -> [&'a [Wide]; 3] {
        let (central, others) = column.split_at(self.central.contacts.len());
        let (general, others) = others.split_at(self.general.contacts.len());
        [central, general, others]
    }

    /// Returns the largest target of central contacts, and of all others that the pass opens [m].
    pub(in crate::solver) fn largest_targets(&self, targets: &[Wide]) -> [f64; 2] {
        let largest = |column: &[Wide]| column.iter().flat_map(|batch| batch.0).fold(0.0, f64::max);
        let [central, general, others] = self.by_kind(targets);
        // Contacts in no batch are opened as scalar rows, with box friction.
        let boxes = if self.box_starts.is_empty() { 0.0 } else { largest(others) };
        [largest(central), f64::max(largest(general), boxes)]
    }

    /// Scales the multipliers from which central contacts start. All other contacts start from zero.
    pub(in crate::solver) fn scale_multipliers(&self, multipliers: &mut [Wide], part: f64) {
        let (central, others) = multipliers.split_at_mut(self.central.contacts.len());
        central.iter_mut().flat_map(|batch| &mut batch.0).for_each(|multiplier| *multiplier *= part);
        others.fill(Wide::splat(0.0));
    }

    /// Zeroes the multipliers that are not remembered: those of all but central contacts.
    pub(in crate::solver) fn forget_others(&self, multipliers: &mut [Wide]) {
        multipliers[self.central.contacts.len()..].fill(Wide::splat(0.0));
    }

    /// Adds to the displacements what the multipliers make of them from which central contacts start.
    pub(in crate::solver) fn shift(&mut self, multipliers: &mut [Wide], tasks: &dyn Tasks) {
        let Self { central, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let multipliers = &mut multipliers[..central.contacts.len()];
        let context = unrelaxed(bodies, lines);
        for row in visits {
            if let RowRef::Central(lane) = *row {
                central.shift(lane, multipliers, context);
            }
        }
        for schedule in schedules {
            central.shift_all(Phases { plan: &schedule.central, planner, level: *level, tasks }, multipliers, context);
        }
    }

    /// Makes one sweep of the position pass over all islands. Returns the farthest that a contact was opened [m].
    pub(in crate::solver) fn push(
        &mut self,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
        tasks: &dyn Tasks,
    ) -> f64 {
        let first_general = self.central.contacts.len();
        let (central_multipliers, others) = multipliers.split_at_mut(first_general);
        let (general_multipliers, other_multipliers) = others.split_at_mut(self.general.contacts.len());
        let [central_targets, general_targets, other_targets] = self.by_kind(targets);
        let first_other = first_general + self.general.contacts.len();
        let mut farthest = 0.0;
        for at in 0..self.visits.len() {
            let Self { central, general, scalar, bodies, masses: lines, lane_of, .. } = self;
            let moved = match self.visits[at] {
                RowRef::Central(lane) => {
                    central.push(lane, central_targets, central_multipliers, unrelaxed(bodies, lines))
                }
                RowRef::General(lane) => {
                    general.push(lane, general_targets, general_multipliers, unrelaxed(bodies, lines))
                }
                RowRef::Scalar(index) if scalar[index].contact == ContactId::NONE => continue,
                RowRef::Scalar(index) => {
                    let row = &scalar[index];
                    let slot = lane_of[row.contact];
                    let (at, lane) = (slot.batch() - first_other, slot.lane());
                    row.push(masses, bodies, other_targets[at].0[lane], &mut other_multipliers[at].0[lane])
                }
            };
            farthest = f64::max(farthest, moved);
        }
        let Self { central, general, bodies, masses: lines, level, planner, schedules, .. } = self;
        let context = unrelaxed(bodies, lines);
        for schedule in schedules {
            let phases = |plan| Phases { plan, planner, level: *level, tasks };
            let moved = central.push_all(phases(&schedule.central), central_targets, central_multipliers, context);
            farthest = farthest.max(moved);
            let moved = general.push_all(phases(&schedule.general), general_targets, general_multipliers, context);
            farthest = farthest.max(moved);
        }
        farthest
    }
}

impl<B: Batch> ContactBatches<B> {
    /// Adds to the displacements what the multipliers make of them.
    fn shift_all(&self, phases: Phases, multipliers: &mut [Wide], context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.shift(lane, multipliers, context));
        let (batches, level) = (&self.batches, phases.level);
        phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let batches = &batches[first as usize..end as usize];
            dispatch(level, Shift { batches, multipliers, context });
            0.0
        });
    }

    /// Does the same for one contact.
    fn shift(&self, slot: LaneSlot, multipliers: &[Wide], context: SweepContext) {
        let at = slot.batch();
        self.batches[at].shift::<f64>(context, &multipliers[at], slot.lane());
    }

    /// Makes one sweep of the position pass. Returns the farthest that a contact was opened [m].
    fn push_all(&self, phases: Phases, targets: &[Wide], multipliers: &mut [Wide], context: SweepContext) -> f64 {
        let mut farthest = 0.0;
        for lane in phases.plan.lanes() {
            farthest = f64::max(farthest, self.push(lane, targets, multipliers, context));
        }
        let (Self { batches, isotropic, .. }, level) = (self, phases.level);
        let found = phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let span = first as usize..end as usize;
            let (batches, targets) = (&batches[span.clone()], &targets[span]);
            dispatch(level, Push { batches, targets, multipliers, context, isotropic: *isotropic })
        });
        farthest.max(found)
    }

    /// Opens one contact in the position pass.
    fn push(&self, slot: LaneSlot, targets: &[Wide], multipliers: &mut [Wide], context: SweepContext) -> f64 {
        let at = slot.batch();
        self.batches[at].push::<f64, Anisotropic>(context, &targets[at], &mut multipliers[at], slot.lane())
    }
}
