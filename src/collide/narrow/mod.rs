//! Narrow phase: the contact points of one pair of shapes.
//!
//! Balls, and everything on a half-space, have closed forms. Two convex shapes meet along the axis of greatest
//! separation. It is exact for faces, and for edges of two boxes; otherwise it comes from parry's GJK and EPA. The face or
//! edge that touches is then clipped against the other. A mesh is its triangles, without their inner edges. A clump is its parts,
//! without what one of them hides of another.
//! Nothing is remembered from call to call: the same poses give the same points, bit for bit.

mod axis;
mod closed_form;
mod clump;
mod closest;
mod contact;
mod convex;
mod curves;
mod feature;
mod mesh;
mod pair;
mod polytope;
mod reduce;
mod separation;

#[cfg(test)]
mod tests;

pub use closed_form::sphere_sphere;
pub use closest::{Closest, closest};
pub use contact::{ContactPoint, Placed};
pub use convex::NarrowWorkspace;

use crate::error::Result;
use crate::shape::Shape;
use clump::clump_contacts;
use pair::pair_contacts;
use closed_form::{shape_half_space, sphere_box, sphere_capsule, sphere_cylinder};
use contact::POINTS;
use convex::convex_convex;
use curves::shape_curve;
use mesh::shape_mesh;

/// Appends the contact points of a pair whose gap is at most `margin` [m], normals from `a` to `b`.
///
/// Two shapes without volume give none. At most nine points per plane of contact.
pub fn contacts(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    match (a.shape, b.shape) {
        (Shape::Clump(_), _) | (_, Shape::Clump(_)) => clump_contacts(a, b, margin, workspace, out),
        _ => pair_contacts(a, b, margin, workspace, out),
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

/// The order of the two shapes of a pair: the functions above expect the lower rank first.
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
    }
}
