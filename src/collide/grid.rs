//! The broad phase: a hierarchy of hashed grids, whose cost per body does not depend on how many there are.
//!
//! A body is filed by its centre in the grid whose cells are at least as large as its bounds and less than twice that.
//! It looks for partners in the cells of its own grid that can hold the centre of one, and in those of every coarser
//! grid; the finer ones look for it. Sizes a hundred to one make seven grids. Bodies without bounds (half-spaces) are
//! not filed: the caller tests them against every body.
//!
//! Cells are hashed in blocks of 4x4x4, so that neighbouring cells lie in neighbouring memory, and bodies are visited
//! in that order. The grid is made anew in each step from the bounds alone, so it carries no state.

use crate::collide::pairs::{PairList, Proxy};
use crate::error::{Result, reserve, resize};
use crate::math::Vec3;

/// Where a body is filed.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    cell: [i64; 3],
    level: i32,
    slot: u32,
}

/// Workspace of the broad phase.
#[derive(Debug, Default)]
pub struct Grid {
    /// In the order of the slots, then sorted by bucket.
    entries: Vec<Entry>,
    sorted: Vec<Entry>,
    starts: Vec<u32>,
    levels: Vec<i32>,
    sizes: Vec<f64>,
    mask: usize,
    /// Cell size of level 0.
    base: f64,
}

/// Cells of level 0 are this much larger than the median body: bodies of about one size share one grid.
const SLACK: f64 = 1.25;

/// A body looks into at most 27 cells of a grid. Where the numbers are so large or so small that it would be more, it looks
/// at every body of that grid instead.
const MOST_CELLS: i64 = 64;

/// Cell coordinates stay inside this, so that neighbours do not overflow; cells beyond are shared.
const FAR: f64 = (1_i64 << 60) as f64;

impl Grid {
    /// Adds all pairs of bounded bodies that overlap and admit each other.
    pub fn pairs(&mut self, proxies: &[Proxy], pairs: &mut PairList) -> Result<()> {
        self.file(proxies)?;
        self.sort()?;
        for at in 0..self.sorted.len() {
            let entry = self.sorted[at];
            self.look_around(&entry, proxies, pairs)?;
        }
        Ok(())
    }

    /// Files every bounded body in the grid of its size.
    fn file(&mut self, proxies: &[Proxy]) -> Result<()> {
        self.entries.clear();
        self.sizes.clear();
        self.levels.clear();
        reserve(&mut self.entries, proxies.len(), "bodies of the grid")?;
        reserve(&mut self.sizes, proxies.len(), "bodies of the grid")?;
        // Far from the origin a small body's bounds are one point: of no size, and no measure for the others.
        self.sizes.extend(proxies.iter().filter(|proxy| proxy.bounded).map(size).filter(|size| *size > 0.0));
        let middle = self.sizes.len() / 2;
        self.base = 1.0;
        if !self.sizes.is_empty() {
            let (_, median, _) = self.sizes.select_nth_unstable_by(middle, f64::total_cmp);
            self.base = (SLACK * *median).clamp(f64::MIN_POSITIVE, f64::MAX);
        }
        for (slot, proxy) in proxies.iter().enumerate().filter(|(_, proxy)| proxy.bounded) {
            let level = self.level(size(proxy));
            if let Err(place) = self.levels.binary_search(&level) {
                reserve(&mut self.levels, 1, "levels of the grid")?;
                self.levels.insert(place, level);
            }
            let center = 0.5 * proxy.bounds.lower + 0.5 * proxy.bounds.upper;
            let cell = self.cell(&center, level);
            self.entries.push(Entry { cell, level, slot: slot as u32 });
        }
        Ok(())
    }

    /// The least level whose cells are at least `size`.
    fn level(&self, size: f64) -> i32 {
        let ratio = (size / self.base).clamp(1e-300, 1e300);
        // The exponent of a double is exact where a logarithm would round.
        let exponent = (ratio.to_bits() >> 52) as i32 - 1023;
        if ratio > cell_factor(exponent) { exponent + 1 } else { exponent }
    }

    fn cell(&self, point: &Vec3, level: i32) -> [i64; 3] {
        let scale = 1.0 / (self.base * cell_factor(level));
        [0, 1, 2].map(|axis| (point[axis] * scale).floor().clamp(-FAR, FAR) as i64)
    }

