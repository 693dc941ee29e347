//! The space that a body occupies, if it is not a sphere.

use crate::math::{Aabb, Pose, Vec3};
use crate::shape::Shape;

/// The largest relative round-off of a difference of positions [-].
pub(super) const ROUND_OFF: f64 = 1e-9;

/// The space that a body occupies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    /// These bounds, grown by half the contact margin.
    Bounds(Aabb),
    /// All points whose coordinate along `normal` is at most `offset`, measured from the world's origin, without margin.
    Below { normal: Vec3, offset: f64 },
}

impl Extent {
    /// Returns the space that `shape` occupies at `pose`.
    pub(super) fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::HalfSpace(half_space) => {
                let (normal, offset) = half_space.placed(pose);
                Self::Below { normal, offset }
            }
            shape => Self::Bounds(shape.bounds(pose).grown(0.5 * margin)),
        }
    }

    /// Returns whether all of `other` is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bounds(all), Self::Bounds(part)) => all.holds(part),
            (Self::Below { normal, offset }, Self::Below { normal: other, offset: up_to }) => {
                normal == other && up_to <= offset
            }
            _ => false,
        }
    }

    /// Returns whether a half-space comes within the margin of bounds that are grown by half of it. True within round-off.
    pub(super) fn reaches(&self, bounds: &Aabb, margin: f64) -> bool {
        let Self::Below { normal, offset } = self else { return true };
        let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
        let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * margin;
        let round_off = ROUND_OFF * reach + 1e-14 * (normal.abs().dot(&center.abs()) + offset.abs());
        normal.dot(&center) - reach - round_off <= *offset
    }
}
