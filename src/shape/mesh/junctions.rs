//! Corners of triangles that lie on the edges of others: there the surface goes on, though no triangle shares the edge.
//!
//! Triangles with such edges are divided, so that every two triangles beside each other share an edge.

use super::places::{number_values, round_off};
use super::triangles::{TRIANGLES, check_triangles};
use crate::error::{Result, collected, push, reserve};
use crate::math::Vec3;

/// Two lines are the same if their directions, and their points closest to the origin over the largest coordinate, differ by less [-].
/// Corners are compared with edges on the same line only.
const SAME_LINE: f64 = 1e-9;
/// The most comparisons of a corner with an edge, for each triangle. Edges that all lie on each other would need any number.
const COMPARISONS: usize = 4;
/// A direction that is not perpendicular to usual edges.
const ASIDE: Vec3 = Vec3::new(1.0, 0.618_033_9, 0.377_964_4);
/// The numbers of a line: its direction, and its point closest to the origin.
const LINE: usize = 6;

/// An edge that belongs to one triangle only.
#[derive(Debug, Clone, Copy)]
struct OpenEdge {
    triangle: u32,
    /// It begins at this corner of the triangle.
    side: usize,
    /// The places of its ends.
    ends: [u32; 2],
    line: [u32; LINE],
}

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

/// Returns the corners on open edges, by triangles, sides and places on them. None, if there are too many.
fn junctions(points: &[Vec3], places: &[u32], triangles: &[[u32; 3]]) -> Result<Vec<Junction>> {
    let mut edges = open_edges(places, triangles)?;
    number_lines(points, &mut edges)?;
    edges.sort_unstable_by_key(|edge| (edge.line, edge.triangle, edge.side));
    let (reach, mut budget) = (round_off(points), COMPARISONS * triangles.len());
    let mut found = Vec::new();
    for group in edges.chunk_by(|one, other| one.line == other.line).filter(|group| group.len() > 1) {
        if !find_on_line(points, group, reach, &mut budget, &mut found)? {
            return Ok(Vec::new());
        }
    }
    found.sort_unstable_by(|one, other| {
        (one.triangle, one.side).cmp(&(other.triangle, other.side)).then(one.fraction.total_cmp(&other.fraction))
    });
    Ok(found)
}

/// Returns the edges that belong to one triangle only.
fn open_edges(places: &[u32], triangles: &[[u32; 3]]) -> Result<Vec<OpenEdge>> {
    let edge = |at: usize| {
        let (triangle, side) = (at / 3, at % 3);
        let ends = [side, (side + 1) % 3].map(|corner| places[triangles[triangle][corner] as usize]);
        OpenEdge { triangle: triangle as u32, side, ends, line: [0; LINE] }
    };
    let mut edges = collected((0..3 * triangles.len()).map(edge), TRIANGLES)?;
    let ends = |edge: &OpenEdge| [edge.ends[0].min(edge.ends[1]), edge.ends[0].max(edge.ends[1])];
    edges.sort_unstable_by_key(|edge| (ends(edge), edge.triangle, edge.side));
    let mut open = Vec::new();
    for group in edges.chunk_by(|one, other| ends(one) == ends(other)).filter(|group| group.len() == 1) {
        push(&mut open, group[0], TRIANGLES)?;
    }
    Ok(open)
}

/// Gives numbers to the lines of edges. Edges on one line have the same ones.
fn number_lines(points: &[Vec3], edges: &mut [OpenEdge]) -> Result<()> {
    let largest = points.iter().map(|point| point.amax()).fold(0.0, f64::max);
    let values = |edge: &OpenEdge| -> [f64; LINE] {
        let [from, to] = edge.ends.map(|end| points[end as usize]);
        let along = (to - from).normalize();
        // Of the two directions, that on one side of a plane which few edges lie in.
        let along = along * 1f64.copysign(along.dot(&ASIDE));
        let foot = (from - along * along.dot(&from)) / largest;
        [along.x, along.y, along.z, foot.x, foot.y, foot.z]
    };
    let values = collected(edges.iter().map(values), TRIANGLES)?;
    (0..LINE).try_for_each(|number| {
        let value = |at: u32| values[at as usize][number];
        number_values(edges.len(), value, SAME_LINE, |at, value| edges[at as usize].line[number] = value)
    })
}

/// Appends the corners of edges that lie inside of others on the same line. Each corner that is compared with an edge costs one of the budget.
/// Returns whether it was enough.
fn find_on_line(
    points: &[Vec3],
    edges: &[OpenEdge],
    reach: f64,
    budget: &mut usize,
    found: &mut Vec<Junction>,
) -> Result<bool> {
    let at = |end: u32| points[end as usize];
    let Some([first, second]) = edges.first().map(|edge| edge.ends.map(at)) else { return Ok(true) };
    let position = |end: u32| (second - first).dot(&(at(end) - first));
    let mut corners = Vec::new();
    reserve(&mut corners, 2 * edges.len(), TRIANGLES)?;
    corners.extend(edges.iter().flat_map(|edge| edge.ends));
    corners.sort_unstable_by(|one, other| position(*one).total_cmp(&position(*other)).then(one.cmp(other)));
    corners.dedup();
    for edge in edges {
        let [from, to] = edge.ends.map(at);
        let (arm, [start, end]) = (to - from, edge.ends.map(position));
        let first = corners.partition_point(|corner| position(*corner) <= start.min(end));
        for corner in corners[first..].iter().take_while(|corner| position(**corner) < start.max(end)) {
            if *budget == 0 {
                return Ok(false);
            }
            *budget -= 1;
            let offset = at(*corner) - from;
            let fraction = offset.dot(&arm) / arm.norm_squared();
            let is_inside = [offset, at(*corner) - to].iter().all(|arm| arm.amax() > reach);
            if is_inside && (offset - arm * fraction).amax() <= reach {
                let OpenEdge { triangle, side, .. } = *edge;
                push(found, Junction { triangle, side, fraction, corner: *corner }, TRIANGLES)?;
            }
        }
    }
    Ok(true)
}
