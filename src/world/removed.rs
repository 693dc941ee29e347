//! Which bodies were removed since the last completed step: its contacts with them are gone, whoever has their slots now.

use crate::error::{Result, reserve, resize};

/// The slots of those bodies.
#[derive(Debug, Default)]
pub(in crate::world) struct Removed {
    slots: Vec<u32>,
    /// Of each slot, whether it is among them; as long as it has to be.
    is_removed: Vec<bool>,
}

impl Removed {
    /// Makes room, so that the next call of [`Removed::note`] with a slot below `slots` cannot fail.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.is_removed, slots, false, "bodies")?;
        reserve(&mut self.slots, 1, "bodies")
    }

    /// The body in `slot` is removed.
    pub(in crate::world) fn note(&mut self, slot: usize) {
        if let Some(known @ false) = self.is_removed.get_mut(slot) {
            *known = true;
            self.slots.push(slot as u32);
        }
    }

    /// Whether there is none.
    pub(in crate::world) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Whether either body of a contact of the last completed step, given by its pair, is among them.
    pub(in crate::world) fn ended(&self, (a, b): (u32, u32)) -> bool {
        let is_removed = |slot: u32| self.is_removed.get(slot as usize) == Some(&true);
        is_removed(a) || is_removed(b)
    }

    /// A step was completed without them.
    pub(in crate::world) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.is_removed[slot as usize] = false;
        }
    }
}
