//! The edges of a box.

use crate::math::Vec3;

/// The edges of a box.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bars {
    /// Their directions.
    pub(super) axes: [Vec3; 3],
    /// Half of their lengths [m].
    pub(super) lengths: Vec3,
    /// The products of the two [m].
    pub(super) half: [Vec3; 3],
}

impl Bars {
    pub(super) fn new(axes: [Vec3; 3], lengths: &Vec3) -> Self {
        Self { axes, lengths: *lengths, half: [axes[0] * lengths.x, axes[1] * lengths.y, axes[2] * lengths.z] }
    }

    /// The corners, by their numbers, of the box about `center`.
    #[inline]
    pub(super) fn corners(&self, center: &Vec3) -> [Vec3; 8] {
        let [x, y, z] = self.half;
        let [p, q, r, s] = [-x - y, x - y, y - x, x + y];
        [p - z, q - z, r - z, s - z, p + z, q + z, r + z, s + z].map(|arm| center + arm)
    }

    /// The numbers of the corners that are farthest against and along a direction, the first of those equally far.
    #[inline]
    pub(super) fn corners_along(&self, direction: &Vec3) -> [usize; 2] {
        let along = self.half.map(|half| half.dot(direction));
        let number = |bits: [bool; 3]| usize::from(bits[0]) | usize::from(bits[1]) << 1 | usize::from(bits[2]) << 2;
        [number(along.map(|along| along < 0.0)), number(along.map(|along| along > 0.0))]
    }
}
