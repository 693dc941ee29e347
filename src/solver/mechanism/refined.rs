//! Solves of `A lambda = -r` without the shift: refinement, redundant and contradicting rows.
//!
//! `(A + E)^-1` of the defect is the correction of a refinement. In directions of full rank the error falls by `E` over the eigenvalue
//! each time. In directions without effect the answer keeps what round-off of the defect brings, over `E`: 1e-6 of it.
//! Where pivots show such directions, `E (A + E)^-1` applied twice gives that part of a correction alone, and the solver subtracts it.
//! Redundant rows then have the smallest multipliers to round-off.

use crate::error::{Result, copy, refill};
use crate::solver::mechanism::find::MechanismParts;
use crate::solver::mechanism::ldl::{Ldl, PivotBounds};
use crate::solver::mechanism::order::Order;
use crate::solver::mechanism::pattern::{Joints, Pattern};
use crate::solver::mechanism::rows::{MechanismRow, MechanismRows};
use crate::solver::operator::blocks::SIX;
use crate::solver::problem::Problem;

/// `E` in units of the mean diagonal of `J M^-1 J^T` [-].
const SHIFT: f64 = 1e-10;

/// Pivots below this part of the mean diagonal may be those of redundant rows [-].
const WEAK: f64 = 1e-6;

/// Fewest and most solves with the factor for one answer; all but the first are refinements. One that is refined (below) may end sooner.
const SOLVES: [u32; 2] = [3, 5];

/// A refinement that changes the largest multiplier by no more than this part may be the last one [-]. The changes fall
/// by the same ratio each time, so the next one would be round-off.
const REFINED: f64 = 1e-8;

/// Defects of this part of the terms of a row are round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// Defects that stay above this part of the right side show that rows contradict each other [-] ...
const CONTRADICTION: f64 = 1e-9;

/// ... if they are also above this part of the terms that the right side is a sum of [-]. The right side of consistent
/// rows of fast bodies is round-off alone.
const NOISE: f64 = 1e-13;

/// The factor of a mechanism.
#[derive(Debug, Default)]
pub(in crate::solver) struct Refined {
    pub(in crate::solver) rows: MechanismRows,
    order: Order,
    pattern: Pattern,
    ldl: Ldl,
    shift: f64,
    /// Whether pivots show multipliers without effect.
    is_weak: bool,
    /// Whether some of these are of rows that move something, and so follow from others.
    pub(in crate::solver) is_redundant: bool,
    /// What the pattern was found for: how many bodies, the joints and their sizes.
    bodies: usize,
    pairs: Vec<[u32; 2]>,
    sizes: Vec<u32>,
    /// Scratch buffer: `D` without what elimination adds.
    diagonal: Vec<f64>,
}

/// The arrays of a solve for `R` right sides at once.
#[derive(Debug, Default)]
pub(in crate::solver) struct Columns<const R: usize> {
    /// Given impulses in the units of `z`, and the velocities that follow from them and from the multipliers.
    pub(in crate::solver) p: Vec<[[f64; R]; SIX]>,
    pub(in crate::solver) x: Vec<[[f64; R]; SIX]>,
    /// Of each row: its velocity without impulses, its multiplier, and what its velocity differs from what the row asks for.
    pub(in crate::solver) start: Vec<[f64; R]>,
    pub(in crate::solver) lambda: Vec<[f64; R]>,
    pub(in crate::solver) defect: Vec<[f64; R]>,
    correction: Vec<[f64; R]>,
    idle: Vec<[f64; R]>,
    /// What was taken out of `start`: the part that no velocities can bring to rest.
    taken: Vec<f64>,
    ordered: Vec<[f64; R]>,
}

impl<const R: usize> Columns<R> {
    /// Begins without impulses and velocities, in a mechanism of so many bodies and rows.
    pub(in crate::solver) fn begin(&mut self, bodies: usize, rows: usize) -> Result<()> {
        for vector in [&mut self.p, &mut self.x] {
            refill(vector, bodies, [[0.0; R]; SIX], "bodies of a mechanism")?;
        }
        let Self { start, lambda, defect, correction, idle, .. } = self;
        for vector in [start, lambda, defect, correction, idle] {
            refill(vector, rows, [0.0; R], "rows of a mechanism")?;
        }
        refill(&mut self.taken, rows, 0.0, "rows of a mechanism")?;
        refill(&mut self.ordered, SIX * bodies + rows, [0.0; R], "parts of a mechanism")
    }
}

