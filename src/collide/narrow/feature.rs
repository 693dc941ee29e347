//! The feature that a convex shape turns towards a direction, and its clipping against the side planes of a face.
//!
//! A feature is the farthest corner, the edge or face there, or a cylinder's side: a point, a segment or a polygon.
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

/// Kinds of features, the first word of their identity.
const CORNER: Mixture = Mixture::of(&[1]);
const EDGE: Mixture = Mixture::of(&[2]);
const SIDE: Mixture = Mixture::of(&[3]);
/// Corner numbers for the points of a cylinder that are not corners.
const ROUND: u64 = 1 << 32;
/// Cosine of the angle to its axis below which a cylinder shows its side rather than an end.
const END_ON: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A corner of what is clipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// [m]
    pub(super) point: Vec3,
    /// Which corner it is, or of which two edges it is the crossing.
    pub(super) feature: u64,
    /// The edge to the next corner.
    pub(super) edge: u64,
}

/// The side plane of a face: outside where `outward . (x - origin) > 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// Of unit length.
    pub(super) outward: Vec3,
    pub(super) origin: Vec3,
    /// Behind which corner of the face.
    pub(super) index: usize,
}

impl Side {
    #[inline]
    fn height(&self, point: &Vec3) -> f64 {
        self.outward.dot(&(point - self.origin))
    }

    /// Whether `point` is inside, on the plane, or outside by at most `tolerance` [m].
    #[inline]
    pub(super) fn holds(&self, point: &Vec3, tolerance: f64) -> bool {
        self.height(point) <= tolerance
    }
}

/// The polygon that is being clipped, and the one that is being made of it.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipBuffers {
    pub(super) polygon: Vec<Corner>,
    pub(super) next: Vec<Corner>,
    /// The side planes it is clipped against.
    pub(super) sides: Vec<Side>,
}

/// The corner, edge or face of a shape that is turned most towards `direction`, as a polygon.
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
    let (_, nearest) = shape.spot(direction, NO_HINT);
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

/// The side planes of the face with the normal `outward`.
#[inline]
pub(super) fn face_sides<'a>(shape: &'a Polytope, face: usize, outward: &'a Vec3) -> impl Iterator<Item = Side> + 'a {
    let corners = shape.face(face);
    (0..corners.len()).filter_map(move |index| {
        let next = if index + 1 < corners.len() { index + 1 } else { 0 };
        let origin = shape.corner(corners[index]);
        match shape.side_normal(face, index) {
            Some(normal) => Some(Side { outward: normal, origin, index }),
            None => side_of([origin, shape.corner(corners[next])], index, outward),
        }
    })
}

/// Whether `point`, projected along the normal `outward` of a face with these sides, lies in it, or within `slack` [m] of it.
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

/// The sine of the angle between `direction` and the normal of the face that is turned most towards it; 1 where none is.
pub(super) fn turned_away(shape: &Polytope, direction: &Vec3) -> f64 {
    let (_, nearest) = shape.spot(direction, NO_HINT);
    let facing = shape.facing_face(direction, nearest, true).filter(|(_, along)| *along > 0.0);
    facing.map_or(1.0, |(face, _)| shape.normal(face).cross(direction).norm().min(1.0))
}

/// The line on a cylinder's side that is closest in `direction`, if the cylinder turns its side there.
fn facing_side(shape: &Polytope, direction: &Vec3) -> Option<Segment> {
    let PolytopeKind::Cylinder(round) = shape.kind else { return None };
    let along = round.axis.dot(direction);
    if along.abs() <= END_ON * direction.norm() { side_line(shape, direction) } else { None }
}

/// The farthest point in a direction as a corner.
pub(super) fn nearest_corner(shape: &Polytope, direction: &Vec3) -> Corner {
    let (point, corner) = shape.spot(direction, NO_HINT);
    let index = if matches!(shape.kind, PolytopeKind::Cylinder(_)) { ROUND } else { u64::from(corner) };
    Corner { point, feature: CORNER.with(&[index]), edge: 0 }
}

/// The edge that is farthest in a direction, if its slope against the plane across the direction is at most `steepest`.
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
    let (_, corner) = shape.spot(direction, NO_HINT);
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

/// The side plane behind corner `index` of a polygon, from that corner to the next one, counterclockwise about `normal`;
/// `None` of an edge without length.
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
    // The ends of what is inside, as fractions of the segment.
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

/// What of a polygon is not outside of a side plane.
fn cut(polygon: &[Corner], left: &mut Vec<Corner>, side: &Side, closed: bool, tolerance: f64) -> Result<()> {
    let feature = SIDE.with(&[side.index as u64]);
    // Each corner leaves itself and a crossing at most.
    empty(left, 2 * polygon.len(), "corners of a clipped face")?;
    let mut there = polygon.first().map_or(0.0, |first| side.height(&first.point));
    for (index, corner) in polygon.iter().enumerate() {
        let follower = polygon.get(index + 1).or(if closed { polygon.first() } else { None });
        let here = there;
        there = follower.map_or(0.0, |follower| side.height(&follower.point));
        let leaves = there > tolerance;
        if here <= tolerance {
            // Where the next corner is outside, the polygon goes on along the side.
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
