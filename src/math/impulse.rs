//! The impulse of a force between two bodies.

use super::vector::Vec3;

/// The impulse of the force of a contact on body b, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impulse {
    /// Along the normal, not below zero [N s].
    pub normal: f64,
    /// In the tangent plane [N s].
    pub tangential: Vec3,
}

impl Impulse {
    /// None.
    pub const ZERO: Self = Self { normal: 0.0, tangential: Vec3::new(0.0, 0.0, 0.0) };

    /// Of a force with these parts.
    pub fn force(normal: f64, tangential: Vec3) -> Self {
        Self { normal, tangential }
    }

    /// As one vector.
    pub fn vector(&self, normal: &Vec3) -> Vec3 {
        self.normal * normal + self.tangential
    }

    /// This impulse times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { normal: self.normal * factor, tangential: self.tangential * factor }
    }
}
