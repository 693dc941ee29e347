//! The vocabulary of vectors and matrices (nalgebra's), and the few formulas that several rooms need.
//!
//! Right-handed axes, SI units. Knows nothing of bodies or contacts.

pub mod elementary;
mod frame;
mod impulse;
pub mod lanes;
mod rotation;
mod semidefinite;
mod symmetric;

#[cfg(test)]
mod tests;

pub use frame::{Pose, tangents};
pub use impulse::Impulse;
pub use rotation::{angular_drift, cayley, long_cayley, turned_by};
pub use semidefinite::is_semidefinite;
pub use symmetric::Symmetric3;

/// A vector of three doubles.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3x3 matrix of doubles.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A quaternion of any length.
pub type Quaternion = nalgebra::Quaternion<f64>;
/// A unit quaternion.
pub type Quat = nalgebra::UnitQuaternion<f64>;

/// Whether every number of some vectors is finite: zero times what is not is no number, so that one comparison tells of all.
#[inline(always)]
pub fn are_finite<const N: usize>(vectors: [&Vec3; N]) -> bool {
    let nothing = vectors.into_iter().fold(Vec3::zeros(), |sum, vector| sum + 0.0 * vector);
    nothing.x + nothing.y + nothing.z == 0.0
}

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
