//! The motion of one body in a step. The kick changes velocities by forces. The drift moves the body and keeps its angular momentum.
//!
//! Velocities are of the centre of mass, in world axes. A locked component of a velocity is zero at all times.

use crate::body::shared::Bits;
use crate::math::{
    Mat3, Quat, Quaternion, Symmetric3, Vec3, angular_turn, are_finite, is_within, limits, long_cayley, turned_by,
};
use crate::visit::{rotation, state, state_choice};

/// How a body moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)] // documented once, at `dry_body_kind`
pub enum Kind {
    Static,
    Kinematic,
    #[default]
    Dynamic,
}

state_choice!(Kind { Static, Kinematic, Dynamic });

impl Kind {
    /// Returns its name in the header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "DRY_STATIC",
            Self::Kinematic => "DRY_KINEMATIC",
            Self::Dynamic => "DRY_DYNAMIC",
        }
    }
}

/// Locked components, world axes: bits 0 to 2 of translation, 3 to 5 of rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lock(pub u32);

impl Lock {
    /// All bits that have a meaning.
    pub const ALL: u32 = 63;

    /// Returns the components of the translation that are free.
    pub fn free_translation(self) -> [bool; 3] {
        std::array::from_fn(|axis| self.0 & (1 << axis) == 0)
    }

    /// Returns the components of the rotation that are free.
    pub fn free_rotation(self) -> [bool; 3] {
        std::array::from_fn(|axis| self.0 & (8 << axis) == 0)
    }
}

/// The position, rotation and velocities of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Centre of mass, world axes [m].
    pub center: Vec3,
    /// Body axes to world axes.
    pub rotation: Quat,
    /// [m/s]
    pub linear: Vec3,
    /// [rad/s]
    pub angular: Vec3,
}

/// A force and a torque about the centre of mass, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// [N]
    pub force: Vec3,
    /// [N m]
    pub torque: Vec3,
}

impl Wrench {
    /// No force and no torque.
    pub const ZERO: Self = Self { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// Adds another one about the same point.
    pub fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.torque += other.torque;
    }

    /// Whether force and torque are within the limits, and so are their impulses in a step of this length [s].
    pub fn is_within_limits(&self, step: f64) -> bool {
        let largest = limits::LARGEST / step.max(1.0);
        is_within(&self.force, largest) & is_within(&self.torque, largest)
    }
}

state!(Wrench { force, torque } of |[x, y, z, about_x, about_y, about_z]| {
    Ok(Wrench { force: Vec3::new(x, y, z), torque: Vec3::new(about_x, about_y, about_z) })
});

/// The mass of a body, and the components of its motion that are free.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mass {
    /// [kg]; 0 for bodies that are not dynamic.
    pub mass: f64,
    /// Centre of mass, body axes, from the shape's origin [m].
    pub center: Vec3,
    /// About the centre of mass, body axes [kg m^2].
    pub inertia: Symmetric3,
    /// Its inverse, body axes, as if nothing were locked [1/(kg m^2)].
    pub inertia_inverse: Symmetric3,
    /// `1/mass` on the free world axes, 0 on the others [1/kg].
    pub inverse_mass: Vec3,
    /// The world axes about which it may turn.
    pub free_rotation: [bool; 3],
}

impl Mass {
    /// Returns the mass of a body that forces do not move.
    pub fn immovable(center: Vec3) -> Self {
        Self { center, ..Self::default() }
    }

    /// Returns the mass of a dynamic body. `None` if the inertia is not positive definite or an inverse is not finite.
    pub fn dynamic(mass: f64, center: Vec3, inertia: Symmetric3, lock: Lock) -> Option<Self> {
        let inertia_inverse = match inertia.isotropic() {
            Some(moment) if moment > 0.0 => Symmetric3::diagonal([1.0 / moment; 3]),
            _ => inertia.inverse_on([true; 3])?,
        };
        let free = lock.free_translation();
        let inverse_mass = Vec3::from_fn(|axis, _| if free[axis] { 1.0 / mass } else { 0.0 });
        let finite = inertia_inverse.entries.iter().chain(inverse_mass.iter()).all(|value| value.is_finite());
        let free_rotation = lock.free_rotation();
        finite.then_some(Self { mass, center, inertia, inertia_inverse, inverse_mass, free_rotation })
    }

