//! The faces of a hull as polygons, with what is beside each: triangles of the exact surface, merged where they are flat.
//!
//! Points that are no corners of faces are removed, and the hull of the others is found again. That is repeated until all are
//! corners. So no edge is bent, and faces consist of few triangles, which makes them convex.

use std::iter::repeat_n;

use super::corners::Outlines;
use super::outline::holds_its_corners;
use super::regions::{Places, Regions};
use super::triangles::Triangles;
use crate::error::{ErrorKind, Result, collected, push, reserve};
use crate::math::Vec3;

/// Names in error messages: what the memory was for.
const CORNERS: &str = "corners of a hull";
const FACES: &str = "faces of a hull";
/// The number of points of which a hull is found again, beyond a quarter of the number of triangles that the first one has.
const CHEAP: usize = 4096;
/// The number of times that points are removed.
const ROUNDS: usize = 4;
/// The number of times that faces which are not convex are split to triangles.
const SPLITS: usize = 8;
/// How far a corner of a face may be outside of the line along one of its edges, in tolerances [-].
const MAX_OUTSIDE: f64 = 2.0;
/// A corner must be higher by this fraction of its distance from the middle to become the first of a face [-].
const HIGHER: f64 = 1e-15;

/// The faces of a hull. Corners are numbers of points.
#[derive(Debug, Default)]
pub(in crate::shape) struct Faces {
    /// The unit outward normal of each face.
    pub(in crate::shape) normals: Vec<Vec3>,
    /// Where each face's corners start in `corners`; one more than there are faces.
    pub(in crate::shape) starts: Vec<u32>,
    /// The corners of the faces, each counterclockwise as seen from outside. The first is the one farthest along the normal.
    pub(in crate::shape) corners: Vec<u32>,
    /// The face beyond the edge from each corner to the next.
    pub(in crate::shape) neighbours: Vec<u32>,
}

impl Faces {
    /// Returns the faces of the surface `triangles`, whose corners are near them within the tolerance of `places`.
    pub(in crate::shape) fn new(places: Places, triangles: Triangles) -> Result<Self> {
        let mut triangles = triangles;
        let mut regions = Regions::new(places, &triangles)?;
        let mut budget = triangles.corners.len() / 4 + CHEAP;
        for _ in 0..ROUNDS {
            let Some(kept) = kept_points(places, &triangles, &regions)?.filter(|kept| kept.len() <= budget) else {
                break;
            };
            budget -= kept.len();
            triangles = match Triangles::new(places.lattice, &kept) {
                Ok(simpler) => simpler,
                Err(error) if error.kind == ErrorKind::Argument => break,
                Err(error) => return Err(error),
            };
            regions = Regions::new(places, &triangles)?;
        }
        for _ in 0..SPLITS {
            let Some(faces) = Self::of_regions(places, &triangles, &regions)? else { break };
            let is_bad = faces.bad_faces(places)?;
            if !is_bad.contains(&true) {
                if faces.is_closed()? {
                    return Ok(faces);
                }
                break;
            }
            regions.split(&is_bad)?;
        }
        regions.split_all();
        Ok(Self::of_regions(places, &triangles, &regions)?.unwrap_or_default())
    }

    /// Returns the polygons that bound the regions; `None` if some region has no outline.
    fn of_regions(places: Places, triangles: &Triangles, regions: &Regions) -> Result<Option<Self>> {
        let Some(outlines) = Outlines::new(triangles, regions, places.points.len())? else { return Ok(None) };
        let is_corner = outlines.corners(places)?;
        let mut faces = Self { normals: regions.normals()?, ..Self::default() };
        push(&mut faces.starts, 0, FACES)?;
        for pair in outlines.starts.windows(2) {
            let outline = pair[0] as usize..pair[1] as usize;
            for (corner, beyond) in outlines.points[outline.clone()].iter().zip(&outlines.beyond[outline]) {
                if is_corner[*corner as usize] {
                    push(&mut faces.corners, *corner, CORNERS)?;
                    push(&mut faces.neighbours, *beyond, CORNERS)?;
                }
            }
            faces.close_face(places)?;
        }
        Ok(Some(faces))
    }

