//! Boxes along the world axes.

use super::vector::Vec3;

/// A box along the world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Its lowest corner [m].
    pub lower: Vec3,
    /// Its highest corner [m].
    pub upper: Vec3,
}

impl Aabb {
    /// Whether the two boxes have a point in common (touching counts).
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without branches: which of the six decides is not to be foreseen.
        let meet = |axis: usize| (self.lower[axis] <= other.upper[axis]) & (other.lower[axis] <= self.upper[axis]);
        meet(0) & meet(1) & meet(2)
    }

    /// Whether all of `part` lies in this box.
    pub fn holds(&self, part: &Self) -> bool {
        let corners = self.lower.iter().zip(&part.lower).chain(part.upper.iter().zip(&self.upper));
        corners.into_iter().all(|(outer, inner)| outer <= inner)
    }

    /// The box grown by `margin` on every side.
    pub fn grown(&self, margin: f64) -> Self {
        let by = Vec3::repeat(margin);
        Self { lower: self.lower - by, upper: self.upper + by }
    }
}
