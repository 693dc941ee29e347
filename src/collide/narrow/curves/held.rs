//! Contacts at given places of curves that are nearly parallel there.
//!
//! A nearly flat curve that is pressed against another body rests on the one place that balances its forces. A minimum of the
//! distance moves along the curve as the body turns. It can pass this place in every step: then the body rocks and never rests. With
//! contacts where the pair carried load before, both sides of the balance are held, and come closer to each other step by step.

use super::plane::Touch;
use super::round::contact;
use super::side::{Pass, Side};
use crate::math::Vec2;

/// Two outlines are nearly parallel if their normals are opposite up to this cosine: 8 degrees.
const FACING: f64 = 0.99;

/// Returns the contact of two prisms at the point of a that is nearest to `place`, if they are nearly parallel there. Also
/// returns the sum of both curvatures [1/m].
pub(super) fn of_prisms([a, b]: [Side; 2], place: &Vec2, margin: f64) -> Option<(Touch, f64)> {
    let pass = Pass::new([a, b], true, margin);
    let own = a.outline.nearest(&a.frame.to_local(place));
    let foot = b.outline.nearest(&pass.relative.to_world(&own.point));
    let is_facing = !own.is_corner && pass.relative.turned(&own.normal).dot(&foot.normal) <= -FACING;
    is_facing.then(|| (pass.touch(&foot), own.curvature + foot.curvature))
}

/// Returns the same of a half-plane, a, that is solid where `normal . x <= offset`.
pub(super) fn of_half_plane((normal, offset): (&Vec2, f64), side: &Side, place: &Vec2) -> Option<(Touch, f64)> {
    let foot = side.outline.nearest(&side.frame.to_local(place));
    let is_facing = !foot.is_corner && side.frame.turned(&foot.normal).dot(normal) <= -FACING;
    is_facing.then(|| (contact(&side.frame, (normal, offset), &foot.point), foot.curvature))
}
