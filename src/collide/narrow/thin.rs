//! From very many points to few before they are compared in pairs: of each small range of normals the deepest point,
//! and the outermost in sixteen directions.
//!
//! What is outermost of all stays, so of a plane contact with a few corners none of them is lost. Linear but for a sort.

use super::contact::ContactPoint;
use crate::error::{Result, reserve};
use crate::math::elementary::sin_cos;
use crate::math::{Vec3, tangents};

/// Normals are gathered in cells this wide [-].
const CELL: f64 = 1e-3;
/// Pairs of opposite directions in which the outermost points stay.
const DIRECTIONS: usize = 8;
/// Most points that one cell keeps: the deepest, and two for each pair of directions.
const KEPT: usize = 1 + 2 * DIRECTIONS;

/// The cell of a normal, and which point has it.
type Key = ([i32; 3], usize);

/// Keeps of `points[start..]` what is deepest and outermost, in their order. A later point has to be deeper by `depth`
/// [m], or farther out by `length` [m].
pub(super) fn thin_out(points: &mut Vec<ContactPoint>, start: usize, depth: f64, length: f64) -> Result<()> {
    let what = "points of one pair";
    let mut keys: Vec<Key> = Vec::new();
    reserve(&mut keys, points.len() - start, what)?;
    let cell = |normal: &Vec3| [normal.x, normal.y, normal.z].map(|value| (value / CELL).round() as i32);
    keys.extend(points.iter().enumerate().skip(start).map(|(index, point)| (cell(&point.normal), index)));
    keys.sort_unstable();
    let mut kept: Vec<usize> = Vec::new();
    reserve(&mut kept, keys.len(), what)?;
    for group in keys.chunk_by(|first, second| first.0 == second.0) {
        if group.len() <= KEPT {
            kept.extend(group.iter().map(|(_, index)| *index));
        } else {
            kept.extend(extremes(points, group, depth, length));
        }
    }
    kept.sort_unstable();
    kept.dedup();
    for (place, index) in (start..).zip(&kept) {
        points.swap(place, *index);
    }
    points.truncate(start + kept.len());
    Ok(())
}

/// The deepest point of a group, and the outermost ones.
fn extremes(points: &[ContactPoint], group: &[Key], depth: f64, length: f64) -> [usize; KEPT] {
    let first = group[0].1;
    let (t1, t2) = tangents(&points[first].normal);
    let directions: [Vec3; DIRECTIONS] = std::array::from_fn(|index| {
        let (s, c) = sin_cos(std::f64::consts::PI * index as f64 / DIRECTIONS as f64);
        t1 * c + t2 * s
    });
    let origin = points[first].point;
    let mut best = [(f64::NEG_INFINITY, first); KEPT];
    for (_, index) in group {
        let point = &points[*index];
        let arm = point.point - origin;
        let mut offer = |slot: usize, value: f64, tolerance: f64| {
            if value > best[slot].0 + tolerance {
                best[slot] = (value, *index);
            }
        };
        offer(0, -point.gap, depth);
        for (direction, slot) in directions.iter().zip((1..).step_by(2)) {
            let reach = direction.dot(&arm);
            offer(slot, reach, length);
            offer(slot + 1, -reach, length);
        }
    }
    best.map(|(_, index)| index)
}
