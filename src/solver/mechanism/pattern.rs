//! The pattern of the factor, scalar by scalar.

use std::ops::Range;

use crate::error::{Result, empty, out_of_memory, refill};
use crate::solver::mechanism::order::Order;
use crate::solver::mechanism::starts::{accumulate, shift_back};
use crate::solver::operator::blocks::{IMMOVABLE, SIX};

/// The pattern of `L` and of the matrix to factor, both in the order of elimination.
#[derive(Debug, Default)]
pub(in crate::solver) struct Pattern {
    /// The place of the first scalar of each node, bodies first.
    firsts: Vec<u32>,
    /// The rows of `L` below the diagonal, column by column, ascending; and where each column starts.
    rows: Vec<u32>,
    starts: Vec<u32>,
    /// The columns of `L` left of the diagonal, row by row, ascending; and where each row starts.
    columns: Vec<u32>,
    row_starts: Vec<u32>,
    /// The entries of the matrix left of the diagonal, row by row: the column, and the place in the entries of the mechanism's rows.
    entries: Vec<[u32; 2]>,
    entry_starts: Vec<u32>,
}

/// The joints of a mechanism: how many rows each has, and the numbers of its bodies or [`IMMOVABLE`].
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Joints<'a> {
    pub(in crate::solver) pairs: &'a [[u32; 2]],
    pub(in crate::solver) sizes: &'a [u32],
}

impl Pattern {
    /// Finds the pattern of an order. The rows of joints follow each other in the order of the joints.
    pub(in crate::solver) fn find(&mut self, order: &Order, bodies: usize, joints: Joints) -> Result<()> {
        let size = |node: u32| match (node as usize).checked_sub(bodies) {
            None => SIX as u32,
            Some(joint) => joints.sizes.get(joint).copied().unwrap_or(0),
        };
        refill(&mut self.firsts, bodies + joints.sizes.len(), 0, "parts of a mechanism")?;
        let mut first = 0;
        for node in order.nodes() {
            self.firsts[*node as usize] = first;
            first += size(*node);
        }
        self.find_columns(order, size, first as usize)?;
        self.find_rows(first as usize)?;
        self.find_entries(bodies, joints, first as usize)
    }

    /// Returns how many scalars there are.
    pub(in crate::solver) fn size(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns how many entries `L` has below its diagonal.
    pub(in crate::solver) fn entries_of_factor(&self) -> usize {
        self.rows.len()
    }

    /// Returns the place of the first scalar of a node.
    #[inline(always)]
    pub(in crate::solver) fn first(&self, node: usize) -> usize {
        self.firsts[node] as usize
    }

    /// Returns where the entries of a column of `L` stand.
    #[inline(always)]
    pub(in crate::solver) fn column(&self, column: usize) -> Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    /// Returns the rows of all entries of `L`.
    #[inline(always)]
    pub(in crate::solver) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the columns in which a row of `L` has entries, ascending.
    #[inline(always)]
    pub(in crate::solver) fn columns_of(&self, row: usize) -> &[u32] {
        &self.columns[self.row_starts[row] as usize..self.row_starts[row + 1] as usize]
    }

    /// Returns the entries of a row of the matrix: the column and the place of the value.
    #[inline(always)]
    pub(in crate::solver) fn entries_of(&self, row: usize) -> &[[u32; 2]] {
        &self.entries[self.entry_starts[row] as usize..self.entry_starts[row + 1] as usize]
    }

    fn find_columns(&mut self, order: &Order, size: impl Fn(u32) -> u32, scalars: usize) -> Result<()> {
        let Self { firsts, rows, starts, .. } = self;
        let below = |place: usize| order.rows(place).iter().map(|node| u64::from(size(*node))).sum::<u64>();
        let total: u64 = (0..order.nodes().len())
            .map(|place| {
                let own = u64::from(size(order.nodes()[place]));
                let triangle = if order.is_full(order.nodes()[place] as usize) { own * (own - 1) / 2 } else { 0 };
                triangle + own * below(place)
            })
            .sum();
        let total = u32::try_from(total).map_err(|_| out_of_memory("entries of a factor", usize::MAX))?;
        empty(rows, total as usize, "entries of a factor")?;
        empty(starts, scalars + 1, "parts of a mechanism")?;
        starts.push(0);
        for (place, node) in order.nodes().iter().enumerate() {
            let own = firsts[*node as usize]..firsts[*node as usize] + size(*node);
            for column in own.clone() {
                if order.is_full(*node as usize) {
                    rows.extend(column + 1..own.end);
                }
                for other in order.rows(place) {
                    let first = firsts[*other as usize];
                    rows.extend(first..first + size(*other));
                }
                starts.push(rows.len() as u32);
            }
        }
        Ok(())
    }

    fn find_rows(&mut self, scalars: usize) -> Result<()> {
        let Self { rows, starts, columns, row_starts, .. } = self;
        refill(row_starts, scalars + 1, 0, "parts of a mechanism")?;
        rows.iter().for_each(|row| row_starts[*row as usize + 1] += 1);
        accumulate(row_starts);
        refill(columns, rows.len(), 0, "entries of a factor")?;
        for column in 0..scalars {
            for row in &rows[starts[column] as usize..starts[column + 1] as usize] {
                let place = &mut row_starts[*row as usize];
                columns[*place as usize] = column as u32;
                *place += 1;
            }
        }
        shift_back(row_starts);
        Ok(())
    }

    fn find_entries(&mut self, bodies: usize, joints: Joints, scalars: usize) -> Result<()> {
        let Self { firsts, entries, entry_starts, .. } = self;
        refill(entry_starts, scalars + 1, 0, "parts of a mechanism")?;
        let visit = |visit: &mut dyn FnMut(u32, u32, u32)| {
            let mut source = 0;
            for (joint, (pair, size)) in joints.pairs.iter().zip(joints.sizes).enumerate() {
                for row in firsts[bodies + joint]..firsts[bodies + joint] + size {
                    for body in pair {
                        let first = if *body == IMMOVABLE { None } else { firsts.get(*body as usize) };
                        for axis in 0..SIX as u32 {
                            if let Some(first) = first {
                                visit(row.max(first + axis), row.min(first + axis), source);
                            }
                            source += 1;
                        }
                    }
                }
            }
        };
        visit(&mut |row, _, _| entry_starts[row as usize + 1] += 1);
        accumulate(entry_starts);
        refill(entries, entry_starts.last().copied().unwrap_or(0) as usize, [0; 2], "rows of a mechanism")?;
        visit(&mut |row, column, source| {
            let place = &mut entry_starts[row as usize];
            entries[*place as usize] = [column, source];
            *place += 1;
        });
        shift_back(entry_starts);
        Ok(())
    }
}
