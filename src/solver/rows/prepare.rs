//! Rows made ready for the sweep: which contact is of which kind, where it sits, and in what order it is visited.

use crate::error::{Result, reserve};
use crate::solver::box_friction::box_rows;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::problem::{Friction, MassInverse, Problem};
use crate::solver::rows::plan::Chosen;
use crate::solver::rows::{CENTRAL, GENERAL, KIND, Rows, SCALAR, Share};
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::{Given, central, lines};
use crate::tasks::Tasks;

impl Rows {
    /// Prepares `problem` for sweeps over its islands in `order`; `masses` are those of the problem and of the resting
    /// body. In batches, scalar rows come first, then central and general contacts, each with its torques.
    pub(in crate::solver) fn prepare(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        islands: &Islands,
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        lines::fill(&mut self.bodies, masses, |body, mass| lines::moving(problem.free_velocity(body as u32), mass))?;
        self.resists_turning = problem.contacts.iter().any(|contact| contact.cone().resists_turning());
        self.make_scalars(problem)?;
        let (general, extra) = self.sort_out(problem, masses)?;
        self.masses.clear();
        if general {
            lines::fill(&mut self.masses, masses, |_, mass| lines::mass(mass))?;
        }
        self.visits.clear();
        let contacts = if order == Order::Colored { 0 } else { problem.contacts.len() };
        reserve(&mut self.visits, self.scalar.len() + contacts, "rows")?;
        self.central.clear();
        self.general.clear();
        self.planner.clear();
        self.shares.clear();
        reserve(&mut self.shares, islands.len(), "islands")?;
        let mut chosen = std::mem::take(&mut self.chosen);
        for island in 0..islands.len() {
            let share = self.share(problem, masses, islands.get(island), order, &mut chosen);
            self.shares.push(share?);
        }
        self.chosen = chosen;
        let given = Given { problem, masses };
        self.central.fill(&given, self.resists_turning, extra, tasks)?;
        self.general.fill(&given, self.resists_turning, false, tasks)?;
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    fn make_scalars(&mut self, problem: &Problem) -> Result<()> {
        self.scalar.clear();
        let boxes = if problem.friction == Friction::Box { 6 * problem.contacts.len() } else { 0 };
        reserve(&mut self.scalar, problem.rows.len() + boxes, "rows")?;
        for (own, row) in (0..).zip(problem.rows) {
            self.scalar.push(ScalarRow::new(problem, row, own, row.friction_row));
        }
        Ok(())
    }

    /// Tells of which kind each contact is; those of box friction become rows at once. Returns whether any is general, and
    /// whether any central one has an extra.
    fn sort_out(&mut self, problem: &Problem, masses: &[MassInverse]) -> Result<(bool, bool)> {
        self.contacts.clear();
        reserve(&mut self.contacts, problem.contacts.len(), "contacts")?;
        let (mut general, mut extra) = (false, false);
        for (index, contact) in (0..).zip(problem.contacts) {
            if problem.friction == Friction::Box {
                let normal = self.scalar.len() as u32;
                self.contacts.push(normal | SCALAR);
                for (own, row) in (normal..).zip(box_rows(contact)) {
                    self.scalar.push(ScalarRow::new(problem, &row, own, (own > normal).then_some(normal)));
                }
                self.scalar[normal as usize].contact = index;
            } else if central::is_central(contact, masses) {
                self.contacts.push(CENTRAL);
                extra |= central::has_extra(contact, problem);
            } else {
                self.contacts.push(GENERAL);
                general = true;
            }
        }
        Ok((general, extra))
    }

    /// What belongs to an island, and in what order.
    fn share(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        island: Island,
        order: Order,
        chosen: &mut Vec<Chosen>,
    ) -> Result<Share> {
        let mut share = Share { visits: [self.visits.len() as u32; 2], ..Share::default() };
        for kind in [CENTRAL, GENERAL] {
            chosen.clear();
            reserve(chosen, island.contacts.len(), "contacts")?;
            chosen.extend(island.contacts.iter().filter(|index| self.contacts[**index as usize] & KIND == kind).map(
                |index| {
                    let contact = &problem.contacts[*index as usize];
                    (*index, [contact.body_a, contact.body_b].map(|body| lines::place(body, masses)))
                },
            ));
            if chosen.is_empty() {
                continue;
            }
            let Self { planner, packer, central, general, contacts, .. } = self;
            let sit = |contact: u32, lane: u32| contacts[contact as usize] = lane | kind;
            let (batched, bodies) = (order == Order::Colored, masses.len());
            let plan = match (kind, batched) {
                (CENTRAL, true) => planner.in_batches(chosen, bodies, packer, central, sit),
                (CENTRAL, false) => planner.in_order(chosen, central, sit),
                (_, true) => planner.in_batches(chosen, bodies, packer, general, sit),
                (_, false) => planner.in_order(chosen, general, sit),
            }?;
            // in any other order than that of batches each contact has a visit of its own
            if batched {
                *(if kind == CENTRAL { &mut share.central } else { &mut share.general }) = plan;
            }
        }
        self.visit_one_by_one(island, order);
        share.visits[1] = self.visits.len() as u32;
        Ok(share)
    }

    /// Appends the visits of an island that are done one by one.
    fn visit_one_by_one(&mut self, island: Island, order: Order) {
        self.visits.extend(island.rows.iter().map(|row| row | SCALAR));
        for contact in island.contacts {
            let visit = self.contacts[*contact as usize];
            if visit & KIND == SCALAR {
                self.visits.extend(self.box_of(*contact as usize).map(|row| row as u32 | SCALAR));
            } else if order != Order::Colored {
                self.visits.push(visit);
            }
        }
    }
}
