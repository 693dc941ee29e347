//! A ball at its place.

use crate::math::Vec3;

/// A ball: a sphere, or what holds all of a shape about its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// World axes [m].
    pub center: Vec3,
    /// Infinite for half-spaces [m].
    pub radius: f64,
}

impl Ball {
    /// The ball of this radius about this point.
    #[inline]
    pub(super) fn new(center: &Vec3, radius: f64) -> Self {
        Self { center: *center, radius }
    }

    /// Whether the two are at most `margin` apart; said of two spheres by the same numbers as their contact.
    #[inline]
    pub fn reaches(&self, other: &Self, margin: f64) -> bool {
        let arm = other.center - self.center;
        let reach = self.radius + other.radius + margin;
        arm.norm_squared() <= reach * reach
    }
}
