//! Clumps: convex shapes rigidly joined; and the mass of any shape.

use crate::id::Handle;
use crate::shape::check_clump_count;
use crate::world::ClumpPart;

use super::guard;
use super::handle::{self, dry_shape, dry_world};
use super::status_code::dry_status;
use super::structure::{self, same_members, structure};

/// A part of a clump. Filled in by dry_clump_part_init; grows at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_clump_part {
    /// Bytes of this structure; the same in every element of an array, where it is the stride.
    pub struct_size: usize,
    /// A sphere, box, capsule, cylinder or hull of the world. The clump has a copy: the shape may be removed afterwards.
    /// No default: it must be set.
    pub shape: dry_shape,
    /// Of the shape's origin, axes of the clump [m]. Default 0.
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w) from the shape's axes to those of the clump, its length 1 within 1e-6 [-]. Default
    /// (0, 0, 0, 1).
    pub rotation: [f64; 4],
    /// Factor on the density of the body, 1e-20 to 1e20 [-]. Default 1.
    pub density_factor: f64,
}

structure!(dry_clump_part);

impl Default for dry_clump_part {
    fn default() -> Self {
        let part = ClumpPart::default();
        same_members! { part { position, rotation, density_factor } into Self {
            struct_size: size_of::<Self>(),
            shape: part.shape.0,
        } }
    }
}

impl From<dry_clump_part> for ClumpPart {
    fn from(part: dry_clump_part) -> Self {
        same_members! { part { position, rotation, density_factor } into Self { shape: Handle(part.shape) } }
    }
}

/// Fills in a default part: at the origin of the clump, without a shape.
///
/// part: the structure of the caller.
/// size: sizeof(dry_clump_part) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_clump_part_init(part: *mut dry_clump_part, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_clump_part_init", || unsafe { structure::init("part", part, size) })
}

/// Adds a clump: the union of convex shapes that are rigidly joined, apart, touching or overlapping. It need not be
/// convex, and dynamic bodies can have it.
///
/// Its mass is that of the union: where parts overlap, a point counts once, with the density_factor of the first part
/// in the list that holds it. Mass, centre and inertia of spheres, boxes and hulls, overlapping or not, are exact to
/// round-off of the largest part. They are also exact for capsules and cylinders that overlap no other part. A capsule
/// or a cylinder that overlaps another part is replaced by a prism of 64 sides for the shared volume. That volume is
/// off by up to 2e-5 of the volume of the part. The origin of the clump is that of the positions of its parts, not its
/// centre of mass; see dry_shape_mass_properties.
///
/// Each part is a shape of its own for contacts. A contact that another part of the clump hides is left out: one place
/// of the union counts once. r* of rolling resistance is that of the part that touches.
///
/// parts: count structures; each carries the first one's struct_size. Read during the call. An error names the element:
///     "parts[3]: ...".
/// count: 1 to 1048576.
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_clump(
    world: *mut dry_world,
    parts: *const dry_clump_part,
    count: usize,
    shape: *mut dry_shape,
) -> dry_status {
    guard::run("dry_shape_clump", || {
        // SAFETY: the host gives a place for a handle, and count structures of the size that the first one says.
        let (world, place, parts) = unsafe {
            let (world, place) = (handle::of(world)?, guard::output("shape", shape)?);
            check_clump_count(count)?;
            let parts = structure::read_each(["parts", "parts of a clump"], parts, count, |part: dry_clump_part| {
                Ok(ClumpPart::from(part))
            })?;
            (world, place, parts)
        };
        world.write(|world| world.add_clump(&parts)).map(|added| place.write(added.0))
    })
}

/// Reads the mass of a shape at density 1 kg/m^3.
///
/// A body whose mass is given needs the centre of mass too if that is not the shape's origin: see dry_body_def.
///
/// volume: receives the volume of the shape [m^3].
///
/// mass: receives the mass [kg]. It is the volume, except for clumps with density factors.
///
/// center_of_mass: receives the centre of mass, axes of the shape, from its origin [m].
///
/// inertia: receives the inertia about the centre of mass, axes of the shape: xx yy zz xy yz xz [kg m^2].
///
/// DRY_ERR_UNSUPPORTED: a half-space, a mesh or a curve that runs clockwise, which have no volume.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[center_of_mass; 3], [inertia; 6]]
pub unsafe extern "C" fn dry_shape_mass_properties(
    world: *const dry_world,
    shape: dry_shape,
    volume: *mut f64,
    mass: *mut f64,
    center_of_mass: *mut f64,
    inertia: *mut f64,
) -> dry_status {
    guard::run("dry_shape_mass_properties", || {
        // SAFETY: the host gives places for two numbers, for three and for six.
        let (world, volume, mass, center, inertia) = unsafe {
            let (world, volume) = (handle::of(world)?, guard::output("volume", volume)?);
            let (mass, center) =
                (guard::output("mass", mass)?, guard::output_numbers("center_of_mass", center_of_mass)?);
            (world, volume, mass, center, guard::output_numbers("inertia", inertia)?)
        };
        let found = world.read(|world| world.shape_mass_properties(Handle(shape)))?;
        volume.write(found.volume);
        mass.write(found.mass);
        center.write(found.center.into());
        inertia.write(found.inertia.entries);
        Ok(())
    })
}
