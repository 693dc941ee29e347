//! Which bodies have changed since somebody looked.

use crate::error::{Result, resize};

/// A set of slots, one bit for each.
#[derive(Debug, Default)]
pub struct Changes {
    words: Vec<u64>,
    /// Whether there may be any.
    are_any: bool,
}

impl Changes {
    /// Makes room, so that [`Changes::note`] of slots below `slots` cannot fail.
    pub(super) fn reserve(&mut self, slots: usize) -> Result<()> {
        let words = slots.div_ceil(u64::BITS as usize);
        if words > self.words.len() { resize(&mut self.words, words, 0, "bodies") } else { Ok(()) }
    }

    /// Notes the body in `slot`.
    pub(super) fn note(&mut self, slot: usize) {
        if let Some(word) = self.words.get_mut(slot / u64::BITS as usize) {
            *word |= 1 << (slot % u64::BITS as usize);
            self.are_any = true;
        }
    }

    /// Whether any body was noted.
    pub fn are_any(&self) -> bool {
        self.are_any
    }

    /// Whether the body in `slot` was.
    pub fn contain(&self, slot: u32) -> bool {
        self.words.get((slot / u64::BITS) as usize).is_some_and(|word| word >> (slot % u64::BITS) & 1 == 1)
    }

    /// How many were noted.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The slots that were noted, ascending.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0..).zip(&self.words).filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            let left = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
            left.take_while(|word| *word != 0).map(move |word| u64::BITS * at + word.trailing_zeros())
        })
    }

    /// All of them have been seen.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.are_any) {
            self.words.fill(0);
        }
    }
}
