//! Which bodies may touch: by their collision filters, and by their bounding spheres.

use crate::collide::group::Part;
use crate::math::{Period, Vec3};

/// The collision filter of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// Whether impulses move the body. Two bodies that no impulse moves have no contacts.
    pub moves: bool,
    /// Bits of the groups that the body is in.
    pub category: u32,
    /// Bits of the groups that it collides with.
    pub mask: u32,
    /// Bodies of one group other than 0 always collide if it is positive, and never if it is negative.
    pub group: i32,
}

impl Filter {
    /// Returns whether the filters let two bodies touch.
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

/// A sphere, or the bounding sphere of a shape about its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// World axes [m].
    pub center: Vec3,
    /// Infinite for half-spaces [m].
    pub radius: f64,
}

impl Ball {
    /// Returns whether the gap of two balls is at most `margin` [m]. For spheres it uses the same numbers as their contact.
    #[inline]
    pub fn reaches(&self, other: &Self, margin: f64) -> bool {
        self.reaches_along(&(other.center - self.center), other, margin)
    }

    #[inline]
    fn reaches_along(&self, arm: &Vec3, other: &Self, margin: f64) -> bool {
        let reach = self.radius + other.radius + margin;
        arm.norm_squared() <= reach * reach
    }
}

/// Writes the pairs of a part whose balls are within `margin` [m] of each other to the beginning of `out`, in the same order, and returns
/// their number. `out` has room for all pairs of the part. In a periodic box the distance is that of the nearest images.
pub fn near(balls: &[Ball], part: &Part, margin: f64, period: &Period, out: &mut [(u32, u32)]) -> usize {
    if period.is_open() {
        return near_if(balls, part, |one, other| one.reaches(other, margin), out);
    }
    let reaches =
        |one: &Ball, other: &Ball| one.reaches_along(&period.nearest(&(other.center - one.center)), other, margin);
    near_if(balls, part, reaches, out)
}

#[inline(always)]
fn near_if(balls: &[Ball], part: &Part, reaches: impl Fn(&Ball, &Ball) -> bool, out: &mut [(u32, u32)]) -> usize {
    let mut count = 0;
    for (slot, bounds) in (part.first..).zip(part.starts.windows(2)) {
        let ball = balls[slot];
        for partner in &part.partners[bounds[0] as usize..bounds[1] as usize] {
            let other = &balls[*partner as usize];
            // Each pair is written, and the next one overwrites it if it is not kept. A branch would be unpredictable: one pair in three is
            // dropped.
            out[count] = (slot as u32, *partner);
            count += usize::from(reaches(&ball, other));
        }
    }
    count
}
