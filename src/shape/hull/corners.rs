//! Which points of a surface are corners of its faces: those where three faces meet, and those that bend an edge by more than a
//! tolerance.

use std::iter::repeat_n;

use super::outline::Outliner;
use super::regions::{Places, Regions};
use super::triangles::Triangles;
use crate::error::{Result, collected, push, reserve};
use crate::math::Vec3;

/// Names in error messages: what the memory was for.
const CORNERS: &str = "corners of a hull";
/// Faces that meet at the end of an edge, at least.
const FACES_AT_END: u32 = 3;

/// The outlines of the regions of a surface.
#[derive(Debug, Default)]
pub(in crate::shape) struct Outlines {
    /// Where the outline of each region starts in `edges`; one more than there are regions.
    pub(in crate::shape) starts: Vec<u32>,
    /// The edges, each as the triangle inside and the number of its edge.
    pub(in crate::shape) edges: Vec<[u32; 2]>,
    /// The point where each edge starts.
    pub(in crate::shape) points: Vec<u32>,
    /// The region beyond each edge.
    pub(in crate::shape) beyond: Vec<u32>,
    /// The number of regions at each point. None where a point is not on an outline.
    pub(in crate::shape) degrees: Vec<u32>,
}

impl Outlines {
    /// Returns the outlines; `None` if a region has none or several.
    pub(in crate::shape) fn new(triangles: &Triangles, regions: &Regions, points: usize) -> Result<Option<Self>> {
        let mut outlines = Self { degrees: collected(repeat_n(0, points), CORNERS)?, ..Self::default() };
        let (starts, members) = listed_by_region(regions)?;
        let mut outliner = Outliner::new(points)?;
        push(&mut outlines.starts, 0, CORNERS)?;
        for (region, pair) in (0..).zip(starts.windows(2)) {
            let members = &members[pair[0] as usize..pair[1] as usize];
            let is_inside = |triangle: u32| regions.of[triangle as usize] == region;
            let Some(edges) = outliner.outline(triangles, members, is_inside)? else { return Ok(None) };
            for edge in edges {
                let [triangle, number] = edge.map(|number| number as usize);
                let point = triangles.corners[triangle][number];
                push(&mut outlines.edges, *edge, CORNERS)?;
                push(&mut outlines.points, point, CORNERS)?;
                let beyond = triangles.neighbours[triangle][number];
                push(&mut outlines.beyond, regions.of[beyond as usize], CORNERS)?;
                outlines.degrees[point as usize] += 1;
            }
            push(&mut outlines.starts, outlines.edges.len() as u32, CORNERS)?;
        }
        Ok(Some(outlines))
    }

    /// Returns which of all points are corners.
    pub(in crate::shape) fn corners(&self, places: Places) -> Result<Vec<bool>> {
        let mut is_corner = collected(self.degrees.iter().map(|degree| *degree >= FACES_AT_END), CORNERS)?;
        let mut chain = Vec::new();
        for (region, pair) in (0..).zip(self.starts.windows(2)) {
            let outline = pair[0] as usize..pair[1] as usize;
            let count = outline.len();
            let at = |step: usize| outline.start + step % count;
            let is_end = |step: usize| self.degrees[self.points[at(step)] as usize] >= FACES_AT_END;
            // Without three ends there would be faces of two corners.
            if (0..count).filter(|step| is_end(*step)).count() < FACES_AT_END as usize {
                self.points[outline].iter().for_each(|point| is_corner[*point as usize] = true);
                continue;
            }
            for first in (0..count).filter(|step| is_end(*step)) {
                // Both faces have the points of an edge: those of the first are taken.
                if is_end(first + 1) || self.beyond[at(first)] < region {
                    continue;
                }
                chain.clear();
                push(&mut chain, self.points[at(first)], CORNERS)?;
                let mut step = first + 1;
                while !is_end(step) {
                    push(&mut chain, self.points[at(step)], CORNERS)?;
                    step += 1;
                }
                push(&mut chain, self.points[at(step)], CORNERS)?;
                keep_bends(&chain, places, &mut is_corner)?;
            }
        }
        Ok(is_corner)
    }
}

/// Returns where the triangles of each region start in the list of triangles by region, and the list.
fn listed_by_region(regions: &Regions) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut starts = collected(repeat_n(0u32, regions.count as usize + 1), CORNERS)?;
    regions.of.iter().for_each(|region| starts[*region as usize + 1] += 1);
    for region in 0..regions.count as usize {
        starts[region + 1] += starts[region];
    }
    let mut next = collected(starts.iter().copied(), CORNERS)?;
    let mut members = collected(repeat_n(0, regions.of.len()), CORNERS)?;
    for (triangle, region) in (0..).zip(&regions.of) {
        let place = &mut next[*region as usize];
        members[*place as usize] = triangle;
        *place += 1;
    }
    Ok((starts, members))
}

/// Marks the points of a line that have to be kept, so that no other is farther than the tolerance from it (Douglas and Peucker).
fn keep_bends(chain: &[u32], places: Places, is_corner: &mut [bool]) -> Result<()> {
    let at = |index: usize| places.points[chain[index] as usize];
    let mut parts = Vec::new();
    push(&mut parts, (0, chain.len() - 1), CORNERS)?;
    while let Some((first, last)) = parts.pop() {
        let farther = |best: (f64, usize), index: usize| {
            let here = distance(&at(index), &at(first), &at(last));
            if here > best.0 { (here, index) } else { best }
        };
        let (farthest, index) = (first + 1..last).fold((places.tolerance, first), farther);
        if farthest > places.tolerance {
            is_corner[chain[index] as usize] = true;
            reserve(&mut parts, 2, CORNERS)?;
            parts.extend([(first, index), (index, last)]);
        }
    }
    Ok(())
}

/// Returns how far a point is from the line between two others.
fn distance(point: &Vec3, from: &Vec3, to: &Vec3) -> f64 {
    let (arm, along) = (point - from, to - from);
    let squared = along.norm_squared();
    let fraction = if squared > 0.0 { (arm.dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (arm - along * fraction).norm()
}
