//! `L D L^T` of the quasi-definite matrix of a mechanism: bodies have positive pivots, rows negative ones.
//!
//! The factor is made row by row (T. Davis, Algorithm 849). Every sum has a fixed order, so its bits depend on its input alone.

use crate::error::{Result, refill};
use crate::solver::mechanism::pattern::Pattern;

/// A factor; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Ldl {
    /// The entries of `L` in the order of the pattern, and `1 / D`.
    values: Vec<f64>,
    inverse: Vec<f64>,
    /// Scratch buffers: where the next entry of each column goes, and a row.
    ends: Vec<u32>,
    work: Vec<f64>,
}

/// The bounds of pivots of rows, as magnitudes.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct PivotBounds {
    /// Round-off makes no pivot smaller than this one.
    pub(in crate::solver) smallest: f64,
    /// Below it a row follows from those before it.
    pub(in crate::solver) weak: f64,
}

impl Ldl {
    /// Factors the matrix with these entries of rows and this diagonal, in the order of elimination. Returns how many rows have a weak
    /// pivot; `None`: a number is not finite.
    pub(in crate::solver) fn factor(
        &mut self,
        pattern: &Pattern,
        entries: &[f64],
        diagonal: &[f64],
        bounds: PivotBounds,
    ) -> Result<Option<u32>> {
        let size = pattern.size();
        refill(&mut self.values, pattern.entries_of_factor(), 0.0, "entries of a factor")?;
        refill(&mut self.inverse, size, 0.0, "parts of a mechanism")?;
        refill(&mut self.work, size, 0.0, "parts of a mechanism")?;
        refill(&mut self.ends, size, 0, "parts of a mechanism")?;
        self.ends.iter_mut().enumerate().for_each(|(column, end)| *end = pattern.column(column).start as u32);
        let mut weak = 0;
        for (row, given) in diagonal.iter().enumerate().take(size) {
            let pivot = *given - self.factor_row(pattern, entries, row);
            if !pivot.is_finite() {
                return Ok(None);
            }
            let is_row = *given <= 0.0;
            weak += u32::from(is_row && pivot > -bounds.weak);
            self.inverse[row] = 1.0 / if is_row { pivot.min(-bounds.smallest) } else { pivot.max(0.5) };
        }
        Ok(Some(weak))
    }

    /// Makes a row of `L`, and returns what to subtract from its pivot.
    fn factor_row(&mut self, pattern: &Pattern, entries: &[f64], row: usize) -> f64 {
        let Self { values, inverse, ends, work } = self;
        for [column, source] in pattern.entries_of(row) {
            work[*column as usize] += entries[*source as usize];
        }
        let mut sum = 0.0;
        for column in pattern.columns_of(row) {
            let column = *column as usize;
            let value = std::mem::take(&mut work[column]);
            let known = pattern.column(column).start..ends[column] as usize;
            for (other, entry) in pattern.rows()[known.clone()].iter().zip(&values[known.clone()]) {
                work[*other as usize] -= entry * value;
            }
            let scaled = value * inverse[column];
            sum += scaled * value;
            values[known.end] = scaled;
            ends[column] += 1;
        }
        sum
    }

    /// Solves in place for `R` right sides at once, in the order of elimination.
    pub(in crate::solver) fn solve<const R: usize>(&self, pattern: &Pattern, x: &mut [[f64; R]]) {
        for column in 0..pattern.size().min(x.len()) {
            let own = x[column];
            let entries = pattern.column(column);
            for (row, entry) in pattern.rows()[entries.clone()].iter().zip(&self.values[entries]) {
                x[*row as usize].iter_mut().zip(&own).for_each(|(value, own)| *value -= entry * own);
            }
        }
        for column in (0..pattern.size().min(x.len())).rev() {
            let mut own = x[column].map(|value| value * self.inverse[column]);
            let entries = pattern.column(column);
            for (row, entry) in pattern.rows()[entries.clone()].iter().zip(&self.values[entries]) {
                own.iter_mut().zip(&x[*row as usize]).for_each(|(own, value)| *own -= entry * value);
            }
            x[column] = own;
        }
    }
}
