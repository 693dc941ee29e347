//! The contacts of the list in the order of the rows, by several workers.

use crate::contact::{Found, Pushed};
use crate::error::{Error, Result, reserve, resize};
use crate::tasks::{Tasks, each_piece_of, each_span};
use crate::world::index::{Index, MARK, NONE, PIECE, unpacked};

/// Rows whose contacts are sorted at a time.
const ROWS_PER_PIECE: usize = 1024;

/// What somebody finds who goes through a part of the list.
#[derive(Debug, Default)]
pub(super) struct Part {
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

/// Into how many parts a list of contacts is cut, one for each worker where it is worth it, and how long they are: no part has more
/// rows to count than contacts. What comes of them does not depend on it.
fn parts_of(contacts: usize, rows: usize, tasks: &dyn Tasks) -> (usize, usize) {
    let size = contacts.div_ceil(tasks.workers().max(1)).max(PIECE).max(rows);
    (contacts.div_ceil(size), size)
}

impl Index {
    /// Writes the rows of each of the `touches` into `joined`, and gives rows to the bodies that have no part in the step, in the order of
    /// the list.
    pub(super) fn look_up(&mut self, touches: &[Found], tasks: &dyn Tasks) -> Result<()> {
        let Self { rows, joined, parts, .. } = self;
        // all are written over
        joined.truncate(touches.len());
        resize(joined, touches.len(), [NONE; 2], "contacts")?;
        let (count, size) = parts_of(touches.len(), rows.len(), tasks);
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
    pub(super) fn sort(&mut self, touches: &[Found], room: &[Pushed], tasks: &dyn Tasks) -> Result<()> {
        let Self { slots, rows, active, contacts, joined, parts, spans, .. } = self;
        let (count, size) = parts_of(touches.len(), rows.len(), tasks);
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
