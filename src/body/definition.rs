//! What a host says of a body before it exists.

use crate::error::{Error, Result, all_finite, in_range, not_negative};
use crate::id::Handle;
use crate::math::{Quat, Symmetric3, Vec3};

/// How a body moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Never.
    Static,
    /// With the velocity its host gives it; contacts do not change it.
    Kinematic,
    /// By forces and contacts.
    #[default]
    Dynamic,
}

/// Locked components, world axes: bits 0 to 2 of translation, 3 to 5 of rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lock(pub u32);

impl Lock {
    /// Every bit that has a meaning.
    pub const ALL: u32 = 63;

    /// Which components of the translation are free.
    pub fn free_translation(self) -> [bool; 3] {
        std::array::from_fn(|axis| self.0 & (1 << axis) == 0)
    }

    /// Which components of the rotation are free.
    pub fn free_rotation(self) -> [bool; 3] {
        std::array::from_fn(|axis| self.0 & (8 << axis) == 0)
    }
}

/// Where a body's mass comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MassModel {
    /// From the shape and the material's density.
    FromShape,
    /// Given by the host.
    Given {
        /// [kg]
        mass: f64,
        /// Body axes, from the shape's origin [m].
        center: Vec3,
        /// About the centre of mass, body axes [kg m^2]; `None`: the shape's own, scaled to the mass.
        inertia: Option<Symmetric3>,
    },
}

/// A body as its host describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// How it moves.
    pub kind: Kind,
    /// Locked components.
    pub lock: Lock,
    /// Its shape.
    pub shape: Handle,
    /// Its material; null: the world's default.
    pub material: Handle,
    /// Of the shape's origin, world axes [m].
    pub position: [f64; 3],
    /// `(x, y, z, w)`, of unit length within 1e-6.
    pub rotation: [f64; 4],
    /// Of the centre of mass, world axes [m/s].
    pub linear_velocity: [f64; 3],
    /// World axes [rad/s].
    pub angular_velocity: [f64; 3],
    /// [kg]; 0: from shape and density.
    pub mass: f64,
    /// Body axes, from the shape's origin; used when `mass > 0` [m].
    pub center_of_mass: [f64; 3],
    /// About the centre of mass, body axes, `xx yy zz xy yz xz`; all 0: from the shape [kg m^2].
    pub inertia: [f64; 6],
    /// Factor on gravity [-].
    pub gravity_scale: f64,
    /// [1/s]
    pub linear_damping: f64,
    /// [1/s]
    pub angular_damping: f64,
    /// The groups it is in.
    pub filter_category: u32,
    /// The groups it collides with.
    pub filter_mask: u32,
    /// Two bodies of one group other than 0: positive always collide, negative never.
    pub filter_group: i32,
    /// The host's own.
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
            return Err(Error::argument(format!("lock is {:#x}, expected DRY_LOCK_ bits alone", self.lock.0)));
        }
        all_finite("position", &self.position)?;
        unit_quaternion("rotation", &self.rotation)?;
        all_finite("linear_velocity", &self.linear_velocity)?;
        all_finite("angular_velocity", &self.angular_velocity)?;
        not_negative("mass", self.mass)?;
        all_finite("center_of_mass", &self.center_of_mass)?;
        all_finite("inertia", &self.inertia)?;
        self.check_inertia()?;
        crate::error::finite("gravity_scale", self.gravity_scale)?;
        not_negative("linear_damping", self.linear_damping)?;
        not_negative("angular_damping", self.angular_damping)
    }

    fn check_inertia(&self) -> Result<()> {
        if self.inertia == [0.0; 6] {
            return Ok(());
        }
        let given = self.inertia;
        if self.mass == 0.0 {
            return Err(Error::argument(format!(
                "inertia is {given:?} while mass is 0, expected a mass above 0 or an inertia of zeros"
            )));
        }
        if (Symmetric3 { entries: given }).inverse_on([true; 3]).is_none() {
            return Err(Error::argument(format!("inertia is {given:?}, expected a positive definite matrix")));
        }
        Ok(())
    }

    /// Where the mass comes from.
    pub fn mass_model(&self) -> MassModel {
        if self.mass == 0.0 {
            return MassModel::FromShape;
        }
        let inertia = (self.inertia != [0.0; 6]).then_some(Symmetric3 { entries: self.inertia });
        MassModel::Given { mass: self.mass, center: Vec3::from(self.center_of_mass), inertia }
    }
}

/// The rotation of an `(x, y, z, w)` quaternion, normalised if its length is 1 within 1e-6, else refused.
pub fn unit_quaternion(name: &str, xyzw: &[f64; 4]) -> Result<Quat> {
    all_finite(name, xyzw)?;
    let [x, y, z, w] = *xyzw;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    in_range(&format!("the length of {name}"), length, (length - 1.0).abs() <= 1e-6, "1 within 1e-6")?;
    Ok(Quat::new_normalize(nalgebra::Quaternion::new(w, x, y, z)))
}
