//! The matrix of a Newton step, `F_x + F_y (W + alpha)`, in a pattern that is the same for every step of a problem.

use crate::error::{Result, reserve, resize};
use crate::solver::newton::map::Slope;
use crate::solver::newton::scaled::{Block, Scaled, ScaledLaw};
use crate::solver::operator::linear::Linear;

/// The matrix and its factorisation.
#[derive(Debug, Default)]
pub(super) struct System {
    linear: Linear,
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    /// Where in its row of this matrix each entry of `W` goes.
    places: Vec<usize>,
}

impl System {
    /// The rows of a block have one pattern: what any of them has in `W`, the block itself, and the row it depends on.
    pub(super) fn set(&mut self, scaled: &Scaled) -> Result<()> {
        let (matrix, what) = (&scaled.matrix, "entries of a Newton matrix");
        self.offsets.clear();
        self.columns.clear();
        self.places.clear();
        reserve(&mut self.offsets, matrix.size() + 1, what)?;
        reserve(&mut self.columns, matrix.columns.len(), what)?;
        resize(&mut self.places, matrix.columns.len(), 0, what)?;
        self.offsets.push(0);
        for block in &scaled.blocks {
            let rows = block.first..block.first + block.dimension;
            let start = self.columns.len();
            for row in rows.clone() {
                let columns = matrix.row(row).0;
                reserve(&mut self.columns, columns.len() + 2, what)?;
                self.columns.extend_from_slice(columns);
                self.columns.push(row);
            }
            if let ScaledLaw::Bounded { of: Some(other), .. } = block.law {
                self.columns.push(other);
            }
            let width = sort_unique(&mut self.columns, start);
            for row in rows.clone() {
                let pattern = &self.columns[start..start + width];
                for at in matrix.offsets[row]..matrix.offsets[row + 1] {
                    self.places[at] = pattern.binary_search(&matrix.columns[at]).unwrap_or(0);
                }
            }
            self.offsets.push(start + width);
            for _ in 1..block.dimension {
                reserve(&mut self.columns, width, what)?;
                self.columns.extend_from_within(start..start + width);
                self.offsets.push(self.columns.len());
            }
        }
        resize(&mut self.values, self.columns.len(), 0.0, what)?;
        self.values.truncate(self.columns.len());
        self.linear.analyse(&self.offsets, &self.columns)
    }

    /// Fills the matrix from the derivatives of the blocks.
    pub(super) fn fill(&mut self, scaled: &Scaled, alpha: f64, slope: impl Fn(&Block) -> Slope) {
        self.values.fill(0.0);
        for block in &scaled.blocks {
            let slope = slope(block);
            for i in 0..block.dimension {
                let start = self.offsets[block.first + i];
                let end = self.offsets[block.first + i + 1];
                let pattern = &self.columns[start..end];
                let values = &mut self.values[start..end];
                for k in 0..block.dimension {
                    let row = block.first + k;
                    let own = pattern.binary_search(&row).unwrap_or(0);
                    values[own] += slope.by_x[i][k] + alpha * slope.by_y[i][k];
                    let factor = slope.by_y[i][k];
                    if factor != 0.0 {
                        let entries = scaled.matrix.offsets[row]..scaled.matrix.offsets[row + 1];
                        for (place, value) in self.places[entries.clone()].iter().zip(&scaled.matrix.values[entries]) {
                            values[*place] += factor * value;
                        }
                    }
                }
                if let (ScaledLaw::Bounded { of: Some(other), .. }, true) = (block.law, slope.by_other != 0.0) {
                    let place = pattern.binary_search(&other).unwrap_or(0);
                    values[place] += slope.by_other;
                }
            }
        }
    }

    /// Solves for `x`, which comes in as the right-hand side; `false` where the matrix is singular.
    pub(super) fn solve(&mut self, x: &mut [f64]) -> Result<bool> {
        self.linear.solve(&self.values, x)
    }
}

/// Sorts what begins at `start` and drops repetitions; how many stay.
fn sort_unique(columns: &mut Vec<usize>, start: usize) -> usize {
    columns[start..].sort_unstable();
    let mut kept = start;
    for at in start..columns.len() {
        if at == start || columns[at] != columns[kept - 1] {
            columns[kept] = columns[at];
            kept += 1;
        }
    }
    columns.truncate(kept);
    kept - start
}
