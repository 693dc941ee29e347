//! What the locks of bodies leave of the rows of joints.
//!
//! A lock is exact: the inverse mass of a body is zero in the rows and columns of its locked components, which are along world axes. A row of a
//! joint may ask for a motion that locks forbid. Its Jacobian then has round-off along the free components, and `J M^-1 J^T` is the square of
//! that. A solver that divides by it makes any impulse out of nothing. So the mobility of a body along a row is compared with that of the
//! same body without its locks. If the locks leave nothing of it, the row has no Jacobian for this body. A row without any Jacobian carries
//! nothing.
//!
//! Locks can also leave fewer motions than a joint has rows, and then the errors of the rows may contradict each other. Of the errors `c` only
//!
//! ```text
//! c' = A (A + e (A0 - A))^-1 c,    A = J M^-1 J^T
//! ```
//!
//! is to be undone, with `A0` as `A` without locks. This is a step of the method of Levenberg and Marquardt for the least `c^T A0^-1 c`.
//! Motions that locks leave alone undo all of their errors. Where locks leave little, errors do not move bodies far. What cannot be undone
//! stays an error.

use crate::body::Mass;
use crate::joint::{JointRow, SideVector};
use crate::math::{Quat, Vec3};
use crate::solver::MassInverse;
use crate::world::joints::inertia::mobility;
use crate::world::joints::state::AXES;

/// A body moves along a row if this part of its mobility is left there [-]. So an axis that is tilted by less than
/// 1e-6 rad from a locked one counts as locked. Frames in single precision are closer, and so is the round-off that
/// adds up over a run.
const MIN_MOBILITY: f64 = 1e-12;

/// `e`: along motions of which locks leave less than this part errors are undone slowly [-].
const WEAK: f64 = 1e-3;

/// Pivots are not below this part of the diagonal: rows may follow from others without any lock [-].
const DEPENDENT: f64 = 1e-14;

/// How impulses move a body of a joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Freedom {
    pub(super) mass: MassInverse,
    /// The inverse mass without locks; `None` of a body that has none, and of one that no impulse moves.
    unlocked: Option<MassInverse>,
}

/// A row of a joint, and what locks leave of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FreeRow {
    /// With what locks forbid: an impulse along it loads the locks too.
    pub(super) whole: JointRow,
    /// The row without the Jacobians of bodies that do not move along it.
    pub(super) row: JointRow,
    /// Whether any body moves along it.
    pub(super) moves: bool,
}

impl Freedom {
    /// The fixed world, or a body that no impulse moves.
    pub(super) const NONE: Self = Self { mass: MassInverse::ZERO, unlocked: None };

    /// Returns how impulses move a body that has this inverse mass in this rotation.
    pub(super) fn new(inverse: MassInverse, mass: &Mass, rotation: &Quat) -> Self {
        let is_locked = mass.has_locks() && !inverse.is_immovable();
        let unlocked = is_locked.then(|| MassInverse {
            linear: Vec3::from_element(1.0 / mass.mass),
            angular: mass.unlocked_inverse(rotation),
        });
        Self { mass: inverse, unlocked }
    }

    /// Returns the same of a body with the inverse mass that it has in this rotation.
    pub(super) fn of(mass: &Mass, rotation: &Quat) -> Self {
        let inverse = MassInverse { linear: mass.inverse_mass, angular: mass.inverse_at(rotation) };
        Self::new(inverse, mass, rotation)
    }

    /// Returns the inverse mass without locks.
    fn whole(&self) -> &MassInverse {
        self.unlocked.as_ref().unwrap_or(&self.mass)
    }

    /// Returns whether the body moves along a row with this Jacobian.
    fn moves(&self, jacobian: &SideVector) -> bool {
        let whole = match &self.unlocked {
            Some(unlocked) => mobility(unlocked, jacobian, jacobian),
            None => return !self.mass.is_immovable(),
        };
        mobility(&self.mass, jacobian, jacobian) > MIN_MOBILITY * whole
    }
}

impl FreeRow {
    /// A row of zeros.
    pub(super) const ZERO: Self = Self { whole: JointRow::ZERO, row: JointRow::ZERO, moves: false };

