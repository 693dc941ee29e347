//! The order in which a sweep visits the contacts.

use crate::error::{Result, reserve, resize};
use crate::math::lanes::{KEPT, WIDE};

/// How a sweep goes through the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In batches of [`WIDE`] contacts without a common moving body.
    Colored,
    /// As given.
    Natural,
    /// As given and back, in turn.
    Symmetric,
    /// A new permutation for each sweep, from this seed.
    Random(u64),
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

/// How many batches are open at once. The window slides along the contacts in their given order, so that what is near
/// stays near and converges as the natural order does.
const WINDOW: usize = 64;

/// Rows in batches of at most [`WIDE`] without a common moving body, one batch after the other.
#[derive(Debug, Default)]
pub struct Batches {
    /// The rows.
    pub order: Vec<u32>,
    /// Where in `order` each batch begins.
    pub starts: Vec<u32>,
}

impl Batches {
    /// Forgets all batches, and makes room for those of `contacts` contacts.
    pub fn clear(&mut self, rows: usize) -> Result<()> {
        self.order.clear();
        self.starts.clear();
        reserve(&mut self.order, rows, "rows")?;
        reserve(&mut self.starts, rows, "rows")
    }

    /// The batches one by one.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.order.len() as u32]);
        self.starts.iter().zip(ends).map(|(start, end)| &self.order[*start as usize..end as usize])
    }
}

/// Packs rows into batches without a common moving body; keeps its workspace.
#[derive(Debug, Default)]
pub struct Packer {
    /// For each body, the open batches it is in, as bits.
    member: Vec<u64>,
}

/// The lines of a row's bodies, those that nothing moves with [`KEPT`].
pub type Pair = [u32; 2];

/// A batch without rows.
const EMPTY: [(u32, Pair); WIDE] = [(0, [0; 2]); WIDE];

/// The batches being filled.
struct Open {
    batches: [[(u32, Pair); WIDE]; WINDOW],
    lengths: [usize; WINDOW],
    /// When each batch was last begun, so that the oldest can make way.
    begun: [u64; WINDOW],
    clock: u64,
}

impl Packer {
    /// Appends the rows `selected` with their pairs of bodies, all below `bodies`, in order, to `batches`.
    pub fn pack(
        &mut self,
        bodies: usize,
        selected: impl Iterator<Item = (u32, Pair)>,
        batches: &mut Batches,
    ) -> Result<()> {
        // all are left empty by the last use
        resize(&mut self.member, bodies, 0, "bodies of the batches")?;
        let mut open = Open { batches: [EMPTY; WINDOW], lengths: [0; WINDOW], begun: [0; WINDOW], clock: 0 };
        for row in selected {
            let slot = self.free_slot(row.1, &mut open, batches);
            self.put(row, slot, &mut open);
            if open.lengths[slot] == WIDE {
                self.emit(slot, &mut open, batches);
            }
        }
        let mut rest: [usize; WINDOW] = std::array::from_fn(|slot| slot);
        rest.sort_unstable_by_key(|slot| open.begun[*slot]);
        for slot in rest {
            self.emit(slot, &mut open, batches);
        }
        Ok(())
    }

    /// The first open batch that has none of the contact's moving bodies; the oldest is emitted if there is none.
    #[inline]
    fn free_slot(&mut self, pair: Pair, open: &mut Open, batches: &mut Batches) -> usize {
        let taken = |body: u32| if body & KEPT == 0 { self.member[body as usize] } else { 0 };
        let free = !(taken(pair[0]) | taken(pair[1]));
        if free != 0 {
            return free.trailing_zeros() as usize;
        }
        let oldest = (0..WINDOW).min_by_key(|slot| open.begun[*slot]).unwrap_or(0);
        self.emit(oldest, open, batches);
        oldest
    }

    #[inline]
    fn put(&mut self, row: (u32, Pair), slot: usize, open: &mut Open) {
        if open.lengths[slot] == 0 {
            open.clock += 1;
            open.begun[slot] = open.clock;
        }
        open.batches[slot][open.lengths[slot]] = row;
        open.lengths[slot] += 1;
        for body in row.1 {
            if body & KEPT == 0 {
                self.member[body as usize] |= 1 << slot;
            }
        }
    }

    fn emit(&mut self, slot: usize, open: &mut Open, batches: &mut Batches) {
        let members = &open.batches[slot][..open.lengths[slot]];
        for body in members.iter().flat_map(|(_, pair)| *pair) {
            if body & KEPT == 0 {
                self.member[body as usize] &= !(1 << slot);
            }
        }
        if !members.is_empty() {
            batches.starts.push(batches.order.len() as u32);
            batches.order.extend(members.iter().map(|(index, _)| *index));
        }
        open.lengths[slot] = 0;
    }
}

/// Permutes `visits` by a generator (splitmix64, Steele et al. 2014) that depends on `seed` and `sweep` alone.
pub fn shuffle(visits: &mut [u32], seed: u64, sweep: u32) {
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
