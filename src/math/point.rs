//! Normals and gaps of eight contacts, side by side.

use super::Vec3;
use super::lanes::{Wide, put, take};

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
