//! What is remembered from one call to the next: impulses by key, and the length of the step.
//!
//! Sorted arrays and binary search: the result depends on keys and impulses alone.

use crate::error::{Result, reserve};
use crate::math::Vec3;
use crate::solver::{Contact, Impulse, Impulses};
use crate::world::own::keys::Keys;
use crate::world::own::problem::OwnProblem;

/// The impulses of the last call that succeeded, by key.
#[derive(Debug, Default)]
pub(super) struct Memory {
    contacts: Vec<(u64, Impulse)>,
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
        start.rows.clear();
        fresh.clear();
        reserve(fresh, problem.contacts.len(), "contacts")?;
        reserve(&mut start.contacts, problem.contacts.len(), "contacts")?;
        reserve(&mut start.rows, problem.rows.len(), "rows")?;
        for (key, contact) in problem.contact_keys.iter().zip(&problem.contacts) {
            let found = found(&self.contacts, *key);
            fresh.push(found.is_none());
            start.contacts.push(found.map_or(Impulse::ZERO, |impulse| turned(impulse, contact, stretch)));
        }
        for key in &problem.row_keys {
            let lambda = found(&self.rows, *key).map_or(0.0, |lambda| lambda * stretch);
            start.rows.push(if lambda.is_finite() { lambda } else { 0.0 });
        }
        let (contacts, rows) = (self.contacts.len(), self.rows.len());
        reserve(&mut self.contacts, problem.contacts.len().saturating_sub(contacts), "remembered contacts")?;
        reserve(&mut self.rows, problem.rows.len().saturating_sub(rows), "remembered rows")
    }

    /// Remembers the answer of a call with the step `step`, and nothing else.
    pub(super) fn keep(&mut self, keys: &Keys, (contacts, rows): (&[Impulse], &[f64]), step: f64) {
        self.contacts.clear();
        self.contacts.extend(keys.contacts().map(|(key, index)| (key, contacts[index])));
        self.rows.clear();
        self.rows.extend(keys.rows().map(|(key, index)| (key, rows[index])));
        self.step = step;
    }
}

fn found<T>(sorted: &[(u64, T)], key: u64) -> Option<&T> {
    let at = sorted.binary_search_by_key(&key, |(known, _)| *known).ok()?;
    sorted.get(at).map(|(_, value)| value)
}

/// The impulse for a step so many times as long, with friction turned into the tangent plane of `contact`. The torque
/// stays the vector it is, of which rows take their parts, where anything resists turning still.
fn turned(impulse: &Impulse, contact: &Contact, stretch: f64) -> Impulse {
    let (normal, friction) = (&contact.normal, impulse.tangential);
    let tangential = friction - normal.dot(&friction) * normal;
    let torque = if contact.cone().resists_turning() { impulse.torque } else { Vec3::zeros() };
    let turned = Impulse { normal: impulse.normal, tangential, torque }.scaled(stretch);
    let vectors = turned.tangential.iter().chain(turned.torque.iter());
    // a step of 1e-200 s before one of 1e200 s leaves nothing to start from
    if turned.normal.is_finite() && vectors.into_iter().all(|value| value.is_finite()) { turned } else { Impulse::ZERO }
}
