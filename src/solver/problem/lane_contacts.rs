//! Which contact is in which lane: numbers of contacts, eight to a batch.

use crate::math::ContactId;
use crate::math::lanes::WIDE;

/// The number of the contact in each of eight lanes, or [`ContactId::NONE`]. Occupied lanes come first.
pub type LaneContacts = [ContactId; WIDE];

/// Batches that [`in_batches`] hands over in one call.
const BATCHES: usize = 16;

/// Calls `work` with the numbers of a range, eight to a batch, and with how many came before them.
pub fn in_order(contacts: std::ops::Range<usize>, work: impl FnMut(usize, &[LaneContacts])) {
    in_batches(ContactId::range(contacts), work);
}

/// Calls `work` with some numbers of contacts, eight to a batch, and with how many came before them.
pub fn in_batches(contacts: impl IntoIterator<Item = ContactId>, mut work: impl FnMut(usize, &[LaneContacts])) {
    let mut contacts = contacts.into_iter();
    let mut first = 0;
    loop {
        let mut lanes = [[ContactId::NONE; WIDE]; BATCHES];
        let mut count: usize = 0;
        for (lane, contact) in lanes.as_flattened_mut().iter_mut().zip(&mut contacts) {
            *lane = contact;
            count += 1;
        }
        if count > 0 {
            work(first, &lanes[..count.div_ceil(WIDE)]);
        }
        if count < WIDE * BATCHES {
            return;
        }
        first += count;
    }
}

/// Returns the `values` of the contacts of a batch if the batch is full and its contacts follow each other.
#[inline(always)]
pub fn consecutive<'a, T>(lanes: &LaneContacts, values: &'a [T]) -> Option<&'a [T; WIDE]> {
    let first = lanes[0];
    let values = values.get(first.index()..)?.first_chunk()?;
    let differ = (0..WIDE).fold(0, |differ, lane| differ | (lanes[lane].0 ^ first.0.wrapping_add(lane as u32)));
    (differ == 0).then_some(values)
}

/// Iterates over the occupied lanes of a batch, each with the number of its contact.
#[inline(always)]
pub fn occupied(lanes: &LaneContacts) -> impl Iterator<Item = (usize, ContactId)> + '_ {
    let is_occupied = |(_, contact): &(usize, &ContactId)| **contact != ContactId::NONE;
    lanes.iter().enumerate().filter(is_occupied).map(|(lane, contact)| (lane, *contact))
}
