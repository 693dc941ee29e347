//! What a body is before and while it exists.

use std::mem::MaybeUninit;

use crate::body::{Definition, Kind, Lock};
use crate::error::{Error, Result, text};
use crate::id::Handle;
use crate::world::BodyState;

use super::handle::{dry_material, dry_shape};
use super::structure::{self, same_members, structure};

/// dry_body_def.lock: the body does not move along x.
pub const DRY_LOCK_X: u32 = 1u32;
/// dry_body_def.lock: the body does not move along y.
pub const DRY_LOCK_Y: u32 = 2u32;
/// dry_body_def.lock: the body does not move along z.
pub const DRY_LOCK_Z: u32 = 4u32;
/// dry_body_def.lock: the body does not turn about x.
pub const DRY_LOCK_ROTATION_X: u32 = 8u32;
/// dry_body_def.lock: the body does not turn about y.
pub const DRY_LOCK_ROTATION_Y: u32 = 16u32;
/// dry_body_def.lock: the body does not turn about z.
pub const DRY_LOCK_ROTATION_Z: u32 = 32u32;
/// dry_body_def.lock: the body stays in its plane z = constant: DRY_LOCK_Z, DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y.
pub const DRY_LOCK_PLANAR: u32 = 28u32;

/// How a body moves.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_body_kind {
    /// Never.
    DRY_STATIC = 0,
    /// With the velocities that its host sets through dry_body_set_state; contacts and forces do not change them.
    DRY_KINEMATIC = 1,
    /// By gravity, forces and contacts.
    DRY_DYNAMIC = 2,
}

/// A body before it exists. Filled in by dry_body_def_init; grows at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_body_def {
    /// Bytes of this structure; the same in every element of an array, where it is the stride.
    pub struct_size: usize,
    /// Default DRY_DYNAMIC.
    pub kind: MaybeUninit<dry_body_kind>,
    /// DRY_LOCK_ bits, world axes. Default 0. A locked component of a velocity is zero. A contact whose normal is a
    /// locked direction carries no force, whatever pushes along it.
    pub lock: u32,
    /// A shape of the world. No default: it must be set.
    pub shape: dry_shape,
    /// A material of the world. Default 0: the default material.
    pub material: dry_material,
    /// Of the shape's origin, world axes [m]. Default 0.
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w) from body to world axes, the real part w last, its length 1 within 1e-6 [-]. Not
    /// (w, x, y, z): a quaternion in that order has length 1 too and is accepted. Default (0, 0, 0, 1).
    pub rotation: [f64; 4],
    /// Of the centre of mass, world axes [m/s]. Default 0.
    pub linear_velocity: [f64; 3],
    /// World axes [rad/s]. Default 0.
    pub angular_velocity: [f64; 3],
    /// 0, or 1e-100 to 1e100 [kg]. Default 0: from shape and density. A mass of 0 does not hold a body in place: kind
    /// DRY_STATIC does.
    pub mass: f64,
    /// Body axes, from the shape's origin; used when mass > 0 [m]. Default 0.
    pub center_of_mass: [f64; 3],
    /// About the centre of mass, body axes: xx yy zz xy yz xz; used when mass > 0 [kg m^2]. It must be positive
    /// definite. No principal moment may exceed the sum of the other two by more than 1e-6 of the largest. Default all
    /// 0: from the shape, scaled to mass.
    pub inertia: [f64; 6],
    /// Factor on the world's gravity [-]. Default 1.
    pub gravity_scale: f64,
    /// Rate at which the linear velocity decays, 0 or above [1/s]. Default 0.
    pub linear_damping: f64,
    /// Rate at which the angular velocity decays, 0 or above [1/s]. Default 0.
    pub angular_damping: f64,
    /// Bits of the groups it is in. Default 1. Two bodies collide if each one's mask has a bit of the other's category.
    pub filter_category: u32,
    /// Bits of the groups it collides with. Default all.
    pub filter_mask: u32,
    /// Two bodies of one group other than 0 always collide if it is positive, never if it is negative. Default 0.
    pub filter_group: i32,
    /// Must be 0.
    pub reserved: u32,
    /// The caller's own; see dry_body_get_user_data. Default 0.
    pub user_data: u64,
}

structure!(dry_body_def);

impl Default for dry_body_def {
    fn default() -> Self {
        let body = Definition::default();
        same_members! { body {
            position, rotation, linear_velocity, angular_velocity, mass, center_of_mass, inertia, gravity_scale,
            linear_damping, angular_damping, filter_category, filter_mask, filter_group, user_data,
        } into Self {
            struct_size: size_of::<Self>(),
            kind: MaybeUninit::new(dry_body_kind::DRY_DYNAMIC),
            lock: body.lock.0,
            shape: body.shape.0,
            material: body.material.0,
            reserved: 0,
        } }
    }
}

impl dry_body_def {
    /// The definition behind the numbers. Ranges and handles the world checks.
    pub(super) fn checked(&self) -> Result<Definition> {
        structure::reserved(self.reserved)?;
        Ok(same_members! { self {
            position, rotation, linear_velocity, angular_velocity, mass, center_of_mass, inertia, gravity_scale,
            linear_damping, angular_damping, filter_category, filter_mask, filter_group, user_data,
        } into Definition {
            kind: kind(structure::number(self.kind))?,
            lock: Lock(self.lock),
            shape: Handle(self.shape),
            material: Handle(self.material),
        } })
    }
}

fn kind(number: u32) -> Result<Kind> {
    match number {
        0 => Ok(Kind::Static),
        1 => Ok(Kind::Kinematic),
        2 => Ok(Kind::Dynamic),
        _ => Err(Error::argument(text!("kind is {number}, expected DRY_STATIC, DRY_KINEMATIC or DRY_DYNAMIC"))),
    }
}

/// Where a body is and how it moves. Frozen: it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_body_state {
    /// Of the shape's origin, world axes [m].
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w) from body to world axes, the real part w last [-].
    pub rotation: [f64; 4],
    /// Of the centre of mass, world axes [m/s].
    pub linear_velocity: [f64; 3],
    /// World axes [rad/s].
    pub angular_velocity: [f64; 3],
}

impl From<BodyState> for dry_body_state {
    fn from(state: BodyState) -> Self {
        same_members! { state { position, rotation, linear_velocity, angular_velocity } into Self {} }
    }
}

impl From<&dry_body_state> for BodyState {
    fn from(state: &dry_body_state) -> Self {
        same_members! { state { position, rotation, linear_velocity, angular_velocity } into Self {} }
    }
}
