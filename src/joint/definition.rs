//! The definition of a joint by its host.

use crate::error::{Number, Result, all_finite, in_range, not_negative, positive, text};
use crate::joint::geometry::LocalFrame;
use crate::joint::kind::JointKind;
use crate::math::{Vec3, unit_quaternion};

/// A joint as its host describes it, without its bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDefinition {
    /// What the joint locks.
    pub kind: JointKind,
    /// Whether the two bodies collide with each other.
    pub collide: bool,
    /// The origin of frame A, from the origin of the shape of A, in axes of A; in world axes for the world [m].
    pub point_a: [f64; 3],
    /// Axes of frame A to axes of A, as a quaternion (x, y, z, w).
    pub rotation_a: [f64; 4],
    /// The origin of frame B, as that of A [m].
    pub point_b: [f64; 3],
    /// Axes of frame B to axes of B, as a quaternion (x, y, z, w).
    pub rotation_b: [f64; 4],
    /// The least distance of the two points of a distance joint [m].
    pub length_min: f64,
    /// The largest distance of these points; may be infinite. Equal to the least one for a rod [m].
    pub length_max: f64,
    /// The compliance of locked displacements; 0 is rigid [m/N].
    pub linear_compliance: f64,
    /// The compliance of locked turns; 0 is rigid [rad/(N m)].
    pub angular_compliance: f64,
    /// The relaxation time of compliant rows; 0 stands for two steps [s].
    pub relaxation: f64,
    /// The joint breaks above this force, the mean of a step; 0 for never [N].
    pub break_force: f64,
    /// The joint breaks above this torque about the point of B, the mean of a step; 0 for never [N m].
    pub break_torque: f64,
    /// The joint breaks above this impulse of a substep; 0 for never [N s].
    pub break_impulse: f64,
}

impl JointDefinition {
    /// Returns a rigid joint of this kind that never breaks, with both frames in the origins of their bodies. A distance joint has no
    /// bounds.
    pub fn new(kind: JointKind) -> Self {
        Self {
            kind,
            collide: false,
            point_a: [0.0; 3],
            rotation_a: [0.0, 0.0, 0.0, 1.0],
            point_b: [0.0; 3],
            rotation_b: [0.0, 0.0, 0.0, 1.0],
            length_min: 0.0,
            length_max: f64::INFINITY,
            linear_compliance: 0.0,
            angular_compliance: 0.0,
            relaxation: 0.0,
            break_force: 0.0,
            break_torque: 0.0,
            break_impulse: 0.0,
        }
    }

    /// Refuses numbers out of range, by name. Returns the frames of A and B in the axes of their bodies.
    ///
    /// Quaternions are normalised if their length is 1 within 1e-6, as those of bodies.
    pub fn check(&self) -> Result<[LocalFrame; 2]> {
        all_finite("point_a", &self.point_a)?;
        let rotation_a = unit_quaternion("rotation_a", &self.rotation_a)?;
        all_finite("point_b", &self.point_b)?;
        let rotation_b = unit_quaternion("rotation_b", &self.rotation_b)?;
        self.check_lengths()?;
        not_negative("linear_compliance", self.linear_compliance)?;
        not_negative("angular_compliance", self.angular_compliance)?;
        not_negative("relaxation", self.relaxation)?;
        not_negative("break_force", self.break_force)?;
        not_negative("break_torque", self.break_torque)?;
        not_negative("break_impulse", self.break_impulse)?;
        let frame = |point: &[f64; 3], rotation| LocalFrame { point: Vec3::from(*point), rotation };
        Ok([frame(&self.point_a, rotation_a), frame(&self.point_b, rotation_b)])
    }

    /// Refuses lengths that no rod, rope or strut has. A rod of length 0 is a ball joint.
    fn check_lengths(&self) -> Result<()> {
        let (shortest, longest) = (self.length_min, self.length_max);
        not_negative("length_min", shortest)?;
        if longest != f64::INFINITY {
            positive("length_max", longest)?;
        }
        in_range(
            "length_max",
            longest,
            longest >= shortest,
            &text!("at least length_min, which is {}", Number(shortest)),
        )
    }

    /// Returns the least and the largest distance of the two points [m].
    pub fn lengths(&self) -> [f64; 2] {
        [self.length_min, self.length_max]
    }

    /// Returns the compliance of a row, [m/N] or of turns [rad/(N m)], and the relaxation time [s].
    pub fn compliance_of(&self, is_turn: bool) -> [f64; 2] {
        [if is_turn { self.angular_compliance } else { self.linear_compliance }, self.relaxation]
    }
}
