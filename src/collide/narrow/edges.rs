//! The axis across two edges of two boxes.

use super::bars::Bars;
use super::polytope::{Kind, Polytope};
use super::segment::{Segment, at, closest_fractions};
use crate::math::Vec3;

/// Squared sine of the angle below which two edges have no axis of their own [-].
pub(super) const PARALLEL_EDGES: f64 = 1e-12;

/// Of each of two boxes the edge that faces the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacingEdges {
    /// Of a and b, which of its axes it lies along.
    along: [usize; 2],
    /// Of unit length, across both, from a to b.
    pub(super) normal: Vec3,
    /// What the normal separates [m].
    pub(super) separation: f64,
}

/// Returns the edges of two boxes that separate them most. The centre of b is an `arm` [m] away from that of a. Edges that plainly separate less than `least` [m], which is not positive, are left out.
pub(super) fn box_edges(a: &Bars, b: &Bars, arm: &Vec3, least: f64) -> Option<FacingEdges> {
    let shadows = shadows(a, b, arm);
    let mut best: Option<FacingEdges> = None;
    for (i, edge_a) in a.half.iter().enumerate() {
        for (j, edge_b) in b.half.iter().enumerate() {
            if shadows[i][j] < least {
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
                best = Some(FacingEdges { along: [i, j], normal, separation });
            }
        }
    }
    best
}

/// What the cross products of axes i of a and j of b separate, times their lengths, which are at most 1 [m].
///
/// So where that is less than a number that is not positive, the unit vector separates less too, but for round-off. It takes
/// a few products each: in the axes of a, those of b are the matrix `turn`.
fn shadows(a: &Bars, b: &Bars, arm: &Vec3) -> [[f64; 3]; 3] {
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

impl FacingEdges {
    /// Where the two are closest [m].
    pub(super) fn closest_points(&self, a: &Polytope, b: &Polytope) -> Option<[Vec3; 2]> {
        let edge_a = box_edge(a, self.along[0], &self.normal)?;
        let edge_b = box_edge(b, self.along[1], &-self.normal)?;
        let (s, t) = closest_fractions(&edge_a, &edge_b);
        Some([at(&edge_a, s), at(&edge_b, t)])
    }
}

/// The edge of a box along its axis `along` that is farthest in `direction`.
fn box_edge(shape: &Polytope, along: usize, direction: &Vec3) -> Option<Segment> {
    let Kind::Box(Bars { half, .. }) = shape.kind else { return None };
    let side = |axis: &Vec3| axis * 1f64.copysign(axis.dot(direction));
    let others = half.iter().enumerate().filter(|(axis, _)| *axis != along);
    let middle = shape.center + others.map(|(_, axis)| side(axis)).sum::<Vec3>();
    Some([middle - half[along], middle + half[along]])
}
