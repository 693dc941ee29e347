//! Contacts sorted by the rows of their bodies, by several workers.

use crate::math::{BodyRow, ListPlace};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::contact::ContactRecord;
use crate::error::{Error, Result, empty, push, refill, reserve, resize};
use crate::solver::ContactPair;
use crate::tasks::{Tasks, each_piece, each_piece_of, each_span};

/// Contacts that are looked up at a time.
pub(super) const PIECE: usize = 1024;

/// Rows whose contacts are sorted at a time.
const ROWS_PER_PIECE: usize = 1024;

/// The scratch buffers of the sort.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    parts: Vec<SortPart>,
    spans: Vec<[u32; 2]>,
    /// The contacts of each row one behind the other: twice the other row, one more where the row is that of a; and the place in the list.
    keys: Vec<AtomicU64>,
}

/// What one worker finds in its part of the list.
#[derive(Debug, Default)]
struct SortPart {
    /// The number of contacts that each row sorts, then where the next of them comes.
    counts: Vec<u32>,
    /// The places of the contacts of a body without a row.
    without_row: Vec<ListPlace>,
    failed: Option<Error>,
}

impl SortPart {
    /// Writes the rows of the contacts of the part, which begins at a place of the list.
    fn look_up(
        &mut self,
        rows: &[BodyRow],
        contact_list: &[ContactRecord],
        first: usize,
        pairs: &mut [ContactPair],
    ) -> Result<()> {
        self.without_row.clear();
        for (place, (pair, touch)) in (first..).zip(pairs.iter_mut().zip(&contact_list[first..])) {
            pair.bodies = [touch.body_a, touch.body_b].map(|slot| rows[slot as usize]);
            if pair.bodies.contains(&BodyRow::NONE) {
                push(&mut self.without_row, place.into(), "contacts of bodies at rest")?;
            }
        }
        Ok(())
    }
}

/// Returns the number of parts of a list, one for each worker where it is worth it, and their length. No part has more rows to count than
/// contacts. The order of the contacts does not depend on it.
fn parts_of(contacts: usize, rows: usize, tasks: &dyn Tasks) -> (usize, usize) {
    let size = contacts.div_ceil(tasks.workers().max(1)).max(PIECE).max(rows);
    (contacts.div_ceil(size), size)
}

/// The rows of the bodies: first those of bodies that take part in the step, then those of bodies at rest.
#[derive(Debug, Default)]
pub(super) struct BodyRows {
    /// The slot of each row.
    pub(super) slots: Vec<u32>,
    /// The row of each slot, or [`BodyRow::NONE`].
    pub(super) rows: Vec<BodyRow>,
    /// The number of bodies that take part.
    pub(super) active: usize,
}

/// The contacts in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct NumberedContacts {
    /// The place of each contact in the list that detection found.
    pub(super) places: Vec<ListPlace>,
    /// The rows of the bodies of each contact, and whether its arms are along the normal.
    pub(super) pairs: Vec<ContactPair>,
    /// Whether the bodies of each contact touch at other points too, so that one can rock on the other.
    pub(super) of_several: Vec<bool>,
}

impl BodyRows {
    /// Returns the row of a slot; a new one behind all others for a body at rest.
    fn row_or_new(&mut self, slot: u32) -> Result<BodyRow> {
        let row = self.rows[slot as usize];
        if row != BodyRow::NONE {
            return Ok(row);
        }
        let row = BodyRow::from(self.slots.len());
        push(&mut self.slots, slot, "bodies")?;
        self.rows[slot as usize] = row;
        Ok(row)
    }
}

impl Sorter {
    /// Gives numbers to the contacts of a list, and rows behind all others to bodies that have none.
    pub(super) fn sort(
        &mut self,
        contact_list: &[ContactRecord],
        bodies: &mut BodyRows,
        contacts: &mut NumberedContacts,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        self.look_up(contact_list, bodies, &mut contacts.pairs, tasks)?;
        self.sort_by_rows(bodies.slots.len(), BodyRow::from(bodies.active), contacts, tasks)
    }

    /// Writes the rows of each contact in the order of the list, and gives rows to the bodies outside the step, in
    /// that order.
    fn look_up(
        &mut self,
        contact_list: &[ContactRecord],
        bodies: &mut BodyRows,
        pairs: &mut Vec<ContactPair>,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let parts = &mut self.parts;
        resize(
            pairs,
            contact_list.len(),
            ContactPair { bodies: [BodyRow::NONE; 2], is_along_normal: [true; 2] },
            "contacts",
        )?;
        let (count, size) = parts_of(contact_list.len(), bodies.slots.len(), tasks);
        let missing = count.saturating_sub(parts.len());
        reserve(parts, missing, "parts of the contacts")?;
        parts.extend((0..missing).map(|_| SortPart::default()));
        let known = &bodies.rows[..];
        each_piece_of(tasks, size, (pairs, parts), |first, pairs, part| {
            part.failed = part.look_up(known, contact_list, first, pairs).err();
        });
        for part in &mut parts[..count] {
            part.failed.take().map_or(Ok(()), Err)?;
            for place in &part.without_row {
                let ContactRecord { body_a, body_b, .. } = contact_list[*place];
                for (row, slot) in pairs[*place].bodies.iter_mut().zip([body_a, body_b]) {
                    *row = bodies.row_or_new(slot)?;
                }
            }
        }
        Ok(())
    }

