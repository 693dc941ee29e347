//! The compact index of the solver: which body has which row of its arrays, and which contact comes where.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::contact::Found;
use crate::error::{Result, reserve, resize};
use crate::tasks::{Tasks, each_piece, each_span};
use crate::world::roster::Roster;

/// Contacts whose pairs are compared and looked up at a time.
const PIECE: usize = 1024;

/// Rows whose contacts are sorted at a time.
const ROWS_PER_PIECE: usize = 1024;

/// No row.
const NONE: u32 = u32::MAX;

/// What a contact joins.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Joined {
    /// The rows of its bodies.
    pub(in crate::world) rows: [u32; 2],
    /// Whether they touch elsewhere too, so that one can rock on the other.
    pub(in crate::world) rocks: bool,
}

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
    /// Whether that was for the last completed step, whose contacts are in the memory.
    is_kept: bool,
    /// What each contact of the solver joins.
    joined: Vec<Joined>,
    /// Workspace: the rows of each contact of the list; and of each one of the solver the other row, and its place in the list.
    unsorted: Vec<[u32; 2]>,
    sorted: Vec<u64>,
    starts: Vec<u32>,
    spans: Vec<[u32; 2]>,
}

impl Index {
    /// Gives rows to the bodies of the roster and to what touches them, and orders `contacts`: by the row of body a, or of b where a
    /// takes no part, then by the other, then as they are in the list. So those of one body a stand side by side, as strings ask for it
    /// ([`Packer`](crate::solver::order::Packer)). `continued`: each contact continues the one at its place in the memory.
    pub(in crate::world) fn make(
        &mut self,
        roster: &Roster,
        slots: usize,
        (contacts, continued): (&[Found], bool),
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let is_made = self.is_made && self.rows.len() == slots && roster.active().eq(self.active().iter().copied());
        let has_pairs = continued && self.is_kept && self.pairs.len() == contacts.len();
        (self.is_made, self.is_kept) = (false, false);
        if (has_pairs || self.note_pairs(contacts, tasks)?) && is_made {
            self.is_made = true;
            return Ok(());
        }
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
        self.look_up(tasks)?;
        self.sort(tasks)?;
        self.join(tasks)?;
        self.is_made = true;
        Ok(())
    }

    /// The step that it was made for is completed.
    pub(in crate::world) fn keep(&mut self) {
        self.is_kept = self.is_made;
    }

    /// Takes the pairs of `contacts`. Answers whether they are those of the time before.
    fn note_pairs(&mut self, contacts: &[Found], tasks: &dyn Tasks) -> Result<bool> {
        let Self { pairs, .. } = self;
        let same = AtomicBool::new(pairs.len() == contacts.len());
        pairs.truncate(contacts.len());
        resize(pairs, contacts.len(), (0, 0), "contacts")?;
        each_piece(tasks, PIECE, pairs, |first, pairs| {
            let mut changed = false;
            for (known, found) in pairs.iter_mut().zip(&contacts[first..]) {
                changed |= *known != found.pair();
                *known = found.pair();
            }
            if changed {
                same.store(false, Ordering::Relaxed);
            }
        });
        Ok(same.into_inner())
    }

    /// Writes the rows of each contact, and gives rows to the bodies that have no part in the step, in the order of the contacts.
    fn look_up(&mut self, tasks: &dyn Tasks) -> Result<()> {
        let Self { rows, pairs, unsorted, .. } = self;
        unsorted.truncate(pairs.len());
        resize(unsorted, pairs.len(), [NONE; 2], "contacts")?;
        each_piece(tasks, PIECE, unsorted, |first, unsorted| {
            for (both, (a, b)) in unsorted.iter_mut().zip(&pairs[first..]) {
                *both = [rows[*a as usize], rows[*b as usize]];
            }
        });
        for place in 0..self.unsorted.len() {
            if self.unsorted[place].contains(&NONE) {
                let (a, b) = self.pairs[place];
                self.unsorted[place] = [self.row_or_new(a)?, self.row_or_new(b)?];
            }
        }
        Ok(())
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

    /// Sorts the contacts by counting over one row, then within its few partners.
    fn sort(&mut self, tasks: &dyn Tasks) -> Result<()> {
        let Self { slots, active, contacts, ranks, unsorted, sorted, starts, spans, .. } = self;
        let own = |[a, b]: &[u32; 2]| if (*a as usize) < *active { [*a, *b] } else { [*b, *a] };
        starts.clear();
        resize(starts, slots.len() + 1, 0_u32, "bodies of the contacts")?;
        // all are written over
        sorted.truncate(unsorted.len());
        resize(sorted, unsorted.len(), 0, "contacts")?;
        for rows in unsorted.iter() {
            starts[own(rows)[0] as usize + 1] += 1;
        }
        for row in 0..slots.len() {
            starts[row + 1] += starts[row];
        }
        for (place, rows) in (0_u64..).zip(unsorted.iter()) {
            let [row, partner] = own(rows);
            let next = &mut starts[row as usize];
            sorted[*next as usize] = u64::from(partner) << 32 | place;
            *next += 1;
        }
        // Each start has moved to its end.
        let ends = &starts[..slots.len()];
        spans.clear();
        reserve(spans, ends.len().div_ceil(ROWS_PER_PIECE), "pieces of the contacts")?;
        let mut begin = 0;
        spans.extend(ends.chunks(ROWS_PER_PIECE).filter_map(|ends| {
            let end = *ends.last()?;
            Some([std::mem::replace(&mut begin, end), end])
        }));
        contacts.truncate(sorted.len());
        resize(contacts, sorted.len(), 0, "contacts")?;
        each_span(tasks, spans, (sorted, contacts), |[first, _], sorted, contacts| {
            let mut row = ends.partition_point(|end| *end <= first);
            let mut begin = 0;
            while begin < sorted.len() {
                let end = (ends[row] - first) as usize;
                sorted[begin..end].sort_unstable();
                (begin, row) = (end, row + 1);
            }
            for (contact, partner) in contacts.iter_mut().zip(sorted) {
                *contact = *partner as u32;
            }
        });
        ranks.truncate(contacts.len());
        resize(ranks, contacts.len(), 0, "contacts")?;
        for (rank, place) in (0..).zip(contacts.iter()) {
            ranks[*place as usize] = rank;
        }
        Ok(())
    }

    /// Writes what each contact of the solver joins.
    fn join(&mut self, tasks: &dyn Tasks) -> Result<()> {
        let Self { joined, contacts, unsorted, pairs, .. } = self;
        joined.truncate(contacts.len());
        resize(joined, contacts.len(), Joined { rows: [NONE; 2], rocks: false }, "contacts")?;
        // the contacts of two bodies stand side by side in the list
        let is_pair = |place: Option<usize>, pair| place.and_then(|place| pairs.get(place)) == Some(pair);
        each_piece(tasks, PIECE, joined, |first, joined| {
            for (joined, place) in joined.iter_mut().zip(&contacts[first..]) {
                let place = *place as usize;
                let pair = &pairs[place];
                let rocks = is_pair(place.checked_sub(1), pair) || is_pair(Some(place + 1), pair);
                *joined = Joined { rows: unsorted[place], rocks };
            }
        });
        Ok(())
    }

    /// What each contact of the solver joins.
    pub(in crate::world) fn joined(&self) -> &[Joined] {
        &self.joined
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
