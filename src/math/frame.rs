//! Places and directions: the pose of a body-fixed frame, and tangents to a normal.

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

/// Two unit vectors that form a right-handed frame `(normal, t1, t2)` with a unit `normal`.
///
/// Branchless but for the sign (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 2017):
/// orthonormal to round-off for every normal, and continuous but at `z = 0`.
pub fn tangents(normal: &Vec3) -> (Vec3, Vec3) {
    let [t1, t2] = Vec3s::from(*normal).tangents();
    (t1.into(), t2.into())
}
