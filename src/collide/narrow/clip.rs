//! A polygon, segment or point clipped against the side planes of a face.
//!
//! A corner within a tolerance of a side plane counts as on it and stays: so the corners of aligned boxes keep their
//! identity although round-off moves them in and out.

use super::contact::mixed;
use super::workspace::ClipBuffers;
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
struct Side {
    outward: Vec3,
    origin: Vec3,
    feature: u64,
}

impl Side {
    fn height(&self, point: &Vec3) -> f64 {
        self.outward.dot(&(point - self.origin))
    }
}

/// Calls `visit` with the side planes of a polygon, counterclockwise about `normal`, until it answers false.
fn for_each_side(
    polygon: impl Iterator<Item = Vec3> + Clone,
    normal: &Vec3,
    mut visit: impl FnMut(Side) -> Result<bool>,
) -> Result<()> {
    let ends = polygon.clone().skip(1).chain(polygon.clone().take(1));
    for (index, (origin, end)) in polygon.zip(ends).enumerate() {
        if let Some(outward) = (end - origin).cross(normal).try_normalize(0.0)
            && !visit(Side { outward, origin, feature: mixed(&[SIDE, index as u64]) })?
        {
            break;
        }
    }
    Ok(())
}

const SIDE: u64 = 3;

/// Whether `point`, projected along `normal`, lies in the polygon, or within `tolerance` [m] of it.
pub(super) fn covers(polygon: impl Iterator<Item = Vec3> + Clone, normal: &Vec3, point: &Vec3, tolerance: f64) -> bool {
    let mut inside = true;
    let visited = for_each_side(polygon, normal, |side| {
        inside = side.height(point) <= tolerance;
        Ok(inside)
    });
    inside && visited.is_ok()
}

/// Clips `buffers.polygon` (three corners or more are closed, two are a segment) against the side planes of a polygon.
pub(super) fn clip(
    buffers: &mut ClipBuffers,
    polygon: impl Iterator<Item = Vec3> + Clone,
    normal: &Vec3,
    tolerance: f64,
) -> Result<()> {
    let closed = buffers.polygon.len() > 2;
    for_each_side(polygon, normal, |side| {
        clip_side(buffers, &side, closed, tolerance)?;
        Ok(!buffers.polygon.is_empty())
    })
}

fn clip_side(buffers: &mut ClipBuffers, side: &Side, closed: bool, tolerance: f64) -> Result<()> {
    let ClipBuffers { polygon, next } = buffers;
    next.clear();
    // Each corner leaves itself and a crossing at most.
    reserve(next, 2 * polygon.len(), "corners of a clipped face")?;
    for (index, corner) in polygon.iter().enumerate() {
        let follower = polygon.get(index + 1).or(if closed { polygon.first() } else { None });
        let here = side.height(&corner.point);
        let there = follower.map_or(0.0, |follower| side.height(&follower.point));
        let leaves = there > tolerance;
        if here <= tolerance {
            // Where the next corner is outside, the polygon goes on along the side.
            next.push(if leaves && here >= -tolerance { Corner { edge: side.feature, ..*corner } } else { *corner });
        }
        let crosses = here < -tolerance && leaves || here > tolerance && there < -tolerance;
        if let (true, Some(follower)) = (crosses, follower) {
            let point = corner.point + (follower.point - corner.point) * (here / (here - there));
            let feature = mixed(&[corner.edge.min(side.feature), corner.edge.max(side.feature)]);
            next.push(Corner { point, feature, edge: if leaves { side.feature } else { corner.edge } });
        }
    }
    std::mem::swap(polygon, next);
    Ok(())
}
