//! The reduced problem in units in which no body is very light or very heavy.
//!
//! `x = s lambda` and `y = w / s`, with one `s` for the rows of a contact, divided by its length for torques. The
//! factor is the same for all rows that a cone couples, so the laws keep their form, with bounds in the new units.
//! `s^2` is the geometric mean of the block's own diagonal and the mean of all. With either of the two alone, the
//! proximal term is too strong or too weak if masses differ much. The geometric mean converged best on random problems.

use crate::error::{Result, copy, empty, refill};
use crate::math::elementary::square;
use crate::solver::gauss_seidel::{local, rule};
use crate::solver::operator::reduced::{Block, Law, Reduced, Symmetric, parts, write_parts};
use crate::solver::problem::cone::{Cone, Parts};

/// `y = W x + q`, and the laws.
#[derive(Debug, Default)]
pub(in crate::solver) struct Scaled {
    /// The problem in the new units, except for the scales and lengths of the blocks.
    pub(in crate::solver) problem: Reduced,
    /// `s` of each row; zero if no impulse changes the block.
    pub(in crate::solver) factors: Vec<f64>,
}

impl Scaled {
    /// Copies a problem. Blocks that no impulse changes stay at `lambda`.
    pub(in crate::solver) fn set(&mut self, problem: &Reduced, lambda: &[f64]) -> Result<()> {
        refill(&mut self.factors, problem.size(), 0.0, "rows of a scaled contact problem")?;
        empty(&mut self.problem.blocks, problem.blocks.len(), "blocks of a scaled contact problem")?;
        let mean = mean_scale(problem);
        for block in problem.blocks.iter().filter(|block| block.scale > 0.0) {
            let factor = (mean * block.scale).sqrt().sqrt();
            for (at, row) in block.rows().enumerate() {
                self.factors[row] = if at < 3 { factor } else { factor / block.length };
            }
        }
        for block in &problem.blocks {
            self.problem.blocks.push(Block { law: self.law(problem, block, lambda), ..*block });
        }
        self.take_matrix(problem)
    }

    fn law(&self, problem: &Reduced, block: &Block, lambda: &[f64]) -> Law {
        let factor = self.factors[block.first];
        match block.law {
            Law::Contact { cone, dimension } => {
                let (rolling, twisting) = (cone.rolling / block.length, cone.twisting / block.length);
                Law::Contact { cone: Cone { rolling, twisting, ..cone }, dimension }
            }
            Law::Bounded { lower, upper, of } => {
                let other = of.map_or(0.0, |other| self.factors[problem.blocks[other].first]);
                if factor > 0.0 && other > 0.0 {
                    let ratio = factor / other;
                    return Law::Bounded { lower: lower * ratio, upper: upper * ratio, of };
                }
                let (lower, upper) = problem.bounds(lower, upper, of, lambda);
                Law::Bounded { lower: lower * factor, upper: upper * factor, of: None }
            }
        }
    }

    fn take_matrix(&mut self, problem: &Reduced) -> Result<()> {
        let (from, what) = (&problem.matrix, "entries of a scaled contact problem");
        let Reduced { matrix: Symmetric { offsets, columns, values }, q, .. } = &mut self.problem;
        refill(q, problem.size(), 0.0, what)?;
        copy(offsets, &from.offsets, what)?;
        copy(columns, &from.columns, what)?;
        empty(values, from.values.len(), what)?;
        for (row, q) in q.iter_mut().enumerate() {
            let own = inverse(self.factors[row]);
            *q = problem.q[row] * own;
            let (columns, entries) = from.row(row);
            let factors = &self.factors;
            values.extend(columns.iter().zip(entries).map(|(column, value)| value * own * inverse(factors[*column])));
        }
        Ok(())
    }

    /// Returns whether no impulse changes a block. Its impulses then stay as they are.
    pub(in crate::solver) fn is_fixed(&self, block: &Block) -> bool {
        self.factors[block.first] == 0.0
    }

    /// Returns the step of a projection for the diagonal of a block.
    pub(in crate::solver) fn rho(&self, block: &Block) -> f64 {
        let factor = self.factors[block.first];
        if block.scale > 0.0 { factor * factor / block.scale } else { 1.0 }
    }

    /// Converts `lambda` to `x`.
    pub(in crate::solver) fn take(&self, lambda: &[f64], x: &mut [f64]) {
        x.iter_mut().zip(lambda).zip(&self.factors).for_each(|((x, lambda), factor)| *x = lambda * factor);
    }

    /// Converts `x` to `lambda`. Rows that no impulse changes keep their values.
    pub(in crate::solver) fn give(&self, x: &[f64], lambda: &mut [f64]) {
        for ((lambda, x), factor) in lambda.iter_mut().zip(x).zip(&self.factors) {
            if *factor > 0.0 {
                *lambda = x / factor;
            }
        }
    }

    /// Computes `y = W x + q + alpha (x - center)`.
    pub(in crate::solver) fn proximal_velocity(&self, x: &[f64], alpha: f64, center: &[f64], y: &mut [f64]) {
        for (row, (y, q)) in y.iter_mut().zip(&self.problem.q).enumerate() {
            *y = q + self.problem.matrix.row_times(row, x) + alpha * (x[row] - center[row]);
        }
    }

