//! The laws as equations `F(x, y) = 0`, block by block, with a derivative for Newton's method, and the matrix of its step.
//!
//! `F = x - P(x - y ...)`, where `P` projects a block on the set that its law allows. Two forms have the same zeros.
//! The *natural* map projects on the cone after the shift `y_n + (1 - d) sum mu_k |y_k|` of De Saxce. The map of Alart
//! and Curnier projects the normal part, after `y_n - d sum mu_k |y_k|`, on the half-line. It projects the other parts
//! on disks whose radii are proportional to the projected normal part. The dilation `d` is that of the friction law.

use crate::error::{Result, empty, reserve, resize};
use crate::math::{Vec3, length_of};
use crate::solver::newton::scaled::Scaled;
use crate::solver::operator::linear::Linear;
use crate::solver::operator::reduced::{Block, Law, parts};
use crate::solver::problem::cone::Cone;

/// A small square matrix, of which the first rows and columns are used.
pub(in crate::solver) type Small = [[f64; 6]; 6];

/// The form of the equations of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum Form {
    Natural,
    AlartCurnier,
}

/// One proximal problem: its weight, and the equations by which it is solved.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Proximal {
    pub(in crate::solver) alpha: f64,
    pub(in crate::solver) form: Form,
    /// The step of the projection, as a multiple of the step of each block.
    pub(in crate::solver) rho: f64,
}

/// `dF = by_x dx + by_y dy + by_other dx[of]`. The last term is for bounds that are multiples of `x[of]`.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Slope {
    pub(in crate::solver) by_x: Small,
    pub(in crate::solver) by_y: Small,
    pub(in crate::solver) by_other: f64,
}

const ZERO: Small = [[0.0; 6]; 6];

/// The rows of each part: friction, rolling, twisting.
const PARTS: [std::ops::Range<usize>; 3] = [1..3, 3..5, 5..6];

/// Computes `F` of a block, and writes it to `f`. `x`, `y` and `f` have all rows.
pub(in crate::solver) fn value(scaled: &Scaled, block: &Block, now: Proximal, x: &[f64], y: &[f64], f: &mut [f64]) {
    let (rows, rho) = (block.rows(), now.rho * scaled.rho(block));
    match block.law {
        _ if scaled.is_fixed(block) => f[rows].fill(0.0),
        Law::Contact { cone, .. } => {
            let onto = Projected::new(&cone, now.form, &x[rows.clone()], &y[rows.clone()], rho).rows();
            for (row, onto) in rows.zip(onto) {
                f[row] = x[row] - onto;
            }
        }
        Law::Bounded { lower, upper, of } => {
            let row = block.first;
            let (lower, upper) = scaled.problem.bounds(lower, upper, of, x);
            f[row] = x[row] - (x[row] - rho * y[row]).min(upper).max(lower);
        }
    }
}

/// Returns the derivative of `F`.
pub(in crate::solver) fn slope(scaled: &Scaled, block: &Block, now: Proximal, x: &[f64], y: &[f64]) -> Slope {
    let (rows, rho) = (block.rows(), now.rho * scaled.rho(block));
    match block.law {
        _ if scaled.is_fixed(block) => identity(rows.len()),
        Law::Contact { cone, dimension } => {
            Projected::new(&cone, now.form, &x[rows.clone()], &y[rows], rho).slope(dimension, rho)
        }
        Law::Bounded { lower, upper, of } => {
            let row = block.first;
            let trial = x[row] - rho * y[row];
            let (low, high) = scaled.problem.bounds(lower, upper, of, x);
            let mut slope = identity(1);
            if trial > low && trial < high {
                slope.by_x[0][0] = 0.0;
                slope.by_y[0][0] = rho;
            } else if let Some(other) = of {
                let bound = if trial >= high { upper } else { lower };
                let factor = x[scaled.problem.blocks[other].first];
                slope.by_other = if bound.is_finite() { -bound * factor.signum() } else { 0.0 };
            }
            slope
        }
    }
}

fn identity(dimension: usize) -> Slope {
    let mut by_x = ZERO;
    (0..dimension).for_each(|at| by_x[at][at] = 1.0);
    Slope { by_x, by_y: ZERO, by_other: 0.0 }
}

