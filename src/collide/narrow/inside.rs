//! Whether a shape contains a point.

use crate::math::{Pose, Vec3};
use crate::shape::{Mesh, Shape};

/// Returns whether a point is in a convex shape, shape axes, or at most `slack` [m] outside of its faces. False for other shapes.
pub(super) fn holds(shape: &Shape, point: &Vec3, slack: f64) -> bool {
    let within = |square: f64, radius: f64| square <= (radius + slack) * (radius + slack);
    match shape {
        Shape::Sphere(sphere) => within(point.norm_squared(), sphere.radius),
        Shape::Cuboid(cuboid) => (0..3).all(|axis| point[axis].abs() <= cuboid.half_extents[axis] + slack),
        Shape::Capsule(capsule) => {
            let along = point.z - point.z.clamp(-capsule.half_height, capsule.half_height);
            within(point.x * point.x + point.y * point.y + along * along, capsule.radius)
        }
        Shape::Cylinder(cylinder) => {
            point.z.abs() <= cylinder.half_height + slack
                && within(point.x * point.x + point.y * point.y, cylinder.radius)
        }
        Shape::Hull(hull) => hull.holds(point, slack),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Clump(_) | Shape::Curve(_) => false,
    }
}

/// A query whether a surface contains a point. A surface of triangles has no inside, so its side is decided by a second
/// point.
#[derive(Debug, Clone, Copy)]
pub struct ContainmentQuery {
    /// The point, world axes [m].
    pub point: Vec3,
    /// The second point, world axes [m]. The surface is seen from there.
    pub from: Vec3,
    /// The largest depth behind a surface of triangles at which a point counts as inside [m].
    pub depth: f64,
}

/// Returns whether a shape of any kind contains a point, or is within `slack` [m] of it. A surface of triangles contains points behind it, as
/// seen from the second point, down to `depth`.
pub fn holds_any(shape: &Shape, pose: &Pose, query: &ContainmentQuery, slack: f64) -> bool {
    let point = pose.to_local(&query.point);
    match shape {
        Shape::HalfSpace(half_space) => half_space.normal.dot(&point) <= half_space.offset + slack,
        Shape::Clump(clump) => {
            clump.parts.iter().any(|part| holds_any(&part.shape, &part.pose.within(pose), query, slack))
        }
        Shape::Mesh(mesh) => is_behind(mesh, &point, &pose.to_local(&query.from), query.depth, slack),
        convex => holds(convex, &point, slack),
    }
}

/// Returns whether a point is behind a triangle of a mesh, as seen `from` another point, at most `depth` [m] deep. Axes of the mesh.
fn is_behind(mesh: &Mesh, point: &Vec3, from: &Vec3, depth: f64, slack: f64) -> bool {
    let region = crate::math::Aabb { lower: *point, upper: *point }.grown(depth);
    let mut held = false;
    mesh.each_triangle_in(&region, |index| {
        let corners = mesh.triangle(index);
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { return };
        let outward = normal * 1f64.copysign(normal.dot(&(from - a)));
        let height = outward.dot(&(point - a));
        held |= height <= slack && height >= -depth && is_over(&corners, &normal, point, slack);
    });
    held
}

/// Returns whether the projection of a point lies in a triangle, or at most `slack` [m] outside of it.
pub(super) fn is_over(corners: &[Vec3; 3], normal: &Vec3, point: &Vec3, slack: f64) -> bool {
    (0..3).all(|index| {
        let (from, to) = (corners[index], corners[(index + 1) % 3]);
        let outward = (to - from).cross(normal);
        outward.dot(&(point - from)) <= slack * outward.norm()
    })
}
