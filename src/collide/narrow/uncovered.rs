//! Contacts along a face of a static body that no other body covers.
//!
//! A tip that sinks into the seam between two flush tiles overlaps each of them less sideways than downwards. So the contact of each is along
//! its side, which the other one covers, and is left out (`seam`). The tip would fall through. The contact is then that of the face that
//! separates most of those without cover.

use super::axis::{Axis, Face};
use super::contact::{ContactPoint, Mixture, Placed};
use super::convex::{ManifoldBuilder, NarrowWorkspace, ON_SIDE};
use super::facet::Facet;
use super::feature::{ClipBuffers, face_sides, is_over_face};
use super::mesh::region;
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

/// Appends the contacts of two parts along the face that separates most of those that are not covered, if there is one. The part
/// with the seam is convex or a mesh, the other one is convex.
pub fn uncovered_contacts(
    [a, b]: [Placed; 2],
    left: &LeftAtSeam,
    is_held: IsHeld,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let origin = a.pose.origin;
    let (own, other) =
        if left.is_of_b { ((b, left.parts[1]), (a, left.parts[0])) } else { ((a, left.parts[0]), (b, left.parts[1])) };
    let (shape, pose) = part_of(own.0, own.1);
    let (other_shape, other_pose) = part_of(other.0, other.1);
    let placed = Placed { shape: other_shape, pose: &other_pose };
    let Some(other) = Polytope::new(placed, &origin) else { return Ok(()) };
    let NarrowWorkspace { clip, triangles, .. } = workspace;
    let mut search = Search { own, other: &other, origin, left, is_held, start: out.len(), greatest: -left.size };
    if let Shape::Mesh(mesh) = shape {
        mesh.triangles_in(&region(placed, &pose, left.margin), triangles)?;
        for index in triangles.iter() {
            let facet = Facet::new(mesh, &pose, &origin, *index);
            let normals = [facet.normal, -facet.normal];
            let triangle = Polytope::of_triangle(&facet.corners, &normals);
            let is_in_front = facet.has_front_to(&other);
            search.offer(&triangle, usize::from(!is_in_front), u64::from(*index) + 1, clip, out)?;
        }
    } else if let Some(solid) = Polytope::new(Placed { shape, pose: &pose }, &origin) {
        for face in 0..solid.face_count() {
            search.offer(&solid, face, 0, clip, out)?;
        }
    }
    let start = search.start;
    out[start..].iter_mut().for_each(|point| point.parts = left.parts);
    keep_spread(out, start, left.size)
}

/// The search for the face that separates most of those without cover.
struct Search<'a> {
    /// The body with the seam, and its part.
    own: (Placed<'a>, u32),
    other: &'a Polytope<'a>,
    origin: Vec3,
    left: &'a LeftAtSeam,
    is_held: IsHeld<'a>,
    /// Where the contacts of the best face begin.
    start: usize,
    /// Its separation [m].
    greatest: f64,
}

impl Search<'_> {
    /// Replaces the contacts found so far by those of a face, if it separates more and is not covered.
    fn offer(
        &mut self,
        own: &Polytope,
        face: usize,
        name: u64,
        clip: &mut ClipBuffers,
        out: &mut Vec<ContactPoint>,
    ) -> Result<()> {
        let Self { other, origin, left, start, .. } = *self;
        let outward = own.normal(face);
        let nearest = other.support(&-outward);
        let separation = outward.dot(&(nearest - own.first_corner(face)));
        if separation - other.radius <= self.greatest {
            return Ok(());
        }
        let (a, b, face_of, normal) =
            if left.is_of_b { (other, own, Face::OfB(face), -outward) } else { (own, other, Face::OfA(face), outward) };
        let axis = Axis { normal, separation, face: Some(face_of), witness: None };
        let certain = is_over_face(own, face_sides(own, face, &outward), &outward, &nearest, ON_SIDE * left.size);
        let builder = ManifoldBuilder { a, b, axis, margin: left.margin, origin, certain, names: Mixture::of(&[name]) };
        let begin = out.len();
        builder.points(clip, out)?;
        let is_dropped = |point: &mut ContactPoint| {
            is_covered(self.own.0, self.own.1, &point.touch(left.is_of_b, &left.from, left.size), self.is_held)
        };
        out.extract_if(begin.., is_dropped).for_each(drop);
        if out.len() > begin {
            out.drain(start..begin);
            self.greatest = separation - other.radius;
        }
        Ok(())
    }
}

/// The shape of a part of a body, and its pose.
fn part_of(body: Placed<'_>, part: u32) -> (&Shape, Pose) {
    let (shape, within) = body.shape.part(part);
    (shape, within.map_or(*body.pose, |within| within.within(body.pose)))
}
