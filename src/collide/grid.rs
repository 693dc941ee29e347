//! The broad phase: a hierarchy of hashed grids. Its cost for one body does not depend on the number of bodies.
//!
//! A body is stored by its centre, in the grid whose cells are at least as large as its bounds and less than twice
//! that. If the largest body is a hundred times as large as the smallest, there are seven grids. Bodies without bounds
//! (half-spaces) are not stored: the caller tests them against every body.
//!
//! A search visits the cells that can hold the centre of a partner. For all pairs, a body searches its own grid. Of two
//! grids, the bodies of one search the other, whichever needs fewer visits. Few large bodies thus search the grid of many
//! small ones, not the other way round.
//!
//! The search for all pairs visits the bodies in the order in which they lie in memory. Bodies can also be removed and
//! reinserted one by one. Which pairs are found depends on the bounds alone.

use crate::collide::cells::{Cells, Entry, NONE};
use crate::collide::images::{inside, overlapping};
use crate::error::{Result, empty, refill, reserve, resize};
use crate::math::{Aabb, Period, Vec3};

/// Where the body of a slot is stored.
#[derive(Debug, Clone, Copy)]
struct Location {
    /// Exponent of the grid.
    exponent: i32,
    entry: u32,
}

const NOT_STORED: Location = Location { exponent: 0, entry: NONE };

/// The grids and the bodies in them.
#[derive(Debug, Default)]
pub struct Grid {
    /// The grids, by ascending exponent.
    levels: Vec<Cells>,
    /// Grids that are not in use, kept for their memory.
    spare: Vec<Cells>,
    /// The location of the body in each slot.
    locations: Vec<Location>,
    /// The number of bodies of each exponent, while the grid is filled.
    counts: Vec<(i32, u32)>,
    sample: Vec<f64>,
    /// Cell size of exponent 0 [m].
    base: f64,
    /// The point from which cells are counted [m].
    origin: Vec3,
    period: Period,
}

/// Cells of exponent 0 are as large as the largest body of at most this many times the median size. Bodies of about one size therefore
/// share one grid, in which no cell is larger than it must be.
const SLACK: f64 = 1.25;

/// The median is that of a sample of at most this many bodies.
const SAMPLE: usize = 1023;

impl Grid {
    /// Rebuilds the grids from the bodies of all slots. `bounds` returns `None` for a slot without a bounded body.
    pub fn fill(&mut self, slots: usize, period: &Period, bounds: impl Fn(u32) -> Option<Aabb>) -> Result<()> {
        self.period = *period;
        if period.is_open() {
            return self.fill_open(slots, bounds);
        }
        self.fill_open(slots, |slot| bounds(slot).map(|bounds| inside(period, &bounds)))
    }

    fn fill_open(&mut self, slots: usize, bounds: impl Fn(u32) -> Option<Aabb>) -> Result<()> {
        self.measure(slots, &bounds)?;
        refill(&mut self.locations, slots, NOT_STORED, "bodies of the grid")?;
        self.counts.clear();
        for slot in 0..slots {
            let Some(bounds) = bounds(slot as u32) else { continue };
            let exponent = self.exponent(&bounds);
            // Any entry other than NONE: there is a body.
            self.locations[slot] = Location { exponent, entry: 0 };
            match self.counts.binary_search_by_key(&exponent, |count| count.0) {
                Ok(at) => self.counts[at].1 += 1,
                Err(at) => {
                    reserve(&mut self.counts, 1, "levels of the grid")?;
                    self.counts.insert(at, (exponent, 1));
                }
            }
        }
        self.make_levels()?;
        let Self { levels, locations, .. } = self;
        for (slot, location) in (0..).zip(locations.iter_mut()) {
            let Some((level, bounds)) = level_of(levels, location).zip(bounds(slot)) else { continue };
            location.entry = levels[level].count(&bounds);
        }
        levels.iter_mut().for_each(Cells::start_buckets);
        for (slot, location) in (0..).zip(locations.iter_mut()) {
            let Some((level, bounds)) = level_of(levels, location).zip(bounds(slot)) else { continue };
            location.entry = levels[level].place(slot, &bounds, location.entry);
        }
        Ok(())
    }

    /// Finds the cell size from the median of a sample, and an origin near the bodies.
    fn measure(&mut self, slots: usize, bounds: &impl Fn(u32) -> Option<Aabb>) -> Result<()> {
        empty(&mut self.sample, slots.min(SAMPLE + 1), "sizes of bodies")?;
        self.origin = Vec3::zeros();
        for slot in (0..slots).step_by(slots / SAMPLE + 1) {
            let Some(bounds) = bounds(slot as u32) else { continue };
            // Far from the origin the bounds of a small body can be a single point. Its size says nothing about the others.
            if size(&bounds) > 0.0 {
                self.sample.push(size(&bounds));
                self.origin = bounds.lower;
            }
        }
        self.sample.sort_unstable_by(f64::total_cmp);
        let median = self.sample.get(self.sample.len() / 2).copied().unwrap_or(1.0);
        let alike = self.sample.partition_point(|size| *size <= SLACK * median);
        // A little more, for equal bodies outside the sample that differ by round-off.
        let largest = self.sample.get(alike.wrapping_sub(1)).copied().unwrap_or(1.0) * (1.0 + 1e-6);
        self.base = largest.clamp(f64::MIN_POSITIVE, f64::MAX);
        Ok(())
    }