    /// Sorts the entries by bucket, by counting; within a bucket they stay in the order of their slots.
    fn sort(&mut self) -> Result<()> {
        let count = self.entries.len();
        let buckets = (2 * count).next_power_of_two().max(64);
        self.mask = buckets - 1;
        self.starts.clear();
        resize(&mut self.starts, buckets + 1, 0, "cells of the grid")?;
        self.sorted.clear();
        resize(&mut self.sorted, count, Entry::default(), "bodies of the grid")?;
        for entry in &self.entries {
            self.starts[bucket(&entry.cell, entry.level, self.mask) + 1] += 1;
        }
        for at in 0..buckets {
            self.starts[at + 1] += self.starts[at];
        }
        // Filled from the back, each start ends where its bucket begins.
        for entry in self.entries.iter().rev() {
            let end = &mut self.starts[bucket(&entry.cell, entry.level, self.mask) + 1];
            *end -= 1;
            self.sorted[*end as usize] = *entry;
        }
        Ok(())
    }

    /// The entries filed in a bucket. After [`Grid::sort`] bucket `b` begins at `starts[b + 1]`.
    fn bucket(&self, bucket: usize) -> &[Entry] {
        let begin = self.starts[bucket + 1] as usize;
        let end = self.starts.get(bucket + 2).map_or(self.sorted.len(), |next| *next as usize);
        &self.sorted[begin..end]
    }

    /// Adds the pairs of one body with those of its own size that come after it, and with all larger ones.
    fn look_around(&self, entry: &Entry, proxies: &[Proxy], pairs: &mut PairList) -> Result<()> {
        let bounds = &proxies[entry.slot as usize].bounds;
        for level in self.levels.iter().copied().filter(|level| *level >= entry.level) {
            // A partner's centre is at most half a cell outside our bounds, and a little for round-off.
            let half = Vec3::repeat(0.500_001 * self.base * cell_factor(level));
            let low = self.cell(&(bounds.lower - half), level);
            let high = self.cell(&(bounds.upper + half), level);
            let cells = (0..3).fold(1_i64, |cells, axis| cells.saturating_mul(high[axis] - low[axis] + 1));
            if cells > MOST_CELLS {
                self.look_at_all(level, entry, proxies, pairs)?;
                continue;
            }
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        self.look_into([x, y, z], level, entry, proxies, pairs)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the pairs of a body with the bodies of one grid, whatever their cells.
    fn look_at_all(&self, level: i32, entry: &Entry, proxies: &[Proxy], pairs: &mut PairList) -> Result<()> {
        let proxy = &proxies[entry.slot as usize];
        for other in self.sorted.iter().filter(|other| other.level == level) {
            let counted = level == entry.level && (other.cell, other.slot) <= (entry.cell, entry.slot);
            let partner = &proxies[other.slot as usize];
            if !counted && proxy.bounds.overlaps(&partner.bounds) && proxy.admits(partner) {
                pairs.push(entry.slot, other.slot)?;
            }
        }
        Ok(())
    }

    /// Adds the pairs of a body with the bodies of one cell; in its own grid, with those that come after it.
    #[inline]
    fn look_into(
        &self,
        cell: [i64; 3],
        level: i32,
        entry: &Entry,
        proxies: &[Proxy],
        pairs: &mut PairList,
    ) -> Result<()> {
        let same_grid = level == entry.level;
        if same_grid && cell < entry.cell {
            return Ok(());
        }
        let proxy = &proxies[entry.slot as usize];
        for other in self.bucket(bucket(&cell, level, self.mask)) {
            let filed_here = other.cell == cell && other.level == level;
            let counted = same_grid && cell == entry.cell && other.slot <= entry.slot;
            if !filed_here || counted {
                continue;
            }
            let partner = &proxies[other.slot as usize];
            if proxy.bounds.overlaps(&partner.bounds) && proxy.admits(partner) {
                pairs.push(entry.slot, other.slot)?;
            }
        }
        Ok(())
    }
}

/// The largest extent of a body's bounds.
fn size(proxy: &Proxy) -> f64 {
    (proxy.bounds.upper - proxy.bounds.lower).max()
}

/// `2^level`.
fn cell_factor(level: i32) -> f64 {
    f64::from_bits(((level.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// The bucket of a cell: a hash of its block of 4x4x4 cells, then its place in the block.
#[inline]
fn bucket(cell: &[i64; 3], level: i32, mask: usize) -> usize {
    let [x, y, z] = cell.map(|c| c as u64);
    let mut block = (x >> 2).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    block = (block ^ (y >> 2)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    block = (block ^ (z >> 2) ^ ((level as u64) << 48)).wrapping_mul(0x94D0_49BB_1331_11EB);
    block ^= block >> 29;
    let place = (x & 3) << 4 | (y & 3) << 2 | (z & 3);
    ((block << 6) | place) as usize & mask
}
