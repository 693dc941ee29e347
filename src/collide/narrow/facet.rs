//! A triangle of a mesh near a shape: which contacts are its own, and which those of its neighbours.

use super::axis::Axis;
use super::contact::ContactPoint;
use crate::math::{Pose, Vec3};
use crate::shape::Mesh;

/// The cosine above which a normal at an edge counts as that of the face: 1.4e-6 rad [-].
pub(super) const FACE_ON: f64 = 1.0 - 1e-12;
/// The largest slope to the contact plane at which a neighbour counts as lying in it [-].
const RISE: f64 = 1e-6;
/// Cosine above which two triangles lie in one plane [-].
const COPLANAR: f64 = 1.0 - 1e-12;

/// A triangle of a mesh, in the axes of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet<'a> {
    mesh: &'a Mesh,
    /// From body axes to world axes.
    pose: &'a Pose,
    /// The origin of the pair's axes, world axes [m].
    pub(super) origin: Vec3,
    /// The position of the mesh relative to that origin [m].
    offset: Vec3,
    /// The index of the triangle in the mesh.
    pub(super) index: u32,
    /// [m]
    pub(super) corners: [Vec3; 3],
    /// The unit normal of one side; the other side has the opposite one.
    pub(super) normal: Vec3,
}

/// The triangle that owns a contact along some normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContactOwner {
    /// This triangle: its neighbours lie below the contact plane.
    This,
    /// A neighbour in the same plane, which rises above the contact plane: this is an inner edge of a flat part.
    FlatNeighbour,
    /// A neighbour in another plane, which rises above the contact plane.
    Neighbour,
}

impl<'a> Facet<'a> {
    /// Returns triangle `index` of a mesh at `pose`, with positions relative to `origin`.
    pub(super) fn new(mesh: &'a Mesh, pose: &'a Pose, origin: &Vec3, index: u32) -> Self {
        let offset = pose.origin - origin;
        let corners = mesh.triangle(index).map(|corner| offset + pose.matrix * corner);
        Self { mesh, pose, origin: *origin, offset, index, corners, normal: unit_normal(&corners) }
    }

    /// Returns the triangle that owns a contact with this unit `normal`, which points out of this triangle. `touching`
    /// are the corners that are farthest in its direction.
    pub(super) fn owner(&self, normal: &Vec3, touching: [bool; 3]) -> ContactOwner {
        let mut owner = ContactOwner::This;
        for (_, corners) in self.rising(normal, touching) {
            if unit_normal(&corners).dot(&self.normal).abs() < COPLANAR {
                return ContactOwner::Neighbour;
            }
            owner = ContactOwner::FlatNeighbour;
        }
        owner
    }

    /// Returns the neighbours at the `touching` corners that rise above the plane through them with this unit `normal`,
    /// and their corners. There is none if all three corners touch.
    pub(super) fn rising(&self, normal: &Vec3, touching: [bool; 3]) -> impl Iterator<Item = (u32, [Vec3; 3])> {
        let places = self.mesh.places(self.index);
        let first = touching.iter().position(|is_touching| *is_touching).filter(|_| touching != [true; 3]);
        let around = first.map_or(&[][..], |first| self.mesh.triangles_at(places[first]));
        let (origin, normal) = (self.corners[first.unwrap_or(0)], *normal);
        around.iter().copied().filter(|index| *index != self.index).filter_map(move |neighbour| {
            let shared = self.mesh.places(neighbour);
            let shares_all =
                places.iter().zip(touching).all(|(place, is_touching)| !is_touching || shared.contains(place));
            let corners = self.mesh.triangle(neighbour).map(|corner| self.offset + self.pose.matrix * corner);
            let rises = corners.iter().any(|corner| {
                let arm = corner - origin;
                normal.dot(&arm) > RISE * arm.norm()
            });
            (shares_all && rises).then_some((neighbour, corners))
        })
    }

