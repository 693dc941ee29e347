//! NURBS curves as shapes, and the closest points of shapes.

use std::mem::MaybeUninit;
use std::ptr;

use crate::error::{Error, Result, text};
use crate::id::Handle;
use crate::shape::{CurveContacts, CurveDefinition, Shape};

use super::guard;
use super::handle::{self, dry_shape, dry_world};
use super::shapes::add;
use super::status_code::dry_status;
use super::structure::{self, numbered, structure};

/// Where NURBS curves touch each other.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_curve_contacts {
    /// Where the distance between the two has a minimum; at both ends of a stretch along which they are nearly parallel.
    DRY_CURVE_MINIMA = 0,
    /// At each sample of either curve that overlaps the other, with the normal of the other. For comparison: overlaps
    /// between samples are missed, and the two sets of samples make the contact twice as stiff.
    DRY_CURVE_KNOTS = 1,
}

/// A closed NURBS curve in the x-y plane of a body, and the prism along z over it. Filled in by
/// dry_nurbs_curve_def_init; grows at its end.
///
/// A curve that runs counterclockwise is solid inside. One that runs clockwise is a hole, solid outside near its edge,
/// for static and kinematic bodies alone. The curve must be simple: it neither crosses nor touches itself, nor has it a
/// cusp or an angle below a millionth of a radian; else DRY_ERR_ARGUMENT. Corners are allowed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_nurbs_curve_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// 1 to 5. Default 3. A curve of degree 1 is the polygon of its points.
    pub degree: u32,
    /// 1: periodic. Point i acts from knot i to knot i + degree + 1, knots and points go on beyond their ends with the
    /// period. 0: clamped. The first knot and the last one stand degree + 1 times, and the last point is the first one.
    /// Default 1.
    pub periodic: u32,
    /// 2 * point_count numbers, x y of each control point, body axes [m]; read during the call. At least 3 points of a
    /// periodic curve; of a clamped one degree + 1, and 4. No default.
    pub points_xy: *const f64,
    /// point_count numbers above 0, of which the largest is at most 1e8 times the smallest; NULL: all 1. Read during the
    /// call. Default NULL [-].
    pub weights_or_null: *const f64,
    /// knot_count numbers in ascending order, of which some may be equal; read during the call. Knots are the same or
    /// differ by 1e-10 of their range. The same knot stands at most degree times, except at the ends of a clamped
    /// curve. No default [-].
    pub knots: *const f64,
    /// No default.
    pub point_count: usize,
    /// point_count + 1 of a periodic curve, point_count + degree + 1 of a clamped one. No default.
    pub knot_count: usize,
    /// Half the length of the prism along z, above 0 [m]. Default 0.5.
    pub half_depth: f64,
    /// A dry_curve_contacts. Two curves touch at their knots if both have DRY_CURVE_KNOTS. Default DRY_CURVE_MINIMA.
    pub contacts: MaybeUninit<dry_curve_contacts>,
    /// Of the search for contacts, 1 to 64. Default 4.
    pub samples_per_span: u32,
}

structure!(dry_nurbs_curve_def);

impl Default for dry_nurbs_curve_def {
    fn default() -> Self {
        let CurveDefinition { degree, periodic, half_depth, contacts, samples_per_span, .. } =
            CurveDefinition::default();
        Self {
            struct_size: size_of::<Self>(),
            degree,
            periodic: u32::from(periodic),
            points_xy: ptr::null(),
            weights_or_null: ptr::null(),
            knots: ptr::null(),
            point_count: 0,
            knot_count: 0,
            half_depth,
            contacts: numbered(contacts as u32),
            samples_per_span,
        }
    }
}

/// Fills in the defaults of a curve.
///
/// def: the structure of the caller.
/// size: sizeof(dry_nurbs_curve_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_nurbs_curve_def_init(def: *mut dry_nurbs_curve_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_nurbs_curve_def_init", || unsafe { structure::init("def", def, size) })
}

