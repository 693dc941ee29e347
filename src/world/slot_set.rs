//! A set of slots, and the visit of a set as state.

use crate::error::{Result, reserve, resize};
use crate::visit::StateVisitor;

/// A set of slots: of the bodies that the host removed since the last completed step, or of those that it modified.
#[derive(Debug, Default)]
pub(in crate::world) struct SlotSet {
    slots: Vec<u32>,
    /// Whether each slot is in the set. Slots beyond the end are not.
    is_member: Vec<bool>,
}

impl SlotSet {
    /// Reserves memory, so that the next `additional` calls of [`SlotSet::insert`] with slots below `slots` cannot fail.
    pub(in crate::world) fn reserve(&mut self, slots: usize, additional: usize) -> Result<()> {
        if slots > self.is_member.len() {
            resize(&mut self.is_member, slots, false, "bodies")?;
        }
        reserve(&mut self.slots, additional, "bodies")
    }

    /// Adds a slot for which memory is reserved.
    pub(in crate::world) fn insert(&mut self, slot: u32) {
        if let Some(known @ false) = self.is_member.get_mut(slot as usize) {
            *known = true;
            self.slots.push(slot);
        }
    }

    /// Returns whether the set is empty.
    pub(in crate::world) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns whether `slot` is in the set.
    pub(in crate::world) fn contains(&self, slot: u32) -> bool {
        self.is_member.get(slot as usize) == Some(&true)
    }

    /// Returns whether either body of a contact is in the set.
    pub(in crate::world) fn has_any_of(&self, (a, b): (u32, u32)) -> bool {
        self.contains(a) || self.contains(b)
    }

    /// Visits the slots, ascending. The order in which they were added has no effect.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { slots: _, is_member } = self;
        let members = (0..).zip(is_member).filter(|(_, is_member)| **is_member);
        visitor.slots(members.map(|(slot, _)| slot));
    }

    /// Removes all slots.
    pub(in crate::world) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.is_member[slot as usize] = false;
        }
    }
}
