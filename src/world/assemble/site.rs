//! What the contacts of a body ask of it.

use crate::body::Motion;
use crate::collide::Ball;
use crate::math::Vec3;

/// What the contacts of a body ask of it besides its velocity: a line of a cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Site {
    /// Where its shape is, and how large.
    pub(super) ball: Ball,
    /// Slot of its material.
    pub(super) material: u32,
    /// Distance from the origin plus size, to which the round-off of gaps is in proportion [m].
    pub(super) reach: f64,
    /// No point of it is faster at the start of the substep [m/s].
    pub(super) pace: f64,
}

impl Site {
    /// Before it is written.
    pub(super) const NOWHERE: Self =
        Self { ball: Ball { center: Vec3::new(0.0, 0.0, 0.0), radius: 0.0 }, material: 0, reach: 0.0, pace: 0.0 };

    /// Makes it that of a body that takes no part. In place: a copy of the whole would wait for what was written just before.
    #[inline(always)]
    pub(super) fn place(&mut self, ball: &Ball, material: u32) {
        (self.ball.center, self.ball.radius) = (ball.center, ball.radius);
        (self.material, self.reach, self.pace) = (material, ball.center.norm() + size_of(ball), 0.0);
    }

    /// Makes it that of a body that moves so, whose shape has the centre of mass `center` in body axes, and whose contacts are at most
    /// `margin` away [m].
    #[inline(always)]
    pub(super) fn place_moving(
        &mut self,
        (ball, material): (&Ball, u32),
        (motion, center): (&Motion, &Vec3),
        margin: f64,
    ) {
        self.place(ball, material);
        // from the centre of mass to the shape's origin, and from there to the surface
        let arm = center.norm() + ball.radius + margin;
        let spin = motion.angular.norm();
        let turning = if spin == 0.0 { 0.0 } else { spin * arm };
        // more than round-off could add
        self.pace = 1.001 * (motion.linear.norm() + turning);
    }

    /// The radius of what is bounded [m].
    pub(super) fn size(&self) -> f64 {
        size_of(&self.ball)
    }
}

/// The radius of what is bounded [m].
fn size_of(ball: &Ball) -> f64 {
    if ball.radius.is_finite() { ball.radius } else { 0.0 }
}
