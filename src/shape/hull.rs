//! A convex polyhedron: its corners, its faces as polygons, and its mass by exact integration.
//!
//! `triangles` finds the exact hull on a lattice of integers, and the mass is that of these triangles. For the contact
//! detection `faces` merges triangles that are flat within a tolerance. So faces need not be flat to round-off. The plane of a face is
//! perpendicular to its area vector and goes through its outermost corner, so that no corner is in front of it.

mod corners;
mod faces;
mod lattice;
mod outline;
mod regions;
mod triangles;

use std::iter::repeat_n;

use super::checks::{LONGEST, SHORTEST, THINNEST, by_coordinates, listed, own_points};
use super::graph::{HullGraph, Outline};
use super::moments::{MassProperties, Moments};
use crate::error::{Error, Result, collected, push, text};
use crate::math::Vec3;
use faces::Faces;
pub(super) use lattice::{Lattice, Wide};
#[cfg(test)]
pub(super) use outline::{holds_its_corners, is_convex};
use regions::Places;
pub(super) use triangles::Triangles;

/// Corners this close to a face's plane belong to it, as a fraction of the hull's size [-].
///
/// It is 8 units in the last place of 32-bit floats. The coordinates of many models are such floats, or were computed with
/// them, before the host converts them to doubles. The contact detection has the same tolerance.
const FLAT: f64 = 8.0 * FLOAT;
/// The same as a fraction of the thickness, so that a thin hull keeps its sides [-].
const THICKNESSES: f64 = 1.0 / 1024.0;
/// The round-off of coordinates, as a fraction of the largest, that a face may have: 4 roundings [-].
const ROUNDINGS: f64 = 4.0;
/// The unit in the last place of 1 as a 32-bit float [-].
const FLOAT: f64 = f32::EPSILON as f64;
/// The most points. Corners of triangles, and attempts to merge these, are counted with 32 bits.
const MAX_POINTS: usize = 1 << 26;
/// Names in error messages: what the memory was for.
const POINTS: &str = "points of a hull";

/// A convex polyhedron in the axes, and about the origin, its points were given in.
#[derive(Debug, Clone)]
pub struct Hull {
    /// The points from which it was made, sorted, each once [m]. A hull that is rebuilt from these is the same to the last bit.
    pub(super) source: Vec<Vec3>,
    /// Its corners [m].
    pub(crate) points: Vec<Vec3>,
    /// The unit outward normal of each face.
    pub(crate) normals: Vec<Vec3>,
    /// For each face the index of its first entry in `corners`, and the end.
    pub(crate) starts: Vec<u32>,
    /// The corners of the faces, each counterclockwise as seen from outside. The first is the one farthest along the normal.
    pub(crate) corners: Vec<u32>,
    /// For each entry of `corners` the other face at the edge to the next corner of its face.
    pub(super) neighbours: Vec<u32>,
    /// For each corner its neighbours along edges, and its faces.
    pub(crate) graph: HullGraph,
    pub(super) mass_properties: MassProperties,
    pub(super) bounding_radius: f64,
}

/// The size of a set of points.
#[derive(Debug, Clone, Copy)]
struct Spread {
    /// The largest distance from the first point [m].
    size: f64,
    /// The largest distance from a plane through three points that are far apart [m].
    thickness: f64,
}

impl Hull {
    pub(super) fn new(points: &[[f64; 3]]) -> Result<Self> {
        let count = points.len();
        if count < 4 {
            return Err(Error::argument(text!("points_xyz has {count} points, expected at least 4")));
        }
        if count > MAX_POINTS {
            return Err(Error::argument(text!("points_xyz has {count} points, expected at most {MAX_POINTS}")));
        }
        let mut source = own_points(points, POINTS)?;
        source.sort_unstable_by(by_coordinates);
        source.dedup();
        let spread = check_spread(&source, count)?;
        let lattice = Lattice::new(&source, POINTS)?;
        let all = collected(0..source.len() as u32, POINTS)?;
        let triangles = Triangles::new(&lattice, &all)?;
        let middle = lattice.middle(&triangles.points(lattice.len())?);
        let mass_properties = mass_properties(&lattice, &triangles, middle);
        let origin = lattice.place(middle);
        let places = collected(source.iter().map(|point| point - origin), POINTS)?;
        let tolerance = flatness(&source, spread);
        let faces = Faces::new(Places { lattice: &lattice, points: &places, tolerance }, triangles)?;
        Self::from_faces(source, faces, mass_properties)
    }