    /// Makes an empty grid for each exponent that was counted.
    fn make_levels(&mut self) -> Result<()> {
        reserve(&mut self.spare, self.levels.len(), "levels of the grid")?;
        reserve(&mut self.levels, self.counts.len(), "levels of the grid")?;
        // Taken in the same order as before, so that grids of similar size get their memory again.
        self.spare.extend(self.levels.drain(..).rev());
        for (exponent, count) in &self.counts {
            let mut level = self.spare.pop().unwrap_or_default();
            level.reset(*exponent, self.base * power(*exponent), &self.origin, *count as usize)?;
            self.levels.push(level);
        }
        Ok(())
    }

    /// Calls `found` for the slots of all pairs whose bounds overlap, once for each.
    pub fn pairs(&self, mut found: impl FnMut(u32, u32) -> Result<()>) -> Result<()> {
        if !self.period.is_open() {
            return self.pairs_of_images(found);
        }
        for (at, level) in self.levels.iter().enumerate() {
            for entry in level.entries.iter().filter(|entry| entry.slot != NONE) {
                level.overlapping_after(entry, |other| found(entry.slot, other.slot))?;
            }
            for other in self.searched_by(at) {
                for entry in level.entries.iter().filter(|entry| entry.slot != NONE) {
                    other.overlapping(None, &entry.bounds, |other| found(entry.slot, other.slot))?;
                }
            }
        }
        Ok(())
    }

    /// Does the same in a periodic box.
    fn pairs_of_images(&self, mut found: impl FnMut(u32, u32) -> Result<()>) -> Result<()> {
        for (at, own) in self.levels.iter().enumerate() {
            for entry in own.entries.iter().filter(|entry| entry.slot != NONE) {
                overlapping(own, &self.period, entry, true, |other| found(entry.slot, other.slot))?;
            }
            for level in self.searched_by(at) {
                for entry in own.entries.iter().filter(|entry| entry.slot != NONE) {
                    overlapping(level, &self.period, entry, false, |other| found(entry.slot, other.slot))?;
                }
            }
        }
        Ok(())
    }

    /// The other levels in which the bodies of a level search for their partners, when all pairs are found. Of two levels, the one
    /// searches the other that visits fewer rows of cells.
    fn searched_by(&self, at: usize) -> impl Iterator<Item = &Cells> {
        let own = &self.levels[at];
        self.levels.iter().enumerate().filter_map(move |(other, level)| {
            let order = own.visits_to(level).total_cmp(&level.visits_to(own)).then(at.cmp(&other));
            order.is_lt().then_some(level)
        })
    }

    /// Calls `found` for the slots of all bodies whose bounds overlap those of the body in `slot`.
    pub fn partners(&self, slot: u32, mut found: impl FnMut(u32) -> Result<()>) -> Result<()> {
        let Some(location) = self.locations.get(slot as usize) else { return Ok(()) };
        let Some(level) = level_of(&self.levels, location) else { return Ok(()) };
        let entry = &self.levels[level].entries[location.entry as usize];
        let mut note = |other: &Entry| if other.slot == slot { Ok(()) } else { found(other.slot) };
        if self.period.is_open() {
            return self.levels.iter().try_for_each(|level| level.overlapping(None, &entry.bounds, &mut note));
        }
        self.levels.iter().try_for_each(|level| overlapping(level, &self.period, entry, false, &mut note))
    }

    /// Reinserts the body in `slot`, or removes it if `bounds` is `None`. `slots` is the new number of slots, not less than
    /// before.
    pub fn reinsert(&mut self, slot: u32, bounds: Option<&Aabb>, slots: usize) -> Result<()> {
        resize(&mut self.locations, slots, NOT_STORED, "bodies of the grid")?;
        let location = self.locations[slot as usize];
        if let Some(level) = level_of(&self.levels, &location) {
            self.levels[level].remove(location.entry);
            self.locations[slot as usize] = NOT_STORED;
        }
        let Some(bounds) = bounds else { return Ok(()) };
        let bounds = &if self.period.is_open() { *bounds } else { inside(&self.period, bounds) };
        let exponent = self.exponent(bounds);
        let level = match self.levels.binary_search_by_key(&exponent, |level| level.exponent) {
            Ok(level) => level,
            Err(level) => {
                let mut new = self.spare.pop().unwrap_or_default();
                new.reset(exponent, self.base * power(exponent), &self.origin, 0)?;
                reserve(&mut self.levels, 1, "levels of the grid")?;
                self.levels.insert(level, new);
                level
            }
        };
        let entry = self.levels[level].insert(slot, bounds)?;
        self.locations[slot as usize] = Location { exponent, entry };
        Ok(())
    }

    /// Returns the least exponent whose cells are at least as large as the bounds.
    fn exponent(&self, bounds: &Aabb) -> i32 {
        let ratio = (size(bounds) / self.base).clamp(1e-300, 1e300);
        // The exponent of the double is exact; a logarithm would round.
        let exponent = (ratio.to_bits() >> 52) as i32 - 1023;
        if ratio > power(exponent) { exponent + 1 } else { exponent }
    }
}

/// Returns the index of the level that stores a body; `None` if the body is not stored.
fn level_of(levels: &[Cells], location: &Location) -> Option<usize> {
    if location.entry == NONE {
        return None;
    }
    levels.binary_search_by_key(&location.exponent, |level| level.exponent).ok()
}

/// Returns the largest extent of a box [m].
fn size(bounds: &Aabb) -> f64 {
    (bounds.upper - bounds.lower).max()
}

/// Returns `2^exponent`.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}
