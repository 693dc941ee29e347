//! Where an iteration begins, and what rounding leaves of its residual at the end.

use crate::solver::operator::reduced::{Block, Reduced};

/// The largest round-off of a row of `W lambda + q`, in the units of the residual [m/s].
///
/// Every term contributes half a unit in its last place at most, and those errors mostly cancel: what a residual can fall
/// to is about this.
pub(in crate::solver) fn round_off(problem: &Reduced, lambda: &[f64]) -> f64 {
    let of_row = |block: &Block, row: usize| {
        let (columns, values) = problem.matrix.row(row);
        let terms: f64 = columns.iter().zip(values).map(|(column, value)| (value * lambda[*column]).abs()).sum();
        let is_velocity = block.dimension() > 1 && row < block.first + 3;
        (problem.q[row].abs() + terms) * if is_velocity { 1.0 } else { block.length }
    };
    let of_block = |block: &Block| block.rows().map(|row| of_row(block, row)).fold(0.0, f64::max);
    f64::EPSILON * problem.blocks.iter().filter(|block| block.scale > 0.0).map(of_block).fold(0.0, f64::max)
}

/// Brings a start to the bounds of the laws and returns its residual [m/s]; `w` becomes its velocities. A start with
/// numbers that are not finite, or so large that its velocities are not, is replaced by zeros.
pub(in crate::solver) fn start(problem: &Reduced, lambda: &mut [f64], w: &mut [f64]) -> f64 {
    let mut residual = f64::INFINITY;
    for attempt in 0..2 {
        if attempt == 1 || lambda.iter().any(|value| !value.is_finite()) {
            lambda.fill(0.0);
        }
        problem.project(lambda);
        problem.velocity(lambda, w);
        residual = problem.residual(lambda, w);
        if residual.is_finite() {
            break;
        }
    }
    residual
}
