//! Reduced problems small enough to be solved by hand, and an island of numbers.

use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::operator::reduced::{Block, Law, Reduced, Symmetric};
use crate::solver::problem::cone::Cone;
use nalgebra::{DMatrix, DVector};

/// The problem with the matrix whole; blocks get their scale, and lengths for torques as the residual has them.
pub(super) fn dense(matrix: &DMatrix<f64>, q: &[f64], laws: &[Law]) -> Reduced {
    let size = q.len();
    let mut problem = Reduced { q: q.to_vec(), ..Reduced::default() };
    problem.matrix = Symmetric { offsets: vec![0], columns: vec![], values: vec![] };
    for row in 0..size {
        for column in 0..size {
            problem.matrix.columns.push(column);
            problem.matrix.values.push(matrix[(row, column)]);
        }
        problem.matrix.offsets.push(problem.matrix.columns.len());
    }
    let mut first = 0;
    for law in laws {
        let mut block = Block { first, law: *law, scale: 0.0, length: 1.0 };
        let diagonal: Vec<f64> = block.rows().map(|row| matrix[(row, row)]).collect();
        block.scale = match diagonal.len() {
            1 => diagonal[0],
            _ => (diagonal[0] + diagonal[1] + diagonal[2]) / 3.0,
        };
        if diagonal.len() > 3 {
            let turning: f64 = diagonal[3..].iter().sum::<f64>() / (diagonal.len() - 3) as f64;
            block.length = ((diagonal[1] + diagonal[2]) / 2.0 / turning).sqrt();
        }
        first += diagonal.len();
        problem.blocks.push(block);
    }
    problem
}

/// A contact with friction alone.
pub(super) fn friction(mu: f64) -> Law {
    Law::Contact { cone: Cone::of_friction(mu), dimension: 3 }
}

/// A row with fixed bounds.
pub(super) fn bounded(lower: f64, upper: f64) -> Law {
    Law::Bounded { lower, upper, of: None }
}

/// One contact with `W` the diagonal (2, 4, 4).
pub(super) fn one_contact(q: [f64; 3], mu: f64) -> Reduced {
    dense(&DMatrix::from_diagonal(&DVector::from_row_slice(&[2.0, 4.0, 4.0])), &q, &[friction(mu)])
}

/// A box of 2 kg, 2 x 2 x 1 m, on its four lower corners. It is pushed down and along x by these velocities [m/s]: six
/// degrees of freedom under twelve rows.
pub(super) fn box_on_corners(down: f64, along: f64, mu: f64) -> Reduced {
    let mut jacobian = DMatrix::zeros(12, 6);
    for (corner, (x, y)) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
        let arm = nalgebra::Vector3::new(x, y, -0.5);
        let axes = [nalgebra::Vector3::z(), nalgebra::Vector3::x(), nalgebra::Vector3::y()];
        for (k, axis) in axes.into_iter().enumerate() {
            let row = 3 * corner + k;
            jacobian.fixed_view_mut::<1, 3>(row, 0).copy_from(&axis.transpose());
            jacobian.fixed_view_mut::<1, 3>(row, 3).copy_from(&arm.cross(&axis).transpose());
        }
    }
    // m/12 (b^2 + c^2) of a box
    let inverse = [0.5, 0.5, 0.5, 1.2, 1.2, 0.75];
    let matrix = &jacobian * DMatrix::from_diagonal(&DVector::from_row_slice(&inverse)) * jacobian.transpose();
    let velocity = DVector::from_row_slice(&[along, 0.0, -down, 0.0, 0.0, 0.0]);
    dense(&matrix, (jacobian * velocity).as_slice(), &[friction(mu); 4])
}

/// A column of `count` bodies of 1 kg under 1 m/s each, frictionless: row `i` is under body `i`, the lowest first.
///
/// Row i: `w = v_i - v_(i-1)`, `v_i = -1 + lambda_i - lambda_(i+1)`; solved by `lambda_i = count - i`.
pub(super) fn column(count: usize) -> Reduced {
    let mut matrix = DMatrix::zeros(count, count);
    for i in 0..count {
        matrix[(i, i)] = if i == 0 { 1.0 } else { 2.0 };
        if i > 0 {
            matrix[(i, i - 1)] = -1.0;
            matrix[(i - 1, i)] = -1.0;
        }
    }
    let mut q = vec![0.0; count];
    q.iter_mut().take(1).for_each(|q| *q = -1.0);
    dense(&matrix, &q, &vec![bounded(0.0, f64::INFINITY); count])
}

/// An island whose sweep is any map of its numbers, which also says what changed.
pub(super) struct Map<F: FnMut(&mut [f64]) -> f64> {
    pub(super) values: Vec<f64>,
    pub(super) map: F,
    pub(super) period: u32,
    /// The numbers of the sweeps done.
    pub(super) numbers: Vec<u32>,
}

impl<F: FnMut(&mut [f64]) -> f64> Map<F> {
    pub(super) fn new(values: &[f64], map: F) -> Self {
        Self { values: values.to_vec(), map, period: 1, numbers: vec![] }
    }
}

impl<F: FnMut(&mut [f64]) -> f64> Sweeps for Map<F> {
    fn size(&self) -> usize {
        self.values.len()
    }

    fn sweep(&mut self, number: u32) -> f64 {
        self.numbers.push(number);
        (self.map)(&mut self.values)
    }

    fn read(&self, impulses: &mut [f64]) {
        impulses.copy_from_slice(&self.values);
    }

    fn write(&mut self, impulses: &[f64]) {
        self.values.copy_from_slice(impulses);
    }

    /// The largest of the values, which should be zero.
    fn residual(&mut self) -> f64 {
        self.values
            .iter()
            .fold(0.0, |largest, value| if value.is_nan() { f64::INFINITY } else { largest.max(value.abs()) })
    }

    fn period(&self) -> u32 {
        self.period
    }
}
