//! Blocks written into their lanes, and the matrices that solve them.

use super::layout::{BlockBatch, RowX8};
use crate::math::lanes::Wide;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::blocks::{Block, MAX_ROWS};
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::{Jacobian, MassInverse, Problem, Row, Velocity};

/// A pivot below this part of the diagonal is that of a row that follows from those before it [-]. A bilateral one carries nothing; another one
/// is visited as if the bilateral ones were not solved yet, since its bounds may keep it from what they ask for.
const DEPENDENT: f64 = 1e-12;

/// Pivots above this part of the diagonal are taken in the order of the rows, and all others after them, the largest
/// first [-]. A small pivot makes round-off of those behind it larger by one over the root of its part. Behind a nearly
/// dependent row this round-off would pass for a pivot.
const CLEAR: f64 = 1e-4;

/// A small matrix.
type Matrix = [[f64; MAX_ROWS]; MAX_ROWS];

impl BlockBatch {
    /// Writes `blocks`, each into the lane given with it, but not their impulses. `bilateral` says of each row of the problem whether it is
    /// bilateral.
    pub(in crate::solver) fn write<'a>(
        &mut self,
        problem: &Problem,
        bilateral: &[bool],
        blocks: impl Iterator<Item = (usize, &'a Block, &'a LinePair)>,
    ) {
        self.is_coupled = false;
        for (lane, block, pair) in blocks {
            self.shape = block.shape;
            (self.a[lane], self.b[lane]) = (pair[0], pair[1]);
            self.write_lane(problem, bilateral, lane, block);
        }
    }

    fn write_lane(&mut self, problem: &Problem, bilateral: &[bool], lane: usize, block: &Block) {
        let rows = &problem.rows[block.range()];
        let places = block.places(bilateral);
        let mut sorted = [None; MAX_ROWS];
        for (row, place) in rows.iter().zip(places) {
            sorted[usize::from(place)] = Some(row);
        }
        let matrix = solving_matrix(problem, &sorted, usize::from(block.shape.bilateral));
        for ((row, own), entries) in sorted.iter().flatten().zip(&mut self.rows).zip(matrix) {
            own.write(lane, row, entries);
            let measure = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
            (own.diagonal.0[lane], own.measure.0[lane]) = (measure.scale, measure.scale * measure.length);
            let scale = row.friction_row.map(|scale| places[scale.index() - block.first.index()]);
            own.scale.0[lane] = scale.map_or(-1.0, f64::from);
            self.is_coupled |= scale.is_some();
        }
    }
}

impl RowX8 {
    fn write(&mut self, lane: usize, row: &Row, entries: [f64; MAX_ROWS]) {
        for (to, Jacobian { linear, angular }) in self.jacobians.iter_mut().zip([&row.jacobian_a, &row.jacobian_b]) {
            lines::write(to, lane, [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]);
        }
        lines::write(&mut self.matrix, lane, entries);
        let numbers: [(&mut Wide, f64); 4] = [
            (&mut self.rhs, row.rhs),
            (&mut self.compliance, row.compliance),
            (&mut self.lower, row.lower),
            (&mut self.upper, row.upper),
        ];
        numbers.into_iter().for_each(|(wide, number)| wide.0[lane] = number);
    }
}

/// Returns the matrix that [`BlockBatch::solve`] uses. The first rows have no bounds.
fn solving_matrix(problem: &Problem, rows: &[Option<&Row>; MAX_ROWS], bilateral: usize) -> Matrix {
    let mut matrix = block_of(problem, rows);
    let count = rows.iter().flatten().count();
    let whole = matrix;
    let mut swept = [false; MAX_ROWS];
    // The sweep operator: afterwards the matrix has -D_BB^-1, D_UB D_BB^-1, and the Schur complement.
    for pivot in 0..bilateral {
        swept[pivot] = matrix[pivot][pivot] > CLEAR * whole[pivot][pivot];
        if swept[pivot] {
            sweep(&mut matrix, pivot, count);
        }
    }
    while let Some(pivot) = largest_pivot(&matrix, &whole, &swept[..bilateral]) {
        swept[pivot] = true;
        sweep(&mut matrix, pivot, count);
    }
    let mut solving = [[0.0; MAX_ROWS]; MAX_ROWS];
    for i in 0..count {
        let depends = i >= bilateral && matrix[i][i] <= DEPENDENT * whole[i][i];
        for j in 0..count {
            solving[i][j] = match (i < bilateral, j < bilateral) {
                (true, true) if !swept[i] => 0.0,
                (_, true) if !swept[j] || depends => 0.0,
                (_, true) => -matrix[i][j],
                (true, false) => whole[i][j],
                (false, false) => {
                    let entry = if depends { whole[i][j] } else { matrix[i][j] };
                    if i != j {
                        entry
                    } else if entry > 0.0 {
                        1.0 / entry
                    } else {
                        0.0
                    }
                }
            };
        }
    }
    solving
}

/// Returns the row, of those that are not swept, with the largest pivot in parts of its diagonal; none if all that are left follow from others.
fn largest_pivot(matrix: &Matrix, whole: &Matrix, swept: &[bool]) -> Option<usize> {
    let mut largest = None;
    let mut largest_part = DEPENDENT;
    for (at, _) in swept.iter().enumerate().filter(|(_, is_swept)| !**is_swept) {
        // A row that moves nothing has no part: zero over zero is not above any number.
        let part = matrix[at][at] / whole[at][at];
        if part > largest_part {
            (largest, largest_part) = (Some(at), part);
        }
    }
    largest
}

/// Eliminates one row and column.
fn sweep(matrix: &mut Matrix, pivot: usize, count: usize) {
    let row = matrix[pivot];
    let d = row[pivot];
    for (i, own) in matrix[..count].iter_mut().enumerate() {
        if i == pivot {
            (0..count).for_each(|j| own[j] = if j == pivot { -1.0 / d } else { row[j] / d });
        } else {
            let factor = row[i] / d;
            (0..count).for_each(|j| own[j] = if j == pivot { factor } else { own[j] - factor * row[j] });
        }
    }
}

/// Returns `J M^-1 J^T + S`.
fn block_of(problem: &Problem, rows: &[Option<&Row>; MAX_ROWS]) -> Matrix {
    let response = |mass: &MassInverse, jacobian: &Jacobian| {
        let mut moved = Velocity::ZERO;
        mass.apply(&mut moved, &jacobian.linear, &jacobian.angular);
        moved
    };
    let mut matrix = [[0.0; MAX_ROWS]; MAX_ROWS];
    for (i, row) in rows.iter().flatten().enumerate() {
        let on_a = response(problem.mass(row.body_a), &row.jacobian_a);
        let on_b = response(problem.mass(row.body_b), &row.jacobian_b);
        for (j, other) in rows.iter().flatten().enumerate().take(i + 1) {
            let entry = other.jacobian_a.dot(&on_a) + other.jacobian_b.dot(&on_b);
            (matrix[i][j], matrix[j][i]) = (entry, entry);
        }
        matrix[i][i] += row.compliance;
    }
    matrix
}
