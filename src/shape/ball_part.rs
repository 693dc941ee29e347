//! Volume and moments of a ball within a convex polyhedron, in closed form.
//!
//! By the divergence theorem the integral of a homogeneous polynomial of degree k over the solid is `1 / (3 + k)` times
//! a sum over its surface. A plane at the distance d from the centre adds d times the integral over the disc within the
//! face. The ball of radius 1 adds the integral over the rest of the sphere. Polynomials of degree 1 and 2 on the
//! sphere are eigenfunctions of its Laplacian. Their integrals are therefore integrals along the arcs that bound the
//! rest. The area follows from the theorem of Gauss and Bonnet. That theorem leaves a multiple of 2 pi open, for which
//! a count of evenly spread directions is near enough.

use std::f64::consts::{PI, TAU};

use super::moments::Moments;
use super::polyhedron::{PolyFace, Polyhedron};
use crate::error::{Result, collected, push};
use crate::math::elementary::{atan2, hypot, sin_cos};
use crate::math::{Mat3, Vec3, tangents};

/// Corners up to this far outside of the sphere count as inside [-].
const ON_SPHERE: f64 = 1e-15;
/// An edge of which no more than twice this is in the ball passes it by: what it would cut off is below 1e-18 of the ball [-].
const GRAZING: f64 = 1e-6;
/// The directions that are counted.
const DIRECTIONS: u32 = 256;
/// `pi (3 - sqrt 5)`, the angle from each direction to the next [rad].
const GOLDEN: f64 = 2.399_963_229_728_653;
/// Names in error messages: what the memory was for.
const EDGES: &str = "edges of a clump's pieces";

/// An edge, lower corner first, with the fractions of its length at which it enters and leaves the ball, if it does.
struct Edge {
    ends: [u32; 2],
    inside: Option<[f64; 2]>,
    /// The normals of its two faces.
    normals: [Vec3; 2],
}

/// The polyhedron seen from the centre of the ball, in units of its radius.
struct View {
    points: Vec<Vec3>,
    edges: Vec<Edge>,
}

/// The integrals over the surface that the sphere and the faces share, summed up face by face.
struct Rims {
    /// Of the curvature, towards the sphere within the polyhedron.
    curvature: f64,
    /// Of the outward direction across the arc.
    across: Vec3,
    /// Of the symmetric product of that direction and the place.
    products: Mat3,
}

/// The moments of what is in the ball and in the polyhedron, counted from the origin.
pub(super) fn ball_within(center: &Vec3, radius: f64, polyhedron: &Polyhedron) -> Result<Moments> {
    let view = View::new(center, radius, polyhedron)?;
    let mut sum = Moments::zero();
    let mut rims = Rims { curvature: 0.0, across: Vec3::zeros(), products: Mat3::zeros() };
    for face in &polyhedron.faces {
        let distance = (face.offset - face.normal.dot(center)) / radius;
        if distance.abs() < 1.0 {
            FaceSum::new(&view, face, distance).add_to(&mut sum, &mut rims);
        }
    }
    let estimate = estimated_area(center, radius, polyhedron);
    let turned = rims.curvature - view.turned_at_corners();
    let area = turned + TAU * ((estimate - turned) / TAU).round();
    sum.volume += area / 3.0;
    sum.first -= rims.across / 8.0;
    sum.second += (Mat3::identity() * (area / 3.0) - rims.products / 6.0) / 5.0;
    Ok(sum.moved(radius, center))
}

/// The area of the unit sphere within the polyhedron, from evenly spread directions.
fn estimated_area(center: &Vec3, radius: f64, polyhedron: &Polyhedron) -> f64 {
    let within = |index: &u32| {
        let z = (2.0 * f64::from(*index) + 1.0) / f64::from(DIRECTIONS) - 1.0;
        let (sine, cosine) = sin_cos(GOLDEN * f64::from(*index));
        let across = (1.0 - z * z).sqrt();
        let point = center + Vec3::new(across * cosine, across * sine, z) * radius;
        polyhedron.faces.iter().all(|face| face.normal.dot(&point) <= face.offset)
    };
    4.0 * PI * (0..DIRECTIONS).filter(within).count() as f64 / f64::from(DIRECTIONS)
}

impl View {
    fn new(center: &Vec3, radius: f64, polyhedron: &Polyhedron) -> Result<Self> {
        let points = collected(polyhedron.points.iter().map(|point| (point - center) / radius), EDGES)?;
        let mut sides: Vec<([u32; 2], Vec3)> = Vec::new();
        for face in &polyhedron.faces {
            let following = face.corners.iter().skip(1).chain(face.corners.first());
            for (a, b) in face.corners.iter().zip(following) {
                push(&mut sides, ([*a.min(b), *a.max(b)], face.normal), EDGES)?;
            }
        }
        // Stable: the two faces of an edge keep their order.
        sides.sort_by_key(|(ends, _)| *ends);
        let mut edges = Vec::new();
        for group in sides.chunk_by(|one, other| one.0 == other.0) {
            if let [(ends, first), .., (_, second)] = group {
                let inside = crossings(ends.map(|end| points[end as usize]));
                push(&mut edges, Edge { ends: *ends, inside, normals: [*first, *second] }, EDGES)?;
            }
        }
        Ok(Self { points, edges })
    }

