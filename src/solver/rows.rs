//! All contacts of a problem prepared for the sweep, each kind in an array of its own, and the order of the visits.

use crate::error::{Result, reserve};
use crate::solver::central::CentralRow;
use crate::solver::general::GeneralRow;
use crate::solver::order::{Batches, Order, Packer, shuffle};
use crate::solver::problem::{Impulse, MassInverse, Problem, Velocity};

/// This bit of a visit says that the row is a general one; the rest is its index.
const GENERAL: u32 = 1 << 31;

/// The rows, each kind in the order of the contacts: those of a batch are near each other, since the window that packs
/// them slides along that order.
#[derive(Debug, Default)]
pub(super) struct Rows {
    central: Vec<CentralRow>,
    general: Vec<GeneralRow>,
    /// The rows in the order in which a forward sweep meets them.
    visits: Vec<u32>,
    packer: Packer,
    batches: Batches,
    spare: Vec<u32>,
}

impl Rows {
    /// Prepares the contacts of `problem` in `order`. A batch holds rows of one kind: central ones first.
    pub(super) fn prepare(&mut self, problem: &Problem, order: Order) -> Result<()> {
        let count = problem.contacts.len();
        self.make_rows(problem)?;
        if order == Order::Colored {
            self.batches.clear(count)?;
            for kind in [0, GENERAL] {
                let rows = self.visits.iter().enumerate().filter(|(_, visit)| *visit & GENERAL == kind);
                let contacts = rows.map(|(contact, _)| contact as u32);
                self.packer.pack(problem, contacts, &mut self.batches)?;
            }
            let natural = std::mem::take(&mut self.visits);
            self.visits = std::mem::take(&mut self.spare);
            self.visits.clear();
            reserve(&mut self.visits, count, "contacts")?;
            self.visits.extend(self.batches.iter().flatten().map(|contact| natural[*contact as usize]));
            self.spare = natural;
        }
        Ok(())
    }

    /// A row for each contact, and the visits in natural order.
    fn make_rows(&mut self, problem: &Problem) -> Result<()> {
        let count = problem.contacts.len();
        let resting = problem.masses.len() as u32;
        self.central.clear();
        self.general.clear();
        self.visits.clear();
        reserve(&mut self.central, count, "contacts")?;
        reserve(&mut self.visits, count, "contacts")?;
        for (index, contact) in (0..).zip(problem.contacts) {
            match CentralRow::new(problem, index, contact, resting) {
                Some(row) => {
                    self.visits.push(self.central.len() as u32);
                    self.central.push(row);
                }
                None => {
                    reserve(&mut self.general, 1, "contacts")?;
                    self.visits.push(self.general.len() as u32 | GENERAL);
                    self.general.push(GeneralRow::new(problem, index, contact, resting));
                }
            }
        }
        Ok(())
    }

    /// Starts every contact from its impulse, applied to the velocities if `apply`.
    pub(super) fn start(&mut self, masses: &[MassInverse], velocities: &mut [Velocity], impulses: &[Impulse]) {
        for row in &mut self.central {
            row.start(velocities, &impulses[row.contact as usize]);
        }
        for row in &mut self.general {
            row.start(masses, velocities, &impulses[row.contact as usize]);
        }
    }

    /// Sets the impulses without applying them to the velocities.
    pub(super) fn set(&mut self, impulses: &[Impulse]) {
        for row in &mut self.central {
            row.impulse = impulses[row.contact as usize];
        }
        for row in &mut self.general {
            row.set(&impulses[row.contact as usize]);
        }
    }

    /// One sweep. Returns the largest change of a contact's velocity [m/s].
    pub(super) fn sweep(
        &mut self,
        masses: &[MassInverse],
        velocities: &mut [Velocity],
        (order, sweep): (Order, u32),
        relaxation: f64,
    ) -> f64 {
        if let Order::Random(seed) = order {
            shuffle(&mut self.visits, seed, sweep);
        }
        let Self { central, general, visits, .. } = self;
        let visit = |largest: f64, visit: &u32| {
            let change = if visit & GENERAL == 0 {
                central[*visit as usize].relax(velocities, relaxation)
            } else {
                general[(visit & !GENERAL) as usize].relax(masses, velocities, relaxation)
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

    /// One sweep of the position pass. Returns the farthest that a contact was opened [m].
    pub(super) fn push(
        &self,
        masses: &[MassInverse],
        displacements: &mut [Velocity],
        targets: &[f64],
        multipliers: &mut [f64],
    ) -> f64 {
        self.visits.iter().fold(0.0, |farthest, visit| {
            let moved = if visit & GENERAL == 0 {
                let row = &self.central[*visit as usize];
                let at = row.contact as usize;
                row.push(displacements, targets[at], &mut multipliers[at])
            } else {
                let row = &self.general[(visit & !GENERAL) as usize];
                let at = row.contact as usize;
                row.push(masses, displacements, targets[at], &mut multipliers[at])
            };
            f64::max(farthest, moved)
        })
    }

    /// Writes the impulses, contact by contact of the problem.
    pub(super) fn read(&self, impulses: &mut [Impulse]) {
        for row in &self.central {
            impulses[row.contact as usize] = row.impulse;
        }
        for row in &self.general {
            impulses[row.contact as usize] = row.impulse();
        }
    }
}
