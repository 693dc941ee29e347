//! Finds the direction that separates two shapes most, from one that nearly does.
//!
//! It is the axis of a face, of two edges, of an edge and a rim, or of two rims.
//!
//! What a direction n separates is `min_b n.x - max_a n.x`. Where it is greatest, n is normal to a face, or across an
//! edge of each shape, or across one edge, or the shapes touch in corners or rims. A search finds which of these holds.
//! The direction then follows in closed form, or by Newton's method where a rim takes part. The side of a cylinder
//! counts as an edge: its axis, thickened by the radius.

use super::axis::{Axis, Face, PARALLEL_EDGES, Segment, Witness, closest_points, separation_round_off};
use super::polytope::{NO_HINT, Polytope, PolytopeKind};
use crate::math::elementary::square;
use crate::math::{Vec3, tangents};

/// A direction found so far counts as one of a face within this cosine [-].
const NEAR_FACE: f64 = 0.7;
/// Cosine of the angle to its axis below which a cylinder is more likely met by its side than by a rim [-].
const SIDEWAYS: f64 = 0.1;
/// Most steps of Newton's method, which mostly takes three or four.
const STEPS: usize = 12;
/// The longest of them [rad].
const LONGEST: f64 = 0.5;
/// The last step, after which the direction is exact to round-off [rad].
const SHORTEST: f64 = 1e-13;

/// A point of b minus a point of a, and the numbers of their corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    /// [m]
    pub(super) arm: Vec3,
    pub(super) corners: [u32; 2],
}

/// How a shape is met.
#[derive(Debug, Clone, Copy)]
enum Hold {
    /// In a corner, that of a face included.
    Corner(Vec3),
    /// In the rim of a cylinder: 1 of the upper end, -1 of the lower one.
    Rim(f64),
    /// Along this edge.
    Edge(Segment),
    /// Along the side of a cylinder.
    Side,
}

/// Two shapes, and the axis that separates them most of those tried.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) a: &'a Polytope<'a>,
    pub(super) b: &'a Polytope<'a>,
    /// Where the search for the farthest corner of a hull starts.
    hints: [u32; 2],
    /// Whether one of them has a rim.
    pub(super) is_round: bool,
    /// Of the smaller of the two [m].
    pub(super) size: f64,
    /// Of a separation [m].
    round_off: f64,
    pub(super) best: Option<Best>,
    /// The last axis tried that is not that of a face, and how the shapes are met along it.
    last: Option<(Vec3, [Hold; 2])>,
}

/// An axis and how the shapes are met along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) normal: Vec3,
    /// Without the radii [m].
    pub(super) separation: f64,
    /// The numbers of the corners that are farthest along it.
    pub(super) corners: [u32; 2],
    face: Option<Face>,
    /// None where it is the axis of a face.
    holds: Option<[Hold; 2]>,
    /// The farthest point of each shape [m].
    support_points: [Vec3; 2],
}

impl<'a> Search<'a> {
    pub(super) fn new(a: &'a Polytope<'a>, b: &'a Polytope<'a>) -> Self {
        let round = |shape: &Polytope| matches!(shape.kind, PolytopeKind::Cylinder(_));
        let is_round = round(a) || round(b);
        let round_off = separation_round_off(a, b);
        Self { a, b, hints: [NO_HINT; 2], is_round, size: a.size.min(b.size), round_off, best: None, last: None }
    }

    /// The point of b that is farthest in a direction minus the point of a that is farthest against it.
    #[inline]
    pub(super) fn vertex(&mut self, direction: &Vec3) -> Vertex {
        let [on_a, on_b] = self.support_points(direction);
        Vertex { arm: on_b - on_a, corners: self.hints }
    }

    /// The points of a and b that are farthest against a direction, and in it.
    #[inline]
    fn support_points(&mut self, direction: &Vec3) -> [Vec3; 2] {
        let (on_b, corner_b) = self.b.support_corner(direction, self.hints[1]);
        let (on_a, corner_a) = self.a.support_corner(&-direction, self.hints[0]);
        self.hints = [corner_a, corner_b];
        [on_a, on_b]
    }

    /// Keeps a unit axis if it is better than the best so far; returns whether it is.
    ///
    /// An axis that separates more is better. Parallel edges have the same axis: of axes that separate equally, the one with the closer
    /// points is better. The other one has an edge that the shapes do not touch.
    fn offer(&mut self, normal: &Vec3, face: Option<Face>, holds: Option<[Hold; 2]>) -> bool {
        self.last = holds.map(|holds| (*normal, holds)).or(self.last);
        let support_points = self.support_points(&-normal);
        let separation = normal.dot(&(support_points[1] - support_points[0]));
        let offered = Best { normal: *normal, separation, corners: self.hints, face, holds, support_points };
        let is_better = match &self.best {
            None => true,
            Some(best) if separation > best.separation + self.round_off => true,
            Some(best) if separation >= best.separation - self.round_off => {
                holds.is_some() && self.closest(&offered).1 < self.closest(best).1
            }
            Some(_) => false,
        };
        if is_better {
            self.best = Some(offered);
        }
        is_better
    }

