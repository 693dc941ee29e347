//! Corners of one outline in the notches of another. Notches are concave corners. A corner in a notch touches both of
//! its sides, but only one of them is nearest.

use super::side::{Minimum, Pass};
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, right_of};

/// The distance from a side may rise towards the corner by this slope: round-off of a face parallel to the side [-].
const PARALLEL: f64 = 1e-12;
/// The largest distance of a corner from the notch, in margins and depths. A corner touches both sides up to the
/// diagonal of a right angle.
const REACH: f64 = 2.0;

/// Returns the points at which a corner of the slave touches the sides of notches of the master. The corner is at the
/// start of `piece` and has this `foot`.
pub(super) fn in_notches(pass: &Pass, piece: usize, foot: &Foot) -> impl Iterator<Item = Minimum> {
    let (slave, master) = (pass.slave.outline, pass.master.outline);
    let join = slave.join(piece);
    let point = pass.relative.to_world(&slave.start(piece));
    let edges = [&join.before, &join.after].map(|edge| pass.relative.turned(edge));
    let is_tip = join.is_corner && join.before.perp(&join.after) > 0.0;
    let reach = REACH * (pass.margin.max(0.0) + foot.distance.abs());
    let ends = [foot.piece, master.next(foot.piece)].map(|end| {
        let notch = master.join(end);
        let is_notch = notch.is_corner && notch.before.perp(&notch.after) < 0.0;
        let is_near = is_tip && is_notch && (point - master.start(end)).norm() <= reach;
        let sides = [notch.before, notch.after].map(|side| on_side(&point, (end, master.start(end)), &side, &edges));
        if is_near { sides } else { [None; 2] }
    });
    ends.into_iter().flatten().flatten().map(move |foot| Minimum { piece, t: 0.0, foot })
}

/// Returns the foot of a point on the line along one side of a notch, if the distance to it rises along both edges from the point.
fn on_side(point: &Vec2, (piece, notch): (usize, Vec2), side: &Vec2, [before, after]: &[Vec2; 2]) -> Option<Foot> {
    let normal = right_of(side);
    let distance = normal.dot(&(point - notch));
    let is_lowest = normal.dot(before) <= PARALLEL && normal.dot(after) >= -PARALLEL;
    let on = point - normal * distance;
    is_lowest.then_some(Foot { piece, t: 0.0, point: on, normal, distance, curvature: 0.0, is_corner: false })
}
