//! Contacts along a face of a static body that no other body covers.
//!
//! A tip that sinks into the seam between two flush tiles overlaps each of them less sideways than downwards. So the contact of each is along
//! its side, which the other one covers, and is left out (`seam`). The tip would fall through. The contact is then that of the face that
//! separates most of those without cover.

use super::axis::{Axis, Face};
use super::contact::{ContactPoint, Mixture, Placed};
use super::convex::{ManifoldBuilder, NarrowWorkspace, ON_SIDE};
use super::feature::{face_sides, is_over_face};
use super::polytope::Polytope;
use super::reduce::keep_spread;
use super::seam::{IsHeld, is_covered};
use crate::error::Result;
use crate::math::{Pose, Vec3};
use crate::shape::Shape;

/// A contact at a seam that was left out.
#[derive(Debug, Clone, Copy)]
pub struct LeftAtSeam {
    /// Whether b is the body with the seam.
    pub is_of_b: bool,
    /// A point in the other body, world axes [m].
    pub from: Vec3,
    /// The size of the smaller of the two bodies [m].
    pub size: f64,
    /// The largest gap of contacts [m].
    pub margin: f64,
    /// The parts of a and b that touch.
    pub parts: [u32; 2],
}

/// Appends the contacts of two convex parts along the face that separates most of those that are not covered, if there is one.
pub fn uncovered_contacts(
    [a, b]: [Placed; 2],
    left: &LeftAtSeam,
    is_held: IsHeld,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let origin = a.pose.origin;
    let (part_a, part_b) = (part_of(a, left.parts[0]), part_of(b, left.parts[1]));
    let placed_a = Placed { shape: part_a.0, pose: &part_a.1 };
    let placed_b = Placed { shape: part_b.0, pose: &part_b.1 };
    let (Some(of_a), Some(of_b)) = (Polytope::new(placed_a, &origin), Polytope::new(placed_b, &origin)) else {
        return Ok(());
    };
    let (own, other) = if left.is_of_b { (&of_b, &of_a) } else { (&of_a, &of_b) };
    let (start, mut greatest) = (out.len(), -left.size);
    for face in 0..own.face_count() {
        let outward = own.normal(face);
        let nearest = other.support(&-outward);
        let separation = outward.dot(&(nearest - own.first_corner(face)));
        if separation - other.radius <= greatest {
            continue;
        }
        let (face_of, normal) = if left.is_of_b { (Face::OfB(face), -outward) } else { (Face::OfA(face), outward) };
        let axis = Axis { normal, separation, face: Some(face_of), witness: None };
        let certain = is_over_face(own, face_sides(own, face, &outward), &outward, &nearest, ON_SIDE * left.size);
        let (margin, names) = (left.margin, Mixture::of(&[0]));
        let builder = ManifoldBuilder { a: &of_a, b: &of_b, axis, margin, origin, certain, names };
        let begin = out.len();
        builder.points(&mut workspace.clip, out)?;
        let (placed, part) = if left.is_of_b { (b, left.parts[1]) } else { (a, left.parts[0]) };
        let is_dropped = |point: &mut ContactPoint| {
            is_covered(placed, part, &point.touch(left.is_of_b, &left.from, left.size), is_held)
        };
        out.extract_if(begin.., is_dropped).for_each(drop);
        if out.len() > begin {
            out.drain(start..begin);
            greatest = separation - other.radius;
        }
    }
    out[start..].iter_mut().for_each(|point| point.parts = left.parts);
    keep_spread(out, start, left.size)
}

/// The shape of a part of a body, and its pose.
fn part_of(body: Placed<'_>, part: u32) -> (&Shape, Pose) {
    let (shape, within) = body.shape.part(part);
    (shape, within.map_or(*body.pose, |within| within.within(body.pose)))
}
