//! A box that repeats itself in space, and the nearest image of one point seen from another.

use crate::error::{Error, Number, Result, finite, text};
use crate::math::Vec3;
use crate::math::lanes::{Lanes, Vec3s};

/// The lengths of a periodic box along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Period {
    /// 0 along open axes [m].
    lengths: Vec3,
    /// 1 over the lengths; 0 along open axes.
    inverse: Vec3,
}

/// The smallest and the largest period [m].
const MIN_PERIOD: f64 = 1e-100;
const MAX_PERIOD: f64 = 1e100;

/// Added to a number and subtracted again, it leaves the nearest whole number; the even one of two. Numbers beyond 2^51 are inexact.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;

impl Period {
    /// Space without a period.
    pub const OPEN: Self = Self { lengths: Vec3::new(0.0, 0.0, 0.0), inverse: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns a box of these lengths.
    ///
    /// # Errors
    ///
    /// A length is neither 0 nor from 1e-100 to 1e100 m.
    pub fn new(lengths: [f64; 3]) -> Result<Self> {
        for (axis, length) in lengths.into_iter().enumerate() {
            finite(&text!("period[{axis}]"), length)?;
            if length != 0.0 && !(MIN_PERIOD..=MAX_PERIOD).contains(&length) {
                let value = Number(length);
                return Err(Error::argument(text!("period[{axis}] is {value}, expected 0 or 1e-100 to 1e100 m")));
            }
        }
        let lengths = Vec3::from(lengths).abs();
        Ok(Self { lengths, inverse: lengths.map(|length| if length > 0.0 { 1.0 / length } else { 0.0 }) })
    }

    /// Returns whether no axis has a period.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.lengths == Vec3::zeros()
    }

    /// Returns the lengths; 0 along open axes [m].
    pub fn lengths(&self) -> &Vec3 {
        &self.lengths
    }

    /// Returns the whole periods by which an arm exceeds its nearest image [m].
    #[inline]
    pub fn excess(&self, arm: &Vec3) -> Vec3 {
        let steps = arm.component_mul(&self.inverse).map(|steps| (steps + ROUND) - ROUND);
        steps.component_mul(&self.lengths)
    }

    /// Returns the nearest image of an arm: the shortest of those that differ from it by whole periods [m].
    #[inline]
    pub fn nearest(&self, arm: &Vec3) -> Vec3 {
        arm - self.excess(arm)
    }

    /// Returns the nearest images of the arms in all lanes, the same numbers as [`Period::nearest`] [m].
    #[inline(always)]
    pub fn nearest_lanes<L: Lanes>(&self, arm: Vec3s<L>) -> Vec3s<L> {
        let along = |arm: L, axis: usize| {
            let steps = (arm * L::splat(self.inverse[axis]) + L::splat(ROUND)) - L::splat(ROUND);
            arm - steps * L::splat(self.lengths[axis])
        };
        Vec3s::new(along(arm.x, 0), along(arm.y, 1), along(arm.z, 2))
    }

    /// Returns the whole periods between the box at the origin and the one that holds a point [m].
    pub fn whole(&self, point: &Vec3) -> Vec3 {
        point.component_mul(&self.inverse).map(f64::floor).component_mul(&self.lengths)
    }
}
