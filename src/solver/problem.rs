//! What is given: bodies as inverse masses and velocities, contacts as normals, arms, biases and friction.

use crate::math::{Symmetric3, Vec3};

/// The index of a body in [`Problem`] that stands for the fixed world.
pub const FIXED: u32 = u32::MAX;

/// Velocity of a body: of its centre of mass, and its spin, world axes. One cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Velocity {
    /// [m/s]
    pub linear: Vec3,
    /// [rad/s]
    pub angular: Vec3,
}

impl Velocity {
    /// At rest.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// The velocity of the body's point at `arm` from the centre of mass.
    #[inline(always)]
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// The inverse mass matrix of a body, world axes. All zero: immovable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassInverse {
    /// Per axis, so that single translations can be locked [1/kg].
    pub linear: Vec3,
    /// [1/(kg m^2)]
    pub angular: Symmetric3,
}

impl MassInverse {
    /// The inverse mass matrix of a body that nothing moves.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Symmetric3 { entries: [0.0; 6] } };

    /// Whether no impulse moves it.
    pub fn is_immovable(&self) -> bool {
        *self == Self::ZERO
    }

    /// `(1/m, 1/I)` where the body answers alike in every direction.
    pub fn isotropic(&self) -> Option<(f64, f64)> {
        let m = &self.linear;
        let linear = (m.x == m.y && m.y == m.z).then_some(m.x)?;
        Some((linear, self.angular.isotropic()?))
    }

    /// Adds to `velocity` what `impulse` and the angular impulse `moment` about the centre of mass change.
    #[inline(always)]
    pub fn apply(&self, velocity: &mut Velocity, impulse: &Vec3, moment: &Vec3) {
        velocity.linear += self.linear.component_mul(impulse);
        velocity.angular += self.angular.times(moment);
    }
}

/// A frictional contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Index of body a, or [`FIXED`].
    pub body_a: u32,
    /// Index of body b, or [`FIXED`]; not body a.
    pub body_b: u32,
    /// Unit, from a to b.
    pub normal: Vec3,
    /// From the centre of mass of a to the contact point [m].
    pub arm_a: Vec3,
    /// From the centre of mass of b to the contact point [m].
    pub arm_b: Vec3,
    /// `b_n` [m/s].
    pub normal_bias: f64,
    /// The tangential relative velocity at which friction is at rest, `-b_t` [m/s].
    pub surface_velocity: Vec3,
    /// `S_n` [m/s per N s].
    pub normal_compliance: f64,
    /// `S_t` [m/s per N s].
    pub tangential_compliance: f64,
    /// `mu` [-].
    pub friction: f64,
}

/// The impulse of a contact on body b, world axes.
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

    /// As one vector.
    pub fn vector(&self, normal: &Vec3) -> Vec3 {
        self.normal * normal + self.tangential
    }

    /// This impulse times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { normal: self.normal * factor, tangential: self.tangential * factor }
    }
}

/// The problem of one step: constant during a solve.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// One for each body.
    pub masses: &'a [MassInverse],
    /// `vhat`, one for each body: external forces already in, contacts not yet.
    pub velocities: &'a [Velocity],
    /// The contacts, in natural order.
    pub contacts: &'a [Contact],
}

impl Problem<'_> {
    /// The inverse mass of a body; of [`FIXED`] it is zero.
    pub fn mass(&self, body: u32) -> &MassInverse {
        self.masses.get(body as usize).unwrap_or(&MassInverse::ZERO)
    }

    /// `vhat` of a body; of [`FIXED`] it is zero.
    pub fn free_velocity(&self, body: u32) -> &Velocity {
        self.velocities.get(body as usize).unwrap_or(&Velocity::ZERO)
    }

    /// Whether an impulse changes the velocity of a body.
    pub fn moves(&self, body: u32) -> bool {
        !self.mass(body).is_immovable()
    }
}

impl Contact {
    /// `u` at the velocities `v_a` and `v_b` of its bodies: velocity of b relative to a, world axes [m/s].
    #[inline(always)]
    pub fn relative_velocity(&self, v_a: &Velocity, v_b: &Velocity) -> Vec3 {
        v_b.at(&self.arm_b) - v_a.at(&self.arm_a)
    }

    /// `w = u + S lambda + b`, split into its normal part and its tangential vector, from `u` and `lambda`.
    #[inline(always)]
    pub fn defect(&self, u: &Vec3, lambda: &Impulse) -> (f64, Vec3) {
        let u_n = self.normal.dot(u);
        let surface = self.surface_velocity - self.normal.dot(&self.surface_velocity) * self.normal;
        let w_n = u_n + self.normal_compliance * lambda.normal + self.normal_bias;
        let w_t = u - u_n * self.normal - surface + self.tangential_compliance * lambda.tangential;
        (w_n, w_t)
    }

    /// The contact's block `D = Wd + S` applied to an impulse direction is all that the sweep needs; this is the
    /// translational block of the Delassus operator, `G M^-1 G^T`, in world axes [1/kg].
    pub fn delassus_block(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> Symmetric3 {
        let mut block = crate::math::Mat3::from_diagonal(&(mass_a.linear + mass_b.linear));
        for (mass, arm) in [(mass_a, &self.arm_a), (mass_b, &self.arm_b)] {
            let cross = arm.cross_matrix();
            block -= cross * mass.angular.to_matrix() * cross;
        }
        Symmetric3::from_matrix(&block)
    }

    /// The trace of `D = Wd + S`, the scale of the residual: `rho = 3 / trace` [1/kg].
    pub fn block_trace(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let [xx, yy, zz, ..] = self.delassus_block(mass_a, mass_b).entries;
        xx + yy + zz + self.normal_compliance + 2.0 * self.tangential_compliance
    }
}
