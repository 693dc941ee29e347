//! A closed curve of rational Bezier pieces, prepared for queries: places and derivatives, boxes, corners, foot
//! polynomials.
//!
//! With `X(t) / W(t)` on a piece and `H = X' W - X W'`, of degree `2 p - 2`, the square of the distance to `q` has the derivative
//! `2 (X - q W).H / W^3`. Its numerator `X.H - q.(W H)` is linear in `q`: its coefficients are those of `X.H` and `W H`, kept here.

use super::bernstein::{Coefficients, MAX_COEFFICIENTS, binomial, product};
use super::boxes::{Box2, BoxTree};
use super::definition::MAX_DEGREE;
use super::pieces::Homogeneous;
use crate::error::{Result, reserve};
use crate::math::Vec2;

/// Names in error messages: what the memory was for.
const PIECES: &str = "pieces of a curve";
/// Tangents that differ by a larger angle make a corner [rad].
const CORNER: f64 = 1e-7;
/// Controls that are nearer than this part of the size of the curve give no tangent, and pieces that are shorter are none [-].
const SHORTEST_PIECE: f64 = 1e-13;
/// Relative round-off of a coefficient of a foot polynomial [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// A derivative shorter than this part of the length of the piece gives no tangent [-].
const SLOWEST: f64 = 1e-7;

/// A closed curve, solid on its left.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    pub(super) degree: usize,
    /// `degree + 1` for each piece.
    pub(super) controls: Vec<Homogeneous>,
    /// Coefficients of `X.H` and `W H`, with `X` seen from the origin of the piece; `foot_count` for each piece.
    feet: Vec<FootTerm>,
    foot_count: usize,
    pieces: Vec<Piece>,
    tree: BoxTree,
    size: f64,
    has_corners: bool,
}

/// A coefficient of the foot polynomials of a piece, and how large the terms are of which it is the sum: its round-off follows from them.
#[derive(Debug, Clone, Copy)]
struct FootTerm {
    /// Of `X.H`.
    own: f64,
    /// Of `W H`.
    by_weight: Vec2,
    own_terms: f64,
    weight_terms: f64,
}

/// One piece.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Where it begins [m].
    start: Vec2,
    /// The middle of its controls [m].
    origin: Vec2,
    /// Of its control polygon, which the piece is not longer than [m].
    length: f64,
    /// What its derivative is not longer than [m].
    speed: f64,
    /// Where the piece begins, unit tangents of the one before and of this one.
    join: Join,
}

/// What two pieces have at their common end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Join {
    /// Unit tangent of the piece before.
    pub(crate) before: Vec2,
    /// Unit tangent of the piece behind.
    pub(crate) after: Vec2,
    /// Whether the two differ.
    pub(crate) is_corner: bool,
}

/// A place on a curve with its derivatives by the parameter of the piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    pub(crate) point: Vec2,
    pub(crate) first: Vec2,
    pub(crate) second: Vec2,
}

impl Local {
    /// Returns the curvature, positive where the solid is convex [1/m].
    pub(crate) fn curvature(&self) -> f64 {
        let speed = self.first.norm();
        self.first.perp(&self.second) / (speed * speed * speed)
    }
}

impl Outline {
    /// Makes this the curve with these control points, `degree + 1` for each piece. Pieces without length are left out.
    pub(crate) fn fill(&mut self, degree: usize, controls: &[Homogeneous]) -> Result<()> {
        let corners = Box2::around(controls.iter().map(cartesian));
        self.degree = degree;
        self.size = (corners.upper - corners.lower).amax();
        let shortest = SHORTEST_PIECE * self.size;
        let is_rational = controls.iter().any(|control| control[2] != 1.0);
        self.foot_count = if is_rational { 3 * degree - 1 } else { 2 * degree };
        self.controls.clear();
        self.feet.clear();
        self.pieces.clear();
        let count = controls.len() / (degree + 1);
        reserve(&mut self.controls, controls.len(), PIECES)?;
        reserve(&mut self.feet, count * self.foot_count, PIECES)?;
        reserve(&mut self.pieces, count, PIECES)?;
        for piece in controls.chunks_exact(degree + 1).filter(|piece| polygon_length(piece) > shortest) {
            self.controls.extend_from_slice(piece);
            self.add_foot(piece, is_rational);
        }
        self.set_joins();
        let Self { tree, controls, pieces, .. } = self;
        let stride = degree + 1;
        tree.fill(pieces.len(), |at| Box2::around(controls[at * stride..][..stride].iter().map(cartesian)))
    }

