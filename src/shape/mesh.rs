//! A surface of triangles: its points, the triangles at each point, and a bounding volume hierarchy.
//!
//! The surface has two sides and no inside. It need not be closed, and its triangles may have any winding.

mod cracks;
mod hierarchy;
mod junctions;
mod open_edges;
mod places;
mod triangles;
mod winding;

use std::iter::repeat_n;

use self::cracks::close;
use self::hierarchy::Hierarchy;
use self::junctions::divide;
use self::open_edges::OpenEdges;
use self::places::{same_places, weld};
pub(crate) use self::triangles::thin_side;
use self::triangles::{POINTS, TRIANGLES, check_triangles};
use self::winding::make_consistent;
use super::checks::{listed, own_points};
use crate::error::{Error, Result, collected, push, text};
use crate::math::{Aabb, Vec3};

/// A surface of triangles.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// The points from which it was made. Those at one place were moved to the first of them, and are equal [m].
    pub(super) points: Vec<Vec3>,
    /// Those from which it was made, most of them divided where corners of others are on their edges. Neighbours have the same side in
    /// front.
    pub(super) triangles: Vec<[u32; 3]>,
    /// For each point the index of the first point at the same position.
    representatives: Vec<u32>,
    /// For each point the index of its first entry in `ring`, and the end.
    ring_starts: Vec<u32>,
    ring: Vec<u32>,
    /// For each point whether there is a large angle between triangles at its position.
    steep: Vec<bool>,
    /// For each triangle whether it is thin.
    thin: Vec<bool>,
    has_thin: bool,
    pub(crate) bounds: Aabb,
    pub(super) bounding_radius: f64,
    hierarchy: Hierarchy,
}

impl Mesh {
    /// A mesh of the points and triangles of a host.
    pub(super) fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        let mut points = checked_points(points, triangles)?;
        let mut representatives = weld(&mut points, triangles)?;
        let mut open = OpenEdges::new(&points, &representatives, triangles)?;
        if close(&mut points, &mut representatives, triangles, &open)? {
            open = OpenEdges::new(&points, &representatives, triangles)?;
        }
        let triangles = divide(&points, &representatives, collected(triangles.iter().copied(), TRIANGLES)?, &open)?;
        Self::of_places(points, representatives, triangles)
    }

    /// A mesh of the points and triangles of another mesh, which stay as they are.
    pub(super) fn restored(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        let points = checked_points(points, triangles)?;
        let representatives = same_places(&points)?;
        Self::of_places(points, representatives, collected(triangles.iter().copied(), TRIANGLES)?)
    }

    fn of_places(points: Vec<Vec3>, representatives: Vec<u32>, mut triangles: Vec<[u32; 3]>) -> Result<Self> {
        make_consistent(&mut triangles, &representatives)?;
        let (ring_starts, ring) = rings(&triangles, &representatives)?;
        let mut steep = collected(repeat_n(false, points.len()), POINTS)?;
        mark_steep(&points, &triangles, &representatives, &mut steep)?;
        let is_thin = |corners: &[u32; 3]| thin_side(&corners.map(|corner| points[corner as usize])).is_some();
        let thin = collected(triangles.iter().map(is_thin), TRIANGLES)?;
        let has_thin = thin.contains(&true);
        let bounds = Aabb::around(points.iter().copied());
        let bounding_radius = points.iter().map(|point| point.norm()).fold(0.0, f64::max);
        let of_triangle = |index: u32| Aabb::around(triangles[index as usize].map(|corner| points[corner as usize]));
        let hierarchy = Hierarchy::new(triangles.len(), of_triangle, TRIANGLES)?;
        Ok(Self {
            points,
            triangles,
            representatives,
            ring_starts,
            ring,
            steep,
            thin,
            has_thin,
            bounds,
            bounding_radius,
            hierarchy,
        })
    }

    /// Returns the corners of a triangle [m].
    pub(crate) fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.triangles[index as usize].map(|corner| self.points[corner as usize])
    }

    /// Returns whether a triangle is thin: see [`thin_side`].
    pub(crate) fn is_thin(&self, index: u32) -> bool {
        self.thin.get(index as usize).is_some_and(|is_thin| *is_thin)
    }

    /// Returns whether any triangle is thin.
    pub(crate) fn has_thin(&self) -> bool {
        self.has_thin
    }

    /// Returns a number for the position of each corner of a triangle. Equal numbers mean equal positions.
    pub(crate) fn places(&self, index: u32) -> [u32; 3] {
        self.triangles[index as usize].map(|corner| self.representatives[corner as usize])
    }

    /// Returns the triangles that meet at a position, which has its number from [`Mesh::places`].
    pub(crate) fn triangles_at(&self, place: u32) -> &[u32] {
        listed(&self.ring_starts, &self.ring, place as usize)
    }

    /// Returns whether triangles that meet at a position, which has its number from [`Mesh::places`], are at a large angle. If
    /// not, the planes of any two of them are at less than 23 degrees.
    pub(crate) fn is_steep_at(&self, place: u32) -> bool {
        self.steep.get(place as usize).is_none_or(|is_steep| *is_steep)
    }

    /// Calls `each` with the triangles whose boxes meet `region`, in body axes, in no order.
    pub(crate) fn each_triangle_in(&self, region: &Aabb, each: impl FnMut(u32)) {
        self.hierarchy.meeting(region).for_each(each);
    }

    /// Writes the triangles whose boxes meet `region`, in body axes, to `out`, in ascending order.
    pub(crate) fn triangles_in(&self, region: &Aabb, out: &mut Vec<u32>) -> Result<()> {
        out.clear();
        self.hierarchy.meeting(region).try_for_each(|index| push(out, index, "triangles near a shape"))?;
        out.sort_unstable();
        Ok(())
    }
}

