//! What is given: bodies as inverse masses and velocities, contacts as normals, arms, biases and friction.

use crate::error::{Result, resize};
use crate::math::lanes::Lanes;
use crate::math::{Symmetric3, Vec3};
use crate::solver::cone::Cone;

pub use crate::math::Impulse;

/// The index of a body in [`Problem`] that stands for the fixed world.
pub const FIXED: u32 = u32::MAX;

/// Velocity of a body: of its centre of mass, and its spin, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// `mu` [-].
    pub friction: f64,
}

/// What few contacts have besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Besides {
    /// The tangential relative velocity at which friction is at rest, `-b_t` [m/s].
    pub surface_velocity: Vec3,
    /// `S_n` [m/s per N s].
    pub normal_compliance: f64,
    /// `S_t` [m/s per N s].
    pub tangential_compliance: f64,
    /// Most rolling torque over normal force [m].
    pub rolling: f64,
    /// Most twisting torque over normal force [m].
    pub twisting: f64,
}

/// A contact with what it has besides.
pub type WholeContact<'a> = (&'a Contact, &'a Besides);

impl Besides {
    /// Of most contacts.
    pub const NONE: Self = Self {
        surface_velocity: Vec3::new(0.0, 0.0, 0.0),
        normal_compliance: 0.0,
        tangential_compliance: 0.0,
        rolling: 0.0,
        twisting: 0.0,
    };

    /// Whether it resists rolling or twisting.
    #[inline(always)]
    pub fn resists_turning(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }

    /// Whether it yields, or its surface moves.
    #[inline(always)]
    pub fn yields_or_conveys(&self) -> bool {
        let soft = self.normal_compliance != 0.0 || self.tangential_compliance != 0.0;
        soft || self.surface_velocity != Vec3::zeros()
    }
}

/// One row of a Jacobian for one body: what its velocity adds to the velocity of the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jacobian {
    /// Times the velocity of the centre of mass.
    pub linear: Vec3,
    /// Times the spin.
    pub angular: Vec3,
}

impl Jacobian {
    /// Of a body that the row does not see.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// The velocity of the row that `velocity` of the body makes.
    #[inline(always)]
    pub fn dot(&self, velocity: &Velocity) -> f64 {
        self.linear.dot(&velocity.linear) + self.angular.dot(&velocity.angular)
    }
}

/// One scalar row: `w = J v + S lambda - rhs` is zero, as far as `lower <= lambda <= upper` allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of body a, or [`FIXED`].
    pub body_a: u32,
    /// Index of body b, or [`FIXED`]; not body a.
    pub body_b: u32,
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
    pub friction_row: Option<u32>,
}

/// The law of friction of all contacts of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Friction {
    /// Coulomb's isotropic cone.
    #[default]
    Coulomb,
    /// Two bounded rows along the tangents of [`crate::math::tangents`], as legacy solvers have them.
    Box,
}

/// The impulse of all that a contact does to body b, force and torque, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// What a problem is solved for: the impulses to start from, and then the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Impulses {
    /// Of the forces, one for each contact.
    pub contacts: Vec<Impulse>,
    /// Of the torques, one for each contact, or none where no contact resists turning; see [`ImpulsiveWrench::torque`] [N m s].
    pub torques: Vec<Vec3>,
    /// One for each row [N s].
    pub rows: Vec<f64>,
}

impl Impulses {
    /// Makes room for those of so many contacts, and of torques if any contact resists turning; those that are there stay.
    pub fn begin(&mut self, count: usize, turns: bool) -> Result<()> {
        self.contacts.truncate(count);
        resize(&mut self.contacts, count, Impulse::ZERO, "contacts")?;
        self.begin_turning(turns)
    }

    /// Makes room for torques, if any contact resists turning; those that are there stay. Without any, takes them out.
    pub fn begin_turning(&mut self, turns: bool) -> Result<()> {
        let count = if turns { self.contacts.len() } else { 0 };
        self.torques.truncate(count);
        resize(&mut self.torques, count, Vec3::zeros(), "contacts")
    }

    /// The torque of a contact.
    #[inline(always)]
    pub fn torque(&self, contact: usize) -> Vec3 {
        self.torques.get(contact).copied().unwrap_or_default()
    }

    /// All of a contact.
    #[inline(always)]
    pub fn wrench(&self, contact: usize) -> ImpulsiveWrench {
        ImpulsiveWrench { force: self.contacts[contact], torque: self.torque(contact) }
    }

