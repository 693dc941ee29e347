//! Narrow phase: the contact points of one pair of shapes.
//!
//! [`contacts`] is the entry. `pair` chooses a function by the two shapes:
//!
//! | file | pairs |
//! |---|---|
//! | `closed_form` | spheres with simple shapes, and all shapes with half-spaces, by formulas |
//! | `convex` | two convex shapes: `separation` finds the axis of greatest separation, `feature` clips the faces or edges there |
//! | `mesh` | a convex shape with the triangles of a mesh, without contacts at inner edges of its surface |
//! | `pierced` | a capsule whose axis passes through a mesh: `crossing` finds where, `hidden_end` finds its ends behind, `buried` the push |
//! | `clump` | the parts of a clump, without contacts that another part hides |
//! | `curves` | NURBS curves in the plane |
//!
//! `reduce` then keeps few points of many. `closest`, `inside` and `seam` answer questions about points. `uncovered` has the contacts of
//! bodies that sink into a seam.
//! Nothing is remembered from call to call: the same poses give the same points, bit for bit.

mod axis;
mod buried;
mod closed_form;
mod closest;
mod clump;
mod contact;
mod convex;
mod crossing;
mod curves;
mod expand;
mod facet;
mod feature;
mod gjk;
mod hidden_end;
mod inner_edge;
mod inside;
mod left_out;
mod mesh;
mod pair;
mod pierced;
mod pole;
mod polytope;
mod portal;
mod reduce;
mod rim;
mod seam;
mod separation;
mod uncovered;

#[cfg(test)]
mod tests;

pub use closed_form::sphere_sphere;
pub use closest::{Closest, closest};
pub use contact::{ContactPoint, Placed};
pub use convex::NarrowWorkspace;
pub use inside::{ContainmentQuery, holds_any};
pub use seam::{IsHeld, Touch, is_covered};
pub use uncovered::{LeftAtSeam, uncovered_contacts};

use crate::error::Result;
use crate::math::Vec3;
use crate::shape::Shape;
use clump::clump_contacts;
use pair::pair_contacts;

/// Appends the contact points of a pair whose gap is at most `margin` [m], with normals from `a` to `b`.
///
/// Two shapes without volume have no contact points. There are at most twelve points in one plane of contact.
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

/// Returns the contact of a curve with another shape near `place`, in world axes, if the two are nearly parallel there. The
/// gap is at most a tenth of `margin` [m]. Also returns the sum of both curvatures there [1/m].
///
/// # Errors
///
/// Curves do not support contacts in the orientation of the other shape.
pub fn held_contact(
    a: Placed,
    b: Placed,
    place: &Vec3,
    margin: f64,
    workspace: &mut NarrowWorkspace,
) -> Result<Option<(ContactPoint, f64)>> {
    match (a.shape, b.shape) {
        (_, Shape::Curve(curve)) => curves::held_contact(a, (curve, b.pose), place, margin, &mut workspace.curves),
        (Shape::Curve(curve), _) => {
            let found = curves::held_contact(b, (curve, a.pose), place, margin, &mut workspace.curves)?;
            Ok(found.map(|(point, curvature)| (point.flipped(), curvature)))
        }
        _ => Ok(None),
    }
}