/// A projected trial point, and the values that its derivative needs.
struct Projected {
    form: Form,
    bounds: [f64; 3],
    /// The factor of `-rho sum mu_k |y_k|` in the normal part of the trial [-].
    shifted: f64,
    /// The normal part of the result.
    normal: f64,
    /// Lengths of the bounded parts of the trial, and their directions.
    lengths: [f64; 3],
    directions: [Vec3; 3],
    /// The directions of the velocities.
    slip: [Vec3; 3],
    /// Whether each part was shortened.
    outside: [bool; 3],
    open: bool,
}

impl Projected {
    fn new(cone: &Cone, form: Form, x: &[f64], y: &[f64], rho: f64) -> Self {
        let (x, y) = (parts(x), parts(y));
        let bounds = cone.bounds();
        let trial: [Vec3; 3] = std::array::from_fn(|k| x.bounded[k] - rho * y.bounded[k]);
        let lengths = trial.map(|part| length_of(&part));
        let (normal, shifted, outside) = match form {
            Form::Natural => {
                let (normal, factors) = cone.project(x.normal - rho * (y.normal + cone.shift(&y)), lengths);
                (normal, 1.0 - cone.dilation, std::array::from_fn(|k| factors[k] < 1.0 || bounds[k] == 0.0))
            }
            Form::AlartCurnier => {
                let normal = (x.normal - rho * (y.normal - cone.lift(&y))).max(0.0);
                (normal, -cone.dilation, std::array::from_fn(|k| lengths[k] > bounds[k] * normal || bounds[k] == 0.0))
            }
        };
        Self {
            form,
            bounds,
            shifted,
            normal,
            lengths,
            directions: trial.map(direction),
            slip: y.bounded.map(direction),
            outside,
            open: normal <= 0.0,
        }
    }

    /// Returns the result in rows.
    fn rows(&self) -> [f64; 6] {
        let mut rows = [0.0; 6];
        if self.open {
            return rows;
        }
        rows[0] = self.normal;
        for (k, part) in PARTS.into_iter().enumerate() {
            let length = if self.outside[k] { self.bounds[k] * self.normal } else { self.lengths[k] };
            for (at, row) in part.clone().enumerate() {
                rows[row] = length * self.directions[k][at];
            }
        }
        rows
    }

    /// Returns the derivative of the result by the trial point. The contact must not be open.
    fn by_trial(&self) -> Small {
        let mut by = ZERO;
        by[0][0] = 1.0;
        if self.form == Form::Natural {
            let weight: f64 =
                1.0 + (0..3).filter(|k| self.outside[*k]).map(|k| self.bounds[k] * self.bounds[k]).sum::<f64>();
            by[0][0] = 1.0 / weight;
            for k in (0..3).filter(|k| self.outside[*k]) {
                for (at, row) in PARTS[k].clone().enumerate() {
                    by[0][row] = self.bounds[k] * self.directions[k][at] / weight;
                }
            }
        }
        let of_normal = by[0];
        for (k, part) in PARTS.into_iter().enumerate() {
            for (i, row) in part.clone().enumerate() {
                if !self.outside[k] {
                    by[row][row] = 1.0;
                    continue;
                }
                let turn = if self.lengths[k] > 0.0 { self.bounds[k] * self.normal / self.lengths[k] } else { 0.0 };
                let direction = &self.directions[k];
                for column in 0..6 {
                    by[row][column] = self.bounds[k] * direction[i] * of_normal[column];
                }
                for (j, column) in part.clone().enumerate() {
                    let identity = if i == j { 1.0 } else { 0.0 };
                    by[row][column] += turn * (identity - direction[i] * direction[j]);
                }
            }
        }
        by
    }

