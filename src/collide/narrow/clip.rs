//! A polygon, segment or point clipped against the side planes of a face.
//!
//! A corner within a tolerance of a side plane counts as on it and stays: so the corners of aligned boxes keep their
//! identity although round-off moves them in and out.

use super::contact::{Mixture, mixed};
use crate::error::{Result, reserve};
use crate::math::Vec3;

/// A corner of what is clipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// [m]
    pub(super) point: Vec3,
    /// Which corner it is, or of which two edges it is the crossing.
    pub(super) feature: u64,
    /// The edge to the next corner.
    pub(super) edge: u64,
}

/// The side plane of a face: outside where `outward . (x - origin) > 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    outward: Vec3,
    origin: Vec3,
    /// Behind which corner of the face.
    index: usize,
}

impl Side {
    /// Through a corner of a face, the one of this `index`, with this unit normal.
    #[inline]
    pub(super) fn new(outward: Vec3, origin: Vec3, index: usize) -> Self {
        Self { outward, origin, index }
    }

    /// Whether it is the same side of the same corner, its normal up to `tolerance` [-].
    #[cfg(test)]
    pub(super) fn is_nearly(&self, other: &Self, tolerance: f64) -> bool {
        (self.outward - other.outward).norm() <= tolerance && (self.origin, self.index) == (other.origin, other.index)
    }

    /// Which one it is.
    fn feature(&self) -> u64 {
        SIDE.with(&[self.index as u64])
    }

    #[inline]
    fn height(&self, point: &Vec3) -> f64 {
        self.outward.dot(&(point - self.origin))
    }

    /// Whether `point` is inside, on the plane, or outside by at most `tolerance` [m].
    #[inline]
    fn holds(&self, point: &Vec3, tolerance: f64) -> bool {
        self.height(point) <= tolerance
    }
}

/// The polygon that is being clipped, and the one that is being made of it.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipBuffers {
    pub(super) polygon: Vec<Corner>,
    pub(super) next: Vec<Corner>,
    /// The side planes it is clipped against.
    pub(super) sides: Vec<Side>,
}

const SIDE: Mixture = Mixture::of(&[3]);

/// The side plane behind corner `index` of a polygon, the `corners` of `places`, counterclockwise about `normal`; `None` of an
/// edge without length.
#[inline]
pub(super) fn side_of(places: &[Vec3], corners: &[u32], index: usize, normal: &Vec3) -> Option<Side> {
    let next = if index + 1 < corners.len() { index + 1 } else { 0 };
    let (origin, end) = (places[corners[index] as usize], places[corners[next] as usize]);
    let outward = (end - origin).cross(normal).try_normalize(0.0)?;
    Some(Side { outward, origin, index })
}

/// Whether `point`, projected along the normal of a polygon with these sides, lies in it, or within `tolerance` [m] of it.
#[inline]
pub(super) fn covers(mut sides: impl Iterator<Item = Side>, point: &Vec3, tolerance: f64) -> bool {
    sides.all(|side| side.holds(point, tolerance))
}

/// Clips `buffers.polygon` (three corners or more are closed, two are a segment) against the side planes of a polygon, which
/// stay in `buffers.sides`.
pub(super) fn clip(buffers: &mut ClipBuffers, against: impl Iterator<Item = Side>, tolerance: f64) -> Result<()> {
    let ClipBuffers { polygon, next, sides } = buffers;
    let closed = polygon.len() > 2;
    sides.clear();
    for side in against {
        reserve(sides, 1, "sides of a face")?;
        sides.push(side);
    }
    for side in sides {
        if !polygon.iter().all(|corner| side.holds(&corner.point, tolerance)) {
            cut(polygon, next, side, closed, tolerance)?;
            std::mem::swap(polygon, next);
        }
    }
    Ok(())
}

/// What of a polygon is not outside of a side plane.
fn cut(polygon: &[Corner], left: &mut Vec<Corner>, side: &Side, closed: bool, tolerance: f64) -> Result<()> {
    left.clear();
    let feature = side.feature();
    // Each corner leaves itself and a crossing at most.
    reserve(left, 2 * polygon.len(), "corners of a clipped face")?;
    let mut there = polygon.first().map_or(0.0, |first| side.height(&first.point));
    for (index, corner) in polygon.iter().enumerate() {
        let follower = polygon.get(index + 1).or(if closed { polygon.first() } else { None });
        let here = there;
        there = follower.map_or(0.0, |follower| side.height(&follower.point));
        let leaves = there > tolerance;
        if here <= tolerance {
            // Where the next corner is outside, the polygon goes on along the side.
            let edge = if leaves && here >= -tolerance { feature } else { corner.edge };
            left.push(Corner { edge, ..*corner });
        }
        let crosses = here < -tolerance && leaves || here > tolerance && there < -tolerance;
        if let (true, Some(follower)) = (crosses, follower) {
            let point = corner.point + (follower.point - corner.point) * (here / (here - there));
            let feature = mixed(&[corner.edge.min(feature), corner.edge.max(feature)]);
            left.push(Corner { point, feature, edge: if leaves { feature } else { corner.edge } });
        }
    }
    Ok(())
}
