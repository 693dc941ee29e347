//! Corners of triangles that lie on the edges of others: there the surface goes on, though no triangle shares the edge.
//!
//! Triangles with such edges are divided, so that every two triangles beside each other share an edge.

use super::hierarchy::Hierarchy;
use super::open_edges::{OpenEdge, ends_of, open_edges, reach};
use super::triangles::{TRIANGLES, check_triangles};
use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Vec3};

/// The most comparisons of a corner with a piece of an edge, for each triangle. Edges that all lie on each other would need any number.
const COMPARISONS: usize = 16;

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
pub(super) fn divide(points: &[Vec3], places: &[u32], triangles: Vec<[u32; 3]>) -> Result<Vec<[u32; 3]>> {
    let junctions = junctions(points, places, &triangles)?;
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
        for junction in others {
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

/// A piece of an open edge: long edges have several, so that few corners are in the box around each.
#[derive(Debug, Clone, Copy)]
struct Piece {
    edge: OpenEdge,
    bounds: Aabb,
}

/// Returns the corners on open edges, by triangles, sides and places on them. None, if there are too many.
fn junctions(points: &[Vec3], places: &[u32], triangles: &[[u32; 3]]) -> Result<Vec<Junction>> {
    let edges = open_edges(places, triangles)?;
    if edges.is_empty() {
        return Ok(Vec::new());
    }
    let (corners, pieces, reach) = (ends_of(&edges)?, pieces(points, &edges)?, reach(points));
    let near = Hierarchy::new(pieces.len(), |number| pieces[number as usize].bounds, TRIANGLES)?;
    let (mut found, mut budget) = (Vec::new(), COMPARISONS * triangles.len());
    for corner in corners {
        let point = points[corner as usize];
        for piece in near.meeting(&Aabb::around([point]).grown(reach)) {
            if budget == 0 {
                return Ok(Vec::new());
            }
            budget -= 1;
            let OpenEdge { triangle, side, ends } = pieces[piece as usize].edge;
            if let Some(fraction) = fraction(&point, ends.map(|end| points[end as usize]), reach) {
                push(&mut found, Junction { triangle, side, fraction, corner }, TRIANGLES)?;
            }
        }
    }
    found.sort_unstable_by(|one, other| {
        let [one_at, other_at] = [one, other].map(|junction| (junction.triangle, junction.side));
        one_at.cmp(&other_at).then(one.fraction.total_cmp(&other.fraction)).then(one.corner.cmp(&other.corner))
    });
    found.dedup_by_key(|junction| (junction.triangle, junction.side, junction.corner));
    Ok(found)
}

/// Divides edges into pieces of about twice their mean length.
fn pieces(points: &[Vec3], edges: &[OpenEdge]) -> Result<Vec<Piece>> {
    let ends = |edge: &OpenEdge| edge.ends.map(|end| points[end as usize]);
    let length = |edge: &OpenEdge| {
        let [from, to] = ends(edge);
        (to - from).norm()
    };
    let longest = 2.0 * edges.iter().map(length).sum::<f64>() / edges.len() as f64;
    let mut pieces = Vec::new();
    for edge in edges {
        let ([from, to], count) = (ends(edge), (length(edge) / longest).ceil().max(1.0));
        reserve(&mut pieces, count as usize, TRIANGLES)?;
        let at = |part: usize| from + (to - from) * (part as f64 / count);
        pieces.extend((0..count as usize).map(|part| {
            let (from, to) = (at(part), at(part + 1));
            Piece { edge: *edge, bounds: Aabb::around([from, to]) }
        }));
    }
    Ok(pieces)
}

/// Returns the fraction of an edge at which a point within `reach` [m] of it lies, if it is not at one of the ends.
fn fraction(point: &Vec3, [from, to]: [Vec3; 2], reach: f64) -> Option<f64> {
    let (arm, offset) = (to - from, point - from);
    let fraction = offset.dot(&arm) / arm.norm_squared();
    let is_inside = [offset, point - to].iter().all(|arm| arm.norm() > reach) && (0.0..1.0).contains(&fraction);
    (is_inside && (offset - arm * fraction).norm() <= reach).then_some(fraction)
}
