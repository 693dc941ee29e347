//! Seats: if two outlines are nearly parallel along a stretch, both of its ends touch. With a single point a body that
//! lies flat could rock.
//!
//! The stretch is the part that two pieces share, one of each outline. Each of its ends is an end of one of the two.

use super::plane::{Touch, add};
use super::side::{Minimum, Pass};
use crate::error::Result;
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, Outline, right_of};

/// Pieces lie flat if the gap between them opens by less than this part of the margin along their length [-].
pub(super) const FLAT: f64 = 0.1;
/// Pieces are parallel lines if their directions change relative to each other by less than this along their length
/// [rad].
pub(super) const STRAIGHT: f64 = 1e-9;
/// The smallest cosine of the angle between the normals of a seat.
const SAME_NORMAL: f64 = 0.99;
/// A stretch shorter than this part of the size has one end only [-].
const SHORTEST: f64 = 1e-6;

/// Adds the ends of the stretch around a minimum if the outlines are nearly parallel there. Returns whether the ends
/// replace the minimum, as they do between straight lines.
pub(super) fn add_seat(pass: &Pass, found: &Minimum, touches: &mut Vec<Touch>) -> Result<bool> {
    let (slave, master) = (pass.slave.outline, pass.master.outline);
    let Foot { piece, t, normal, .. } = found.foot;
    let along = right_of(&normal);
    let mut is_straight = false;
    for own in pieces_at(slave, found.piece, found.t) {
        for other in pieces_at(master, piece, t) {
            let length = slave.length(own).min(master.length(other));
            let (bend, outward) = surface(slave, own, (found.piece, found.t));
            let (other_bend, other_outward) = surface(master, other, (piece, t));
            let turn = (bend + other_bend) * length;
            let are_parallel = -pass.relative.turned(&outward).dot(&normal) >= SAME_NORMAL
                && other_outward.dot(&normal) >= SAME_NORMAL;
            if turn * length >= 8.0 * FLAT * pass.margin || !are_parallel {
                continue;
            }
            let mut range = [f64::INFINITY, f64::NEG_INFINITY];
            for end in [0.0, 1.0] {
                let ends = [slave_end(pass, (own, end), other), master_end(pass, (other, end), own)];
                let is_same = |end: &End| end.normal.dot(&normal) >= SAME_NORMAL && end.gap <= pass.margin;
                for end in ends.into_iter().flatten().filter(is_same) {
                    let place = along.dot(&end.point);
                    range = [range[0].min(place), range[1].max(place)];
                    add(touches, pass.touch_of(&end.point, &end.normal, end.gap), pass.size())?;
                }
            }
            is_straight |= turn.abs() <= STRAIGHT && range[1] - range[0] > SHORTEST * pass.size();
        }
    }
    Ok(is_straight)
}

/// An end of a stretch: a point of the master, its outward normal, and the gap above it.
struct End {
    point: Vec2,
    normal: Vec2,
    gap: f64,
}

/// Returns the pieces that contain a place: two if it is the start of one.
fn pieces_at(outline: &Outline, piece: usize, t: f64) -> impl Iterator<Item = usize> {
    let before = if piece == 0 { outline.count() - 1 } else { piece - 1 };
    [Some(piece), (t == 0.0).then_some(before)].into_iter().flatten()
}

/// Returns the curvature and the outward normal of a piece at a place, which may be given as the start of the next
/// piece [1/m], [-].
fn surface(outline: &Outline, piece: usize, (named, t): (usize, f64)) -> (f64, Vec2) {
    let t = if piece == named { t } else { 1.0 };
    let local = outline.at(piece, t);
    (outline.curvature(piece, t, &local), right_of(&outline.tangent(piece, t, &local)))
}

/// Returns an end of a piece of the slave, if it is over a piece of the master.
fn slave_end(pass: &Pass, (piece, t): (usize, f64), other: usize) -> Option<End> {
    let point = pass.relative.to_world(&pass.slave.outline.at(piece, t).point);
    let (on, normal) = pass.master.outline.foot_on(other, &point)?;
    Some(End { point: on, normal, gap: normal.dot(&(point - on)) })
}

/// Returns an end of a piece of the master, if it is over a piece of the slave.
fn master_end(pass: &Pass, (piece, t): (usize, f64), other: usize) -> Option<End> {
    let end = pass.master.outline.at(piece, t).point;
    let point = pass.relative.to_local(&end);
    let (on, normal) = pass.slave.outline.foot_on(other, &point)?;
    Some(End { point: end, normal: -pass.relative.turned(&normal), gap: normal.dot(&(point - on)) })
}