    fn at(&self, corner: u32) -> Vec3 {
        self.points[corner as usize]
    }

    /// The part of the edge from `a` to `b` that is inside the ball, from end to end, and whether each end of it is on the sphere.
    fn inside(&self, a: u32, b: u32) -> Option<[(Vec3, bool); 2]> {
        let ends = [a.min(b), a.max(b)];
        let edge = self.edges.binary_search_by_key(&ends, |edge| edge.ends).ok().and_then(|at| self.edges.get(at))?;
        let [low, high] = edge.ends.map(|end| self.at(end));
        // Ends of the edge itself are corners inside.
        let place = |fraction: f64| (low + (high - low) * fraction, fraction > 0.0 && fraction < 1.0);
        let [from, to] = edge.inside?.map(place);
        let outside = |end: u32| self.at(end).norm_squared() > 1.0 + ON_SPHERE;
        let from = (from.0, from.1 || outside(edge.ends[0]));
        let to = (to.0, to.1 || outside(edge.ends[1]));
        Some(if a < b { [from, to] } else { [to, from] })
    }

    /// The sum of the angles by which the boundary of the sphere within the polyhedron turns where edges cross it.
    fn turned_at_corners(&self) -> f64 {
        let of_edge = |edge: &Edge| {
            let points = self.inside(edge.ends[0], edge.ends[1]).into_iter().flatten();
            let turn = |point: Vec3| {
                let [m, k] = edge.normals.map(|normal| normal - point * (normal.dot(&point) / point.norm_squared()));
                atan2(m.cross(&k).norm(), m.dot(&k))
            };
            points.filter(|(_, is_crossing)| *is_crossing).map(|(point, _)| turn(point)).sum::<f64>()
        };
        self.edges.iter().map(of_edge).sum()
    }
}

/// The fractions between which the edge between two points is inside the unit ball.
fn crossings([a, b]: [Vec3; 2]) -> Option<[f64; 2]> {
    let along = b - a;
    let (square, slope) = (along.norm_squared(), a.dot(&along));
    let [a_in, b_in] = [a, b].map(|end| end.norm_squared() <= 1.0 + ON_SPHERE);
    if a_in && b_in {
        return Some([0.0, 1.0]);
    }
    let root = (slope * slope - square * (a.norm_squared() - 1.0)).max(0.0).sqrt();
    let (enters, leaves) = ((-slope - root) / square, (-slope + root) / square);
    match (a_in, b_in) {
        (true, _) => Some([0.0, leaves.clamp(0.0, 1.0)]),
        (_, true) => Some([enters.clamp(0.0, 1.0), 1.0]),
        _ => {
            // Where the line is nearest to the centre: in the ball, and between the ends.
            let passes = root > GRAZING * square.sqrt() && slope < 0.0 && -slope < square;
            passes.then_some([enters.max(0.0), leaves.min(1.0)])
        }
    }
}

/// The integrals over the disc within one face, in the axes of the face, about the foot of the centre; and of its arcs.
struct FaceSum {
    normal: Vec3,
    distance: f64,
    axes: [Vec3; 2],
    area: f64,
    /// Of u and w.
    first: [f64; 2],
    /// Of uu, uw and ww.
    second: [f64; 3],
    /// The sum of the angles of the arcs.
    angle: f64,
    /// The integrals of cosine and sine over them.
    along: [f64; 2],
    /// Of their products: cosine squared, both, sine squared.
    squares: [f64; 3],
}

impl FaceSum {
    fn new(view: &View, face: &PolyFace, distance: f64) -> Self {
        let (u, w) = tangents(&face.normal);
        let zero = ([0.0; 2], [0.0; 3]);
        let (normal, axes, (first, second), (along, squares)) = (face.normal, [u, w], zero, zero);
        let mut sum = Self { normal, distance, axes, area: 0.0, first, second, angle: 0.0, along, squares };
        sum.add_boundary(view, face);
        sum
    }

    /// The radius of the disc.
    fn radius(&self) -> f64 {
        (1.0 - self.distance * self.distance).sqrt()
    }

