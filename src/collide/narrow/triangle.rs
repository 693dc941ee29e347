//! One triangle of a mesh: the point of it closest to another, and whether a normal belongs to it or to a neighbour.

use crate::math::{Pose, Vec3};
use crate::shape::Mesh;

/// How far, as a slope, a neighbour may rise above the contact plane and still count as in it [-].
const RISE: f64 = 1e-6;
/// Cosine above which two triangles lie in one plane [-].
const COPLANAR: f64 = 1.0 - 1e-12;

/// A triangle in the axes of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet<'a> {
    mesh: &'a Mesh,
    /// From body axes to world axes.
    pose: &'a Pose,
    /// Of the mesh, from where the pair's axes start [m].
    offset: Vec3,
    /// Its number in the mesh.
    pub(super) index: u32,
    /// [m]
    pub(super) corners: [Vec3; 3],
    /// Of unit length; the opposite is its other side's.
    pub(super) normal: Vec3,
}

/// Whether a contact along some normal is this triangle's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is: the neighbours lie below the contact plane.
    Own,
    /// A neighbour in the same plane rises above it: an inner edge of a flat part.
    OfFlatNeighbour,
    /// A neighbour in another plane rises above it.
    OfNeighbour,
}

impl<'a> Facet<'a> {
    /// Triangle `index` of a mesh at `pose`, its places counted from `origin`.
    pub(super) fn new(mesh: &'a Mesh, pose: &'a Pose, origin: &Vec3, index: u32) -> Self {
        let offset = pose.origin - origin;
        let corners = mesh.triangle(index).map(|corner| offset + pose.matrix * corner);
        Self { mesh, pose, offset, index, corners, normal: unit_normal(&corners) }
    }

    /// Who owns a contact with this unit `normal`, out of the triangle, at the corners `touching` that are farthest in
    /// its direction.
    pub(super) fn claim(&self, normal: &Vec3, touching: [bool; 3]) -> Claim {
        let places = self.mesh.places(self.index);
        let Some(first) = touching.iter().position(|contact_list| *contact_list) else { return Claim::Own };
        if touching == [true; 3] {
            return Claim::Own;
        }
        let origin = self.corners[first];
        let mut claim = Claim::Own;
        for neighbour in self.mesh.triangles_at(places[first]).iter().filter(|index| **index != self.index) {
            let shared = self.mesh.places(*neighbour);
            let shares_all =
                places.iter().zip(touching).all(|(place, contact_list)| !contact_list || shared.contains(place));
            let corners = self.mesh.triangle(*neighbour).map(|corner| self.offset + self.pose.matrix * corner);
            let rises = corners.iter().any(|corner| {
                let arm = corner - origin;
                normal.dot(&arm) > RISE * arm.norm()
            });
            if shares_all && rises {
                if unit_normal(&corners).dot(&self.normal).abs() < COPLANAR {
                    return Claim::OfNeighbour;
                }
                claim = Claim::OfFlatNeighbour;
            }
        }
        claim
    }

    /// The corners that are farthest in a direction, those within a small slope together.
    pub(super) fn touching(&self, direction: &Vec3) -> [bool; 3] {
        let reach = self.corners.map(|corner| direction.dot(&corner));
        let farthest = reach.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let size = (self.corners[1] - self.corners[0]).norm().max((self.corners[2] - self.corners[0]).norm());
        reach.map(|reach| reach >= farthest - RISE * size)
    }

    /// The point of the triangle closest to `point`, and the corners of the part it lies on
    /// (Ericson, Real-Time Collision Detection, 5.1.5).
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
