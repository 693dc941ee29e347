//! Pairs whose contacts have a closed form, exact to round-off.
//!
//! A ball has one contact point with each shape whose distance to a point has a closed form. Every shape with a volume
//! touches a half-space at those of its corners whose heights are below the margin. The ends of a capsule and points of
//! a cylinder's rims count as corners.

use super::contact::{ContactPoint, NO_PARTS, ONLY, POINTS, Placed, mixed};
use super::reduce::keep_spread;
use crate::collide::filter::Ball;
use crate::error::{Result, reserve};
use crate::math::elementary::hypot;
use crate::math::{Pose, Vec3};
use crate::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Shape};

/// The most points of a shape other than a hull on a half-space: those of a box.
const MAX_POINTS: usize = 8;
/// Cosine of the angle to the plane's normal up to which a cylinder's end faces the plane: 45 degrees.
const FACING: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Returns the contact of two balls. If the centres coincide, the normal is `fallback`.
#[inline]
pub fn sphere_sphere(a: &Ball, b: &Ball, margin: f64, fallback: &Vec3) -> Option<ContactPoint> {
    if !a.reaches(b, margin) {
        return None;
    }
    let arm = b.center - a.center;
    let distance = arm.norm_squared().sqrt();
    let normal = if distance > 0.0 { arm / distance } else { *fallback };
    // The test compares squares. Rounding of the root may put the gap just above the margin.
    let gap = (distance - (a.radius + b.radius)).min(margin);
    Some(ContactPoint {
        point: a.center + normal * (a.radius + 0.5 * gap),
        normal,
        gap,
        feature: ONLY,
        parts: NO_PARTS,
    })
}

/// Returns the contact of a ball, a, with a box, b. If the centre of the ball is inside, the normal is that of the nearest face, the
/// first one of several.
#[inline]
pub(super) fn sphere_box(ball: &Ball, cuboid: &Cuboid, pose: &Pose, margin: f64) -> Option<ContactPoint> {
    let local = pose.to_local(&ball.center);
    let half = &cuboid.half_extents;
    let beyond = local - local.sup(&-half).inf(half);
    let square = beyond.norm_squared();
    let reach = ball.radius + margin;
    if square > reach * reach {
        return None;
    }
    let (distance, outward) = if square > 0.0 {
        let distance = square.sqrt();
        (distance, beyond / distance)
    } else {
        let depth = half - local.abs();
        let axis = (1..3).fold(0, |nearest, axis| if depth[axis] < depth[nearest] { axis } else { nearest });
        let mut outward = Vec3::zeros();
        outward[axis] = 1f64.copysign(local[axis]);
        (-depth[axis], outward)
    };
    ContactPoint::of_ball(ball, distance, &(pose.matrix * outward), margin)
}

/// Returns the contact of a ball, a, with a capsule, b. If the centre of the ball is on the axis, the normal is across it.
pub(super) fn sphere_capsule(ball: &Ball, capsule: &Capsule, pose: &Pose, margin: f64) -> Option<ContactPoint> {
    let axis = pose.matrix.column(2);
    let along = axis.dot(&(ball.center - pose.origin)).clamp(-capsule.half_height, capsule.half_height);
    let nearest = Ball { center: pose.origin + axis * along, radius: capsule.radius };
    sphere_sphere(ball, &nearest, margin, &pose.matrix.column(0).into_owned())
}

/// Returns the contact of a ball, a, with a cylinder, b. If the centre of the ball is inside, the normal is that of the nearest surface;
/// an end is preferred to the side.
pub(super) fn sphere_cylinder(ball: &Ball, cylinder: &Cylinder, pose: &Pose, margin: f64) -> Option<ContactPoint> {
    let local = pose.to_local(&ball.center);
    let from_axis = hypot(local.x, local.y);
    let sideways = if from_axis > 0.0 { Vec3::new(local.x / from_axis, local.y / from_axis, 0.0) } else { Vec3::x() };
    let endways = Vec3::new(0.0, 0.0, 1f64.copysign(local.z));
    let (side, end) = (from_axis - cylinder.radius, local.z.abs() - cylinder.half_height);
    let (distance, outward) = if side > 0.0 && end > 0.0 {
        let distance = hypot(side, end);
        (distance, (sideways * side + endways * end) / distance)
    } else if end >= side {
        (end, endways)
    } else {
        (side, sideways)
    };
    ContactPoint::of_ball(ball, distance, &(pose.matrix * outward), margin)
}

