//! Waking bodies, at the host's request or because the host modified something.

use crate::error::Result;
use crate::id::Handle;
use crate::world::sleep::Waker;
use crate::world::state::World;

impl World {
    /// Returns whether a body takes part in steps. Only movable bodies can sleep.
    ///
    /// # Errors
    ///
    /// The body does not exist.
    pub fn is_awake(&self, body: Handle) -> Result<bool> {
        let slot = self.bodies.registry.slot("body", body)?;
        Ok(!self.sleep.is_asleep(slot as u32))
    }

    /// Wakes a body with its island. Resets the sleep timer of a body that is awake.
    ///
    /// # Errors
    ///
    /// The body does not exist.
    pub fn wake(&mut self, body: Handle) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        self.waker().wake(slot as u32);
        if let Some(timer) = self.sleep.sleep_timer.get_mut(slot) {
            *timer = 0.0;
        }
        Ok(())
    }

    /// Returns access to what changes when a body wakes.
    pub(in crate::world) fn waker(&mut self) -> Waker<'_> {
        let Self { sleep, active_bodies, bodies, .. } = self;
        Waker { sleep, active_bodies, bodies }
    }

    /// Reserves memory, so that the next `additional` calls of [`Waker::wake_modified`] cannot fail.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(in crate::world) fn reserve_modified(&mut self, additional: usize) -> Result<()> {
        // Without sleeping only the bodies of an earlier time with it are noted.
        let slots = if self.settings.sleeping { self.bodies.slots() + additional } else { 0 };
        self.sleep.reserve_modified(slots, additional)
    }
}
