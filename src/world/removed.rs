//! The bodies that the host removed since the last completed step.
//!
//! The contact list of that step still names their slots, which new bodies may have taken over.

use crate::error::{Result, reserve, resize};
use crate::visit::StateVisitor;

/// The slots of the removed bodies.
#[derive(Debug, Default)]
pub(in crate::world) struct RemovedBodies {
    slots: Vec<u32>,
    /// Whether each slot is one of them. Slots beyond the end are not.
    is_removed: Vec<bool>,
}

impl RemovedBodies {
    /// Reserves memory, so that the next call of [`RemovedBodies::insert`] with a slot below `slots` cannot fail.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.is_removed, slots, false, "bodies")?;
        reserve(&mut self.slots, 1, "bodies")
    }

    /// Adds the body in `slot`.
    pub(in crate::world) fn insert(&mut self, slot: usize) {
        if let Some(known @ false) = self.is_removed.get_mut(slot) {
            *known = true;
            self.slots.push(slot as u32);
        }
    }

    /// Returns whether no body was removed.
    pub(in crate::world) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns whether either body of a contact of the last completed step was removed.
    pub(in crate::world) fn has_any_of(&self, (a, b): (u32, u32)) -> bool {
        let is_removed = |slot: u32| self.is_removed.get(slot as usize) == Some(&true);
        is_removed(a) || is_removed(b)
    }

    /// Visits the slots. Their order in the list has no effect.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { slots: _, is_removed } = self;
        let removed = (0..).zip(is_removed).filter(|(_, is_removed)| **is_removed);
        visitor.slots(removed.map(|(slot, _)| slot));
    }

    /// Forgets all of them, after a step was completed without them.
    pub(in crate::world) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.is_removed[slot as usize] = false;
        }
    }
}
