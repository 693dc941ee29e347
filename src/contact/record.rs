//! One contact point of two bodies: its geometry at the start of a step, and, apart from it, what the step made of it. The two
//! stand in arrays of their own: what finds a contact again does not read what it carried.
//!
//! Every contact has a record ([`ContactRecord`]), and a normal and a gap ([`PointGeometry`]). Those that are not between two balls have a contact
//! point found by detection too ([`ContactGeometry`]). [`ContactView`] is all of it together, for queries.

use crate::contact::surface::Surface;
use crate::math::LaneSlot;
use crate::math::{PointX8, Vec3};

/// The feature of the one contact that two balls have.
pub const OF_BALLS: u64 = 1;

/// Of no place among the spots.
const NOWHERE: u32 = u32::MAX;

/// A contact as a step finds it. Contacts are read in no order, and kept of two steps, so this is kept small: packed, as a sixth of it
/// would be nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(Rust, packed(4))]
pub struct ContactRecord {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// The same number for the same contact, step after step; 0: not given yet.
    pub key: u64,
    /// Where its [`ContactGeometry`] is; [`NOWHERE`] between two balls.
    pub(super) spot: u32,
}

/// Where two bodies touch that are not both balls. Vectors are in world axes; the normal points from body a to body b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactGeometry {
    /// Which features of the two shapes touch; 0: unknown.
    pub feature: u64,
    /// The point seen from the origin of body a, in its axes, by which it is found again [m].
    pub local: Vec3,
    /// Above zero: apart [m].
    pub gap: f64,
    /// Unit.
    pub normal: Vec3,
    /// From the centre of mass of a to the point [m].
    pub arm_a: Vec3,
    /// From the centre of mass of b to the point [m].
    pub arm_b: Vec3,
    /// Midway between the surfaces [m].
    pub point: Vec3,
    /// `r*` of the two surfaces there, as far as anything depends on it; infinite between flat ones [m].
    pub radius: f64,
    /// Whether each arm is a multiple of the normal, up to round-off.
    pub is_along_normal: [bool; 2],
}

/// Normal and gap of a contact at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointGeometry {
    /// Unit, from a to b, world axes.
    pub normal: Vec3,
    /// Above zero: apart [m].
    pub gap: f64,
}

impl PointGeometry {
    /// No contact.
    pub const NONE: Self = Self { normal: Vec3::new(0.0, 0.0, 0.0), gap: 0.0 };

    /// Returns those of a lane, counted over all batches.
    pub fn in_lane(points: &[PointX8], slot: LaneSlot) -> Self {
        let point = points.get(slot.batch());
        point.map_or(Self::NONE, |point| Self { normal: point.normal(slot.lane()), gap: point.gap.0[slot.lane()] })
    }
}

/// All that is known of a contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactView {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// See [`ContactRecord::key`].
    pub key: u64,
    /// Where it is.
    pub spot: ContactGeometry,
    /// What the surfaces are together.
    pub surface: Surface,
}

/// What a step made of a contact. Vectors are in world axes; impulses act on b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactState {
    /// Normal impulse of the last substep: this and the next two are what the next solve starts from [N s].
    pub normal_impulse: f64,
    /// Friction impulse of the last substep, in the tangent plane [N s].
    pub friction_impulse: Vec3,
    /// Torque impulse of the last substep: rolling resistance in the tangent plane, twisting resistance along the normal [N m s].
    pub torque_impulse: Vec3,
    /// Multiplier of the position pass of the last substep, from which the next one starts [kg m].
    pub push: f64,
    /// Normal impulse of the step after the compatibility correction; without one, the sum of its substeps [N s].
    pub compatible_normal: f64,
    /// Friction impulse of the step after the compatibility correction; without one, the sum of its substeps [N s].
    pub compatible_friction: Vec3,
    /// Velocity of b relative to a at the end of the step [m/s].
    pub relative_velocity: Vec3,
    /// How fast b rolls on a at the end of the step: the tangential part of the relative spin, times the distance at which
    /// a torque counts as a force; 0 where nothing resists turning [m/s].
    pub rolling_speed: f64,
    /// Whether the last substep solved it as an impact, so that its impulse is no guess for the next one.
    pub rebounds: bool,
    /// Whether any substep did, so that the impulse of the step is none.
    pub struck: bool,
    /// Whether the contact was not there in the step before.
    pub is_new: bool,
}

/// The impulses of a contact over a step, on b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepImpulse {
    /// Along the normal [N s].
    pub normal: f64,
    /// In the tangent plane [N s].
    pub friction: Vec3,
    /// Rolling and twisting [N m s].
    pub torque: Vec3,
}

impl std::ops::AddAssign for StepImpulse {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.friction += other.friction;
        self.torque += other.torque;
    }
}

impl ContactRecord {
    /// Of two balls, without a key.
    #[inline(always)]
    pub fn of_balls((body_a, body_b): (u32, u32)) -> Self {
        Self { body_a, body_b, key: 0, spot: NOWHERE }
    }

    /// Of two bodies that touch at the spot of this number, without a key.
    pub fn at((body_a, body_b): (u32, u32), spot: usize) -> Self {
        Self { spot: spot as u32, ..Self::of_balls((body_a, body_b)) }
    }

    /// The same with this key.
    pub fn with_key(self, key: u64) -> Self {
        Self { key, ..self }
    }

    /// The number of its spot; two balls have none.
    #[inline(always)]
    pub fn spot(&self) -> Option<usize> {
        (self.spot != NOWHERE).then_some(self.spot as usize)
    }

    /// The pair of bodies, the order in which contacts are kept.
    #[inline(always)]
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }

    /// The pair as one number, in the same order.
    #[inline(always)]
    pub fn pair_key(&self) -> u64 {
        u64::from(self.body_a) << 32 | u64::from(self.body_b)
    }
}

impl ContactGeometry {
    /// Nowhere: what fills an array before it is written.
    pub const NONE: Self = Self {
        feature: 0,
        local: Vec3::new(0.0, 0.0, 0.0),
        gap: 0.0,
        normal: Vec3::new(0.0, 0.0, 0.0),
        arm_a: Vec3::new(0.0, 0.0, 0.0),
        arm_b: Vec3::new(0.0, 0.0, 0.0),
        point: Vec3::new(0.0, 0.0, 0.0),
        radius: f64::INFINITY,
        is_along_normal: [false; 2],
    };
}

impl ContactView {
    /// See [`ContactRecord::pair`].
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }
}

impl ContactState {
    /// Nothing, as a contact that was not there before carried.
    pub const NONE: Self = Self {
        normal_impulse: 0.0,
        friction_impulse: Vec3::new(0.0, 0.0, 0.0),
        torque_impulse: Vec3::new(0.0, 0.0, 0.0),
        push: 0.0,
        compatible_normal: 0.0,
        compatible_friction: Vec3::new(0.0, 0.0, 0.0),
        relative_velocity: Vec3::new(0.0, 0.0, 0.0),
        rolling_speed: 0.0,
        rebounds: false,
        struck: false,
        is_new: false,
    };

    /// The impulses of the last substep.
    #[cfg(test)]
    pub fn last(&self) -> StepImpulse {
        StepImpulse { normal: self.normal_impulse, friction: self.friction_impulse, torque: self.torque_impulse }
    }
}
