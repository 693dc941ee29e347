//! Which bodies may touch: by their groups wherever they are, and by the balls that hold them.

use crate::collide::group::Part;
use crate::math::{Period, Vec3};

/// What decides whether two bodies may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// Whether impulses move it: two bodies that they do not move make no pair.
    pub moves: bool,
    /// The groups it is in.
    pub category: u32,
    /// The groups it collides with.
    pub mask: u32,
    /// Positive: always collides with its own group, negative: never.
    pub group: i32,
}

impl Filter {
    /// Whether the two bodies may touch at all.
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

/// A ball: a sphere, or what holds all of a shape about its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// World axes [m].
    pub center: Vec3,
    /// Infinite for half-spaces [m].
    pub radius: f64,
}

impl Ball {
    /// Whether the two are at most `margin` apart; said of two spheres by the same numbers as their contact.
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

/// Of a part of the neighbours, the pairs whose balls are within `margin` [m] of each other, in the same order; of a periodic box, in the
/// nearest image. They are written to the beginning of `out`, which has room for all; answers how many.
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
            // Written in any case, and kept or written over: a pair in three is dropped, which no processor foresees.
            out[count] = (slot as u32, *partner);
            count += usize::from(reaches(&ball, other));
        }
    }
    count
}
