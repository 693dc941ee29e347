//! The compact index of the solver: which body has which row of its arrays, and which contact comes where.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::contact::Touch;
use crate::error::{Result, reserve, resize};
use crate::tasks::{Tasks, each_piece};
use crate::world::roster::Roster;

/// Contacts whose pairs are compared at a time.
const PIECE: usize = 1024;

/// No row.
const NONE: u32 = u32::MAX;

/// Rows for the bodies that have a part in the step, and then for those that they touch; and an order of the contacts in
/// which a walk along them is a walk along the rows.
#[derive(Debug, Default)]
pub(in crate::world) struct Index {
    /// The slot of each row.
    slots: Vec<u32>,
    /// The row of each slot, or [`NONE`].
    rows: Vec<u32>,
    /// How many rows belong to bodies that take part; those behind are at rest.
    active: usize,
    /// The place in the list of each contact of the solver.
    contacts: Vec<u32>,
    /// Where each contact of the list comes among those of the solver.
    ranks: Vec<u32>,
    /// The pair of each contact of the list of which all of this was made.
    pairs: Vec<(u32, u32)>,
    /// Whether it was made to the end.
    is_made: bool,
    /// Workspace: the higher row of each contact, and its place in the list.
    unsorted: Vec<(u32, u64)>,
    sorted: Vec<u64>,
    starts: Vec<u32>,
}

impl Index {
    /// Gives rows to the bodies of the roster and to what touches them, and orders `contacts`: by their lower row, then by the
    /// other, then as they are in the list.
    pub(in crate::world) fn make(
        &mut self,
        roster: &Roster,
        slots: usize,
        contacts: &[Touch],
        tasks: &dyn Tasks,
    ) -> Result<()> {
        if self.is_that_of(roster, slots, contacts, tasks) {
            return Ok(());
        }
        self.is_made = false;
        self.pairs.clear();
        for slot in &self.slots {
            self.rows[*slot as usize] = NONE;
        }
        self.slots.clear();
        resize(&mut self.rows, slots, NONE, "bodies")?;
        self.active = roster.active().len();
        reserve(&mut self.slots, self.active, "bodies")?;
        self.slots.extend(roster.active());
        for (row, slot) in (0..).zip(&self.slots) {
            self.rows[*slot as usize] = row;
        }
        self.unsorted.clear();
        reserve(&mut self.unsorted, contacts.len(), "contacts")?;
        for (place, touch) in (0_u64..).zip(contacts) {
            let (a, b) = (self.row_or_new(touch.body_a)?, self.row_or_new(touch.body_b)?);
            self.unsorted.push((a.min(b), u64::from(a.max(b)) << 32 | place));
        }
        self.sort()?;
        reserve(&mut self.pairs, contacts.len(), "contacts")?;
        self.pairs.extend(contacts.iter().map(Touch::pair));
        self.is_made = true;
        Ok(())
    }

    /// Whether it was made of the same bodies in the same order, and of the same pairs.
    fn is_that_of(&mut self, roster: &Roster, slots: usize, contacts: &[Touch], tasks: &dyn Tasks) -> bool {
        let alike = self.is_made
            && self.rows.len() == slots
            && self.pairs.len() == contacts.len()
            && roster.active().eq(self.active().iter().copied());
        let same = AtomicBool::new(alike);
        if alike {
            each_piece(tasks, PIECE, &mut self.pairs, |first, pairs| {
                if !contacts[first..].iter().map(Touch::pair).zip(pairs).all(|(pair, known)| pair == *known) {
                    same.store(false, Ordering::Relaxed);
                }
            });
        }
        same.into_inner()
    }

    /// The row of a slot; a new one behind all others for a body that rests.
    fn row_or_new(&mut self, slot: u32) -> Result<u32> {
        let row = self.rows[slot as usize];
        if row != NONE {
            return Ok(row);
        }
        let row = self.slots.len() as u32;
        reserve(&mut self.slots, 1, "bodies")?;
        self.slots.push(slot);
        self.rows[slot as usize] = row;
        Ok(row)
    }

    /// Sorts the contacts by counting over the lower row, then within its few partners.
    fn sort(&mut self) -> Result<()> {
        let Self { slots, contacts, ranks, unsorted, sorted, starts, .. } = self;
        starts.clear();
        resize(starts, slots.len() + 1, 0_u32, "bodies of the contacts")?;
        sorted.clear();
        resize(sorted, unsorted.len(), 0, "contacts")?;
        for (row, _) in unsorted.iter() {
            starts[*row as usize + 1] += 1;
        }
        for row in 0..slots.len() {
            starts[row + 1] += starts[row];
        }
        for (row, partner) in unsorted.iter() {
            let next = &mut starts[*row as usize];
            sorted[*next as usize] = *partner;
            *next += 1;
        }
        // Each start has moved to its end.
        let mut begin = 0;
        for end in &starts[..slots.len()] {
            sorted[begin..*end as usize].sort_unstable();
            begin = *end as usize;
        }
        contacts.clear();
        reserve(contacts, sorted.len(), "contacts")?;
        contacts.extend(sorted.iter().map(|partner| *partner as u32));
        ranks.truncate(contacts.len());
        resize(ranks, contacts.len(), 0, "contacts")?;
        for (rank, place) in (0..).zip(contacts.iter()) {
            ranks[*place as usize] = rank;
        }
        Ok(())
    }

    /// The row of a slot that has one.
    #[inline]
    pub(in crate::world) fn row(&self, slot: u32) -> u32 {
        self.rows[slot as usize]
    }

    /// The row of the body of a slot if it takes part in the step.
    pub(in crate::world) fn active_row(&self, slot: usize) -> Option<usize> {
        self.rows.get(slot).map(|row| *row as usize).filter(|row| *row < self.active)
    }

    /// The slot of each row.
    pub(in crate::world) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The slots of the rows of bodies that take part in the step: the first ones.
    pub(in crate::world) fn active(&self) -> &[u32] {
        &self.slots[..self.active]
    }

    /// Where each contact of the list comes among those of the solver.
    pub(in crate::world) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The place in the list of each contact of the solver.
    pub(in crate::world) fn contacts(&self) -> &[u32] {
        &self.contacts
    }
}
