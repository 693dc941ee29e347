//! One grid of cells of one size, with the bodies in it.
//!
//! The centre of a body's bounds decides its cell. [`Cells::place`] sorts the bodies by the buckets of their cells. Cells in a row along z
//! have consecutive buckets. Their bodies are therefore consecutive too, and a search reads rows instead of cells. [`Cells::insert`] adds a
//! body later. It reuses the entry of a body that left the bucket. Where there is none, it adds an entry behind the sorted ones, to a
//! linked list of the bucket.

use crate::collide::cell::{FAR, Row, cell_hash, each_row, key, unpacked};
use crate::error::{Result, push, refill, resize};
use crate::math::{Aabb, Vec3};

/// No entry, or no body.
pub(super) const NONE: u32 = u32::MAX;

/// The bounds of an entry without a body: they overlap nothing.
const EMPTY_BOUNDS: Aabb = Aabb {
    lower: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    upper: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
};

/// A body of the grid. An entry is as large as a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) bounds: Aabb,
    /// Its cell's coordinates, x in the highest bits.
    pub(super) cell: u64,
    pub(super) slot: u32,
    /// The next added entry of the bucket.
    next: u32,
}

impl Entry {
    const EMPTY: Self = Self { bounds: EMPTY_BOUNDS, cell: 0, slot: NONE, next: NONE };
}

/// The grid.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The cell size is `2^exponent` times that of exponent 0.
    pub(super) exponent: i32,
    /// The edge of a cell [m], and its inverse.
    edge: f64,
    scale: f64,
    /// The point from which cells are counted [m].
    origin: Vec3,
    /// Half of the largest extent of a body, along each axis [m].
    half: Vec3,
    /// First the entries that are sorted by bucket, then those that were added later.
    pub(super) entries: Vec<Entry>,
    /// The index of the first sorted entry of each bucket, and the end.
    starts: Vec<u32>,
    /// The first added entry of each bucket. It has its own number of buckets, and is empty if no entry was added.
    heads: Vec<u32>,
    /// The first added entry without a body. These are linked like a bucket.
    unused: u32,
}

impl Cells {
    /// Empties the grid, and sets its cells of `edge` [m], counted from `origin`. Reserves memory for `count` bodies.
    pub(super) fn reset(&mut self, exponent: i32, edge: f64, origin: &Vec3, count: usize) -> Result<()> {
        self.exponent = exponent;
        self.edge = edge;
        self.scale = (1.0 / edge).min(f64::MAX);
        self.origin = *origin;
        self.half = Vec3::zeros();
        self.unused = NONE;
        self.heads.clear();
        self.entries.clear();
        resize(&mut self.entries, count, Entry::EMPTY, "bodies of the grid")?;
        refill(&mut self.starts, buckets(count) + 1, 0, "cells of the grid")
    }

    /// Counts a body that [`Cells::place`] will place. Returns its bucket.
    #[inline]
    pub(super) fn count(&mut self, bounds: &Aabb) -> u32 {
        let bucket = bucket(cell_hash(self.cell(&bounds.center())), self.starts.len() - 1);
        self.starts[bucket + 1] += 1;
        bucket as u32
    }

    /// Gives a range to each bucket, after all bodies were counted. Until they are placed, each start is that of the bucket before.
    pub(super) fn start_buckets(&mut self) {
        let mut end = 0;
        for start in self.starts.iter_mut().skip(1) {
            (*start, end) = (end, end + *start);
        }
    }

    /// Places a body that was counted in `bucket`. Returns its entry.
    #[inline]
    pub(super) fn place(&mut self, slot: u32, bounds: &Aabb, bucket: u32) -> u32 {
        let start = &mut self.starts[bucket as usize + 1];
        let entry = *start;
        *start += 1;
        self.half = self.half.sup(&(0.5 * (bounds.upper - bounds.lower)));
        self.entries[entry as usize] =
            Entry { bounds: *bounds, cell: key(self.cell(&bounds.center())), slot, next: NONE };
        entry
    }

