//! The feature that a convex shape turns towards a direction, and its clipping against the side planes of a face.
//!
//! A feature is a corner, an edge, a face, or a line on a cylinder's side. It is given as a point, a segment or a polygon.
//!
//! A corner within a tolerance of a side plane counts as on it and stays. The corners of aligned boxes therefore keep
//! their identity although round-off moves them in and out.

use super::axis::Segment;
use super::contact::{Mixture, mixed};
use super::pole::side_line;
use super::polytope::{NO_HINT, Polytope, PolytopeKind};
use crate::error::{Result, empty, push};
use crate::math::Vec3;
use crate::math::elementary::square;
use crate::shape::thin_side;

/// Kinds of features: the first part of their identity.
const CORNER: Mixture = Mixture::of(&[1]);
const EDGE: Mixture = Mixture::of(&[2]);
const SIDE: Mixture = Mixture::of(&[3]);
/// Of a point of a cylinder's end beyond its octagon.
pub(super) const RIM: Mixture = Mixture::of(&[4]);
/// Corner numbers for the points of a cylinder that are not corners.
const ROUND: u64 = 1 << 32;
/// Cosine of the angle to its axis below which a cylinder shows its side rather than an end.
pub(super) const END_ON: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A corner of the polygon that is clipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// [m]
    pub(super) point: Vec3,
    /// Its identity: that of a corner, or of the two edges that cross there.
    pub(super) feature: u64,
    /// The identity of the edge to the next corner.
    pub(super) edge: u64,
}

/// The side plane of a face: outside where `outward . (x - origin) > 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// Of unit length.
    pub(super) outward: Vec3,
    pub(super) origin: Vec3,
    /// The index of the corner of the face at which its edge begins.
    pub(super) index: usize,
}

impl Side {
    #[inline]
    fn height(&self, point: &Vec3) -> f64 {
        self.outward.dot(&(point - self.origin))
    }

    /// Returns whether `point` is inside, on the plane, or outside by at most `tolerance` [m].
    #[inline]
    pub(super) fn holds(&self, point: &Vec3, tolerance: f64) -> bool {
        self.height(point) <= tolerance
    }
}

/// The polygon that is clipped, and the buffer for the result.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipBuffers {
    pub(super) polygon: Vec<Corner>,
    pub(super) next: Vec<Corner>,
    /// The side planes of the last clipping.
    pub(super) sides: Vec<Side>,
}

/// Writes the corner, edge or face of a shape that faces `direction` to `out`, as a polygon.
pub(super) fn facing_feature(shape: &Polytope, direction: &Vec3, out: &mut Vec<Corner>) -> Result<()> {
    // No face has more corners than the shape.
    empty(out, shape.corner_count(), "corners of a face")?;
    let corner = |index: u32, next: u32| {
        let (low, high) = (u64::from(index.min(next)), u64::from(index.max(next)));
        let (feature, edge) = (CORNER.with(&[u64::from(index)]), EDGE.with(&[low, high]));
        Corner { point: shape.corner(index), feature, edge }
    };
    if let Some(side) = facing_side(shape, direction) {
        let edge = EDGE.with(&[ROUND]);
        let ends = side.into_iter().zip(ROUND + 1..);
        out.extend(ends.map(|(point, end)| Corner { point, feature: CORNER.with(&[end]), edge }));
        return Ok(());
    }
    let (_, nearest) = shape.support_corner(direction, NO_HINT);
    if let Some((face, _)) = shape.facing_face(direction, nearest, true) {
        let corners = shape.face(face);
        let following = corners.iter().skip(1).chain(corners.first());
        out.extend(corners.iter().zip(following).map(|(index, next)| corner(*index, *next)));
    } else {
        let last = shape.corner_count() as u32;
        out.extend((0..last).map(|index| corner(index, (index + 1) % last)));
    }
    Ok(())
}

