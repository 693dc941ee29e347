//! A problem of a host: bodies, contacts and rows as arrays of numbers. Knows no pointer; checks nothing by itself.

use crate::error::{Result, reserve};
use crate::solver::{Contact, Friction, MassInverse, Problem, Row, Velocity};

/// What a host wants solved. It is filled anew for each call and keeps its room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnProblem {
    /// Duration of the step [s].
    pub step: f64,
    /// One for each body.
    pub masses: Vec<MassInverse>,
    /// Before the contacts act, one for each body.
    pub velocities: Vec<Velocity>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// By which impulses are remembered, one for each contact; 0: not at all.
    pub contact_keys: Vec<u64>,
    /// Relative, of the compatibility correction, one for each contact.
    pub stiffness: Vec<f64>,
    /// The scalar rows.
    pub rows: Vec<Row>,
    /// As for contacts, one for each row.
    pub row_keys: Vec<u64>,
}

impl OwnProblem {
    /// Empties it and makes room.
    pub fn clear(&mut self, bodies: usize, contacts: usize, rows: usize) -> Result<()> {
        self.masses.clear();
        self.velocities.clear();
        self.contacts.clear();
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

    /// As the solver takes it.
    pub(super) fn posed(&self, friction: Friction) -> Problem<'_> {
        Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            rows: &self.rows,
            friction,
        }
    }
}
