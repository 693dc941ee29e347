//! Three rows with one bound on the length of their impulses together: the dry friction of all turns of a joint. The law is that of most
//! dissipation, `w` against `lambda` where they slip:
//!
//! ```text
//! |lambda| <= bound,  w = -sigma lambda,   sigma >= 0,   sigma (|lambda| - bound) = 0
//! ```

use crate::math::{Mat3, RowId, Vec3};
use crate::solver::problem::arrays::Impulses;
use crate::solver::problem::row::Row;

/// How many rows a ball has.
pub const BALL: usize = 3;

/// Most rounds for `sigma`. They converge quadratically, and from below.
const ROUNDS: u32 = 32;

/// Lengths that differ by less than this part count as equal [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// The part of its mean by which a singular block is made regular [-].
const SHIFT: f64 = 1e-12;

/// Returns the rows of a ball with this first row.
pub fn rows_of_ball(first: RowId) -> [RowId; BALL] {
    std::array::from_fn(|place| RowId::from(first.index() + place))
}

/// Returns the impulses of the rows of a ball.
pub fn impulse_of_ball(first: RowId, impulses: &[f64]) -> Vec3 {
    let of = |row: RowId| impulses.get(row.index()).copied().unwrap_or(0.0);
    rows_of_ball(first).map(of).into()
}

/// Returns the impulse nearest to a given one that is at most so long.
pub fn bounded_ball(impulse: &Vec3, bound: f64) -> Vec3 {
    let length = impulse.norm();
    if length <= bound { *impulse } else { impulse * (bound / length) }
}

/// Returns the impulse of a ball with the block `D`, whose rows have the velocity `w` without it.
pub fn solve_ball(block: &Mat3, w: &Vec3, bound: f64) -> Vec3 {
    let mean = block.trace() / 3.0;
    let is_regular = mean > 0.0 && mean.is_finite();
    if !is_regular || bound <= 0.0 {
        return Vec3::zeros();
    }
    let mut sigma = if block.cholesky().is_some() { 0.0 } else { SHIFT * mean };
    let mut lambda = Vec3::zeros();
    for _ in 0..ROUNDS {
        let Some(factor) = (block + Mat3::identity() * sigma).cholesky() else { break };
        lambda = -factor.solve(w);
        let length = lambda.norm();
        if length <= bound * (1.0 + ROUND_OFF) {
            break;
        }
        // Newton's method on `1 / |lambda(sigma)| = 1 / most`, which is nearly linear in sigma.
        let slope = lambda.dot(&factor.solve(&lambda));
        sigma += length * length / slope * (length / bound - 1.0);
    }
    bounded_ball(&lambda, bound)
}

/// Returns whether an impulse is shorter than the bound by more than round-off.
pub fn is_inside(impulse: &Vec3, bound: f64) -> bool {
    impulse.norm() < bound * (1.0 - ROUND_OFF)
}

/// Returns whether a row is within its bounds, where the rows have these `impulses`. Those of a ball are so together.
pub fn is_within(row: &Row, impulse: f64, impulses: &[f64]) -> bool {
    match row.ball {
        Some(first) => is_inside(&impulse_of_ball(first, impulses), row.upper),
        None => row.lower < impulse && impulse < row.upper,
    }
}

/// Returns part of the way from the `old` impulse to the solution, or beyond it. `w` is the velocity with the old impulse.
pub fn relaxed_ball(block: &Mat3, w: &Vec3, old: &Vec3, bound: f64, relaxation: f64) -> Vec3 {
    let exact = solve_ball(block, &(w - block * old), bound);
    if relaxation == 1.0 { exact } else { bounded_ball(&(old + relaxation * (exact - old)), bound) }
}

/// Brings the impulses of the rows of balls within their bounds. Returns whether any was beyond by more than round-off.
pub fn bound_balls<'a>(rows: &[Row], ids: impl Iterator<Item = &'a RowId>, impulses: &mut Impulses) -> bool {
    let mut has_changed = false;
    for id in ids.filter(|id| rows.get(id.index()).is_some_and(|row| row.ball == Some(**id))) {
        let (found, bound) = (impulse_of_ball(*id, &impulses.rows), rows[*id].upper);
        let bounded = bounded_ball(&found, bound);
        has_changed |= found.norm() > bound * (1.0 + ROUND_OFF);
        for (row, value) in rows_of_ball(*id).into_iter().zip(&bounded) {
            impulses.rows[row] = *value;
        }
    }
    has_changed
}
