//! The point of a curve that is nearest to a given one, certified; all minima of that distance; and extreme points along a direction.

use super::bernstein::rising_roots;
use super::outline::{Local, Outline};
use crate::math::Vec2;

/// A point as near as this part of the size of the curve is on it: its normal is that of the curve [-].
const ON_CURVE: f64 = 1e-12;
/// The normal and the line to the point may differ by this angle, and by this part of the size of the curve [rad], [-].
const ANGLE_TOLERANCE: f64 = 1e-9;
const ROUND_OFF: f64 = 1e-14;
/// A point beyond the end of a piece by this part of the size of the curve counts as at the end [-].
const BEYOND: f64 = 1e-9;

/// A point of a curve at which the distance to a given point has a minimum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) piece: usize,
    pub(crate) t: f64,
    /// [m]
    pub(crate) point: Vec2,
    /// Unit, out of the solid, along the line to the given point.
    pub(crate) normal: Vec2,
    /// Of the given point, below 0 inside of the solid [m].
    pub(crate) distance: f64,
    /// Of the curve, positive where the solid is convex; infinite at a convex corner [1/m].
    pub(crate) curvature: f64,
    pub(crate) is_corner: bool,
}

/// A place on a curve.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) piece: usize,
    pub(crate) t: f64,
}

impl Outline {
    /// Returns the nearest point of the curve to `point`.
    ///
    /// A piece is left out only if its box is farther away than a point that was found. On the others every minimum is found.
    #[inline]
    pub(crate) fn nearest(&self, point: &Vec2) -> Foot {
        let (mut best, mut smallest) = (Place::default(), f64::INFINITY);
        self.tree().nearest(point, f64::INFINITY, |piece, _| {
            let mut offer = |t: f64, squared: f64| {
                if squared < smallest {
                    (best, smallest) = (Place { piece, t }, squared);
                }
            };
            offer(0.0, (self.start(piece) - point).norm_squared());
            let (coefficients, count) = self.foot_polynomial(piece, point);
            rising_roots(&coefficients[..count], |t| {
                offer(t, (self.at(piece, t).point - point).norm_squared());
            });
            smallest
        });
        self.foot(best, point)
    }

    /// Returns the foot of a point on one piece and the outward normal there, if the point is not beyond an end of the piece.
    pub(crate) fn foot_on(&self, piece: usize, point: &Vec2) -> Option<(Vec2, Vec2)> {
        let (coefficients, count) = self.foot_polynomial(piece, point);
        let mut root = None;
        rising_roots(&coefficients[..count], |t| root = root.or(Some(t)));
        if let Some(t) = root {
            let local = self.at(piece, t);
            return Some((local.point, right_of(&self.tangent(piece, t, &local))));
        }
        let next = self.next(piece);
        let ends = [(self.start(piece), self.join(piece).after), (self.start(next), self.join(next).before)];
        let is_over = |(end, tangent): &&(Vec2, Vec2)| tangent.dot(&(point - end)).abs() <= BEYOND * self.size();
        ends.iter().find(is_over).map(|(end, tangent)| (*end, right_of(tangent)))
    }

    /// Calls `found` with every minimum of the distance to `point` that is at most `reach` away, on either side.
    pub(crate) fn each_minimum(&self, point: &Vec2, reach: f64, mut found: impl FnMut(Foot)) {
        let square = reach * reach;
        self.tree().walk(
            |all| all.squared_distance(point) <= square,
            |piece| {
                let mut offer = |t: f64| {
                    let foot = self.foot(Place { piece, t }, point);
                    if foot.distance.abs() <= reach {
                        found(foot);
                    }
                };
                let (arm, join) = (self.start(piece) - point, self.join(piece));
                if arm.dot(&join.before) <= 0.0 && arm.dot(&join.after) >= 0.0 {
                    offer(0.0);
                }
                let (coefficients, count) = self.foot_polynomial(piece, point);
                rising_roots(&coefficients[..count], offer);
            },
        );
    }

    /// Calls `found` with every place at which the coordinate along `direction` has a minimum of at most `highest` [m].
    pub(crate) fn each_lowest(&self, direction: &Vec2, highest: f64, mut found: impl FnMut(Place)) {
        let reach = |half: Vec2| direction.abs().dot(&half);
        self.tree().walk(
            |all| direction.dot(&all.center()) - reach(all.half()) <= highest,
            |piece| {
                let mut offer = |t: f64| {
                    if direction.dot(&self.at(piece, t).point) <= highest {
                        found(Place { piece, t });
                    }
                };
                let join = self.join(piece);
                if direction.dot(&join.before) <= 0.0 && direction.dot(&join.after) >= 0.0 {
                    offer(0.0);
                }
                let (coefficients, count) = self.rise_polynomial(piece, direction);
                rising_roots(&coefficients[..count], offer);
            },
        );
    }

    /// Returns the least coordinate along `direction` [m].
    pub(crate) fn lowest(&self, direction: &Vec2) -> f64 {
        let starts = (0..self.count()).map(|piece| direction.dot(&self.start(piece)));
        let mut lowest = starts.fold(f64::INFINITY, f64::min);
        self.each_lowest(direction, lowest, |place| {
            lowest = lowest.min(direction.dot(&self.at(place.piece, place.t).point));
        });
        lowest
    }

    /// Returns what is known of a minimum of the distance to `point`.
    pub(crate) fn foot(&self, place: Place, point: &Vec2) -> Foot {
        let Place { piece, t } = if place.t < 1.0 { place } else { Place { piece: self.next(place.piece), t: 0.0 } };
        let local = self.at(piece, t);
        let join = self.join(piece);
        let arm = point - local.point;
        if t > 0.0 || !join.is_corner {
            let (mut normal, length) = (right_of(&self.tangent(piece, t, &local)), arm.norm());
            let mut distance = normal.dot(&arm);
            if normal.perp(&arm).abs() > ANGLE_TOLERANCE * length + ROUND_OFF * self.size() {
                // At a tip that is sharper than the parameter has digits the normal is that to the point.
                distance = length.copysign(distance);
                normal = arm / distance;
            }
            let curvature = self.curvature(piece, t, &local);
            return Foot { piece, t, point: local.point, normal, distance, curvature, is_corner: false };
        }
        // All directions from a corner to points that it is nearest to are within a right angle of the middle of the two normals.
        let middle = right_of(&(join.before + join.after)).try_normalize(0.0).unwrap_or(join.after);
        let side = if middle.dot(&arm) < 0.0 { -1.0 } else { 1.0 };
        let distance = arm.norm();
        let normal = if distance > ON_CURVE * self.size() { arm * (side / distance) } else { middle };
        let curvature = f64::INFINITY.copysign(join.before.perp(&join.after));
        Foot { piece, t, point: local.point, normal, distance: side * distance, curvature, is_corner: true }
    }

    /// Returns the curvature at a place, 0 where the curve has no derivative [1/m].
    pub(crate) fn curvature(&self, piece: usize, t: f64, local: &Local) -> f64 {
        let t = t.clamp(1e-6, 1.0 - 1e-6);
        let is_slow = local.first.norm() <= 1e-7 * self.length(piece);
        let curvature = if is_slow { self.at(piece, t).curvature() } else { local.curvature() };
        if curvature.is_finite() { curvature } else { 0.0 }
    }
}

/// Returns the vector turned by a right angle to the right: out of the solid, if it is a tangent.
#[inline]
pub(crate) fn right_of(tangent: &Vec2) -> Vec2 {
    Vec2::new(tangent.y, -tangent.x)
}
