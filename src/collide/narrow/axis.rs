//! An axis along which two shapes meet; the closest points of two segments; the axis across two edges of two boxes.

use super::polytope::{Bars, Polytope, PolytopeKind};
use crate::math::Vec3;

/// Squared sine of the angle below which two edges have no axis of their own [-].
pub(super) const PARALLEL_EDGES: f64 = 1e-12;
/// A candidate must separate more than a face by this fraction of the smaller size to be preferred [-].
///
/// It is also the error of the gap where a point lies so little beyond an edge that the face counts as equally good.
const BETTER: f64 = 1e-13;
/// Points may be farther apart than their axis separates by this fraction of the smaller size [-]. A second face replaces the first one if it
/// separates more by that much.
///
/// The closest point of a rim is that ill-conditioned where the end of a cylinder nearly lies on a face. The gap is that of the axis.
const POINT_ERROR: f64 = 1e-10;
/// Round-off of a separation, as a fraction of the larger size and the distance [-].
const ROUND_OFF: f64 = 4e-15;

/// The face to which an axis is normal: that of a or of b with this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    OfA(usize),
    OfB(usize),
}

/// An axis, the separation of the shapes along it, and where they are closest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// Of unit length, from a to b.
    pub(super) normal: Vec3,
    /// The separation without the radii [m].
    pub(super) separation: f64,
    /// The face to which it is normal, if there is one.
    pub(super) face: Option<Face>,
    /// Where the shapes are closest, if known.
    pub(super) witness: Option<Witness>,
}

/// Where two shapes are closest.
#[derive(Debug, Clone, Copy)]
pub(super) enum Witness {
    /// At these points of a and b [m].
    Points([Vec3; 2]),
    /// On edges of two boxes.
    Edges {
        /// Of a and b, which of its axes the edge lies along.
        along: [usize; 2],
        /// Of unit length, across both, from a to b.
        across: Vec3,
    },
}

impl Witness {
    /// The closest points of a and b [m].
    pub(super) fn points(&self, a: &Polytope, b: &Polytope) -> Option<[Vec3; 2]> {
        match self {
            Self::Points(points) => Some(*points),
            Self::Edges { along, across } => {
                Some(closest_points(&box_edge(a, along[0], across)?, &box_edge(b, along[1], &-across)?))
            }
        }
    }
}

/// Below this difference two separations of a and b are equal [m].
#[inline]
pub(super) fn tolerance(a: &Polytope, b: &Polytope) -> f64 {
    fraction(BETTER, a, b)
}

/// The most by which points may be farther apart than their axis separates [m].
#[inline]
pub(super) fn point_tolerance(a: &Polytope, b: &Polytope) -> f64 {
    fraction(POINT_ERROR, a, b)
}

/// The round-off of a separation [m].
#[inline]
pub(super) fn separation_round_off(a: &Polytope, b: &Polytope) -> f64 {
    let span = (a.size + a.radius).max(b.size + b.radius) + (b.center - a.center).norm();
    ROUND_OFF * span
}

/// A fraction of the smaller size, but not below the round-off [m].
#[inline]
fn fraction(of_size: f64, a: &Polytope, b: &Polytope) -> f64 {
    (of_size * (a.size + a.radius).min(b.size + b.radius)).max(separation_round_off(a, b))
}

/// A segment by its ends [m].
pub(super) type Segment = [Vec3; 2];

