//! The compact index of the solver: which body has which row of its arrays, and which contact comes where.

mod sort;

use std::ops::Range;

use crate::contact::{Found, Pushed};
use crate::error::{Result, reserve, resize};
use crate::math::lanes::{Places, WIDE};
use crate::solver::contacts::{Seats, in_a_row, taken};
use crate::tasks::{Tasks, each_piece, reduce};
use crate::world::active_bodies::ActiveBodies;
use crate::world::index::sort::Part;

/// Contacts whose pairs are compared and looked up at a time.
const PIECE: usize = 1024;

/// No row.
const NONE: u32 = u32::MAX;

/// This bit says that something is so of what the others tell. No row is so large.
const MARK: u32 = 1 << 31;

/// What a contact joins.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Joined {
    /// The rows of its bodies.
    pub(in crate::world) rows: [u32; 2],
    /// Whether they touch elsewhere too, so that one can rock on the other.
    pub(in crate::world) rocks: bool,
    /// Whether they are not both balls, so that the contact has a spot.
    pub(in crate::world) has_spot: bool,
}

impl Joined {
    /// As it is kept.
    #[inline(always)]
    pub(in crate::world) fn of([a, b]: [u32; 2]) -> Self {
        Self { rows: [a & !MARK, b & !MARK], rocks: a & MARK != 0, has_spot: b & MARK != 0 }
    }
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
    /// Room for where each contact of the list comes among those of the solver, and for their order.
    ranks: Vec<u32>,
    /// Whether it was made to the end.
    is_made: bool,
    /// Whether the contacts are in the order of the rows, and not in one that the solver gave them.
    is_sorted: bool,
    /// Whether that was for the last completed step, whose contacts are in the memory.
    is_kept: bool,
    /// The rows of the bodies of each contact of the solver; that of a with [`MARK`] where they touch elsewhere too, that of b where the
    /// contact has a spot. Before they are sorted, those of each contact of the list; while they are, those of one row behind each other:
    /// twice the other row, one more where that is the row of a, and the place in the list.
    joined: Vec<[u32; 2]>,
    /// Workspace.
    parts: Vec<Part>,
    spans: Vec<[u32; 2]>,
}

impl Index {
    /// Gives rows to the bodies of the roster and to what touches them, and orders `contacts`: by the row of body a, or of b where a
    /// takes no part, then by the other, then as they are in the list. So those of one body a stand side by side, as strings ask for it
    /// ([`Packer`](crate::solver::order::Packer)). `continued`: each contact continues the one at its place in the memory.
    /// `ranks`: those of the contacts in the memory; `room`: for each contact. Says whether each has the number that that one had.
    pub(in crate::world) fn make(
        &mut self,
        roster: &ActiveBodies,
        slots: usize,
        (contacts, ranks, continued): (&[Found], &[u32], bool),
        room: &[Pushed],
        tasks: &dyn Tasks,
    ) -> Result<bool> {
        let same_rows = self.is_made && self.rows.len() == slots && roster.active().eq(self.active().iter().copied());
        let is_kept = self.is_kept;
        (self.is_made, self.is_kept) = (false, false);
        let fits = same_rows && is_kept && [self.joined.len(), ranks.len()] == [contacts.len(); 2];
        if fits && (continued || self.joins((contacts, ranks), tasks)) {
            resize(&mut self.ranks, contacts.len(), NONE, "contacts")?;
            self.is_made = true;
            return Ok(continued);
        }
        self.is_sorted = false;
        // what rests has its row by the list
        for slot in self.slots.drain(if same_rows { self.active } else { 0 }..) {
            self.rows[slot as usize] = NONE;
        }
        if !same_rows {
            resize(&mut self.rows, slots, NONE, "bodies")?;
            self.active = roster.active().len();
            reserve(&mut self.slots, self.active, "bodies")?;
            self.slots.extend(roster.active());
            for (row, slot) in (0..).zip(&self.slots) {
                self.rows[*slot as usize] = row;
            }
        }
        self.sort_again(contacts, room, tasks)?;
        self.is_made = true;
        Ok(false)
    }

    /// Puts the contacts, for which it was made, back into the order of the rows, if they are in another one; with `room` for each.
    pub(in crate::world) fn sort_again(
        &mut self,
        contacts: &[Found],
        room: &[Pushed],
        tasks: &dyn Tasks,
    ) -> Result<()> {
        if self.is_sorted {
            return Ok(());
        }
        resize(&mut self.ranks, contacts.len(), NONE, "contacts")?;
        self.look_up(contacts, tasks)?;
        self.sort(contacts, room, tasks)?;
        self.is_sorted = true;
        Ok(())
    }