    /// Returns the hull with these faces, whose corners are numbers of points of `source`.
    fn from_faces(source: Vec<Vec3>, faces: Faces, mass_properties: MassProperties) -> Result<Self> {
        let Faces { normals, starts, mut corners, neighbours } = faces;
        let mut numbers = collected(repeat_n(u32::MAX, source.len()), POINTS)?;
        corners.iter().for_each(|corner| numbers[*corner as usize] = 0);
        let mut points = Vec::new();
        for (point, number) in source.iter().zip(&mut numbers).filter(|(_, number)| **number == 0) {
            *number = points.len() as u32;
            push(&mut points, *point, POINTS)?;
        }
        corners.iter_mut().for_each(|corner| *corner = numbers[*corner as usize]);
        let bounding_radius = points.iter().map(|point| point.norm()).fold(0.0, f64::max);
        let graph = HullGraph::new(&points, &starts, &corners)?;
        Ok(Self { source, points, normals, starts, corners, neighbours, graph, mass_properties, bounding_radius })
    }

    /// Returns whether a point, in the hull's axes, is inside or at most `slack` [m] beyond the planes of the faces.
    pub(crate) fn holds(&self, point: &Vec3, slack: f64) -> bool {
        self.normals.iter().enumerate().all(|(face, normal)| {
            let corner = self.face(face).first().map(|corner| self.points[*corner as usize]);
            corner.is_some_and(|corner| normal.dot(&(point - corner)) <= slack)
        })
    }

    /// Its corners and faces.
    #[inline]
    pub(crate) fn outline(&self) -> Outline<'_> {
        let Self { points, normals, starts, corners, .. } = self;
        Outline { points, normals, starts, corners }
    }

    pub(crate) fn face(&self, index: usize) -> &[u32] {
        listed(&self.starts, &self.corners, index)
    }

    /// Returns the faces beyond the edges of a face, each from a corner of `corners` to the next.
    pub fn adjacent_faces(&self, face: usize) -> &[u32] {
        listed(&self.starts, &self.neighbours, face)
    }

    /// Returns the corners at the other ends of the edges from a corner.
    pub fn adjacent_corners(&self, corner: usize) -> &[u32] {
        self.graph.joined(corner as u32)
    }
}

/// Returns the mass properties of the solid that triangles bound, by tetrahedra from a point of the lattice.
fn mass_properties(lattice: &Lattice, triangles: &Triangles, middle: [i64; 3]) -> MassProperties {
    let unit = lattice.units().product();
    let mut sum = Wide::zero();
    let tetrahedra = triangles.corners.iter().map(|corners| {
        let volume = lattice.volume(*corners, middle);
        sum = sum.plus(volume);
        (volume.value() * unit, corners.map(|corner| lattice.arm(middle, corner)))
    });
    let moments = Moments::of_tetrahedra(tetrahedra);
    // The sum of integers has no round-off.
    Moments { volume: sum.value() * unit / 6.0, ..moments }.properties(&lattice.place(middle))
}

/// Returns the largest distance of a corner from the plane of its face [m].
fn flatness(points: &[Vec3], spread: Spread) -> f64 {
    let largest = points.iter().map(|point| point.amax()).fold(0.0, f64::max);
    let is_float = |value: &f64| f64::from(*value as f32) == *value;
    let precision = if points.iter().all(|point| point.iter().all(is_float)) { FLOAT } else { f64::EPSILON };
    let tolerance = (FLAT * spread.size).max(ROUNDINGS * precision * largest);
    tolerance.min(THICKNESSES * spread.thickness)
}

/// Returns the size of a set of points. Refuses points that do not span a volume.
fn check_spread(points: &[Vec3], count: usize) -> Result<Spread> {
    let refuse = |found: String| {
        let distinct = points.len();
        let message = text!("points_xyz has {count} points, {distinct} of them distinct, {found}");
        Err(Error::argument(text!("{message}, expected 4 that span a volume")))
    };
    let Some(origin) = points.first() else { return refuse(String::new()) };
    let farthest = |distance: &dyn Fn(&Vec3) -> f64| {
        points.iter().fold((0.0, *origin), |best, point| {
            let here = distance(point);
            if here > best.0 { (here, *point) } else { best }
        })
    };
    let (size, second) = farthest(&|point| (point - origin).norm());
    if !(SHORTEST..=LONGEST).contains(&size) {
        return refuse(text!("at most {size:e} apart"));
    }
    let along = (second - origin) / size;
    let (width, third) = farthest(&|point| (point - origin).cross(&along).norm());
    if width <= THINNEST * size {
        return refuse(text!("on one line within {width:e} over a length of {size}"));
    }
    let normal = along.cross(&((third - origin) / width)).normalize();
    let (thickness, _) = farthest(&|point| (point - origin).dot(&normal).abs());
    if thickness <= THINNEST * size {
        return refuse(text!("in one plane within {thickness:e} over a length of {size}"));
    }
    if size * width * thickness < SHORTEST * SHORTEST * SHORTEST {
        return refuse(text!("{size:e} by {width:e} by {thickness:e} large"));
    }
    Ok(Spread { size, thickness })
}
