//! Points of a triangle of a mesh at its edges and corners: which of them its neighbours have.

use super::axis::{Axis, Face};
use super::contact::ContactPoint;
use super::convex::ManifoldBuilder;
use super::facet::{ContactOwner, FACE_ON, Facet};
use super::left_out::LeftOut;
use super::polytope::Polytope;
use crate::math::Vec3;

/// The cosine between its normal and that of a contact below which a triangle is steep to the contact plane: 60 degrees.
const STEEP: f64 = 0.5;
/// The largest slope to the contact plane of an edge that lies on a face [-].
const LYING: f64 = 0.014;

/// Returns whether a triangle touches a face of the shape, and a neighbour in another plane rises above its corner or edge that is farthest
/// along the axis. The face may not reach that far. So each point decides which of the two has it: on a ridge that the face spans, the
/// ends of the common part stay when the shape tilts.
pub(super) fn is_on_face_of_shape(owner: ContactOwner, axis: &Axis) -> bool {
    matches!(axis.face, Some(Face::OfB(_))) && owner == ContactOwner::Neighbour
}

/// Returns whether one of the points is on an edge that lies on the face of the shape, from the corner that is farthest along the axis.
fn lies_on_face(facet: &Facet, shape: &Polytope, axis: &Axis, points: &[ContactPoint], slack: f64) -> bool {
    let touching = facet.touching(&axis.normal);
    let rise = |point: &ContactPoint| point.gap + shape.radius - axis.separation - slack;
    let reaches = |point: &ContactPoint, corner: &Vec3| rise(point) <= LYING * (facet.own_point(point) - corner).norm();
    let corners = || facet.corners.iter().zip(touching).filter(|(_, is_touching)| *is_touching);
    points.iter().any(|point| corners().any(|(corner, _)| reaches(point, corner)))
}

/// What became of the points of a triangle on a face of a shape.
pub(super) enum OnFace {
    /// They are its contacts: one of them is on an edge that lies on the face.
    Lies,
    /// The other axis separates more, and decides.
    Missed,
    /// None is left.
    None,
}

/// Keeps of `found[start..]`, the points of a triangle along the face of a shape, those that no neighbour has, if they are its contacts.
pub(super) fn keep_on_face(
    facet: &Facet,
    builder: &ManifoldBuilder,
    sharper: Option<Axis>,
    (start, slack): (usize, f64),
    found: &mut Vec<ContactPoint>,
) -> OnFace {
    drop_inner(facet, &builder.axis, slack, start, found);
    let is_inner = |point: &mut ContactPoint| facet.is_at_inner_corner(&builder.axis.normal, point, slack);
    found.extract_if(start.., is_inner).for_each(drop);
    let outcome = match sharper {
        Some(sharper) if builder.misses(&sharper, &found[start..]) => OnFace::Missed,
        _ if lies_on_face(facet, builder.b, &builder.axis, &found[start..], slack) => return OnFace::Lies,
        _ => OnFace::None,
    };
    found.truncate(start);
    outcome
}

/// Removes from `found[start..]`, where the normal is not that of the triangle, points on inner edges. Of a triangle that
/// is steep to the contact plane also those that are not on its deepest edge. Returns whether there were points and none
/// is left.
pub(super) fn drop_inner(facet: &Facet, axis: &Axis, slack: f64, start: usize, found: &mut Vec<ContactPoint>) -> bool {
    let (along, before) = (axis.normal.dot(&facet.normal).abs(), found.len());
    if along >= FACE_ON {
        return false;
    }
    // Whether the triangle comes closer between a point and another one.
    let rises = |one: &ContactPoint, other: &ContactPoint| {
        one.gap - other.gap > slack + LYING * (one.point - other.point).norm()
    };
    for at in (start..before).rev() {
        let point = found[at];
        let is_inner = facet.is_at_inner_edge(&axis.normal, &point, slack);
        if is_inner || along < STEEP && found[start..].iter().any(|other| rises(&point, other)) {
            found.remove(at);
        }
    }
    found.len() == start && before > start
}

/// Removes from `found[start..]` points of a round shape with the edge of a triangle that are on another triangle too, which comes closer.
/// Returns whether there were points and none is left. The triangle is then compared with the `nearest` one without contacts.
pub(super) fn drop_folded(
    facet: &Facet,
    builder: &ManifoldBuilder,
    start: usize,
    (found, nearest): (&mut Vec<ContactPoint>, &mut Option<LeftOut>),
) -> bool {
    let (normal, radius, before) = (builder.axis.normal, builder.b.radius, found.len());
    if normal.dot(&facet.normal).abs() >= FACE_ON || !facet.is_among_thin() {
        return false;
    }
    let is_folded = |point: &mut ContactPoint| {
        let (place, distance) = (facet.own_point(point), point.gap + radius);
        distance > 0.0 && facet.is_on_closer(&place, &(place + normal * distance))
    };
    if radius > 0.0 {
        found.extract_if(start.., is_folded).for_each(drop);
    }
    let is_dropped = before > start && found.len() == start;
    if is_dropped {
        LeftOut::of(facet.index, builder.axis, builder.b).note(nearest);
    }
    is_dropped
}
