//! The scalar rows that the correction holds: `J z = 0` on the displacements, or `J z + C g = 0` if a row has the
//! compliance `C`.
//!
//! The load includes the impulses of these rows. Their multipliers `g` are their compatible impulses. The method of
//! multipliers finds them. With `e = -J z` a row is a spring that has a small compliance `s` in addition to its own:
//!
//! ```text
//! g = (e + s g_0) / (C + s),     within the bounds of the row
//! ```
//!
//! Whenever the springs are in balance, `g_0` is set to `g`, until the two agree. It starts from zero, so that rows
//! which depend on others get the multipliers of least norm. Rows are scaled to the length one over the displacements.

use crate::error::{Result, empty, refill};
use crate::math::RowId;
use crate::solver::operator::blocks::{Blocks, Members, Sides, dot};
use crate::solver::problem::Problem;

/// `s`: the compliance of a spring, in units of the compliance of the stiffest contact [-].
///
/// Each round reduces the errors of the rows by this factor. The shift of the Newton matrix grows with its inverse.
const SPRING_COMPLIANCE: f64 = 1e-4;

/// The largest number of rounds.
pub(super) const ROUNDS: u32 = 30;

/// The rounds end if further rounds would change multipliers by at most this part of the largest one or of the unit.
/// Displacements then agree to this times `s` [-].
const MULTIPLIER_CHANGE: f64 = 1e-9;

/// A round that changes multipliers by at most this part changes only their round-off [-].
const ROUND_OFF: f64 = 1e-13;

/// A row over the displacements of its bodies.
#[derive(Debug, Clone, Copy)]
struct HeldRow<const N: usize> {
    sides: Sides<N, 1>,
    /// The pair of the graph. It is not used if one body does not move.
    pair: u32,
    row: RowId,
    /// The length of the row before it was scaled. A multiplier is an impulse times this.
    size: f64,
    /// `C`.
    compliance: f64,
    lower: f64,
    upper: f64,
}

impl<const N: usize> HeldRow<N> {
    /// Returns the impulse of the spring before it is bounded.
    fn trial(&self, e: f64, before: f64) -> f64 {
        (e + SPRING_COMPLIANCE * before) / (self.compliance + SPRING_COMPLIANCE)
    }

    fn force(&self, e: f64, before: f64) -> f64 {
        self.trial(e, before).min(self.upper).max(self.lower)
    }
}

/// The rows of an island that are held.
#[derive(Debug, Default)]
pub(super) struct HeldRows<const N: usize> {
    all: Vec<HeldRow<N>>,
}

/// The extensions of the springs of the rows, and their multipliers.
#[derive(Debug, Default)]
pub(super) struct SpringState {
    /// `e`, summed from the steps. Computed from displacements, it would have their round-off, which stiff springs
    /// amplify.
    e: Vec<f64>,
    /// `e` at the start of a step.
    from: Vec<f64>,
    /// The change of `e` by a step.
    change: Vec<f64>,
    /// `g_0`.
    before: Vec<f64>,
    /// The largest change of a multiplier in the last round, infinite before the first one.
    last: f64,
}

impl<const N: usize> HeldRows<N> {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Writes these rows of a problem. Rows that move no body are excluded.
    pub(super) fn list(&mut self, problem: &Problem, rows: &[RowId], members: &Members) -> Result<()> {
        empty(&mut self.all, rows.len(), "rows of an island")?;
        for index in rows {
            let row = &problem.rows[*index];
            let pair = [row.body_a, row.body_b];
            let mut sides: Sides<N, 1> = members.sides(problem, pair, [[row.jacobian_a], [row.jacobian_b]]);
            let size = sides.moving().map(|(_, [entries])| dot(entries, entries)).sum::<f64>().sqrt();
            if size.is_normal() {
                sides.rows = sides.rows.map(|[entries]| [entries.map(|entry| entry / size)]);
                let pair = members.graph.pair(sides.bodies) as u32;
                let (lower, upper) = (row.lower, row.upper);
                self.all.push(HeldRow { sides, pair, row: *index, size, compliance: row.compliance, lower, upper });
            }
        }
        Ok(())
    }