    /// Makes a face of the last corners, the outermost first.
    fn close_face(&mut self, places: Places) -> Result<()> {
        let face = self.starts.len() - 1;
        let (start, end) = (self.starts[face] as usize, self.corners.len());
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, corner) in self.corners[start..].iter().enumerate() {
            let point = places.points[*corner as usize];
            let height = self.normals[face].dot(&point);
            if height > best.0 + HIGHER * point.amax() {
                best = (height, index);
            }
        }
        self.corners[start..].rotate_left(best.1);
        self.neighbours[start..].rotate_left(best.1);
        push(&mut self.starts, end as u32, FACES)
    }

    fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// Returns for each face whether it is not convex.
    fn bad_faces(&self, places: Places) -> Result<Vec<bool>> {
        let mut is_bad = collected(repeat_n(false, self.normals.len()), FACES)?;
        for (face, is_bad) in is_bad.iter_mut().enumerate() {
            let corners = self.face(face).iter().map(|corner| places.points[*corner as usize]);
            let normal = &self.normals[face];
            // A triangle is always convex.
            *is_bad =
                self.face(face).len() != 3 && !holds_its_corners(corners, normal, MAX_OUTSIDE * places.tolerance)?;
        }
        Ok(is_bad)
    }

    /// Whether each edge has two faces, which run along it in opposite directions, and the surface is that of a ball.
    fn is_closed(&self) -> Result<bool> {
        let mut sides = Vec::new();
        reserve(&mut sides, self.corners.len(), CORNERS)?;
        for face in 0..self.normals.len() {
            let corners = self.face(face);
            let neighbours = &self.neighbours[self.starts[face] as usize..];
            let following = corners.iter().skip(1).chain(corners.first());
            for ((from, to), beyond) in corners.iter().zip(following).zip(neighbours) {
                let (ends, face) = ([*from.min(to), *from.max(to)], face as u32);
                sides.push(Side { ends, is_forward: from < to, face, beyond: *beyond });
            }
        }
        sides.sort_unstable();
        let (edges, rest) = sides.as_chunks::<2>();
        let mut corners = collected(self.corners.iter().copied(), CORNERS)?;
        corners.sort_unstable();
        corners.dedup();
        let is_ball = corners.len() + self.normals.len() == edges.len() + 2;
        let fits = |[one, other]: &[Side; 2]| {
            let is_edge = one.ends == other.ends && one.is_forward != other.is_forward;
            is_edge && one.face == other.beyond && one.beyond == other.face
        };
        let is_single = edges.iter().zip(edges.iter().skip(1)).all(|(edge, next)| edge[0].ends != next[0].ends);
        Ok(rest.is_empty() && is_ball && is_single && edges.iter().all(fits))
    }
}

/// An edge as one of its two faces has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// Its corners, the lower number first.
    ends: [u32; 2],
    /// Whether the face runs along it from the first to the second.
    is_forward: bool,
    face: u32,
    beyond: u32,
}

/// Returns the points of a surface that are corners, if there are others.
fn kept_points(places: Places, triangles: &Triangles, regions: &Regions) -> Result<Option<Vec<u32>>> {
    let Some(outlines) = Outlines::new(triangles, regions, places.points.len())? else { return Ok(None) };
    let mut is_kept = outlines.corners(places)?;
    drop_ends_of_short_edges(places, triangles, &mut is_kept)?;
    let mut points = triangles.points(is_kept.len())?;
    let count = points.len();
    points.retain(|point| is_kept[*point as usize]);
    Ok((points.len() < count).then_some(points))
}

/// Of points within the tolerance of each other only one is kept.
fn drop_ends_of_short_edges(places: Places, triangles: &Triangles, is_kept: &mut [bool]) -> Result<()> {
    let mut is_needed = collected(repeat_n(false, is_kept.len()), CORNERS)?;
    for corners in &triangles.corners {
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let [a, b] = [*from as usize, *to as usize];
            let is_short = (places.points[a] - places.points[b]).norm() <= places.tolerance;
            if is_short && is_kept[a] && is_kept[b] {
                let (stays, goes) = if is_needed[b] { (b, a) } else { (a, b) };
                if !is_needed[goes] {
                    is_needed[stays] = true;
                    is_kept[goes] = false;
                }
            }
        }
    }
    Ok(())
}
