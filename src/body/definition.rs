//! The definition of a body by its host, and the body that is made from it.

use crate::body::motion::{Kind, Lock, Mass, Motion};
use crate::body::shared::Bits;
use crate::error::{Error, Result, all_finite, not_negative, text};
use crate::id::Handle;
use crate::math::{Mat3, Quat, Symmetric3, Vec3, is_semidefinite, unit_quaternion};

/// A body as its host describes it. `dry_body_def` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_body_def`
pub struct Definition {
    pub kind: Kind,
    pub lock: Lock,
    pub shape: Handle,
    pub material: Handle,
    pub position: [f64; 3],
    pub rotation: [f64; 4],
    pub linear_velocity: [f64; 3],
    pub angular_velocity: [f64; 3],
    pub mass: f64,
    pub center_of_mass: [f64; 3],
    pub inertia: [f64; 6],
    pub gravity_scale: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
    pub filter_category: u32,
    pub filter_mask: u32,
    pub filter_group: i32,
    pub user_data: u64,
}

impl Default for Definition {
    fn default() -> Self {
        Self {
            kind: Kind::Dynamic,
            lock: Lock(0),
            shape: Handle::NULL,
            material: Handle::NULL,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            mass: 0.0,
            center_of_mass: [0.0; 3],
            inertia: [0.0; 6],
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            filter_category: 1,
            filter_mask: u32::MAX,
            filter_group: 0,
            user_data: 0,
        }
    }
}

impl Definition {
    /// Refuses numbers out of range. Handles are checked by the world.
    pub fn check(&self) -> Result<()> {
        if self.lock.0 & !Lock::ALL != 0 {
            return Err(Error::argument(text!("lock is {:#x}, expected DRY_LOCK_ bits alone", self.lock.0)));
        }
        all_finite("position", &self.position)?;
        unit_quaternion("rotation", &self.rotation)?;
        all_finite("linear_velocity", &self.linear_velocity)?;
        all_finite("angular_velocity", &self.angular_velocity)?;
        not_negative("mass", self.mass)?;
        all_finite("center_of_mass", &self.center_of_mass)?;
        all_finite("inertia", &self.inertia)?;
        let given = self.inertia;
        let is_given = given != [0.0; 6];
        if is_given && self.mass == 0.0 {
            let message = text!("inertia is {given:?} while mass is 0, expected a mass above 0 or an inertia of zeros");
            return Err(Error::argument(message));
        }
        if is_given && (Symmetric3 { entries: given }).inverse_on([true; 3]).is_none() {
            return Err(Error::argument(text!("inertia is {given:?}, expected a positive definite matrix")));
        }
        if is_given && !obeys_triangle_inequality(&given) {
            return Err(Error::argument(text!(
                "inertia is {given:?}, expected moments (xx yy zz xy yz xz) of which none is above the sum of the other two"
            )));
        }
        crate::error::finite("gravity_scale", self.gravity_scale)?;
        not_negative("linear_damping", self.linear_damping)?;
        not_negative("angular_damping", self.angular_damping)
    }
}

/// Moments in single precision may violate the triangle inequality by this part of the largest. A thin plate has equality [-].
const SINGLE_PRECISION: f64 = 1e-6;

/// Returns whether no principal moment exceeds the sum of the other two, as in every body without negative mass. The matrix `tr(I)/2 - I`
/// is then the second moment of mass, which is positive semidefinite.
fn obeys_triangle_inequality(inertia: &[f64; 6]) -> bool {
    let matrix = Symmetric3 { entries: *inertia }.to_matrix();
    let second_moment = Mat3::from_diagonal_element(0.5 * matrix.trace()) - matrix;
    is_semidefinite(second_moment.as_slice(), 3, SINGLE_PRECISION)
}

/// The properties of a body apart from its mass and motion. The members are those of [`Definition`], with slots in place of handles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_body_def`
pub struct Traits {
    pub kind: Kind,
    pub lock: Lock,
    pub shape: u32,
    pub material: u32,
    pub filter_category: u32,
    pub filter_mask: u32,
    pub filter_group: i32,
    pub gravity_scale: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
}

impl Traits {
    /// Returns `motion` without velocities that this body cannot have: a static body does not move, and locked components are zero.
    pub fn allowed(&self, mut motion: Motion) -> Motion {
        let (translation, rotation) = match self.kind {
            Kind::Static => ([false; 3], [false; 3]),
            Kind::Kinematic => ([true; 3], [true; 3]),
            Kind::Dynamic => (self.lock.free_translation(), self.lock.free_rotation()),
        };
        for axis in 0..3 {
            if !translation[axis] {
                motion.linear[axis] = 0.0;
            }
            if !rotation[axis] {
                motion.angular[axis] = 0.0;
            }
        }
        motion
    }
}

impl Bits for Traits {
    type Words = [u64; 7];

    fn words(&self) -> [u64; 7] {
        let Self {
            kind,
            lock,
            shape,
            material,
            filter_category,
            filter_mask,
            filter_group,
            gravity_scale,
            linear_damping,
            angular_damping,
        } = *self;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [
            pair(kind as u32, lock.0),
            pair(shape, material),
            pair(filter_category, filter_mask),
            u64::from(filter_group as u32),
            gravity_scale.to_bits(),
            linear_damping.to_bits(),
            angular_damping.to_bits(),
        ]
    }
}

/// A body that is checked and ready to be added.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)] // each member is its type
pub struct NewBody {
    pub motion: Motion,
    pub mass: Mass,
    pub traits: Traits,
    pub user_data: u64,
}

impl NewBody {
    /// Returns the body of a checked definition. `shape` and `material` are slots.
    pub fn new(definition: &Definition, rotation: Quat, shape: usize, material: usize, mass: Mass) -> Self {
        let traits = Traits {
            kind: definition.kind,
            lock: definition.lock,
            shape: shape as u32,
            material: material as u32,
            filter_category: definition.filter_category,
            filter_mask: definition.filter_mask,
            filter_group: definition.filter_group,
            gravity_scale: definition.gravity_scale,
            linear_damping: definition.linear_damping,
            angular_damping: definition.angular_damping,
        };
        let motion = Motion {
            center: Vec3::from(definition.position) + rotation * mass.center,
            rotation,
            linear: Vec3::from(definition.linear_velocity),
            angular: Vec3::from(definition.angular_velocity),
        };
        Self { motion: traits.allowed(motion), mass, traits, user_data: definition.user_data }
    }
}
