//! The problem of one island in impulses alone: `w = W lambda + q`, with a law for each block of rows.
//!
//! `W = G M^-1 G^T + S` is the Delassus operator with its compliance. Solvers that need the operator whole work on this
//! form; the sweeps over bodies never make it. A host that has no bodies hands over this form itself.

use crate::error::{Result, empty, refill};
use crate::math::Vec3;
use crate::solver::problem::cone::{Cone, Parts, clamped_step};

/// What the impulses of a block obey.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// A contact with the rows `n, t1, t2`, or `n, t1, t2, r1, r2`, or `n, t1, t2, r1, r2, twist`.
    Contact {
        /// Its bounds.
        cone: Cone,
        /// 3, 5 or 6.
        dimension: usize,
    },
    /// One row: `lower <= lambda <= upper`, `w = 0` between, `w >= 0` at `lower`, `w <= 0` at `upper`.
    Bounded {
        /// Least impulse, may be infinite [N s].
        lower: f64,
        /// Largest impulse, may be infinite [N s].
        upper: f64,
        /// The bounds are to be multiplied by the magnitude of the impulse of this block, a row without such a factor.
        of: Option<usize>,
    },
}

/// Some rows that share a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Index of its first row.
    pub first: usize,
    /// What its impulses obey.
    pub law: Law,
    /// `1 / rho`: a third of the trace of the translational diagonal block, or the diagonal entry of a single row. 0: no impulse changes
    /// anything.
    pub scale: f64,
    /// The distance at which a torque counts as a force in the residual; of a row, what makes a velocity of `w` [m].
    pub length: f64,
}

impl Block {
    /// How many rows.
    pub fn dimension(&self) -> usize {
        match self.law {
            Law::Contact { dimension, .. } => dimension,
            Law::Bounded { .. } => 1,
        }
    }

    /// Its rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.dimension()
    }
}

/// A symmetric sparse matrix by rows, which are also its columns.
#[derive(Debug, Clone, Default)]
pub struct Symmetric {
    /// Where in `columns` and `values` each row begins, and where the last one ends.
    pub offsets: Vec<usize>,
    /// The columns of each row, rising.
    pub columns: Vec<usize>,
    /// The entries.
    pub values: Vec<f64>,
}