/// Returns the side planes of the face with the normal `outward`. A thin triangle also has two across the ends of its longest side: a
/// point within a slack of both long sides may be far beyond a sharp tip.
#[inline]
pub(super) fn face_sides<'a>(shape: &'a Polytope, face: usize, outward: &'a Vec3) -> impl Iterator<Item = Side> + 'a {
    let corners = shape.face(face);
    let sides = (0..corners.len()).filter_map(move |index| {
        let next = if index + 1 < corners.len() { index + 1 } else { 0 };
        let origin = shape.corner(corners[index]);
        match shape.side_normal(face, index) {
            Some(normal) => Some(Side { outward: normal, origin, index }),
            None => side_of([origin, shape.corner(corners[next])], index, outward),
        }
    });
    sides.chain(tips(shape).into_iter().flatten())
}

/// Returns the planes across the ends of the longest side of a thin triangle.
fn tips(shape: &Polytope) -> Option<[Side; 2]> {
    let PolytopeKind::Triangle(corners, _) = shape.kind else { return None };
    let [start, end, _] = thin_side(corners)?;
    let along = (end - start).try_normalize(0.0)?;
    Some([Side { outward: -along, origin: start, index: 3 }, Side { outward: along, origin: end, index: 4 }])
}

/// Returns whether the projection of `point` along the normal `outward` of a face lies in the face, or within `slack` [m] of it. `sides`
/// are those of the face.
#[inline]
pub(super) fn is_over_face(
    shape: &Polytope,
    mut sides: impl Iterator<Item = Side>,
    outward: &Vec3,
    point: &Vec3,
    slack: f64,
) -> bool {
    if let PolytopeKind::Cylinder(round) = shape.kind {
        let arm = point - shape.center;
        return (arm - outward * outward.dot(&arm)).norm() <= round.radius + slack;
    }
    sides.all(|side| side.holds(point, slack))
}

/// Returns the sine of the angle between `direction` and the normal of the face that faces it most; 1 if there is no face.
pub(super) fn turned_away(shape: &Polytope, direction: &Vec3) -> f64 {
    let (_, nearest) = shape.support_corner(direction, NO_HINT);
    let facing = shape.facing_face(direction, nearest, true).filter(|(_, along)| *along > 0.0);
    facing.map_or(1.0, |(face, _)| shape.normal(face).cross(direction).norm().min(1.0))
}

/// Returns the line on a cylinder's side that is farthest in `direction`, if the side faces it rather than an end.
fn facing_side(shape: &Polytope, direction: &Vec3) -> Option<Segment> {
    let PolytopeKind::Cylinder(round) = shape.kind else { return None };
    let along = round.axis.dot(direction);
    if along.abs() <= END_ON * direction.norm() { side_line(shape, direction) } else { None }
}

/// Returns the farthest point in a direction as a corner.
pub(super) fn nearest_corner(shape: &Polytope, direction: &Vec3) -> Corner {
    let (point, corner) = shape.support_corner(direction, NO_HINT);
    let index = if matches!(shape.kind, PolytopeKind::Cylinder(_)) { ROUND } else { u64::from(corner) };
    Corner { point, feature: CORNER.with(&[index]), edge: 0 }
}

/// Returns the edge that is farthest in a direction, if its slope to the plane across the direction is at most `steepest`.
pub(super) fn lying_edge(shape: &Polytope, direction: &Vec3, steepest: f64) -> Option<Segment> {
    let along = |edge: &Segment| edge[1] - edge[0];
    // The square of the slope.
    let slope = |edge: &Segment| {
        let along = along(edge);
        square(along.dot(direction)) / along.norm_squared()
    };
    if matches!(shape.kind, PolytopeKind::Cylinder(_)) {
        return facing_side(shape, direction).filter(|edge| slope(edge) <= square(steepest));
    }
    let (_, corner) = shape.support_corner(direction, NO_HINT);
    let mut best: Option<(f64, Segment)> = None;
    shape.each_joined(corner, |next| {
        let edge = [corner.min(next), corner.max(next)].map(|end| shape.corner(end));
        let slope = slope(&edge);
        if slope <= square(steepest) && best.is_none_or(|best| slope < best.0) {
            best = Some((slope, edge));
        }
    });
    best.map(|(_, edge)| edge)
}

