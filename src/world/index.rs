//! The compact index of the solver: which body has which row of its arrays, and which contact comes where.

use std::ops::Range;

use crate::contact::{Found, Pushed};
use crate::error::{Error, Result, reserve, resize};
use crate::math::lanes::{Places, WIDE};
use crate::solver::contacts::{Seats, in_a_row, taken};
use crate::tasks::{Tasks, each_piece, each_piece_of, each_span, reduce};
use crate::world::roster::Roster;

/// Contacts whose pairs are compared and looked up at a time.
const PIECE: usize = 1024;

/// Rows whose contacts are sorted at a time.
const ROWS_PER_PIECE: usize = 1024;

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

/// What somebody finds who goes through a part of the list.
#[derive(Debug, Default)]
struct Part {
    /// How many each row sorts, then where the next of them comes.
    counts: Vec<u32>,
    /// The places of those that join a body without a row.
    without_row: Vec<u32>,
    failed: Option<Error>,
}

impl Part {
    /// Writes the rows of the contacts of the part, which begins at a place of the list.
    fn look_up(&mut self, (rows, touches): (&[u32], &[Found]), first: usize, joined: &mut [[u32; 2]]) -> Result<()> {
        self.without_row.clear();
        for (place, (joined, touch)) in (first..).zip(joined.iter_mut().zip(&touches[first..])) {
            *joined = [touch.body_a, touch.body_b].map(|slot| rows[slot as usize]);
            if joined.contains(&NONE) {
                reserve(&mut self.without_row, 1, "contacts of bodies at rest")?;
                self.without_row.push(place as u32);
            }
        }
        Ok(())
    }
}

/// Into how many parts a list of contacts is cut, one for each worker where it is worth it, and how long they are. What comes of them
/// does not depend on it.
fn parts_of(contacts: usize, tasks: &dyn Tasks) -> (usize, usize) {
    let size = contacts.div_ceil(tasks.workers().max(1)).max(PIECE);
    (contacts.div_ceil(size), size)
}

/// Two numbers of what keeps them in one.
#[inline(always)]
fn unpacked(bits: u64) -> [u32; 2] {
    [(bits >> 32) as u32, bits as u32]
}

impl Index {
    /// Gives rows to the bodies of the roster and to what touches them, and orders `contacts`: by the row of body a, or of b where a
    /// takes no part, then by the other, then as they are in the list. So those of one body a stand side by side, as strings ask for it
    /// ([`Packer`](crate::solver::order::Packer)). `continued`: each contact continues the one at its place in the memory.
    /// `ranks`: those of the contacts in the memory; `room`: for each contact. Says whether each has the number that that one had.
    pub(in crate::world) fn make(
        &mut self,
        roster: &Roster,
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

    /// Writes the rows of each of the `touches` into `joined`, and gives rows to the bodies that have no part in the step, in the order of
    /// the list.
    fn look_up(&mut self, touches: &[Found], tasks: &dyn Tasks) -> Result<()> {
        let Self { rows, joined, parts, .. } = self;
        // all are written over
        joined.truncate(touches.len());
        resize(joined, touches.len(), [NONE; 2], "contacts")?;
        let (count, size) = parts_of(touches.len(), tasks);
        let missing = count.saturating_sub(parts.len());
        reserve(parts, missing, "parts of the contacts")?;
        parts.extend((0..missing).map(|_| Part::default()));
        each_piece_of(tasks, size, (joined, parts), |first, joined, part| {
            part.failed = part.look_up((rows, touches), first, joined).err();
        });
        for at in 0..count {
            self.parts[at].failed.take().map_or(Ok(()), Err)?;
            let without_row = std::mem::take(&mut self.parts[at].without_row);
            for place in &without_row {
                let Found { body_a, body_b, .. } = touches[*place as usize];
                self.joined[*place as usize] = [self.row_or_new(body_a)?, self.row_or_new(body_b)?];
            }
            self.parts[at].without_row = without_row;
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

    /// Sorts the contacts by counting over one row, then within its few partners; with `room` for each.
    fn sort(&mut self, touches: &[Found], room: &[Pushed], tasks: &dyn Tasks) -> Result<()> {
        let Self { slots, active, contacts, joined, parts, spans, .. } = self;
        let (count, size) = parts_of(touches.len(), tasks);
        let parts = &mut parts[..count];
        // the row by which a contact is sorted, and what is sorted then
        let active = *active as u32;
        let own = |[a, b]: [u32; 2]| if a < active { (a, 2 * b) } else { (b, 2 * a + 1) };
        // all are written over
        contacts.truncate(touches.len());
        resize(contacts, touches.len(), NONE, "contacts")?;
        for part in parts.iter_mut() {
            part.counts.clear();
            resize(&mut part.counts, slots.len(), 0, "bodies of the contacts")?;
        }
        each_piece_of(tasks, size, (joined, parts), |_, joined, part| {
            joined.iter().for_each(|pair| part.counts[own(*pair).0 as usize] += 1);
        });
        // from how many there are to where the first one comes
        let mut next = 0;
        for row in 0..slots.len() {
            for part in parts.iter_mut() {
                next += std::mem::replace(&mut part.counts[row], next);
            }
        }
        each_piece_of(tasks, size, (joined, parts), |first, joined, part| {
            for (place, pair) in (first as u64..).zip(joined) {
                let (row, partner) = own(*pair);
                let next = &mut part.counts[row as usize];
                room[*next as usize].set_bits(u64::from(partner) << 32 | place);
                *next += 1;
            }
        });
        // where the next one would come there is the end
        let ends = parts.last().map_or(&[][..], |part| &part.counts);
        spans.clear();
        reserve(spans, ends.len().div_ceil(ROWS_PER_PIECE), "pieces of the contacts")?;
        let mut begin = 0;
        spans.extend(ends.chunks(ROWS_PER_PIECE).filter_map(|ends| {
            let end = *ends.last()?;
            Some([std::mem::replace(&mut begin, end), end])
        }));
        each_span(tasks, spans, (joined, contacts), |[first, _], joined, contacts| {
            let mut row = ends.partition_point(|end| *end <= first);
            for (own, room) in joined.iter_mut().zip(&room[first as usize..]) {
                *own = unpacked(room.bits());
            }
            let mut begin = 0;
            while begin < joined.len() {
                let end = (ends[row] - first) as usize;
                sort_partners((row as u32, touches), &mut joined[begin..end], &mut contacts[begin..end]);
                (begin, row) = (end, row + 1);
            }
        });
        Ok(())
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

/// Sorts what the contacts of a row join besides, and writes what they join in all, and their places in the list.
fn sort_partners((row, touches): (u32, &[Found]), joined: &mut [[u32; 2]], contacts: &mut [u32]) {
    joined.sort_unstable_by_key(|[partner, place]| u64::from(*partner) << 32 | u64::from(*place));
    let mut before = NONE;
    for (at, contact) in contacts.iter_mut().enumerate() {
        let [partner, place] = joined[at];
        let next = joined.get(at + 1).map_or(NONE, |[partner, _]| *partner);
        let mark = if partner == before || partner == next { MARK } else { 0 };
        let other = partner / 2;
        let [a, b] = if partner % 2 == 0 { [row, other] } else { [other, row] };
        let spot = touches.get(place as usize).and_then(Found::spot).map_or(0, |_| MARK);
        joined[at] = [a | mark, b | spot];
        *contact = place;
        before = partner;
    }
}
