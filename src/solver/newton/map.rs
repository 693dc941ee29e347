//! The laws as equations `F(x, y) = 0`, block by block, with a derivative for Newton's method.
//!
//! `F = x - P(x - y ...)`, where `P` brings a block back to what its law allows. Two forms have the same zeros:
//! the *natural* map projects on the cone after the shift `y_n + sum mu_k |y_k|` of De Saxce; that of Alart and Curnier
//! projects the normal part on the half line and the others on disks of the projected normal part's size.

use crate::math::Vec3;
use crate::solver::newton::scaled::{Block, ScaledLaw};
use crate::solver::operator::reduced::parts;
use crate::solver::problem::cone::Cone;

/// A small square matrix, of which the first rows and columns are used.
pub(in crate::solver) type Small = [[f64; 6]; 6];

/// Which form of the equations of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum Form {
    /// The projection on the cone.
    Natural,
    /// Projections on half line and disks.
    AlartCurnier,
}

/// `dF = by_x dx + by_y dy + by_other dx[of]`.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Slope {
    /// By the block's impulses.
    pub(in crate::solver) by_x: Small,
    /// By its velocities.
    pub(in crate::solver) by_y: Small,
    /// By the impulse that the bounds are multiples of.
    pub(in crate::solver) by_other: f64,
}

const ZERO: Small = [[0.0; 6]; 6];

/// Where each part lies in the rows: friction, rolling, twisting.
const PARTS: [std::ops::Range<usize>; 3] = [1..3, 3..5, 5..6];

/// `F` of a block, into `f`. `x`, `y` and `f` are of all rows; the step of the projection is `rho` times the block's own.
pub(in crate::solver) fn value(block: &Block, form: Form, x: &[f64], y: &[f64], rho: f64, f: &mut [f64]) {
    let rows = block.first..block.first + block.dimension;
    let rho = rho * block.rho;
    match block.law {
        ScaledLaw::Fixed => f[rows].fill(0.0),
        ScaledLaw::Contact(cone) => {
            let onto = Projected::new(&cone, form, &x[rows.clone()], &y[rows.clone()], rho);
            let all = onto.rows();
            for (at, row) in rows.enumerate() {
                f[row] = x[row] - all[at];
            }
        }
        ScaledLaw::Bounded { lower, upper, of } => {
            let row = block.first;
            let (lower, upper) = bounds(lower, upper, of, x);
            f[row] = x[row] - (x[row] - rho * y[row]).min(upper).max(lower);
        }
    }
}

