//! A set of slots, one bit for each.

use crate::error::{Result, resize, text};
use crate::visit::{Reader, StateVisitor, format_error};

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

    /// Reads slots below `slots`, with room for all of them.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the slots are not below `slots` or do not ascend.
    pub fn load(reader: &mut Reader, slots: usize) -> Result<Self> {
        let all = reader.slots("bodies")?;
        let mut set = Self::default();
        if let Some(last) = all.last().filter(|last| **last as usize >= slots || !all.is_sorted_by(|a, b| a < b)) {
            return Err(format_error(text!("slots to {last} do not ascend below {slots}")));
        }
        if !all.is_empty() {
            set.reserve(slots)?;
        }
        all.iter().for_each(|slot| set.insert(*slot as usize));
        Ok(set)
    }

    /// Removes all slots.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.has_any) {
            self.words.fill(0);
        }
    }
}
