//! A visit of state: every number of it, in an order that depends on the state alone.
//!
//! Each type with state has a function `visit_state`, which destructures the type without `..`. A new field does not compile until that
//! function says what it is. A field that is not visited is named with the reason. [`Hash`] and [`Comparison`] are two visitors; all
//! visitors see the same.
//!
//! Snapshots are written by visitors too ([`Size`], [`Writer`]) and read by a [`Reader`]. Plain structures are listed once, by the macro
//! `state`, which makes the visit and the reading. What a snapshot keeps in another form than the hash has two functions, `save` and
//! `load`: the first destructures without `..`, the second names every field.

use crate::error::{Error, Result, reserve};

mod checksum;
mod envelope;
mod reader;
mod state;
mod visitor;
mod writer;

#[cfg(test)]
pub(crate) mod tests;

pub use checksum::xxh64;
pub use envelope::{Content, FORMAT, bytes_of, open, seal, sealed_size};
pub use reader::{Reader, format_error};
pub use state::{State, member, rotation};
pub(crate) use state::{state, state_choice};
pub use visitor::{StateVisitor, marked, width_of};
pub use writer::{Size, Writer};

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
