//! A problem of a host: bodies, contacts and rows as arrays of numbers.

use crate::error::{Result, reserve, resize};
use crate::solver::{Contact, Friction, MassInverse, OptionalTerms, Problem, Row, Velocity};

/// A contact problem of a host. It is filled anew for each call and keeps its memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactProblem {
    /// Duration of the step [s].
    pub step: f64,
    /// One for each body.
    pub masses: Vec<MassInverse>,
    /// The velocities before the contacts act, one for each body.
    pub velocities: Vec<Velocity>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// One for each contact, or none where no contact has any.
    pub optional: Vec<OptionalTerms>,
    /// The keys by which impulses are stored for warm start, one for each contact; 0 for none.
    pub contact_keys: Vec<u64>,
    /// The relative stiffness in the compatibility correction, one for each contact.
    pub stiffness: Vec<f64>,
    /// The scalar rows.
    pub rows: Vec<Row>,
    /// The keys of the rows, one for each row.
    pub row_keys: Vec<u64>,
}

impl ContactProblem {
    /// Clears the problem and reserves memory.
    pub fn clear(&mut self, bodies: usize, contacts: usize, rows: usize) -> Result<()> {
        self.masses.clear();
        self.velocities.clear();
        self.contacts.clear();
        self.optional.clear();
        self.contact_keys.clear();
        self.stiffness.clear();
        self.rows.clear();
        self.row_keys.clear();
        reserve(&mut self.masses, bodies, "bodies")?;
        reserve(&mut self.velocities, bodies, "bodies")?;
        reserve(&mut self.contacts, contacts, "contacts")?;
        reserve(&mut self.contact_keys, contacts, "contacts")?;
        reserve(&mut self.stiffness, contacts, "contacts")?;
        reserve(&mut self.rows, rows, "rows")?;
        reserve(&mut self.row_keys, rows, "rows")
    }

    /// Adds a contact, for which memory is reserved.
    pub fn add_contact(&mut self, contact: Contact, optional: OptionalTerms) -> Result<()> {
        let count = self.contacts.len();
        self.contacts.push(contact);
        if optional == OptionalTerms::NONE && self.optional.is_empty() {
            return Ok(());
        }
        resize(&mut self.optional, count, OptionalTerms::NONE, "contacts")?;
        resize(&mut self.optional, count + 1, optional, "contacts")
    }

    /// Returns the problem of the solver.
    pub(super) fn view(&self, friction: Friction) -> Problem<'_> {
        Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            optional: &self.optional,
            rows: &self.rows,
            friction,
        }
    }
}
