//! The keys of a problem, sorted, to find duplicates and to look up the impulses of the last call.

use crate::error::{Error, Result, reserve};
use crate::world::external::problem::ContactProblem;

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
        self.sorted.clear();
        reserve(&mut self.sorted, problem.contact_keys.len() + problem.row_keys.len(), "keys")?;
        let keys = problem.contact_keys.iter().chain(&problem.row_keys);
        self.sorted.extend(keys.copied().zip(0..).filter(|(key, _)| *key != 0));
        self.sorted.sort_unstable();
        for pair in self.sorted.windows(2) {
            if let [(key, first), (next, second)] = pair
                && key == next
            {
                let (first, second) = (self.name(*first), self.name(*second));
                return Err(Error::argument(format!(
                    "{second}.key is {key}, as is {first}.key, expected a key of its own, or 0"
                )));
            }
        }
        Ok(())
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
            None => format!("contacts[{place}]"),
            Some(row) => format!("rows[{row}]"),
        }
    }
}
