//! Where a line passes through the triangles of a mesh.

use std::cmp::Ordering;

use super::axis::closest_points;
use super::facet::{COPLANAR, Facet, round_off};
use crate::error::Result;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::Mesh;

/// The round-off of a triple product, over the product of the lengths [-].
const ON_EDGE: f64 = 4.0 * f64::EPSILON;
/// A triangle that is this far from an axis may stay so near when the axis is pushed, over the radius that is to be free [-].
const BESIDE: f64 = 0.5;
/// A triangle with a smaller sine of the angle to a direction lies along it [-].
const SIDEWAYS: f64 = 1e-9;
/// Triangles may be nearer to a free axis by this part of its size [-]. Round-off tilts thin ones by more than 1e-9.
const DISTANCE: f64 = 1e-6;

/// A mesh, in the axes of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface<'a> {
    pub(super) mesh: &'a Mesh,
    /// From body axes to world axes.
    pub(super) pose: &'a Pose,
    /// The origin of the pair's axes, world axes [m].
    pub(super) origin: &'a Vec3,
}

/// The points `start` + t `direction` for t from `range[0]` to `range[1]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    start: Vec3,
    pub(super) direction: Vec3,
    range: [f64; 2],
    /// The start and the direction in the axes of the mesh.
    local: [Vec3; 2],
    /// The length of the direction [m].
    length: f64,
}

/// Where a line passes through a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// The t of the line.
    pub(super) at: f64,
    /// The unit normal of the front.
    pub(super) normal: Vec3,
    /// The height over the front that is gained for each unit of t, not 0 [m].
    pub(super) rise: f64,
}

impl Line {
    /// Returns the bounds of the line in the axes of the mesh, grown by a length [m].
    fn region(&self, length: f64) -> Aabb {
        let [start, direction] = self.local;
        let [from, to] = self.range.map(|at| start + direction * at);
        Aabb { lower: from.inf(&to), upper: from.sup(&to) }.grown(length)
    }
}

impl Crossing {
    /// Returns whether the line passes this triangle in the opposite sense as another one.
    pub(super) fn is_return_from(&self, other: &Self) -> bool {
        self.rise * other.rise < 0.0
    }

    pub(super) fn is_parallel_to(&self, other: &Self) -> bool {
        self.normal.dot(&other.normal).abs() >= COPLANAR
    }
}

impl<'a> Surface<'a> {
    /// Returns how far a point on the surface may be from it by round-off [m].
    pub(super) fn round_off(&self) -> f64 {
        round_off(self.mesh)
    }

