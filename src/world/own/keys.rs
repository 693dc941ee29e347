//! The keys of a problem, sorted: what finds two that are alike, and what the memory is sorted by.

use crate::error::{Error, Result, reserve};
use crate::world::own::problem::OwnProblem;

/// The keys of a problem but 0, rising; each with its place: contacts first, rows behind them.
#[derive(Debug, Default)]
pub(super) struct Keys {
    sorted: Vec<(u64, u32)>,
    contacts: u32,
}

impl Keys {
    /// Takes the keys of `problem`; refuses it if two are alike.
    pub(super) fn take(&mut self, problem: &OwnProblem) -> Result<()> {
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

    /// Keys and indices of the contacts, by key.
    pub(super) fn contacts(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.sorted.iter().filter(|(_, place)| *place < self.contacts).map(|(key, place)| (*key, *place as usize))
    }

    /// Keys and indices of the rows, by key.
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
