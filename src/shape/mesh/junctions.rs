//! Corners of triangles that lie on the edges of others: there the surface goes on, though no triangle shares the edge.
//!
//! Triangles with such edges are divided, so that every two triangles beside each other share an edge.

use super::open_edges::{OpenEdge, OpenEdges};
use super::triangles::{TRIANGLES, check_triangles};
use crate::error::{Result, collected, push, reserve};
use crate::math::Vec3;

/// The most corners near open edges, on average over all triangles. Edges that lie on each other could have any number. Long edges are
/// searched first, so that a crowd of small triangles does not use up the corners of larger ones.
const CORNERS: usize = 16;

/// A corner on an edge of a triangle.
#[derive(Debug, Clone, Copy)]
struct Junction {
    triangle: u32,
    side: usize,
    /// Its fraction of the edge.
    fraction: f64,
    corner: u32,
}

/// Divides triangles at corners of others on their edges. `places` has for each point the index of the first one at its position.
pub(super) fn divide(
    points: &[Vec3],
    places: &[u32],
    triangles: Vec<[u32; 3]>,
    open: &OpenEdges,
) -> Result<Vec<[u32; 3]>> {
    let junctions = junctions(points, places, &triangles, open)?;
    if junctions.is_empty() {
        return Ok(triangles);
    }
    let mut divided = Vec::new();
    reserve(&mut divided, triangles.len() + 2 * junctions.len(), TRIANGLES)?;
    let mut rest = junctions.as_slice();
    for (index, triangle) in (0..).zip(&triangles) {
        let (own, others) = rest.split_at(rest.partition_point(|junction| junction.triangle <= index));
        rest = others;
        let before = divided.len();
        divide_one(*triangle, own, &mut divided)?;
        if check_triangles(points, &divided[before..]).is_err() {
            divided.truncate(before);
            push(&mut divided, *triangle, TRIANGLES)?;
        }
    }
    Ok(divided)
}

/// Divides a triangle at corners on its edges. They are in the order of its sides, and of their places on them.
fn divide_one(triangle: [u32; 3], junctions: &[Junction], out: &mut Vec<[u32; 3]>) -> Result<()> {
    let Some(side) = junctions.first().map(|junction| junction.side) else {
        return push(out, triangle, TRIANGLES);
    };
    let (own, others) = junctions.split_at(junctions.partition_point(|junction| junction.side == side));
    let [from, to, opposite] = [0, 1, 2].map(|step| triangle[(side + step) % 3]);
    // The first side of a part is the part of the edge. The next one is the next side of the triangle in the last part, and the one after
    // that the last side of the triangle in the first part.
    let stops = own.iter().map(|junction| junction.corner).chain([to]);
    let mut start = from;
    for (number, stop) in stops.enumerate() {
        let (is_first, is_last) = (number == 0, number == own.len());
        let mut of_part = Vec::new();
        // A part between two corners of the edge has no other side of the triangle.
        for junction in others.iter().filter(|_| is_first || is_last) {
            let side = (junction.side + 3 - side) % 3;
            if side == 1 && is_last || side == 2 && is_first {
                push(&mut of_part, Junction { side, ..*junction }, TRIANGLES)?;
            }
        }
        divide_one([start, stop, opposite], &of_part, out)?;
        start = stop;
    }
    Ok(())
}

/// Returns the corners on open edges, by triangles, sides and places on them.
fn junctions(points: &[Vec3], places: &[u32], triangles: &[[u32; 3]], open: &OpenEdges) -> Result<Vec<Junction>> {
    let at = |corner: u32| points[corner as usize];
    let near = open.hierarchy(points)?;
    let (mut found, mut budget) = (Vec::new(), CORNERS * triangles.len());
    'edges: for OpenEdge { triangle, side, ends } in longest_first(points, &open.edges)? {
        let own = triangles[triangle as usize].map(|corner| places[corner as usize]);
        let before = found.len();
        for number in near.along(ends.map(at), open.tolerance) {
            if budget == 0 {
                found.truncate(before);
                break 'edges;
            }
            budget -= 1;
            let corner = open.corners[number as usize];
            let fraction = fraction(&at(corner), ends.map(at), open.tolerance).filter(|_| !own.contains(&corner));
            if let Some(fraction) = fraction {
                push(&mut found, Junction { triangle, side, fraction, corner }, TRIANGLES)?;
            }
        }
    }
    found.sort_unstable_by(|one, other| {
        let [one_at, other_at] = [one, other].map(|junction| (junction.triangle, junction.side));
        one_at.cmp(&other_at).then(one.fraction.total_cmp(&other.fraction)).then(one.corner.cmp(&other.corner))
    });
    Ok(found)
}

/// Returns the edges by length, those of one length by triangle and side.
fn longest_first(points: &[Vec3], edges: &[OpenEdge]) -> Result<Vec<OpenEdge>> {
    let length = |edge: &OpenEdge| {
        let [from, to] = edge.ends.map(|place| points[place as usize]);
        (to - from).norm_squared()
    };
    let mut edges = collected(edges.iter().copied(), TRIANGLES)?;
    edges.sort_unstable_by(|one, other| {
        let by_place = (one.triangle, one.side).cmp(&(other.triangle, other.side));
        length(other).total_cmp(&length(one)).then(by_place)
    });
    Ok(edges)
}

/// Returns the fraction of an edge at which a point within `tolerance` [m] of it lies, if it is not at one of the ends.
fn fraction(point: &Vec3, [from, to]: [Vec3; 2], tolerance: f64) -> Option<f64> {
    let (arm, offset) = (to - from, point - from);
    let fraction = offset.dot(&arm) / arm.norm_squared();
    let is_inside = [offset, point - to].iter().all(|arm| arm.norm() > tolerance) && (0.0..1.0).contains(&fraction);
    (is_inside && (offset - arm * fraction).norm() <= tolerance).then_some(fraction)
}