    /// Keeps the axis of a face, if that is near, `along` being the cosine between the two.
    fn offer_face(&mut self, along: f64, face: Face, normal: &Vec3) {
        if along > NEAR_FACE {
            self.offer(normal, Some(face), None);
        }
    }

    /// Tries what a unit direction is near to, if it was found from these vertices of b minus a. Ends where points are no
    /// more than `exact` [m] farther apart than their axis separates.
    pub(super) fn polish(&mut self, normal: &Vec3, vertices: &[Vertex], exact: f64) {
        let before = self.hints;
        let first = vertices.first().map_or(before, |vertex| vertex.corners);
        // A plane of two polyhedra is that of a face where it has three corners of one of them.
        let has_plane = |side: usize| self.is_round || vertices.len() > 2 && distinct(vertices, side) > 2;
        let [of_a, of_b] = [has_plane(0), has_plane(1)];
        if of_a && let Some((face, along)) = self.a.facing_face(normal, first[0], false) {
            self.offer_face(along, Face::OfA(face), &self.a.normal(face));
        }
        if of_b && let Some((face, along)) = self.b.facing_face(&-normal, first[1], false) {
            self.offer_face(along, Face::OfB(face), &-self.b.normal(face));
        }
        let [of_a, of_b] = [self.holds(0, normal, vertices), self.holds(1, normal, vertices)];
        'all: for a in of_a.into_iter().flatten() {
            for b in of_b.into_iter().flatten() {
                if let Some(axis) = self.turned(normal, [a, b]) {
                    let is_better = self.offer(&axis, None, Some([a, b]));
                    if is_better && self.is_round && self.best_with_points().is_some_and(|(.., left)| left <= exact) {
                        break 'all;
                    }
                }
            }
        }
        self.hints = before;
    }

    /// Tries the ends of the edges that were tried last. These are those of the best axis, unless it is that of a face. With a cylinder corners
    /// are tried last, and there is nothing to do.
    pub(super) fn offer_ends(&mut self) {
        let Some((normal, holds)) = self.last else { return };
        for side in 0..2 {
            let Hold::Edge(ends) = holds[side] else { continue };
            for end in ends {
                let mut at_end = holds;
                at_end[side] = Hold::Corner(end);
                if let Some(axis) = self.turned(&normal, at_end) {
                    self.offer(&axis, None, Some(at_end));
                }
            }
        }
    }

    /// How a shape may be met, if a direction was found from these vertices; the likelier first.
    fn holds(&self, side: usize, normal: &Vec3, vertices: &[Vertex]) -> [Option<Hold>; 2] {
        let shape = if side == 0 { self.a } else { self.b };
        if let PolytopeKind::Cylinder(round) = shape.kind {
            let along = round.axis.dot(normal);
            let end = if side == 0 { along } else { -along };
            let holds = [Some(Hold::Side), Some(Hold::Rim(1f64.copysign(end)))];
            return if along.abs() < SIDEWAYS { holds } else { [holds[1], holds[0]] };
        }
        let corner = |index: u32| shape.corner(index);
        // With a polyhedron three corners make a face, which is tried anyway.
        if !self.is_round && distinct(vertices, side) > 2 {
            return [None; 2];
        }
        let mut flattest: Option<(f64, Segment)> = None;
        for (at, first) in vertices.iter().enumerate() {
            let first = first.corners[side];
            for second in &vertices[at + 1..] {
                let second = second.corners[side];
                if first != second {
                    let edge = [corner(first.min(second)), corner(first.max(second))];
                    let along = edge[1] - edge[0];
                    let slope = (along.dot(normal) / along.norm()).abs();
                    if flattest.is_none_or(|(smallest, _)| slope < smallest) {
                        flattest = Some((slope, edge));
                    }
                }
            }
        }
        let edge = flattest.map(|(_, edge)| Hold::Edge(edge));
        let has_corner = self.is_round || edge.is_none();
        let outward = if side == 0 { *normal } else { -normal };
        // The corner that was found: another one may be as far in this direction, and farther from the other shape.
        let found = vertices.first().filter(|_| edge.is_none()).map(|vertex| corner(vertex.corners[side]));
        let point = || found.unwrap_or_else(|| shape.support_corner(&outward, self.hints[side]).0);
        [edge, has_corner.then(|| Hold::Corner(point()))]
    }

    /// The axis near a direction that separates most of those across what is held.
    fn turned(&self, normal: &Vec3, [a, b]: [Hold; 2]) -> Option<Vec3> {
        let [along_a, along_b] = [direction(a, self.a), direction(b, self.b)];
        match (along_a, along_b) {
            (None, None) => self.turned_freely(normal, [a, b]),
            (Some(along), None) | (None, Some(along)) => self.turned_about(&along, normal, [a, b]),
            (Some(first), Some(second)) => {
                let across = first.cross(&second);
                let sine = across.norm();
                if square(sine) > PARALLEL_EDGES {
                    return perpendicular(&(across * 1f64.copysign(across.dot(normal))), &first);
                }
                // Round-off turns the product of such edges by its size over their sine, and the arm between them by its size over their distance.
                match (a, b) {
                    (Hold::Edge(edge_a), Hold::Edge(edge_b)) => {
                        let [on_a, on_b] = closest_points(&edge_a, &edge_b);
                        let arm = on_b - on_a;
                        let is_apart = (arm - first * first.dot(&arm)).norm() > sine * self.size;
                        let across = if is_apart { arm } else { across * 1f64.copysign(across.dot(normal)) };
                        perpendicular(&across, &first).filter(|axis| axis.dot(normal) > 0.0)
                    }
                    _ => self.turned_about(&first, normal, [a, b]),
                }
            }
        }
    }

    /// The arm between what is held, along a unit axis; the radii of sides are not in it [m].
    fn arm(&self, normal: &Vec3, [a, b]: [Hold; 2]) -> Option<Vec3> {
        Some(held(b, self.b, &-normal)? - held(a, self.a, normal)?)
    }

    /// How fast the points on rims move as a unit axis turns, towards what, in these two directions [m].
    fn curvature(&self, axis: &Vec3, holds: [Hold; 2], [u, v]: [&Vec3; 2]) -> Option<[f64; 3]> {
        let mut sum = [0.0; 3];
        for (hold, shape) in holds.into_iter().zip([self.a, self.b]) {
            if let Hold::Rim(_) = hold {
                // Of b the direction is the opposite, and the tangent as well: only its square counts.
                let (tangent, bend) = rim_of(shape, axis)?;
                let (x, y) = (u.dot(&tangent), v.dot(&tangent));
                sum = [sum[0] + bend * x * x, sum[1] + bend * x * y, sum[2] + bend * y * y];
            }
        }
        Some(sum)
    }

    /// The axis across a unit direction that separates most.
    fn turned_about(&self, along: &Vec3, normal: &Vec3, holds: [Hold; 2]) -> Option<Vec3> {
        let flat = |vector: &Vec3| vector - along * along.dot(vector);
        let axis = flat(normal).try_normalize(1e-9)?;
        let mut axis = flat(&axis).try_normalize(0.0)?;
        if !holds.iter().any(|hold| matches!(hold, Hold::Rim(_))) {
            let arm = flat(&self.arm(&axis, holds)?);
            let arm = flat(&arm);
            return arm.try_normalize(0.0).filter(|_| arm.dot(&axis) > 0.0);
        }
        for _ in 0..STEPS {
            let arm = self.arm(&axis, holds)?;
            let across = along.cross(&axis);
            let curvature = axis.dot(&arm) + self.curvature(&axis, holds, [&across, &across])?[0];
            if curvature <= 0.0 {
                return None;
            }
            let step = (across.dot(&arm) / curvature).clamp(-LONGEST, LONGEST);
            axis = flat(&(axis + across * step)).try_normalize(0.0)?;
            if step.abs() < SHORTEST {
                break;
            }
        }
        Some(axis)
    }

    /// The axis that separates most where both shapes are met in corners or rims.
    fn turned_freely(&self, normal: &Vec3, holds: [Hold; 2]) -> Option<Vec3> {
        let mut axis = *normal;
        if !holds.iter().any(|hold| matches!(hold, Hold::Rim(_))) {
            let arm = self.arm(&axis, holds)?;
            return arm.try_normalize(0.0).filter(|_| arm.dot(&axis) > 0.0);
        }
        for _ in 0..STEPS {
            let arm = self.arm(&axis, holds)?;
            let (t1, t2) = tangents(&axis);
            let base = axis.dot(&arm);
            let [xx, xy, yy] = self.curvature(&axis, holds, [&t1, &t2])?;
            let (xx, yy) = (xx + base, yy + base);
            let determinant = xx * yy - xy * xy;
            if determinant <= 0.0 || xx + yy <= 0.0 {
                return None;
            }
            let (x, y) = (t1.dot(&arm), t2.dot(&arm));
            let step = (t1 * (yy * x - xy * y) + t2 * (xx * y - xy * x)) / determinant;
            let length = step.norm();
            let step = if length > LONGEST { step * (LONGEST / length) } else { step };
            axis = (axis + step).try_normalize(0.0)?;
            if length < SHORTEST {
                break;
            }
        }
        Some(axis)
    }

    /// Returns the best axis, the points where the shapes are closest along it, and a difference [m].
    ///
    /// The difference is by how much the points are farther apart than the axis separates. Where it is 0, no other axis
    /// separates more, if the shapes do not overlap.
    pub(super) fn best_with_points(&self) -> Option<(Best, [Vec3; 2], f64)> {
        let best = self.best?;
        let (points, left) = self.closest(&best);
        Some((best, points, left))
    }

    /// Returns the points where the shapes are closest along an axis, and by how much they are farther apart than it separates [m].
    fn closest(&self, axis: &Best) -> ([Vec3; 2], f64) {
        let ends = |side: usize, shape: &Polytope, outward: &Vec3| match axis.holds.map(|holds| holds[side]) {
            Some(Hold::Edge(edge)) => edge,
            Some(Hold::Side) => side_line(shape, outward).unwrap_or([axis.support_points[side]; 2]),
            Some(Hold::Corner(point)) => [point; 2],
            Some(Hold::Rim(_)) | None => [axis.support_points[side]; 2],
        };
        let edges = [ends(0, self.a, &axis.normal), ends(1, self.b, &-axis.normal)];
        let points = closest_points(&edges[0], &edges[1]);
        let left = (points[1] - points[0] - axis.normal * axis.separation).norm();
        (points, left)
    }
}

