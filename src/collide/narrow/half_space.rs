//! Everything against a half-space: the corners below the margin, by their exact heights.

use super::contact::{ContactPoint, Placed, mixed};
use super::plane::Plane;
use super::point::sphere_half_space;
use super::reduce::keep_spread;
use crate::error::{Result, reserve};
use crate::math::elementary::hypot;
use crate::math::{Pose, Vec3};
use crate::shape::{Cuboid, Cylinder, Shape};

/// Of a shape other than a hull: the corners of a box.
const MOST_POINTS: usize = 8;

/// Any shape with a volume, a, against a half-space, b; nothing for the others.
pub(super) fn shape_half_space(a: Placed, plane: &Plane, margin: f64, out: &mut Vec<ContactPoint>) -> Result<()> {
    let start = out.len();
    let corners_of_hull = if let Shape::Hull(hull) = a.shape { hull.points.len() } else { 0 };
    reserve(out, corners_of_hull.max(MOST_POINTS), "points of one pair")?;
    let mut ball = |index: usize, center: &Vec3, radius: f64| {
        let contact = sphere_half_space(center, radius, plane, margin);
        out.extend(contact.map(|contact| ContactPoint { feature: mixed(&[index as u64]), ..contact }));
    };
    match a.shape {
        Shape::Sphere(sphere) => out.extend(sphere_half_space(&a.pose.origin, sphere.radius, plane, margin)),
        Shape::Cuboid(cuboid) => {
            corners(cuboid).enumerate().for_each(|(index, corner)| ball(index, &a.pose.to_world(&corner), 0.0));
        }
        Shape::Capsule(capsule) => {
            // Of a capsule without length the two ends are one.
            let ends: &[f64] = if capsule.half_height > 0.0 { &[-1.0, 1.0] } else { &[1.0] };
            for (index, side) in ends.iter().enumerate() {
                let end = Vec3::new(0.0, 0.0, side * capsule.half_height);
                ball(index, &a.pose.to_world(&end), capsule.radius);
            }
        }
        Shape::Cylinder(cylinder) => {
            rim_points(cylinder, a.pose, &-plane.normal).for_each(|(index, point)| ball(index, &point, 0.0));
        }
        Shape::Hull(hull) => {
            hull.points.iter().enumerate().for_each(|(index, corner)| ball(index, &a.pose.to_world(corner), 0.0));
        }
        Shape::HalfSpace(_) | Shape::Mesh(_) => {}
    }
    keep_spread(out, start, a.shape.bounding_radius())
}

fn corners(cuboid: &Cuboid) -> impl Iterator<Item = Vec3> + '_ {
    (0..8).map(|index| {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        cuboid.half_extents.component_mul(&Vec3::new(side(0), side(1), side(2)))
    })
}

/// The points of a cylinder's rims that can touch a plane first met in the direction `toward`: of each rim the
/// farthest, and of an end that faces the plane four more, fixed to the body, so that a standing cylinder keeps them.
fn rim_points(cylinder: &Cylinder, pose: &Pose, toward: &Vec3) -> impl Iterator<Item = (usize, Vec3)> {
    let local = pose.matrix.tr_mul(toward);
    let (r, h) = (cylinder.radius, cylinder.half_height);
    let tilt = hypot(local.x, local.y);
    let facing = 1f64.copysign(local.z) * h;
    let quarter =
        if local.z.abs() > FACING { [(r, 0.0), (0.0, r), (-r, 0.0), (0.0, -r)] } else { [(f64::NAN, 0.0); 4] };
    let fixed = quarter.into_iter().enumerate().map(move |(index, (x, y))| (index, Vec3::new(x, y, facing)));
    // Below this tilt all points of the rim are equally far, but for round-off.
    let farthest = if tilt > 1e-12 { (r * local.x / tilt, r * local.y / tilt) } else { (f64::NAN, 0.0) };
    let lowest =
        [h, -h].into_iter().enumerate().map(move |(index, z)| (4 + index, Vec3::new(farthest.0, farthest.1, z)));
    let (origin, matrix) = (pose.origin, pose.matrix);
    fixed
        .chain(lowest)
        .filter(|(_, point)| point.x.is_finite())
        .map(move |(index, point)| (index, origin + matrix * point))
}

/// Cosine of the angle to the plane's normal up to which a cylinder's end faces the plane: 45 degrees.
const FACING: f64 = std::f64::consts::FRAC_1_SQRT_2;