    /// Appends the foot polynomial of a piece.
    fn add_foot(&mut self, piece: &[Homogeneous], is_rational: bool) {
        let origin = Box2::around(piece.iter().map(cartesian)).center();
        let (hodograph, count) = hodograph(piece, is_rational);
        let hodograph = &hodograph[..count];
        let column = |axis: usize| {
            let shifted =
                |control: &Homogeneous| control[axis] - if axis < 2 { origin[axis] * control[2] } else { 0.0 };
            let mut values: Coefficients = [0.0; MAX_COEFFICIENTS];
            values.iter_mut().zip(piece).for_each(|(value, control)| *value = shifted(control));
            values
        };
        let part = |axis: usize| product(&column(axis)[..piece.len()], hodograph);
        let (by_x, by_y) = (part(0), part(1));
        let by_weight = if is_rational { part(2) } else { elevated(hodograph, piece.len() - 1) };
        let sizes = hodograph.iter().map(|edge| edge.map(f64::abs));
        let mut edges = [[0.0; 2]; MAX_COEFFICIENTS];
        edges.iter_mut().zip(sizes).for_each(|(edge, size)| *edge = size);
        let terms = |axis: usize| product(&column(axis).map(f64::abs)[..piece.len()], &edges[..count]);
        let (x_terms, y_terms, weight_terms) = (terms(0), terms(1), terms(2));
        self.feet.extend((0..self.foot_count).map(|at| FootTerm {
            own: by_x[at][0] + by_y[at][1],
            by_weight: Vec2::from(by_weight[at]),
            own_terms: x_terms[at][0] + y_terms[at][1],
            weight_terms: weight_terms[at][0].max(weight_terms[at][1]),
        }));
        let join = Join { before: Vec2::zeros(), after: Vec2::zeros(), is_corner: false };
        let start = cartesian(&piece[0]);
        let (length, speed) = (polygon_length(piece), highest_speed(piece));
        self.pieces.push(Piece { start, origin, length, speed, join });
    }

    /// Finds the tangents at the ends of pieces.
    fn set_joins(&mut self) {
        let count = self.pieces.len();
        for at in 0..count {
            let before = end_tangent(self.controls(if at == 0 { count - 1 } else { at - 1 }).iter().rev(), -1.0);
            let after = end_tangent(self.controls(at).iter(), 1.0);
            let is_corner = before.perp(&after).abs() > CORNER || before.dot(&after) < 0.0;
            self.pieces[at].join = Join { before, after, is_corner };
        }
        self.has_corners = self.pieces.iter().any(|piece| piece.join.is_corner);
    }

    /// Returns the number of pieces.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the boxes around the pieces.
    #[inline]
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// Returns the larger extent of the control points [m].
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// Returns the length of the control polygon of a piece [m].
    #[inline]
    pub(crate) fn length(&self, piece: usize) -> f64 {
        self.pieces[piece].length
    }

    /// Returns a length that a part of a piece, so wide by the parameter, does not exceed [m].
    #[inline]
    pub(crate) fn longest_way(&self, piece: usize, width: f64) -> f64 {
        let Piece { length, speed, .. } = &self.pieces[piece];
        length.min(speed * width)
    }

    /// Returns what is at the start of a piece.
    #[inline]
    pub(crate) fn join(&self, piece: usize) -> &Join {
        &self.pieces[piece].join
    }

    /// Returns the piece behind a piece.
    #[inline]
    pub(crate) fn next(&self, piece: usize) -> usize {
        if piece + 1 < self.pieces.len() { piece + 1 } else { 0 }
    }

    /// Whether the curve has a corner.
    pub(crate) fn has_corners(&self) -> bool {
        self.has_corners
    }

