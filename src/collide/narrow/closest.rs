//! The point of a shape's surface that is closest to a given point.

use super::closed_form::{sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
use crate::collide::filter::Ball;
use crate::error::{Error, Result, text};
use crate::math::elementary::hypot;
use crate::math::{Pose, Vec2, Vec3};
use crate::shape::Shape;

/// The closest point of a surface, in the axes of the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// [m]
    pub foot: Vec3,
    /// Unit, out of the solid.
    pub normal: Vec3,
    /// Below 0 in the solid [m].
    pub distance: f64,
}

/// The largest distance of the given point, over the size of the shape. Beyond it the closest point of a curve is not certain [-].
const FAR: f64 = 1e12;

/// Returns the point of a shape's surface that is closest to `point`, shape axes. For a curve it is the closest one in the plane.
///
/// # Errors
///
/// The shape is a hull, a mesh or a clump, or the point is very far away.
pub fn closest(shape: &Shape, point: &Vec3) -> Result<Closest> {
    let (size, largest) = (shape.bounding_radius(), point.amax());
    if size.is_finite() && largest > FAR * size {
        return Err(Error::argument(text!(
            "point is {largest:e} m away, expected at most {FAR:e} of the size {size:e} m of the shape"
        )));
    }
    // A point is a ball without a radius.
    let ball = Ball { center: *point, radius: 0.0 };
    let (pose, far) = (Pose::world(), f64::INFINITY);
    let contact = match shape {
        Shape::Sphere(sphere) => {
            let other = Ball { center: Vec3::zeros(), radius: sphere.radius };
            sphere_sphere(&ball, &other, far, &Vec3::z())
        }
        Shape::Cuboid(cuboid) => sphere_box(&ball, cuboid, &pose, far),
        Shape::Capsule(capsule) => sphere_capsule(&ball, capsule, &pose, far),
        Shape::Cylinder(cylinder) => sphere_cylinder(&ball, cylinder, &pose, far),
        Shape::HalfSpace(half_space) => {
            let distance = half_space.normal.dot(point) - half_space.offset;
            let normal = half_space.normal;
            if !distance.is_finite() {
                return Err(Error::argument("point is too far away for its distance to be a finite number"));
            }
            return Ok(Closest { foot: point - normal * distance, normal, distance });
        }
        Shape::Curve(curve) => {
            let foot = curve.outline.nearest(&Vec2::new(point.x, point.y));
            let normal = Vec3::new(foot.normal.x, foot.normal.y, 0.0);
            return Ok(Closest {
                foot: Vec3::new(foot.point.x, foot.point.y, point.z),
                normal,
                distance: foot.distance,
            });
        }
        Shape::Hull(_) => return Err(Error::unsupported("shape is a hull, whose closest point is not offered")),
        Shape::Mesh(_) => return Err(Error::unsupported("shape is a mesh, whose closest point is not offered")),
        Shape::Clump(_) => return Err(Error::unsupported("shape is a clump, whose closest point is not offered")),
    };
    let Some(contact) = contact else {
        return Err(Error::argument("point is too far away for its distance to be a finite number"));
    };
    let (normal, distance) = (-contact.normal, contact.gap);
    let foot = if distance > 0.0 { foot_outside(shape, point, &normal) } else { None };
    Ok(Closest { foot: foot.unwrap_or(point - normal * distance), normal, distance })
}

/// Returns the foot of a point outside, which does not have the round-off of a large distance.
fn foot_outside(shape: &Shape, point: &Vec3, normal: &Vec3) -> Option<Vec3> {
    let on_axis = |half_height: f64| Vec3::new(0.0, 0.0, point.z.clamp(-half_height, half_height));
    match shape {
        Shape::Sphere(sphere) => Some(normal * sphere.radius),
        Shape::Cuboid(cuboid) => Some(point.zip_map(&cuboid.half_extents, |along, half| along.clamp(-half, half))),
        Shape::Capsule(capsule) => Some(on_axis(capsule.half_height) + normal * capsule.radius),
        Shape::Cylinder(cylinder) => {
            let part = (cylinder.radius / hypot(point.x, point.y)).min(1.0);
            Some(on_axis(cylinder.half_height) + Vec3::new(part * point.x, part * point.y, 0.0))
        }
        Shape::HalfSpace(_) | Shape::Curve(_) | Shape::Hull(_) | Shape::Mesh(_) | Shape::Clump(_) => None,
    }
}
