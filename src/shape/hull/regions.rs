//! Regions of a surface of triangles that are flat within a tolerance: its faces.
//!
//! A region grows from the largest triangle that is in none, over adjacent triangles whose corners are near one plane.
//! The plane is fitted again until no triangle is added. A region is accepted if one closed line bounds it and if that
//! is convex within the tolerance. Otherwise the region grows again from the start with a smaller tolerance, and with
//! none at last. All decisions but the last are made with round-off: any division into regions that one closed line
//! bounds is a division of the exact surface.

use std::cmp::Ordering;
use std::iter::repeat_n;

use super::lattice::Lattice;
use super::outline::{Outliner, is_convex};
use super::triangles::Triangles;
use crate::error::{Result, collected, push};
use crate::math::Vec3;

/// Names in error messages: what the memory was for.
const FACES: &str = "faces of a hull";
/// No region.
pub(in crate::shape) const NONE: u32 = u32::MAX;
/// Tolerances that are tried, as fractions of the given one [-].
const LEVELS: [f64; 4] = [1.0, 1.0 / 16.0, 1.0 / 256.0, 1.0 / 4096.0];
/// The number of times that a plane is fitted again.
const FITS: usize = 8;
/// The number of triangles in regions that are not accepted, for each triangle of the surface, before only exact planes are tried.
const MAX_REJECTED: usize = 16;

/// The vertices of a surface, and how far a corner may be off a face.
#[derive(Debug, Clone, Copy)]
pub(in crate::shape) struct Places<'a> {
    /// The points on the lattice.
    pub(in crate::shape) lattice: &'a Lattice,
    /// The same points from a place in their midst [m].
    pub(in crate::shape) points: &'a [Vec3],
    /// [m]
    pub(in crate::shape) tolerance: f64,
}

/// The triangles of a surface in regions.
#[derive(Debug)]
pub(in crate::shape) struct Regions {
    /// The region of each triangle.
    pub(in crate::shape) of: Vec<u32>,
    pub(in crate::shape) count: u32,
    /// The vector across each triangle, as long as its area, in a unit of the lattice.
    areas: Vec<Vec3>,
}

/// A plane: the points `x` where `normal . x` is `offset`.
#[derive(Debug, Clone, Copy)]
struct Fit {
    normal: Vec3,
    /// [m]
    offset: f64,
}

struct Growth<'a> {
    places: Places<'a>,
    triangles: &'a Triangles,
    regions: Regions,
    /// The last growth that took each triangle.
    last_growth: Vec<u32>,
    growths: u32,
    members: Vec<u32>,
    best: Vec<u32>,
    rejected: usize,
    outliner: Outliner,
}

impl Regions {
    /// Divides a surface into regions.
    pub(in crate::shape) fn new(places: Places, triangles: &Triangles) -> Result<Self> {
        let count = triangles.corners.len();
        let areas = collected(triangles.corners.iter().map(|corners| places.lattice.area(*corners)), FACES)?;
        let mut growth = Growth {
            places,
            triangles,
            regions: Self { of: collected(repeat_n(NONE, count), FACES)?, count: 0, areas },
            last_growth: collected(repeat_n(0, count), FACES)?,
            growths: 0,
            members: Vec::new(),
            best: Vec::new(),
            rejected: 0,
            outliner: Outliner::new(places.points.len())?,
        };
        let mut order = collected(0..count as u32, FACES)?;
        let size = |triangle: &u32| growth.regions.areas[*triangle as usize].norm_squared();
        order.sort_unstable_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        for seed in order {
            if growth.regions.of[seed as usize] == NONE {
                growth.settle(seed)?;
            }
        }
        Ok(growth.regions)
    }

    /// Returns the unit normal of each region: that across its area.
    pub(in crate::shape) fn normals(&self) -> Result<Vec<Vec3>> {
        let mut normals = collected(repeat_n(Vec3::zeros(), self.count as usize), FACES)?;
        self.of.iter().zip(&self.areas).for_each(|(region, area)| normals[*region as usize] += area);
        normals.iter_mut().for_each(|normal| *normal = normal.try_normalize(0.0).unwrap_or_default());
        Ok(normals)
    }

    /// Makes each triangle of some regions a region.
    pub(in crate::shape) fn split(&mut self, is_split: &[bool]) -> Result<()> {
        let splits = |region: u32| is_split.get(region as usize).copied().unwrap_or(false);
        let mut numbers = collected(is_split.iter().map(|_| 0), FACES)?;
        let mut count = 0;
        for (number, _) in numbers.iter_mut().zip(is_split).filter(|(_, splits)| !**splits) {
            *number = count;
            count += 1;
        }
        for region in &mut self.of {
            *region = if splits(*region) { count } else { numbers[*region as usize] };
            count += u32::from(*region == count);
        }
        self.count = count;
        Ok(())
    }

    /// Makes each triangle a region.
    pub(in crate::shape) fn split_all(&mut self) {
        (0..).zip(&mut self.of).for_each(|(number, region)| *region = number);
        self.count = self.of.len() as u32;
    }
}