    /// Returns the control points of a piece.
    #[inline]
    pub(super) fn controls(&self, piece: usize) -> &[Homogeneous] {
        &self.controls[piece * (self.degree + 1)..][..self.degree + 1]
    }

    /// Returns where a piece begins [m].
    #[inline]
    pub(crate) fn start(&self, piece: usize) -> Vec2 {
        self.pieces[piece].start
    }

    /// Returns the coefficients of the foot polynomial of a point, 0 where they are round-off, and how many.
    #[inline]
    pub(super) fn foot_polynomial(&self, piece: usize, point: &Vec2) -> (Coefficients, usize) {
        let arm = point - self.pieces[piece].origin;
        let reach = arm.x.abs() + arm.y.abs();
        self.polynomial(piece, |term| (term.own - arm.dot(&term.by_weight), term.own_terms + reach * term.weight_terms))
    }

    /// Returns the coefficients of the derivative of the coordinate along `direction`, times a positive polynomial, and how many.
    #[inline]
    pub(super) fn rise_polynomial(&self, piece: usize, direction: &Vec2) -> (Coefficients, usize) {
        let reach = direction.x.abs() + direction.y.abs();
        self.polynomial(piece, |term| (direction.dot(&term.by_weight), reach * term.weight_terms))
    }

    /// Returns coefficients made of the terms of a piece and of the sizes of what was added.
    #[inline]
    fn polynomial(&self, piece: usize, of: impl Fn(&FootTerm) -> (f64, f64)) -> (Coefficients, usize) {
        let mut values: Coefficients = [0.0; MAX_COEFFICIENTS];
        let terms = &self.feet[piece * self.foot_count..][..self.foot_count];
        for (value, term) in values.iter_mut().zip(terms) {
            let (sum, size) = of(term);
            *value = if sum.abs() > ROUND_OFF * size { sum } else { 0.0 };
        }
        (values, self.foot_count)
    }

    /// Returns the place on a piece at the parameter `t`.
    #[inline]
    pub(crate) fn at(&self, piece: usize, t: f64) -> Local {
        evaluate(self.controls(piece), t)
    }

    /// Returns the unit tangent at a place on a piece; at its ends that of this piece.
    #[inline]
    pub(crate) fn tangent(&self, piece: usize, t: f64, local: &Local) -> Vec2 {
        let speed = local.first.norm();
        if speed > SLOWEST * self.pieces[piece].length {
            return local.first / speed;
        }
        if t <= 0.0 {
            return self.pieces[piece].join.after;
        }
        if t >= 1.0 {
            return self.pieces[self.next(piece)].join.before;
        }
        let reach = 1e-3f64.min(t).min(1.0 - t);
        let chord = self.at(piece, t + reach).point - self.at(piece, t - reach).point;
        chord.try_normalize(0.0).unwrap_or(self.pieces[piece].join.after)
    }
}

/// Returns a control point without its weight.
#[inline]
pub(super) fn cartesian(control: &Homogeneous) -> Vec2 {
    let [x, y, weight] = *control;
    Vec2::new(x / weight, y / weight)
}

/// Returns the length of a control polygon [m].
fn polygon_length(piece: &[Homogeneous]) -> f64 {
    piece.windows(2).map(|pair| (cartesian(&pair[1]) - cartesian(&pair[0])).norm()).sum()
}

/// Returns a bound of the derivative of a piece [m].
///
/// With weights the derivative is `p` times a mean of edges, times at most the square of the ratio of the weights (Floater 1992).
fn highest_speed(piece: &[Homogeneous]) -> f64 {
    let edges = piece.windows(2).map(|pair| (cartesian(&pair[1]) - cartesian(&pair[0])).norm());
    let weights = piece.iter().map(|control| control[2]);
    let (smallest, largest) =
        weights.fold((f64::INFINITY, 0f64), |(smallest, largest), weight| (smallest.min(weight), largest.max(weight)));
    let ratio = largest / smallest;
    edges.fold(0.0, f64::max) * (piece.len() - 1) as f64 * ratio * ratio
}

