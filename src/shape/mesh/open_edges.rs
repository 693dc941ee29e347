//! Edges that belong to one triangle only, and the precision with which they may lie on each other.

use super::hierarchy::Hierarchy;
use super::triangles::TRIANGLES;
use crate::error::{Result, collected, push, reserve};
use crate::math::{Aabb, Vec3};

/// Open edges and their corners lie on each other if they are closer than this fraction of a size [-]. Most meshes are stored with 32-bit
/// coordinates, and this is four times the spacing of such numbers between 1 and 2.
const ON_EACH_OTHER: f64 = 4.0 * f32::EPSILON as f64;
/// The same at most, far from the origin. Whole numbers are 32-bit numbers too, but may be coordinates of double precision.
const FAR: f64 = 1e-4;

/// An edge that belongs to one triangle only.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenEdge {
    pub(super) triangle: u32,
    /// It begins at this corner of the triangle.
    pub(super) side: usize,
    /// The places of its ends.
    pub(super) ends: [u32; 2],
}

/// The open edges of a mesh.
#[derive(Debug)]
pub(super) struct OpenEdges {
    pub(super) edges: Vec<OpenEdge>,
    /// The places at their ends, in ascending order.
    pub(super) corners: Vec<u32>,
    /// How far apart two things that lie on each other may be [m].
    pub(super) tolerance: f64,
}

impl OpenEdges {
    /// Finds them. `places` has for each point the index of the first one at its position.
    pub(super) fn new(points: &[Vec3], places: &[u32], triangles: &[[u32; 3]]) -> Result<Self> {
        let edges = open_edges(places, triangles)?;
        Ok(Self { corners: ends_of(&edges)?, edges, tolerance: tolerance(points, triangles) })
    }

    /// Returns a hierarchy of the corners, each with its number in the list of them.
    pub(super) fn hierarchy(&self, points: &[Vec3]) -> Result<Hierarchy> {
        let around = |number: u32| Aabb::around([points[self.corners[number as usize] as usize]]);
        Hierarchy::new(self.corners.len(), around, TRIANGLES)
    }
}

/// Returns the edges that belong to one triangle only, in the order of their ends.
fn open_edges(places: &[u32], triangles: &[[u32; 3]]) -> Result<Vec<OpenEdge>> {
    let edge = |at: usize| {
        let (triangle, side) = (at / 3, at % 3);
        let ends = [side, (side + 1) % 3].map(|corner| places[triangles[triangle][corner] as usize]);
        OpenEdge { triangle: triangle as u32, side, ends }
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

/// Returns the places at the ends of edges, in ascending order.
fn ends_of(edges: &[OpenEdge]) -> Result<Vec<u32>> {
    let mut ends = Vec::new();
    reserve(&mut ends, 2 * edges.len(), TRIANGLES)?;
    ends.extend(edges.iter().flat_map(|edge| edge.ends));
    ends.sort_unstable();
    ends.dedup();
    Ok(ends)
}

/// Returns how far apart two things that lie on each other may be [m]. The size is half the longest extent of the triangles. If all their
/// coordinates are 32-bit numbers, it is the largest one, up to a limit: far from the origin such numbers are spaced more widely.
fn tolerance(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corners = || triangles.as_flattened().iter().map(|corner| points[*corner as usize]);
    let bounds = Aabb::around(corners());
    let size = 0.5 * (bounds.upper - bounds.lower).amax();
    let is_single = corners().all(|corner| corner.iter().all(|value| f64::from(*value as f32) == *value));
    let largest = if is_single { bounds.lower.amax().max(bounds.upper.amax()) } else { size };
    (ON_EACH_OTHER * largest).clamp(ON_EACH_OTHER * size, FAR * size)
}
