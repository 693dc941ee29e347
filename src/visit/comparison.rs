//! The comparison of two states: the words of one are recorded, and those of the other compared with them.

use crate::error::{Result, reserve};
use crate::visit::visitor::StateVisitor;

/// The words of a state.
#[derive(Debug)]
pub struct Recorded {
    words: Vec<u64>,
    outcome: Result<()>,
}

/// The comparison of a state with recorded words.
#[derive(Debug)]
pub struct Comparison<'a> {
    rest: &'a [u64],
    is_equal: bool,
}

impl Recorded {
    /// Returns a record without words.
    pub fn new() -> Self {
        Self { words: Vec::new(), outcome: Ok(()) }
    }

    /// Returns the words so far.
    ///
    /// # Errors
    ///
    /// Memory was exhausted.
    pub fn into_words(self) -> Result<Vec<u64>> {
        self.outcome.map(|()| self.words)
    }
}

impl Default for Recorded {
    fn default() -> Self {
        Self::new()
    }
}

impl StateVisitor for Recorded {
    fn word(&mut self, word: u64) {
        if self.outcome.is_ok() {
            self.outcome = reserve(&mut self.words, 1, "words of the state");
        }
        // After a failure the record is not used.
        if self.outcome.is_ok() {
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
