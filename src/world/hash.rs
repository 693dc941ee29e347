//! The hash of the state of a world, and the comparison of two worlds.

use crate::error::Result;
use crate::visit::{Comparison, Hash, Recorded};
use crate::world::state::World;

impl World {
    /// Returns a hash of the whole state: everything that the next step or an answer to the host depends on. Two worlds of one build with
    /// equal hashes step alike.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::default();
        self.visit_state(&mut hash);
        hash.value()
    }

    /// Returns whether the whole state of both worlds is equal, bit for bit. Such worlds step alike.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn has_same_state(&self, other: &Self) -> Result<bool> {
        let mut recorded = Recorded::default();
        self.visit_state(&mut recorded);
        let words = recorded.into_words()?;
        let mut comparison = Comparison::with(&words);
        other.visit_state(&mut comparison);
        Ok(comparison.is_equal())
    }
}
