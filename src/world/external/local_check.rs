//! Checks of problems without bodies.

use crate::error::{Error, Result, all_finite, not_negative};
use crate::math::is_semidefinite;
use crate::world::external::check::ROUND_OFF;
use crate::world::external::local_problem::LocalProblem;

/// The largest difference of two entries that must be equal, in units of the largest entry of the diagonal blocks [-].
const SYMMETRIC: f64 = 1e-9;

/// Returns the number of blocks, which is the last of `row_offsets`.
///
/// # Errors
///
/// The offsets do not begin at 0 or do not increase.
pub fn block_count(row_offsets: &[u32]) -> Result<usize> {
    if let Some(first) = row_offsets.first().filter(|first| **first != 0) {
        return Err(Error::argument(format!("row_offsets[0] is {first}, expected 0")));
    }
    for (before, pair) in row_offsets.windows(2).enumerate() {
        if let [low, high] = pair
            && high <= low
        {
            let index = before + 1;
            return Err(Error::argument(format!(
                "row_offsets[{index}] is {high}, expected more than row_offsets[{before}], which is {low}: each contact has its diagonal block"
            )));
        }
    }
    Ok(row_offsets.last().map_or(0, |last| *last as usize))
}

impl LocalProblem<'_> {
    /// Checks the problem. Writes the indices of the blocks to `sorted`, those of each contact in the order of their columns.
    ///
    /// # Errors
    ///
    /// An index or a number is out of range, or the matrix is not a Delassus operator.
    pub(super) fn check(&self, sorted: &mut Vec<u32>) -> Result<()> {
        self.check_numbers()?;
        self.check_columns()?;
        self.sort(sorted)?;
        for contact in 0..self.contacts() {
            self.check_pattern(sorted, contact)?;
        }
        for contact in 0..self.contacts() {
            self.check_diagonal(sorted, contact)?;
        }
        for contact in 0..self.contacts() {
            self.check_symmetry(sorted, contact)?;
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<()> {
        all_finite("blocks", self.blocks)?;
        all_finite("q", self.q)?;
        let arrays = [("friction", Some(self.friction)), ("rolling", self.rolling)];
        for (name, numbers) in arrays {
            for (index, number) in numbers.into_iter().flatten().enumerate() {
                not_negative(name, *number).map_err(|error| indexed(error, name, index))?;
            }
        }
        Ok(())
    }

    fn check_columns(&self) -> Result<()> {
        let contacts = self.contacts();
        match self.columns.iter().position(|column| *column as usize >= contacts) {
            None => Ok(()),
            Some(at) => Err(Error::argument(format!(
                "columns[{at}] is {}, expected an index below contact_count, {contacts}",
                self.columns[at]
            ))),
        }
    }

    /// Checks that no column occurs twice, and that there is a diagonal block.
    fn check_pattern(&self, sorted: &[u32], contact: usize) -> Result<()> {
        let places = &sorted[self.range(contact)];
        for pair in places.windows(2) {
            if let [first, second] = pair
                && self.columns[*first as usize] == self.columns[*second as usize]
            {
                let (first, second) = (first.min(second), first.max(second));
                return Err(Error::argument(format!(
                    "columns[{second}] is {}, as is columns[{first}], expected each column once in the blocks of contact {contact}",
                    self.columns[*second as usize]
                )));
            }
        }
        if self.find(sorted, contact, contact).is_some() {
            return Ok(());
        }
        let range = self.range(contact);
        Err(Error::argument(format!(
            "columns[{}] to columns[{}] are without {contact}, expected the diagonal block of contact {contact} among them",
            range.start,
            range.end - 1
        )))
    }

    /// Checks that the diagonal block is symmetric, positive semidefinite and not zero.
    fn check_diagonal(&self, sorted: &[u32], contact: usize) -> Result<()> {
        let Some(place) = self.find(sorted, contact, contact) else { return Ok(()) };
        let (d, block) = (self.dimension, self.block(place));
        self.check_transpose([place, place], largest(block))?;
        if !is_semidefinite(block, d, ROUND_OFF) {
            return Err(Error::argument(format!(
                "blocks of place {place}, the diagonal block of contact {contact}, is indefinite, expected a positive semidefinite matrix"
            )));
        }
        if block[0] + block[d + 1] + block[2 * (d + 1)] <= 0.0 {
            return Err(Error::argument(format!(
                "blocks of place {place}, the diagonal block of contact {contact}, is zero, expected a contact that impulses move"
            )));
        }
        Ok(())
    }

    /// Checks that each block above the diagonal is the transpose of one below it.
    fn check_symmetry(&self, sorted: &[u32], contact: usize) -> Result<()> {
        let size = |contact: usize| self.find(sorted, contact, contact).map_or(0.0, |place| largest(self.block(place)));
        let own = size(contact);
        for place in &sorted[self.range(contact)] {
            let place = *place as usize;
            let column = self.columns[place] as usize;
            match self.find(sorted, column, contact) {
                Some(other) if contact < column => self.check_transpose([place, other], own.max(size(column)))?,
                Some(_) => {}
                None => {
                    return Err(Error::argument(format!(
                        "columns[{place}] is {column} in the blocks of contact {contact}, expected a block of contact {column} in column {contact} too"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Checks that one block is the transpose of the other, entry by entry, to [`SYMMETRIC`] times `size`.
    fn check_transpose(&self, places: [usize; 2], size: f64) -> Result<()> {
        let (d, [first, second]) = (self.dimension, places);
        let (one, other) = (self.block(first), self.block(second));
        for (at, value) in one.iter().enumerate() {
            let across = at % d * d + at / d;
            let expected = other[across];
            // Halves, since the difference of two large numbers may be infinite.
            if (0.5 * value - 0.5 * expected).abs() > 0.5 * SYMMETRIC * size {
                let (index, mirror) = (d * d * first + at, d * d * second + across);
                return Err(Error::argument(format!(
                    "blocks[{index}] is {value}, expected {expected} as blocks[{mirror}], which mirrors it: the matrix is symmetric"
                )));
            }
        }
        Ok(())
    }
}

/// Returns the largest absolute value of the entries.
fn largest(block: &[f64]) -> f64 {
    block.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
}

/// Returns the error with the index of an element after the array's name: `friction[3] is ...`.
fn indexed(mut error: Error, name: &str, index: usize) -> Error {
    error.message = error.message.replacen(name, &format!("{name}[{index}]"), 1);
    error
}
