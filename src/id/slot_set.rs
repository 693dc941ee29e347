//! A set of slots, one bit for each.

use crate::error::{Result, resize};
use crate::visit::StateVisitor;

/// A set of slots, one bit for each.
#[derive(Debug, Default)]
pub struct SlotSet {
    words: Vec<u64>,
    /// The slots from this one on cannot be in the set.
    end: usize,
    /// Whether a slot was added since the set was cleared.
    has_any: bool,
}

impl SlotSet {
    /// Reserves memory, so that [`SlotSet::insert`] of slots below `slots` cannot fail.
    pub fn reserve(&mut self, slots: usize) -> Result<()> {
        let end = self.end.max(slots);
        resize(&mut self.words, end.div_ceil(u64::BITS as usize), 0, "bodies")?;
        self.end = end;
        Ok(())
    }

    /// Adds a slot for which memory is reserved. Without memory for it nothing happens.
    pub fn insert(&mut self, slot: usize) {
        if slot < self.end {
            self.words[slot / u64::BITS as usize] |= 1 << (slot % u64::BITS as usize);
            self.has_any = true;
        }
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        !self.has_any
    }

    /// Returns whether `slot` is in the set.
    pub fn contains(&self, slot: u32) -> bool {
        self.words.get((slot / u64::BITS) as usize).is_some_and(|word| word >> (slot % u64::BITS) & 1 == 1)
    }

    /// Returns whether either body of a contact is in the set.
    pub fn has_any_of(&self, (a, b): (u32, u32)) -> bool {
        self.contains(a) || self.contains(b)
    }

    /// Returns the slots, ascending.
    pub fn slots(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let words = (0..).zip(&self.words).filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            let left = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
            left.take_while(|word| *word != 0).map(move |word| u64::BITS * at + word.trailing_zeros())
        })
    }

    /// Visits the slots, ascending. The order in which they were added has no effect.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        visitor.slots(self.slots());
    }

    /// Removes all slots.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.has_any) {
            self.words.fill(0);
        }
    }
}