    pub(super) fn facet(&self, index: u32) -> Facet<'a> {
        Facet::new(self.mesh, self.pose, self.origin, index)
    }

    /// Writes the triangles that a line may be nearer to than a distance [m] to `out`, in ascending order.
    pub(super) fn triangles_near(&self, line: &Line, distance: f64, out: &mut Vec<u32>) -> Result<()> {
        self.mesh.triangles_in(&line.region(distance + self.round_off()), out)
    }

    pub(super) fn line(&self, start: Vec3, direction: Vec3, range: [f64; 2]) -> Line {
        let local = [self.pose.to_local(&(self.origin + start)), self.pose.matrix.tr_mul(&direction)];
        Line { start, direction, range, local, length: direction.norm() }
    }

    /// Returns where a line passes through a triangle. On a common edge or corner it passes through all triangles there. A line in
    /// the plane of a triangle does not pass it.
    pub(super) fn crossing(&self, line: &Line, index: u32) -> Option<Crossing> {
        let [start, direction] = line.local;
        // In the axes of the mesh, so that few triangles are turned.
        let [a, b, c] = self.mesh.triangle(index).map(|corner| corner - start);
        let side = |from: &Vec3, to: &Vec3| direction.dot(&from.cross(to));
        let reach = a.norm_squared().max(b.norm_squared()).max(c.norm_squared());
        let slack = ON_EDGE * line.length * reach;
        let are_opposite = |one: f64, other: f64| (one < -slack && other > slack) || (one > slack && other < -slack);
        let (first, second) = (side(&a, &b), side(&b, &c));
        if are_opposite(first, second) {
            return None;
        }
        let third = side(&c, &a);
        if are_opposite(first, third) || are_opposite(second, third) {
            return None;
        }
        let facet = self.facet(index);
        let rise = facet.normal.dot(&line.direction);
        let at = facet.normal.dot(&(facet.corners[0] - line.start)) / rise;
        let [from, to] = line.range;
        let is_there = rise.abs() > self.round_off() && (from..=to).contains(&at);
        is_there.then_some(Crossing { at, normal: facet.normal, rise })
    }

    /// Returns whether a line passes through any triangle.
    pub(super) fn is_passed(&self, line: &Line) -> bool {
        self.has_crossing(line, |_| true)
    }

    /// Returns whether a line comes to the front of each triangle that it passes.
    pub(super) fn leads_to_front(&self, line: &Line) -> bool {
        !self.has_crossing(line, |crossing| crossing.rise < 0.0)
    }

    fn has_crossing(&self, line: &Line, is_sought: impl Fn(&Crossing) -> bool) -> bool {
        let mut is_found = false;
        self.mesh.each_triangle_in(&line.region(self.round_off()), |index| {
            is_found = is_found || self.crossing(line, index).as_ref().is_some_and(&is_sought);
        });
        is_found
    }

    /// Returns whether an axis is free of the surface after a push. All triangles are at least the `radius` away then. Those
    /// beside it need only be as far away as before, on the same side.
    pub(super) fn is_freed(&self, axis: &Line, push: &Vec3, radius: f64) -> bool {
        let pushed = self.line(axis.start + push, axis.direction, axis.range);
        let slack = self.round_off() + DISTANCE * (radius + axis.length);
        let mut is_free = true;
        self.mesh.each_triangle_in(&pushed.region(radius), |index| {
            if is_free && !self.is_beyond(&pushed, index, radius) {
                let after = self.arm(&pushed, index);
                let is_no_nearer = || {
                    let before = self.arm(axis, index);
                    let is_farther = after.norm() >= before.norm() - slack;
                    before.norm() >= BESIDE * radius && is_farther && before.dot(&after) > 0.0
                };
                is_free = after.norm() >= radius - slack || is_no_nearer();
            }
        });
        is_free
    }

    /// Returns whether the ball about a triangle is farther from a line than a distance. Most triangles in a box about a slanting line are.
    fn is_beyond(&self, line: &Line, index: u32, distance: f64) -> bool {
        let corners = self.mesh.triangle(index);
        let middle = corners.iter().sum::<Vec3>() / 3.0;
        let size = corners.iter().map(|corner| (corner - middle).norm_squared()).fold(0.0, f64::max).sqrt();
        let ([start, direction], [from, to]) = (line.local, line.range);
        let along = direction.dot(&(middle - start)) / direction.norm_squared();
        let apart = start + direction * along.clamp(from, to) - middle;
        apart.norm() > size + distance
    }

    /// Returns how far a line can be moved in a direction until it last touches a triangle, and the point of the line that does so.
    /// None if it does not come there, and for a triangle along the direction.
    pub(super) fn last_touch(&self, line: &Line, index: u32, direction: &Vec3) -> Option<(f64, Vec3)> {
        let Facet { corners, normal, .. } = self.facet(index);
        let slope = normal.dot(direction);
        if slope.abs() <= SIDEWAYS {
            return None;
        }
        // The part of the line that passes over the triangle.
        let [mut from, mut to] = line.range;
        for edge in 0..3 {
            let inwards = direction.cross(&(corners[(edge + 1) % 3] - corners[edge])) * slope.signum();
            let (start, rise) = (inwards.dot(&(line.start - corners[edge])), inwards.dot(&line.direction));
            let at = -start / rise;
            match rise.partial_cmp(&0.0)? {
                Ordering::Greater => from = from.max(at),
                Ordering::Less => to = to.min(at),
                Ordering::Equal if start < 0.0 => return None,
                Ordering::Equal => {}
            }
        }
        let touches = [from, to].map(|at| {
            let place = line.start + line.direction * at;
            (normal.dot(&(corners[0] - place)) / slope, place)
        });
        let [first, last] = touches;
        (from <= to).then_some(if first.0 < last.0 { last } else { first })
    }

    /// Returns the vector from a triangle to a line where they are closest, 0 if the line passes it [m].
    fn arm(&self, line: &Line, index: u32) -> Vec3 {
        if self.crossing(line, index).is_some() {
            return Vec3::zeros();
        }
        let facet = self.facet(index);
        let ends = line.range.map(|at| line.start + line.direction * at);
        let from_end = ends.map(|end| end - facet.closest_point(&end).0);
        let from_edge = [0, 1, 2].map(|at| {
            let [on_line, on_edge] = closest_points(&ends, &[facet.corners[at], facet.corners[(at + 1) % 3]]);
            on_line - on_edge
        });
        let shorter = |one: Vec3, other: Vec3| if other.norm_squared() < one.norm_squared() { other } else { one };
        from_end.into_iter().chain(from_edge).fold(Vec3::repeat(f64::INFINITY), shorter)
    }
}
