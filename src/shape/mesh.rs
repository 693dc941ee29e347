//! A surface of triangles: its points, which triangles meet in each, and a hierarchy of boxes over them.
//!
//! The surface has two sides and no inside: neither winding nor closedness is asked for.

use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

use super::checks::{SHORTEST, THINNEST, coordinates, probe_memory};
use crate::error::{Error, Result, reserve, resize};
use crate::math::{Aabb, Vec3};

/// What the hierarchy of boxes needs per triangle while it is built, counted generously [bytes].
const BYTES_PER_TRIANGLE: usize = 512;

/// A surface of triangles.
#[derive(Debug, Clone)]
pub struct Mesh {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// For each point the one that stands for all points at the same place.
    representatives: Vec<u32>,
    /// Where each point's triangles start in `ring`; one more than there are points.
    ring_starts: Vec<u32>,
    ring: Vec<u32>,
    bounds: Aabb,
    bounding_radius: f64,
    hierarchy: Bvh,
}

impl Mesh {
    pub(super) fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        check_counts(points.len(), triangles.len())?;
        coordinates("points_xyz", points.as_flattened())?;
        let mut own_points: Vec<Vec3> = Vec::new();
        reserve(&mut own_points, points.len(), "points of a mesh")?;
        own_points.extend(points.iter().map(|point| Vec3::from(*point).add_scalar(0.0)));
        check_triangles(&own_points, triangles)?;
        let mut own_triangles = Vec::new();
        reserve(&mut own_triangles, triangles.len(), "triangles of a mesh")?;
        own_triangles.extend_from_slice(triangles);
        let representatives = weld(&own_points)?;
        let (ring_starts, ring) = rings(&own_triangles, &representatives)?;
        let bounds = bounds_of(&own_points);
        let bounding_radius = own_points.iter().map(|point| point.norm()).fold(0.0, f64::max);
        let hierarchy = hierarchy(&own_points, &own_triangles)?;
        Ok(Self {
            points: own_points,
            triangles: own_triangles,
            representatives,
            ring_starts,
            ring,
            bounds,
            bounding_radius,
            hierarchy,
        })
    }

    /// The corners of a triangle [m].
    pub(crate) fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.triangles[index as usize].map(|corner| self.points[corner as usize])
    }

    /// The places of a triangle's corners: equal numbers are equal places.
    pub(crate) fn places(&self, index: u32) -> [u32; 3] {
        self.triangles[index as usize].map(|corner| self.representatives[corner as usize])
    }

    /// The triangles that meet in a place, as [`Mesh::places`] numbers them.
    pub(crate) fn triangles_at(&self, place: u32) -> &[u32] {
        let start = self.ring_starts[place as usize] as usize;
        &self.ring[start..self.ring_starts[place as usize + 1] as usize]
    }

    /// Appends the triangles whose boxes meet `region`, in body axes, in ascending order.
    pub(crate) fn triangles_in(&self, region: &Aabb, out: &mut Vec<u32>) -> Result<()> {
        let vector = |v: &Vec3| Vector::new(v.x, v.y, v.z);
        let region = Bounds::new(vector(&region.lower), vector(&region.upper));
        let start = out.len();
        // The hierarchy is padded: it may name triangles that are not there.
        for index in self.hierarchy.intersect_aabb(&region).filter(|index| (*index as usize) < self.triangles.len()) {
            reserve(out, 1, "triangles near a shape")?;
            out.push(index);
        }
        out[start..].sort_unstable();
        Ok(())
    }

    pub(super) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    pub(super) fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Returns the points and triangles that it is made from.
    pub(super) fn source(&self) -> (&[Vec3], &[[u32; 3]]) {
        (&self.points, &self.triangles)
    }
}

