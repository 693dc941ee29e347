//! Warm start: the keys of a problem, and the impulses of the last call by key.
//!
//! These are in sorted arrays that are searched by bisection, so that results depend only on keys and impulses.

use crate::error::{Error, Result, empty, refill, reserve, text};
use crate::math::{Vec3, are_finite};
use crate::solver::{FullContact, Impulse, Impulses, ImpulsiveWrench};
use crate::world::external::problem::ContactProblem;
use crate::world::stretch::stretch;

/// The keys of a problem in ascending order, without 0. Each has an index: contacts first, then rows.
#[derive(Debug, Default)]
pub(super) struct Keys {
    sorted: Vec<(u64, u32)>,
    contacts: u32,
}

impl Keys {
    /// Replaces the keys by those of `problem`.
    ///
    /// # Errors
    ///
    /// Two keys are equal, or memory is exhausted.
    pub(super) fn take(&mut self, problem: &ContactProblem) -> Result<()> {
        self.contacts = problem.contact_keys.len() as u32;
        empty(&mut self.sorted, problem.contact_keys.len() + problem.row_keys.len(), "keys")?;
        let keys = problem.contact_keys.iter().chain(&problem.row_keys);
        self.sorted.extend(keys.copied().zip(0..).filter(|(key, _)| *key != 0));
        self.sorted.sort_unstable();
        for pair in self.sorted.windows(2) {
            if let [(key, first), (next, second)] = pair
                && key == next
            {
                let (first, second) = (self.name(*first), self.name(*second));
                return Err(Error::argument(text!(
                    "{second}.key is {key}, as is {first}.key, expected a key of its own, or 0"
                )));
            }
        }
        Ok(())
    }

    /// Returns all keys in ascending order, with their indices.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.sorted.iter().map(|(key, place)| (*key, *place as usize))
    }

    /// Returns keys and indices of the contacts, by key.
    pub(super) fn contacts(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.sorted.iter().filter(|(_, place)| *place < self.contacts).map(|(key, place)| (*key, *place as usize))
    }

    /// Returns keys and indices of the rows, by key.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        let rows = self.sorted.iter().filter(|(_, place)| *place >= self.contacts);
        rows.map(|(key, place)| (*key, (*place - self.contacts) as usize))
    }

    fn name(&self, place: u32) -> String {
        match place.checked_sub(self.contacts) {
            None => text!("contacts[{place}]"),
            Some(row) => text!("rows[{row}]"),
        }
    }
}

/// The impulses of the last call that succeeded, by key.
#[derive(Debug, Default)]
pub(super) struct StoredImpulses {
    pub(super) contacts: Vec<(u64, Impulse)>,
    /// The torque impulse of each of these; empty if no contact resisted rotation.
    pub(super) torques: Vec<Vec3>,
    pub(super) rows: Vec<(u64, f64)>,
    /// Length of the step [s]; 0 before the first call.
    pub(super) step: f64,
}

impl StoredImpulses {
    /// Writes the impulses that `problem` starts from to `start`, and to `fresh` whether each contact has none. Reserves memory, so that
    /// [`StoredImpulses::store`] cannot fail.
    pub(super) fn look_up(
        &mut self,
        problem: &ContactProblem,
        start: &mut Impulses,
        fresh: &mut Vec<bool>,
    ) -> Result<()> {
        let stretch = stretch(problem.step, self.step);
        start.torques.clear();
        empty(fresh, problem.contacts.len(), "contacts")?;
        empty(&mut start.rows, problem.rows.len(), "rows")?;
        refill(&mut start.contacts, problem.contacts.len(), Impulse::ZERO, "contacts")?;
        let view = problem.view(Default::default());
        start.begin_turning(view.resists_turning())?;
        for (index, (key, contact)) in problem.contact_keys.iter().zip(&problem.contacts).enumerate() {
            let found = self.found(*key);
            fresh.push(found.is_none());
            let wrench = found.map_or(ImpulsiveWrench::ZERO, |wrench| {
                rotated(&wrench, (contact, view.optional_terms(index.into())), stretch)
            });
            start.set_wrench(index.into(), &wrench);
        }
        for key in &problem.row_keys {
            let lambda = index_of(&self.rows, *key).map_or(0.0, |at| self.rows[at].1 * stretch);
            start.rows.push(if lambda.is_finite() { lambda } else { 0.0 });
        }
        let (contacts, torques, rows) = (self.contacts.len(), self.torques.len(), self.rows.len());
        reserve(&mut self.contacts, problem.contacts.len().saturating_sub(contacts), "remembered contacts")?;
        reserve(&mut self.torques, start.torques.len().saturating_sub(torques), "remembered contacts")?;
        reserve(&mut self.rows, problem.rows.len().saturating_sub(rows), "remembered rows")
    }

    /// Replaces the stored impulses by the result of a call with the step `step`: the forces and rows of `kept`, and `torques`.
    pub(super) fn store(&mut self, keys: &Keys, kept: &Impulses, torques: &[Vec3], step: f64) {
        let Impulses { contacts, rows, .. } = kept;
        self.contacts.clear();
        self.contacts.extend(keys.contacts().map(|(key, index)| (key, contacts[index])));
        self.torques.clear();
        if !torques.is_empty() {
            self.torques.extend(keys.contacts().map(|(_, index)| torques[index]));
        }
        self.rows.clear();
        self.rows.extend(keys.rows().map(|(key, index)| (key, rows[index])));
        self.step = step;
    }

    /// Returns the stored impulse of a contact.
    fn found(&self, key: u64) -> Option<ImpulsiveWrench> {
        let at = index_of(&self.contacts, key)?;
        Some(ImpulsiveWrench { force: self.contacts[at].1, torque: self.torques.get(at).copied().unwrap_or_default() })
    }
}

/// Returns the index of a key.
fn index_of<T>(sorted: &[(u64, T)], key: u64) -> Option<usize> {
    sorted.binary_search_by_key(&key, |(known, _)| *known).ok()
}

/// Returns the impulse for a step that is `stretch` times as long, with friction projected to the tangent plane of `contact`. The torque
/// is scaled only; it is zero if the contact does not resist rotation.
fn rotated(wrench: &ImpulsiveWrench, (contact, optional): FullContact, stretch: f64) -> ImpulsiveWrench {
    let (normal, friction) = (&contact.normal, wrench.force.tangential);
    let tangential = friction - normal.dot(&friction) * normal;
    let torque = if optional.resists_turning() { wrench.torque } else { Vec3::zeros() };
    let force = Impulse::force(wrench.force.normal, tangential).scaled(stretch);
    let rotated = ImpulsiveWrench { force, torque: torque * stretch };
    // An impulse near the largest number may become infinite in a longer step.
    let is_finite = force.normal.is_finite() && are_finite([&force.tangential, &rotated.torque]);
    if is_finite { rotated } else { ImpulsiveWrench::ZERO }
}
