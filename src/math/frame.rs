//! Places and directions: the pose of a body-fixed frame, boxes along the world axes, and tangents to a normal.

use super::lanes::Vec3s;
use super::vector::{Mat3, Quat, Vec3};

/// Where a body-fixed frame is: `world = origin + rotation * local`.
///
/// The quaternion is the truth; the matrix is kept beside it because detection applies it many times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The frame's origin, world axes [m].
    pub origin: Vec3,
    /// Body axes to world axes.
    pub rotation: Quat,
    /// The same rotation as a matrix.
    pub matrix: Mat3,
}

impl Pose {
    /// The pose with this origin and rotation.
    pub fn new(origin: Vec3, rotation: Quat) -> Self {
        Self { origin, rotation, matrix: *rotation.to_rotation_matrix().matrix() }
    }

    /// A point given in body axes, in world axes.
    pub fn to_world(&self, local: &Vec3) -> Vec3 {
        self.origin + self.matrix * local
    }

    /// A point given in world axes, in body axes.
    pub fn to_local(&self, world: &Vec3) -> Vec3 {
        self.matrix.tr_mul(&(world - self.origin))
    }
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

/// Two unit vectors that form a right-handed frame `(normal, t1, t2)` with a unit `normal`.
///
/// Branchless but for the sign (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 2017):
/// orthonormal to round-off for every normal, and continuous but at `z = 0`.
pub fn tangents(normal: &Vec3) -> (Vec3, Vec3) {
    let [t1, t2] = Vec3s::from(*normal).tangents();
    (t1.into(), t2.into())
}
