//! Loads of bodies.

use crate::math::Vec3;

/// A force on a body at its centre of mass, and a torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// [N]
    pub force: Vec3,
    /// [N m]
    pub torque: Vec3,
}

impl Load {
    /// No load.
    pub const ZERO: Self = Self { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// Its size as a force, the torque at the distance `half` [N].
    pub(super) fn size(&self, half: f64) -> f64 {
        self.force.norm().max(self.torque.norm() / half)
    }
}