/// Appends the contacts of a shape, a, with a half-space, b. Half-spaces, meshes, clumps and curves have none here.
pub(super) fn shape_half_space(
    a: Placed,
    half_space: &HalfSpace,
    pose: &Pose,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let start = out.len();
    let corners_of_hull = if let Shape::Hull(hull) = a.shape { hull.points.len() } else { 0 };
    reserve(out, corners_of_hull.max(MAX_POINTS), POINTS)?;
    let normal = pose.matrix * half_space.normal;
    let mut add = |center: Vec3, radius: f64, feature: u64| {
        let height = normal.dot(&(center - pose.origin)) - half_space.offset;
        let contact = ContactPoint::of_ball(&Ball { center, radius }, height, &normal, margin);
        out.extend(contact.map(|contact| ContactPoint { feature, ..contact }));
    };
    let mut ball = |index: usize, center: &Vec3, radius: f64| {
        add(a.pose.to_world(center), radius, mixed(&[index as u64]));
    };
    match a.shape {
        Shape::Sphere(sphere) => add(a.pose.origin, sphere.radius, ONLY),
        Shape::Cuboid(cuboid) => corners(cuboid).enumerate().for_each(|(index, corner)| ball(index, &corner, 0.0)),
        Shape::Capsule(capsule) => {
            // A capsule without length has a single end.
            let ends: &[f64] = if capsule.half_height > 0.0 { &[-1.0, 1.0] } else { &[1.0] };
            for (index, side) in ends.iter().enumerate() {
                ball(index, &Vec3::new(0.0, 0.0, side * capsule.half_height), capsule.radius);
            }
        }
        Shape::Cylinder(cylinder) => {
            rim_points(cylinder, a.pose, &-normal).for_each(|(index, point)| ball(index, &point, 0.0));
        }
        Shape::Hull(hull) => hull.points.iter().enumerate().for_each(|(index, corner)| ball(index, corner, 0.0)),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Clump(_) | Shape::Curve(_) => {}
    }
    keep_spread(out, start, a.shape.size())
}

fn corners(cuboid: &Cuboid) -> impl Iterator<Item = Vec3> + '_ {
    (0..8).map(|index| {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        cuboid.half_extents.component_mul(&Vec3::new(side(0), side(1), side(2)))
    })
}

/// Returns the points of a cylinder's rims, in body axes, that can touch a plane that lies in the direction `toward`. An end
/// that faces the plane has four points. They are fixed to the body, so that a standing cylinder keeps its contacts. Each
/// rim also has its farthest point.
fn rim_points(cylinder: &Cylinder, pose: &Pose, toward: &Vec3) -> impl Iterator<Item = (usize, Vec3)> {
    let local = pose.matrix.tr_mul(toward);
    let (r, h) = (cylinder.radius, cylinder.half_height);
    let facing = 1f64.copysign(local.z) * h;
    let fixed = [(r, 0.0), (0.0, r), (-r, 0.0), (0.0, -r)].map(|(x, y)| Vec3::new(x, y, facing));
    let fixed = fixed.into_iter().enumerate().filter(move |_| local.z.abs() > FACING);
    let tilt = hypot(local.x, local.y);
    // Below this tilt all points of the rim are equally far, except for round-off.
    let farthest = (tilt > 1e-12).then(|| (r * local.x / tilt, r * local.y / tilt));
    let farthest = farthest.into_iter().flat_map(move |(x, y)| [Vec3::new(x, y, h), Vec3::new(x, y, -h)]);
    fixed.chain((4..).zip(farthest))
}
