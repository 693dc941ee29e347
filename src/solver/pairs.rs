//! Who touches whom, and how: the lines of every contact's bodies, whether they are what they were the last time, and whether the
//! contact is central.
//!
//! Where there are no rows, islands, batches and sums by body follow from it alone, and are kept while it stays.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::lanes::{KEPT, Wide};
use crate::solver::contacts::{seat, taken};
use crate::solver::order::{Pair, tiles};
use crate::solver::wide::kind::is_central;
use crate::solver::wide::{Posed, lines};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// Whether the bodies of a contact have these lines, of which the `resting` one stands for the fixed world.
#[inline(always)]
pub(super) fn joins(bodies: [u32; 2], pair: Pair, resting: u32) -> bool {
    bodies.map(|body| body.min(resting)) == pair.map(|place| place & !KEPT)
}

fn moves([a, b]: Pair) -> bool {
    a & b & KEPT == 0
}

/// Contacts whose pairs are compared at a time, and lines whose kinds are told.
const PIECE: usize = 1024;

/// This bit of the kind of a line says that no impulse moves its body, the other one that it does not turn alike about every axis.
const IS_KEPT: u8 = 1;
const IS_UNEVEN: u8 = 2;

/// What is so of some contacts: they are not between the bodies of the time before, they are not central, no impulse moves either body, or
/// their first moving body is in a lower tile than the one of the contact before.
const CHANGED: u8 = 1;
const GENERAL: u8 = 2;
const UNMOVED: u8 = 4;
const UNSORTED: u8 = 8;

/// Of what kind each line is, the resting one last: a byte of a line is read where the whole of it would be, once for each contact.
#[derive(Debug, Default)]
struct Kinds(Vec<u8>);

impl Kinds {
    fn tell(&mut self, bodies: &[Wide], tasks: &dyn Tasks) -> Result<()> {
        let Self(kinds) = self;
        // what is there already is written over
        kinds.truncate(bodies.len());
        resize(kinds, bodies.len(), 0, "bodies")?;
        each_piece(tasks, PIECE, kinds, |first, kinds| {
            for (kind, line) in kinds.iter_mut().zip(&bodies[first..]) {
                let (kept, uneven) = (lines::is_kept(line), lines::is_anisotropic(line));
                *kind = if kept { IS_KEPT } else { 0 } | if uneven { IS_UNEVEN } else { 0 };
            }
        });
        Ok(())
    }

    /// The line of the fixed world.
    fn resting(&self) -> u32 {
        self.0.len() as u32 - 1
    }

    /// The lines of a contact's bodies, and whether each of them turns alike about every axis, or is not moved by impulses.
    #[inline(always)]
    fn pair(&self, bodies: [u32; 2]) -> (Pair, bool) {
        let lines = bodies.map(|body| body.min(self.resting()));
        let kinds = lines.map(|line| self.0[line as usize]);
        let place = |side: usize| lines[side] | if kinds[side] & IS_KEPT != 0 { KEPT } else { 0 };
        ([place(0), place(1)], (kinds[0] | kinds[1]) & IS_UNEVEN == 0)
    }
}

/// The pairs of a problem.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Of each contact; a body that no impulse moves has [`KEPT`].
    pub(super) all: Vec<Pair>,
    /// Which contacts are central, told from their numbers.
    pub(super) central: Vec<bool>,
    /// What is so of some of them: [`CHANGED`] and so on.
    found: u8,
    /// The contacts between a body that moves and one that does not, but is not the fixed world; once somebody asked for them.
    pressing: Vec<u32>,
    knows_pressing: bool,
    /// Workspace.
    kinds: Kinds,
    bodies: usize,
    /// Whether they are those of the problem before, and neither has rows.
    pub(super) same: bool,
    /// Whether the contacts have the numbers of their lanes, and no longer those for which islands were found.
    are_renumbered: bool,
}

impl Pairs {
    /// Whether `problem` has as many contacts and bodies as the last one whose pairs were noted, and neither has rows.
    pub(super) fn fit(&self, Posed { problem, contacts, .. }: Posed) -> bool {
        problem.rows.is_empty() && self.bodies == lines::count(problem) && self.all.len() == contacts.count()
    }

    /// Whether a contact of a problem that fits is between the bodies noted.
    pub(super) fn hold(&self, contact: usize, Posed { problem, contacts, .. }: Posed) -> bool {
        joins(contacts.bodies(contact), self.all[contact], problem.masses.len() as u32)
    }