    /// Returns whether any impulse moves or turns the body.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass != Vec3::zeros() || self.free_rotation != [false; 3]
    }

    /// Returns whether the body turns freely and its inertia is isotropic, so that its world and body inertia are the same number.
    pub fn is_isotropic(&self) -> bool {
        self.free_rotation == [true; 3] && self.inertia.isotropic().is_some()
    }

    /// Returns whether it is dynamic and a component of its motion is locked.
    pub fn has_locks(&self) -> bool {
        self.mass > 0.0 && (self.inverse_mass.iter().any(|inverse| *inverse == 0.0) || self.free_rotation != [true; 3])
    }

    /// The inverse inertia in world axes as if nothing were locked [1/(kg m^2)].
    pub fn unlocked_inverse(&self, rotation: &Quat) -> Symmetric3 {
        match self.inertia_inverse.isotropic() {
            Some(_) => self.inertia_inverse,
            None => self.inertia_inverse.rotated(&matrix(rotation)),
        }
    }

    /// The inertia in world axes [kg m^2].
    #[inline(always)]
    pub fn world_inertia(&self, rotation: &Quat) -> Symmetric3 {
        if self.inertia.isotropic().is_some() { self.inertia } else { self.inertia.rotated(&matrix(rotation)) }
    }

    /// The inverse inertia in world axes, of the free rotations alone [1/(kg m^2)].
    pub fn inverse_at(&self, rotation: &Quat) -> Symmetric3 {
        self.constant_inverse().copied().unwrap_or_else(|| self.world_inverse(rotation))
    }

    /// The inverse inertia in world axes where no rotation changes it [1/(kg m^2)].
    #[inline]
    pub fn constant_inverse(&self) -> Option<&Symmetric3> {
        (self.mass == 0.0 || self.is_isotropic()).then_some(&self.inertia_inverse)
    }

    /// The inverse inertia in world axes, zero in the rows and columns of locked rotations [1/(kg m^2)].
    #[inline]
    pub fn world_inverse(&self, rotation: &Quat) -> Symmetric3 {
        if let Some(constant) = self.constant_inverse() {
            return *constant;
        }
        let matrix = matrix(rotation);
        if self.free_rotation == [true; 3] {
            return self.inertia_inverse.rotated(&matrix);
        }
        // The free block of a positive definite matrix is positive definite: the fallback is never taken.
        self.inertia.rotated(&matrix).inverse_on(self.free_rotation).unwrap_or_default()
    }
}

impl Bits for Mass {
    type Words = [u64; 20];

    fn words(&self) -> [u64; 20] {
        let Self { mass, center, inertia, inertia_inverse, inverse_mass, free_rotation: [x, y, z] } = self;
        let mut words = [0; 20];
        let numbers = [mass].into_iter().chain(center).chain(&inertia.entries).chain(&inertia_inverse.entries);
        for (word, number) in words.iter_mut().zip(numbers.chain(inverse_mass)) {
            *word = number.to_bits();
        }
        words[19] = u64::from(*x) | u64::from(*y) << 1 | u64::from(*z) << 2;
        words
    }
}

/// The forces on a body over one step, without contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kick {
    /// Gravity times the body's scale [m/s^2].
    pub gravity: Vec3,
    /// The host's force and torque.
    pub wrench: Wrench,
    /// [1/s]
    pub linear_damping: f64,
    /// [1/s]
    pub angular_damping: f64,
}

/// The velocities and displacements that move a body over one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// The velocity of the centre of mass that the step solved for [m/s].
    pub linear: Vec3,
    /// The angular velocity that the step solved for [rad/s].
    pub angular: Vec3,
    /// The linear and angular velocity with which it moves over the step [m/s, rad/s].
    pub path: [Vec3; 2],
    /// The displacement of the position pass [m].
    pub displacement: Vec3,
    /// The turn of the position pass, a rotation vector [rad].
    pub turn: Vec3,
}

impl Motion {
    /// Returns the velocities after the kick and before contacts: `vhat = v + h M^-1 F`, then damped implicitly. The
    /// orientation is that of the start, and there is no gyroscopic term.
    #[inline]
    pub fn kicked(&self, mass: &Mass, inverse_inertia: &Symmetric3, kick: &Kick, h: f64) -> (Vec3, Vec3) {
        if mass.mass == 0.0 {
            return (self.linear, self.angular);
        }
        let free = mass.inverse_mass.map(|inverse| if inverse == 0.0 { 0.0 } else { 1.0 });
        let acceleration = kick.gravity.component_mul(&free) + mass.inverse_mass.component_mul(&kick.wrench.force);
        let spin = self.angular + h * inverse_inertia.times(&kick.wrench.torque);
        // Most bodies are not damped, which saves six divisions.
        let damped = |velocity: Vec3, rate: f64| if rate == 0.0 { velocity } else { velocity / (1.0 + h * rate) };
        (damped(self.linear + h * acceleration, kick.linear_damping), damped(spin, kick.angular_damping))
    }