impl Symmetric {
    /// How many rows.
    pub fn size(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Columns and entries of a row.
    pub fn row(&self, row: usize) -> (&[usize], &[f64]) {
        let range = self.offsets[row]..self.offsets[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The row times a vector.
    #[inline]
    pub fn row_times(&self, row: usize, x: &[f64]) -> f64 {
        let (columns, values) = self.row(row);
        columns.iter().zip(values).map(|(column, value)| value * x[*column]).sum()
    }

    /// An entry, zero where none is stored.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        let (columns, values) = self.row(row);
        columns.binary_search(&column).map_or(0.0, |at| values[at])
    }
}

/// The problem of one island.
#[derive(Debug, Clone, Default)]
pub struct Reduced {
    /// `W`, compliance included [m/s per N s].
    pub matrix: Symmetric,
    /// `w` without any impulse [m/s].
    pub q: Vec<f64>,
    /// The rows in blocks, one after the other.
    pub blocks: Vec<Block>,
}

impl Reduced {
    /// How many rows.
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// `w = W lambda + q`, into `w`.
    pub fn velocity(&self, lambda: &[f64], w: &mut [f64]) {
        for (row, (w, q)) in w.iter_mut().zip(&self.q).enumerate() {
            *w = q + self.matrix.row_times(row, lambda);
        }
    }

    /// The bounds of a single row at the impulses `lambda`.
    pub fn bounds(&self, lower: f64, upper: f64, of: Option<usize>, lambda: &[f64]) -> (f64, f64) {
        match of {
            // infinity times nothing is no number
            Some(block) => {
                let factor = lambda[self.blocks[block].first].abs();
                if factor == 0.0 { (0.0, 0.0) } else { (lower * factor, upper * factor) }
            }
            None => (lower, upper),
        }
    }

    /// How far a block is from its law, at the impulses `lambda` of all rows and their `w` [m/s].
    pub fn block_residual(&self, block: &Block, lambda: &[f64], w: &[f64]) -> f64 {
        if block.scale == 0.0 {
            return 0.0;
        }
        match block.law {
            Law::Contact { cone, .. } => {
                let rows = block.rows();
                let (lambda, w) = (parts(&lambda[rows.clone()]), parts(&w[rows]));
                cone.residual(&lambda, &w, block.scale, block.length)
            }
            Law::Bounded { lower, upper, of } => {
                let (lower, upper) = self.bounds(lower, upper, of, lambda);
                let value = lambda[block.first];
                clamped_step(value, w[block.first] / block.scale, lower, upper).abs() * block.scale * block.length
            }
        }
    }

    /// The largest residual over the blocks [m/s]; one that is no number counts as infinite.
    pub fn residual(&self, lambda: &[f64], w: &[f64]) -> f64 {
        self.blocks.iter().fold(0.0, |largest: f64, block| {
            let residual = self.block_residual(block, lambda, w);
            if residual.is_nan() { f64::INFINITY } else { largest.max(residual) }
        })
    }

    /// Brings every block to the nearest impulses that its law allows, contacts in the metric of the residual.
    pub fn project(&self, lambda: &mut [f64]) {
        // Rows with a factor come second: they need the projected impulse of another row.
        for coupled in [false, true] {
            let is_now = |block: &&Block| matches!(block.law, Law::Bounded { of: Some(_), .. }) == coupled;
            self.blocks.iter().filter(is_now).for_each(|block| self.project_block(block, None, lambda));
        }
    }

    /// Does the same to one block. The bounds of a coupled row are multiples of an impulse of `factors`, or of `lambda`.
    pub fn project_block(&self, block: &Block, factors: Option<&[f64]>, lambda: &mut [f64]) {
        match block.law {
            Law::Contact { cone, .. } => {
                let rows = &mut lambda[block.rows()];
                write_parts(&cone.projected_at(&parts(rows), block.length), rows);
            }
            Law::Bounded { lower, upper, of } => {
                let (lower, upper) = self.bounds(lower, upper, of, factors.unwrap_or(lambda));
                let value = &mut lambda[block.first];
                *value = value.min(upper).max(lower);
            }
        }
    }

    /// Brings impulses to the bounds of the laws; `w` becomes their velocities. Returns the residual [m/s].
    pub fn measure(&self, lambda: &mut [f64], w: &mut [f64]) -> f64 {
        self.project(lambda);
        self.velocity(lambda, w);
        self.residual(lambda, w)
    }

    /// [`Reduced::measure`] of a start. One with numbers that are not finite, or so large that its velocities are not, is
    /// replaced by zeros.
    pub fn start(&self, lambda: &mut [f64], w: &mut [f64]) -> f64 {
        if lambda.iter().all(|value| value.is_finite()) {
            let residual = self.measure(lambda, w);
            if residual.is_finite() {
                return residual;
            }
        }
        lambda.fill(0.0);
        self.measure(lambda, w)
    }

    /// The largest round-off of a row of `W lambda + q`, in the units of the residual [m/s].
    ///
    /// Every term contributes half a unit in its last place at most, and those errors mostly cancel: what a residual can
    /// fall to is about this.
    pub fn round_off(&self, lambda: &[f64]) -> f64 {
        self.round_off_with(|row| {
            let (columns, values) = self.matrix.row(row);
            columns.iter().zip(values).map(|(column, value)| (value * lambda[*column]).abs()).sum()
        })
    }

    /// The same where `terms` has the sum of the magnitudes of the terms of each row.
    pub fn round_off_of(&self, terms: &[f64]) -> f64 {
        self.round_off_with(|row| terms[row])
    }

    fn round_off_with(&self, terms: impl Fn(usize) -> f64) -> f64 {
        let of_row = |block: &Block, row: usize| {
            let is_velocity = block.dimension() > 1 && row < block.first + 3;
            (self.q[row].abs() + terms(row)) * if is_velocity { 1.0 } else { block.length }
        };
        let of_block = |block: &Block| block.rows().map(|row| of_row(block, row)).fold(0.0, f64::max);
        f64::EPSILON * self.blocks.iter().filter(|block| block.scale > 0.0).map(of_block).fold(0.0, f64::max)
    }

    /// Empties the problem and reserves memory for its blocks and rows.
    pub fn clear(&mut self, blocks: usize, rows: usize) -> Result<()> {
        self.matrix.columns.clear();
        self.matrix.values.clear();
        empty(&mut self.blocks, blocks, "blocks of the contact problem")?;
        refill(&mut self.q, rows, 0.0, "rows of the contact problem")?;
        empty(&mut self.matrix.offsets, rows + 1, "rows of the contact problem")
    }
}

/// The rows of a contact as vectors.
pub fn parts(rows: &[f64]) -> Parts {
    let mut bounded = [Vec3::zeros(); 3];
    bounded[0] = Vec3::new(rows[1], rows[2], 0.0);
    if rows.len() >= 5 {
        bounded[1] = Vec3::new(rows[3], rows[4], 0.0);
    }
    if rows.len() == 6 {
        bounded[2].x = rows[5];
    }
    Parts { normal: rows[0], bounded }
}

/// Writes vectors as the rows of a contact; [`parts`] reads them.
pub fn write_parts(parts: &Parts, rows: &mut [f64]) {
    let [friction, rolling, twisting] = &parts.bounded;
    let all = [parts.normal, friction.x, friction.y, rolling.x, rolling.y, twisting.x];
    rows.copy_from_slice(&all[..rows.len()]);
}
