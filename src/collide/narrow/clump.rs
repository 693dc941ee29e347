//! A clump with any shape: the contacts of each part near the other body, without those that another part hides.
//!
//! A contact is identified by its feature and by the numbers of the two parts. Where parts overlap or are flush, the same contact
//! is found several times. Two rules leave one of them:
//!
//! * Points at the same position with the same normal are merged, as those of a single shape are (`reduce`).
//! * A point inside another part of the same clump is hidden if that part has a deeper contact with the same partner, in a direction
//!   within 60 degrees. So a ball that rolls over the seam of two flush boxes does not collide with the edge of the second one. A
//!   point on a face is hidden only by a parallel face that reaches beyond the point.
//!
//! The deepest contact is never hidden, so each partner keeps one. Three kinds of points are kept although they look hidden, since
//! they can carry a body. A box in the inner corner of a clump needs its points next to the wall. A corner that several flush parts
//! share is kept even if each of these parts is deeper elsewhere: a tilted clump may stand on it. Flush points of faces are left to
//! `reduce`, whose choice does not depend on depths.

use super::contact::{ContactPoint, Mixture, POINTS, Placed};
use super::convex::{ClumpBuffers, NarrowWorkspace, PlacedPart};
use super::inside::holds;
use super::pair::pair_contacts;
use super::reduce::keep_spread;
use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Clump, Shape};

/// The first part of the identity of the contacts of a clump.
const CLUMP: u64 = 7;
/// The feature of a contact that is to be removed; no contact has it.
const HIDDEN: u64 = 0;
/// A point counts as inside a part if it is at most this far outside, over the radius of the clump [-].
const HELD: f64 = 1e-6;
/// The least difference in depth by which a contact hides another one, over the smaller radius [-].
const DEEPER: f64 = 1e-9;
/// The least cosine between the normal of a contact, at an edge or a round surface, and that of the contact that hides it: 60 degrees.
const SIMILAR: f64 = 0.5;
/// Cosine above which a contact is along the normal of a face: 4.5e-5 rad.
const FACE_ON: f64 = 1.0 - 1e-9;
/// Cosine above which two normals are parallel: 1e-3 rad.
const PARALLEL: f64 = 1.0 - 5e-7;
/// Points of one plane differ in height by less than this fraction of the smaller radius [-].
const FLUSH: f64 = 1e-4;

/// Appends the contact points of two shapes of which at least one is a clump.
pub(super) fn clump_contacts(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let mut buffers = std::mem::take(&mut workspace.clump);
    let outcome = Pair { a, b, margin }.find(&mut buffers, workspace, out);
    workspace.clump = buffers;
    outcome
}

struct Pair<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    /// [m]
    margin: f64,
}

impl Pair<'_> {
    fn find(
        &self,
        buffers: &mut ClumpBuffers,
        workspace: &mut NarrowWorkspace,
        out: &mut Vec<ContactPoint>,
    ) -> Result<()> {
        let ClumpBuffers { parts: [of_a, of_b], found } = buffers;
        found.clear();
        near_parts(self.a, &outline(self.b).grown(self.margin), of_a)?;
        if of_a.is_empty() {
            return Ok(());
        }
        near_parts(self.b, &outline(self.a).grown(self.margin), of_b)?;
        for a in of_a.iter() {
            let bounds = a.bounds.grown(self.margin);
            for b in of_b.iter().filter(|b| bounds.overlaps(&b.bounds)) {
                self.find_of_parts(a, b, workspace, found)?;
            }
        }
        let size = self.a.shape.size().min(self.b.shape.size());
        self.drop_hidden(found, size);
        keep_planes(found, size, out)
    }

    /// Appends the contact points of two parts.
    fn find_of_parts(
        &self,
        a: &PlacedPart,
        b: &PlacedPart,
        workspace: &mut NarrowWorkspace,
        found: &mut Vec<ContactPoint>,
    ) -> Result<()> {
        let start = found.len();
        let of_a = Placed { shape: self.a.shape.part(a.index).0, pose: &a.pose };
        let of_b = Placed { shape: self.b.shape.part(b.index).0, pose: &b.pose };
        pair_contacts(of_a, of_b, self.margin, workspace, found)?;
        let names = Mixture::of(&[CLUMP, u64::from(a.index), u64::from(b.index)]);
        for contact in found.iter_mut().skip(start) {
            contact.feature = names.with(&[contact.feature]);
            contact.parts = [a.index, b.index];
        }
        Ok(())
    }

    /// Removes the contacts that a deeper contact of another part hides.
    fn drop_hidden(&self, found: &mut Vec<ContactPoint>, size: f64) {
        // A contact that hides another one may be hidden itself, by a deeper one. The deepest stays.
        let mut hides_some = false;
        for at in 0..found.len() {
            let contact = found[at];
            let hides = |other: &ContactPoint| {
                other.gap < contact.gap - DEEPER * size && self.is_hidden(&contact, other, found)
            };
            if found.iter().any(hides) {
                found[at].feature = HIDDEN;
                hides_some = true;
            }
        }
        if hides_some {
            found.retain(|contact| contact.feature != HIDDEN);
        }
    }

    /// Whether a part of the deeper contact `other` hides `contact` on one of the two clumps. `all` are those of the pair.
    fn is_hidden(&self, contact: &ContactPoint, other: &ContactPoint, all: &[ContactPoint]) -> bool {
        let cosine = contact.normal.dot(&other.normal);
        if cosine < SIMILAR {
            return false;
        }
        let differs = [0, 1].map(|side| contact.parts[side] != other.parts[side]);
        let (side, whole, sign) = match differs {
            [true, false] => (0, self.a, 1.0),
            [false, true] => (1, self.b, -1.0),
            _ => return false,
        };
        let (own, Some(own_pose)) = whole.shape.part(contact.parts[side]) else { return false };
        let (hiding, Some(hiding_pose)) = whole.shape.part(other.parts[side]) else { return false };
        let slack = HELD * whole.shape.bounding_radius();
        let surface = contact.point - contact.normal * (0.5 * sign * contact.gap);
        let holds_at =
            |point: &Vec3, slack: f64| holds(hiding, &hiding_pose.to_local(&whole.pose.to_local(point)), slack);
        let outward = own_pose.matrix.tr_mul(&whole.pose.matrix.tr_mul(&contact.normal));
        if has_face(own, &outward) {
            return cosine > PARALLEL && holds_at(&(surface + contact.normal * (2.0 * sign * slack)), 0.0);
        }
        let shares_place = |third: &ContactPoint| {
            third.parts == other.parts
                && third.normal.dot(&contact.normal) > PARALLEL
                && (third.point - contact.point).norm_squared() <= slack * slack
        };
        holds_at(&surface, slack) && !all.iter().any(shares_place)
    }
}

