//! One contact point of two bodies: its geometry at the start of a step, and, apart from it, what the step made of it. The two
//! stand in arrays of their own: what finds a contact again does not read what it carried.

use crate::math::Vec3;

/// A contact point. Vectors are in world axes; the normal points from body a to body b; impulses act on b.
///
/// Three lines of a cache: the first one is all that finding a contact again asks for, and contacts are read in no order.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Touch {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// The same number for the same contact, step after step; 0: not given yet.
    pub key: u64,
    /// Which features of the two shapes touch; 0: unknown.
    pub feature: u64,
    /// The point seen from the origin of body a, in its axes, by which it is found again [m].
    pub local: Vec3,
    /// Above zero: apart [m].
    pub gap: f64,
    /// The pair's coefficient [-].
    pub friction: f64,
    /// Unit.
    pub normal: Vec3,
    /// From the centre of mass of a to the point [m].
    pub arm_a: Vec3,
    /// From the centre of mass of b to the point [m].
    pub arm_b: Vec3,
    /// Most rolling torque over normal force, `mu_r r*` [m].
    pub rolling: f64,
    /// Most twisting torque over normal force, `mu_tw r*` [m].
    pub twisting: f64,
    /// The pair's restitution [-].
    pub restitution: f64,
    /// The relative stiffness, as the correction uses it.
    pub stiffness: f64,
    /// Midway between the surfaces [m].
    pub point: Vec3,
}

/// What a step made of a contact. Vectors are in world axes; impulses act on b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
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
pub struct Total {
    /// Along the normal [N s].
    pub normal: f64,
    /// In the tangent plane [N s].
    pub friction: Vec3,
    /// Rolling and twisting [N m s].
    pub torque: Vec3,
}

impl std::ops::AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.friction += other.friction;
        self.torque += other.torque;
    }
}

impl Touch {
    /// The pair of bodies, the order in which contacts are kept.
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }

    /// The pair as one number, in the same order.
    #[inline(always)]
    pub fn rank(&self) -> u64 {
        u64::from(self.body_a) << 32 | u64::from(self.body_b)
    }

    /// Whether it can carry a torque.
    pub fn resists_turning(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }
}

impl Load {
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
    pub fn last(&self) -> Total {
        Total { normal: self.normal_impulse, friction: self.friction_impulse, torque: self.torque_impulse }
    }
}
