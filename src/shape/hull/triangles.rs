//! The convex hull of the points of a lattice as a closed surface of triangles, exactly convex.
//!
//! Points are inserted one by one (Clarkson and Shor 1989). A point that is strictly above triangles replaces them by triangles to
//! the edges that bound them. Each triangle lists the points above it, and each point has one triangle below it. The order is
//! random with a fixed seed, so the expected time is `n log n` for all points. A triangle in whose plane the point lies stays.
//! So no triangle is flat, and faces with more than three corners come out as several triangles in one plane.

use std::cmp::Ordering;
use std::iter::repeat_n;

use super::lattice::{Lattice, Plane};
use crate::error::{Error, Result, collected, push, reserve, text};
use crate::math::Vec3;

/// Names in error messages: what the memory was for.
const TRIANGLES: &str = "triangles of a hull";
const POINTS: &str = "points of a hull";
/// The number of points that are inserted at random.
const SMALLEST_ROUND: usize = 64;
/// No triangle.
const NONE: u32 = u32::MAX;

/// A closed surface of triangles.
#[derive(Debug, Default)]
pub(in crate::shape) struct Triangles {
    /// The points at the corners of each triangle, counterclockwise as seen from outside.
    pub(in crate::shape) corners: Vec<[u32; 3]>,
    /// The triangle beyond the edge from each corner to the next.
    pub(in crate::shape) neighbours: Vec<[u32; 3]>,
}

/// A triangle of the hull of the points so far.
#[derive(Debug)]
struct Facet {
    corners: [u32; 3],
    neighbours: [u32; 3],
    plane: Plane,
    /// The points above it that are to be inserted.
    above: Vec<u32>,
    /// The last insertion that removed it.
    removed_by: u32,
}

/// An edge between a triangle that is removed and one that stays.
#[derive(Debug, Clone, Copy)]
struct Rim {
    from: u32,
    to: u32,
    removed: u32,
    stays: u32,
}

/// The surface while points are inserted.
struct Search<'a> {
    lattice: &'a Lattice,
    facets: Vec<Facet>,
    /// Facets that are no longer part of the surface.
    free: Vec<u32>,
    /// A facet below each point; none below a point inside.
    below: Vec<u32>,
    /// The facet in whose list a point was put last.
    listed_by: Vec<u64>,
    lists: u64,
    /// The new facet that starts its rim edge at each point.
    starting: Vec<u32>,
    removed: Vec<u32>,
    rim: Vec<Rim>,
}

impl Triangles {
    /// Returns the hull of those points of a lattice that are in `used`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or all points are in one plane.
    pub(in crate::shape) fn new(lattice: &Lattice, used: &[u32]) -> Result<Self> {
        let count = lattice.len();
        let mut search = Search {
            lattice,
            facets: Vec::new(),
            free: Vec::new(),
            below: collected(repeat_n(NONE, count), POINTS)?,
            listed_by: collected(repeat_n(0, count), POINTS)?,
            lists: 0,
            starting: collected(repeat_n(NONE, count), POINTS)?,
            removed: Vec::new(),
            rim: Vec::new(),
        };
        let order = insertion_order(lattice, used)?;
        search.start(&order)?;
        for (number, point) in (1..).zip(&order) {
            search.insert(*point, number)?;
        }
        search.surface()
    }

    /// Returns the points that are corners of triangles, each once. `count` is that of all points.
    pub(in crate::shape) fn points(&self, count: usize) -> Result<Vec<u32>> {
        let mut is_used = collected(repeat_n(false, count), POINTS)?;
        self.corners.as_flattened().iter().for_each(|corner| is_used[*corner as usize] = true);
        let mut points = Vec::new();
        reserve(&mut points, is_used.iter().filter(|is_used| **is_used).count(), POINTS)?;
        points.extend((0..).zip(is_used).filter(|(_, is_used)| *is_used).map(|(point, _)| point));
        Ok(points)
    }
}

