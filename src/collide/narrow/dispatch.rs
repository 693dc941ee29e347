//! Which function answers for which pair, in either order.

use super::contact::{ContactPoint, Placed};
use super::convex::convex_convex;
use super::half_space::shape_half_space;
use super::mesh::shape_mesh;
use super::plane::Plane;
use super::point::{sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
use super::workspace::Workspace;
use crate::error::{Result, reserve};
use crate::shape::Shape;

/// Appends the contact points of a pair whose gap is at most `margin` [m], normals from `a` to `b`.
///
/// Two shapes without volume give none. At most four points per plane of contact.
pub fn contacts(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut Workspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    if rank(a.shape) <= rank(b.shape) {
        return ordered_contacts(a, b, margin, workspace, out);
    }
    let start = out.len();
    ordered_contacts(b, a, margin, workspace, out)?;
    out[start..].iter_mut().for_each(|contact| *contact = contact.flipped());
    Ok(())
}

/// The order in which the functions below take the two shapes of a pair.
fn rank(shape: &Shape) -> u32 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Cuboid(_) => 1,
        Shape::Hull(_) => 2,
        Shape::Cylinder(_) => 3,
        Shape::Capsule(_) => 4,
        Shape::Mesh(_) => 5,
        Shape::HalfSpace(_) => 6,
    }
}

fn ordered_contacts(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut Workspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    match (a.shape, b.shape) {
        (Shape::Mesh(_) | Shape::HalfSpace(_), _) => {}
        (_, Shape::HalfSpace(half_space)) => shape_half_space(a, &Plane::new(half_space, b.pose), margin, out)?,
        (_, Shape::Mesh(mesh)) => shape_mesh(a, mesh, b.pose, margin, workspace, out)?,
        (Shape::Sphere(sphere), other) => {
            reserve(out, 1, "points of one pair")?;
            let (center, radius) = (&a.pose.origin, sphere.radius);
            match other {
                Shape::Sphere(other) => {
                    out.extend(sphere_sphere(center, radius, &b.pose.origin, other.radius, margin));
                }
                Shape::Cuboid(cuboid) => out.extend(sphere_box(center, radius, cuboid, b.pose, margin)),
                Shape::Capsule(capsule) => out.extend(sphere_capsule(center, radius, capsule, b.pose, margin)),
                Shape::Cylinder(cylinder) => out.extend(sphere_cylinder(center, radius, cylinder, b.pose, margin)),
                _ => convex_convex(a, b, margin, workspace, out)?,
            }
        }
        _ => convex_convex(a, b, margin, workspace, out)?,
    }
    Ok(())
}