    fn slope(&self, dimension: usize, rho: f64) -> Slope {
        let mut slope = identity(dimension);
        if self.open {
            return slope;
        }
        for (row, by_trial) in self.by_trial().iter().enumerate().take(dimension) {
            for (column, by) in by_trial.iter().enumerate().take(dimension) {
                slope.by_x[row][column] -= by;
                slope.by_y[row][column] = rho * by;
            }
            if self.shifted != 0.0 {
                for (k, part) in PARTS.into_iter().enumerate() {
                    for (at, column) in part.clone().enumerate() {
                        slope.by_y[row][column] +=
                            rho * by_trial[0] * (self.shifted * self.bounds[k]) * self.slip[k][at];
                    }
                }
            }
        }
        slope
    }
}

fn direction(part: Vec3) -> Vec3 {
    let length = length_of(&part);
    if length > 0.0 { part / length } else { Vec3::zeros() }
}

/// The matrix of a Newton step, `F_x + F_y (W + alpha)`, and its factorisation. The pattern of the matrix is the same
/// for every step of a problem.
#[derive(Debug, Default)]
pub(super) struct System {
    pub(super) linear: Linear,
    offsets: Vec<usize>,
    columns: Vec<usize>,
    pub(super) values: Vec<f64>,
    /// The columns of the present block.
    pattern: Vec<usize>,
    /// The place of each entry of `W` in its row of this matrix.
    places: Vec<usize>,
}

impl System {
    /// Writes the pattern of the matrix. All rows of a block have the same pattern: the entries of any of them in `W`,
    /// the block itself, and the row on which it depends.
    pub(super) fn set(&mut self, scaled: &Scaled) -> Result<()> {
        let (problem, what) = (&scaled.problem, "entries of a Newton matrix");
        let matrix = &problem.matrix;
        empty(&mut self.offsets, matrix.size() + 1, what)?;
        empty(&mut self.columns, matrix.columns.len(), what)?;
        resize(&mut self.places, matrix.columns.len(), 0, what)?;
        self.offsets.push(0);
        for block in &problem.blocks {
            let rows = block.rows();
            let entries = matrix.offsets[rows.start]..matrix.offsets[rows.end];
            empty(&mut self.pattern, entries.len() + rows.len() + 1, what)?;
            self.pattern.extend_from_slice(&matrix.columns[entries.clone()]);
            self.pattern.extend(rows.clone());
            if let Law::Bounded { of: Some(other), .. } = block.law {
                self.pattern.push(problem.blocks[other].first);
            }
            self.pattern.sort_unstable();
            self.pattern.dedup();
            for (place, column) in self.places[entries.clone()].iter_mut().zip(&matrix.columns[entries]) {
                *place = self.pattern.binary_search(column).unwrap_or(0);
            }
            reserve(&mut self.columns, rows.len() * self.pattern.len(), what)?;
            for _ in rows {
                self.columns.extend_from_slice(&self.pattern);
                self.offsets.push(self.columns.len());
            }
        }
        resize(&mut self.values, self.columns.len(), 0.0, what)?;
        self.linear.analyse(&self.offsets, &self.columns)
    }

    /// Fills the matrix from the derivatives of the blocks.
    pub(super) fn fill(&mut self, scaled: &Scaled, alpha: f64, slope: impl Fn(&Block) -> Slope) {
        self.values.fill(0.0);
        let problem = &scaled.problem;
        for block in &problem.blocks {
            let slope = slope(block);
            for (i, row) in block.rows().enumerate() {
                let own_row = self.offsets[row]..self.offsets[row + 1];
                let (pattern, values) = (&self.columns[own_row.clone()], &mut self.values[own_row]);
                for (k, row) in block.rows().enumerate() {
                    let own = pattern.binary_search(&row).unwrap_or(0);
                    values[own] += slope.by_x[i][k] + alpha * slope.by_y[i][k];
                    let factor = slope.by_y[i][k];
                    if factor != 0.0 {
                        let entries = problem.matrix.offsets[row]..problem.matrix.offsets[row + 1];
                        for (place, value) in self.places[entries.clone()].iter().zip(&problem.matrix.values[entries]) {
                            values[*place] += factor * value;
                        }
                    }
                }
                if let (Law::Bounded { of: Some(other), .. }, true) = (block.law, slope.by_other != 0.0) {
                    let place = pattern.binary_search(&problem.blocks[other].first).unwrap_or(0);
                    values[place] += slope.by_other;
                }
            }
        }
    }
}