impl Search<'_> {
    /// Makes the first four facets from points that are far apart.
    fn start(&mut self, order: &[u32]) -> Result<()> {
        let simplex = self.simplex(order)?;
        let [a, b, c, d] = simplex;
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            self.add_facet(corners)?;
        }
        // Beyond the edges of each, in their order.
        for (facet, neighbours) in self.facets.iter_mut().zip([[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]]) {
            facet.neighbours = neighbours;
        }
        for facet in 0..4 {
            for point in order.iter().filter(|point| !simplex.contains(point)) {
                self.list_if_above(*point, facet)?;
            }
        }
        Ok(())
    }

    /// Returns four points of which the last is below the plane of the others.
    fn simplex(&self, order: &[u32]) -> Result<[u32; 4]> {
        let at = |index: u32| self.lattice.rounded(index);
        let farthest = |distance: &dyn Fn(&Vec3) -> f64| {
            let farther = |best: (f64, u32), index: &u32| {
                let here = distance(&at(*index));
                if here > best.0 { (here, *index) } else { best }
            };
            order.iter().fold((-1.0, 0), farther).1
        };
        let a = farthest(&|point| point.x);
        let origin = at(a);
        let b = farthest(&|point| (point - origin).norm_squared());
        let along = (at(b) - origin).normalize();
        let c = farthest(&|point| (point - origin).cross(&along).norm_squared());
        let normal = along.cross(&(at(c) - origin)).try_normalize(0.0).unwrap_or(along);
        let d = farthest(&|point| (point - origin).dot(&normal).abs());
        match self.lattice.side(&self.lattice.plane([a, b, c]), d) {
            Ordering::Less => Ok([a, b, c, d]),
            Ordering::Greater => Ok([a, c, b, d]),
            Ordering::Equal => Err(Error::argument(text!(
                "points_xyz has {} points in one plane, expected 4 that span a volume",
                order.len()
            ))),
        }
    }

    /// Adds a facet without neighbours.
    fn add_facet(&mut self, corners: [u32; 3]) -> Result<u32> {
        let facet = Facet {
            corners,
            neighbours: [NONE; 3],
            plane: self.lattice.plane(corners),
            above: Vec::new(),
            removed_by: 0,
        };
        self.lists += 1;
        match self.free.pop() {
            Some(place) => {
                self.facets[place as usize] = facet;
                Ok(place)
            }
            None => {
                push(&mut self.facets, facet, TRIANGLES)?;
                Ok(self.facets.len() as u32 - 1)
            }
        }
    }

    /// Lists a point at a facet, if it is above that.
    fn list_if_above(&mut self, point: u32, place: u32) -> Result<()> {
        let facet = &mut self.facets[place as usize];
        if self.lattice.side(&facet.plane, point) == Ordering::Greater {
            push(&mut facet.above, point, POINTS)?;
            self.below[point as usize] = place;
        }
        Ok(())
    }

    /// Makes a point a corner of the surface, if it is outside.
    fn insert(&mut self, point: u32, number: u32) -> Result<()> {
        let first = self.below[point as usize];
        if first == NONE {
            return Ok(());
        }
        self.find_rim(point, first, number)?;
        for facet in &self.removed {
            self.facets[*facet as usize].above.iter().for_each(|above| self.below[*above as usize] = NONE);
        }
        for index in 0..self.rim.len() {
            let rim = self.rim[index];
            let made = self.add_facet([rim.from, rim.to, point])?;
            self.starting[rim.from as usize] = made;
            self.facets[made as usize].neighbours[0] = rim.stays;
            let stays = &mut self.facets[rim.stays as usize];
            if let Some(edge) = stays.corners.iter().position(|corner| *corner == rim.to) {
                stays.neighbours[edge] = made;
            }
            self.list_above(point, rim, made)?;
        }
        for index in 0..self.rim.len() {
            let Rim { from, to, .. } = self.rim[index];
            let (made, next) = (self.starting[from as usize], self.starting[to as usize]);
            self.facets[made as usize].neighbours[1] = next;
            self.facets[next as usize].neighbours[2] = made;
        }
        let Self { removed, free, facets, .. } = self;
        removed.iter().for_each(|facet| facets[*facet as usize].above = Vec::new());
        reserve(free, removed.len(), TRIANGLES)?;
        free.append(removed);
        Ok(())
    }

    /// Collects the facets strictly below a point, which are connected, and the edges that bound them.
    fn find_rim(&mut self, point: u32, first: u32, number: u32) -> Result<()> {
        self.rim.clear();
        self.removed.clear();
        self.facets[first as usize].removed_by = number;
        push(&mut self.removed, first, TRIANGLES)?;
        let mut next = 0;
        while let Some(place) = self.removed.get(next).copied() {
            next += 1;
            let Facet { corners, neighbours, .. } = self.facets[place as usize];
            for edge in 0..3 {
                let beyond = &mut self.facets[neighbours[edge] as usize];
                if beyond.removed_by == number {
                    continue;
                }
                if self.lattice.side(&beyond.plane, point) == Ordering::Greater {
                    beyond.removed_by = number;
                    push(&mut self.removed, neighbours[edge], TRIANGLES)?;
                } else {
                    let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                    push(&mut self.rim, Rim { from, to, removed: place, stays: neighbours[edge] }, TRIANGLES)?;
                }
            }
        }
        Ok(())
    }

    /// Lists the points above a new facet. Each is above one of the two facets that met at its rim edge.
    fn list_above(&mut self, inserted: u32, rim: Rim, made: u32) -> Result<()> {
        let list = self.lists;
        for place in [rim.removed, rim.stays] {
            for index in 0..self.facets[place as usize].above.len() {
                let point = self.facets[place as usize].above[index];
                if point != inserted && self.listed_by[point as usize] != list {
                    self.listed_by[point as usize] = list;
                    self.list_if_above(point, made)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the facets of the surface, without the free ones.
    fn surface(mut self) -> Result<Triangles> {
        let mut places = collected(repeat_n(0, self.facets.len()), TRIANGLES)?;
        self.free.iter().for_each(|free| places[*free as usize] = NONE);
        let mut count = 0;
        for place in places.iter_mut().filter(|place| **place != NONE) {
            *place = count;
            count += 1;
        }
        let mut triangles = Triangles::default();
        reserve(&mut triangles.corners, count as usize, TRIANGLES)?;
        reserve(&mut triangles.neighbours, count as usize, TRIANGLES)?;
        for (facet, _) in self.facets.drain(..).zip(&places).filter(|(_, place)| **place != NONE) {
            triangles.corners.push(facet.corners);
            triangles.neighbours.push(facet.neighbours.map(|neighbour| places[neighbour as usize]));
        }
        Ok(triangles)
    }
}

/// Returns points in the order in which they are inserted: half of them at random, then half of the rest, and so on, with the
/// smallest part first. Each part is sorted along a curve that fills space.
fn insertion_order(lattice: &Lattice, used: &[u32]) -> Result<Vec<u32>> {
    let order = shuffled(used)?;
    let mut keyed = collected(order.iter().map(|point| (lattice.cell(*point), *point)), POINTS)?;
    let mut end = keyed.len();
    while end > SMALLEST_ROUND {
        keyed[end / 2..end].sort_unstable();
        end /= 2;
    }
    collected(keyed.iter().map(|(_, point)| *point), POINTS)
}

/// Returns numbers in a random order, which is always the same (Fisher and Yates, with SplitMix64).
fn shuffled(numbers: &[u32]) -> Result<Vec<u32>> {
    let mut order = collected(numbers.iter().copied(), POINTS)?;
    let mut state = 0u64;
    for index in (1..order.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        order.swap(index, ((mixed ^ (mixed >> 31)) % (index as u64 + 1)) as usize);
    }
    Ok(order)
}
