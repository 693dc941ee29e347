//! One row of a joint: its Jacobian for both bodies.

use crate::math::Vec3;

/// A part of a row for one body, or the velocity of one body: a vector that goes with the centre of mass, and one that goes with the spin.
/// World axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideVector {
    /// Of the velocity of the centre of mass; as a velocity [m/s].
    pub linear: Vec3,
    /// Of the angular velocity; as a velocity [rad/s].
    pub angular: Vec3,
}

impl SideVector {
    /// A vector of zeros.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the scalar product with another one.
    pub fn dot(&self, other: &Self) -> f64 {
        self.linear.dot(&other.linear) + self.angular.dot(&other.angular)
    }
}

/// The Jacobian of one row. Its velocity is that of B relative to A; its impulse acts on B, and the opposite one on A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRow {
    /// Of body A.
    pub a: SideVector,
    /// Of body B.
    pub b: SideVector,
}

impl JointRow {
    /// A row of zeros.
    pub const ZERO: Self = Self { a: SideVector::ZERO, b: SideVector::ZERO };

    /// Returns the row of the relative angular velocity along `gradient`.
    pub fn turning(gradient: Vec3) -> Self {
        let side = |angular| SideVector { linear: Vec3::zeros(), angular };
        Self { a: side(-gradient), b: side(gradient) }
    }

    /// Returns the velocity of the row, `J_A v_A + J_B v_B` [m/s] or [rad/s].
    pub fn velocity(&self, a: &SideVector, b: &SideVector) -> f64 {
        self.a.dot(a) + self.b.dot(b)
    }
}
