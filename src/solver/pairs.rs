//! Who touches whom, and how: the lines of every contact's bodies, whether they are what they were the last time, and whether the
//! contact is central.
//!
//! Where there are no rows, islands, batches and sums by body follow from it alone, and are kept while it stays.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Result, resize};
use crate::math::lanes::{KEPT, Wide};
use crate::solver::order::Pair;
use crate::solver::problem::{Contact, Problem};
use crate::solver::wide::central::is_central;
use crate::solver::wide::lines;
use crate::tasks::{Tasks, each_pair_of_pieces};

/// Whether the bodies of a contact have these lines, of which the `resting` one stands for the fixed world.
#[inline(always)]
pub(super) fn joins(contact: &Contact, pair: Pair, resting: u32) -> bool {
    [contact.body_a.min(resting), contact.body_b.min(resting)] == pair.map(|place| place & !KEPT)
}

/// Contacts whose pairs are compared at a time.
const PIECE: usize = 1024;

/// The pairs of a problem.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Of each contact; a body that no impulse moves has [`KEPT`].
    pub(super) all: Vec<Pair>,
    /// Which contacts are central, told from their numbers.
    pub(super) central: Vec<bool>,
    bodies: usize,
    /// Whether they are those of the problem before, and neither has rows.
    pub(super) same: bool,
}

impl Pairs {
    /// Whether `problem` has as many contacts and bodies as the last one whose pairs were noted, and neither has rows.
    pub(super) fn fit(&self, problem: &Problem) -> bool {
        problem.rows.is_empty() && self.bodies == lines::count(problem) && self.all.len() == problem.contacts.len()
    }

    /// Whether a contact of `problem`, which fits, is between the bodies noted.
    #[inline(always)]
    pub(super) fn hold(&self, contact: usize, problem: &Problem) -> bool {
        joins(&problem.contacts[contact], self.all[contact], problem.masses.len() as u32)
    }

    /// Takes the pairs of `problem`, whose bodies have these lines, and tells which of them are central.
    pub(super) fn note(&mut self, problem: &Problem, bodies: &[Wide], tasks: &dyn Tasks) -> Result<()> {
        let (count, alike) = (problem.contacts.len(), self.fit(problem));
        self.same = false;
        // what is there already is written over
        self.all.truncate(count);
        resize(&mut self.all, count, [KEPT; 2], "contacts")?;
        self.central.truncate(count);
        resize(&mut self.central, count, false, "contacts")?;
        // Rows join bodies too: after a problem with rows nothing is the same either.
        self.bodies = if problem.rows.is_empty() { bodies.len() } else { 0 };
        let same = AtomicBool::new(alike);
        each_pair_of_pieces(tasks, PIECE, (&mut self.all, &mut self.central), |first, known, central| {
            let mut changed = false;
            for ((known, central), contact) in known.iter_mut().zip(central).zip(&problem.contacts[first..]) {
                let pair = [contact.body_a, contact.body_b].map(|body| lines::place(body, bodies));
                changed |= *known != pair;
                *known = pair;
                *central = is_central(contact, pair, bodies);
            }
            if changed {
                same.store(false, Ordering::Relaxed);
            }
        });
        self.same = same.into_inner();
        Ok(())
    }

    /// What follows from them was not made: the next ones are not the same, whatever they are.
    pub(super) fn forget(&mut self) {
        self.bodies = 0;
    }
}
