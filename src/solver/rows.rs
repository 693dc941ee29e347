//! All rows of a problem prepared for the sweep, each kind in an array of its own, and the order of the visits.

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::solver::box_friction::box_rows;
use crate::solver::central::CentralRow;
use crate::solver::general::GeneralRow;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::{Batches, Order, Packer, shuffle};
use crate::solver::problem::{Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::solver::rolling::RollingRow;
use crate::solver::scalar::ScalarRow;

/// These bits of a visit say of which kind the row is; the rest is its index.
const KIND: u32 = 3 << 30;
const CENTRAL: u32 = 0;
const GENERAL: u32 = 1 << 30;
const SCALAR: u32 = 2 << 30;
const ROLLING: u32 = 3 << 30;

/// No row.
const NONE: u32 = u32::MAX;

/// The rows, each kind in the order of the problem: those of a batch are near each other, since the window that packs
/// them slides along that order.
#[derive(Debug, Default)]
pub(super) struct Rows {
    central: Vec<CentralRow>,
    general: Vec<GeneralRow>,
    /// Those of the problem, then if friction is a box those of the contacts (see [`box_rows`]).
    scalar: Vec<ScalarRow>,
    rolling: Vec<RollingRow>,
    /// How many of the scalar rows are the problem's own.
    own_scalars: usize,
    /// The visit of each contact (of its normal row).
    contacts: Vec<u32>,
    /// The visit of each contact's torque row, or [`NONE`]; empty where no contact resists turning.
    torques: Vec<u32>,
    /// Whether any contact resists turning.
    resists_turning: bool,
    /// The rows in the order in which a forward sweep meets them, island by island.
    visits: Vec<u32>,
    /// The same before any shuffle, for random orders.
    unshuffled: Vec<u32>,
    /// Where the visits of each island begin, and where the last one's end.
    starts: Vec<u32>,
    packer: Packer,
    batches: Batches,
}

impl Rows {
    /// Prepares `problem` for sweeps over its islands in `order`. A batch holds rows of one kind: scalar ones first, then
    /// central and general ones, each batch followed by the torques of its contacts.
    pub(super) fn prepare(&mut self, problem: &Problem, islands: &Islands, order: Order) -> Result<()> {
        self.make_scalars(problem)?;
        self.make_contacts(problem)?;
        self.make_torques(problem)?;
        self.visits.clear();
        reserve(
            &mut self.visits,
            self.central.len() + self.general.len() + self.scalar.len() + self.rolling.len(),
            "rows",
        )?;
        self.starts.clear();
        reserve(&mut self.starts, islands.len() + 1, "islands")?;
        for island in 0..islands.len() {
            self.starts.push(self.visits.len() as u32);
            self.visit_island(problem, islands.get(island), order)?;
        }
        self.starts.push(self.visits.len() as u32);
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

    /// A row, or three, for each contact.
    fn make_contacts(&mut self, problem: &Problem) -> Result<()> {
        let count = problem.contacts.len();
        let resting = problem.masses.len() as u32;
        self.central.clear();
        self.general.clear();
        self.contacts.clear();
        reserve(&mut self.central, count, "contacts")?;
        reserve(&mut self.contacts, count, "contacts")?;
        for (index, contact) in (0..).zip(problem.contacts) {
            if problem.friction == Friction::Box {
                let normal = self.scalar.len() as u32;
                self.contacts.push(normal | SCALAR);
                for (own, row) in (normal..).zip(box_rows(contact)) {
                    self.scalar.push(ScalarRow::new(problem, &row, own, (own > normal).then_some(normal)));
                }
                self.scalar[normal as usize].contact = index;
            } else if let Some(row) = CentralRow::new(problem, index, contact, resting) {
                self.contacts.push(self.central.len() as u32 | CENTRAL);
                self.central.push(row);
            } else {
                reserve(&mut self.general, 1, "contacts")?;
                self.contacts.push(self.general.len() as u32 | GENERAL);
                self.general.push(GeneralRow::new(problem, index, contact, resting));
            }
        }
        Ok(())
    }

    /// A torque row for each contact that resists turning.
    fn make_torques(&mut self, problem: &Problem) -> Result<()> {
        self.rolling.clear();
        self.torques.clear();
        self.resists_turning = problem.contacts.iter().any(|contact| contact.cone().resists_turning());
        if problem.friction == Friction::Box {
            return Ok(());
        }
        for (index, contact) in problem.contacts.iter().enumerate() {
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

    /// Appends the visits of an island.
    fn visit_island(&mut self, problem: &Problem, island: Island, order: Order) -> Result<()> {
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
            (*index, [row.body_a, row.body_b])
        });
        self.packer.pack(problem, rows, &mut self.batches)?;
        self.visits.extend(self.batches.order.iter().map(|row| row | SCALAR));
        for kind in [SCALAR, CENTRAL, GENERAL] {
            self.batches.clear(0)?;
            let of_kind = island.contacts.iter().filter(|index| self.contacts[**index as usize] & KIND == kind);
            let pairs = of_kind.map(|index| {
                let contact = &problem.contacts[*index as usize];
                (*index, [contact.body_a, contact.body_b])
            });
            self.packer.pack(problem, pairs, &mut self.batches)?;
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

    /// The scalar rows of a contact with box friction.
    fn box_of(&self, contact: usize) -> std::ops::Range<usize> {
        let place = |visit: &u32| (visit & !KIND) as usize;
        let end = self.contacts.get(contact + 1).map_or(self.scalar.len(), place);
        place(&self.contacts[contact])..end
    }

    fn visit_torque(&mut self, contact: u32) {
        match self.torques.get(contact as usize) {
            Some(visit) if *visit != NONE => self.visits.push(*visit),
            _ => {}
        }
    }

    /// Whether the impulses of some rows bound those of others.
    pub(super) fn bound_each_other(&self) -> bool {
        self.resists_turning || !self.scalar.is_empty()
    }

    /// Whether any contact carries torques.
    pub(super) fn carry_torques(&self) -> bool {
        self.resists_turning
    }

    /// Sets the impulses of an island, without applying them to the velocities.
    pub(super) fn set(&mut self, island: Island, impulses: &Impulses) {
        for row in island.rows {
            self.scalar[*row as usize].lambda = impulses.rows[*row as usize];
        }
        for contact in island.contacts {
            let at = *contact as usize;
            let impulse = &impulses.contacts[at];
            let visit = self.contacts[at];
            let index = (visit & !KIND) as usize;
            match visit & KIND {
                CENTRAL => self.central[index].set(impulse),
                GENERAL => self.general[index].set(impulse),
                _ => {
                    let rows = self.box_of(at);
                    self.scalar[rows].iter_mut().for_each(|row| row.set(impulse));
                }
            }
            if let Some(visit) = self.torques.get(at).filter(|visit| **visit != NONE) {
                // a row that no impulse moves took none, and carries no torque
                let pressed = self.contact_impulse(at).normal > 0.0;
                let torque = if pressed { impulse.torque } else { Vec3::zeros() };
                self.rolling[(visit & !KIND) as usize].set(&torque);
            }
        }
    }

    /// One sweep over an island. Returns the largest change of a row's velocity [m/s].
    pub(super) fn sweep(
        &mut self,
        masses: &[MassInverse],
        velocities: &mut [Velocity],
        island: usize,
        (order, sweep): (Order, u32),
        relaxation: f64,
    ) -> f64 {
        let Self { central, general, scalar, rolling, visits, unshuffled, starts, .. } = self;
        let range = starts[island] as usize..starts[island + 1] as usize;
        let visits = &mut visits[range.clone()];
        if let Order::Random(seed) = order {
            visits.copy_from_slice(&unshuffled[range]);
            shuffle(visits, seed, sweep);
        }
        let visit = |largest: f64, visit: &u32| {
            let index = (visit & !KIND) as usize;
            let change = match visit & KIND {
                CENTRAL => central[index].relax(velocities, relaxation),
                GENERAL => general[index].relax(masses, velocities, relaxation),
                SCALAR => {
                    let scale = scalar[index].scale as usize;
                    let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
                    scalar[index].relax(masses, velocities, scale, relaxation)
                }
                _ => {
                    let owner = rolling[index].owner;
                    let at = (owner & !KIND) as usize;
                    let normal = match owner & KIND {
                        CENTRAL => central[at].lambda_n,
                        GENERAL => general[at].lambda[0],
                        _ => scalar[at].lambda,
                    };
                    rolling[index].relax(masses, velocities, normal, relaxation)
                }
            };
            largest.max(change)
        };
        let largest = if order == Order::Symmetric && sweep % 2 == 1 {
            visits.iter().rev().fold(0.0, visit)
        } else {
            visits.iter().fold(0.0, visit)
        };
        largest.sqrt()
    }

    /// One sweep of the position pass over all islands. Returns the farthest that a contact was opened [m].
    pub(super) fn push(
        &self,
        masses: &[MassInverse],
        displacements: &mut [Velocity],
        targets: &[f64],
        multipliers: &mut [f64],
    ) -> f64 {
        self.visits.iter().fold(0.0, |farthest, visit| {
            let index = (visit & !KIND) as usize;
            let moved = match visit & KIND {
                CENTRAL => {
                    let row = &self.central[index];
                    let at = row.contact as usize;
                    row.push(displacements, targets[at], &mut multipliers[at])
                }
                GENERAL => {
                    let row = &self.general[index];
                    let at = row.contact as usize;
                    row.push(masses, displacements, targets[at], &mut multipliers[at])
                }
                SCALAR if self.scalar[index].contact != NONE => {
                    let row = &self.scalar[index];
                    let at = row.contact as usize;
                    row.push(masses, displacements, targets[at], &mut multipliers[at])
                }
                _ => 0.0,
            };
            f64::max(farthest, moved)
        })
    }

    /// Writes the impulses of an island.
    pub(super) fn read(&self, island: Island, impulses: &mut Impulses) {
        for row in island.rows {
            impulses.rows[*row as usize] = self.row_impulse(*row as usize);
        }
        for contact in island.contacts {
            impulses.contacts[*contact as usize] = self.contact_impulse(*contact as usize);
        }
    }

    /// The impulse of a scalar row of the problem.
    pub(super) fn row_impulse(&self, row: usize) -> f64 {
        self.scalar[row].lambda
    }

    /// The impulse of a contact of the problem.
    pub(super) fn contact_impulse(&self, contact: usize) -> Impulse {
        let visit = self.contacts[contact];
        let index = (visit & !KIND) as usize;
        let mut impulse = match visit & KIND {
            CENTRAL => self.central[index].impulse(),
            GENERAL => self.general[index].impulse(),
            _ => {
                let mut impulse = Impulse::force(self.scalar[index].lambda, Vec3::zeros());
                for row in self.scalar[self.box_of(contact)].iter().skip(1) {
                    row.add_to(&mut impulse);
                }
                impulse
            }
        };
        if let Some(visit) = self.torques.get(contact).filter(|visit| **visit != NONE) {
            impulse.torque = self.rolling[(visit & !KIND) as usize].torque();
        }
        impulse
    }
}
