//! Parts of contacts: the impulse between two bodies, and normals and gaps side by side.

use std::ops::AddAssign;

use super::lanes::{Wide, put, take};
use super::vector::Vec3;

/// The impulse of the force of a contact on body b, world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

/// The impulse of a contact on body b: force and torque, world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImpulsiveWrench {
    /// Of the force.
    pub force: Impulse,
    /// Of the torque: rolling resistance in the tangent plane, twisting resistance along the normal [N m s].
    pub torque: Vec3,
}

impl ImpulsiveWrench {
    /// None.
    pub const ZERO: Self = Self { force: Impulse::ZERO, torque: Vec3::new(0.0, 0.0, 0.0) };
}

impl From<Impulse> for ImpulsiveWrench {
    /// Without torque.
    fn from(force: Impulse) -> Self {
        Self { force, torque: Vec3::zeros() }
    }
}

impl AddAssign for ImpulsiveWrench {
    fn add_assign(&mut self, other: Self) {
        self.force.normal += other.force.normal;
        self.force.tangential += other.force.tangential;
        self.torque += other.torque;
    }
}

/// The normals and the gaps of eight contacts. A lane without a contact is all zero.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct PointX8 {
    /// Unit, from a to b, world axes.
    pub normal: [Wide; 3],
    /// Above zero: apart [m].
    pub gap: Wide,
}

impl PointX8 {
    /// No contacts.
    pub const NONE: Self = Self { normal: [Wide::splat(0.0); 3], gap: Wide::splat(0.0) };

    /// Returns the normal in a lane.
    #[inline(always)]
    pub fn normal(&self, lane: usize) -> Vec3 {
        take(&self.normal, lane)
    }

    /// Sets the normal in a lane.
    #[inline(always)]
    pub fn set_normal(&mut self, lane: usize, normal: &Vec3) {
        put(&mut self.normal, lane, normal);
    }
}
