//! Refuses problems without bodies that cannot be posed.

use crate::error::{Error, Result, all_finite, not_negative};
use crate::math::is_semidefinite;
use crate::world::own::check::ROUND_OFF;
use crate::world::own::local::LocalProblem;

/// How far two entries that ought to be equal may be apart, in units of the largest entry of the diagonal blocks.
const SYMMETRIC: f64 = 1e-9;

/// The number of blocks that `row_offsets` tell of; refused unless they begin at 0 and rise.
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
    /// Refuses indices that are none, numbers out of range, and a matrix that is no Delassus operator. `sorted` receives
    /// the places of the blocks, those of each contact by rising columns.
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

    /// No column twice, and the diagonal among them.
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

    /// The block on the diagonal is symmetric and positive semidefinite, and some impulse changes a velocity.
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

    /// The blocks right of the diagonal are the transposes of those below it, and there are no others.
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

    /// One block is the transpose of the other, entry by entry, to [`SYMMETRIC`] of `size`.
    fn check_transpose(&self, places: [usize; 2], size: f64) -> Result<()> {
        let (d, [first, second]) = (self.dimension, places);
        let (one, other) = (self.block(first), self.block(second));
        for (at, value) in one.iter().enumerate() {
            let across = at % d * d + at / d;
            let expected = other[across];
            // halves, since the difference of two large numbers may be infinite
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

fn largest(block: &[f64]) -> f64 {
    block.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
}

/// The error of a number, told of an element of an array: `friction[3] is ...`.
fn indexed(mut error: Error, name: &str, index: usize) -> Error {
    error.message = error.message.replacen(name, &format!("{name}[{index}]"), 1);
    error
}
