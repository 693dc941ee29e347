//! The position pass over all rows.

use crate::math::lanes::{Wide, dispatch};
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::rows::batches::{ContactBatches, behind};
use crate::solver::gauss_seidel::rows::kernels::{PositionSweep, Shift};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::plan::Plan;
use crate::solver::gauss_seidel::rows::store::{IslandSchedule, RowRef, Rows, unrelaxed};
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{ContactBatch, SweepContext};
use crate::solver::problem::MassInverse;
use crate::tasks::Tasks;

impl Rows {
    /// Scales the multipliers from which contacts in batches start. The first part is for central contacts, the second
    /// one for general contacts. All others start from zero.
    pub(in crate::solver) fn scale_multipliers(&self, multipliers: &mut [Wide], parts: [f64; 2]) {
        let (central, others) = multipliers.split_at_mut(self.central.assigned.contacts.len());
        let (general, others) = others.split_at_mut(self.general.assigned.contacts.len());
        for (column, part) in [central, general].into_iter().zip(parts) {
            column.iter_mut().flat_map(|batch| &mut batch.0).for_each(|multiplier| *multiplier *= part);
        }
        others.fill(Wide::splat(0.0));
    }

    /// Sets the multipliers of contacts in no batch to zero: they are not stored between steps.
    pub(in crate::solver) fn clear_unbatched(&self, multipliers: &mut [Wide]) {
        multipliers[self.central.assigned.contacts.len() + self.general.assigned.contacts.len()..]
            .fill(Wide::splat(0.0));
    }

    /// Returns whether the contact in a lane is central, or none if the pass does not treat it.
    pub(in crate::solver) fn is_central(&self, slot: LaneSlot) -> Option<bool> {
        self.row_in(slot).map(|row| matches!(row, RowRef::Central(_)))
    }

    /// Adds the effect of the start multipliers of contacts to the displacements.
    pub(in crate::solver) fn shift(&mut self, masses: &[MassInverse], multipliers: &mut [Wide], tasks: &dyn Tasks) {
        let first_general = self.central.assigned.contacts.len();
        self.shift_split(masses, &mut multipliers[first_general..]);
        let have_targets = self.have_targets();
        let Self { central, general, blocks, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let (central_multipliers, others) = multipliers.split_at_mut(central.assigned.contacts.len());
        let general_multipliers = &mut others[..general.assigned.contacts.len()];
        let context = unrelaxed(bodies, lines);
        for row in visits {
            match *row {
                RowRef::Central(lane) => central.shift(lane, central_multipliers, context),
                RowRef::General(lane) => general.shift(lane, general_multipliers, context),
                RowRef::Block(lane) if have_targets => blocks.apply(lane, context),
                RowRef::Block(_) | RowRef::Scalar(_) => {}
            }
        }
        for schedule in schedules {
            let phases = |plan| Phases { plan, planner, level: *level, tasks };
            if have_targets {
                blocks.apply_all(schedule.blocks, phases(&Plan::NONE), context);
            }
            central.shift_all(phases(&schedule.central), central_multipliers, context);
            general.shift_all(phases(&schedule.general), general_multipliers, context);
        }
    }

    /// Adds the effect of the multiplier of the contact in a lane to the displacements.
    pub(in crate::solver) fn shift_one(&mut self, slot: LaneSlot, multipliers: &[Wide]) {
        let row = self.row_in(slot);
        let Self { central, general, bodies, masses: lines, .. } = self;
        let first_general = central.assigned.contacts.len();
        match row {
            Some(RowRef::Central(lane)) => central.shift(lane, &multipliers[..first_general], unrelaxed(bodies, lines)),
            Some(RowRef::General(lane)) => general.shift(lane, &multipliers[first_general..], unrelaxed(bodies, lines)),
            Some(RowRef::Block(_) | RowRef::Scalar(_)) | None => {}
        }
    }

    /// Moves the bodies of a row's contact so that it opens by its target. Returns how far it moved [m].
    fn project_row(&mut self, row: RowRef, masses: &[MassInverse], targets: &[Wide], multipliers: &mut [Wide]) -> f64 {
        let first_general = self.central.assigned.contacts.len();
        let Self { central, general, scalar, bodies, masses: lines, lane_of, .. } = self;
        match row {
            RowRef::Central(lane) => central.push(lane, targets, multipliers, unrelaxed(bodies, lines)),
            RowRef::General(lane) => {
                let (targets, multipliers) = (&targets[first_general..], &mut multipliers[first_general..]);
                general.push(lane, targets, multipliers, unrelaxed(bodies, lines))
            }
            RowRef::Scalar(index) if scalar[index].contact != ContactId::NONE => {
                let row = &scalar[index];
                let slot = lane_of[row.contact];
                let (at, lane) = (slot.batch(), slot.lane());
                row.push(masses, bodies, targets[at].0[lane], &mut multipliers[at].0[lane])
            }
            RowRef::Block(_) | RowRef::Scalar(_) => self.project_scalar(row, masses),
        }
    }

    /// Moves the bodies of the contact in a lane so that it opens by its target. Returns how far it moved [m].
    pub(in crate::solver) fn project_contact(
        &mut self,
        slot: LaneSlot,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
    ) -> f64 {
        self.row_in(slot).map_or(0.0, |row| self.project_row(row, masses, targets, multipliers))
    }

    /// Makes one sweep of the position pass over a part, which is an island or all rows. Returns the largest move of a
    /// contact. If `contact_targets` has scales, the move is multiplied by its scale.
    pub(in crate::solver) fn push(
        &mut self,
        part: usize,
        masses: &[MassInverse],
        contact_targets: &ContactTargets,
        multipliers: &mut [Wide],
        tasks: &dyn Tasks,
    ) -> f64 {
        let IslandSchedule { visits: [first, end], central: centrals, general: generals, .. } = self.schedules[part];
        let mut farthest = 0.0;
        for at in first as usize..end as usize {
            farthest =
                f64::max(farthest, self.project_row(self.visits[at], masses, contact_targets.targets, multipliers));
        }
        if self.have_targets() {
            farthest = farthest.max(self.sweep_block_positions(part, tasks));
        }
        let Self { central, general, bodies, masses: lines, level, planner, .. } = self;
        let first_general = central.assigned.contacts.len();
        let (central_multipliers, others) = multipliers.split_at_mut(first_general);
        let general_multipliers = &mut others[..general.assigned.contacts.len()];
        let context = unrelaxed(bodies, lines);
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        let moved = central.sweep_positions(phases(&centrals), contact_targets.behind(0), central_multipliers, context);
        farthest = farthest.max(moved);
        let general_targets = contact_targets.behind(first_general);
        let moved = general.sweep_positions(phases(&generals), general_targets, general_multipliers, context);
        farthest.max(moved).max(self.sweep_split_positions(
            part,
            masses,
            &general_targets,
            &mut multipliers[first_general..],
        ))
    }
}

/// The targets of contacts in the position pass, lane by lane.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct ContactTargets<'a> {
    /// How far each contact is to be opened [m].
    pub(in crate::solver) targets: &'a [Wide],
    /// The scale of its move: one over the largest target of its island [1/m]. Empty if all moves have the same scale.
    pub(in crate::solver) scales: &'a [Wide],
}