/// Returns the unit tangent at the first of the control points, which is towards the next at another place; `sign` turns it around.
fn end_tangent<'a>(mut controls: impl Iterator<Item = &'a Homogeneous> + Clone, sign: f64) -> Vec2 {
    let Some(first) = controls.next().map(cartesian) else { return Vec2::x() };
    let reach = controls.clone().map(|control| (cartesian(control) - first).norm()).fold(0.0, f64::max);
    let arms = controls.map(|control| cartesian(control) - first);
    let far = arms.into_iter().find(|arm| arm.norm() > 1e-10 * reach);
    far.and_then(|arm| arm.try_normalize(0.0)).map_or(Vec2::x(), |tangent| tangent * sign)
}

/// Returns the coefficients of `X' W - X W'`, or of `X'` where all weights are 1, and how many.
fn hodograph(piece: &[Homogeneous], is_rational: bool) -> ([[f64; 2]; MAX_COEFFICIENTS], usize) {
    let degree = piece.len() - 1;
    let mut sum = [[0.0; 2]; MAX_COEFFICIENTS];
    if !is_rational {
        for (value, pair) in sum.iter_mut().zip(piece.windows(2)) {
            *value = [0, 1].map(|axis| degree as f64 * (pair[1][axis] - pair[0][axis]));
        }
        return (sum, degree);
    }
    for (i, from) in piece.iter().enumerate() {
        for (j, to) in piece.iter().enumerate().skip(i + 1) {
            let ways = binomial(degree, i) * binomial(degree, j) / binomial(2 * degree - 2, i + j - 1);
            let edge = (cartesian(to) - cartesian(from)) * (ways * (j - i) as f64 * from[2] * to[2]);
            sum[i + j - 1][0] += edge.x;
            sum[i + j - 1][1] += edge.y;
        }
    }
    (sum, 2 * degree - 1)
}

/// Returns coefficients of the same polynomial with a degree that is higher by `by`.
fn elevated(coefficients: &[[f64; 2]], by: usize) -> [[f64; 2]; MAX_COEFFICIENTS] {
    product(&[1.0; MAX_COEFFICIENTS][..by + 1], coefficients)
}

/// Returns the place and the derivatives at `t`, by de Casteljau's scheme.
#[inline]
pub(super) fn evaluate(piece: &[Homogeneous], t: f64) -> Local {
    let degree = piece.len() - 1;
    let mut level = [[0.0; 3]; MAX_DEGREE + 1];
    level[..=degree].copy_from_slice(piece);
    let mut second = [0.0; 3];
    for left in (1..=degree).rev() {
        if left == 2 {
            let factor = (degree * (degree - 1)) as f64;
            second = std::array::from_fn(|axis| factor * (level[2][axis] - 2.0 * level[1][axis] + level[0][axis]));
        }
        if left == 1 {
            break;
        }
        for at in 0..left {
            let (from, to) = (level[at], level[at + 1]);
            level[at] = std::array::from_fn(|axis| from[axis] + t * (to[axis] - from[axis]));
        }
    }
    let first: [f64; 3] = std::array::from_fn(|axis| degree as f64 * (level[1][axis] - level[0][axis]));
    // Near its end a piece is measured from there, so that the end is met to the last bit.
    let value: [f64; 3] = if t < 0.5 {
        std::array::from_fn(|axis| level[0][axis] + t * (level[1][axis] - level[0][axis]))
    } else {
        std::array::from_fn(|axis| level[1][axis] - (1.0 - t) * (level[1][axis] - level[0][axis]))
    };
    divided(value, first, second)
}

/// Returns the quotient of the coordinates by the weight, with its derivatives.
#[inline]
fn divided(value: [f64; 3], first: [f64; 3], second: [f64; 3]) -> Local {
    let of = |numbers: [f64; 3]| Vec2::new(numbers[0], numbers[1]);
    let weight = 1.0 / value[2];
    let point = of(value) * weight;
    let speed = (of(first) - point * first[2]) * weight;
    let change = (of(second) - speed * (2.0 * first[2]) - point * second[2]) * weight;
    Local { point, first: speed, second: change }
}
