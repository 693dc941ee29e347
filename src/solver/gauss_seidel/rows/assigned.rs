//! The contact, or block of rows, in each lane of the batches of one kind.

use crate::error::{Result, push};
use crate::math::ContactId;
use crate::math::lanes::WIDE;
use crate::solver::problem::contacts::LaneContacts;

/// The contacts or blocks in the lanes of the batches of one kind.
#[derive(Debug, Default)]
pub(in crate::solver) struct AssignedLanes {
    /// The contact or block in each lane, or [`ContactId::NONE`].
    pub(in crate::solver) contacts: Vec<LaneContacts>,
    /// The number of occupied lanes.
    pub(in crate::solver) occupied: u32,
}

impl AssignedLanes {
    /// Removes all contacts from their lanes.
    pub(in crate::solver) fn clear(&mut self) {
        self.occupied = 0;
        self.contacts.clear();
    }

    /// Returns whether no lane is occupied.
    pub(in crate::solver) fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Makes the next contact begin a new batch.
    pub(in crate::solver) fn align(&mut self) {
        self.occupied = self.occupied.next_multiple_of(WIDE as u32);
    }

    /// Returns how many batches have a contact.
    pub(in crate::solver) fn occupied_batches(&self) -> u32 {
        self.contacts.len() as u32
    }

    /// Assigns the next lanes to contacts.
    pub(in crate::solver) fn place(&mut self, mut contacts: &[ContactId]) -> Result<()> {
        while !contacts.is_empty() {
            let lane = self.occupied as usize % WIDE;
            if lane == 0 {
                push(&mut self.contacts, [ContactId::NONE; WIDE], "contacts")?;
            }
            let (batch, others) = contacts.split_at(contacts.len().min(WIDE - lane));
            if let Some(lanes) = self.contacts.last_mut() {
                lanes[lane..lane + batch.len()].copy_from_slice(batch);
            }
            self.occupied += batch.len() as u32;
            contacts = others;
        }
        Ok(())
    }

    /// Assigns the next lanes to the contacts of a batch.
    pub(in crate::solver) fn place_batch(&mut self, contacts: &[ContactId]) -> Result<()> {
        self.place(contacts)?;
        self.align();
        Ok(())
    }
}
