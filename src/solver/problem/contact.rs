//! Bodies, contacts and impulses of a problem, and what follows from them.

use crate::math::lanes::Lanes;
use crate::math::{BodyRow, Impulse, ImpulsiveWrench, Symmetric3, Vec3};
use crate::solver::problem::cone::Cone;

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

    /// Returns the velocity of the body's point at `arm` from the centre of mass.
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

    /// Returns whether no impulse moves the body.
    pub fn is_immovable(&self) -> bool {
        *self == Self::ZERO
    }

    /// Returns `(1/m, 1/I)` of an isotropic body.
    pub fn isotropic(&self) -> Option<(f64, f64)> {
        let m = &self.linear;
        let linear = (m.x == m.y && m.y == m.z).then_some(m.x)?;
        Some((linear, self.angular.isotropic()?))
    }

    /// Adds the change of `velocity` that `impulse` and the angular impulse `moment` about the centre of mass make.
    #[inline(always)]
    pub fn apply(&self, velocity: &mut Velocity, impulse: &Vec3, moment: &Vec3) {
        velocity.linear += self.linear.component_mul(impulse);
        velocity.angular += self.angular.times(moment);
    }
}

/// Returns the distance at which a torque counts as a force: bodies then answer to both alike [m].
#[inline(always)]
pub(in crate::solver) fn turning_length<L: Lanes>(to_forces: L, to_torques: L) -> L {
    let length = (to_forces / to_torques).root();
    let is_one = L::both(L::above(length, L::splat(0.0)), L::above(L::splat(f64::INFINITY), length));
    L::select(is_one, length, L::splat(1.0))
}

/// The scales that make residuals of contacts and rows comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// `1 / rho` [1/kg]; 0: no impulse changes anything.
    pub scale: f64,
    /// The distance at which a torque counts as a force [m].
    pub length: f64,
}

/// A frictional contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Index of body a, or [`BodyRow::NONE`] for the fixed world.
    pub body_a: BodyRow,
    /// Index of body b, or [`BodyRow::NONE`] for the fixed world; not body a.
    pub body_b: BodyRow,
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

/// The bodies of a contact, and whether each arm is along the normal: what the solver needs to choose a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactPair {
    /// See [`Contact::body_a`] and [`Contact::body_b`].
    pub bodies: [BodyRow; 2],
    /// Whether the arm of a, and that of b, is a multiple of the normal, up to round-off.
    pub is_along_normal: [bool; 2],
}

/// The relative deviation of an arm from the normal that counts as round-off. An arm made as a multiple of the normal
/// deviates by a few 1e-16. One made as a difference of positions may deviate more, and its contact is then solved as a
/// general one, which is slower and just as right.
const PARALLEL: f64 = 1e-14;

/// Returns whether an arm is a multiple of the normal, up to round-off: where both are, the contact is central.
#[inline(always)]
pub fn is_along(normal: &Vec3, arm: &Vec3) -> bool {
    let lever = arm.dot(normal);
    // Squares: no root in what every contact passes. An arm that is no number is along.
    let aside = arm - normal * lever;
    let is_beside = aside.dot(&aside) > PARALLEL * PARALLEL * lever * lever;
    !is_beside
}

/// The optional terms of a contact, which few contacts have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionalTerms {
    /// The tangential relative velocity at which friction is at rest, `-b_t` [m/s].
    pub surface_velocity: Vec3,
    /// `S_n` [m/s per N s].
    pub normal_compliance: f64,
    /// `S_t` [m/s per N s].
    pub tangential_compliance: f64,
    /// `S_r`, of rolling and of twisting [rad/s per N m s].
    pub turning_compliance: f64,
    /// Most rolling torque over normal force [m].
    pub rolling: f64,
    /// Most twisting torque over normal force [m].
    pub twisting: f64,
}

/// A contact and its optional terms.
pub type FullContact<'a> = (&'a Contact, &'a OptionalTerms);

impl OptionalTerms {
    /// No terms, as most contacts have them.
    pub const NONE: Self = Self {
        surface_velocity: Vec3::new(0.0, 0.0, 0.0),
        normal_compliance: 0.0,
        tangential_compliance: 0.0,
        turning_compliance: 0.0,
        rolling: 0.0,
        twisting: 0.0,
    };

    /// Returns what is left of the `spin` of b relative to a where the torque on b is `torque` [rad/s].
    #[inline(always)]
    pub fn turning_defect(&self, spin: &Vec3, torque: &Vec3) -> Vec3 {
        spin + self.turning_compliance * torque
    }

    /// Returns whether the contact resists rolling or twisting.
    #[inline(always)]
    pub fn resists_turning(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }
}

