//! The surface of a half-space.

use crate::math::{Pose, Vec3};
use crate::shape::HalfSpace;

/// The surface of a half-space at its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Of unit length, out of the solid, world axes.
    pub normal: Vec3,
    /// From where `offset` counts [m].
    pub origin: Vec3,
    /// Of the surface from `origin` along the normal [m].
    pub offset: f64,
}

impl Plane {
    /// Of this half-space at this place.
    pub fn new(half_space: &HalfSpace, pose: &Pose) -> Self {
        Self { normal: pose.matrix * half_space.normal, origin: pose.origin, offset: half_space.offset }
    }

    /// How far `point` is outside the solid [m].
    #[inline]
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(&(point - self.origin)) - self.offset
    }
}
