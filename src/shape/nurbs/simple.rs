//! Proof that a closed curve is simple: it neither crosses nor touches itself and has no cusp.
//!
//! The tangent of a Bezier curve with positive weights is in the cone of the edges of its control polygon (Floater
//! 1992). An arc whose edges are all within a right angle of one direction therefore does not meet itself. Two such
//! arcs that follow each other, with one such direction for both, meet in their common end alone. All other pairs must
//! be apart, in boxes or across a chord. Arcs for which none of this holds are halved.

use super::boxes::{Box2, BoxTree};
use super::definition::MAX_DEGREE;
use super::outline::{Outline, cartesian};
use super::pieces::{Controls, Homogeneous, halves};
use crate::error::{Error, Result, push, text};
use crate::math::Vec2;

/// Arcs smaller than this part of the curve count as one place [-].
const ONE_PLACE: f64 = 1e-9;
/// Halvings after which an arc is one place, whatever its size: its parameter has no more digits.
const DEEPEST: u32 = 48;
/// Comparisons of two arcs, for each piece and in all: a curve that needs more comes close to itself all along.
const STEPS_PER_PIECE: usize = 400;
const STEPS: usize = 100_000;
/// Two directions that add up to no more than this, a turn by nearly half a circle, have none in common [-].
const TURNS_BACK: f64 = 1e-6;
/// Cosine between an edge and the common direction, beyond which it counts as within a right angle [-].
const FORWARD: f64 = 1e-7;
/// Edges shorter than this part of the arc have no direction [-].
const NO_EDGE: f64 = 1e-10;
/// Names in error messages: what the memory was for.
const ARCS: &str = "arcs of a curve";

/// A part of a piece.
#[derive(Debug, Clone, Copy)]
struct Arc {
    controls: Controls,
    degree: usize,
    halvings: u32,
}

/// Refuses a curve that is not simple.
pub(super) fn check_simple(outline: &Outline) -> Result<()> {
    let mut arcs = Vec::new();
    let smallest = ONE_PLACE * outline.size();
    for piece in 0..outline.count() {
        add_monotone(&mut arcs, Arc::of(outline.controls(piece)), smallest)?;
    }
    while arcs.len() < 3 {
        // Two arcs would follow each other at both ends.
        let halved: Vec<Arc> = arcs.iter().flat_map(Arc::halves).collect();
        if halved.is_empty() {
            return Err(Error::argument("points_xy are all at one place, expected a curve around an area"));
        }
        arcs = halved;
    }
    let mut tree = BoxTree::default();
    tree.fill(arcs.len(), |at| arcs[at].bounds())?;
    let steps = STEPS + STEPS_PER_PIECE * arcs.len();
    Proof { arcs: &arcs, tree: &tree, smallest, steps }.within(1)
}

/// Appends arcs that make up `arc`, each of which goes forward in one direction.
fn add_monotone(arcs: &mut Vec<Arc>, arc: Arc, smallest: f64) -> Result<()> {
    if is_forward(&[arc]) {
        return push(arcs, arc, ARCS);
    }
    if arc.is_within(smallest) {
        return Err(refused("has a cusp or turns back", &arc));
    }
    arc.halves().into_iter().try_for_each(|half| add_monotone(arcs, half, smallest))
}

impl Arc {
    fn of(piece: &[Homogeneous]) -> Self {
        let mut controls = [[0.0, 0.0, 1.0]; MAX_DEGREE + 1];
        controls[..piece.len()].copy_from_slice(piece);
        Self { controls, degree: piece.len() - 1, halvings: 0 }
    }

    fn halves(&self) -> [Self; 2] {
        halves(&self.controls, self.degree).map(|controls| Self { controls, halvings: self.halvings + 1, ..*self })
    }

