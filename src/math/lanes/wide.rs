//! Eight doubles in memory.

use crate::math::Vec3;

/// The number of doubles side by side in memory, whatever the width of the machine.
pub const WIDE: usize = 8;

/// [`WIDE`] doubles: one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(64))]
pub struct Wide(pub [f64; WIDE]);

impl Wide {
    /// Returns one value in all lanes.
    pub const fn splat(value: f64) -> Self {
        Self([value; WIDE])
    }
}

/// Puts a vector into a lane.
#[inline(always)]
pub fn put(to: &mut [Wide; 3], lane: usize, vector: &Vec3) {
    for (wide, value) in to.iter_mut().zip(vector.iter()) {
        wide.0[lane] = *value;
    }
}

/// Returns the vector in a lane.
#[inline(always)]
pub fn take(from: &[Wide; 3], lane: usize) -> Vec3 {
    Vec3::new(from[0].0[lane], from[1].0[lane], from[2].0[lane])
}
