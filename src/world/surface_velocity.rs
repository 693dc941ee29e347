//! Surfaces that move over their bodies, as the host sets them.

use crate::body::SurfaceVelocity;
use crate::error::{Result, all_finite};
use crate::id::Handle;
use crate::math::Vec3;
use crate::world::state::World;

impl World {
    /// Sets how the surface of a body moves over it, in body axes: `linear + angular x r` at the arm `r` from the centre of mass [m/s], [rad/s].
    /// Friction acts on its part in the tangent plane of each contact.
    ///
    /// # Errors
    ///
    /// The body does not exist, a number is not finite, or memory is exhausted.
    pub fn set_surface_velocity(&mut self, body: Handle, linear: [f64; 3], angular: [f64; 3]) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        all_finite("linear", &linear)?;
        all_finite("angular", &angular)?;
        // Minus zero becomes zero, as which it is saved.
        let [linear, angular] = [linear, angular].map(|velocity| Vec3::from(velocity.map(|along| along + 0.0)));
        let velocity = SurfaceVelocity { linear, angular };
        if *self.bodies.surfaces.of(slot) == velocity {
            return Ok(());
        }
        self.reserve_modified(1)?;
        self.bodies.surfaces.set(slot, self.bodies.slots(), velocity)?;
        self.waker().wake_modified(slot);
        Ok(())
    }

    /// Returns how the surface of a body moves over it: linear [m/s] and angular [rad/s], body axes.
    ///
    /// # Errors
    ///
    /// The body does not exist.
    pub fn surface_velocity(&self, body: Handle) -> Result<([f64; 3], [f64; 3])> {
        let SurfaceVelocity { linear, angular } = *self.bodies.surfaces.of(self.bodies.registry.slot("body", body)?);
        Ok((linear.into(), angular.into()))
    }
}