    fn points(&self) -> impl Iterator<Item = Vec2> + Clone + '_ {
        self.controls[..=self.degree].iter().map(cartesian)
    }

    fn bounds(&self) -> Box2 {
        Box2::around(self.points())
    }

    /// Whether the arc counts as one place.
    fn is_within(&self, size: f64) -> bool {
        self.halvings >= DEEPEST || self.bounds().half().amax() < 0.5 * size
    }

    /// The edges of the control polygon that have a direction, of length 1.
    fn edges(&self) -> impl Iterator<Item = Vec2> + '_ {
        let half = self.bounds().half();
        let shortest = NO_EDGE * (half.x + half.y);
        let edges = self.points().zip(self.points().skip(1)).map(|(from, to)| to - from);
        edges.filter(move |edge| edge.norm() > shortest).filter_map(|edge| edge.try_normalize(0.0))
    }

    /// The direction in which the arc goes on the whole.
    fn direction(&self) -> Vec2 {
        let sum: Vec2 = self.edges().sum();
        sum.try_normalize(0.0).unwrap_or(sum)
    }

    /// Whether a line along the chord of this arc has the two arcs on its two sides.
    fn is_apart(&self, other: &Self) -> bool {
        let chord = cartesian(&self.controls[self.degree]) - cartesian(&self.controls[0]);
        let across = Vec2::new(-chord.y, chord.x);
        let range = |arc: &Self| {
            arc.points()
                .map(|point| across.dot(&point))
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
        };
        let ([low, high], [other_low, other_high]) = (range(self), range(other));
        high < other_low || other_high < low
    }
}

/// Whether all edges of these arcs are within a right angle of one direction.
fn is_forward(arcs: &[Arc]) -> bool {
    let direction: Vec2 = arcs.iter().map(Arc::direction).sum();
    let threshold = FORWARD * direction.norm();
    direction.norm() > TURNS_BACK && arcs.iter().flat_map(Arc::edges).all(|edge| edge.dot(&direction) > threshold)
}

fn refused(what: &str, arc: &Arc) -> Error {
    let [x, y]: [f64; 2] = arc.bounds().center().into();
    Error::argument(text!("points_xy make a curve that {what} near ({x}, {y}), expected a simple closed curve"))
}

/// How two arcs are related.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Relation {
    /// The second begins where the first ends.
    Follows,
    /// They have no common end.
    Apart,
}

/// The comparison of all pairs of arcs.
struct Proof<'a> {
    arcs: &'a [Arc],
    tree: &'a BoxTree,
    /// The size of one place [m].
    smallest: f64,
    /// Comparisons that are left.
    steps: usize,
}

impl Proof<'_> {
    /// Compares all arcs below a node with each other.
    fn within(&mut self, node: usize) -> Result<()> {
        if node >= self.tree.leaves() {
            return Ok(());
        }
        self.within(2 * node)?;
        self.within(2 * node + 1)?;
        self.between(2 * node, 2 * node + 1)
    }

    /// Compares all arcs below one node with all below another one behind it.
    fn between(&mut self, first: usize, second: usize) -> Result<()> {
        if !self.tree.node(first).meets(self.tree.node(second), 0.0) {
            return Ok(());
        }
        if first >= self.tree.leaves() {
            let (i, j) = (first - self.tree.leaves(), second - self.tree.leaves());
            let (Some(a), Some(b)) = (self.arcs.get(i), self.arcs.get(j)) else { return Ok(()) };
            return match () {
                () if j == i + 1 => self.pair(a, b, Relation::Follows),
                () if i == 0 && j + 1 == self.arcs.len() => self.pair(b, a, Relation::Follows),
                () => self.pair(a, b, Relation::Apart),
            };
        }
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            self.between(2 * first + a, 2 * second + b)?;
        }
        Ok(())
    }

    fn pair(&mut self, a: &Arc, b: &Arc, relation: Relation) -> Result<()> {
        let is_clear = match relation {
            Relation::Follows => is_forward(&[*a, *b]),
            Relation::Apart => !a.bounds().meets(&b.bounds(), 0.0) || a.is_apart(b) || b.is_apart(a),
        };
        if is_clear {
            return Ok(());
        }
        if self.steps == 0 || a.is_within(self.smallest) && b.is_within(self.smallest) {
            let what =
                if relation == Relation::Follows { "has a cusp or turns back" } else { "crosses or touches itself" };
            return Err(refused(what, a));
        }
        self.steps -= 1;
        let ([a_left, a_right], [b_left, b_right]) = (a.halves(), b.halves());
        self.pair(&a_right, &b_left, relation)?;
        self.pair(&a_left, &b_left, Relation::Apart)?;
        self.pair(&a_left, &b_right, Relation::Apart)?;
        self.pair(&a_right, &b_right, Relation::Apart)
    }
}
