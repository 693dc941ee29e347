//! Where the points of a body are, if it is not a ball.

use crate::math::{Aabb, Pose, Vec3};
use crate::shape::Shape;
use crate::world::detect::filing::ROUND_OFF;

/// Where the points of a body are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    /// Within these bounds, which count half the contact margin.
    Bounds(Aabb),
    /// Up to `offset` along `normal`; both from the world's origin, without margin.
    Below { normal: Vec3, offset: f64 },
}

impl Extent {
    pub(super) fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::HalfSpace(half_space) => {
                let (normal, offset) = half_space.placed(pose);
                Self::Below { normal, offset }
            }
            shape => Self::Bounds(shape.bounds(pose).grown(0.5 * margin)),
        }
    }

    /// Whether all of `other` is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bounds(all), Self::Bounds(part)) => all.holds(part),
            (Self::Below { normal, offset }, Self::Below { normal: other, offset: up_to }) => {
                normal == other && up_to <= offset
            }
            _ => false,
        }
    }

    /// Whether a half-space comes within the margin of bounds that count half of it. True if in doubt.
    pub(super) fn reaches(&self, bounds: &Aabb, margin: f64) -> bool {
        let Self::Below { normal, offset } = self else { return true };
        let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
        let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * margin;
        let round_off = ROUND_OFF * reach + 1e-14 * (normal.abs().dot(&center.abs()) + offset.abs());
        normal.dot(&center) - reach - round_off <= *offset
    }
}
