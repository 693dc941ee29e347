//! Narrow phase: the contact points of one pair of shapes.
//!
//! Balls, and everything on a half-space, have closed forms. Two convex shapes meet along the axis of greatest
//! separation, which is exact to round-off for the features that touch (`separation`). The face or edge that touches is then
//! clipped against the other. A mesh is its triangles, without their inner edges. A clump is its parts, without what one of
//! them hides of another.
//! Nothing is remembered from call to call: the same poses give the same points, bit for bit.

mod axis;
mod closed_form;
mod closest;
mod clump;
mod contact;
mod convex;
mod curves;
mod expand;
mod feature;
mod gjk;
mod inside;
mod mesh;
mod pair;
mod pole;
mod polytope;
mod portal;
mod reduce;
mod seam;
mod separation;

#[cfg(test)]
mod tests;

pub use closed_form::sphere_sphere;
pub use closest::{Closest, closest};
pub use contact::{ContactPoint, Placed};
pub use convex::NarrowWorkspace;
pub use inside::{Seen, holds_any};
pub use seam::{IsHeld, Touch, is_covered};

use crate::error::Result;
use crate::shape::Shape;
use clump::clump_contacts;
use pair::pair_contacts;

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
    }
}
