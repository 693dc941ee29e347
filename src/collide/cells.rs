//! One grid of cells of one size, with the bodies filed in it.
//!
//! A body is filed by the centre of its bounds. Cells are hashed in regions of 16x16x16, and in these in blocks of 4x4x4, so
//! that neighbouring cells lie in neighbouring memory and are visited one after the other; the bodies of one bucket are a linked list, laid
//! out in a row when the grid is filled anew.

use crate::error::{Result, empty, push, refill, resize};
use crate::math::{Aabb, Vec3};

/// No entry, or no body.
pub(super) const NONE: u32 = u32::MAX;

/// Cell coordinates are 21 bits each; cells beyond are shared.
const BITS: u32 = 21;
const FAR: f64 = (1_u32 << (BITS - 1)) as f64;

/// Bounds that overlap nothing: of an entry without a body.
const NOWHERE: Aabb = Aabb {
    lower: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    upper: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
};

/// A filed body: one line of the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) bounds: Aabb,
    /// Its cell's coordinates, x in the highest bits.
    pub(super) cell: u64,
    pub(super) slot: u32,
    /// The next entry of the bucket.
    next: u32,
}

impl Entry {
    const EMPTY: Self = Self { bounds: NOWHERE, cell: 0, slot: NONE, next: NONE };
}

/// The grid.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// Cells are `2^exponent` times the size of the grids' first one.
    pub(super) exponent: i32,
    /// Edge of a cell, and its inverse.
    edge: f64,
    scale: f64,
    /// Where cells are counted from.
    origin: Vec3,
    pub(super) entries: Vec<Entry>,
    /// First entry of each bucket.
    heads: Vec<u32>,
    /// First of the entries without a body, linked like a bucket.
    unused: u32,
}

impl Cells {
    /// Makes it an empty grid of cells of `edge` [m], counted from `origin`, for `count` bodies.
    pub(super) fn reset(&mut self, exponent: i32, edge: f64, origin: &Vec3, count: usize) -> Result<()> {
        self.exponent = exponent;
        self.edge = edge;
        self.scale = (1.0 / edge).min(f64::MAX);
        self.origin = *origin;
        self.unused = NONE;
        empty(&mut self.entries, count, "bodies of the grid")?;
        refill(&mut self.heads, count.next_power_of_two().max(64), 0, "cells of the grid")
    }

    /// Counts a body that [`Cells::place`] will place; answers its bucket.
    #[inline]
    pub(super) fn count(&mut self, bounds: &Aabb) -> u32 {
        let bucket = self.bucket(self.cell(&center(bounds)));
        self.heads[bucket as usize] += 1;
        bucket
    }

    /// Reserves memory for all that were counted.
    pub(super) fn make_places(&mut self) -> Result<()> {
        let mut end = 0;
        for head in &mut self.heads {
            (*head, end) = (end, end + *head);
        }
        resize(&mut self.entries, end as usize, Entry::EMPTY, "bodies of the grid")
    }

    /// Places a body that was counted in `bucket`; answers its entry.
    #[inline]
    pub(super) fn place(&mut self, slot: u32, bounds: &Aabb, bucket: u32) -> u32 {
        let entry = self.heads[bucket as usize];
        self.heads[bucket as usize] += 1;
        self.entries[entry as usize] =
            Entry { bounds: *bounds, cell: key(self.cell(&center(bounds))), slot, next: NONE };
        entry
    }

    /// Links all filed bodies, those of each bucket in their order.
    pub(super) fn link(&mut self) {
        self.heads.fill(NONE);
        for at in (0..self.entries.len()).rev() {
            // those without a body are linked to each other
            if self.entries[at].slot == NONE {
                continue;
            }
            let bucket = self.bucket(unpacked(self.entries[at].cell)) as usize;
            self.entries[at].next = self.heads[bucket];
            self.heads[bucket] = at as u32;
        }
    }

    /// Files one more body; answers its entry.
    pub(super) fn insert(&mut self, slot: u32, bounds: &Aabb) -> Result<u32> {
        if self.entries.len() > 2 * self.heads.len() {
            // A grid that began with few bodies: without more buckets each of them would hold a part of all.
            resize(&mut self.heads, self.entries.len().next_power_of_two(), NONE, "cells of the grid")?;
            self.link();
        }
        let cell = self.cell(&center(bounds));
        let bucket = self.bucket(cell) as usize;
        if self.unused == NONE {
            push(&mut self.entries, Entry::EMPTY, "bodies of the grid")?;
            self.unused = self.entries.len() as u32 - 1;
        }
        let at = self.unused;
        let entry = &mut self.entries[at as usize];
        self.unused = entry.next;
        *entry = Entry { bounds: *bounds, cell: key(cell), slot, next: self.heads[bucket] };
        self.heads[bucket] = at;
        Ok(at)
    }