    /// Returns the quaternion, of any length, by which the rotation of a body is multiplied in a step of length `h` [s] with this angular
    /// velocity.
    #[inline(always)]
    pub fn turn(&self, kind: Kind, mass: &Mass, angular: &Vec3, h: f64) -> Quaternion {
        match kind {
            Kind::Static => Quaternion::identity(),
            Kind::Dynamic if mass.free_rotation == [true; 3] && !mass.is_isotropic() => {
                self.free_turn(mass, angular, h)
            }
            Kind::Kinematic | Kind::Dynamic => turned_by(&(h * angular)).into_inner(),
        }
    }

    /// Returns the same of a dynamic body that turns freely.
    fn free_turn(&self, mass: &Mass, angular: &Vec3, h: f64) -> Quaternion {
        let momentum = mass.inertia.times(&self.rotation.inverse_transform_vector(angular));
        let turn = angular_turn(&momentum, &mass.inertia_inverse, h);
        long_cayley(&(self.rotation * turn))
    }

    /// Returns the motion at the end of a step of length `h` [s] with the velocities and displacements of `drift`.
    ///
    /// The angular momentum L of a dynamic body about its centre of mass is that of `drift.angular` at the *old* orientation. It
    /// stays the same at the new one: `w = I(R+)^-1 L`.
    #[inline(always)]
    pub fn drifted(&self, kind: Kind, mass: &Mass, drift: &Drift, h: f64) -> Self {
        if kind == Kind::Static {
            return *self;
        }
        let Drift { linear, angular, .. } = *drift;
        let (center, rotation) = self.drifted_place(kind, mass, drift, h);
        let angular = match kind == Kind::Kinematic || mass.is_isotropic() {
            true => angular,
            false => self.turned_velocity(mass, &angular, &rotation),
        };
        Self { center, rotation, linear, angular }
    }

    /// Returns the angular velocity at a new `rotation`, with the angular momentum of `angular` at the present one.
    fn turned_velocity(&self, mass: &Mass, angular: &Vec3, rotation: &Quat) -> Vec3 {
        let momentum = mass.world_inertia(&self.rotation).times(angular);
        let (inertia, inverse) = (mass.world_inertia(rotation), mass.world_inverse(rotation));
        let angular = inverse.times(&momentum);
        // Refined once, since the rounding error of the inverse is the same in every step and would add up.
        angular + inverse.times(&(momentum - inertia.times(&angular)))
    }

    /// Returns where the centre of mass and the rotation are after the same drift.
    #[inline(always)]
    pub fn drifted_place(&self, kind: Kind, mass: &Mass, drift: &Drift, h: f64) -> (Vec3, Quat) {
        if kind == Kind::Static {
            return (self.center, self.rotation);
        }
        let Drift { path: [velocity, spin], displacement, turn, .. } = *drift;
        let rotation = self.turn(kind, mass, &spin, h) * self.rotation.quaternion();
        // Mostly there is no turn.
        let rotation = if turn == Vec3::zeros() { rotation } else { long_cayley(&turn) * rotation };
        (self.center + h * velocity + displacement, Quat::new_normalize(rotation))
    }

    /// Returns whether the body neither moves nor turns.
    pub fn is_at_rest(&self) -> bool {
        self.linear == Vec3::zeros() && self.angular == Vec3::zeros()
    }

    /// Returns the kinetic energy [J].
    #[inline(always)]
    pub fn kinetic_energy(&self, mass: &Mass) -> f64 {
        let spin = mass.world_inertia(&self.rotation).times(&self.angular).dot(&self.angular);
        0.5 * (mass.mass * self.linear.norm_squared() + spin)
    }

    /// Returns whether all numbers are finite and the rotation is valid.
    pub fn is_finite(&self) -> bool {
        // A turn that overflows leaves a quaternion that is no rotation.
        let turns = (0.5..2.0).contains(&self.rotation.coords.norm_squared());
        turns && are_finite([&self.center, &self.linear, &self.angular])
    }
}

state!(Motion { center, rotation, linear, angular } of |[cx, cy, cz, x, y, z, w, ux, uy, uz, wx, wy, wz]| {
    let (center, rotation) = (Vec3::new(cx, cy, cz), rotation([x, y, z, w])?);
    Ok(Motion { center, rotation, linear: Vec3::new(ux, uy, uz), angular: Vec3::new(wx, wy, wz) })
});

fn matrix(rotation: &Quat) -> Mat3 {
    *rotation.to_rotation_matrix().matrix()
}
