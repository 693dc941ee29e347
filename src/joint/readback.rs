//! The force and torque of a joint, from the impulses of its rows.

use crate::joint::geometry::Geometry;
use crate::joint::row::{JointRow, SideVector};
use crate::math::Vec3;

/// What a joint exerts on B, in world axes: its force, and its torque about `pB`.
///
/// With impulses instead of forces, both are impulses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLoad {
    /// The force [N].
    pub force: Vec3,
    /// The torque about `pB` [N m].
    pub torque: Vec3,
}

impl JointLoad {
    /// Without force and torque.
    pub const ZERO: Self = Self { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the mean load over a step of the rows with these impulses [N s] or [N m s]. `geometry` is that of the rows, at the start
    /// of the step.
    pub fn of_rows(geometry: &Geometry, rows: impl IntoIterator<Item = (JointRow, f64)>, step: f64) -> Self {
        let sum = rows.into_iter().fold(Self::ZERO, |sum, (row, impulse)| {
            let SideVector { linear, angular } = row.b;
            let about_point = angular - geometry.arm_b.cross(&linear);
            Self { force: sum.force + impulse * linear, torque: sum.torque + impulse * about_point }
        });
        Self { force: sum.force / step, torque: sum.torque / step }
    }

    /// Returns the force on B, and the torque about the centre of mass of B.
    pub fn on_b(&self, geometry: &Geometry) -> SideVector {
        SideVector { linear: self.force, angular: self.torque + geometry.arm_b.cross(&self.force) }
    }

    /// Returns the force on A, and the torque about the centre of mass of A.
    pub fn on_a(&self, geometry: &Geometry) -> SideVector {
        SideVector { linear: -self.force, angular: -(self.torque + geometry.arm_a.cross(&self.force)) }
    }
}

/// Returns the magnitude of the part of a force that is perpendicular to a unit vector [N]: the load that presses on the friction of an
/// axis.
pub fn load_across(force: &Vec3, axis: &Vec3) -> f64 {
    (force - axis * axis.dot(force)).norm()
}
