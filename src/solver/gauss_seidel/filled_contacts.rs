//! The contacts of a buffer and their present impulses, by the numbers of contacts.

use crate::math::ContactId;
use crate::math::lanes::LineIndex;
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::problem::contacts::ContactBuffer;
use crate::solver::problem::pairs::Pair;
use crate::solver::problem::{Contact, ImpulsiveWrench, OptionalTerms};

/// The contacts of a buffer and their impulses, by the numbers of contacts.
#[derive(Clone, Copy)]
pub(in crate::solver) struct FilledContacts<'a> {
    pub(in crate::solver) buffer: &'a ContactBuffer,
    pub(in crate::solver) rows: &'a Rows,
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [Pair],
}

impl FilledContacts<'_> {
    /// Returns a contact.
    pub(in crate::solver) fn contact(&self, contact: ContactId) -> Contact {
        let bodies = self.pairs[contact].map(LineIndex::row);
        self.buffer.contact(self.rows.lane_of()[contact], bodies)
    }

    /// Returns the optional terms of a contact.
    pub(in crate::solver) fn optional_terms(&self, contact: ContactId) -> OptionalTerms {
        self.buffer.optional_terms(self.rows.lane_of()[contact])
    }

    /// Returns the present impulse of a contact.
    pub(in crate::solver) fn impulse(&self, contact: ContactId) -> ImpulsiveWrench {
        self.rows.contact_impulse(contact)
    }
}
