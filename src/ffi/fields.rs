//! Coarse-grained fields of the last completed step.

use std::mem::MaybeUninit;

use crate::error::{Error, Result, text};
use crate::query::fields::{Field, KernelKind, check_count};

use super::guard;
use super::handle::{self, dry_world};
use super::status_code::dry_status;
use super::structure::{self, recorded, same_members};

/// How a body or a force is spread over the space around it. w is the width of the kernel, r the distance.
///
/// Both are not negative, and their integral over space is 1.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_kernel {
    /// In proportion to exp(-r^2 / (2 w^2)), and 0 beyond R = 3 w.
    DRY_KERNEL_GAUSSIAN = 0,
    /// 105 / (16 pi R^3) (1 + 3 r/R) (1 - r/R)^3 with R = 2 w, and 0 beyond. Smooth at R, so that fields can be
    /// differentiated.
    DRY_KERNEL_LUCY = 1,
}

/// The coarse-grained fields at a point. Grows at its end: sizeof(dry_field) goes to dry_query_fields with the array.
///
/// Matrices are row major: stress[3 * i + j]. Tension is positive.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_field {
    /// Of mass: the sum of m phi [kg/m^3].
    pub density: f64,
    /// The sum of m v phi [kg/(m^2 s)].
    pub momentum: [f64; 3],
    /// momentum over density; 0 where that is 0 [m/s].
    pub velocity: [f64; 3],
    /// The part of the volume that is solid: the sum of V phi over the volumes V of bodies, overlaps counted twice [-].
    pub packing_fraction: f64,
    /// The sum of m |v - velocity|^2 phi over 3 density; 0 where that is 0 [m^2/s^2].
    pub granular_temperature: f64,
    /// Minus the sum of m (v - velocity) (x) (v - velocity) phi [Pa].
    pub kinetic_stress: [f64; 9],
    /// Minus the sum of l (x) f times the mean of phi along the branch of each contact [Pa].
    pub contact_stress: [f64; 9],
}

recorded!(dry_field);

impl From<&Field> for dry_field {
    fn from(field: &Field) -> Self {
        same_members! { field {
            density, momentum, velocity, packing_fraction, granular_temperature, kinetic_stress, contact_stress,
        } into Self {} }
    }
}

/// Averages a world about points: its fields of mass, momentum and stress as a continuum has them.
///
/// phi is the kernel at the distance of a body's centre of mass from the point. Bodies are those that are dynamic,
/// with their present positions and velocities. v is the velocity of the centre of mass, so spin is not part of any
/// field. Contacts, forces f and branches l are those of dry_query_stress: compatible forces of the last step. A
/// branch leads from the centre of mass of a to that of b, and on the side of a static or kinematic body to the
/// contact point. Joints are not part of the stress.
///
/// The fields obey the balances of mass and momentum of a continuum. At rest the divergence of the stress and the
/// weight density * g cancel at every point that is further than R from walls. The integral of density over space is
/// the mass of all dynamic bodies. That of contact_stress is V times dry_query_stress of a box V around all bodies.
/// Fields at a point do not depend on the other points, on their order or on threads. The time of the call is in
/// proportion to the number of points and to what is within R of them.
///
/// In a periodic box everything is seen with its images: fields repeat themselves with the period, and the integral over
/// one period is that of the box. R is at most four times the shortest period; else DRY_ERR_ARGUMENT.
///
/// points_xyz: 3 * count coordinates, world axes [m].
/// count: number of points, 0 to 4294967295.
/// kernel: a dry_kernel.
/// width: w, from 1e-50 to 1e50 [m]. With 0 it is the mean diameter of the dynamic spheres; DRY_ERR_ARGUMENT if there
/// is none.
///
/// fields: receives one for each point.
/// size: sizeof(dry_field) as the caller was compiled, the distance in bytes from one to the next.
///
/// DRY_ERR_NOT_FINITE: a coordinate or the width is not finite, or a field is beyond the largest number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_fields(
    world: *const dry_world,
    points_xyz: *const f64,
    count: usize,
    kernel: MaybeUninit<dry_kernel>,
    width: f64,
    fields: *mut dry_field,
    size: usize,
) -> dry_status {
    guard::run("dry_query_fields", || {
        let world = handle::of(world)?;
        structure::known_size::<dry_field>("size", size)?;
        check_count(count)?;
        // SAFETY: the host gives `count` points, and room for so many fields of `size` bytes.
        let (points, filled) = unsafe {
            let points = guard::array(["points_xyz", "count"], points_xyz.cast::<[f64; 3]>(), count)?;
            (points, guard::filled_by_stride(["fields", "count"], fields, size, count)?)
        };
        guard::check_overlap(&[filled.region("fields")], &[guard::Region::new("points_xyz", points_xyz, 3 * count)])?;
        let kind = kernel_kind("kernel", structure::number(kernel))?;
        let found = world.read_on_tasks(|world, tasks| world.fields(points, kind, width, tasks))?;
        filled.write(found.iter().map(dry_field::from));
        Ok(())
    })
}

/// The kernel of this number.
pub(super) fn kernel_kind(name: &str, number: u32) -> Result<KernelKind> {
    match number {
        0 => Ok(KernelKind::Gaussian),
        1 => Ok(KernelKind::Lucy),
        _ => Err(Error::argument(text!("{name} is {number}, expected a DRY_KERNEL_ value"))),
    }
}