    fn add_boundary(&mut self, view: &View, face: &PolyFace) {
        let following = face.corners.iter().skip(1).chain(face.corners.first());
        let sides = face.corners.iter().zip(following);
        // The least distance of a side from the foot, below 0 if the foot is beyond it, and whether any of the outline is in the ball.
        let (mut nearest, mut meets) = (f64::INFINITY, false);
        for (a, b) in sides.clone() {
            let [p, q] = [*a, *b].map(|corner| self.flat(&view.at(corner)));
            let length = hypot(q[0] - p[0], q[1] - p[1]);
            nearest = nearest.min((p[0] * q[1] - p[1] * q[0]) / length);
            meets |= view.inside(*a, *b).is_some();
        }
        if !meets {
            if nearest > 0.0 {
                self.add_arc(0.0, TAU);
            }
            return;
        }
        // On the way round the face a point where it leaves the disc is followed by the one where it comes back.
        let (mut first_entry, mut left) = (None, None);
        for (a, b) in sides {
            let Some([from, to]) = view.inside(*a, *b) else { continue };
            let [p, q] = [from, to].map(|(point, _)| self.flat(&point));
            if from.1 {
                let angle = atan2(p[1], p[0]);
                match left.take() {
                    Some(leaving) => self.add_arc(leaving, angle),
                    None => first_entry = first_entry.or(Some(angle)),
                }
            }
            self.add_triangle(p, q);
            if to.1 {
                left = Some(atan2(q[1], q[0]));
            }
        }
        if let (Some(leaving), Some(entry)) = (left, first_entry) {
            self.add_arc(leaving, entry);
        }
    }

    fn flat(&self, point: &Vec3) -> [f64; 2] {
        self.axes.map(|axis| axis.dot(point))
    }

    /// Adds the triangle from the foot to two points.
    fn add_triangle(&mut self, p: [f64; 2], q: [f64; 2]) {
        let doubled = p[0] * q[1] - p[1] * q[0];
        let s = [p[0] + q[0], p[1] + q[1]];
        self.area += doubled / 2.0;
        for (first, sum) in self.first.iter_mut().zip(s) {
            *first += sum * doubled / 6.0;
        }
        for (entry, [i, j]) in [[0, 0], [0, 1], [1, 1]].into_iter().enumerate() {
            self.second[entry] += (p[i] * p[j] + q[i] * q[j] + s[i] * s[j]) * doubled / 24.0;
        }
    }

    /// Adds the sector of the disc from one angle counterclockwise to another.
    fn add_arc(&mut self, from: f64, to: f64) {
        let mut angle = to - from;
        if angle < 0.0 {
            angle += TAU;
        }
        if angle > TAU - 1e-10 && to != TAU {
            angle = 0.0;
        }
        let ((s0, c0), (s1, c1)) = (sin_cos(from), sin_cos(from + angle));
        let along = [s1 - s0, c0 - c1];
        let swing = 0.5 * (s1 * c1 - s0 * c0);
        let squares = [0.5 * angle + swing, 0.5 * (s1 * s1 - s0 * s0), 0.5 * angle - swing];
        let radius = self.radius();
        let (square, fourth) = (radius * radius, radius * radius * radius * radius);
        self.angle += angle;
        self.area += square / 2.0 * angle;
        for (axis, value) in along.into_iter().enumerate() {
            self.along[axis] += value;
            self.first[axis] += square * radius / 3.0 * value;
        }
        for (entry, value) in squares.into_iter().enumerate() {
            self.squares[entry] += value;
            self.second[entry] += fourth / 4.0 * value;
        }
    }

    /// A vector and a matrix in the axes of the face, in those of the polyhedron.
    fn spatial(&self, vector: &[f64; 2], matrix: &[f64; 3]) -> (Vec3, Mat3) {
        let [u, w] = &self.axes;
        let mixed = u * w.transpose();
        let square =
            u * u.transpose() * matrix[0] + (mixed + mixed.transpose()) * matrix[1] + w * w.transpose() * matrix[2];
        (u * vector[0] + w * vector[1], square)
    }

    fn add_to(&self, sum: &mut Moments, rims: &mut Rims) {
        let Self { normal: n, distance: d, .. } = self;
        let both = |v: &Vec3| n * v.transpose() + v * n.transpose();
        let (first, second) = self.spatial(&self.first, &self.second);
        let upright = n * n.transpose();
        sum.volume += d / 3.0 * self.area;
        sum.first += (n * (d * self.area) + first) * (d / 4.0);
        sum.second += (upright * (d * d * self.area) + both(&first) * *d + second) * (d / 5.0);
        let (along, squares) = self.spatial(&self.along, &self.squares);
        let (square, radius) = (1.0 - d * d, self.radius());
        rims.curvature += d * self.angle;
        rims.across += n * (square * self.angle) - along * (d * radius);
        rims.products += upright * (2.0 * square * d * self.angle) + both(&along) * (radius * (square - d * d))
            - squares * (2.0 * d * square);
    }
}
