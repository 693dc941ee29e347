//! A curve against disks and half-planes.

use super::plane::{Frame, Touch, add};
use super::seat::{FLAT, STRAIGHT};
use super::side::Side;
use crate::error::Result;
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, Place};

/// Adds the contacts of a disk, a, with an outline, b. A disk in a notch touches both of its sides. A disk with its
/// centre inside the outline leaves it by the shortest way.
pub(super) fn add_disk(
    (center, radius): (&Vec2, f64),
    side: &Side,
    margin: f64,
    touches: &mut Vec<Touch>,
) -> Result<()> {
    let local = side.frame.to_local(center);
    let nearest = side.outline.nearest(&local);
    let size = side.outline.size().min(radius);
    let mut outcome = Ok(());
    let mut offer = |foot: &Foot| {
        let gap = foot.distance - radius;
        let outward = side.frame.turned(&foot.normal);
        let point = side.frame.to_world(&foot.point) + outward * (0.5 * gap);
        if gap <= margin && outcome.is_ok() {
            outcome = add(touches, Touch { point, normal: -outward, gap, feature: 0 }, size);
        }
    };
    offer(&nearest);
    if nearest.distance > 0.0 {
        side.outline.each_minimum(&local, radius + margin, |foot| {
            if foot.distance > 0.0 {
                offer(&foot);
            }
        });
    }
    outcome
}

/// Adds the contacts of a half-plane, a, with an outline, b. The half-plane is solid where `normal . x <= offset`.
pub(super) fn add_half_plane(
    (normal, offset): (&Vec2, f64),
    side: &Side,
    margin: f64,
    touches: &mut Vec<Touch>,
) -> Result<()> {
    let Side { outline, frame, .. } = side;
    let direction = frame.turned_back(normal);
    let highest = offset - normal.dot(&frame.origin) + margin;
    let mut outcome = Ok(());
    outline.each_lowest(&direction, highest, |place| {
        if outcome.is_ok() {
            outcome = add_with_seat((normal, offset), side, (place, margin), touches);
        }
    });
    outcome
}

/// Adds a lowest place, and the ends of pieces that lie flat there. Only the ends of a straight piece are added.
fn add_with_seat(
    (normal, offset): (&Vec2, f64),
    Side { outline, frame, .. }: &Side,
    (place, margin): (Place, f64),
    touches: &mut Vec<Touch>,
) -> Result<()> {
    let at = |piece: usize, t: f64| contact(frame, (normal, offset), &outline.at(piece, t).point);
    let before = if place.piece == 0 { outline.count() - 1 } else { place.piece - 1 };
    let pieces = [Some((place.piece, place.t)), (place.t == 0.0).then_some((before, 1.0))];
    let mut stands_for_all = false;
    for (piece, t) in pieces.into_iter().flatten() {
        let turn = outline.curvature(piece, t, &outline.at(piece, t)) * outline.length(piece);
        if turn * outline.length(piece) >= 8.0 * FLAT * margin {
            continue;
        }
        let ends = [at(piece, 0.0), at(piece, 1.0)];
        stands_for_all |= turn.abs() <= STRAIGHT && ends.iter().all(|end| end.gap <= margin);
        for end in ends.into_iter().filter(|end| end.gap <= margin) {
            add(touches, end, outline.size())?;
        }
    }
    if stands_for_all {
        return Ok(());
    }
    add(touches, at(place.piece, place.t), outline.size())
}

/// Returns the contact at a place of the outline.
pub(super) fn contact(frame: &Frame, (normal, offset): (&Vec2, f64), local: &Vec2) -> Touch {
    let world = frame.to_world(local);
    let gap = normal.dot(&world) - offset;
    Touch { point: world - normal * (0.5 * gap), normal: *normal, gap, feature: 0 }
}