    /// Inserts one more body. Returns its entry.
    pub(super) fn insert(&mut self, slot: u32, bounds: &Aabb) -> Result<u32> {
        let cell = self.cell(&bounds.center());
        let entry = Entry { bounds: *bounds, cell: key(cell), slot, next: NONE };
        self.half = self.half.sup(&(0.5 * (bounds.upper - bounds.lower)));
        let hash = cell_hash(cell);
        let bucket = bucket(hash, self.starts.len() - 1);
        for at in self.starts[bucket]..self.starts[bucket + 1] {
            if self.entries[at as usize].slot == NONE {
                self.entries[at as usize] = entry;
                return Ok(at);
            }
        }
        self.add(entry, hash)
    }

    /// Adds a body behind the sorted ones.
    fn add(&mut self, entry: Entry, hash: u32) -> Result<u32> {
        let added = self.entries.len() - self.sorted();
        if self.heads.is_empty() || added > 2 * self.heads.len() {
            // The grid may have begun with few bodies. With as few buckets, each would hold many of the added bodies.
            self.link(buckets(added.max(self.sorted())))?;
        }
        if self.unused == NONE {
            push(&mut self.entries, Entry::EMPTY, "bodies of the grid")?;
            self.unused = self.entries.len() as u32 - 1;
        }
        let at = self.unused;
        let bucket = bucket(hash, self.heads.len());
        self.unused = self.entries[at as usize].next;
        self.entries[at as usize] = Entry { next: self.heads[bucket], ..entry };
        self.heads[bucket] = at;
        Ok(at)
    }

    /// Relinks the added bodies, in this many buckets.
    fn link(&mut self, buckets: usize) -> Result<()> {
        refill(&mut self.heads, buckets, NONE, "cells of the grid")?;
        for at in (self.sorted()..self.entries.len()).rev() {
            // Entries without a body have a list of their own.
            if self.entries[at].slot == NONE {
                continue;
            }
            let bucket = bucket(cell_hash(unpacked(self.entries[at].cell)), buckets);
            self.entries[at].next = self.heads[bucket];
            self.heads[bucket] = at as u32;
        }
        Ok(())
    }

    /// Removes a body.
    pub(super) fn remove(&mut self, entry: u32) {
        let Entry { cell, next, .. } = self.entries[entry as usize];
        if (entry as usize) < self.sorted() {
            self.entries[entry as usize] = Entry::EMPTY;
            return;
        }
        let bucket = bucket(cell_hash(unpacked(cell)), self.heads.len());
        if self.heads[bucket] == entry {
            self.heads[bucket] = next;
        } else {
            let mut before = self.heads[bucket];
            while before != NONE && self.entries[before as usize].next != entry {
                before = self.entries[before as usize].next;
            }
            if before != NONE {
                self.entries[before as usize].next = next;
            }
        }
        self.entries[entry as usize] = Entry { next: self.unused, ..Entry::EMPTY };
        self.unused = entry;
    }

