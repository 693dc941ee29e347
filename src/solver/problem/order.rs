//! The order in which a sweep visits the contacts, and what their lanes depend on beside the pairs.

/// How a sweep goes through the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In batches of [`WIDE`] contacts without a common moving body.
    Colored,
    /// As given.
    Natural,
    /// As given and back, alternately.
    Symmetric,
    /// A new permutation for each sweep, from this seed.
    Random(u64),
}

/// How the contacts of a problem are visited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Layout {
    /// The order of the visits.
    pub(in crate::solver) order: Order,
    /// Whether all islands are swept together.
    pub(in crate::solver) together: bool,
    /// Whether the rows without bounds of mechanisms are eliminated.
    pub(in crate::solver) splits: bool,
}

impl Order {
    /// After how many sweeps the order of the visits repeats; 0: never.
    pub fn period(&self) -> u32 {
        match self {
            Self::Colored | Self::Natural => 1,
            Self::Symmetric => 2,
            Self::Random(_) => 0,
        }
    }
}

/// Permutes `visits` by a generator (splitmix64, Steele et al. 2014) that depends on `seed` and `sweep` alone.
pub fn shuffle<T>(visits: &mut [T], seed: u64, sweep: u32) {
    // Mixed, since neighbouring states run through the same words, one step apart.
    let mut state = mix(seed.wrapping_add(mix(u64::from(sweep).wrapping_add(GOLDEN))));
    for last in (1..visits.len()).rev() {
        state = state.wrapping_add(GOLDEN);
        // the high half of a product maps the word evenly onto 0..=last
        let chosen = ((u128::from(mix(state)) * (last as u128 + 1)) >> 64) as usize;
        visits.swap(last, chosen);
    }
}

/// The generator's increment, 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator's finaliser: every bit of the word reaches every bit of the result.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