    /// Whether the contacts are in the order of the rows.
    pub(in crate::world) fn is_sorted(&self) -> bool {
        self.is_sorted
    }

    /// Puts the contacts into another `order`, that of all their present numbers, whose room is that of the index, with more `room` for each.
    pub(in crate::world) fn renumber(&mut self, mut order: Vec<u32>, room: &[Pushed], tasks: &dyn Tasks) {
        let Self { contacts, joined, .. } = self;
        self.is_sorted = false;
        // read out of order and written in order: cycles in place would wait for every single one
        each_piece(tasks, PIECE, &mut order, |first, order| {
            for (source, room) in order.iter_mut().zip(&room[first..]) {
                let [a, b] = joined[*source as usize];
                room.set_bits(u64::from(a) << 32 | u64::from(b));
                *source = contacts[*source as usize];
            }
        });
        each_piece(tasks, PIECE, joined, |first, joined| {
            for (own, room) in joined.iter_mut().zip(&room[first..]) {
                *own = unpacked(room.bits());
            }
        });
        self.ranks = std::mem::replace(contacts, order);
    }

    /// Room for one number of each contact, which nobody needs before the step is done.
    pub(in crate::world) fn take_room(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.ranks)
    }

    /// Writes where each contact of the list comes among those of the solver; nothing behind those for which there is room.
    pub(in crate::world) fn write_ranks(&self, ranks: &mut [u32]) {
        for (rank, place) in (0..).zip(&self.contacts) {
            if let Some(own) = ranks.get_mut(*place as usize) {
                *own = rank;
            }
        }
    }

    /// Room for the same, given back.
    pub(in crate::world) fn give_room(&mut self, ranks: Vec<u32>) {
        self.ranks = ranks;
    }

    /// The step that it was made for is completed.
    pub(in crate::world) fn keep(&mut self) {
        self.is_kept = self.is_made;
    }

    /// Whether it was made for the pairs of `contacts`, which are as many.
    fn joins(&self, (contacts, ranks): (&[Found], &[u32]), tasks: &dyn Tasks) -> bool {
        let is_same = |(touch, rank): (&Found, &u32)| {
            let Joined { rows, has_spot, .. } = self.joined(*rank as usize);
            let [a, b] = rows.map(|row| self.slots[row as usize]);
            touch.pair() == (a, b) && touch.spot().is_some() == has_spot
        };
        let of = |range: Range<usize>| contacts[range.clone()].iter().zip(&ranks[range]).all(is_same);
        reduce(tasks, PIECE, contacts.len(), true, of, |one, other| one && other)
    }

    /// What a contact of the solver joins.
    #[inline]
    pub(in crate::world) fn joined(&self, contact: usize) -> Joined {
        Joined::of(self.joined[contact])
    }

    /// Writes the rows of the bodies of the contacts in the lanes of a batch. Tells in which lanes, as bits, there is one with a spot.
    #[inline(always)]
    pub(in crate::world) fn find(&self, seats: &Seats, rows: &mut [Places; 2]) -> u32 {
        if let Some(joined) = in_a_row(seats, &self.joined) {
            // all at once: what is put lane by lane has to be waited for when it is read
            *rows = [0, 1].map(|side| std::array::from_fn(|lane| joined[lane][side] & !MARK));
            return (0..WIDE).fold(0, |spots, lane| spots | u32::from(joined[lane][1] & MARK != 0) << lane);
        }
        taken(seats).fold(0, |spots, (lane, rank)| {
            let Joined { rows: own, has_spot, .. } = self.joined(rank);
            (0..2).for_each(|side| rows[side][lane] = own[side]);
            spots | u32::from(has_spot) << lane
        })
    }

    /// In which lanes of a batch, as bits, there is a contact whose bodies touch elsewhere too.
    #[inline(always)]
    pub(in crate::world) fn rocking(&self, seats: &Seats) -> u32 {
        let bit = |lane: usize, [a, _]: [u32; 2]| u32::from(a & MARK != 0) << lane;
        match in_a_row(seats, &self.joined) {
            Some(joined) => (0..WIDE).fold(0, |rocking, lane| rocking | bit(lane, joined[lane])),
            None => taken(seats).fold(0, |rocking, (lane, rank)| rocking | bit(lane, self.joined[rank])),
        }
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

    /// The place in the list of each contact of the solver.
    pub(in crate::world) fn contacts(&self) -> &[u32] {
        &self.contacts
    }
}

/// Two numbers of what keeps them in one.
#[inline(always)]
fn unpacked(bits: u64) -> [u32; 2] {
    [(bits >> 32) as u32, bits as u32]
}