/// Checks the points and triangles of a host, and returns the points.
fn checked_points(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Vec<Vec3>> {
    check_counts(points.len(), triangles.len())?;
    let points = own_points(points, POINTS)?;
    check_triangles(&points, triangles)?;
    Ok(points)
}

/// Marks positions where the plane of a triangle is at more than 11.5 degrees to that of the first one there.
fn mark_steep(points: &[Vec3], triangles: &[[u32; 3]], representatives: &[u32], steep: &mut [bool]) -> Result<()> {
    const GENTLE: f64 = 0.98;
    let mut first: Vec<Option<Vec3>> = collected(repeat_n(None, points.len()), POINTS)?;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| points[corner as usize]);
        let normal = (b - a).cross(&(c - a)).normalize();
        for corner in triangle {
            let place = representatives[*corner as usize] as usize;
            let own = first[place].get_or_insert(normal);
            steep[place] |= normal.dot(own).abs() < GENTLE;
        }
    }
    Ok(())
}

fn check_counts(points: usize, triangles: usize) -> Result<()> {
    if points < 3 {
        return Err(Error::argument(text!("point_count is {points}, expected at least 3")));
    }
    if triangles < 1 {
        return Err(Error::argument(text!("triangle_count is {triangles}, expected at least 1")));
    }
    // Three corners for each triangle are counted in 32 bits.
    for (name, count) in [("point_count", points), ("triangle_count", triangles)] {
        if count > (u32::MAX / 3) as usize {
            return Err(Error::argument(text!("{name} is {count}, expected at most {}", u32::MAX / 3)));
        }
    }
    Ok(())
}

/// Returns the triangles at each position: the index of the first one for each position, and the triangles.
fn rings(triangles: &[[u32; 3]], representatives: &[u32]) -> Result<(Vec<u32>, Vec<u32>)> {
    let place = |corner: u32| representatives[corner as usize] as usize;
    let mut starts = collected(repeat_n(0, representatives.len() + 1), POINTS)?;
    triangles.as_flattened().iter().for_each(|corner| starts[place(*corner)] += 1);
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    let mut ring = collected(repeat_n(0, 3 * triangles.len()), TRIANGLES)?;
    // Filled from the back, each start comes to where its triangles begin.
    for (index, triangle) in triangles.iter().enumerate().rev() {
        for corner in triangle {
            let start = &mut starts[place(*corner)];
            *start -= 1;
            ring[*start as usize] = index as u32;
        }
    }
    Ok((starts, ring))
}