fn check_counts(points: usize, triangles: usize) -> Result<()> {
    if points < 3 {
        return Err(Error::argument(format!("point_count is {points}, expected at least 3")));
    }
    if triangles < 1 {
        return Err(Error::argument(format!("triangle_count is {triangles}, expected at least 1")));
    }
    // Three corners for each triangle are counted in 32 bits.
    for (name, count) in [("point_count", points), ("triangle_count", triangles)] {
        if count > (u32::MAX / 3) as usize {
            return Err(Error::argument(format!("{name} is {count}, expected at most {}", u32::MAX / 3)));
        }
    }
    Ok(())
}

fn check_triangles(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<()> {
    for (index, triangle) in triangles.iter().enumerate() {
        let mut corners = [Vec3::zeros(); 3];
        for (position, (corner, value)) in corners.iter_mut().zip(triangle).enumerate() {
            let Some(point) = points.get(*value as usize) else {
                let (name, count) = (format!("triangles[{}]", 3 * index + position), points.len());
                return Err(Error::argument(format!(
                    "{name} is {value}, expected an index below point_count, {count}"
                )));
            };
            *corner = *point;
        }
        let [a, b, c] = corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let height = if longest > 0.0 { ((b - a) / longest).cross(&(c - a)).norm() } else { 0.0 };
        if !(height > THINNEST * longest && longest >= SHORTEST) {
            let first = 3 * index;
            return Err(Error::argument(format!(
                "triangle {index} (triangles[{first}] to triangles[{}], which are {triangle:?}) is {longest} long and \
                 {height} high, expected an area above 0",
                first + 2
            )));
        }
    }
    Ok(())
}

/// For each point the lowest index among the points at its place.
fn weld(points: &[Vec3]) -> Result<Vec<u32>> {
    let mut order: Vec<u32> = Vec::new();
    reserve(&mut order, points.len(), "points of a mesh")?;
    order.extend(0..points.len() as u32);
    let at = |index: &u32| points[*index as usize];
    order.sort_unstable_by(|first, second| {
        let (a, b) = (at(first), at(second));
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)).then(first.cmp(second))
    });
    let mut representatives = Vec::new();
    resize(&mut representatives, points.len(), 0, "points of a mesh")?;
    for group in order.chunk_by(|first, second| at(first) == at(second)) {
        for index in group {
            representatives[*index as usize] = group[0];
        }
    }
    Ok(representatives)
}

/// The triangles around each place: where they start, and the triangles.
fn rings(triangles: &[[u32; 3]], representatives: &[u32]) -> Result<(Vec<u32>, Vec<u32>)> {
    let place = |corner: u32| representatives[corner as usize] as usize;
    let mut starts = Vec::new();
    resize(&mut starts, representatives.len() + 1, 0u32, "points of a mesh")?;
    triangles.as_flattened().iter().for_each(|corner| starts[place(*corner) + 1] += 1);
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = Vec::new();
    reserve(&mut next, starts.len(), "points of a mesh")?;
    next.extend_from_slice(&starts);
    let mut ring = Vec::new();
    resize(&mut ring, 3 * triangles.len(), 0, "triangles of a mesh")?;
    for (index, triangle) in triangles.iter().enumerate() {
        for corner in triangle {
            let slot = &mut next[place(*corner)];
            ring[*slot as usize] = index as u32;
            *slot += 1;
        }
    }
    Ok((starts, ring))
}

fn bounds_of(points: &[Vec3]) -> Aabb {
    let nothing = Aabb { lower: Vec3::repeat(f64::INFINITY), upper: Vec3::repeat(f64::NEG_INFINITY) };
    points.iter().fold(nothing, |bounds, point| Aabb { lower: bounds.lower.inf(point), upper: bounds.upper.sup(point) })
}

fn hierarchy(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Bvh> {
    probe_memory(triangles.len(), BYTES_PER_TRIANGLE, "triangles of a mesh")?;
    let corner = |index: u32| {
        let point = points[index as usize];
        Vector::new(point.x, point.y, point.z)
    };
    let boxes = triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(corner);
        Bounds::new(a.min(b).min(c), a.max(b).max(c))
    });
    Ok(Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate()))
}
