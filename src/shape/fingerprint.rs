//! FNV-1a over 64-bit words: a shape's share of the world's state hash. Not a defence against malice.

/// A running hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    /// The hash of a shape of this kind, before its numbers.
    pub(super) fn of_kind(kind: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325).word(kind)
    }

    /// With one more word.
    pub(super) fn word(self, word: u64) -> Self {
        let absorb = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Self(word.to_le_bytes().into_iter().fold(self.0, absorb))
    }

    /// With the bits of these numbers.
    pub(super) fn numbers(self, numbers: &[f64]) -> Self {
        numbers.iter().fold(self, |hash, number| hash.word(number.to_bits()))
    }

    /// The hash so far.
    pub(super) fn value(self) -> u64 {
        self.0
    }
}
