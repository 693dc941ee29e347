//! The reduced problem in units in which no body is very light or very heavy.
//!
//! `x = s lambda`, `y = w / s`, with one `s` for the rows of a contact, over its length for torques. The factor is the
//! same for all that a cone binds together, so the laws keep their form, with bounds in the new units. `s^2` is the
//! geometric mean of the block's own diagonal and the mean of all: with the block's own alone, or with the mean alone,
//! the proximal term is too strong or too weak where masses differ much; halfway both converged best on random problems.

use crate::error::{Result, empty, refill, reserve};
use crate::math::elementary::square;
use crate::solver::operator::reduced::{self, Law, Reduced, Symmetric};
use crate::solver::problem::cone::Cone;

/// A block in the new units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Block {
    /// Its first row.
    pub(in crate::solver) first: usize,
    /// How many rows.
    pub(in crate::solver) dimension: usize,
    /// What its impulses obey.
    pub(in crate::solver) law: ScaledLaw,
    /// The step of a projection that suits its diagonal.
    pub(in crate::solver) rho: f64,
}

/// The laws of the reduced problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) enum ScaledLaw {
    /// No impulse changes anything: it stays as it is.
    Fixed,
    /// A contact.
    Contact(Cone),
    /// A row between bounds, which are multiplied by the magnitude of `x` in the row `of`.
    Bounded {
        /// Least value.
        lower: f64,
        /// Largest value.
        upper: f64,
        /// A row.
        of: Option<usize>,
    },
}

/// `y = W x + q`.
#[derive(Debug, Default)]
pub(in crate::solver) struct Scaled {
    /// `W`.
    pub(in crate::solver) matrix: Symmetric,
    /// `q`.
    pub(in crate::solver) q: Vec<f64>,
    /// The laws.
    pub(in crate::solver) blocks: Vec<Block>,
    /// `s` of each row, zero where no impulse changes anything.
    factors: Vec<f64>,
}

impl Scaled {
    /// Takes over a problem. Blocks that no impulse changes stay at `lambda`.
    pub(in crate::solver) fn set(&mut self, problem: &Reduced, lambda: &[f64]) -> Result<()> {
        let size = problem.size();
        refill(&mut self.factors, size, 0.0, "rows of a scaled contact problem")?;
        empty(&mut self.blocks, problem.blocks.len(), "blocks of a scaled contact problem")?;
        let mean = mean_scale(problem);
        for block in problem.blocks.iter().filter(|block| block.scale > 0.0) {
            let factor = (mean * block.scale).sqrt().sqrt();
            for (at, row) in block.rows().enumerate() {
                self.factors[row] = if at < 3 { factor } else { factor / block.length };
            }
        }
        for block in &problem.blocks {
            let law = self.law(problem, block, lambda);
            let factor = self.factors[block.first];
            let rho = if block.scale > 0.0 { factor * factor / block.scale } else { 1.0 };
            self.blocks.push(Block { first: block.first, dimension: block.dimension(), law, rho });
        }
        self.take_matrix(problem)
    }

    fn law(&self, problem: &Reduced, block: &reduced::Block, lambda: &[f64]) -> ScaledLaw {
        let factor = self.factors[block.first];
        if factor == 0.0 {
            return ScaledLaw::Fixed;
        }
        match block.law {
            Law::Contact { cone, .. } => ScaledLaw::Contact(Cone {
                friction: cone.friction,
                rolling: cone.rolling / block.length,
                twisting: cone.twisting / block.length,
            }),
            Law::Bounded { lower, upper, of } => {
                let row = of.map(|other| problem.blocks[other].first);
                if let Some(row) = row.filter(|row| self.factors[*row] > 0.0) {
                    let ratio = factor / self.factors[row];
                    return ScaledLaw::Bounded { lower: lower * ratio, upper: upper * ratio, of: Some(row) };
                }
                let (lower, upper) = problem.bounds(lower, upper, of, lambda);
                ScaledLaw::Bounded { lower: lower * factor, upper: upper * factor, of: None }
            }
        }
    }

    fn take_matrix(&mut self, problem: &Reduced) -> Result<()> {
        let (from, what) = (&problem.matrix, "entries of a scaled contact problem");
        refill(&mut self.q, problem.size(), 0.0, what)?;
        self.matrix.offsets.clear();
        self.matrix.columns.clear();
        self.matrix.values.clear();
        reserve(&mut self.matrix.offsets, from.offsets.len(), what)?;
        reserve(&mut self.matrix.columns, from.columns.len(), what)?;
        reserve(&mut self.matrix.values, from.values.len(), what)?;
        self.matrix.offsets.extend_from_slice(&from.offsets);
        self.matrix.columns.extend_from_slice(&from.columns);
        for row in 0..problem.size() {
            let own = inverse(self.factors[row]);
            self.q[row] = problem.q[row] * own;
            let (columns, values) = from.row(row);
            let factors = &self.factors;
            let scaled = columns.iter().zip(values).map(|(column, value)| value * own * inverse(factors[*column]));
            self.matrix.values.extend(scaled);
        }
        Ok(())
    }

    /// `x` of `lambda`.
    pub(in crate::solver) fn take(&self, lambda: &[f64], x: &mut [f64]) {
        x.iter_mut().zip(lambda).zip(&self.factors).for_each(|((x, lambda), factor)| *x = lambda * factor);
    }

    /// `lambda` of `x`; rows without effect keep what they have.
    pub(in crate::solver) fn give(&self, x: &[f64], lambda: &mut [f64]) {
        for ((lambda, x), factor) in lambda.iter_mut().zip(x).zip(&self.factors) {
            if *factor > 0.0 {
                *lambda = x / factor;
            }
        }
    }

    /// `y = W x + q + alpha (x - center)`.
    pub(in crate::solver) fn proximal_velocity(&self, x: &[f64], alpha: f64, center: &[f64], y: &mut [f64]) {
        for (row, (y, q)) in y.iter_mut().zip(&self.q).enumerate() {
            *y = q + self.matrix.row_times(row, x) + alpha * (x[row] - center[row]);
        }
    }

    /// The square of the error that round-off alone leaves in `x - P(x - rho y)` of a proximal problem.
    pub(in crate::solver) fn round_off(&self, x: &[f64], alpha: f64, rho: f64) -> f64 {
        let of_block = |block: &Block| -> f64 {
            let of_row = |row: usize| {
                let (columns, values) = self.matrix.row(row);
                let terms: f64 = columns.iter().zip(values).map(|(column, value)| (value * x[*column]).abs()).sum();
                square(rho * block.rho * (self.q[row].abs() + terms + alpha * x[row].abs())) + square(x[row])
            };
            (block.first..block.first + block.dimension).map(of_row).sum()
        };
        f64::EPSILON * f64::EPSILON * self.blocks.iter().map(of_block).sum::<f64>()
    }
}

/// The mean diagonal of the blocks that impulses change.
fn mean_scale(problem: &Reduced) -> f64 {
    let scales = || problem.blocks.iter().map(|block| block.scale).filter(|scale| *scale > 0.0);
    scales().sum::<f64>() / scales().count().max(1) as f64
}

fn inverse(factor: f64) -> f64 {
    if factor > 0.0 { 1.0 / factor } else { 0.0 }
}