/// Returns a box that contains a shape. That of a clump is not the smallest.
fn outline(placed: Placed) -> Aabb {
    match placed.shape {
        Shape::Clump(clump) => clump.outline(placed.pose),
        shape => shape.bounds(placed.pose),
    }
}

/// Lists the parts of a shape whose bounds meet `region`.
fn near_parts(placed: Placed, region: &Aabb, parts: &mut Vec<PlacedPart>) -> Result<()> {
    parts.clear();
    let mut add = |index: u32, shape: &Shape, pose: Pose| {
        let bounds = shape.bounds(&pose);
        if bounds.overlaps(region) {
            push(parts, PlacedPart { index, pose, bounds }, "parts of a clump")
        } else {
            Ok(())
        }
    };
    match placed.shape {
        Shape::Clump(clump) => {
            let Clump { parts: all, .. } = &**clump;
            (0..).zip(all).try_for_each(|(index, part)| add(index, &part.shape, part.pose.within(placed.pose)))
        }
        shape => add(0, shape, *placed.pose),
    }
}

/// Returns whether a convex shape has a flat face with this normal or the opposite one, shape axes.
fn has_face(shape: &Shape, normal: &Vec3) -> bool {
    match shape {
        Shape::Cuboid(_) => normal.iter().any(|along| along.abs() > FACE_ON),
        Shape::Cylinder(_) => normal.z.abs() > FACE_ON,
        Shape::Hull(hull) => hull.normals.iter().any(|face| face.dot(normal).abs() > FACE_ON),
        _ => false,
    }
}

/// Moves the points to `out`, at most twelve of each plane. Parallel planes at different heights are treated separately,
/// since perhaps only one of them touches.
fn keep_planes(found: &mut Vec<ContactPoint>, size: f64, out: &mut Vec<ContactPoint>) -> Result<()> {
    let surfaces = |contact: &ContactPoint| {
        [-0.5, 0.5].map(|side| contact.normal.dot(&(contact.point + contact.normal * (side * contact.gap))))
    };
    while let Some(first) = found.first().copied() {
        let heights = surfaces(&first);
        let start = out.len();
        reserve(out, found.len(), POINTS)?;
        let is_flush = |contact: &ContactPoint| {
            let near = |(one, other): (f64, f64)| (one - other).abs() <= FLUSH * size;
            contact.normal.dot(&first.normal) > PARALLEL && heights.into_iter().zip(surfaces(contact)).all(near)
        };
        let mut kept = 0;
        for at in 0..found.len() {
            if at == 0 || is_flush(&found[at]) {
                out.push(found[at]);
            } else {
                found[kept] = found[at];
                kept += 1;
            }
        }
        found.truncate(kept);
        keep_spread(out, start, size)?;
    }
    Ok(())
}