/// Returns the side plane through the edge from corner `index` of a polygon to the next one. The corners are counterclockwise
/// about `normal`. `None` if the edge has no length.
#[inline]
pub(super) fn side_of([origin, end]: [Vec3; 2], index: usize, normal: &Vec3) -> Option<Side> {
    let outward = (end - origin).cross(normal).try_normalize(0.0)?;
    Some(Side { outward, origin, index })
}

/// Clips `buffers.polygon` (three corners or more are closed, two are a segment) against the side planes of a polygon, which
/// stay in `buffers.sides`.
pub(super) fn clip(buffers: &mut ClipBuffers, against: impl Iterator<Item = Side>, tolerance: f64) -> Result<()> {
    let ClipBuffers { polygon, next, sides } = buffers;
    let closed = polygon.len() > 2;
    sides.clear();
    for side in against {
        push(sides, side, "sides of a face")?;
    }
    for side in sides {
        if !polygon.iter().all(|corner| side.holds(&corner.point, tolerance)) {
            cut(polygon, next, side, closed, tolerance)?;
            std::mem::swap(polygon, next);
        }
    }
    Ok(())
}

/// Clips the segment `buffers.polygon` against a disc about `center`, along the unit `normal` of the disc. Ends that are less
/// than `slack` [m] outside stay.
pub(super) fn clip_to_disc(
    buffers: &mut ClipBuffers,
    (center, normal): (&Vec3, &Vec3),
    radius: f64,
    slack: f64,
) -> Result<()> {
    let ClipBuffers { polygon, next, sides } = buffers;
    sides.clear();
    let [from, to] = polygon[..] else { return Ok(()) };
    let flat = |vector: Vec3| vector - normal * normal.dot(&vector);
    let (start, along) = (flat(from.point - center), flat(to.point - from.point));
    let length = along.norm_squared();
    // The ends of the part inside, as fractions of the segment.
    let middle = -start.dot(&along) / length;
    let half = square(radius) - (start + along * middle).norm_squared();
    empty(next, 2, "corners of a clipped face")?;
    if length > 0.0 && half >= 0.0 {
        let half = (half / length).sqrt();
        let ends = [(from, middle - half), (to, middle + half)];
        for (end, (corner, fraction)) in ends.into_iter().enumerate() {
            let is_cut = flat(corner.point - center).norm() > radius + slack;
            if (0.0..=1.0).contains(&fraction) || !is_cut {
                let feature = if is_cut { SIDE.with(&[ROUND + end as u64]) } else { corner.feature };
                let point = if is_cut { from.point + (to.point - from.point) * fraction } else { corner.point };
                next.push(Corner { point, feature, edge: corner.edge });
            }
        }
    }
    std::mem::swap(polygon, next);
    Ok(())
}

/// Writes the part of a polygon that is not outside of a side plane to `left`.
fn cut(polygon: &[Corner], left: &mut Vec<Corner>, side: &Side, closed: bool, tolerance: f64) -> Result<()> {
    let feature = SIDE.with(&[side.index as u64]);
    // Each corner leads to at most two corners: itself and a crossing.
    empty(left, 2 * polygon.len(), "corners of a clipped face")?;
    let mut there = polygon.first().map_or(0.0, |first| side.height(&first.point));
    for (index, corner) in polygon.iter().enumerate() {
        let follower = polygon.get(index + 1).or(if closed { polygon.first() } else { None });
        let here = there;
        there = follower.map_or(0.0, |follower| side.height(&follower.point));
        let leaves = there > tolerance;
        if here <= tolerance {
            // If the next corner is outside, the next edge of the polygon is on the side plane.
            let edge = if leaves && here >= -tolerance { feature } else { corner.edge };
            left.push(Corner { edge, ..*corner });
        }
        let crosses = here < -tolerance && leaves || here > tolerance && there < -tolerance;
        if let (true, Some(follower)) = (crosses, follower) {
            let point = corner.point + (follower.point - corner.point) * (here / (here - there));
            let feature = mixed(&[corner.edge.min(feature), corner.edge.max(feature)]);
            left.push(Corner { point, feature, edge: if leaves { feature } else { corner.edge } });
        }
    }
    Ok(())
}
