//! Problems without bodies, and their checks: the Delassus operator of a host becomes the solver's reduced problem.

use crate::error::{Error, Result, all_finite, empty, not_negative, reserve, text};
use crate::math::is_semidefinite;
use crate::solver::Friction;
use crate::solver::operator::reduced::{Block, Law, Reduced};
use crate::solver::problem::cone::Cone;
use crate::world::external::problem::{ROUND_OFF, solved_coefficient};

/// The largest difference of two entries that must be equal, in units of the largest entry of the diagonal blocks [-].
const SYMMETRIC: f64 = 1e-9;

/// `w = W r + q` with `dimension` rows for each contact: normal, tangent 1, tangent 2 (rolling 1, rolling 2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalProblem<'a> {
    /// The number of rows of a contact: 3 or 5.
    pub dimension: usize,
    /// The index of the first block of each contact, and the number of blocks.
    pub row_offsets: &'a [u32],
    /// The column of each block: a contact.
    pub columns: &'a [u32],
    /// The blocks of `W`, each row by row.
    pub blocks: &'a [f64],
    /// The relative velocity `w` before the impulses act [m/s].
    pub q: &'a [f64],
    /// The coefficient of friction of each contact [-].
    pub friction: &'a [f64],
    /// The rolling friction of each contact, with dimension 5 [m].
    pub rolling: Option<&'a [f64]>,
}

impl LocalProblem<'_> {
    /// Returns the number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Returns the indices of the blocks of a contact.
    fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.row_offsets[contact] as usize..self.row_offsets[contact + 1] as usize
    }

    /// Returns a block, row by row.
    fn block(&self, place: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.blocks[place * size..(place + 1) * size]
    }

    /// Writes the indices of all blocks to `sorted`, those of each contact in the order of their columns.
    fn sort(&self, sorted: &mut Vec<u32>) -> Result<()> {
        empty(sorted, self.columns.len(), "blocks")?;
        sorted.extend(0..self.columns.len() as u32);
        for contact in 0..self.contacts() {
            sorted[self.range(contact)].sort_unstable_by_key(|place| self.columns[*place as usize]);
        }
        Ok(())
    }

    /// Returns the index of the block in this row and column, if there is one.
    fn find(&self, sorted: &[u32], row: usize, column: usize) -> Option<usize> {
        let places = &sorted[self.range(row)];
        let at = places.binary_search_by_key(&column, |place| self.columns[*place as usize] as usize).ok()?;
        Some(places[at] as usize)
    }

    /// Writes the reduced problem of the solver, with the law of friction on the cone. The problem must have passed the check.
    pub(super) fn reduce(&self, sorted: &[u32], friction: Friction, reduced: &mut Reduced) -> Result<()> {
        let d = self.dimension;
        reduced.clear(self.contacts(), d * self.contacts())?;
        reduced.q.copy_from_slice(self.q);
        let matrix = &mut reduced.matrix;
        reserve(&mut matrix.columns, self.blocks.len(), "entries of the contact problem")?;
        reserve(&mut matrix.values, self.blocks.len(), "entries of the contact problem")?;
        for contact in 0..self.contacts() {
            for row in 0..d {
                matrix.offsets.push(matrix.columns.len());
                for place in &sorted[self.range(contact)] {
                    let (place, numbers) = (*place as usize, self.block(*place as usize));
                    let first = d * self.columns[place] as usize;
                    matrix.columns.extend(first..first + d);
                    matrix.values.extend_from_slice(&numbers[d * row..d * (row + 1)]);
                }
            }
        }
        matrix.offsets.push(matrix.columns.len());
        for contact in 0..self.contacts() {
            let diagonal = self.find(sorted, contact, contact).map_or(&[][..], |place| self.block(place));
            reduced.blocks.push(self.law(contact, diagonal, friction.dilation()));
        }
        Ok(())
    }

    /// The law of a contact with this block on the diagonal.
    fn law(&self, contact: usize, diagonal: &[f64], dilation: f64) -> Block {
        let d = self.dimension;
        let rolling = self.rolling.map_or(0.0, |rolling| rolling[contact]);
        let (rolling, friction) = (solved_coefficient(rolling), solved_coefficient(self.friction[contact]));
        let cone = Cone { rolling, dilation, ..Cone::of_friction(friction) };
        let entry = |row: usize| diagonal.get(row * (d + 1)).copied().unwrap_or(0.0);
        let scale = (entry(0) + entry(1) + entry(2)) / 3.0;
        let length = ((entry(1) + entry(2)) / (entry(3) + entry(4))).sqrt();
        let turns = d == 5 && length.is_finite() && length > 0.0;
        let law = Law::Contact { cone, dimension: d };
        Block { first: d * contact, law, scale, length: if turns { length } else { 1.0 } }
    }

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
            Some(at) => Err(Error::argument(text!(
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
                return Err(Error::argument(text!(
                    "columns[{second}] is {}, as is columns[{first}], expected each column once in the blocks of contact {contact}",
                    self.columns[*second as usize]
                )));
            }
        }
        if self.find(sorted, contact, contact).is_some() {
            return Ok(());
        }
        let range = self.range(contact);
        Err(Error::argument(text!(
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
            return Err(Error::argument(text!(
                "blocks of place {place}, the diagonal block of contact {contact}, is indefinite, expected a positive semidefinite matrix"
            )));
        }
        if block[0] + block[d + 1] + block[2 * (d + 1)] <= 0.0 {
            return Err(Error::argument(text!(
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
                    return Err(Error::argument(text!(
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
                return Err(Error::argument(text!(
                    "blocks[{index}] is {value}, expected {expected} as blocks[{mirror}], which mirrors it: the matrix is symmetric"
                )));
            }
        }
        Ok(())
    }
}

/// Returns the number of blocks, which is the last of `row_offsets`.
///
/// # Errors
///
/// The offsets do not begin at 0 or do not increase.
pub fn block_count(row_offsets: &[u32]) -> Result<usize> {
    if let Some(first) = row_offsets.first().filter(|first| **first != 0) {
        return Err(Error::argument(text!("row_offsets[0] is {first}, expected 0")));
    }
    for (before, pair) in row_offsets.windows(2).enumerate() {
        if let [low, high] = pair
            && high <= low
        {
            let index = before + 1;
            return Err(Error::argument(text!(
                "row_offsets[{index}] is {high}, expected more than row_offsets[{before}], which is {low}: each contact has its diagonal block"
            )));
        }
    }
    Ok(row_offsets.last().map_or(0, |last| *last as usize))
}

/// Returns the largest absolute value of the entries.
fn largest(block: &[f64]) -> f64 {
    block.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()))
}

/// Returns the error with the index of an element after the array's name: `friction[3] is ...`.
fn indexed(mut error: Error, name: &str, index: usize) -> Error {
    error.message = error.message.replacen(name, &text!("{name}[{index}]"), 1);
    error
}
