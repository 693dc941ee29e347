//! Surfaces that move over their bodies: conveyor belts, tracks and drums that a fixed shape stands for.

use crate::error::{Result, resize};
use crate::math::{Quat, Vec3};
use crate::visit::state;

/// How the surface of a body moves over the body: `linear + angular x r` at the arm `r` from the centre of mass. Body axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SurfaceVelocity {
    /// [m/s]
    pub linear: Vec3,
    /// [rad/s]
    pub angular: Vec3,
}

state!(SurfaceVelocity { linear, angular });

/// The surface velocities of all bodies.
#[derive(Debug, Default)]
pub struct Surfaces {
    /// By slot; of slots beyond the end, and of all until the first one is set, at rest.
    all: Vec<SurfaceVelocity>,
    /// How many of them move.
    moving: usize,
}

impl SurfaceVelocity {
    /// At rest on the body.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the same velocity in the axes to which `rotation` leads.
    pub fn rotated(&self, rotation: &Quat) -> Self {
        Self { linear: rotation * self.linear, angular: rotation * self.angular }
    }
}

impl Surfaces {
    /// Returns whether the surface of any body moves.
    pub fn are_moving(&self) -> bool {
        self.moving > 0
    }

    /// Returns how the surface of the body in `slot` moves.
    pub fn of(&self, slot: usize) -> &SurfaceVelocity {
        self.all.get(slot).unwrap_or(&SurfaceVelocity::ZERO)
    }

    /// Returns whether the surface of the body in `slot` moves over the body.
    pub fn moves(&self, slot: usize) -> bool {
        self.are_moving() && *self.of(slot) != SurfaceVelocity::ZERO
    }

    /// Sets how the surface of the body in `slot` moves, in a world of so many slots.
    pub fn set(&mut self, slot: usize, slots: usize, velocity: SurfaceVelocity) -> Result<()> {
        if slot >= self.all.len() {
            if velocity == SurfaceVelocity::ZERO {
                return Ok(());
            }
            resize(&mut self.all, slots, SurfaceVelocity::ZERO, "bodies")?;
        }
        self.moving -= usize::from(self.moves(slot));
        self.all[slot] = velocity;
        self.moving += usize::from(velocity != SurfaceVelocity::ZERO);
        Ok(())
    }

    /// Forgets the velocity of the body in `slot`, which is removed.
    pub fn clear(&mut self, slot: usize) {
        if self.moves(slot) {
            self.all[slot] = SurfaceVelocity::ZERO;
            self.moving -= 1;
        }
    }
}
