//! The number of a lane among the lanes of all batches.

use crate::math::lanes::WIDE;

/// The number of a lane, counted over all batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct LaneSlot(pub u32);

impl LaneSlot {
    /// No lane; its index is behind those of all arrays.
    pub const NONE: Self = Self(u32::MAX);

    /// Returns a lane of a batch.
    #[inline(always)]
    pub fn new(batch: usize, lane: usize) -> Self {
        Self((WIDE * batch + lane) as u32)
    }

    /// Returns its place in an array with an element for each lane.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the batch.
    #[inline(always)]
    pub fn batch(self) -> usize {
        self.index() / WIDE
    }

    /// Returns the lane within the batch.
    #[inline(always)]
    pub fn lane(self) -> usize {
        self.index() % WIDE
    }
}