    /// Sorts the contacts, which have their rows in the order of the list, by counting over one of `row_count` rows, then within its few
    /// partners. The first `active` rows take part in the step.
    fn sort_by_rows(
        &mut self,
        row_count: usize,
        active: BodyRow,
        contacts: &mut NumberedContacts,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let NumberedContacts { places, pairs, of_several } = contacts;
        let Self { parts, spans, keys } = self;
        let contacts = pairs.len();
        let (count, size) = parts_of(contacts, row_count, tasks);
        reserve(parts, count.saturating_sub(parts.len()), "parts of the contacts")?;
        parts.resize_with(count.max(parts.len()), SortPart::default);
        let parts = &mut parts[..count];
        // The row by which a contact is sorted, and what is sorted then.
        let own = |[a, b]: [BodyRow; 2]| if a < active { (a, 2 * b.0) } else { (b, 2 * a.0 + 1) };
        resize(places, contacts, ListPlace::NONE, "contacts")?;
        resize_keys(keys, contacts)?;
        for part in parts.iter_mut() {
            refill(&mut part.counts, row_count, 0, "bodies of the contacts")?;
        }
        each_piece_of(tasks, size, (pairs, parts), |_, pairs, part| {
            pairs.iter().for_each(|pair| part.counts[own(pair.bodies).0] += 1);
        });
        // From how many there are to where the first one comes.
        let mut next = 0;
        for row in 0..row_count {
            for part in parts.iter_mut() {
                next += std::mem::replace(&mut part.counts[row], next);
            }
        }
        each_piece_of(tasks, size, (pairs, parts), |first, pairs, part| {
            for (place, pair) in (first as u64..).zip(pairs) {
                let (row, partner) = own(pair.bodies);
                let next = &mut part.counts[row];
                // Several parts write to the keys of one row, each to places of its own.
                keys[*next as usize].store(u64::from(partner) << 32 | place, Ordering::Relaxed);
                *next += 1;
            }
        });
        // Where the next one would come there is the end.
        let ends = parts.last().map_or(&[][..], |part| &part.counts);
        empty(spans, ends.len().div_ceil(ROWS_PER_PIECE), "pieces of the contacts")?;
        let mut begin = 0;
        spans.extend(ends.chunks(ROWS_PER_PIECE).filter_map(|ends| {
            let end = *ends.last()?;
            Some([std::mem::replace(&mut begin, end), end])
        }));
        each_span(tasks, spans, (&mut pairs[..], &mut places[..]), |[first, end], pairs, places| {
            let mut row = ends.partition_point(|end| *end <= first);
            let (keys, mut begin) = (&keys[first as usize..end as usize], 0);
            while begin < keys.len() {
                let end = (ends[row] - first) as usize;
                sort_partners(row.into(), &keys[begin..end], &mut pairs[begin..end], &mut places[begin..end]);
                (begin, row) = (end, row + 1);
            }
        });
        mark_several(pairs, of_several, tasks)
    }
}

/// Reserves memory for this many keys.
fn resize_keys(keys: &mut Vec<AtomicU64>, count: usize) -> Result<()> {
    keys.truncate(count);
    reserve(keys, count - keys.len(), "contacts")?;
    keys.resize_with(count, AtomicU64::default);
    Ok(())
}

/// Sorts the keys of the contacts of a row, and writes the rows of the bodies of each, and its place in the list.
fn sort_partners(row: BodyRow, keys: &[AtomicU64], pairs: &mut [ContactPair], places: &mut [ListPlace]) {
    // The pairs hold the keys while they are sorted.
    for (pair, key) in pairs.iter_mut().zip(keys) {
        let key = key.load(Ordering::Relaxed);
        pair.bodies = [BodyRow((key >> 32) as u32), BodyRow(key as u32)];
    }
    pairs.sort_unstable_by_key(|pair| u64::from(pair.bodies[0].0) << 32 | u64::from(pair.bodies[1].0));
    for (pair, place) in pairs.iter_mut().zip(places) {
        let [BodyRow(partner), BodyRow(own)] = pair.bodies;
        let other = BodyRow(partner / 2);
        pair.bodies = if partner % 2 == 0 { [row, other] } else { [other, row] };
        *place = ListPlace(own);
    }
}

/// Marks the contacts whose bodies touch at several points: those of one pair follow each other.
fn mark_several(pairs: &[ContactPair], of_several: &mut Vec<bool>, tasks: &dyn Tasks) -> Result<()> {
    resize(of_several, pairs.len(), false, "contacts")?;
    each_piece(tasks, PIECE, of_several, |first, of_several| {
        for (contact, own) in (first..).zip(of_several) {
            let bodies = pairs[contact].bodies;
            let is_pair_of = |other: Option<&ContactPair>| other.is_some_and(|other| other.bodies == bodies);
            *own =
                is_pair_of(pairs.get(contact + 1)) || is_pair_of(contact.checked_sub(1).and_then(|at| pairs.get(at)));
        }
    });
    Ok(())
}
