//! Rows made ready for the sweep: which contact is of which kind, where it stands, and in what order it is visited.

use crate::error::{Result, reserve, resize};
use crate::math::lanes::WIDE;
use crate::solver::box_friction::box_rows;
use crate::solver::general::GeneralRow;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::problem::{Friction, MassInverse, Problem};
use crate::solver::rolling::RollingRow;
use crate::solver::rows::{CENTRAL, Central, GENERAL, KIND, NONE, ROLLING, Rows, SCALAR, Share, Span};
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::central::{self, CentralBatch, CentralTorques, Extra};
use crate::solver::wide::lines;

impl Rows {
    /// Prepares `problem` for sweeps over its islands in `order`; `masses` are those of the problem and of the resting
    /// body. In batches, scalar rows come first, then central and general contacts, each with its torques.
    pub(in crate::solver) fn prepare(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        islands: &Islands,
        order: Order,
    ) -> Result<()> {
        lines::fill(&mut self.bodies, masses, |body, mass| lines::moving(problem.free_velocity(body as u32), mass))?;
        self.resists_turning = problem.contacts.iter().any(|contact| contact.cone().resists_turning());
        self.make_scalars(problem)?;
        self.make_contacts(problem, masses)?;
        self.make_torques(problem)?;
        self.visits.clear();
        let rows = self.general.len() + self.scalar.len() + self.rolling.len();
        let contacts = if order == Order::Colored { 0 } else { problem.contacts.len() };
        reserve(&mut self.visits, rows + contacts, "rows")?;
        self.central.clear();
        self.shares.clear();
        reserve(&mut self.shares, islands.len(), "islands")?;
        for island in 0..islands.len() {
            let island = islands.get(island);
            let first = self.visits.len() as u32;
            let central = self.place_central(problem, masses, &island, order)?;
            self.visit_island(problem, masses, island, order)?;
            self.shares.push(Share { visits: [first, self.visits.len() as u32], central });
        }
        self.fill_central(problem, masses)?;
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    fn make_scalars(&mut self, problem: &Problem) -> Result<()> {
        self.scalar.clear();
        self.own_scalars = problem.rows.len();
        let boxes = if problem.friction == Friction::Box { 6 * problem.contacts.len() } else { 0 };
        reserve(&mut self.scalar, self.own_scalars + boxes, "rows")?;
        for (own, row) in (0..).zip(problem.rows) {
            self.scalar.push(ScalarRow::new(problem, row, own, row.friction_row));
        }
        Ok(())
    }

    /// A row, or three, for each contact; central ones find their place later.
    fn make_contacts(&mut self, problem: &Problem, masses: &[MassInverse]) -> Result<()> {
        let resting = problem.masses.len() as u32;
        self.general.clear();
        self.contacts.clear();
        reserve(&mut self.contacts, problem.contacts.len(), "contacts")?;
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
            } else {
                reserve(&mut self.general, 1, "contacts")?;
                self.contacts.push(self.general.len() as u32 | GENERAL);
                self.general.push(GeneralRow::new(problem, index, contact, resting));
            }
        }
        Ok(())
    }

    /// A torque row for each general contact that resists turning.
    fn make_torques(&mut self, problem: &Problem) -> Result<()> {
        self.rolling.clear();
        self.torques.clear();
        if !self.resists_turning {
            return Ok(());
        }
        for (index, contact) in problem.contacts.iter().enumerate() {
            if self.contacts[index] & KIND != GENERAL {
                continue;
            }
            let Some(row) = RollingRow::new(problem, contact, self.contacts[index]) else { continue };
            if self.torques.is_empty() {
                resize(&mut self.torques, problem.contacts.len(), NONE, "contacts")?;
            }
            self.torques[index] = self.rolling.len() as u32 | ROLLING;
            reserve(&mut self.rolling, 1, "contacts")?;
            self.rolling.push(row);
        }
        Ok(())
    }

    /// Gives the central contacts of an island their lanes.
    fn place_central(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        island: &Island,
        order: Order,
    ) -> Result<Span> {
        let Self { packer, batches, contacts, central, .. } = self;
        let chosen = || island.contacts.iter().copied().filter(|index| contacts[*index as usize] & KIND == CENTRAL);
        batches.clear(island.contacts.len())?;
        if order == Order::Colored {
            let pairs = chosen().map(|index| {
                let contact = &problem.contacts[index as usize];
                (index, [contact.body_a, contact.body_b].map(|body| lines::place(body, masses)))
            });
            packer.pack(masses.len(), pairs, batches)?;
        }
        // Batches that are hardly filled cost more than visits one by one.
        let wide = 2 * batches.starts.len() < batches.order.len();
        if wide {
            central.align();
        }
        let first = central.lanes;
        if wide {
            for batch in batches.iter() {
                for index in batch {
                    self.contacts[*index as usize] = central.place(*index)? | CENTRAL;
                }
                central.align();
            }
        } else {
            for index in island.contacts {
                if self.contacts[*index as usize] & KIND == CENTRAL {
                    self.contacts[*index as usize] = central.place(*index)? | CENTRAL;
                }
            }
        }
        // in any other order each contact has a visit of its own
        let end = if order == Order::Colored { central.lanes } else { first };
        Ok(Span { first, end, wide })
    }

    /// Writes the central contacts into their lanes.
    fn fill_central(&mut self, problem: &Problem, masses: &[MassInverse]) -> Result<()> {
        let Central { batches, extras, torques, contacts, .. } = &mut self.central;
        let resting = problem.masses.len() as u32;
        resize(batches, contacts.len(), CentralBatch::empty(resting), "contacts")?;
        if self.resists_turning {
            resize(torques, contacts.len(), CentralTorques::NONE, "contacts")?;
        }
        for (at, lanes) in contacts.iter().enumerate() {
            for (lane, index) in lanes.iter().enumerate().filter(|(_, index)| **index != NONE) {
                let contact = central::Central::new(&problem.contacts[*index as usize], masses, |body| {
                    *problem.free_velocity(body)
                });
                batches[at].put(lane, &contact);
                if self.resists_turning {
                    torques[at].put(lane, &contact);
                }
                if contact.has_extra() {
                    if extras.is_empty() {
                        resize(extras, contacts.len(), Extra::NONE, "contacts")?;
                    }
                    extras[at].put(lane, &contact);
                }
            }
        }
        Ok(())
    }

    /// Appends the visits of an island that are done one by one.
    fn visit_island(&mut self, problem: &Problem, masses: &[MassInverse], island: Island, order: Order) -> Result<()> {
        if order != Order::Colored {
            self.visits.extend(island.rows.iter().map(|row| row | SCALAR));
            for contact in island.contacts {
                self.visit_contact(*contact);
                self.visit_torque(*contact);
            }
            return Ok(());
        }
        self.batches.clear(island.rows.len() + island.contacts.len())?;
        let rows = island.rows.iter().map(|index| {
            let row = &problem.rows[*index as usize];
            (*index, [row.body_a, row.body_b].map(|body| lines::place(body, masses)))
        });
        self.packer.pack(masses.len(), rows, &mut self.batches)?;
        self.visits.extend(self.batches.order.iter().map(|row| row | SCALAR));
        for kind in [SCALAR, GENERAL] {
            self.batches.clear(0)?;
            let of_kind = island.contacts.iter().filter(|index| self.contacts[**index as usize] & KIND == kind);
            let pairs = of_kind.map(|index| {
                let contact = &problem.contacts[*index as usize];
                (*index, [contact.body_a, contact.body_b].map(|body| lines::place(body, masses)))
            });
            self.packer.pack(masses.len(), pairs, &mut self.batches)?;
            let batches = std::mem::take(&mut self.batches);
            for batch in batches.iter() {
                batch.iter().for_each(|contact| self.visit_contact(*contact));
                batch.iter().for_each(|contact| self.visit_torque(*contact));
            }
            self.batches = batches;
        }
        Ok(())
    }

    fn visit_contact(&mut self, contact: u32) {
        let visit = self.contacts[contact as usize];
        self.visits.push(visit);
        if visit & KIND == SCALAR {
            let rows = self.box_of(contact as usize);
            self.visits.extend(rows.skip(1).map(|row| row as u32 | SCALAR));
        }
    }

    fn visit_torque(&mut self, contact: u32) {
        match self.torques.get(contact as usize) {
            Some(visit) if *visit != NONE => self.visits.push(*visit),
            _ => {}
        }
    }
}

impl Central {
    fn clear(&mut self) {
        self.lanes = 0;
        self.batches.clear();
        self.extras.clear();
        self.torques.clear();
        self.contacts.clear();
    }

    /// The next contact begins a batch.
    fn align(&mut self) {
        self.lanes = self.lanes.next_multiple_of(WIDE as u32);
    }

    /// Gives a contact the next lane.
    fn place(&mut self, contact: u32) -> Result<u32> {
        let lane = self.lanes as usize;
        if lane / WIDE == self.contacts.len() {
            if self.contacts.len() == self.contacts.capacity() {
                let more = self.contacts.len().max(64);
                reserve(&mut self.contacts, more, "contacts")?;
            }
            self.contacts.push([NONE; WIDE]);
        }
        self.contacts[lane / WIDE][lane % WIDE] = contact;
        self.lanes += 1;
        Ok(lane as u32)
    }
}