impl Best {
    /// As an axis with these closest points.
    pub(super) fn axis(&self, points: Option<[Vec3; 2]>) -> Axis {
        Axis { normal: self.normal, separation: self.separation, face: self.face, witness: points.map(Witness::Points) }
    }
}

/// How many different corners of one shape up to four vertices have.
fn distinct(vertices: &[Vertex], side: usize) -> usize {
    let is_new = |at: usize| vertices[..at].iter().all(|other| other.corners[side] != vertices[at].corners[side]);
    (0..vertices.len()).filter(|at| is_new(*at)).count()
}

/// The unit vector of a vector without its part along a unit direction. For the product of nearly parallel directions it is perpendicular to
/// both to round-off.
fn perpendicular(vector: &Vec3, along: &Vec3) -> Option<Vec3> {
    let unit = vector.try_normalize(0.0)?;
    (unit - along * along.dot(&unit)).try_normalize(0.0)
}

/// The unit direction of what is held.
fn direction(hold: Hold, shape: &Polytope) -> Option<Vec3> {
    match hold {
        Hold::Corner(_) | Hold::Rim(_) => None,
        Hold::Edge([from, to]) => (to - from).try_normalize(0.0),
        Hold::Side => round_of(shape).map(|round| round.axis),
    }
}

/// The farthest point of what is held in a direction; of a side the middle of the axis [m].
fn held(hold: Hold, shape: &Polytope, direction: &Vec3) -> Option<Vec3> {
    match hold {
        Hold::Corner(point) | Hold::Edge([point, _]) => Some(point),
        Hold::Side => Some(shape.center),
        Hold::Rim(end) => {
            let round = round_of(shape)?;
            let (x, y) = (shape.axes[0].dot(direction), shape.axes[1].dot(direction));
            let across = (x * x + y * y).sqrt();
            let arm = if across > 0.0 { (shape.axes[0] * x + shape.axes[1] * y) / across } else { Vec3::zeros() };
            Some(shape.center + round.half_axis * end + arm * round.radius)
        }
    }
}

