//! Problems without bodies: the Delassus operator of a host becomes the solver's reduced problem.

use crate::error::{Result, reserve};
use crate::solver::operator::reduced::{Block, Law, Reduced};
use crate::solver::problem::cone::Cone;

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
    pub(super) fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.row_offsets[contact] as usize..self.row_offsets[contact + 1] as usize
    }

    /// Returns a block, row by row.
    pub(super) fn block(&self, place: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.blocks[place * size..(place + 1) * size]
    }

    /// Writes the indices of all blocks to `sorted`, those of each contact in the order of their columns.
    pub(super) fn sort(&self, sorted: &mut Vec<u32>) -> Result<()> {
        sorted.clear();
        reserve(sorted, self.columns.len(), "blocks")?;
        sorted.extend(0..self.columns.len() as u32);
        for contact in 0..self.contacts() {
            sorted[self.range(contact)].sort_unstable_by_key(|place| self.columns[*place as usize]);
        }
        Ok(())
    }

    /// Returns the index of the block in this row and column, if there is one.
    pub(super) fn find(&self, sorted: &[u32], row: usize, column: usize) -> Option<usize> {
        let places = &sorted[self.range(row)];
        let at = places.binary_search_by_key(&column, |place| self.columns[*place as usize] as usize).ok()?;
        Some(places[at] as usize)
    }

    /// Writes the reduced problem of the solver. The problem must have passed the check.
    pub(super) fn reduce(&self, sorted: &[u32], reduced: &mut Reduced) -> Result<()> {
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
            reduced.blocks.push(self.law(contact, diagonal));
        }
        Ok(())
    }

    /// The law of a contact with this block on the diagonal.
    fn law(&self, contact: usize, diagonal: &[f64]) -> Block {
        let d = self.dimension;
        let rolling = self.rolling.map_or(0.0, |rolling| rolling[contact]);
        let cone = Cone { rolling, ..Cone::of_friction(self.friction[contact]) };
        let entry = |row: usize| diagonal.get(row * (d + 1)).copied().unwrap_or(0.0);
        let scale = (entry(0) + entry(1) + entry(2)) / 3.0;
        let length = ((entry(1) + entry(2)) / (entry(3) + entry(4))).sqrt();
        let turns = d == 5 && length.is_finite() && length > 0.0;
        let law = Law::Contact { cone, dimension: d };
        Block { first: d * contact, law, scale, length: if turns { length } else { 1.0 } }
    }
}
