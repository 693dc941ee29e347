//! Which contact is in which lane: numbers of contacts, eight to a batch.

use crate::math::ContactId;
use crate::math::lanes::WIDE;

/// The number of the contact in each of eight lanes, or [`ContactId::NONE`]. Occupied lanes come first.
pub type LaneContacts = [ContactId; WIDE];

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
