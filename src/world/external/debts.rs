//! What the stick projection has spent on the islands of a host's problems.
//!
//! Bodies have no keys, and may come in any order. Contacts and rows have: each keeps the debt of its bodies to the next call. Those without
//! a key share one debt, so that the projection of problems without keys has its bound too.

use crate::error::{Result, reserve, resize};
use crate::math::BodyRow;
use crate::solver::project::ProjectionBudget;
use crate::world::external::problem::ContactProblem;
use crate::world::external::warm_start::Keys;

/// No projection leaves a larger debt.
pub(super) const LARGEST_DEBT: u64 = 1 << 32;

/// The debts of the last call that succeeded: for how many solves to come the sweeps have to earn what was spent.
#[derive(Debug, Default)]
pub(super) struct StoredDebts {
    /// By ascending key, those that are not 0.
    pub(super) known: Vec<(u64, u64)>,
    /// The largest of the contacts and rows without a key.
    pub(super) keyless: u64,
}

impl StoredDebts {
    /// Writes the debts of the bodies of `problem` to `budget`. Reserves memory, so that [`StoredDebts::store`] cannot fail.
    pub(super) fn look_up(&mut self, problem: &ContactProblem, budget: &mut ProjectionBudget) -> Result<()> {
        budget.solves = 0;
        budget.repaid_at.clear();
        let (known, keys) = (self.known.len(), problem.contacts.len() + problem.rows.len());
        reserve(&mut self.known, keys.saturating_sub(known), "debts of the projection")?;
        if self.known.is_empty() && self.keyless == 0 {
            return Ok(());
        }
        resize(&mut budget.repaid_at, problem.masses.len(), 0, "bodies")?;
        for place in 0..keys {
            let debt = self.of(key_of(problem, place));
            for body in moving(problem, place) {
                let repaid_at = &mut budget.repaid_at[body.index()];
                *repaid_at = debt.max(*repaid_at);
            }
        }
        Ok(())
    }

    /// Replaces the debts by those of a call. `keys` are those of `problem`.
    pub(super) fn store(&mut self, keys: &Keys, problem: &ContactProblem, budget: &ProjectionBudget) {
        let debt = |place| moving(problem, place).map(|body| budget.debt(body.index())).fold(0, u64::max);
        self.known.clear();
        self.keyless = 0;
        if budget.repaid_at.is_empty() {
            return;
        }
        self.known.extend(keys.all().map(|(key, place)| (key, debt(place))).filter(|(_, debt)| *debt > 0));
        let places = 0..problem.contacts.len() + problem.rows.len();
        self.keyless = places.filter(|place| key_of(problem, *place) == 0).map(debt).fold(0, u64::max);
    }

    fn of(&self, key: u64) -> u64 {
        if key == 0 {
            return self.keyless;
        }
        let at = self.known.binary_search_by_key(&key, |(known, _)| *known);
        at.map_or(0, |at| self.known[at].1)
    }
}

/// The key of a contact, or of a row after the contacts.
fn key_of(problem: &ContactProblem, place: usize) -> u64 {
    match place.checked_sub(problem.contacts.len()) {
        None => problem.contact_keys[place],
        Some(row) => problem.row_keys[row],
    }
}

/// The bodies of a contact, or of a row after the contacts, that impulses move.
fn moving(problem: &ContactProblem, place: usize) -> impl Iterator<Item = BodyRow> {
    let bodies = match place.checked_sub(problem.contacts.len()) {
        None => [problem.contacts[place].body_a, problem.contacts[place].body_b],
        Some(row) => [problem.rows[row].body_a, problem.rows[row].body_b],
    };
    let moves = |body: &BodyRow| problem.masses.get(body.index()).is_some_and(|mass| !mass.is_immovable());
    bodies.into_iter().filter(moves)
}
