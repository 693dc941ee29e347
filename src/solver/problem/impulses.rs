//! The impulses of a problem: from where a solve starts, and then the answer.

use crate::error::{Result, resize};
use crate::math::{ContactId, Impulse, ImpulsiveWrench, Vec3};

/// The unknowns of a problem: the impulses to start from, and then the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Impulses {
    /// Of the forces, one for each contact.
    pub contacts: Vec<Impulse>,
    /// Of the torques, one for each contact, or none where no contact resists turning; see [`ImpulsiveWrench::torque`] [N m s].
    pub torques: Vec<Vec3>,
    /// One for each row [N s].
    pub rows: Vec<f64>,
}

impl Impulses {
    /// Makes room for the impulses of so many contacts, and for torques if any contact resists turning. Present values stay.
    pub fn begin(&mut self, count: usize, turns: bool) -> Result<()> {
        self.contacts.truncate(count);
        resize(&mut self.contacts, count, Impulse::ZERO, "contacts")?;
        self.begin_turning(turns)
    }

    /// Makes room for torques if any contact resists turning, and removes them otherwise. Present values stay.
    pub fn begin_turning(&mut self, turns: bool) -> Result<()> {
        let count = if turns { self.contacts.len() } else { 0 };
        self.torques.truncate(count);
        resize(&mut self.torques, count, Vec3::zeros(), "contacts")
    }

    /// Returns the torque of a contact.
    #[inline(always)]
    pub fn torque(&self, contact: ContactId) -> Vec3 {
        self.torques.get(contact.index()).copied().unwrap_or_default()
    }

    /// Returns force and torque of a contact.
    #[inline(always)]
    pub fn wrench(&self, contact: ContactId) -> ImpulsiveWrench {
        ImpulsiveWrench { force: self.contacts[contact], torque: self.torque(contact) }
    }

    /// Sets force and torque of a contact.
    pub fn set_wrench(&mut self, contact: ContactId, wrench: &ImpulsiveWrench) {
        self.contacts[contact] = wrench.force;
        if let Some(torque) = self.torques.get_mut(contact.index()) {
            *torque = wrench.torque;
        }
    }
}