impl Growth<'_> {
    /// Makes the region of a triangle that has none.
    fn settle(&mut self, seed: u32) -> Result<()> {
        for level in LEVELS {
            if self.rejected > MAX_REJECTED * self.regions.areas.len() {
                break;
            }
            let visited = self.grow_and_fit(seed, level * self.places.tolerance)?;
            if self.best.len() == 1 || self.is_face()? {
                return self.accept();
            }
            self.rejected += visited;
        }
        let plane = self.places.lattice.plane(self.triangles.corners[seed as usize]);
        let (lattice, triangles) = (self.places.lattice, self.triangles);
        self.grow(seed, |triangle| {
            let in_plane = |corner: &u32| lattice.side(&plane, *corner) == Ordering::Equal;
            triangles.corners[triangle as usize].iter().all(in_plane)
        })?;
        std::mem::swap(&mut self.members, &mut self.best);
        if self.best.len() > 1 && !self.is_face()? {
            self.best.clear();
            push(&mut self.best, seed, FACES)?;
        }
        self.accept()
    }

    /// Gathers in `best` the triangles about `seed` within `tolerance` [m] of a plane, which fits them. Returns the number that
    /// it looked at.
    fn grow_and_fit(&mut self, seed: u32, tolerance: f64) -> Result<usize> {
        self.best.clear();
        push(&mut self.best, seed, FACES)?;
        let mut visited = 0;
        for _ in 0..FITS {
            let Some(Fit { normal, offset }) = self.fit() else { break };
            let (points, triangles) = (self.places.points, self.triangles);
            let near = |triangle: u32| {
                let is_near = |corner: &u32| (normal.dot(&points[*corner as usize]) - offset).abs() <= tolerance;
                triangles.corners[triangle as usize].iter().all(is_near)
            };
            if !near(seed) {
                break;
            }
            let areas = std::mem::take(&mut self.regions.areas);
            let grown = self.grow(seed, |triangle| areas[triangle as usize].dot(&normal) > 0.0 && near(triangle));
            self.regions.areas = areas;
            grown?;
            visited += self.members.len();
            if self.members.len() <= self.best.len() {
                break;
            }
            std::mem::swap(&mut self.members, &mut self.best);
        }
        Ok(visited)
    }

    /// Returns the plane across the area of the triangles in `best`, in the middle of their corners; `None` without area.
    fn fit(&self) -> Option<Fit> {
        let area: Vec3 = self.best.iter().map(|triangle| self.regions.areas[*triangle as usize]).sum();
        let normal = area.try_normalize(0.0)?;
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in self.best.iter().flat_map(|triangle| self.triangles.corners[*triangle as usize]) {
            let height = normal.dot(&self.places.points[corner as usize]);
            lowest = lowest.min(height);
            highest = highest.max(height);
        }
        Some(Fit { normal, offset: 0.5 * (lowest + highest) })
    }

    /// Gathers in `members` the triangles connected with `seed` that have no region and are `wanted`.
    fn grow(&mut self, seed: u32, wanted: impl Fn(u32) -> bool) -> Result<()> {
        self.growths += 1;
        self.members.clear();
        push(&mut self.members, seed, FACES)?;
        self.last_growth[seed as usize] = self.growths;
        let mut next = 0;
        while let Some(triangle) = self.members.get(next).copied() {
            next += 1;
            for neighbour in self.triangles.neighbours[triangle as usize] {
                let place = neighbour as usize;
                let is_free = self.regions.of[place] == NONE && self.last_growth[place] != self.growths;
                if is_free && wanted(neighbour) {
                    self.last_growth[place] = self.growths;
                    push(&mut self.members, neighbour, FACES)?;
                }
            }
        }
        Ok(())
    }

    /// Whether one closed line bounds the triangles in `best`, and is convex within the tolerance.
    fn is_face(&mut self) -> Result<bool> {
        self.growths += 1;
        self.best.iter().for_each(|triangle| self.last_growth[*triangle as usize] = self.growths);
        let Some(Fit { normal, .. }) = self.fit() else { return Ok(false) };
        let (last_growth, growth) = (&self.last_growth, self.growths);
        let is_inside = |triangle: u32| last_growth[triangle as usize] == growth;
        let Some(edges) = self.outliner.outline(self.triangles, &self.best, is_inside)? else { return Ok(false) };
        let corner = |[triangle, edge]: &[u32; 2]| self.triangles.corners[*triangle as usize][*edge as usize];
        let corners = edges.iter().map(|edge| self.places.points[corner(edge) as usize]);
        is_convex(corners, &normal, self.places.tolerance)
    }

    /// Makes a region of the triangles in `best`.
    fn accept(&mut self) -> Result<()> {
        let number = self.regions.count;
        self.best.iter().for_each(|triangle| self.regions.of[*triangle as usize] = number);
        self.regions.count += 1;
        Ok(())
    }
}