    /// Sets all of a contact.
    pub fn set_wrench(&mut self, contact: usize, wrench: &ImpulsiveWrench) {
        self.contacts[contact] = wrench.force;
        if let Some(torque) = self.torques.get_mut(contact) {
            *torque = wrench.torque;
        }
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
    /// One for each contact, or none where no contact has any.
    pub besides: &'a [Besides],
    /// The scalar rows, in natural order; they come before the contacts.
    pub rows: &'a [Row],
    /// The law of friction of the contacts.
    pub friction: Friction,
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

    /// Whether any contact resists turning.
    pub fn resists_turning(&self) -> bool {
        self.besides.iter().any(Besides::resists_turning)
    }

    /// What a contact has besides.
    #[inline(always)]
    pub fn besides(&self, contact: usize) -> &Besides {
        self.besides.get(contact).unwrap_or(&Besides::NONE)
    }

    /// A contact with what it has besides.
    #[inline(always)]
    pub fn whole(&self, contact: usize) -> WholeContact<'_> {
        (&self.contacts[contact], self.besides(contact))
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
    pub fn defect(&self, u: &Vec3, lambda: &Impulse, besides: &Besides) -> (f64, Vec3) {
        let u_n = self.normal.dot(u);
        let surface = besides.surface_velocity - self.normal.dot(&besides.surface_velocity) * self.normal;
        let w_n = u_n + besides.normal_compliance * lambda.normal + self.normal_bias;
        let w_t = u - u_n * self.normal - surface + besides.tangential_compliance * lambda.tangential;
        (w_n, w_t)
    }

    /// Its bounds.
    pub fn cone(&self, besides: &Besides) -> Cone {
        Cone { friction: self.friction, rolling: besides.rolling, twisting: besides.twisting }
    }

    /// A vector split into its normal part and the rest.
    #[inline(always)]
    pub fn split(&self, vector: &Vec3) -> (Vec3, Vec3) {
        let along = self.normal.dot(vector) * self.normal;
        (along, vector - along)
    }

    /// The translational block of the Delassus operator, `G M^-1 G^T`, in world axes [1/kg].
    #[cfg(test)]
    pub fn delassus_block(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> Symmetric3 {
        let mut block = crate::math::Mat3::from_diagonal(&(mass_a.linear + mass_b.linear));
        for (mass, arm) in [(mass_a, &self.arm_a), (mass_b, &self.arm_b)] {
            let cross = arm.cross_matrix();
            block -= cross * mass.angular.to_matrix() * cross;
        }
        Symmetric3::from_matrix(&block)
    }

    /// What its residual is measured with.
    #[inline]
    pub fn measure(&self, mass_a: &MassInverse, mass_b: &MassInverse, besides: &Besides) -> Measure {
        let trace = self.delassus_trace(mass_a, mass_b);
        let scale = (trace + besides.normal_compliance + 2.0 * besides.tangential_compliance) / 3.0;
        let resists = besides.resists_turning();
        Measure { scale, length: if resists { self.length_of(trace, mass_a, mass_b) } else { 1.0 } }
    }

    /// The trace of the translational block `G M^-1 G^T`: of `-[r] J [r]` it is `tr J r^2 - r J r`.
    #[inline]
    fn delassus_trace(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |mass: &MassInverse, arm: &Vec3| {
            mass.linear.sum() + mass.angular.trace() * arm.norm_squared() - arm.dot(&mass.angular.times(arm))
        };
        side(mass_a, &self.arm_a) + side(mass_b, &self.arm_b)
    }

    /// The entry of that block along the normal.
    pub(super) fn normal_delassus(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |mass: &MassInverse, arm: &Vec3| {
            let turn = arm.cross(&self.normal);
            self.normal.dot(&mass.linear.component_mul(&self.normal)) + turn.dot(&mass.angular.times(&turn))
        };
        side(mass_a, &self.arm_a) + side(mass_b, &self.arm_b)
    }

    /// The distance at which a torque counts as a force at this contact [m].
    pub fn turning_length(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        self.length_of(self.delassus_trace(mass_a, mass_b), mass_a, mass_b)
    }

    /// The same, where the trace of the block is known.
    fn length_of(&self, trace: f64, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let turning = mass_a.angular.trace() + mass_b.angular.trace();
        let tangential = trace - self.normal_delassus(mass_a, mass_b);
        turning_length(tangential / 2.0, turning / 3.0)
    }
}

/// The distance at which a torque counts as a force: where bodies answer to both alike [m].
#[inline(always)]
pub(super) fn turning_length<L: Lanes>(to_forces: L, to_torques: L) -> L {
    let length = (to_forces / to_torques).root();
    let is_one = L::both(L::above(length, L::splat(0.0)), L::above(L::splat(f64::INFINITY), length));
    L::pick(is_one, length, L::splat(1.0))
}

/// What makes residuals of a contact or a row comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// `1 / rho` [1/kg]; 0: no impulse changes anything.
    pub scale: f64,
    /// The distance at which a torque counts as a force [m].
    pub length: f64,
}

impl Row {
    /// The impulse within its bounds, which `scale` multiplies.
    #[inline(always)]
    pub fn bounded(&self, lambda: f64, scale: f64) -> f64 {
        // infinity times nothing is no number
        if scale == 0.0 { 0.0 } else { lambda.min(self.upper * scale).max(self.lower * scale) }
    }

    /// `D = J M^-1 J^T + S`.
    pub fn block(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |jacobian: &Jacobian, mass: &MassInverse| {
            jacobian.linear.dot(&mass.linear.component_mul(&jacobian.linear))
                + jacobian.angular.dot(&mass.angular.times(&jacobian.angular))
        };
        side(&self.jacobian_a, mass_a) + side(&self.jacobian_b, mass_b) + self.compliance
    }

    /// What its residual is measured with. A row of spins alone counts at the distance at which both bodies answer to a
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
