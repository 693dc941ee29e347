//! A visit of state: every number of it, in an order that depends on the state alone.
//!
//! Each type with state has a function `visit_state`, which destructures the type without `..`. A new field does not compile until that
//! function says what it is. A field that is not visited is named with the reason. [`Hash`] and [`Comparison`] are two visitors; all
//! visitors see the same.

use crate::error::{Error, Result, reserve};

#[cfg(test)]
pub(crate) mod tests;

/// Receives the numbers of a state, one after the other.
///
/// Before a sequence of variable length comes its length, and before a part that may be missing a flag. Two states with equal words are
/// therefore equal.
pub trait StateVisitor {
    /// Receives a word: an integer, or the bits of another number.
    fn word(&mut self, word: u64);

    /// Receives the length of the sequence that follows.
    fn length(&mut self, length: usize) {
        self.word(length as u64);
    }

    /// Receives a truth value.
    fn flag(&mut self, flag: bool) {
        self.word(u64::from(flag));
    }

    /// Receives a number with all of its bits: 0 and -0 differ.
    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// Receives several words, the count of which is fixed.
    fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// Receives several numbers, the count of which is fixed.
    fn numbers<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f64>) {
        numbers.into_iter().for_each(|number| self.number(*number));
    }

    /// Receives a sequence of slots.
    fn slots(&mut self, slots: impl Iterator<Item = u32> + Clone) {
        self.length(slots.clone().count());
        self.words(slots.map(u64::from));
    }
}

/// A running hash of the words that it receives. It is no defence against malice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hash(u64);

impl Hash {
    /// Returns the hash of the words so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl StateVisitor for Hash {
    /// Makes one round of splitmix64's finaliser (Steele et al. 2014): every bit of the word reaches every bit of the hash.
    fn word(&mut self, word: u64) {
        let mut mixed = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = mixed ^ (mixed >> 31);
    }
}

/// The words of a state.
#[derive(Debug, Default)]
pub struct Recorded {
    words: Vec<u64>,
    failed: Option<Error>,
}

/// The comparison of a state with the recorded words of another.
#[derive(Debug)]
pub struct Comparison<'a> {
    rest: &'a [u64],
    is_equal: bool,
}

impl Recorded {
    /// Returns the words so far.
    ///
    /// # Errors
    ///
    /// Memory was exhausted.
    pub fn into_words(self) -> Result<Vec<u64>> {
        self.failed.map_or(Ok(self.words), Err)
    }
}

impl StateVisitor for Recorded {
    fn word(&mut self, word: u64) {
        if self.failed.is_none() {
            self.failed = reserve(&mut self.words, 1, "words of the state").err();
        }
        // After a failure the record is not used.
        if self.failed.is_none() {
            self.words.push(word);
        }
    }
}

impl<'a> Comparison<'a> {
    /// Begins a comparison with these words.
    pub fn with(words: &'a [u64]) -> Self {
        Self { rest: words, is_equal: true }
    }

    /// Returns whether exactly the recorded words were received.
    pub fn is_equal(&self) -> bool {
        self.is_equal && self.rest.is_empty()
    }
}

impl StateVisitor for Comparison<'_> {
    fn word(&mut self, word: u64) {
        match self.rest.split_first() {
            Some((expected, rest)) => {
                self.is_equal &= *expected == word;
                self.rest = rest;
            }
            None => self.is_equal = false,
        }
    }
}
