//! How the corners and faces of a hull hang together, laid out for the search of farthest corners.

use std::iter::repeat_n;

use super::checks::listed;
use crate::error::{Result, collected, reserve};
use crate::math::Vec3;
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};

/// With more corners than this the farthest one is found by climbing along edges.
const FEW: usize = 48;
/// Cosine above which a direction counts as normal to a face, so that all corners of that face are compared.
const FLAT: f64 = 1.0 - 1e-6;
/// How errors name this memory.
const CORNERS: &str = "corners of a hull";

/// Neighbours of corners and faces, and the corners in chunks.
#[derive(Debug, Clone, Default)]
pub(crate) struct HullGraph {
    /// The coordinates of [`WIDE`] corners in each chunk; the last corner fills the last chunk [m].
    chunks: Vec<[Wide; 3]>,
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
        reserve(&mut graph.chunks, points.len().div_ceil(WIDE), CORNERS)?;
        for chunk in points.chunks(WIDE) {
            let lane = |axis: usize| Wide(std::array::from_fn(|lane| chunk[lane.min(chunk.len() - 1)][axis]));
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
        self.chunks.len() * WIDE <= FEW
    }

    /// The farthest corner in a direction, the first of those equally far.
    #[inline]
    pub(crate) fn scanned(&self, direction: &Vec3) -> u32 {
        let chosen = dispatch(Level::best(), Farthest { chunks: &self.chunks, direction });
        let last = self.starts.len().saturating_sub(2) as u32;
        chosen.min(last)
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

/// Finds the farthest of all corners in a direction.
struct Farthest<'a> {
    chunks: &'a [[Wide; 3]],
    direction: &'a Vec3,
}

impl Kernel for Farthest<'_> {
    type Output = u32;

    /// Returns the number of the corner, the first of those equally far.
    #[inline(always)]
    fn run<L: Lanes>(self) -> u32 {
        let (x, y, z) = (L::splat(self.direction.x), L::splat(self.direction.y), L::splat(self.direction.z));
        let (mut reaches, mut places) = (Wide([0.0; WIDE]), Wide([0.0; WIDE]));
        for first in (0..WIDE).step_by(L::WIDTH) {
            let (mut best, mut place) = (L::splat(f64::NEG_INFINITY), L::splat(0.0));
            for (number, [xs, ys, zs]) in self.chunks.iter().enumerate() {
                let reach = x * L::load(xs, first) + y * L::load(ys, first) + z * L::load(zs, first);
                let is_better = reach.above(best);
                place = L::select(is_better, L::splat(number as f64), place);
                best = L::select(is_better, reach, best);
            }
            best.store(&mut reaches, first);
            place.store(&mut places, first);
        }
        // Without branches, which could not be predicted.
        let top = reaches.0.iter().fold(f64::NEG_INFINITY, |top, reach| if *reach > top { *reach } else { top });
        let number = |lane: usize| places.0[lane] * WIDE as f64 + lane as f64;
        let candidate = |lane: usize| if reaches.0[lane] == top { number(lane) } else { f64::INFINITY };
        (0..WIDE).map(candidate).fold(f64::INFINITY, |first, other| if other < first { other } else { first }) as u32
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
