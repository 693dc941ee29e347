//! The end of a cylinder that reaches over the side of a face with a part of its rim only.
//!
//! Contacts of an end are found with an octagon in it. Where that misses a face, the end may still reach over it.

use super::feature::{Corner, END_ON, RIM, facing_feature};
use super::polytope::{Polytope, PolytopeKind};
use crate::error::{Result, push};
use crate::math::Vec3;

/// The end of a cylinder.
struct End {
    /// [m]
    middle: Vec3,
    /// The unit normal out of the cylinder.
    normal: Vec3,
    /// [m]
    radius: f64,
}

impl End {
    /// Returns the end that faces a unit direction, if it does so more than the side.
    fn facing(shape: &Polytope, direction: &Vec3) -> Option<Self> {
        let PolytopeKind::Cylinder(round) = shape.kind else { return None };
        let along = round.axis.dot(direction);
        let sign = 1f64.copysign(along);
        let (middle, normal) = (shape.center + sign * round.half_axis, sign * round.axis);
        (along.abs() > END_ON).then_some(Self { middle, normal, radius: round.radius })
    }
}

/// Returns whether a point is over the end of a cylinder with the normal `outward`, up to a distance from its axis [m].
pub(super) fn is_over_disc(cylinder: &Polytope, outward: &Vec3, reach: f64, point: &Vec3) -> bool {
    let arm = point - cylinder.center;
    (arm - outward * outward.dot(&arm)).norm() <= reach
}

/// Writes the point of shape `other` that is over the face of shape `own` with the normal `outward`, as near to the middle of
/// an end as possible. One of them has such an end there. Writes nothing if no part of it is over the face.
pub(super) fn over_side(own: &Polytope, other: &Polytope, outward: &Vec3, polygon: &mut Vec<Corner>) -> Result<()> {
    let (end, is_own) = match (End::facing(other, &-outward), End::facing(own, outward)) {
        (Some(end), _) => {
            facing_feature(own, outward, polygon)?;
            (end, false)
        }
        (None, Some(end)) => {
            facing_feature(other, &-outward, polygon)?;
            (end, true)
        }
        (None, None) => {
            polygon.clear();
            return Ok(());
        }
    };
    let nearest = nearest(polygon, &end, outward);
    polygon.clear();
    let Some((point, _)) = nearest.filter(|(_, distance)| *distance <= end.radius) else { return Ok(()) };
    // Along the normal of the face to the plane of the end.
    let lift = end.normal.dot(&(end.middle - point)) / end.normal.dot(outward);
    let point = if is_own { point } else { point + outward * lift };
    push(polygon, Corner { point, feature: RIM.with(&[u64::from(is_own)]), edge: 0 }, "corners of a face")
}

/// Returns the point on the edges of a polygon that is nearest to the middle of an end outside of it, and how far that is
/// [m]. Distances are those in the plane of the end, seen along a unit `direction`.
fn nearest(polygon: &[Corner], end: &End, direction: &Vec3) -> Option<(Vec3, f64)> {
    let seen = |arm: Vec3| arm - direction * (end.normal.dot(&arm) / end.normal.dot(direction));
    let ends = polygon.iter().skip(1).chain(polygon.first());
    let on_edges = polygon.iter().zip(ends).map(|(start, next)| {
        let (start, along) = (start.point, next.point - start.point);
        let across = seen(along);
        let length = across.norm_squared();
        let part = if length > 0.0 { (across.dot(&seen(end.middle - start)) / length).clamp(0.0, 1.0) } else { 0.0 };
        let point = start + along * part;
        (point, seen(end.middle - point).norm())
    });
    on_edges.min_by(|one, other| one.1.total_cmp(&other.1))
}
