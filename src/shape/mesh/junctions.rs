//! Corners of triangles that lie on the edges of others: there the surface goes on, though no triangle shares the edge.
//!
//! Triangles with such edges are divided, so that two triangles beside each other share an edge. Where too many edges lie on each other,
//! some stay as they are.

use std::borrow::Cow;

use super::hierarchy::Hierarchy;
use super::open_edges::{OpenEdge, OpenEdges};
use super::triangles::{TRIANGLES, check_triangles};
use crate::error::{Result, push, reserve};
use crate::math::Vec3;

/// The most corners near open edges that are looked at, on average over the edges. In a surface whose parts do not overlap these are few
/// more than the two ends of each edge, but edges that lie on each other could have any number.
const CORNERS: usize = 16;
/// Edges with few corners are divided first: with at most this number, then with at most twice as many, and so on. The first two rounds
/// take 5 and 9, less than [`CORNERS`]. So an edge with at most 8 corners is divided whatever else is in the mesh.
const FEW: usize = 4;

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
    let search = Search { points, places, triangles, open, near: open.hierarchy(points)? };
    let mut found = Vec::new();
    let (mut edges, mut most, mut budget) = (Cow::from(&open.edges), FEW, CORNERS * open.edges.len());
    while !edges.is_empty() {
        let (before, mut crowded) = (found.len(), Vec::new());
        for edge in &*edges {
            let own_before = found.len();
            let count = search.along(edge, most + 1, &mut found)?;
            if count > budget {
                // No edge of this round is divided, so that their order does not matter.
                found.truncate(before);
                return Ok(sorted(found));
            }
            budget -= count;
            if count > most {
                found.truncate(own_before);
                push(&mut crowded, *edge, TRIANGLES)?;
            }
        }
        (edges, most) = (crowded.into(), 2 * most);
    }
    Ok(sorted(found))
}

fn sorted(mut junctions: Vec<Junction>) -> Vec<Junction> {
    junctions.sort_unstable_by(|one, other| {
        let [one_at, other_at] = [one, other].map(|junction| (junction.triangle, junction.side));
        one_at.cmp(&other_at).then(one.fraction.total_cmp(&other.fraction)).then(one.corner.cmp(&other.corner))
    });
    junctions
}

/// What a search for corners on edges reads.
struct Search<'a> {
    points: &'a [Vec3],
    places: &'a [u32],
    triangles: &'a [[u32; 3]],
    open: &'a OpenEdges,
    near: Hierarchy,
}

impl Search<'_> {
    /// Looks at corners near an edge, at most at this number of them, and adds those that divide the edge. Returns at how many it looked.
    fn along(&self, edge: &OpenEdge, most: usize, found: &mut Vec<Junction>) -> Result<usize> {
        let OpenEdge { triangle, side, ends } = *edge;
        let own = self.triangles[triangle as usize].map(|corner| self.places[corner as usize]);
        let at = |corner: u32| self.points[corner as usize];
        let (ends, tolerance) = (ends.map(at), self.open.tolerance);
        let mut count = 0;
        for number in self.near.along(ends, tolerance).take(most) {
            count += 1;
            let corner = self.open.corners[number as usize];
            let fraction = fraction(&at(corner), ends, tolerance).filter(|_| !own.contains(&corner));
            if let Some(fraction) = fraction {
                push(found, Junction { triangle, side, fraction, corner }, TRIANGLES)?;
            }
        }
        Ok(count)
    }
}

/// Returns the fraction of an edge at which a point within `tolerance` [m] of it lies, if it is not at one of the ends.
fn fraction(point: &Vec3, [from, to]: [Vec3; 2], tolerance: f64) -> Option<f64> {
    let (arm, offset) = (to - from, point - from);
    let fraction = offset.dot(&arm) / arm.norm_squared();
    let is_inside = [offset, point - to].iter().all(|arm| arm.norm() > tolerance) && (0.0..1.0).contains(&fraction);
    (is_inside && (offset - arm * fraction).norm() <= tolerance).then_some(fraction)
}
