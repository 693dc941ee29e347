//! A bounding volume hierarchy of boxes.

use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};

use crate::error::Result;
use crate::math::{Aabb, Vec3};
use crate::shape::checks::probe_memory;

/// An upper bound of the memory for each box while the hierarchy is built [bytes].
const BYTES_PER_BOX: usize = 512;

/// Finds the boxes that meet a region.
#[derive(Debug, Clone)]
pub(super) struct Hierarchy {
    boxes: Bvh,
    count: u32,
}

impl Hierarchy {
    /// Returns the hierarchy of `count` boxes, each given by its number. The message where there is no memory says `what` they are.
    pub(super) fn new(count: usize, of: impl Fn(u32) -> Aabb, what: &str) -> Result<Self> {
        probe_memory(count, BYTES_PER_BOX, what)?;
        let boxes = (0..count).map(|number| (number, bounds(&of(number as u32))));
        Ok(Self { boxes: Bvh::from_iter(BvhBuildStrategy::Binned, boxes), count: count as u32 })
    }

    /// Returns the numbers of the boxes that meet `region`, in no order.
    pub(super) fn meeting(&self, region: &Aabb) -> impl Iterator<Item = u32> + '_ {
        let region = BvhNode::leaf(bounds(region), 0);
        // The hierarchy is padded, so it may list boxes that do not exist.
        self.boxes.leaves(move |node| node.intersects(&region)).filter(|number| *number < self.count)
    }

    /// Returns the numbers of the boxes that come within `reach` [m], along the axes, of the line between two points, in no order.
    pub(super) fn along(&self, [from, to]: [Vec3; 2], reach: f64) -> impl Iterator<Item = u32> + '_ {
        let arm = to - from;
        let is_near = move |node: &BvhNode| {
            let (lower, upper) = (node.mins(), node.maxs());
            // The part of the line that is between two planes, as fractions of it, for one axis after the other.
            let (mut start, mut end) = (0.0_f64, 1.0_f64);
            for axis in 0..3 {
                let [low, high] = [lower[axis] - reach - from[axis], upper[axis] + reach - from[axis]];
                if arm[axis] == 0.0 {
                    if low > 0.0 || high < 0.0 {
                        return false;
                    }
                    continue;
                }
                let [one, other] = [low / arm[axis], high / arm[axis]];
                (start, end) = (start.max(one.min(other)), end.min(one.max(other)));
            }
            start <= end
        };
        self.boxes.leaves(is_near).filter(|number| *number < self.count)
    }
}

fn bounds(region: &Aabb) -> Bounds {
    let vector = |v: &Vec3| Vector::new(v.x, v.y, v.z);
    Bounds::new(vector(&region.lower), vector(&region.upper))
}
