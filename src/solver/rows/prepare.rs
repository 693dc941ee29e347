//! Rows made ready for the sweep: which contact is of which kind, where it sits, and in what order it is visited.

use crate::error::{Result, reserve};
use crate::solver::box_friction::box_rows;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::problem::{Friction, MassInverse, Problem};
use crate::solver::rows::plan::Plan;
use crate::solver::rows::{CENTRAL, GENERAL, KIND, Layout, Rows, SCALAR, Share};
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
        (islands, together): (&Islands, bool),
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
        self.lay_out(problem, masses, (islands, together), order)?;
        let given = Given { problem, masses };
        self.central.fill(&given, self.resists_turning, extra, tasks)?;
        self.general.fill(&given, self.resists_turning, false, tasks)?;
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
        self.kinds.clear();
        reserve(&mut self.kinds, problem.contacts.len(), "contacts")?;
        let (mut general, mut extra) = (false, false);
        for (index, contact) in (0..).zip(problem.contacts) {
            if problem.friction == Friction::Box {
                let normal = self.scalar.len() as u32;
                self.kinds.push(normal | SCALAR);
                for (own, row) in (normal..).zip(box_rows(contact)) {
                    self.scalar.push(ScalarRow::new(problem, &row, own, (own > normal).then_some(normal)));
                }
                self.scalar[normal as usize].contact = index;
            } else if central::is_central(contact, masses) {
                self.kinds.push(CENTRAL);
                extra |= central::has_extra(contact, problem);
            } else {
                self.kinds.push(GENERAL);
                general = true;
            }
        }
        Ok((general, extra))
    }

    /// Gives every contact its lane and every island its share. Where contacts and bodies are those of the last time, all
    /// of that is as it was.
    fn lay_out(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        (islands, together): (&Islands, bool),
        order: Order,
    ) -> Result<()> {
        let mut layout = std::mem::take(&mut self.fresh);
        let written = layout.write(problem, masses, (islands, together), order, &self.kinds);
        if written.is_err() || (layout == self.layout && self.scalar.is_empty()) {
            self.fresh = layout;
            return written;
        }
        self.fresh = std::mem::replace(&mut self.layout, layout);
        self.contacts.clear();
        reserve(&mut self.contacts, self.kinds.len(), "contacts")?;
        self.contacts.extend_from_slice(&self.kinds);
        self.visits.clear();
        let contacts = if order == Order::Colored { 0 } else { problem.contacts.len() };
        reserve(&mut self.visits, self.scalar.len() + contacts, "rows")?;
        self.central.clear();
        self.general.clear();
        self.planner.clear();
        self.shares.clear();
        let parts = islands.parts(together);
        reserve(&mut self.shares, parts, "islands")?;
        // Until it is done, nothing is laid out: a layout without bodies is none.
        let bodies = std::mem::take(&mut self.layout.bodies);
        for part in 0..parts {
            let share = self.share(part, bodies, order)?;
            self.shares.push(share);
            self.visit_one_by_one(islands.part(together, part), order);
        }
        self.layout.bodies = bodies;
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    /// What belongs to a part, and in what order.
    fn share(&mut self, part: usize, bodies: usize, order: Order) -> Result<Share> {
        let Self { planner, packer, central, general, contacts, layout, .. } = self;
        let [central_end, general_end] = layout.ends[part];
        let begin = if part == 0 { 0 } else { layout.ends[part - 1][1] };
        let centrals = &layout.chosen[begin as usize..central_end as usize];
        let generals = &layout.chosen[central_end as usize..general_end as usize];
        let mut share = Share { visits: [self.visits.len() as u32; 2], ..Share::default() };
        let batched = order == Order::Colored;
        let sit = |contact: u32, lane: u32| contacts[contact as usize] = lane | CENTRAL;
        let plan = if batched {
            planner.in_batches(centrals, bodies, packer, central, sit)
        } else {
            planner.in_order(centrals, central, sit)
        }?;
        // in any other order than that of batches each contact has a visit of its own
        share.central = if batched { plan } else { Plan::default() };
        let sit = |contact: u32, lane: u32| contacts[contact as usize] = lane | GENERAL;
        let plan = if batched {
            planner.in_batches(generals, bodies, packer, general, sit)
        } else {
            planner.in_order(generals, general, sit)
        }?;
        share.general = if batched { plan } else { Plan::default() };
        Ok(share)
    }

    /// Appends the visits of the last share, those of its rows that are visited one by one.
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
        let end = self.visits.len() as u32;
        if let Some(share) = self.shares.last_mut() {
            share.visits[1] = end;
        }
    }
}

impl Layout {
    /// Which contacts are of which kind in each part, and which bodies they have. `kinds` are those of all contacts.
    fn write(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        (islands, together): (&Islands, bool),
        order: Order,
        kinds: &[u32],
    ) -> Result<()> {
        self.order = Some(order);
        self.bodies = masses.len();
        self.chosen.clear();
        reserve(&mut self.chosen, problem.contacts.len(), "contacts")?;
        self.ends.clear();
        reserve(&mut self.ends, islands.parts(together), "islands")?;
        for part in 0..islands.parts(together) {
            let mut ends = [0; 2];
            for (end, kind) in ends.iter_mut().zip([CENTRAL, GENERAL]) {
                for index in islands.part(together, part).contacts {
                    if kinds[*index as usize] & KIND == kind {
                        let contact = &problem.contacts[*index as usize];
                        let pair = [contact.body_a, contact.body_b].map(|body| lines::place(body, masses));
                        self.chosen.push((*index, pair));
                    }
                }
                *end = self.chosen.len() as u32;
            }
            self.ends.push(ends);
        }
        Ok(())
    }
}
