//! Seats: where two outlines are nearly parallel along a stretch, both of its ends touch. One point would let a body rock that lies flat.
//!
//! The stretch is what two pieces have in common, one of each outline. Each of its ends is an end of one of the two.

use super::plane::{Touch, add};
use super::side::{Minimum, Pass};
use crate::error::Result;
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, Outline};

/// Pieces lie flat if between their ends they part by less than this part of the margin [-].
const FLAT: f64 = 0.1;
/// Pieces are parallel lines if they turn against each other by less than this over their length [rad].
const STRAIGHT: f64 = 1e-9;
/// Cosine of the angle between the normals of a seat, and how far beyond an end a foot may be, as a part of the size [-].
const SAME_NORMAL: f64 = 0.99;
const BEYOND: f64 = 1e-9;

/// Adds the ends of the stretch around a minimum along which the outlines are nearly parallel, if they are. Returns whether the ends stand
/// for the minimum too, as they do between straight lines.
pub(super) fn add_seat(pass: &Pass, found: &Minimum, touches: &mut Vec<Touch>) -> Result<bool> {
    let (slave, master) = (pass.slave.outline, pass.master.outline);
    let mut ends = 0;
    let mut is_straight = false;
    for own in pieces_at(slave, found.piece, found.t) {
        for other in pieces_at(master, found.foot.piece, found.foot.t) {
            let length = slave.length(own).min(master.length(other));
            let turn = (curvature(slave, own, found.piece, found.t)
                + curvature(master, other, found.foot.piece, found.foot.t))
                * length;
            if turn * length >= 8.0 * FLAT * pass.margin {
                continue;
            }
            let before = ends;
            for end in [0.0, 1.0] {
                ends += add_slave_end(pass, (own, end), (other, &found.foot.normal), touches)?;
                ends += add_master_end(pass, (other, end), (own, &found.foot.normal), touches)?;
            }
            is_straight |= turn.abs() <= STRAIGHT && ends >= before + 2;
        }
    }
    Ok(is_straight)
}

/// The pieces that have a place: two at an end.
fn pieces_at(outline: &Outline, piece: usize, t: f64) -> impl Iterator<Item = usize> {
    let before = if piece == 0 { outline.count() - 1 } else { piece - 1 };
    [Some(piece), (t == 0.0).then_some(before)].into_iter().flatten()
}

/// The curvature of a piece where it has a place that may be known as one of the next piece [1/m].
fn curvature(outline: &Outline, piece: usize, named: usize, t: f64) -> f64 {
    let t = if piece == named { t } else { 1.0 };
    outline.curvature(piece, t, &outline.at(piece, t))
}

/// Adds an end of a piece of the slave if it touches a piece of the master. Returns how many points that are.
fn add_slave_end(
    pass: &Pass,
    (piece, t): (usize, f64),
    (other, normal): (usize, &Vec2),
    touches: &mut Vec<Touch>,
) -> Result<u32> {
    let point = pass.seen.to_world(&pass.slave.outline.at(piece, t).point);
    let foot = pass.master.outline.nearest(&point);
    if !is_over(pass.master.outline, other, &foot, &point) || foot.normal.dot(normal) < SAME_NORMAL {
        return Ok(0);
    }
    add_if_near(pass, pass.touch(&foot), touches)
}

/// The same of an end of a piece of the master.
fn add_master_end(
    pass: &Pass,
    (piece, t): (usize, f64),
    (other, normal): (usize, &Vec2),
    touches: &mut Vec<Touch>,
) -> Result<u32> {
    let end = pass.master.outline.at(piece, t).point;
    let point = pass.seen.to_local(&end);
    let foot = pass.slave.outline.nearest(&point);
    let outward = -pass.seen.turned(&foot.normal);
    if !is_over(pass.slave.outline, other, &foot, &point) || outward.dot(normal) < SAME_NORMAL {
        return Ok(0);
    }
    add_if_near(pass, pass.touch_of(&end, &outward, foot.distance), touches)
}

fn add_if_near(pass: &Pass, touch: Touch, touches: &mut Vec<Touch>) -> Result<u32> {
    if touch.gap > pass.margin {
        return Ok(0);
    }
    add(touches, touch, pass.size()).map(|()| 1)
}

/// Whether the foot of a point is on a piece, and the point not beyond its end.
fn is_over(outline: &Outline, piece: usize, foot: &Foot, point: &Vec2) -> bool {
    let is_end = foot.t == 0.0 && foot.piece == outline.next(piece);
    if foot.piece != piece && !is_end {
        return false;
    }
    let tangent = if is_end { outline.join(foot.piece).before } else { outline.join(piece).after };
    !foot.is_corner || tangent.dot(&(point - foot.point)).abs() <= BEYOND * outline.size()
}