impl Refined {
    /// Factors the matrix of a mechanism. Returns `false` if a number in it is not finite.
    pub(in crate::solver) fn factor(&mut self, problem: &Problem, parts: MechanismParts) -> Result<bool> {
        self.rows.take(problem, parts)?;
        self.lay_out()?;
        let Self { rows, pattern, ldl, diagonal, .. } = self;
        self.shift = SHIFT * rows.mean;
        refill(diagonal, pattern.size(), 1.0, "parts of a mechanism")?;
        let bodies = rows.bodies.len();
        let mut own = rows.rows.iter();
        for (joint, size) in rows.joints().sizes.iter().enumerate() {
            let first = pattern.first(bodies + joint);
            for (diagonal, row) in diagonal.iter_mut().skip(first).take(*size as usize).zip(&mut own) {
                *diagonal = -(row.compliance + self.shift);
            }
        }
        let bounds = PivotBounds { smallest: 0.5 * self.shift, weak: WEAK * rows.mean };
        let weak = ldl.factor(pattern, rows.entries.as_flattened().as_flattened(), diagonal, bounds)?;
        let idle = |(row, entries): &(&MechanismRow, &[[f64; SIX]; 2])| {
            let moves = entries.as_flattened().iter().any(|entry| *entry != 0.0);
            !moves && row.compliance + self.shift < bounds.weak
        };
        let idle = rows.rows.iter().zip(&rows.entries).filter(idle).count() as u32;
        self.is_weak = weak.is_some_and(|weak| weak > 0);
        self.is_redundant = weak.is_some_and(|weak| weak > idle);
        Ok(weak.is_some())
    }

    /// Returns how many entries the factor has below its diagonal.
    pub(in crate::solver) fn entries(&self) -> usize {
        self.pattern.entries_of_factor()
    }

    /// Finds `lambda`, `x` and the defects from `p` and `start`. `size` is that of the terms of the rows.
    pub(in crate::solver) fn solve<const R: usize>(&self, columns: &mut Columns<R>, size: f64) {
        columns.lambda.fill([0.0; R]);
        let mut is_refined = false;
        for round in 0.. {
            self.measure(columns);
            // Round-off of the defects is that of their terms, which the multipliers make too.
            let terms = f64::max(size, self.rows.mean * largest(&columns.lambda));
            let is_done = (is_refined || round >= SOLVES[0]) && largest(&columns.defect) <= ROUND_OFF * terms;
            if is_done || round >= SOLVES[1] {
                break;
            }
            self.correct(columns);
            is_refined = !self.is_weak && is_slight(&columns.correction, &columns.lambda);
        }
    }

    /// Forgets the mechanism.
    pub(in crate::solver) fn clear(&mut self) {
        self.rows.clear();
        self.bodies = 0;
    }

    /// Finds the same with `p` zero, in the sense of least squares. Returns whether rows contradict each other.
    pub(in crate::solver) fn solve_nearest(&self, columns: &mut Columns<1>, size: f64) -> bool {
        self.solve(columns, size);
        let allowed = f64::max(CONTRADICTION * largest(&columns.start), NOISE * size);
        if largest(&columns.defect) <= allowed {
            return false;
        }
        // The second time takes off what the first one left by round-off.
        for _ in 0..2 {
            let Columns { defect, idle, correction, start, taken, ordered, .. } = columns;
            self.regularised(-1.0, defect, ordered, idle);
            // What the second time finds may have an effect too, and would take a part of the right side that can be met.
            self.regularised(-self.shift, idle, ordered, correction);
            self.regularised(-self.shift, correction, ordered, idle);
            let length = idle.iter().map(|[value]| value * value).sum::<f64>().sqrt();
            if !(length.is_finite() && length > 0.0) {
                break;
            }
            let along = idle.iter().zip(&*start).map(|([idle], [start])| idle / length * start).sum::<f64>();
            for (([start], [idle]), taken) in start.iter_mut().zip(&*idle).zip(taken) {
                let part = idle / length * along;
                *start -= part;
                *taken += part;
            }
            self.solve(columns, size);
        }
        columns.defect.iter_mut().zip(&columns.taken).for_each(|([defect], taken)| *defect += taken);
        true
    }