fn round_of<'a>(shape: &'a Polytope) -> Option<&'a super::polytope::Round> {
    if let PolytopeKind::Cylinder(round) = &shape.kind { Some(round) } else { None }
}

/// Returns the unit tangent of a cylinder's rim at the point that is farthest in a unit direction; `None` along the
/// axis. With it comes how fast that point moves along the tangent as the direction turns [m].
fn rim_of(shape: &Polytope, direction: &Vec3) -> Option<(Vec3, f64)> {
    let round = round_of(shape)?;
    let (x, y) = (shape.axes[0].dot(direction), shape.axes[1].dot(direction));
    let across = (x * x + y * y).sqrt();
    if across < 1e-13 {
        return None;
    }
    Some((shape.axes[1] * (x / across) - shape.axes[0] * (y / across), round.radius / across))
}

/// The line on a cylinder's side that is farthest in a direction; `None` along the axis.
pub(super) fn side_line(shape: &Polytope, direction: &Vec3) -> Option<Segment> {
    let round = round_of(shape)?;
    let (x, y) = (shape.axes[0].dot(direction), shape.axes[1].dot(direction));
    let across = (x * x + y * y).sqrt();
    if across == 0.0 {
        return None;
    }
    let middle = shape.center + (shape.axes[0] * (x / across) + shape.axes[1] * (y / across)) * round.radius;
    Some([middle - round.half_axis, middle + round.half_axis])
}
