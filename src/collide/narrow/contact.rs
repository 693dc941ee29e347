//! Input and output of the narrow phase: a shape at a pose, and a contact point.

use crate::collide::filter::Ball;
use crate::math::{Pose, Vec3};
use crate::shape::Shape;

/// The feature of the only contact point of a pair.
pub(super) const ONLY: u64 = 1;
/// The parts of two shapes that are not clumps.
pub(super) const NO_PARTS: [u32; 2] = [0; 2];
/// The name of this memory in errors.
pub(super) const POINTS: &str = "points of one pair";

/// One contact point between an ordered pair of shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// World axes, midway between the two surfaces [m].
    pub point: Vec3,
    /// Of unit length, world axes, from a to b.
    pub normal: Vec3,
    /// Along the normal, positive apart, negative overlapping [m].
    pub gap: f64,
    /// Identifies the contact within its pair from step to step. 0: the contact is identified by its position alone.
    pub feature: u64,
    /// The indices of the parts of a and b that touch; 0 for shapes other than clumps.
    pub parts: [u32; 2],
}

/// A shape at a pose.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape, in its own axes.
    pub shape: &'a Shape,
    /// The position of its origin, and its rotation.
    pub pose: &'a Pose,
}

impl ContactPoint {
    /// Returns the same contact with a and b exchanged.
    pub(super) fn flipped(self) -> Self {
        let [a, b] = self.parts;
        Self { normal: -self.normal, parts: [b, a], ..self }
    }

    /// Returns the contact of a ball, a, with a surface, b, if the gap is at most `margin` [m]. `distance` is the
    /// signed distance of the ball's centre from the surface [m]. `outward` is the unit normal of the surface, out of
    /// b.
    #[inline]
    pub(super) fn of_ball(ball: &Ball, distance: f64, outward: &Vec3, margin: f64) -> Option<Self> {
        let gap = distance - ball.radius;
        let point = ball.center - outward * (ball.radius + 0.5 * gap);
        (gap <= margin).then_some(Self { point, normal: -outward, gap, feature: ONLY, parts: NO_PARTS })
    }
}

/// Returns the least of the gaps [m].
pub(super) fn deepest(points: &[ContactPoint]) -> f64 {
    points.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min)
}

/// Returns the identity of a feature that is made of parts: one hash of them all. It is never 0.
///
/// It is a multiply-xorshift hash. Two of the few dozen features of a pair get the same one with a probability of about 1e-17.
#[inline]
pub(super) fn mixed(parts: &[u64]) -> u64 {
    Mixture::of(parts).with(&[])
}

/// The hash of the first parts of an identity, computed once for many features.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mixture(u64);

impl Mixture {
    /// Returns the hash of these first parts.
    #[inline]
    pub(super) const fn of(parts: &[u64]) -> Self {
        Self(0x9e37_79b9_7f4a_7c15).and(parts)
    }

    /// Returns the hash with more parts after the first ones.
    #[inline]
    const fn and(self, parts: &[u64]) -> Self {
        match parts {
            [part, rest @ ..] => Self(mix(self.0, *part)).and(rest),
            [] => self,
        }
    }

    /// Returns the identity with these parts after the first ones.
    #[inline]
    pub(super) fn with(self, parts: &[u64]) -> u64 {
        self.and(parts).0.max(1)
    }
}

#[inline]
const fn mix(hash: u64, part: u64) -> u64 {
    let word = (hash ^ part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 32)
}