    /// Returns whether each corner is among those farthest in a direction. Corners with a small slope between them
    /// count as equally far.
    pub(super) fn touching(&self, direction: &Vec3) -> [bool; 3] {
        let reach = self.corners.map(|corner| direction.dot(&corner));
        let farthest = reach.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let size = (self.corners[1] - self.corners[0]).norm().max((self.corners[2] - self.corners[0]).norm());
        reach.map(|reach| reach >= farthest - RISE * size)
    }

    /// Returns whether this triangle owns the contact points along its normal. If all of them lie on one edge, it does
    /// so only if the neighbour at that edge does not rise. A box that slides off a closed surface can therefore move
    /// down along its side.
    pub(super) fn owns_points(&self, axis: &Axis, points: &[ContactPoint], slack: f64) -> bool {
        if points.is_empty() || axis.normal.dot(&self.normal).abs() < FACE_ON {
            return true;
        }
        self.edges_of(points, slack).all(|ends| self.owner(&axis.normal, ends) == ContactOwner::This)
    }

    /// Returns whether a point lies between the ends of an edge at which the neighbour is closer along the unit `normal`.
    pub(super) fn is_at_inner_edge(&self, normal: &Vec3, point: &ContactPoint, slack: f64) -> bool {
        let mut edges = self.edges_of(std::slice::from_ref(point), slack);
        let (Some(ends), None) = (edges.next(), edges.next()) else { return false };
        let mut corners = self.corners.iter().zip(ends).filter(|(_, is_end)| *is_end).map(|(corner, _)| corner);
        let (Some(start), Some(end)) = (corners.next(), corners.next()) else { return false };
        let along = end - start;
        // Across the edge: how far it rises itself says nothing about its neighbours.
        let across = normal - along * (normal.dot(&along) / along.norm_squared());
        self.rising(&across, ends).next().is_some()
    }

    /// Returns the edges on which all points lie, each by the corners at its ends.
    pub(super) fn edges_of(&self, points: &[ContactPoint], slack: f64) -> impl Iterator<Item = [bool; 3]> {
        let on_line = |from: usize| {
            let (start, end) = (self.corners[from], self.corners[(from + 1) % 3]);
            let along = end - start;
            let distance = |point: &ContactPoint| {
                let on_own = point.point - self.origin - point.normal * (0.5 * point.gap);
                (on_own - start).cross(&along).norm()
            };
            points.iter().all(|point| distance(point) <= slack.max(RISE * along.norm()) * along.norm())
        };
        let is_on = [on_line(0), on_line(1), on_line(2)];
        (0..3).filter(move |from| is_on[*from]).map(|from| {
            let mut ends = [true; 3];
            ends[(from + 2) % 3] = false;
            ends
        })
    }

    /// Returns the point of the triangle that is closest to `point` (Ericson, Real-Time Collision Detection, 5.1.5).
    /// Also returns the corners of the vertex, edge or face on which it lies.
    pub(super) fn closest_point(&self, point: &Vec3) -> (Vec3, [bool; 3]) {
        let [a, b, c] = self.corners;
        let (ab, ac, ap, bp, cp) = (b - a, c - a, point - a, point - b, point - c);
        let (d1, d2, d3, d4) = (ab.dot(&ap), ac.dot(&ap), ab.dot(&bp), ac.dot(&bp));
        let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, [true, false, false]);
        }
        if d3 >= 0.0 && d4 <= d3 {
            return (b, [false, true, false]);
        }
        if d6 >= 0.0 && d5 <= d6 {
            return (c, [false, false, true]);
        }
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (a + ab * (d1 / (d1 - d3)), [true, true, false]);
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (a + ac * (d2 / (d2 - d6)), [true, false, true]);
        }
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), [false, true, true]);
        }
        (point - self.normal * self.normal.dot(&ap), [true; 3])
    }
}

fn unit_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::z)
}
