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

/// The lines of a row's bodies, those that nothing moves with [`KEPT`].
pub type Pair = [u32; 2];

/// Bodies of a tile: their lines and contacts stay in the cache of a core.
pub(in crate::solver) const TILE: u32 = 1024;

/// The tiles of the bodies of a pair that move, of which there is one at least.
#[inline(always)]
pub(in crate::solver) fn tiles([a, b]: Pair) -> [u32; 2] {
    let moving = |one: u32, other: u32| if one & KEPT == 0 { one } else { other };
    [moving(a, b), moving(b, a)].map(|body| (body & !KEPT) / TILE)
}

/// Most rows of a string. Longer ones are rare among spheres, and too few of one length to fill batches.
pub const STRING: usize = 4;

/// So many strings fill a sheaf well enough where no more come.
const FULL: usize = 6;

/// Packs rows into batches without a common moving body; keeps its workspace.
///
/// Rows that follow each other and have the same body a are a string. A sheaf of eight strings of one length without a common moving
/// body makes that many batches, one after the other, in which each lane keeps its body a: a sweep reads and writes it once. What
/// is left over in the end is packed row by row, and so is everything if strings are to have a single row.
#[derive(Debug, Default)]
pub struct Packer {
    /// For each body, the open sheaves of each length of string that it is in, as bits.
    member: Vec<[u64; STRING]>,
}

/// Sheaves of strings of one length that are being filled.
#[derive(Debug, Clone, Copy)]
struct Open {
    length: usize,
    /// Where each string begins among the rows.
    sheaves: [[u32; WIDE]; WINDOW],
    strings: [usize; WINDOW],
    /// When each was last begun, so that the oldest can make way.
    begun: [u64; WINDOW],
    clock: u64,
}

/// What is packed, and into what.
struct Packing<'a> {
    member: &'a mut [[u64; STRING]],
    first: u32,
    rows: &'a [u32],
    /// Of all rows there are.
    pairs: &'a [Pair],
    batches: &'a mut Batches,
}

impl Packer {
    /// Appends `rows`, which are some of those that have `pairs`, in about their order to `batches`, with strings of at most `longest`
    /// rows. Their moving bodies are among `bodies` from `first` on.
    pub fn pack(
        &mut self,
        (first, bodies): (u32, usize),
        (rows, pairs): (&[u32], &[Pair]),
        longest: usize,
        batches: &mut Batches,
    ) -> Result<()> {
        // all are left empty by the last use
        resize(&mut self.member, bodies, [0; STRING], "bodies of the batches")?;
        let longest = longest.clamp(1, STRING);
        let mut open: [Open; STRING] = std::array::from_fn(|at| Open::new(at + 1));
        let mut packing = Packing { member: &mut self.member, first, rows, pairs, batches };
        let mut begin = 0;
        for same in rows.chunk_by(|one, next| pairs[*one as usize][0] == pairs[*next as usize][0]) {
            // parts as even as can be
            let parts = same.len().div_ceil(longest);
            for part in 0..parts {
                let [from, to] = [part, part + 1].map(|part| begin + same.len() * part / parts);
                packing.put(from as u32, &mut open[to - from - 1]);
            }
            begin += same.len();
        }
        let [singles, strings @ ..] = &mut open;
        for open in strings.iter_mut().filter(|open| open.clock > 0) {
            for slot in open.by_age() {
                if open.strings[slot] >= FULL {
                    packing.emit(slot, open);
                    continue;
                }
                let left_over = packing.take(slot, open);
                let rows = left_over.into_iter().flatten().flat_map(|string| string..string + open.length as u32);
                rows.for_each(|row| packing.put(row, singles));
            }
        }
        singles.by_age().into_iter().for_each(|slot| packing.emit(slot, singles));
        Ok(())
    }
}

impl Open {
    fn new(length: usize) -> Self {
        Self { length, sheaves: [[0; WIDE]; WINDOW], strings: [0; WINDOW], begun: [0; WINDOW], clock: 0 }
    }

    /// The sheaves, the oldest first.
    fn by_age(&self) -> [usize; WINDOW] {
        let mut all = std::array::from_fn(|slot| slot);
        all.sort_unstable_by_key(|slot| self.begun[*slot]);
        all
    }
}

impl Packing<'_> {
    /// Calls `mark` with what is noted of each moving body of a string.
    #[inline]
    fn mark(&mut self, string: u32, length: usize, mut mark: impl FnMut(&mut u64)) {
        let begin = string as usize;
        for row in &self.rows[begin..begin + length] {
            for body in self.pairs[*row as usize].iter().filter(|body| **body & KEPT == 0) {
                mark(&mut self.member[(body - self.first) as usize][length - 1]);
            }
        }
    }

    /// Puts a string into the first sheaf that has none of its moving bodies; the oldest makes way if there is none.
    #[inline]
    fn put(&mut self, string: u32, open: &mut Open) {
        let mut taken = 0;
        self.mark(string, open.length, |sheaves| taken |= *sheaves);
        let slot = if taken != u64::MAX {
            taken.trailing_ones() as usize
        } else {
            let oldest = (0..WINDOW).min_by_key(|slot| open.begun[*slot]).unwrap_or(0);
            self.emit(oldest, open);
            oldest
        };
        if open.strings[slot] == 0 {
            open.clock += 1;
            open.begun[slot] = open.clock;
        }
        open.sheaves[slot][open.strings[slot]] = string;
        open.strings[slot] += 1;
        self.mark(string, open.length, |sheaves| *sheaves |= 1 << slot);
        if open.strings[slot] == WIDE {
            self.emit(slot, open);
        }
    }

    /// Takes the strings out of a sheaf.
    fn take(&mut self, slot: usize, open: &mut Open) -> [Option<u32>; WIDE] {
        let (sheaf, strings) = (open.sheaves[slot], std::mem::take(&mut open.strings[slot]));
        for string in &sheaf[..strings] {
            self.mark(*string, open.length, |sheaves| *sheaves &= !(1 << slot));
        }
        std::array::from_fn(|lane| (lane < strings).then_some(sheaf[lane]))
    }

    /// Makes batches of a sheaf.
    fn emit(&mut self, slot: usize, open: &mut Open) {
        let sheaf = self.take(slot, open);
        if sheaf[0].is_none() {
            return;
        }
        for row in 0..open.length {
            self.batches.starts.push(self.batches.order.len() as u32);
            let rows = sheaf.iter().flatten().map(|string| self.rows[*string as usize + row]);
            self.batches.order.extend(rows);
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
