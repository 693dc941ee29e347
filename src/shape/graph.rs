//! How the corners and faces of a hull hang together, laid out for the search of farthest corners.

use std::iter::repeat_n;

use super::checks::listed;
use crate::error::{Result, collected, reserve};
use crate::math::Vec3;

/// Corners side by side in one chunk.
pub(crate) const LANES: usize = 4;
/// With more corners than this the farthest one is found by climbing along edges.
const FEW: usize = 48;
/// Cosine above which a direction counts as normal to a face, so that all corners of that face are compared.
const FLAT: f64 = 1.0 - 1e-6;
/// How errors name this memory.
const CORNERS: &str = "corners of a hull";

/// Neighbours of corners and faces, and the corners in chunks.
#[derive(Debug, Clone, Default)]
pub(crate) struct HullGraph {
    /// The coordinates of [`LANES`] corners in each chunk; the last corner fills the last chunk [m].
    chunks: Vec<[[f64; LANES]; 3]>,
    /// Where the lists of each corner start in `joined` and `around`.
    starts: Vec<u32>,
    /// The corners that edges join to each corner.
    joined: Vec<u32>,
    /// The faces around each corner.
    around: Vec<u32>,
    /// The farthest corner in the middle of each octant.
    octants: [u32; 8],
    /// The mean of the corners [m].
    pub(crate) center: Vec3,
    /// The distance of the farthest corner from it [m].
    pub(crate) size: f64,
}

impl HullGraph {
    /// The graph of a hull with these corners, whose faces have the `corners` from `starts` on.
    pub(super) fn new(points: &[Vec3], starts: &[u32], corners: &[u32]) -> Result<Self> {
        let mut graph = Self { center: points.iter().sum::<Vec3>() / points.len() as f64, ..Self::default() };
        graph.size = points.iter().map(|point| (point - graph.center).norm()).fold(0.0, f64::max);
        reserve(&mut graph.chunks, points.len().div_ceil(LANES), CORNERS)?;
        for chunk in points.chunks(LANES) {
            let lane = |axis: usize| std::array::from_fn(|lane| chunk[lane.min(chunk.len() - 1)][axis]);
            graph.chunks.push([lane(0), lane(1), lane(2)]);
        }
        graph.starts = collected(repeat_n(0, points.len() + 1), CORNERS)?;
        for corner in corners {
            graph.starts[*corner as usize + 1] += 1;
        }
        for corner in 0..points.len() {
            graph.starts[corner + 1] += graph.starts[corner];
        }
        let mut ends = collected(graph.starts.iter().copied(), CORNERS)?;
        graph.joined = collected(repeat_n(0, corners.len()), CORNERS)?;
        graph.around = collected(repeat_n(0, corners.len()), CORNERS)?;
        for face in 0..starts.len().saturating_sub(1) {
            let own = listed(starts, corners, face);
            for (corner, next) in own.iter().zip(own.iter().cycle().skip(1)) {
                let place = ends[*corner as usize] as usize;
                (graph.joined[place], graph.around[place]) = (*next, face as u32);
                ends[*corner as usize] += 1;
            }
        }
        for octant in 0..8 {
            let side = |bit: usize| if octant >> bit & 1 == 1 { 1.0 } else { -1.0 };
            graph.octants[octant] = graph.scanned(&Vec3::new(side(0), side(1), side(2)));
        }
        Ok(graph)
    }

    /// The corners at the other ends of the edges from a corner.
    #[inline]
    pub(crate) fn joined(&self, corner: u32) -> &[u32] {
        listed(&self.starts, &self.joined, corner as usize)
    }

    /// The faces around a corner.
    #[inline]
    pub(crate) fn around(&self, corner: u32) -> &[u32] {
        listed(&self.starts, &self.around, corner as usize)
    }

    /// A corner from which few edges lead to the farthest one in a direction.
    #[inline]
    pub(crate) fn start(&self, direction: &Vec3) -> u32 {
        let bit = |axis: usize| usize::from(direction[axis] > 0.0) << axis;
        self.octants[bit(0) | bit(1) | bit(2)]
    }

    /// Whether all corners are compared, so that no start is needed.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.chunks.len() * LANES <= FEW
    }

    /// The farthest corner in a direction, the first of those equally far.
    #[inline]
    pub(crate) fn scanned(&self, direction: &Vec3) -> u32 {
        let mut best = [f64::NEG_INFINITY; LANES];
        let mut place = [0.0; LANES];
        for (number, [x, y, z]) in self.chunks.iter().enumerate() {
            let number = number as f64;
            // Without branches, and one operation on all lanes after the other: so the compiler makes vectors of them.
            let reach: [f64; LANES] =
                std::array::from_fn(|lane| direction.x * x[lane] + direction.y * y[lane] + direction.z * z[lane]);
            let is_better: [bool; LANES] = std::array::from_fn(|lane| reach[lane] > best[lane]);
            place = std::array::from_fn(|lane| if is_better[lane] { number } else { place[lane] });
            best = std::array::from_fn(|lane| if is_better[lane] { reach[lane] } else { best[lane] });
        }
        let mut chosen = 0;
        for lane in 1..LANES {
            let (own, other) = (best[lane], best[chosen]);
            if own > other || own == other && place[lane] < place[chosen] {
                chosen = lane;
            }
        }
        let last = self.starts.len().saturating_sub(2) as u32;
        (place[chosen] as u32 * LANES as u32 + chosen as u32).min(last)
    }

    /// The farthest corner in a direction, found by climbing along edges from corner `from`. `hull` are the corners, the
    /// normals of the faces, and where those have their corners.
    pub(crate) fn climbed(&self, hull: Outline, direction: &Vec3, from: u32) -> u32 {
        let reach = |corner: u32| direction.dot(&hull.points[corner as usize]);
        let mut best = (from, reach(from));
        loop {
            let before = best.0;
            for next in self.joined(before) {
                let there = reach(*next);
                if there > best.1 {
                    best = (*next, there);
                }
            }
            if best.0 != before {
                continue;
            }
            // A face is flat to round-off, or to what its triangles were merged with: its edges may lead to no better corner.
            let length = direction.norm();
            for face in self.around(before) {
                if hull.normals[*face as usize].dot(direction) > FLAT * length {
                    for next in listed(hull.starts, hull.corners, *face as usize) {
                        let there = reach(*next);
                        if there > best.1 {
                            best = (*next, there);
                        }
                    }
                }
            }
            if best.0 == before {
                return before;
            }
        }
    }
}

/// What a hull consists of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline<'a> {
    /// Its corners [m].
    pub(crate) points: &'a [Vec3],
    /// The unit outward normal of each face.
    pub(crate) normals: &'a [Vec3],
    /// Where each face's corners start in `corners`.
    pub(crate) starts: &'a [u32],
    /// The corners of the faces.
    pub(crate) corners: &'a [u32],
}