    /// Takes the pairs of `problem`, whose bodies have these lines, and tells which of them are central.
    pub(super) fn note(&mut self, posed: Posed, bodies: &[Wide], tasks: &dyn Tasks) -> Result<()> {
        let Posed { problem, contacts, .. } = posed;
        let (count, alike) = (contacts.count(), self.fit(posed) && !self.are_renumbered);
        (self.same, self.are_renumbered) = (false, false);
        // until all of it is noted: what fails on the way leaves nothing to compare with
        self.forget();
        self.knows_pressing = false;
        // what is there already is written over
        self.all.truncate(count);
        resize(&mut self.all, count, [KEPT; 2], "contacts")?;
        self.central.truncate(count);
        resize(&mut self.central, count, false, "contacts")?;
        let found = AtomicU8::new(if alike { 0 } else { CHANGED });
        let Self { all, central, kinds, .. } = self;
        kinds.tell(bodies, tasks)?;
        each_pair_of_pieces(tasks, PIECE, (all, central), |first, known, central| {
            let (mut every, mut highest) = (0, 0);
            for (contact, (known, central)) in (first..).zip(known.iter_mut().zip(&mut *central)) {
                let (pair, turn_alike) = kinds.pair(contacts.bodies(contact));
                let tile = tiles(pair)[0];
                every |= if *known != pair { CHANGED } else { 0 }
                    | if moves(pair) { 0 } else { UNMOVED }
                    | if tile < highest { UNSORTED } else { 0 };
                highest = highest.max(tile);
                *known = pair;
                *central = contacts.is_between_balls(contact) && turn_alike;
            }
            let others = (first..first + known.len()).filter(|contact| !contacts.is_between_balls(*contact));
            seat(others.map(|contact| contact as u32), |_, batches| {
                contacts.place(batches, &mut |at, placed| {
                    for (lane, contact) in taken(&batches[at]) {
                        let at = contact - first;
                        central[at] = is_central(&placed.normal(lane), &placed.arms(lane), known[at], bodies);
                    }
                });
            });
            every |= if central.contains(&false) { GENERAL } else { 0 };
            found.fetch_or(every, Ordering::Relaxed);
        });
        let falls = |at: usize| tiles(self.all[at])[0] < tiles(self.all[at - 1])[0];
        let between = if (PIECE..count).step_by(PIECE).any(falls) { UNSORTED } else { 0 };
        self.found = found.into_inner() | between;
        // Rows join bodies too: after a problem with rows nothing is the same either.
        self.bodies = if problem.rows.is_empty() { bodies.len() } else { 0 };
        self.same = self.found & CHANGED == 0;
        Ok(())
    }

    /// Whether all of them are central.
    pub(super) fn are_central(&self) -> bool {
        self.found & GENERAL == 0
    }

    /// Whether impulses move a body of each.
    pub(super) fn all_move(&self) -> bool {
        self.found & UNMOVED == 0
    }

    /// Whether they move a body of this one.
    pub(super) fn moves(&self, contact: u32) -> bool {
        moves(self.all[contact as usize])
    }

    /// Whether the tiles of their first moving bodies rise from contact to contact; those between bodies that nothing moves count with b.
    pub(super) fn are_sorted(&self) -> bool {
        self.found & UNSORTED == 0
    }

    /// Notes the same pairs in another order. Which of them are central nobody asks once they have lanes.
    pub(super) fn renumber(&mut self, posed: Posed, tasks: &dyn Tasks) {
        (self.are_renumbered, self.knows_pressing) = (true, false);
        let Self { all, kinds, .. } = self;
        each_piece(tasks, PIECE, all, |first, pairs| {
            for (contact, pair) in (first..).zip(pairs) {
                (*pair, _) = kinds.pair(posed.contacts.bodies(contact));
            }
        });
    }

    /// The contacts between a body that moves and one that does not, but is not the fixed world.
    pub(super) fn pressing(&mut self) -> Result<&[u32]> {
        if !self.knows_pressing {
            let Self { all, pressing, kinds, .. } = self;
            let fixed = kinds.resting() | KEPT;
            let presses = |[a, b]: Pair| (a ^ b) & KEPT != 0 && a != fixed && b != fixed;
            let all = || (0..).zip(&*all).filter(|(_, pair)| presses(**pair)).map(|(contact, _)| contact);
            pressing.clear();
            reserve(pressing, all().count(), "contacts")?;
            pressing.extend(all());
            self.knows_pressing = true;
        }
        Ok(&self.pressing)
    }

    /// What follows from them was not made: the next ones are not the same, whatever they are.
    pub(super) fn forget(&mut self) {
        self.bodies = 0;
    }
}