    /// Returns the square of the error in `x - P(x - rho y)` of a proximal problem that is due to round-off.
    pub(in crate::solver) fn round_off(&self, x: &[f64], alpha: f64, rho: f64) -> f64 {
        let of_block = |block: &Block| -> f64 {
            let step = rho * self.rho(block);
            let of_row = |row: usize| {
                let (columns, values) = self.problem.matrix.row(row);
                let terms: f64 = columns.iter().zip(values).map(|(column, value)| (value * x[*column]).abs()).sum();
                square(step * (self.problem.q[row].abs() + terms + alpha * x[row].abs())) + square(x[row])
            };
            block.rows().map(of_row).sum()
        };
        f64::EPSILON * f64::EPSILON * self.problem.blocks.iter().map(of_block).sum::<f64>()
    }

    /// Sweeps over the blocks of `y = (W + alpha) x + q - alpha center`, and solves each alone. This moves Newton's
    /// method away from a point where it is caught between two pieces of the laws.
    pub(super) fn sweep(&self, alpha: f64, center: &[f64], x: &mut [f64]) {
        let Reduced { matrix, q, blocks } = &self.problem;
        for block in blocks.iter().filter(|block| !self.is_fixed(block)) {
            let mut y = [0.0; 6];
            for (y, row) in y.iter_mut().zip(block.rows()) {
                *y = q[row] + matrix.row_times(row, x) + alpha * (x[row] - center[row]);
            }
            match block.law {
                Law::Bounded { lower, upper, of } => {
                    let (lower, upper) = self.problem.bounds(lower, upper, of, x);
                    let row = block.first;
                    x[row] = (x[row] - y[0] / (matrix.entry(row, row) + alpha)).min(upper).max(lower);
                }
                Law::Contact { cone, dimension: 3 } => contact(matrix, alpha, block, &cone, &y, x),
                Law::Contact { cone, .. } => rolling(matrix, alpha, block, &cone, &y, x),
            }
        }
    }
}

/// Returns the mean diagonal of the blocks that impulses change.
fn mean_scale(problem: &Reduced) -> f64 {
    let scales = || problem.blocks.iter().map(|block| block.scale).filter(|scale| *scale > 0.0);
    scales().sum::<f64>() / scales().count().max(1) as f64
}

fn inverse(factor: f64) -> f64 {
    if factor > 0.0 { 1.0 / factor } else { 0.0 }
}

/// Returns the diagonal block.
fn diagonal(matrix: &Symmetric, alpha: f64, block: &Block) -> [[f64; 6]; 6] {
    let mut d = [[0.0; 6]; 6];
    for (i, row) in d.iter_mut().enumerate().take(block.dimension()) {
        for (k, entry) in row.iter_mut().enumerate().take(block.dimension()) {
            *entry = matrix.entry(block.first + i, block.first + k);
        }
        row[i] += alpha;
    }
    d
}

fn contact(matrix: &Symmetric, alpha: f64, block: &Block, cone: &Cone, y: &[f64; 6], x: &mut [f64]) {
    let d = diagonal(matrix, alpha, block);
    let first = block.first;
    let mut q = [y[0], y[1], y[2]];
    for i in 0..3 {
        for k in 0..3 {
            q[i] -= d[i][k] * x[first + k];
        }
    }
    let n = d[0][0];
    let s = [d[1][1] - d[0][1] * d[0][1] / n, d[1][2] - d[0][1] * d[0][2] / n, d[2][2] - d[0][2] * d[0][2] / n];
    // Jacobi's rotation of the 2 by 2 block.
    let (c, e) = if s[1] == 0.0 {
        (1.0, 0.0)
    } else {
        let tau = (s[2] - s[0]) / (2.0 * s[1]);
        let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        (c, t * c)
    };
    let turn = |a: f64, b: f64| [c * a - e * b, e * a + c * b];
    let t = if c == 0.0 { 0.0 } else { e / c };
    let tangential = [(s[0] - t * s[1]).max(alpha), (s[2] + t * s[1]).max(alpha)];
    let local = local::Block { normal: n, coupling: turn(d[0][1], d[0][2]), tangential };
    let [q1, q2] = turn(q[1], q[2]);
    let [r_n, r1, r2] = rule::solve(&local.prepared(), cone.dilation, [q[0], q1, q2], [0.0; 3], cone.friction);
    x[first] = r_n;
    x[first + 1] = c * r1 + e * r2;
    x[first + 2] = -e * r1 + c * r2;
}

fn rolling(matrix: &Symmetric, alpha: f64, block: &Block, cone: &Cone, y: &[f64; 6], x: &mut [f64]) {
    let d = diagonal(matrix, alpha, block);
    let dimension = block.dimension();
    let rho = 1.0 / (0..dimension).map(|i| d[i][..dimension].iter().map(|v| v.abs()).sum::<f64>()).fold(0.0, f64::max);
    let rows = &mut x[block.rows()];
    let mut y = *y;
    for _ in 0..20 {
        let before: [f64; 6] = std::array::from_fn(|k| if k < dimension { rows[k] } else { 0.0 });
        let (a, b) = (parts(rows), parts(&y[..dimension]));
        let trial = Parts {
            normal: a.normal - rho * (b.normal + cone.shift(&b)),
            bounded: std::array::from_fn(|k| a.bounded[k] - rho * b.bounded[k]),
        };
        write_parts(&cone.projected(&trial), rows);
        for i in 0..dimension {
            for k in 0..dimension {
                y[i] += d[i][k] * (rows[k] - before[k]);
            }
        }
    }
}
