//! What is remembered from one call to the next: impulses by key, and the length of the step.
//!
//! Sorted arrays and binary search: the result depends on keys and impulses alone.

use crate::error::{Result, reserve, resize};
use crate::math::{Vec3, are_finite};
use crate::solver::{Impulse, Impulses, ImpulsiveWrench, WholeContact};
use crate::world::own::keys::Keys;
use crate::world::own::problem::OwnProblem;

/// The impulses of the last call that succeeded, by key.
#[derive(Debug, Default)]
pub(super) struct Memory {
    contacts: Vec<(u64, Impulse)>,
    /// One for each of these, or none where no contact resisted turning.
    torques: Vec<Vec3>,
    rows: Vec<(u64, f64)>,
    /// [s]; 0 before the first call.
    step: f64,
}

impl Memory {
    /// The impulses that `problem` starts from, into `start`, and for each contact whether there is none, into `fresh`.
    /// Makes room, so that [`Memory::keep`] cannot fail.
    pub(super) fn recall(&mut self, problem: &OwnProblem, start: &mut Impulses, fresh: &mut Vec<bool>) -> Result<()> {
        let stretch = if self.step > 0.0 { problem.step / self.step } else { 0.0 };
        start.contacts.clear();
        start.torques.clear();
        start.rows.clear();
        fresh.clear();
        reserve(fresh, problem.contacts.len(), "contacts")?;
        reserve(&mut start.rows, problem.rows.len(), "rows")?;
        resize(&mut start.contacts, problem.contacts.len(), Impulse::ZERO, "contacts")?;
        let posed = problem.posed(Default::default());
        start.begin_turning(posed.resists_turning())?;
        for (index, (key, contact)) in problem.contact_keys.iter().zip(&problem.contacts).enumerate() {
            let found = self.found(*key);
            fresh.push(found.is_none());
            let wrench =
                found.map_or(ImpulsiveWrench::ZERO, |wrench| turned(&wrench, (contact, posed.besides(index)), stretch));
            start.set_wrench(index, &wrench);
        }
        for key in &problem.row_keys {
            let lambda = place(&self.rows, *key).map_or(0.0, |at| self.rows[at].1 * stretch);
            start.rows.push(if lambda.is_finite() { lambda } else { 0.0 });
        }
        let (contacts, torques, rows) = (self.contacts.len(), self.torques.len(), self.rows.len());
        reserve(&mut self.contacts, problem.contacts.len().saturating_sub(contacts), "remembered contacts")?;
        reserve(&mut self.torques, start.torques.len().saturating_sub(torques), "remembered contacts")?;
        reserve(&mut self.rows, problem.rows.len().saturating_sub(rows), "remembered rows")
    }

    /// Remembers the answer of a call with the step `step`, and nothing else; the forces of the contacts are those told.
    pub(super) fn keep(&mut self, keys: &Keys, (contacts, answer): (&[Impulse], &Impulses), step: f64) {
        let Impulses { torques, rows, .. } = answer;
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

    /// What a contact carried.
    fn found(&self, key: u64) -> Option<ImpulsiveWrench> {
        let at = place(&self.contacts, key)?;
        Some(ImpulsiveWrench { force: self.contacts[at].1, torque: self.torques.get(at).copied().unwrap_or_default() })
    }
}

fn place<T>(sorted: &[(u64, T)], key: u64) -> Option<usize> {
    sorted.binary_search_by_key(&key, |(known, _)| *known).ok()
}

/// The impulse for a step so many times as long, with friction turned into the tangent plane of `contact`. The torque
/// stays the vector it is, of which rows take their parts, where anything resists turning still.
fn turned(wrench: &ImpulsiveWrench, (contact, besides): WholeContact, stretch: f64) -> ImpulsiveWrench {
    let (normal, friction) = (&contact.normal, wrench.force.tangential);
    let tangential = friction - normal.dot(&friction) * normal;
    let torque = if besides.resists_turning() { wrench.torque } else { Vec3::zeros() };
    let force = Impulse::force(wrench.force.normal, tangential).scaled(stretch);
    let turned = ImpulsiveWrench { force, torque: torque * stretch };
    // a step of 1e-200 s before one of 1e200 s leaves nothing to start from
    let is_finite = force.normal.is_finite() && are_finite([&force.tangential, &turned.torque]);
    if is_finite { turned } else { ImpulsiveWrench::ZERO }
}
