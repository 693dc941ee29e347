//! `K = (P^T W^2 P + D)^-1` of a piece with a diagonal `D`. The computation avoids differences, which would lose a thin
//! cone to round-off.
//!
//! All cones of a contact share its normal row, so the matrix is an arrow matrix. Let `W^2 = eta^2 (2 w w' - J)`, and
//! eliminate the part of a cone along `w`. The cone then adds `eta^2 (eta^2 + t D) / (eta^2 t + D)`, `t = 1 + 2 |w|^2`,
//! to the normal row.

use crate::solver::conic::cone::Scaling;
use crate::solver::conic::program::{ROWS, Small};

/// The inverse of a piece while its cones are added.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Gain {
    /// The diagonal of the first row, with the contributions of the cones after elimination.
    normal: f64,
    /// The response of each part to one unit of the first row. Below, the inverse of each part.
    answers: [f64; ROWS],
    own: Small,
}

impl Gain {
    /// Returns the inverse of a piece without cones, with the first entry of `D`.
    pub(in crate::solver) fn new(diagonal: f64) -> Self {
        Self { normal: diagonal, answers: [0.0; ROWS], own: [[0.0; ROWS]; ROWS] }
    }

    /// Adds a half-line.
    pub(in crate::solver) fn add_line(&mut self, s: f64, z: f64) {
        self.normal += s / z;
    }

    /// Adds a cone whose parts are `rows`, each times `factor`, with `diagonal` in `D`.
    pub(in crate::solver) fn add_cone(&mut self, scaling: &Scaling, rows: &[usize], factor: f64, diagonal: f64) {
        let (w, square) = (scaling.w, scaling.eta * scaling.eta);
        let length = (w[1] * w[1] + w[2] * w[2]).sqrt();
        let stretch = 1.0 + 2.0 * length * length;
        let diagonal = diagonal / (factor * factor);
        // Along `w`, and across it.
        let along = square * stretch + diagonal;
        let across = square + diagonal;
        self.normal += square * (square + stretch * diagonal) / along;
        let direction = [w[1], w[2]].map(|w| if length > 0.0 { w / length } else { 0.0 });
        for (row, own) in rows.iter().zip(direction) {
            self.answers[*row] = 2.0 * square * w[0] * length / along * own / factor;
            for (other, theirs) in rows.iter().zip(direction) {
                let unit = if row == other { 1.0 } else { 0.0 };
                let inverse = own * theirs / along + (unit - own * theirs) / across;
                self.own[*row][*other] = inverse / (factor * factor);
            }
        }
    }

    /// Returns `K`.
    pub(in crate::solver) fn matrix(&self) -> Small {
        let Self { normal, answers, own } = self;
        let mut matrix = *own;
        let mut edge = answers.map(|answer| -answer);
        edge[0] = 1.0;
        for row in 0..ROWS {
            for column in 0..ROWS {
                matrix[row][column] += edge[row] * edge[column] / normal;
            }
        }
        matrix
    }
}
