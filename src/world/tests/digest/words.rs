//! A digest of 64-bit words, and random numbers that are the same on every machine.

/// FNV-1a over whole words. The shift carries high bits down, so that two changed signs do not cancel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(super) fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        self.0 = product ^ (product >> 32);
    }

    /// Adds the bits of every number.
    pub(super) fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.word(number.to_bits()));
    }

    pub(super) fn value(&self) -> u64 {
        self.0
    }
}

/// splitmix64 (Steele et al. 2014).
#[derive(Debug, Clone)]
pub(in crate::world::tests) struct Random(pub(in crate::world::tests) u64);

impl Random {
    pub(in crate::world::tests) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Evenly in `low..high`.
    pub(in crate::world::tests) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(in crate::world::tests) fn index(&mut self, count: usize) -> usize {
        (self.word() % count as u64) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.index(count) == 0
    }

    /// Evenly in a cube of half the edge `size`.
    pub(super) fn vector<const N: usize>(&mut self, size: f64) -> [f64; N] {
        std::array::from_fn(|_| self.between(-size, size))
    }

    /// A vector of unit length. Square roots and quotients are the same on every machine.
    pub(super) fn unit<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let vector: [f64; N] = self.vector(1.0);
            let square: f64 = vector.iter().map(|x| x * x).sum();
            if (0.01..1.0).contains(&square) {
                return vector.map(|x| x / square.sqrt());
            }
        }
    }
}