    /// Finds order and pattern, unless those known are of the same joints.
    fn lay_out(&mut self) -> Result<()> {
        let Joints { pairs, sizes } = self.rows.joints();
        let bodies = self.rows.bodies.len();
        if self.bodies == bodies && self.pairs == pairs && self.sizes == sizes && self.pattern.size() > 0 {
            return Ok(());
        }
        // No pattern is known if something fails on the way.
        self.bodies = 0;
        self.order.find(bodies, pairs)?;
        self.pattern.find(&self.order, bodies, self.rows.joints())?;
        copy(&mut self.pairs, pairs, "joints of a mechanism")?;
        copy(&mut self.sizes, sizes, "joints of a mechanism")?;
        self.bodies = bodies;
        Ok(())
    }

    /// `x` and the defects that follow from `p`, `start` and `lambda`.
    fn measure<const R: usize>(&self, columns: &mut Columns<R>) {
        let Columns { p, x, start, lambda, defect, .. } = columns;
        self.rows.push(lambda, p, x);
        for (((defect, start), lambda), row) in defect.iter_mut().zip(&*start).zip(&*lambda).zip(&self.rows.rows) {
            *defect = std::array::from_fn(|column| start[column] + row.compliance * lambda[column]);
        }
        self.rows.add_speeds(x, defect);
    }

    /// Subtracts `(A + E)^-1` of the defects from `lambda`, without what has no effect.
    pub(in crate::solver) fn correct<const R: usize>(&self, columns: &mut Columns<R>) {
        let Columns { lambda, defect, correction, idle, ordered, .. } = columns;
        self.regularised(1.0, defect, ordered, correction);
        if self.is_weak {
            self.regularised(-self.shift, correction, ordered, idle);
            self.regularised(-self.shift, idle, ordered, defect);
            subtract(correction, defect);
        }
        for (lambda, correction) in lambda.iter_mut().zip(&*correction) {
            lambda.iter_mut().zip(correction).for_each(|(lambda, correction)| *lambda += correction);
        }
    }

    /// `y = -(A + E)^-1 (factor q)`.
    fn regularised<const R: usize>(&self, factor: f64, q: &[[f64; R]], ordered: &mut [[f64; R]], y: &mut [[f64; R]]) {
        ordered.fill([0.0; R]);
        let bodies = self.rows.bodies.len();
        let mut own = q.iter();
        for (joint, size) in self.rows.joints().sizes.iter().enumerate() {
            let first = self.pattern.first(bodies + joint);
            for (value, q) in ordered[first..].iter_mut().take(*size as usize).zip(&mut own) {
                *value = q.map(|q| factor * q);
            }
        }
        self.ldl.solve(&self.pattern, ordered);
        let mut own = y.iter_mut();
        for (joint, size) in self.rows.joints().sizes.iter().enumerate() {
            let first = self.pattern.first(bodies + joint);
            for (value, y) in ordered[first..].iter().take(*size as usize).zip(&mut own) {
                *y = *value;
            }
        }
    }
}

/// Returns the largest magnitude, infinite if one is no number.
pub(in crate::solver) fn largest<const R: usize>(values: &[[f64; R]]) -> f64 {
    let largest = |largest: f64, value: &f64| if value.is_nan() { f64::INFINITY } else { largest.max(value.abs()) };
    values.as_flattened().iter().fold(0.0, largest)
}

/// Returns whether a refinement changes the multipliers of each column by [`REFINED`] or less.
fn is_slight<const R: usize>(correction: &[[f64; R]], lambda: &[[f64; R]]) -> bool {
    let column_maxima = |values: &[[f64; R]]| {
        values.iter().fold([0.0; R], |column_maxima, row| {
            std::array::from_fn(|column| f64::max(column_maxima[column], row[column].abs()))
        })
    };
    let (changes, whole) = (column_maxima(correction), column_maxima(lambda));
    changes.iter().zip(whole).all(|(change, whole)| *change <= REFINED * whole)
}

/// `values -= others`.
fn subtract<const R: usize>(values: &mut [[f64; R]], others: &[[f64; R]]) {
    for (values, others) in values.iter_mut().zip(others) {
        values.iter_mut().zip(others).for_each(|(value, other)| *value -= other);
    }
}