    /// Takes a body out.
    pub(super) fn remove(&mut self, entry: u32) {
        let Entry { cell, next, .. } = self.entries[entry as usize];
        let bucket = self.bucket(unpacked(cell)) as usize;
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

    /// Calls `found` for the filed bodies whose bounds overlap those of `body`, without the ones that count the pair themselves.
    #[inline]
    pub(super) fn overlapping_after(&self, body: &Entry, mut found: impl FnMut(&Entry) -> Result<()>) -> Result<()> {
        let counts = |other: &Entry| (body.cell, body.slot) < (other.cell, other.slot);
        let counted = |other: &Entry| if counts(other) { found(other) } else { Ok(()) };
        self.overlapping(Some(unpacked(body.cell)), &body.bounds, counted)
    }

    /// Calls `found` for every filed body whose bounds overlap `bounds`. Where there is a `first` cell, the bodies of the cells before it
    /// may be left out.
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
            // Whatever their cells: bodies are few, or much smaller than the bounds.
            return self.entries.iter().filter(|entry| bounds.overlaps(&entry.bounds)).try_for_each(found);
        }
        let first = first.unwrap_or(low);
        for x in first[0]..=high[0] {
            let first_y = if x == first[0] { first[1] } else { low[1] };
            for y in first_y..=high[1] {
                let first_z = if x == first[0] && y == first[1] { first[2] } else { low[2] };
                for z in first_z..=high[2] {
                    self.visit_cell([x, y, z], bounds, &mut found)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn visit_cell(&self, cell: [u32; 3], bounds: &Aabb, found: &mut impl FnMut(&Entry) -> Result<()>) -> Result<()> {
        let mut at = self.heads[self.bucket(cell) as usize];
        let cell = key(cell);
        while at != NONE {
            let entry = &self.entries[at as usize];
            at = entry.next;
            if (entry.cell == cell) & bounds.overlaps(&entry.bounds) {
                found(entry)?;
            }
        }
        Ok(())
    }

    /// The first and the last of the cells in which the centre of a body of this grid can be that overlaps `bounds`.
    #[inline]
    fn reach(&self, bounds: &Aabb) -> [[u32; 3]; 2] {
        // At most half a cell outside, and a little for round-off: of the size, and of places far from the origin.
        let far = bounds.lower.abs().sup(&bounds.upper.abs()) * (8.0 * f64::EPSILON);
        let half = far.add_scalar(0.500_001 * self.edge);
        [self.cell(&(bounds.lower - half)), self.cell(&(bounds.upper + half))]
    }

    #[inline]
    fn cell(&self, point: &Vec3) -> [u32; 3] {
        std::array::from_fn(|axis| {
            let along = ((point[axis] - self.origin[axis]) * self.scale).clamp(-FAR, FAR - 1.0);
            // Above zero, so that cutting off what follows the point is rounding down.
            (along + FAR) as u32
        })
    }

    /// The bucket of a cell: a hash of its region of 16x16x16 cells, then its block of 4x4x4 there, then its place in the block.
    #[inline]
    pub(super) fn bucket(&self, [x, y, z]: [u32; 3]) -> u32 {
        let part = |along: u32, factor: u64| u64::from(along >> 4).wrapping_mul(factor);
        let mut region =
            part(x, 0x9E37_79B9_7F4A_7C15) ^ part(y, 0xBF58_476D_1CE4_E5B9) ^ part(z, 0x94D0_49BB_1331_11EB);
        region ^= region >> 32;
        let place = |shift: u32| (x >> shift & 3) << 4 | (y >> shift & 3) << 2 | (z >> shift & 3);
        // Permuted within the region, so that regions with one layer of bodies do not all use the same buckets.
        let within = (place(2) << 6 | place(0)) ^ (region as u32 >> 20);
        ((region as u32) << 12 | within) & (self.heads.len() - 1) as u32
    }
}

#[inline]
fn center(bounds: &Aabb) -> Vec3 {
    0.5 * bounds.lower + 0.5 * bounds.upper
}

#[inline]
fn key([x, y, z]: [u32; 3]) -> u64 {
    u64::from(x) << (2 * BITS) | u64::from(y) << BITS | u64::from(z)
}

#[inline]
pub(super) fn unpacked(key: u64) -> [u32; 3] {
    [2 * BITS, BITS, 0].map(|shift| (key >> shift) as u32 & ((1 << BITS) - 1))
}
