//! An end of a capsule's axis behind a triangle of a mesh.

use super::contact::{ContactPoint, NO_PARTS, mixed};
use super::crossing::{Crossing, Surface};
use crate::math::Vec3;

/// The first part of the names of contacts that belong to no triangle.
const PUSHED: u64 = u64::MAX;
/// The cosine of the angle between two normals of about one direction [-].
const ALIKE: f64 = 0.5;

#[derive(Debug, Clone, Copy)]
pub(super) struct HiddenEnd {
    /// Of the axis [m].
    pub(super) place: Vec3,
    /// Where the axis is cut, so that the rest is in front of the triangle [m].
    pub(super) cut: Vec3,
    /// The unit normal of the triangle to the side of the middle.
    pub(super) normal: Vec3,
    /// How far the end is behind the triangle along that normal, without the radius [m].
    pub(super) overlap: f64,
    /// Whether the end is in front of that triangle by its winding, and the middle behind.
    pub(super) is_in_front: bool,
}

impl HiddenEnd {
    /// Returns the end of one half of an axis, if a triangle hides it: that of t = `sign`, if the middle is at 0. `half` leads from
    /// the middle to that end [m], and `slack` is the round-off of a distance [m].
    pub(super) fn find(crossings: &[Crossing], (half, sign): (Vec3, f64), radius: f64, slack: f64) -> Option<Self> {
        let first = first_passed(crossings, sign, slack, half.norm())?;
        let slope = first.rise.abs();
        // The part in front is at least the radius away.
        let cut = half * (first.at - radius / slope).max(0.0);
        let normal = -first.normal * first.rise.signum();
        let overlap = slope * (1.0 - first.at);
        Some(Self { place: half, cut, normal, overlap, is_in_front: first.rise > 0.0 })
    }

    /// Returns the same end, at most as deep as the nearest triangle of about its direction is far. Among many small triangles, as
    /// those of leaves, the plane of the first one that the axis passes says little about the place where the end is.
    pub(super) fn no_deeper_than_nearest(self, surface: &Surface, triangles: &[u32]) -> Self {
        let facets = triangles.iter().map(|index| surface.facet(*index));
        let alike = facets.filter(|facet| facet.normal.dot(&self.normal).abs() >= ALIKE);
        let distances = alike.map(|facet| (facet.closest_point(&self.place).0 - self.place).norm());
        Self { overlap: distances.fold(self.overlap, f64::min), ..self }
    }

    /// Returns the contact that brings the end out. `number` is that of the end.
    pub(super) fn contact(&self, radius: f64, origin: &Vec3, number: u64) -> ContactPoint {
        push_contact(&self.place, &(self.normal * (self.overlap + radius)), number, radius, origin)
    }
}

/// Returns the contact that brings a point of the axis out by a push, which is not 0 [m]. No other contact of the pair has the same
/// `number`.
pub(super) fn push_contact(place: &Vec3, push: &Vec3, number: u64, radius: f64, origin: &Vec3) -> ContactPoint {
    let depth = push.norm();
    let normal = push / depth;
    let point = origin + place - normal * (radius - 0.5 * depth);
    ContactPoint { point, normal, gap: -depth, feature: mixed(&[PUSHED, number]), parts: NO_PARTS }
}

/// Returns the first crossing at which the half of an axis in the direction of `sign` comes to the other side of the surface. Its t
/// and rise are those from the middle outwards. A line that touches a sharp edge from outside passes both triangles there, and
/// stays on its side. `slack` is the round-off [m], `length` that of the half [m].
fn first_passed(crossings: &[Crossing], sign: f64, slack: f64, length: f64) -> Option<Crossing> {
    let only_touches = |one: &Crossing| {
        let here = || crossings.iter().filter(|other| (one.at - other.at).abs() * length <= slack);
        let stays = || here().map(|other| other.rise.signum()).sum::<f64>() == 0.0;
        here().any(|other| other.is_return_from(one) && !other.is_parallel_to(one)) && stays()
    };
    let outwards = || {
        crossings.iter().filter(|one| !only_touches(one)).filter_map(|one| {
            let (at, rise) = (sign * one.at, sign * one.rise);
            // A middle on the surface counts as in front of it.
            let goes_behind = if (at * rise).abs() <= slack { rise < 0.0 } else { at > 0.0 };
            goes_behind.then_some(Crossing { at: at.max(0.0), rise, ..*one })
        })
    };
    let first = outwards().map(|one| one.at).min_by(f64::total_cmp)?;
    // Of the triangles at an edge or a corner the steepest one, however they are numbered.
    let is_first = |one: &Crossing| (one.at - first) * length <= slack;
    outwards().filter(is_first).max_by(|one, other| one.rise.abs().total_cmp(&other.rise.abs()))
}