    /// Returns the largest multiplier, given the impulses of all rows [N s].
    pub(super) fn largest(&self, impulses: &[f64]) -> f64 {
        self.all.iter().map(|row| (row.size * impulses[row.row]).abs()).fold(0.0, f64::max)
    }

    /// Converts multipliers to `unit`, and compliances to `1 / stiffness`. Adds the impulses of the rows to the load,
    /// and returns the sum of the squares of the multipliers.
    pub(super) fn load(&mut self, impulses: &[f64], [unit, stiffness]: [f64; 2], load: &mut [[f64; N]]) -> f64 {
        let mut squares = 0.0;
        for row in &mut self.all {
            let scale = row.size / unit;
            if row.compliance > 0.0 {
                row.compliance *= stiffness / (row.size * row.size);
            }
            (row.lower, row.upper) = (scale * row.lower, scale * row.upper);
            let force = scale * impulses[row.row];
            squares += force * force;
            row.sides.add(&[force], load);
        }
        squares
    }

    /// Subtracts the forces of the springs from `rest`.
    pub(super) fn unload(&self, pull: &SpringState, rest: &mut [[f64; N]]) {
        for (k, row) in self.all.iter().enumerate() {
            row.sides.add(&[-row.force(pull.e[k], pull.before[k])], rest);
        }
    }

    /// Adds the stiffness of the springs.
    pub(super) fn stiffen(&self, pull: &SpringState, blocks: &mut Blocks<N>) {
        self.tangents(pull, |sides, pair, tangent| blocks.add(sides, pair, tangent));
    }

    /// Calls `add` with the stiffness of each spring whose impulse is inside its bounds.
    pub(super) fn tangents(&self, pull: &SpringState, mut add: impl FnMut(&Sides<N, 1>, usize, &[[f64; 1]; 1])) {
        for (k, row) in self.all.iter().enumerate() {
            let trial = row.trial(pull.e[k], pull.before[k]);
            if row.lower < trial && trial < row.upper {
                add(&row.sides, row.pair as usize, &[[1.0 / (row.compliance + SPRING_COMPLIANCE)]]);
            }
        }
    }

    /// Returns the part of the springs in the slope of the potential along a direction, `step` along it.
    pub(super) fn slope(&self, pull: &SpringState, step: f64) -> f64 {
        let springs = self.all.iter().enumerate();
        springs.map(|(k, row)| row.force(pull.e[k] + step * pull.change[k], pull.before[k]) * pull.change[k]).sum()
    }

    /// Returns the sum of the squares of `J z` over rows whose bounds permit work on `sign J z`.
    pub(super) fn workable(&self, z: &[[f64; N]], sign: f64) -> f64 {
        let parts = self.all.iter().map(|row| {
            let e = -sign * row.sides.reduce([0.0], z)[0];
            let works = if e > 0.0 { row.upper > 0.0 } else { row.lower < 0.0 };
            if works { e * e } else { 0.0 }
        });
        parts.sum()
    }

    /// Computes `e = -J z`.
    fn compute_extension(&self, z: &[[f64; N]], e: &mut [f64]) {
        for (e, row) in e.iter_mut().zip(&self.all) {
            [*e] = row.sides.reduce([0.0], z);
        }
    }

    /// Writes the impulses to those of all rows. `unit` is the unit of the multipliers.
    pub(super) fn write(&self, pull: &SpringState, unit: f64, impulses: &mut [f64]) {
        for (k, row) in self.all.iter().enumerate() {
            impulses[row.row] = unit * row.force(pull.e[k], pull.before[k]) / row.size;
        }
    }
}

impl<const N: usize> HeldRows<N> {
    /// Subtracts `J z` from numbers, one for each rigid row. [`HeldRows::square`] adds the matrix `J^T J`.
    pub(super) fn reduce(&self, numbers: &mut [f64], z: &[[f64; N]]) {
        for (number, row) in numbers.iter_mut().zip(self.rigid()) {
            [*number] = row.sides.reduce([*number], z);
        }
    }

