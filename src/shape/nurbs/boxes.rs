//! Boxes in the plane, and a binary tree of them over the pieces of a curve, in the order of the pieces.

use crate::error::{Result, resize};
use crate::math::Vec2;

/// Nodes that a walk can have before it: one for each level of the tree.
const DEEPEST: usize = 32;

/// A box along the axes of the plane; an empty one has its lower corner above its upper one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Box2 {
    /// [m]
    pub lower: Vec2,
    /// [m]
    pub upper: Vec2,
}

impl Box2 {
    /// The box without a point.
    pub(crate) const EMPTY: Self =
        Self { lower: Vec2::new(f64::INFINITY, f64::INFINITY), upper: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY) };

    /// Returns the smallest box that has all points.
    pub(crate) fn around(points: impl IntoIterator<Item = Vec2>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |all, point| Self { lower: all.lower.inf(&point), upper: all.upper.sup(&point) })
    }

    fn joined(&self, other: &Self) -> Self {
        Self { lower: self.lower.inf(&other.lower), upper: self.upper.sup(&other.upper) }
    }

    /// Whether the boxes have a point in common, when one is grown by `margin` [m].
    #[inline]
    pub(crate) fn meets(&self, other: &Self, margin: f64) -> bool {
        let meet = |axis: usize| {
            (self.lower[axis] - margin <= other.upper[axis]) & (other.lower[axis] - margin <= self.upper[axis])
        };
        meet(0) & meet(1)
    }

    /// Returns the square of the distance to a point, 0 inside; infinite for the empty box [m^2].
    #[inline]
    pub(crate) fn squared_distance(&self, point: &Vec2) -> f64 {
        (self.lower - point).sup(&(point - self.upper)).sup(&Vec2::zeros()).norm_squared()
    }

    /// Returns the middle [m].
    #[inline]
    pub(crate) fn center(&self) -> Vec2 {
        0.5 * self.lower + 0.5 * self.upper
    }

    /// Returns half the extents [m].
    #[inline]
    pub(crate) fn half(&self) -> Vec2 {
        0.5 * self.upper - 0.5 * self.lower
    }
}

/// A tree of boxes: node `k` has the children `2 k` and `2 k + 1`, node 1 is the root, and the leaves stand last.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoxTree {
    nodes: Vec<Box2>,
    leaves: usize,
}

impl BoxTree {
    /// Makes this the tree over `count` boxes.
    pub(crate) fn fill(&mut self, count: usize, leaf: impl Fn(usize) -> Box2) -> Result<()> {
        self.leaves = count.next_power_of_two().max(1);
        self.nodes.clear();
        resize(&mut self.nodes, 2 * self.leaves, Box2::EMPTY, "boxes of a curve")?;
        for (index, node) in self.nodes[self.leaves..].iter_mut().take(count).enumerate() {
            *node = leaf(index);
        }
        for node in (1..self.leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].joined(&self.nodes[2 * node + 1]);
        }
        Ok(())
    }

    /// Returns the box around everything.
    #[inline]
    pub(crate) fn whole(&self) -> &Box2 {
        self.nodes.get(1).unwrap_or(&Box2::EMPTY)
    }

    /// Returns the number of leaves, a power of two; those behind the last box are empty.
    pub(crate) fn leaves(&self) -> usize {
        self.leaves
    }

    /// Returns the box of a node.
    pub(crate) fn node(&self, node: usize) -> &Box2 {
        self.nodes.get(node).unwrap_or(&Box2::EMPTY)
    }

    /// Calls `leaf` with the index of each box of which `enters` holds, and of all boxes around it, in rising order.
    #[inline]
    pub(crate) fn walk(&self, enters: impl Fn(&Box2) -> bool, mut leaf: impl FnMut(usize)) {
        let mut ahead = [1usize; DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = ahead[count];
            if !enters(self.node(node)) {
                continue;
            }
            if node >= self.leaves {
                leaf(node - self.leaves);
            } else {
                (ahead[count], ahead[count + 1]) = (2 * node + 1, 2 * node);
                count += 2;
            }
        }
    }

    /// Whether `enters` holds of a box, and of all boxes around it.
    #[inline]
    pub(crate) fn has_any(&self, enters: impl Fn(&Box2) -> bool) -> bool {
        let mut ahead = [1usize; DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = ahead[count];
            if !enters(self.node(node)) {
                continue;
            }
            if node >= self.leaves {
                return true;
            }
            (ahead[count], ahead[count + 1]) = (2 * node + 1, 2 * node);
            count += 2;
        }
        false
    }

    /// Calls `leaf` with the index of a box and the present limit [m^2], the boxes nearer to `point` first. The result
    /// of `leaf` is the next limit, which at first is `limit`. Boxes are skipped if the square of their distance is
    /// above the limit.
    #[inline]
    pub(crate) fn nearest(&self, point: &Vec2, mut limit: f64, mut leaf: impl FnMut(usize, f64) -> f64) {
        let mut ahead = [(1usize, 0.0); DEEPEST];
        let mut count = 1;
        ahead[0].1 = self.whole().squared_distance(point);
        while count > 0 {
            count -= 1;
            let (node, distance) = ahead[count];
            // Padding is infinitely far. So are all boxes if squares overflow; then none is a leaf.
            if distance > limit || distance == f64::INFINITY {
                continue;
            }
            if node >= self.leaves {
                limit = leaf(node - self.leaves, limit);
                continue;
            }
            let children = [2 * node, 2 * node + 1].map(|child| (child, self.node(child).squared_distance(point)));
            let nearer = usize::from(children[1].1 < children[0].1);
            (ahead[count], ahead[count + 1]) = (children[1 - nearer], children[nearer]);
            count += 2;
        }
    }
}
