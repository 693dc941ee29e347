//! The contribution of one contact or row to a Newton step of `active`.

use crate::solver::conic::laws::PARTS;
use crate::solver::conic::program::{Law, Piece, Program, ROWS, Small};

/// The proximal term of impulses, in units of the scales of contacts [-].
const DELTA: f64 = 1e-7;

/// The contribution of a piece to a step: `S`, `S A`, `K` and `T^-1`. Here `T = 1 - S + S A (E + delta)` and
/// `K = T^-1 S A`. `A` adds the shift to `w`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) slope: Small,
    pub(super) turned: Small,
    pub(super) gain: Small,
    pub(super) inverse: Small,
}

impl Part {
    /// Computes `T^-1` and `K`. Returns `false` if `T` is singular.
    pub(super) fn complete(&mut self, program: &Program, piece: &Piece) -> bool {
        let mut matrix = self.turned;
        let (rows, delta) = (piece.rows, DELTA * piece.scale);
        for (at, entries) in matrix.iter_mut().enumerate() {
            for (other, entry) in entries.iter_mut().enumerate() {
                let own = if at == other { 1.0 } else { 0.0 };
                let stiff = if other < rows { program.compliance[piece.first + other] + delta } else { 1.0 };
                *entry = own - self.slope[at][other] + *entry * stiff;
            }
        }
        let Some(inverse) = inverse(matrix) else { return false };
        self.inverse = inverse;
        for (gain, inverse) in self.gain.iter_mut().zip(&inverse) {
            *gain = std::array::from_fn(|column| inverse.iter().zip(&self.turned).map(|(i, s)| i * s[column]).sum());
        }
        true
    }

    /// Makes `K` exactly symmetric. It already is symmetric up to round-off.
    pub(super) fn straighten(&mut self) {
        for row in 0..ROWS {
            for column in 0..row {
                let mean = 0.5 * (self.gain[row][column] + self.gain[column][row]);
                (self.gain[row][column], self.gain[column][row]) = (mean, mean);
            }
        }
    }
}

/// Adds a part of De Saxce's shift to a velocity. Returns the shift per unit of each row.
pub(super) fn shift(law: &Law, w: &mut [f64; ROWS], part: f64) -> [f64; ROWS] {
    let mut slopes = [0.0; ROWS];
    let Law::Contact(cone) = law else { return slopes };
    if part == 0.0 {
        return slopes;
    }
    for (rows, mu) in PARTS.into_iter().zip(cone.bounds()) {
        let length = w[rows.clone()].iter().map(|w| w * w).sum::<f64>().sqrt();
        w[0] += part * mu * length;
        if length > 0.0 {
            rows.for_each(|row| slopes[row] = part * mu * w[row] / length);
        }
    }
    slopes
}

/// Returns the inverse of a small matrix by elimination with pivots, or `None` if it is singular.
fn inverse(mut matrix: Small) -> Option<Small> {
    let mut inverse: Small =
        std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }));
    for column in 0..ROWS {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..ROWS).reduce(|largest, row| if size(&row) > size(&largest) { row } else { largest })?;
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let head = matrix[column][column];
        if head == 0.0 || !head.is_finite() {
            return None;
        }
        matrix[column].iter_mut().chain(&mut inverse[column]).for_each(|entry| *entry /= head);
        let (own, own_inverse) = (matrix[column], inverse[column]);
        for row in (0..ROWS).filter(|row| *row != column) {
            let factor = matrix[row][column];
            if factor != 0.0 {
                matrix[row].iter_mut().zip(own).for_each(|(entry, own)| *entry -= factor * own);
                inverse[row].iter_mut().zip(own_inverse).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
    }
    Some(inverse)
}
