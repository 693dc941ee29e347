//! What the broad phase sees of a body, and the list of pairs it makes.

use crate::error::{Result, reserve, resize};
use crate::math::{Aabb, Vec3};

/// What the broad phase sees of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy {
    /// The body's bounds, grown by half the contact margin, world axes [m].
    pub bounds: Aabb,
    /// Whether impulses move it: two bodies that they do not move make no pair.
    pub moves: bool,
    /// Whether there is a body, and `bounds` are finite.
    pub bounded: bool,
    /// The groups it is in.
    pub category: u32,
    /// The groups it collides with.
    pub mask: u32,
    /// Positive: always collides with its own group, negative: never.
    pub group: i32,
}

impl Proxy {
    /// No body.
    pub const ABSENT: Self = Self {
        bounds: Aabb { lower: Vec3::new(0.0, 0.0, 0.0), upper: Vec3::new(0.0, 0.0, 0.0) },
        moves: false,
        bounded: false,
        category: 0,
        mask: 0,
        group: 0,
    };

    /// Whether the two bodies may touch at all, wherever they are.
    #[inline]
    pub fn admits(&self, other: &Self) -> bool {
        if !(self.moves || other.moves) {
            return false;
        }
        if self.group != 0 && self.group == other.group {
            return self.group > 0;
        }
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}

/// Pairs of slots, the smaller first, sorted.
#[derive(Debug, Default)]
pub struct PairList {
    found: Vec<(u32, u32)>,
    sorted: Vec<(u32, u32)>,
    starts: Vec<u32>,
}

impl PairList {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.found.clear();
    }

    /// Adds a pair in any order of its bodies.
    #[inline]
    pub fn push(&mut self, one: u32, other: u32) -> Result<()> {
        if self.found.len() == self.found.capacity() {
            let more = self.found.len().max(64);
            reserve(&mut self.found, more, "pairs of bodies")?;
        }
        self.found.push((one.min(other), one.max(other)));
        Ok(())
    }

    /// All pairs of bodies below `slots`, sorted: by counting over the first body, then within its few partners. The
    /// order depends on the slots alone, not on how the pairs were found.
    pub fn sorted(&mut self, slots: usize) -> Result<&[(u32, u32)]> {
        self.starts.clear();
        resize(&mut self.starts, slots + 1, 0, "bodies of the pairs")?;
        self.sorted.clear();
        resize(&mut self.sorted, self.found.len(), (0, 0), "pairs of bodies")?;
        for (first, _) in &self.found {
            self.starts[*first as usize + 1] += 1;
        }
        for slot in 0..slots {
            self.starts[slot + 1] += self.starts[slot];
        }
        for pair in &self.found {
            let next = &mut self.starts[pair.0 as usize];
            self.sorted[*next as usize] = *pair;
            *next += 1;
        }
        // Each start has moved to its end: the group of a slot is what lies between the one before and its own.
        let mut begin = 0;
        for end in &self.starts[..slots] {
            self.sorted[begin..*end as usize].sort_unstable();
            begin = *end as usize;
        }
        Ok(&self.sorted)
    }
}