/// The derivative of `F`.
pub(in crate::solver) fn slope(block: &Block, form: Form, x: &[f64], y: &[f64], rho: f64) -> Slope {
    let rho = rho * block.rho;
    match block.law {
        ScaledLaw::Fixed => identity(block.dimension),
        ScaledLaw::Contact(cone) => {
            let rows = block.first..block.first + block.dimension;
            Projected::new(&cone, form, &x[rows.clone()], &y[rows], rho).slope(block.dimension, rho)
        }
        ScaledLaw::Bounded { lower, upper, of } => {
            let row = block.first;
            let trial = x[row] - rho * y[row];
            let (low, high) = bounds(lower, upper, of, x);
            let mut slope = identity(1);
            if trial > low && trial < high {
                slope.by_x[0][0] = 0.0;
                slope.by_y[0][0] = rho;
            } else if let Some(other) = of {
                let bound = if trial >= high { upper } else { lower };
                slope.by_other = if bound.is_finite() { -bound * x[other].signum() } else { 0.0 };
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

/// The bounds of a row.
pub(in crate::solver) fn bounds(lower: f64, upper: f64, of: Option<usize>, x: &[f64]) -> (f64, f64) {
    match of {
        Some(row) if x[row] == 0.0 => (0.0, 0.0),
        Some(row) => (lower * x[row].abs(), upper * x[row].abs()),
        None => (lower, upper),
    }
}

/// A trial point brought back, and what its derivative needs.
struct Projected {
    form: Form,
    cone: Cone,
    /// The normal part of the result.
    normal: f64,
    /// Lengths of the bounded parts of the trial, and their directions.
    lengths: [f64; 3],
    directions: [Vec3; 3],
    /// Those of the velocities.
    slip: [Vec3; 3],
    /// Which parts were shortened.
    outside: [bool; 3],
    open: bool,
}

impl Projected {
    fn new(cone: &Cone, form: Form, x: &[f64], y: &[f64], rho: f64) -> Self {
        let dimension = x.len();
        let (x, y) = (parts(x, dimension), parts(y, dimension));
        let bounds = cone.bounds();
        let trial: [Vec3; 3] = std::array::from_fn(|k| x.bounded[k] - rho * y.bounded[k]);
        let lengths = trial.map(|part| part.norm());
        let (normal, outside) = match form {
            Form::Natural => {
                let (normal, factors) = cone.project(x.normal - rho * (y.normal + cone.shift(&y)), lengths);
                (normal, std::array::from_fn(|k| factors[k] < 1.0 || bounds[k] == 0.0))
            }
            Form::AlartCurnier => {
                let normal = (x.normal - rho * y.normal).max(0.0);
                (normal, std::array::from_fn(|k| lengths[k] > bounds[k] * normal || bounds[k] == 0.0))
            }
        };
        Self {
            form,
            cone: *cone,
            normal,
            lengths,
            directions: trial.map(direction),
            slip: y.bounded.map(direction),
            outside,
            open: normal <= 0.0,
        }
    }

    /// The result by rows.
    fn rows(&self) -> [f64; 6] {
        let mut rows = [0.0; 6];
        if self.open {
            return rows;
        }
        rows[0] = self.normal;
        let bounds = self.cone.bounds();
        for k in 0..3 {
            let length = if self.outside[k] { bounds[k] * self.normal } else { self.lengths[k] };
            for (at, row) in PARTS[k].clone().enumerate() {
                rows[row] = length * self.directions[k][at];
            }
        }
        rows
    }

    /// The derivative of the result by the trial point.
    fn by_trial(&self) -> Small {
        let mut by = ZERO;
        if self.open {
            return by;
        }
        let bounds = self.cone.bounds();
        by[0][0] = 1.0;
        if self.form == Form::Natural {
            let weight: f64 = 1.0 + (0..3).filter(|k| self.outside[*k]).map(|k| bounds[k] * bounds[k]).sum::<f64>();
            by[0][0] = 1.0 / weight;
            for k in (0..3).filter(|k| self.outside[*k]) {
                for (at, row) in PARTS[k].clone().enumerate() {
                    by[0][row] = bounds[k] * self.directions[k][at] / weight;
                }
            }
        }
        let of_normal = by[0];
        for k in 0..3 {
            for (i, row) in PARTS[k].clone().enumerate() {
                if !self.outside[k] {
                    by[row][row] = 1.0;
                    continue;
                }
                let turn = if self.lengths[k] > 0.0 { bounds[k] * self.normal / self.lengths[k] } else { 0.0 };
                let direction = &self.directions[k];
                for column in 0..6 {
                    by[row][column] = bounds[k] * direction[i] * of_normal[column];
                }
                for (j, column) in PARTS[k].clone().enumerate() {
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
        let bounds = self.cone.bounds();
        for (row, by_trial) in self.by_trial().iter().enumerate().take(dimension) {
            for (column, by) in by_trial.iter().enumerate().take(dimension) {
                slope.by_x[row][column] -= by;
                slope.by_y[row][column] = rho * by;
            }
            if self.form == Form::Natural {
                for k in 0..3 {
                    for (at, column) in PARTS[k].clone().enumerate() {
                        slope.by_y[row][column] += rho * by_trial[0] * bounds[k] * self.slip[k][at];
                    }
                }
            }
        }
        slope
    }
}

fn direction(part: Vec3) -> Vec3 {
    let length = part.norm();
    if length > 0.0 { part / length } else { Vec3::zeros() }
}