/// Fractions along `a` and `b`, 0 to 1, of the closest points (Ericson, Real-Time Collision Detection, 5.1.9).
fn closest_fractions(a: &Segment, b: &Segment) -> (f64, f64) {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv, uw, vw) = (u.norm_squared(), v.norm_squared(), u.dot(&v), u.dot(&w), v.dot(&w));
    if uu == 0.0 && vv == 0.0 {
        return (0.0, 0.0);
    }
    if uu == 0.0 {
        return (0.0, (vw / vv).clamp(0.0, 1.0));
    }
    if vv == 0.0 {
        return ((-uw / uu).clamp(0.0, 1.0), 0.0);
    }
    // The product of (u, v) and (w, v), free of the cancellation in uv vw - uw vv and uu vv - uv^2: segments may be nearly parallel.
    let across = u.cross(&v);
    let area = across.norm_squared();
    let s = if area > 1e-24 * uu * vv { (-across.dot(&w.cross(&v)) / area).clamp(0.0, 1.0) } else { 0.0 };
    let t = (uv * s + vw) / vv;
    if t < 0.0 {
        ((-uw / uu).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((uv - uw) / uu).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

/// The point at a fraction of the segment.
pub(super) fn at(segment: &Segment, fraction: f64) -> Vec3 {
    segment[0] + (segment[1] - segment[0]) * fraction
}

/// The fraction along `segment` whose point is closest to `point`.
pub(super) fn fraction_of(segment: &Segment, point: &Vec3) -> f64 {
    let along = segment[1] - segment[0];
    let square = along.norm_squared();
    if square > 0.0 { (along.dot(&(point - segment[0])) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The points of `a` and `b` that are closest to each other.
pub(super) fn closest_points(a: &Segment, b: &Segment) -> [Vec3; 2] {
    let (s, t) = closest_fractions(a, b);
    [at(a, s), at(b, t)]
}

/// Returns the axis across the two edges of two boxes that separate them most. The centre of b is an `arm` [m] away from that
/// of a. Edges that plainly separate less than `min_separation` [m], which is not positive, are left out.
pub(super) fn box_edges(a: &Bars, b: &Bars, arm: &Vec3, min_separation: f64) -> Option<Axis> {
    let cross_axis_separations = cross_axis_separations(a, b, arm);
    let mut best: Option<Axis> = None;
    for (i, edge_a) in a.half.iter().enumerate() {
        for (j, edge_b) in b.half.iter().enumerate() {
            if cross_axis_separations[i][j] < min_separation {
                continue;
            }
            let across = edge_a.cross(edge_b);
            let square = across.norm_squared();
            if square <= PARALLEL_EDGES * edge_a.norm_squared() * edge_b.norm_squared() {
                continue;
            }
            let along = across.dot(arm);
            let length = square.sqrt();
            let normal = across * (1f64.copysign(along) / length);
            let reach = |half: &[Vec3; 3]| half.iter().map(|axis| axis.dot(&normal).abs()).sum::<f64>();
            let separation = along.abs() / length - reach(&a.half) - reach(&b.half);
            if best.is_none_or(|best| separation > best.separation) {
                let witness = Some(Witness::Edges { along: [i, j], across: normal });
                best = Some(Axis { normal, separation, face: None, witness });
            }
        }
    }
    best
}

/// Computes what the cross products of axes i of a and j of b separate, times their lengths, which are at most 1 [m].
///
/// Where a value is less than a number that is not positive, the unit vector separates less than that number too,
/// except for round-off. Each value takes a few products: in the axes of a, those of b are the matrix `turn`.
fn cross_axis_separations(a: &Bars, b: &Bars, arm: &Vec3) -> [[f64; 3]; 3] {
    let turn = a.axes.map(|axis| b.axes.map(|other| axis.dot(&other)));
    let size = turn.map(|row| row.map(f64::abs));
    let arm = a.axes.map(|axis| axis.dot(arm));
    std::array::from_fn(|i| {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        std::array::from_fn(|j| {
            let (m, n) = ((j + 1) % 3, (j + 2) % 3);
            let distance = (arm[l] * turn[k][j] - arm[k] * turn[l][j]).abs();
            let reach_a = a.lengths[k] * size[l][j] + a.lengths[l] * size[k][j];
            let reach_b = b.lengths[m] * size[i][n] + b.lengths[n] * size[i][m];
            distance - reach_a - reach_b
        })
    })
}

/// The edge of a box along its axis `along` that is farthest in `direction`.
fn box_edge(shape: &Polytope, along: usize, direction: &Vec3) -> Option<Segment> {
    let PolytopeKind::Box(Bars { half, .. }) = shape.kind else { return None };
    let side = |axis: &Vec3| axis * 1f64.copysign(axis.dot(direction));
    let others = half.iter().enumerate().filter(|(axis, _)| *axis != along);
    let middle = shape.center + others.map(|(_, axis)| side(axis)).sum::<Vec3>();
    Some([middle - half[along], middle + half[along]])
}
