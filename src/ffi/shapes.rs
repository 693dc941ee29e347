//! Shapes. A shape is shared by any number of bodies.

use crate::error::Result;
use crate::id::Handle;
use crate::shape::Shape;

use super::guard;
use super::handle::{self, dry_shape, dry_world};
use super::status_code::dry_status;

/// Adds what `make` builds, and answers its handle. The pointers are checked before the numbers.
///
/// # Safety
/// As for [`handle::of`] and [`guard::output`].
pub(super) unsafe fn add(
    world: *mut dry_world,
    shape: *mut dry_shape,
    make: impl FnOnce() -> Result<Shape>,
) -> Result<()> {
    // SAFETY: this function's own condition.
    let (world, place) = unsafe { (handle::of(world)?, guard::output("shape", shape)?) };
    let made = make()?;
    world.write(|world| world.add_shape(made)).map(|added| place.write(added.0))
}

/// Adds a sphere about its origin.
///
/// radius: above 0 [m].
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_sphere(world: *mut dry_world, radius: f64, shape: *mut dry_shape) -> dry_status {
    // SAFETY: the host gives a place for a handle.
    guard::run("dry_shape_sphere", || unsafe { add(world, shape, || Shape::sphere(radius)) })
}

/// Adds a box about its origin, its edges along the body's axes.
///
/// half_extents: half its edges, each above 0 [m].
/// shape: receives its handle.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[half_extents; 3]]
pub unsafe extern "C" fn dry_shape_box(
    world: *mut dry_world,
    half_extents: *const f64,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives three numbers, and a place for a handle.
    guard::run("dry_shape_box", || unsafe {
        add(world, shape, || Shape::cuboid(guard::numbers("half_extents", half_extents)?))
    })
}

/// Adds a capsule about its origin: a cylinder along the body's z axis with half spheres on its ends.
///
/// half_height: half the length of the cylinder between the half spheres, 0 or above [m].
/// radius: above 0 [m].
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_capsule(
    world: *mut dry_world,
    half_height: f64,
    radius: f64,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives a place for a handle.
    guard::run("dry_shape_capsule", || unsafe { add(world, shape, || Shape::capsule(half_height, radius)) })
}

/// Adds a cylinder about its origin, along the body's z axis.
///
/// half_height: half its length, above 0 [m].
/// radius: above 0 [m].
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_cylinder(
    world: *mut dry_world,
    half_height: f64,
    radius: f64,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives a place for a handle.
    guard::run("dry_shape_cylinder", || unsafe { add(world, shape, || Shape::cylinder(half_height, radius)) })
}

/// Adds a half-space: solid where normal . x <= offset, in body axes. For static and kinematic bodies alone.
///
/// normal: points out of the solid, its length 1 within 1e-6 [-].
/// offset: distance of the surface from the origin along the normal [m].
/// shape: receives its handle.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[normal; 3]]
pub unsafe extern "C" fn dry_shape_half_space(
    world: *mut dry_world,
    normal: *const f64,
    offset: f64,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives three numbers, and a place for a handle.
    guard::run("dry_shape_half_space", || unsafe {
        add(world, shape, || Shape::half_space(guard::numbers("normal", normal)?, offset))
    })
}

/// Adds the convex hull of points.
///
/// Mass, centre and inertia are those of the exact hull. For contacts, faces are flat and edges straight within about
/// 1e-6 of its size: points nearer to them are no corners.
///
/// points_xyz: 3 * point_count numbers, x y z of each point, body axes [m]; read during the call.
/// point_count: 4 to 2^26, not all in one plane.
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_hull(
    world: *mut dry_world,
    points_xyz: *const f64,
    point_count: usize,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives the points, and a place for a handle.
    guard::run("dry_shape_hull", || unsafe { add(world, shape, || Shape::hull(&points(points_xyz, point_count)?)) })
}

/// Adds a surface of triangles, touchable from both sides. For static and kinematic bodies alone.
///
/// Points whose coordinates differ by less than 1e-12 of the largest coordinate of the mesh are one. Edges that belong
/// to one triangle only are compared more coarsely, for meshes with 32-bit coordinates: by 4.8e-7 of half the longest
/// extent. If all coordinates are 32-bit numbers, it is 4.8e-7 of the largest one, but at most 1e-4 of half that extent.
/// Ends of such edges that are closer are one, and move to one of them. An end that is as close to such an edge divides
/// its triangle. So a body feels no seam there.
///
/// points_xyz: 3 * point_count numbers, x y z of each point, body axes [m]. Read during the call.
///
/// triangles: 3 * triangle_count indices below point_count, of either winding. Read during the call. Where corners are
/// counterclockwise as seen from outside, a capsule that an edge pierces comes out, even if its middle is just inside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_mesh(
    world: *mut dry_world,
    points_xyz: *const f64,
    point_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives the points, the triangles, each of which lies like three numbers, and a
    // place for a handle.
    let make = || unsafe {
        let points = points(points_xyz, point_count)?;
        Shape::mesh(&points, &guard::copied(["triangles", "triangle_count"], triangles.cast(), triangle_count)?)
    };
    // SAFETY: as above.
    guard::run("dry_shape_mesh", || unsafe { add(world, shape, make) })
}

/// # Safety
/// If `points_xyz` is not NULL and aligned, it shows `3 * count` numbers.
unsafe fn points(points_xyz: *const f64, count: usize) -> Result<Vec<[f64; 3]>> {
    // SAFETY: an array of three lies like three numbers.
    unsafe { guard::copied(["points_xyz", "point_count"], points_xyz.cast::<[f64; 3]>(), count) }
}

/// Removes a shape that no body uses; DRY_ERR_ARGUMENT if one does.
///
/// shape: its handle, stale from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_remove(world: *mut dry_world, shape: dry_shape) -> dry_status {
    guard::run("dry_shape_remove", || handle::of(world)?.write(|world| world.remove_shape(Handle(shape))))
}
