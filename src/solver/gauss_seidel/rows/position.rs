//! The position pass over all rows.

use crate::math::ContactId;
use crate::math::lanes::{WIDE, Wide};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::row_ref::Kind;
use crate::solver::gauss_seidel::rows::store::{Rows, unrelaxed};
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
            if let Kind::Central(lane) = row.kind() {
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
        let first_other = WIDE * (first_general + self.general.contacts.len());
        let mut farthest = 0.0;
        for at in 0..self.visits.len() {
            let Self { central, general, scalar, bodies, masses: lines, lane_of, .. } = self;
            let moved = match self.visits[at].kind() {
                Kind::Central(lane) => {
                    central.push(lane, central_targets, central_multipliers, unrelaxed(bodies, lines))
                }
                Kind::General(lane) => {
                    general.push(lane, general_targets, general_multipliers, unrelaxed(bodies, lines))
                }
                Kind::Scalar(index) if scalar[index].contact == ContactId::NONE => continue,
                Kind::Scalar(index) => {
                    let row = &scalar[index];
                    let lane = lane_of[row.contact].index() - first_other;
                    let multiplier = &mut other_multipliers[lane / WIDE].0[lane % WIDE];
                    row.push(masses, bodies, other_targets[lane / WIDE].0[lane % WIDE], multiplier)
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
