//! Scalar rows: a Jacobian, bounds and a compliance.

use crate::math::{BodyRow, RowId, Vec3};
use crate::solver::problem::body::{MassInverse, Velocity};
use crate::solver::problem::measure::Measure;

/// One row of a Jacobian for one body: its product with the velocity of the body is a part of the velocity of the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jacobian {
    /// Times the velocity of the centre of mass.
    pub linear: Vec3,
    /// Times the spin.
    pub angular: Vec3,
}

impl Jacobian {
    /// The Jacobian of a body that does not move the row.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the velocity of the row that `velocity` of the body makes.
    #[inline(always)]
    pub fn dot(&self, velocity: &Velocity) -> f64 {
        self.linear.dot(&velocity.linear) + self.angular.dot(&velocity.angular)
    }
}

/// One scalar row: `w = J v + S lambda - rhs` is zero, as far as `lower <= lambda <= upper` allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of body a, or [`BodyRow::NONE`] for the fixed world.
    pub body_a: BodyRow,
    /// Index of body b, or [`BodyRow::NONE`] for the fixed world; not body a.
    pub body_b: BodyRow,
    /// Of body a.
    pub jacobian_a: Jacobian,
    /// Of body b.
    pub jacobian_b: Jacobian,
    /// What `J v + S lambda` is to be.
    pub rhs: f64,
    /// `S`.
    pub compliance: f64,
    /// Least impulse; may be infinite.
    pub lower: f64,
    /// Largest impulse; may be infinite.
    pub upper: f64,
    /// The row whose impulse's magnitude multiplies both bounds, one that has no such row itself.
    pub friction_row: Option<RowId>,
}

impl Row {
    /// Returns the impulse within its bounds, which `scale` multiplies.
    #[inline(always)]
    pub fn bounded(&self, lambda: f64, scale: f64) -> f64 {
        // infinity times nothing is no number
        if scale == 0.0 { 0.0 } else { lambda.min(self.upper * scale).max(self.lower * scale) }
    }

    /// Returns `D = J M^-1 J^T + S`.
    pub fn block(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |jacobian: &Jacobian, mass: &MassInverse| {
            jacobian.linear.dot(&mass.linear.component_mul(&jacobian.linear))
                + jacobian.angular.dot(&mass.angular.times(&jacobian.angular))
        };
        side(&self.jacobian_a, mass_a) + side(&self.jacobian_b, mass_b) + self.compliance
    }

    /// Returns the scale of its residual. A row of spins alone counts at the distance at which both bodies answer to a
    /// torque as to a force.
    pub fn measure(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> Measure {
        let scale = self.block(mass_a, mass_b);
        let turns_alone = self.jacobian_a.linear == Vec3::zeros() && self.jacobian_b.linear == Vec3::zeros();
        let turning = mass_a.angular.trace() + mass_b.angular.trace();
        if !turns_alone || turning == 0.0 {
            return Measure { scale, length: 1.0 };
        }
        let moving = mass_a.linear.sum() + mass_b.linear.sum();
        Measure { scale, length: if moving > 0.0 { (moving / turning).sqrt() } else { 1.0 } }
    }
}