    /// Adds `J^T` times numbers, one for each rigid row.
    pub(super) fn gather(&self, numbers: &[f64], sum: &mut [[f64; N]]) {
        for (number, row) in numbers.iter().zip(self.rigid()) {
            row.sides.add(&[*number], sum);
        }
    }

    /// Adds `J^T J` of the rigid rows.
    pub(super) fn square(&self, blocks: &mut Blocks<N>) {
        self.rigid().for_each(|row| blocks.add(&row.sides, row.pair as usize, &[[1.0]]));
    }

    /// Returns the number of rows without compliance.
    pub(super) fn rigid_count(&self) -> usize {
        self.rigid().count()
    }

    fn rigid(&self) -> impl Iterator<Item = &HeldRow<N>> + use<'_, N> {
        self.all.iter().filter(|row| row.compliance == 0.0)
    }
}

impl SpringState {
    /// Sets extensions and multipliers to zero.
    pub(super) fn begin<const N: usize>(&mut self, rows: &HeldRows<N>) -> Result<()> {
        for values in [&mut self.e, &mut self.from, &mut self.change, &mut self.before] {
            refill(values, rows.all.len(), 0.0, "rows of an island")?;
        }
        self.last = f64::INFINITY;
        Ok(())
    }

    /// Sets the extensions to zero, and keeps the multipliers.
    pub(super) fn rest(&mut self) {
        self.e.fill(0.0);
    }

    /// Sets the multipliers to zero.
    pub(super) fn clear_multipliers(&mut self) {
        self.last = f64::INFINITY;
        self.before.fill(0.0);
    }

    /// Copies `other`.
    pub(super) fn take(&mut self, other: &Self) {
        self.e.copy_from_slice(&other.e);
        self.before.copy_from_slice(&other.before);
        self.last = other.last;
    }

    /// Computes `e` from the displacements.
    pub(super) fn place<const N: usize>(&mut self, rows: &HeldRows<N>, z: &[[f64; N]]) {
        rows.compute_extension(z, &mut self.e);
    }

    /// Stores `e`, and its change by minus a step of the displacements.
    pub(super) fn set_step<const N: usize>(&mut self, rows: &HeldRows<N>, step: &[[f64; N]]) {
        self.from.copy_from_slice(&self.e);
        rows.compute_extension(step, &mut self.change);
        self.change.iter_mut().for_each(|change| *change = -*change);
    }

    /// Moves a part of the stored step, from its start.
    pub(super) fn move_along_step(&mut self, part: f64) {
        for ((e, from), change) in self.e.iter_mut().zip(&self.from).zip(&self.change) {
            *e = from + part * change;
        }
    }

    /// Ends a round. Returns `true` if further rounds would hardly change the multipliers. Otherwise it updates them.
    ///
    /// The changes shrink from round to round by a ratio. For rows that nearly depend on others it is close to one.
    /// Many small changes then remain.
    pub(super) fn agrees<const N: usize>(&mut self, rows: &HeldRows<N>) -> bool {
        let (mut largest, mut furthest) = (1.0_f64, 0.0_f64);
        for (k, row) in rows.all.iter().enumerate() {
            let force = row.force(self.e[k], self.before[k]);
            largest = largest.max(force.abs());
            furthest = furthest.max((force - self.before[k]).abs());
        }
        let ratio = furthest / self.last;
        let left = if ratio < 1.0 { furthest * ratio / (1.0 - ratio) } else { f64::INFINITY };
        self.last = furthest;
        if furthest <= ROUND_OFF * largest || furthest.max(left) <= MULTIPLIER_CHANGE * largest {
            return true;
        }
        for (k, row) in rows.all.iter().enumerate() {
            self.before[k] = row.force(self.e[k], self.before[k]);
        }
        false
    }
}
