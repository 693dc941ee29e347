//! Converts a NURBS curve to its rational Bezier pieces, by blossoms. The control points of a piece are values of the
//! polar form of the curve at the ends of its span (Ramshaw 1989).

use super::definition::{CurveDefinition, MAX_DEGREE};
use crate::error::{Result, reserve};

/// A control point in homogeneous form: the coordinates times the weight, and the weight.
pub(crate) type Homogeneous = [f64; 3];

/// Control points of one piece.
pub(super) type Controls = [Homogeneous; MAX_DEGREE + 1];

/// Returns the control points of the two halves of a piece.
pub(super) fn halves(piece: &Controls, degree: usize) -> [Controls; 2] {
    let (mut left, mut right) = (*piece, *piece);
    for (step, control) in left.iter_mut().enumerate().take(degree + 1) {
        *control = right[0];
        for at in 0..degree - step {
            right[at] = std::array::from_fn(|axis| 0.5 * (right[at][axis] + right[at + 1][axis]));
        }
    }
    [left, right]
}

/// Returns the control points of all pieces, `degree + 1` each. Weights are divided by the largest; each piece begins where the one
/// before ends, to the last bit.
pub(super) fn bezier_pieces(curve: &CurveDefinition) -> Result<Vec<Homogeneous>> {
    let degree = curve.degree as usize;
    let spans = if curve.periodic { 0..curve.points.len() } else { degree..curve.points.len() };
    let mut all = Vec::new();
    reserve(&mut all, spans.len().saturating_mul(degree + 1), "pieces of a curve")?;
    let unrolled = Unrolled::new(curve);
    for span in spans {
        let (from, to) = (unrolled.knot(span as isize), unrolled.knot(span as isize + 1));
        if to > from {
            let piece = unrolled.piece(span, from, to);
            all.extend_from_slice(&piece[..=degree]);
        }
    }
    join(&mut all, degree + 1);
    Ok(all)
}

/// Moves the end of each piece to where the next one begins, from which it differs by round-off.
fn join(all: &mut [Homogeneous], stride: usize) {
    let mut next = all.first().copied().unwrap_or([0.0, 0.0, 1.0]);
    for piece in all.chunks_exact_mut(stride).rev() {
        let [x, y, w] = next;
        if let Some(end) = piece.last_mut() {
            *end = [x / w * end[2], y / w * end[2], end[2]];
        }
        next = piece.first().copied().unwrap_or(next);
    }
}

/// The knots and points of a curve, continued over the period if it has one.
struct Unrolled<'a> {
    curve: &'a CurveDefinition,
    degree: usize,
    /// What all weights are divided by.
    heaviest: f64,
    /// Whether all weights are the same: all of a piece are 1 then, without round-off.
    is_plain: bool,
    /// The range of the knots.
    period: f64,
}

impl<'a> Unrolled<'a> {
    fn new(curve: &'a CurveDefinition) -> Self {
        let heaviest = curve.weights.iter().fold(0.0, |largest: f64, weight| largest.max(*weight));
        let heaviest = if heaviest > 0.0 { heaviest } else { 1.0 };
        let ends = [curve.knots.first(), curve.knots.last()].map(|end| end.copied().unwrap_or(0.0));
        let is_plain = curve.weights.iter().all(|weight| *weight == heaviest);
        Self { curve, degree: curve.degree as usize, heaviest, is_plain, period: ends[1] - ends[0] }
    }

    fn knot(&self, index: isize) -> f64 {
        let knots = &self.curve.knots;
        if !self.curve.periodic {
            return knots[index as usize];
        }
        let count = self.curve.points.len() as isize;
        knots[index.rem_euclid(count) as usize] + index.div_euclid(count) as f64 * self.period
    }

    fn point(&self, index: isize) -> Homogeneous {
        let at = index.rem_euclid(self.curve.points.len() as isize) as usize;
        let weight = self.curve.weights.get(at).copied().unwrap_or(1.0) / self.heaviest;
        let [x, y] = self.curve.points[at];
        [x * weight, y * weight, weight]
    }

    /// Returns the control points of the piece on the span number `span`, from one knot to the next.
    fn piece(&self, span: usize, from: f64, to: f64) -> Controls {
        let (degree, first) = (self.degree, span as isize - self.degree as isize);
        let mut knots = [0.0; 2 * MAX_DEGREE + 2];
        for (at, knot) in knots.iter_mut().enumerate().take(2 * degree + 2) {
            // The outermost two of a clamped curve are not used.
            let index = first + at as isize;
            let exists = self.curve.periodic || (0..self.curve.knots.len() as isize).contains(&index);
            *knot = if exists { self.knot(index) } else { 0.0 };
        }
        let mut points: Controls = [[0.0; 3]; MAX_DEGREE + 1];
        for (at, point) in points.iter_mut().enumerate().take(degree + 1) {
            *point = self.point(first + at as isize);
        }
        let mut piece = points;
        for (ends, control) in piece.iter_mut().enumerate().take(degree + 1) {
            // The polar form at `degree - ends` times the start and `ends` times the end.
            *control = polar(&points[..=degree], &knots, |step| if step <= ends { to } else { from });
            if self.is_plain {
                control[2] = 1.0;
            }
        }
        piece
    }
}

/// Returns the value of the polar form; the arguments are those of the steps 1 to the degree.
fn polar(points: &[Homogeneous], knots: &[f64], argument: impl Fn(usize) -> f64) -> Homogeneous {
    let degree = points.len() - 1;
    let mut level: Controls = [[0.0; 3]; MAX_DEGREE + 1];
    level[..=degree].copy_from_slice(points);
    for step in 1..=degree {
        for at in (step..=degree).rev() {
            let (low, high) = (knots[at], knots[at + degree + 1 - step]);
            let part = (argument(step) - low) / (high - low);
            level[at] = std::array::from_fn(|axis| (1.0 - part) * level[at - 1][axis] + part * level[at][axis]);
        }
    }
    level[degree]
}