impl<'a> ContactTargets<'a> {
    /// Returns the targets of the batches from `first` on.
    fn behind(&self, first: usize) -> Self {
        Self { targets: &self.targets[first..], scales: behind(self.scales, first) }
    }
}

impl<B: ContactBatch> ContactBatches<B> {
    /// Adds the effect of the multipliers to the displacements.
    fn shift_all(&self, phases: Phases, multipliers: &mut [Wide], context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.shift(lane, multipliers, context));
        let (batches, level) = (&self.batches, phases.level);
        phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let batches = &batches[first as usize..end as usize];
            dispatch(level, Shift { batches, multipliers, context });
            0.0
        });
    }

    /// Adds the effect of one multiplier to the displacements.
    fn shift(&self, slot: LaneSlot, multipliers: &[Wide], context: SweepContext) {
        let at = slot.batch();
        self.batches[at].shift::<f64>(context, &multipliers[at], slot.lane());
    }

    /// Makes one sweep of the position pass. Returns the largest scaled move of a contact.
    fn sweep_positions(
        &self,
        phases: Phases,
        contact_targets: ContactTargets,
        multipliers: &mut [Wide],
        context: SweepContext,
    ) -> f64 {
        let mut farthest = 0.0;
        for lane in phases.plan.lanes() {
            let scale = contact_targets.scales.get(lane.batch()).map_or(1.0, |scales| scales.0[lane.lane()]);
            farthest = f64::max(farthest, scale * self.push(lane, contact_targets.targets, multipliers, context));
        }
        let (Self { batches, isotropic, .. }, level) = (self, phases.level);
        let found = phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let span = first as usize..end as usize;
            let scales = behind(contact_targets.scales, span.start);
            let (batches, targets) = (&batches[span.clone()], &contact_targets.targets[span]);
            dispatch(level, PositionSweep { batches, targets, scales, multipliers, context, isotropic: *isotropic })
        });
        farthest.max(found)
    }

    /// Moves the bodies of one contact so that it opens by its target. Returns the move.
    fn push(&self, slot: LaneSlot, targets: &[Wide], multipliers: &mut [Wide], context: SweepContext) -> f64 {
        let at = slot.batch();
        self.batches[at].push::<f64, Anisotropic>(context, &targets[at], &mut multipliers[at], slot.lane())
    }
}