/// Adds a prism along the body's z axis over a closed NURBS curve, for motion in the x-y plane of the world.
///
/// Everything is planar: the z axis of the body is that of the world, and a dynamic body locks DRY_LOCK_Z,
/// DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y; else DRY_ERR_UNSUPPORTED. Its contacts are in the middle of the depth
/// that it shares with its partner. Partners are other curves, boxes with an edge along z, cylinders along z, spheres,
/// and half-spaces whose normal is in the plane; half-spaces across z do not touch it. If a curve comes near another
/// kind of partner, the step is DRY_ERR_UNSUPPORTED. Mass, centre and inertia are those of the prism, to round-off.
///
/// def: the curve.
/// shape: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_shape_nurbs_curve(
    world: *mut dry_world,
    def: *const dry_nurbs_curve_def,
    shape: *mut dry_shape,
) -> dry_status {
    // SAFETY: the host gives a structure of the size it says, the arrays in it, and a place for a handle.
    guard::run("dry_shape_nurbs_curve", || unsafe {
        add(world, shape, || Shape::nurbs_curve(&definition(&structure::read("def", def)?)?))
    })
}

/// Finds the point of a shape's surface that is closest to a given one. The shape need not be of a body.
///
/// The shape is a sphere, box, capsule, cylinder, half-space or NURBS curve; others are DRY_ERR_UNSUPPORTED. For a
/// curve the call finds the closest point in the x-y plane, certified: the z of the point is that of its foot. Where
/// several points are equally close, it is one of them.
///
/// point: shape axes, at most 1e12 times the size of the shape from its origin [m].
/// foot: receives the closest point, shape axes [m].
///
/// normal: receives the unit vector along the line from foot to point, out of the solid [-]. Where foot and point
/// coincide, it is the normal of the surface.
///
/// distance: receives the distance from foot to point, below 0 where the point is in the solid [m].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[point; 3], [foot; 3], [normal; 3]]
pub unsafe extern "C" fn dry_shape_closest(
    world: *const dry_world,
    shape: dry_shape,
    point: *const f64,
    foot: *mut f64,
    normal: *mut f64,
    distance: *mut f64,
) -> dry_status {
    guard::run("dry_shape_closest", || {
        let world = handle::of(world)?;
        // SAFETY: the host gives three numbers, and places for three, three and one.
        let (point, foot, normal, distance) = unsafe {
            let point = guard::numbers::<3>("point", point)?;
            let foot = guard::output_numbers::<3>("foot", foot)?;
            (point, foot, guard::output_numbers::<3>("normal", normal)?, guard::output("distance", distance)?)
        };
        let found = world.read(|world| world.closest_point(Handle(shape), point))?;
        foot.write(found.foot.into());
        normal.write(found.normal.into());
        distance.write(found.distance);
        Ok(())
    })
}

/// The definition with copies of its arrays.
///
/// # Safety
/// As for [`guard::copied`], for each array.
unsafe fn definition(def: &dry_nurbs_curve_def) -> Result<CurveDefinition> {
    let contacts = match structure::number(def.contacts) {
        0 => CurveContacts::Minima,
        1 => CurveContacts::Knots,
        other => return Err(Error::argument(text!("contacts is {other}, expected a DRY_CURVE_ value"))),
    };
    let periodic = match def.periodic {
        0 => false,
        1 => true,
        other => return Err(Error::argument(text!("periodic is {other}, expected 0 or 1"))),
    };
    // SAFETY: this function's own condition; an array of two lies like two numbers.
    let (points, weights, knots) = unsafe {
        let points = guard::copied(["points_xy", "point_count"], def.points_xy.cast::<[f64; 2]>(), def.point_count)?;
        let weights = if def.weights_or_null.is_null() {
            Vec::new()
        } else {
            guard::copied(["weights_or_null", "point_count"], def.weights_or_null, def.point_count)?
        };
        (points, weights, guard::copied(["knots", "knot_count"], def.knots, def.knot_count)?)
    };
    Ok(CurveDefinition {
        degree: def.degree,
        periodic,
        points,
        weights,
        knots,
        half_depth: def.half_depth,
        contacts,
        samples_per_span: def.samples_per_span,
    })
}
