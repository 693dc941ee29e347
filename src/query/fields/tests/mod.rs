//! Tests of fields, one file for each source.

mod cells;
mod field;
mod images;
mod kernel;
mod points;

use crate::math::Vec3;

/// Random numbers from -1 to 1, the same in each run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}
