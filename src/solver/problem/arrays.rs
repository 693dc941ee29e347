//! The problem of one step, as slices of its bodies, contacts and rows, and its impulses.

use crate::error::{Result, resize};
use crate::math::{BodyRow, ContactId, Impulse, ImpulsiveWrench, Vec3};
use crate::solver::problem::contact::{Contact, FullContact, MassInverse, OptionalTerms, Velocity};
use crate::solver::problem::row::Row;

/// The law of friction of all contacts of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Friction {
    /// Coulomb's isotropic cone.
    #[default]
    Coulomb,
    /// The convex law on the same cone, [N]: what slides gains `mu` times its sliding speed along the normal.
    Associated,
    /// Two bounded rows along the tangents of [`crate::math::tangents`], as legacy solvers have them.
    Box,
}

impl Friction {
    /// Returns what part of `sum_k mu_k |w_k|` a contact gains along its normal while it slides, rolls or twists at its bounds: 0 with
    /// Coulomb's law, 1 with the associated one [-]. It is the one number in which their cones differ.
    pub fn dilation(self) -> f64 {
        match self {
            Self::Associated => 1.0,
            Self::Coulomb | Self::Box => 0.0,
        }
    }
}

/// The problem of one step: constant during a solve.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// One for each body.
    pub masses: &'a [MassInverse],
    /// `vhat`, one for each body: external forces already in, contacts not yet.
    pub velocities: &'a [Velocity],
    /// The contacts, in natural order.
    pub contacts: &'a [Contact],
    /// The optional terms of each contact, or none where no contact has any.
    pub optional: &'a [OptionalTerms],
    /// The scalar rows, in natural order; they come before the contacts.
    pub rows: &'a [Row],
    /// The law of friction of the contacts.
    pub friction: Friction,
}

impl Problem<'_> {
    /// Returns the inverse mass of a body; of the fixed world it is zero.
    pub fn mass(&self, body: BodyRow) -> &MassInverse {
        self.masses.get(body.index()).unwrap_or(&MassInverse::ZERO)
    }

    /// Returns `vhat` of a body; of the fixed world it is zero.
    pub fn free_velocity(&self, body: BodyRow) -> &Velocity {
        self.velocities.get(body.index()).unwrap_or(&Velocity::ZERO)
    }

    /// Returns whether any contact resists turning.
    pub fn resists_turning(&self) -> bool {
        self.optional.iter().any(OptionalTerms::resists_turning)
    }

    /// Returns the optional terms of a contact.
    #[inline(always)]
    pub fn optional_terms(&self, contact: ContactId) -> &OptionalTerms {
        self.optional.get(contact.index()).unwrap_or(&OptionalTerms::NONE)
    }

    /// Returns a contact and its optional terms.
    #[inline(always)]
    pub fn full_contact(&self, contact: ContactId) -> FullContact<'_> {
        (&self.contacts[contact], self.optional_terms(contact))
    }

    /// Returns whether an impulse changes the velocity of a body.
    pub fn moves(&self, body: BodyRow) -> bool {
        !self.mass(body).is_immovable()
    }
}

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
    /// Reserves memory for the impulses of this many contacts, and for torques if any contact resists turning. Present values stay.
    pub fn begin(&mut self, count: usize, turns: bool) -> Result<()> {
        resize(&mut self.contacts, count, Impulse::ZERO, "contacts")?;
        self.begin_turning(turns)
    }

    /// Reserves memory for torques if any contact resists turning, and removes them otherwise. Present values stay.
    pub fn begin_turning(&mut self, turns: bool) -> Result<()> {
        let count = if turns { self.contacts.len() } else { 0 };
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
