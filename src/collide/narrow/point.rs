//! A ball against the shapes whose distance to a point has a closed form: exact to round-off, one point each.

use super::contact::{ContactPoint, ONLY};
use super::plane::Plane;
use crate::collide::ball::Ball;
use crate::math::elementary::hypot;
use crate::math::{Pose, Vec3};
use crate::shape::{Capsule, Cuboid, Cylinder};

/// Two balls; where the centres coincide the normal is the z axis.
#[inline]
pub fn sphere_sphere(
    center_a: &Vec3,
    radius_a: f64,
    center_b: &Vec3,
    radius_b: f64,
    margin: f64,
) -> Option<ContactPoint> {
    balls(&Ball::new(center_a, radius_a), &Ball::new(center_b, radius_b), margin, &Vec3::z())
}

/// Two balls; where the centres coincide the normal is `fallback`.
#[inline]
pub(super) fn balls(a: &Ball, b: &Ball, margin: f64, fallback: &Vec3) -> Option<ContactPoint> {
    let reach = a.radius + b.radius + margin;
    ((b.center - a.center).norm_squared() <= reach * reach).then(|| near_balls(a, b, margin, fallback))
}

/// Two balls of which is known that they are at most `margin` apart.
#[inline]
fn near_balls(a: &Ball, b: &Ball, margin: f64, fallback: &Vec3) -> ContactPoint {
    let arm = b.center - a.center;
    let distance = arm.norm_squared().sqrt();
    let normal = if distance > 0.0 { arm / distance } else { *fallback };
    // The square may be within reach while its root is not, by its rounding.
    let gap = (distance - (a.radius + b.radius)).min(margin);
    ContactPoint { point: a.center + normal * (a.radius + 0.5 * gap), normal, gap, feature: ONLY }
}

/// Two spheres of which is known that they are at most `margin` apart; where the centres coincide the normal is the z axis.
#[inline]
pub fn near_spheres(a: &Ball, b: &Ball, margin: f64) -> ContactPoint {
    near_balls(a, b, margin, &Vec3::z())
}

/// A ball, a, and a half-space, b.
#[inline]
pub fn sphere_half_space(center: &Vec3, radius: f64, plane: &Plane, margin: f64) -> Option<ContactPoint> {
    ContactPoint::of_ball(center, radius, plane.height(center), &plane.normal, margin)
}

/// A ball, a, and a box, b. A centre inside leaves through the nearest face, the first of those equally near.
#[inline]
pub fn sphere_box(center: &Vec3, radius: f64, cuboid: &Cuboid, pose: &Pose, margin: f64) -> Option<ContactPoint> {
    let local = pose.to_local(center);
    let half = &cuboid.half_extents;
    let beyond = local - local.sup(&-half).inf(half);
    let square = beyond.norm_squared();
    let reach = radius + margin;
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
    ContactPoint::of_ball(center, radius, distance, &(pose.matrix * outward), margin)
}

/// A ball, a, and a capsule, b. A centre on the axis leaves sideways.
pub(super) fn sphere_capsule(
    center: &Vec3,
    radius: f64,
    capsule: &Capsule,
    pose: &Pose,
    margin: f64,
) -> Option<ContactPoint> {
    let axis = pose.matrix.column(2).into_owned();
    let along = axis.dot(&(center - pose.origin)).clamp(-capsule.half_height, capsule.half_height);
    let nearest = pose.origin + axis * along;
    balls(&Ball::new(center, radius), &Ball::new(&nearest, capsule.radius), margin, &pose.matrix.column(0).into_owned())
}

/// A ball, a, and a cylinder, b. A centre inside leaves through what is nearest, an end before the side.
pub(super) fn sphere_cylinder(
    center: &Vec3,
    radius: f64,
    cylinder: &Cylinder,
    pose: &Pose,
    margin: f64,
) -> Option<ContactPoint> {
    let local = pose.to_local(center);
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
    ContactPoint::of_ball(center, radius, distance, &(pose.matrix * outward), margin)
}
