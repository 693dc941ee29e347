//! The bodies of a problem: velocities and inverse masses.

use crate::math::{Symmetric3, Vec3};

/// Velocity of a body: of its centre of mass, and its spin, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity {
    /// [m/s]
    pub linear: Vec3,
    /// [rad/s]
    pub angular: Vec3,
}

impl Velocity {
    /// At rest.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the velocity of the body's point at `arm` from the centre of mass.
    #[inline(always)]
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// The inverse mass matrix of a body, world axes. All zero: immovable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassInverse {
    /// Per axis, so that single translations can be locked [1/kg].
    pub linear: Vec3,
    /// [1/(kg m^2)]
    pub angular: Symmetric3,
}

impl MassInverse {
    /// The inverse mass matrix of a body that nothing moves.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Symmetric3 { entries: [0.0; 6] } };

    /// Returns whether no impulse moves the body.
    pub fn is_immovable(&self) -> bool {
        *self == Self::ZERO
    }

    /// Returns `(1/m, 1/I)` of an isotropic body.
    pub fn isotropic(&self) -> Option<(f64, f64)> {
        let m = &self.linear;
        let linear = (m.x == m.y && m.y == m.z).then_some(m.x)?;
        Some((linear, self.angular.isotropic()?))
    }

    /// Adds the change of `velocity` that `impulse` and the angular impulse `moment` about the centre of mass make.
    #[inline(always)]
    pub fn apply(&self, velocity: &mut Velocity, impulse: &Vec3, moment: &Vec3) {
        velocity.linear += self.linear.component_mul(impulse);
        velocity.angular += self.angular.times(moment);
    }
}
