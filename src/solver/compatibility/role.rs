//! The role of each scalar row in the correction.
//!
//! Rows without bounds are held. Rows with bounds are held within them if they are closed: inside their bounds, or at a
//! bound without moving away from it. An open row rests at its bound, so its impulse is a part of the load. So is that
//! of a row with two equal bounds. Some rows keep their impulse although it depends on the solver. These are the rows
//! of balls, rows that scale bounds or whose bounds are scaled, and closed rows whose bounds exclude zero.

use crate::error::{Result, refill};
use crate::math::RowId;
use crate::solver::compatibility::options::CorrectionInput;
use crate::solver::problem::Problem;

/// The role of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The correction computes its impulse.
    Held,
    /// The row keeps its impulse, which its law determines.
    Open,
    /// The row keeps its impulse, which depends on the solver.
    Kept,
}

/// Whether each row scales the bounds of others.
#[derive(Debug, Default)]
pub(super) struct Roles {
    scales: Vec<bool>,
}

impl Roles {
    /// Finds the rows of a problem that scale the bounds of others.
    pub(super) fn note(&mut self, problem: &Problem) -> Result<()> {
        refill(&mut self.scales, problem.rows.len(), false, "rows")?;
        for scaling in problem.rows.iter().filter_map(|row| row.friction_row) {
            self.scales[scaling] = true;
        }
        Ok(())
    }

    /// Returns the role of a row that has this `impulse`.
    pub(super) fn of(&self, input: &CorrectionInput, index: RowId, impulse: f64) -> Role {
        let row = &input.problem.rows[index];
        if self.scales[index] || row.friction_row.is_some() || row.ball.is_some() {
            return Role::Kept;
        }
        if row.lower == row.upper {
            return Role::Open;
        }
        let velocity = velocity(input, index, impulse);
        let (rests, leaves) = (impulse <= row.lower, velocity > input.closing);
        let (saturates, yields) = (impulse >= row.upper, velocity < -input.closing);
        if rests && leaves || saturates && yields {
            return Role::Open;
        }
        if row.lower > 0.0 || row.upper < 0.0 { Role::Kept } else { Role::Held }
    }
}

/// Returns the residual of the law of a row inside its bounds, `J v + S lambda - rhs` [m/s].
pub(super) fn velocity(input: &CorrectionInput, index: RowId, impulse: f64) -> f64 {
    let CorrectionInput { problem, motion, .. } = *input;
    let row = &problem.rows[index];
    let (a, b) = (motion.velocity(row.body_a), motion.velocity(row.body_b));
    let length = row.measure(problem.mass(row.body_a), problem.mass(row.body_b)).length;
    length * (row.jacobian_a.dot(a) + row.jacobian_b.dot(b) + row.compliance * impulse - row.rhs)
}
