//! The hash of a state. It is no defence against malice.

use crate::visit::visitor::StateVisitor;

/// A running hash of the words that it receives.
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
