//! What visits a state: it receives every number, in an order that depends on the state alone.

/// Receives the numbers of a state, one after the other.
///
/// Before a sequence of variable length comes its length, and before a part that may be missing a flag. Two states with equal words are
/// therefore equal.
pub trait StateVisitor {
    /// Receives a word: an integer, or the bits of another number.
    fn word(&mut self, word: u64);

    /// Receives an integer of 32 bits.
    fn half(&mut self, half: u32) {
        self.word(u64::from(half));
    }

    /// Receives an integer of 8 bits.
    fn byte(&mut self, byte: u8) {
        self.word(u64::from(byte));
    }

    /// Receives an integer that has no more than so many bytes.
    fn low_bytes(&mut self, integer: u64, _width: usize) {
        self.word(integer);
    }

    /// Receives bytes without meaning, as many as an unused element of an array takes. Only snapshots have them: they bound what a snapshot
    /// of a given size can ask for.
    fn room(&mut self, _bytes: usize) {}

    /// Receives the length of the sequence that follows.
    fn length(&mut self, length: usize) {
        self.word(length as u64);
    }

    /// Receives a truth value.
    fn flag(&mut self, flag: bool) {
        self.byte(u8::from(flag));
    }

    /// Receives a number with all of its bits: 0 and -0 differ.
    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// Receives several numbers, the count of which is fixed, at once.
    #[inline(always)]
    fn array<const N: usize>(&mut self, numbers: [f64; N]) {
        self.numbers(&numbers);
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
        slots.for_each(|slot| self.half(slot));
    }
}

/// Returns how many bytes an integer up to this one takes at most, at least 1.
pub fn width_of(largest: u64) -> usize {
    (u64::BITS - largest.leading_zeros()).div_ceil(u8::BITS).max(1) as usize
}

/// Returns the bits of a mark where it is set, else 0.
pub fn marked(is_set: bool, mark: u8) -> u8 {
    if is_set { mark } else { 0 }
}