    /// Returns what the locks of the bodies leave of a row.
    pub(super) fn new(whole: JointRow, [a, b]: [&Freedom; 2]) -> Self {
        let moves = [a.moves(&whole.a), b.moves(&whole.b)];
        // The velocity of a body that no impulse moves counts; that of a locked one is round-off.
        let left = |body: &Freedom, moves: bool, side: SideVector| {
            if moves || body.unlocked.is_none() { side } else { SideVector::ZERO }
        };
        let moves_any = moves[0] || moves[1];
        let row = JointRow { a: left(a, moves[0], whole.a), b: left(b, moves[1], whole.b) };
        Self { whole, row: if moves_any { row } else { JointRow::ZERO }, moves: moves_any }
    }
}

/// Rows of one joint that are held together, and their errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldErrors {
    rows: [FreeRow; AXES],
    errors: [f64; AXES],
    /// The numbers that the caller gives the rows.
    numbers: [usize; AXES],
    count: usize,
}

impl HeldErrors {
    /// No rows.
    pub(super) const EMPTY: Self =
        Self { rows: [FreeRow::ZERO; AXES], errors: [0.0; AXES], numbers: [0; AXES], count: 0 };

    /// Adds a row. A joint has no more than there is room for.
    pub(super) fn push(&mut self, number: usize, row: FreeRow, error: f64) {
        let at = self.count;
        if at < AXES {
            (self.rows[at], self.errors[at], self.numbers[at]) = (row, error, number);
            self.count += 1;
        }
    }

    /// Returns what locks leave of the rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = &JointRow> {
        self.rows.iter().take(self.count).map(|row| &row.row)
    }

    /// Returns the numbers of the rows with what the bodies can undo of their errors.
    pub(super) fn reachable(mut self, bodies: [&Freedom; 2]) -> impl Iterator<Item = (usize, f64)> {
        self.keep_reachable(bodies);
        self.numbers.into_iter().zip(self.errors).take(self.count)
    }

    fn keep_reachable(&mut self, [a, b]: [&Freedom; 2]) {
        let Self { rows, errors, count, .. } = self;
        let is_locked = a.unlocked.is_some() || b.unlocked.is_some();
        if !is_locked || errors.iter().all(|error| *error == 0.0) {
            return;
        }
        let (mut left, mut matrix) = ([[0.0; AXES]; AXES], [[0.0; AXES]; AXES]);
        for (i, own) in rows.iter().enumerate().take(*count) {
            for (j, other) in rows.iter().enumerate().take(*count) {
                let (row, with) = (&own.row, &other.row);
                left[i][j] = mobility(&a.mass, &row.a, &with.a) + mobility(&b.mass, &row.b, &with.b);
                let (row, with) = (&own.whole, &other.whole);
                let whole = mobility(a.whole(), &row.a, &with.a) + mobility(b.whole(), &row.b, &with.b);
                matrix[i][j] = left[i][j] + WEAK * (whole - left[i][j]);
            }
        }
        let mut solved = *errors;
        solve(&mut matrix, &mut solved, *count);
        for (error, left) in errors.iter_mut().zip(&left).take(*count) {
            *error = left.iter().zip(&solved).take(*count).map(|(left, solved)| left * solved).sum();
        }
    }
}

/// Returns what the bodies can undo of the error of a row that is held alone.
pub(super) fn reachable_alone(row: FreeRow, error: f64, bodies: [&Freedom; 2]) -> f64 {
    let mut held = HeldErrors::EMPTY;
    held.push(0, row, error);
    held.keep_reachable(bodies);
    held.errors[0]
}

/// Solves with the first rows and columns of a symmetric matrix that is not negative, which becomes its factor.
fn solve(matrix: &mut [[f64; AXES]; AXES], x: &mut [f64; AXES], count: usize) {
    let floor: [f64; AXES] = std::array::from_fn(|at| DEPENDENT * matrix[at][at]);
    for pivot in 0..count {
        let row = matrix[pivot];
        // A row without any motion has none in common with others.
        let diagonal = if row[pivot] > 0.0 { row[pivot] } else { 1.0 };
        for below in pivot + 1..count {
            let factor = row[below] / diagonal;
            for (entry, above) in matrix[below].iter_mut().zip(&row).take(count).skip(pivot + 1) {
                *entry -= factor * above;
            }
            matrix[below][below] = matrix[below][below].max(floor[below]);
            matrix[below][pivot] = factor;
            x[below] -= factor * x[pivot];
        }
        matrix[pivot][pivot] = diagonal;
    }
    for pivot in (0..count).rev() {
        x[pivot] /= matrix[pivot][pivot];
        let below: f64 = (pivot + 1..count).map(|below| matrix[below][pivot] * x[below]).sum();
        x[pivot] -= below;
    }
}