    /// Returns the number of sorted entries.
    fn sorted(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// Calls `found` for the bodies whose bounds overlap those of `body` and that follow it by cell and slot. Each pair is thus found once.
    #[inline]
    pub(super) fn overlapping_after(&self, body: &Entry, mut found: impl FnMut(&Entry) -> Result<()>) -> Result<()> {
        let counts = |other: &Entry| (body.cell, body.slot) < (other.cell, other.slot);
        let counted = |other: &Entry| if counts(other) { found(other) } else { Ok(()) };
        self.overlapping(Some(unpacked(body.cell)), &body.bounds, counted)
    }

    /// Calls `found` for every body whose bounds overlap `bounds`. Where there is a `first` cell, the bodies of the cells before it may be
    /// left out.
    #[inline]
    pub(super) fn overlapping(
        &self,
        first: Option<[u32; 3]>,
        bounds: &Aabb,
        mut found: impl FnMut(&Entry) -> Result<()>,
    ) -> Result<()> {
        let [low, high] = self.reach(bounds);
        let cells: u64 = (0..3).map(|axis| u64::from(high[axis] - low[axis] + 1)).product();
        if cells > self.entries.len() as u64 {
            // There are fewer bodies than cells to visit, so all bodies are tested.
            return self.entries.iter().filter(|entry| bounds.overlaps(&entry.bounds)).try_for_each(found);
        }
        each_row(first.unwrap_or(low), [low, high], |row| {
            let mut visit = |entry: &Entry| {
                if row.has(entry.cell) & bounds.overlaps(&entry.bounds) { found(entry) } else { Ok(()) }
            };
            self.visit_sorted(&row, &mut visit)?;
            if self.heads.is_empty() { Ok(()) } else { self.visit_added(&row, &mut visit) }
        })
    }

    /// Calls `visit` for the sorted entries of the buckets of a row.
    #[inline]
    fn visit_sorted(&self, row: &Row, visit: &mut impl FnMut(&Entry) -> Result<()>) -> Result<()> {
        let buckets = self.starts.len() - 1;
        let (first, count) = (bucket(row.hash, buckets), row.count as usize);
        let end = (first + count).min(buckets);
        self.sorted_of(first, end).iter().try_for_each(&mut *visit)?;
        // The bucket after the last one is the first one.
        self.sorted_of(0, first + count - end).iter().try_for_each(visit)
    }

    /// The sorted entries of the buckets from `first` to before `end`.
    #[inline]
    fn sorted_of(&self, first: usize, end: usize) -> &[Entry] {
        &self.entries[self.starts[first] as usize..self.starts[end] as usize]
    }

    /// Calls `visit` for the added entries of the buckets of a row.
    fn visit_added(&self, row: &Row, visit: &mut impl FnMut(&Entry) -> Result<()>) -> Result<()> {
        for hash in (0..row.count).map(|at| row.hash.wrapping_add(at)) {
            let mut at = self.heads[bucket(hash, self.heads.len())];
            while at != NONE {
                let entry = &self.entries[at as usize];
                at = entry.next;
                visit(entry)?;
            }
        }
        Ok(())
    }

    /// Returns about how many rows of cells of another grid all bodies visit that search it.
    pub(super) fn visits_to(&self, other: &Self) -> f64 {
        let across = [0, 1].map(|axis| 1.0 + 2.0 * (self.half[axis] + other.half[axis]) * other.scale);
        // A search of more cells than bodies tests all bodies.
        self.entries.len() as f64 * (across[0] * across[1]).min(other.entries.len() as f64)
    }

    /// Returns the lowest and the highest cell in which the centre of a body can be that overlaps `bounds`.
    #[inline]
    fn reach(&self, bounds: &Aabb) -> [[u32; 3]; 2] {
        // A little more, for the round-off of sizes and of positions far from the origin.
        let far = bounds.lower.abs().sup(&bounds.upper.abs()) * (8.0 * f64::EPSILON);
        let half = far + self.half.map(|half| (1.000_001 * half).min(0.500_001 * self.edge));
        [self.cell(&(bounds.lower - half)), self.cell(&(bounds.upper + half))]
    }

    /// Half of the largest extent of a body, along each axis.
    pub(super) fn max_half_extent(&self) -> Vec3 {
        self.half
    }

    #[inline]
    fn cell(&self, point: &Vec3) -> [u32; 3] {
        std::array::from_fn(|axis| {
            let along = ((point[axis] - self.origin[axis]) * self.scale).clamp(-FAR, FAR - 1.0);
            // The number is positive, so the conversion rounds down.
            (along + FAR) as u32
        })
    }

    /// The bodies of each bucket of the sorted and of the added ones.
    #[cfg(test)]
    pub(super) fn occupation(&self) -> impl Iterator<Item = usize> {
        let sorted = self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
        let next = |at: &u32| Some(self.entries[*at as usize].next).filter(|at| *at != NONE);
        let chain = move |head: &u32| std::iter::successors(Some(*head).filter(|at| *at != NONE), next).count();
        sorted.chain(self.heads.iter().map(chain))
    }
}

/// Returns the number of buckets for `count` bodies, a power of two. With fewer buckets more cells would share one.
fn buckets(count: usize) -> usize {
    count.saturating_mul(2).next_power_of_two().max(64)
}

/// Returns the bucket of a hash.
#[inline]
fn bucket(hash: u32, buckets: usize) -> usize {
    hash as usize & (buckets.wrapping_sub(1))
}
