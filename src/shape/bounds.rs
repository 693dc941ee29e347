//! The boxes and balls that bound a shape.

use super::hull::Hull;
use super::variant::Shape;
use crate::math::elementary::hypot;
use crate::math::{Aabb, Pose, Vec3};

impl Shape {
    /// The box along the world axes that bounds the shape at `pose` [m].
    ///
    /// Tight, but for a mesh (the box around its turned box) and for a half-space (all of space: infinite).
    pub fn bounds(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Sphere(sphere) => around(&pose.origin, &Vec3::repeat(sphere.radius)),
            Self::Cuboid(cuboid) => around(&pose.origin, &(pose.matrix.abs() * cuboid.half_extents)),
            Self::Capsule(capsule) => {
                let reach = axis(pose).abs() * capsule.half_height;
                around(&pose.origin, &reach.add_scalar(capsule.radius))
            }
            Self::Cylinder(cylinder) => {
                // Along a world axis e the rim reaches r |e - (e.a) a| = r sqrt(1 - (e.a)^2).
                let reach = axis(pose)
                    .map(|a| cylinder.half_height * a.abs() + cylinder.radius * (1.0 - a * a).max(0.0).sqrt());
                around(&pose.origin, &reach)
            }
            Self::HalfSpace(_) => around(&Vec3::zeros(), &Vec3::repeat(f64::INFINITY)),
            Self::Hull(hull) => hull_bounds(hull, pose),
            Self::Mesh(mesh) => {
                let local = mesh.bounds();
                let center = pose.to_world(&(0.5 * (local.lower + local.upper)));
                around(&center, &(pose.matrix.abs() * (0.5 * (local.upper - local.lower))))
            }
        }
    }

    /// The distance from the shape's origin beyond which it has no point [m]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Sphere(sphere) => sphere.radius,
            Self::Cuboid(cuboid) => cuboid.half_extents.norm(),
            Self::Capsule(capsule) => capsule.half_height + capsule.radius,
            Self::Cylinder(cylinder) => hypot(cylinder.half_height, cylinder.radius),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Hull(hull) => hull.bounding_radius(),
            Self::Mesh(mesh) => mesh.bounding_radius(),
        }
    }
}

/// The body's z axis in world axes.
fn axis(pose: &Pose) -> Vec3 {
    pose.matrix.column(2).into_owned()
}

fn around(center: &Vec3, reach: &Vec3) -> Aabb {
    Aabb { lower: center - reach, upper: center + reach }
}

fn hull_bounds(hull: &Hull, pose: &Pose) -> Aabb {
    let nothing = Aabb { lower: Vec3::repeat(f64::INFINITY), upper: Vec3::repeat(f64::NEG_INFINITY) };
    hull.points().iter().fold(nothing, |bounds, point| {
        let point = pose.to_world(point);
        Aabb { lower: bounds.lower.inf(&point), upper: bounds.upper.sup(&point) }
    })
}
