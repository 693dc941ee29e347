//! Chooses the function that finds the contact points of two shapes that are not clumps.

use super::closed_form::{shape_half_space, sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
use super::contact::{ContactPoint, POINTS, Placed};
use super::convex::{NarrowWorkspace, convex_convex};
use super::curves::shape_curve;
use super::mesh::shape_mesh;
use crate::collide::filter::Ball;
use crate::error::{Result, reserve};
use crate::math::Vec3;
use crate::shape::Shape;

/// Appends the contact points of a pair whose gap is at most `margin` [m], with normals from `a` to `b`.
///
/// Two shapes without volume have no contact points, and clumps have none here. There are at most twelve points in one plane of contact.
pub(super) fn pair_contacts(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    if rank(a.shape) > rank(b.shape) {
        let start = out.len();
        pair_contacts(b, a, margin, workspace, out)?;
        out[start..].iter_mut().for_each(|contact| *contact = contact.flipped());
        return Ok(());
    }
    match (a.shape, b.shape) {
        (Shape::Clump(_), _) | (_, Shape::Clump(_)) => Ok(()),
        (_, Shape::Curve(curve)) => shape_curve(a, (curve, b.pose), margin, &mut workspace.curves, out),
        (Shape::Mesh(_) | Shape::HalfSpace(_), _) => Ok(()),
        (_, Shape::HalfSpace(half_space)) => shape_half_space(a, half_space, b.pose, margin, out),
        (_, Shape::Mesh(mesh)) => shape_mesh(a, mesh, b.pose, margin, workspace, out),
        (Shape::Sphere(sphere), other) => {
            reserve(out, 1, POINTS)?;
            let ball = Ball { center: a.pose.origin, radius: sphere.radius };
            out.extend(match other {
                Shape::Sphere(other) => {
                    let other = Ball { center: b.pose.origin, radius: other.radius };
                    sphere_sphere(&ball, &other, margin, &Vec3::z())
                }
                Shape::Cuboid(cuboid) => sphere_box(&ball, cuboid, b.pose, margin),
                Shape::Capsule(capsule) => sphere_capsule(&ball, capsule, b.pose, margin),
                Shape::Cylinder(cylinder) => sphere_cylinder(&ball, cylinder, b.pose, margin),
                _ => return convex_convex(a, b, margin, workspace, out),
            });
            Ok(())
        }
        _ => convex_convex(a, b, margin, workspace, out),
    }
}

/// Returns the rank of a shape. The function of a pair gets the shape of lower rank first.
fn rank(shape: &Shape) -> u32 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Cuboid(_) => 1,
        Shape::Hull(_) => 2,
        Shape::Cylinder(_) => 3,
        Shape::Capsule(_) => 4,
        Shape::Mesh(_) => 5,
        Shape::HalfSpace(_) => 6,
        Shape::Curve(_) => 7,
        Shape::Clump(_) => 8,
    }
}