impl Contact {
    /// Fills an array before it is written.
    pub(in crate::solver) const NONE: Self = {
        let zero = Vec3::new(0.0, 0.0, 0.0);
        Self {
            body_a: BodyRow(0),
            body_b: BodyRow(0),
            normal: zero,
            arm_a: zero,
            arm_b: zero,
            normal_bias: 0.0,
            friction: 0.0,
        }
    };

    /// Returns what the solver needs of the contact to choose a lane.
    pub fn pair(&self) -> ContactPair {
        let is_along_normal = [&self.arm_a, &self.arm_b].map(|arm| is_along(&self.normal, arm));
        ContactPair { bodies: [self.body_a, self.body_b], is_along_normal }
    }

    /// Returns `u` at the velocities `v_a` and `v_b` of its bodies: velocity of b relative to a, world axes [m/s].
    #[inline(always)]
    pub fn relative_velocity(&self, v_a: &Velocity, v_b: &Velocity) -> Vec3 {
        v_b.at(&self.arm_b) - v_a.at(&self.arm_a)
    }

    /// Returns `w = u + S lambda + b` from `u` and `lambda`, split into its normal part and its tangential vector.
    #[inline(always)]
    pub fn defect(&self, u: &Vec3, lambda: &Impulse, optional: &OptionalTerms) -> (f64, Vec3) {
        let u_n = self.normal.dot(u);
        let surface = optional.surface_velocity - self.normal.dot(&optional.surface_velocity) * self.normal;
        let w_n = u_n + optional.normal_compliance * lambda.normal + self.normal_bias;
        let w_t = u - u_n * self.normal - surface + optional.tangential_compliance * lambda.tangential;
        (w_n, w_t)
    }

    /// Returns the bounds of its impulse, with the `dilation` of a law of friction.
    pub fn cone(&self, optional: &OptionalTerms, dilation: f64) -> Cone {
        Cone { friction: self.friction, rolling: optional.rolling, twisting: optional.twisting, dilation }
    }

    /// Splits a vector into its normal part and the rest.
    #[inline(always)]
    pub fn split(&self, vector: &Vec3) -> (Vec3, Vec3) {
        let along = self.normal.dot(vector) * self.normal;
        (along, vector - along)
    }

    /// Returns the impulses on bodies a and b in place of linear velocities, and in place of spins their moments about the
    /// centres of mass, with the torques.
    #[inline]
    pub fn on_bodies(&self, impulse: &ImpulsiveWrench) -> [Velocity; 2] {
        let linear = impulse.force.vector(&self.normal);
        let moment = |arm: &Vec3| arm.cross(&linear) + impulse.torque;
        let on_a = Velocity { linear: -linear, angular: -moment(&self.arm_a) };
        [on_a, Velocity { linear, angular: moment(&self.arm_b) }]
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

    /// Returns the scale of its residual.
    #[inline]
    pub fn measure(&self, mass_a: &MassInverse, mass_b: &MassInverse, optional: &OptionalTerms) -> Measure {
        let trace = self.delassus_trace(mass_a, mass_b);
        let scale = (trace + optional.normal_compliance + 2.0 * optional.tangential_compliance) / 3.0;
        let resists = optional.resists_turning();
        Measure { scale, length: if resists { self.length_of(trace, mass_a, mass_b) } else { 1.0 } }
    }

    /// Returns the trace of the translational block `G M^-1 G^T`: of `-[r] J [r]` it is `tr J r^2 - r J r`.
    #[inline]
    fn delassus_trace(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |mass: &MassInverse, arm: &Vec3| {
            mass.linear.sum() + mass.angular.trace() * arm.norm_squared() - arm.dot(&mass.angular.times(arm))
        };
        side(mass_a, &self.arm_a) + side(mass_b, &self.arm_b)
    }

    /// Returns the entry of that block along the normal.
    pub(in crate::solver) fn normal_delassus(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |mass: &MassInverse, arm: &Vec3| {
            let turn = arm.cross(&self.normal);
            self.normal.dot(&mass.linear.component_mul(&self.normal)) + turn.dot(&mass.angular.times(&turn))
        };
        side(mass_a, &self.arm_a) + side(mass_b, &self.arm_b)
    }

    /// Returns the distance at which a torque counts as a force at this contact [m].
    pub fn turning_length(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        self.length_of(self.delassus_trace(mass_a, mass_b), mass_a, mass_b)
    }

    /// Returns the same from the trace of the block.
    fn length_of(&self, trace: f64, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let turning = mass_a.angular.trace() + mass_b.angular.trace();
        let tangential = trace - self.normal_delassus(mass_a, mass_b);
        turning_length(tangential / 2.0, turning / 3.0)
    }
}
