//! Convex polyhedra that planes cut to pieces: the differences of convex solids, from which the mass of a clump is summed.
//!
//! Lengths are in units of a part of the clump, so that round-off has one size.

use super::checks::listed;
use super::hull::Hull;
use super::moments::Moments;
use crate::error::{Result, collected, push};
use crate::math::elementary::sin_cos;
use crate::math::{Pose, Vec3};

/// Corners this close to a plane lie in it [part].
const ON_PLANE: f64 = 1e-12;
/// Names in error messages: what the memory was for.
const CUTS: &str = "pieces of a clump";
/// The sides of the prism that stands for a cylinder.
const SIDES: u32 = 64;

/// One face: where it is, and its corners.
#[derive(Debug, Clone)]
pub(super) struct PolyFace {
    /// Of unit length, outward.
    pub(super) normal: Vec3,
    /// Of the plane along the normal.
    pub(super) offset: f64,
    /// Counterclockwise as seen from outside.
    pub(super) corners: Vec<u32>,
}

/// A convex polyhedron. Faces share corners by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Polyhedron {
    pub(super) points: Vec<Vec3>,
    pub(super) faces: Vec<PolyFace>,
}

/// From the axes of a shape to those of a clump, in units of one of its parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units<'a> {
    pub(super) pose: &'a Pose,
    pub(super) origin: Vec3,
    /// [m]
    pub(super) length: f64,
}

impl Units<'_> {
    pub(super) fn point(&self, local: &Vec3) -> Vec3 {
        (self.pose.to_world(local) - self.origin) / self.length
    }
}

impl Polyhedron {
    /// The box with these half edges about `center`, in the axes in which `units` are given.
    pub(super) fn cuboid(half: &Vec3, units: &Units) -> Result<Self> {
        let signs = |corner: u32| [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 });
        let points = (0..8).map(|corner| units.point(&half.component_mul(&Vec3::from(signs(corner)))));
        let mut made = Self { points: collected(points.collect::<Vec<_>>().into_iter(), CUTS)?, faces: Vec::new() };
        for corners in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
            made.add_face(&corners)?;
        }
        Ok(made)
    }

    pub(super) fn hull(hull: &Hull, units: &Units) -> Result<Self> {
        let points = collected(hull.points.iter().map(|point| units.point(point)), CUTS)?;
        let mut made = Self { points, faces: Vec::new() };
        (0..hull.normals.len()).try_for_each(|face| made.add_face(listed(&hull.starts, &hull.corners, face)))?;
        Ok(made)
    }

    /// The prism along z with the cross-section of a cylinder: a regular polygon of the same area.
    pub(super) fn cylinder(half_height: f64, radius: f64, units: &Units) -> Result<Self> {
        let turn = |side: u32| sin_cos(std::f64::consts::TAU * f64::from(side) / f64::from(SIDES));
        let (sine, _) = turn(1);
        let reach = radius * (std::f64::consts::TAU / f64::from(SIDES) / sine).sqrt();
        let mut made = Self::default();
        for height in [-half_height, half_height] {
            for side in 0..SIDES {
                let (sine, cosine) = turn(side);
                push(&mut made.points, units.point(&Vec3::new(reach * cosine, reach * sine, height)), CUTS)?;
            }
        }
        for side in 0..SIDES {
            let next = (side + 1) % SIDES;
            made.add_face(&[side, next, SIDES + next, SIDES + side])?;
        }
        made.add_face(&collected((0..SIDES).rev(), CUTS)?)?;
        made.add_face(&collected(SIDES..2 * SIDES, CUTS)?)?;
        Ok(made)
    }

    /// Adds a face with these corners, counterclockwise as seen from outside.
    fn add_face(&mut self, corners: &[u32]) -> Result<()> {
        let at = |corner: &u32| self.points[*corner as usize];
        let middle = corners.iter().map(at).sum::<Vec3>() / corners.len() as f64;
        let following = corners.iter().skip(1).chain(corners.first());
        let doubled: Vec3 = corners.iter().zip(following).map(|(a, b)| (at(a) - middle).cross(&(at(b) - middle))).sum();
        // A face without an area bounds nothing.
        let Some(normal) = doubled.try_normalize(0.0) else { return Ok(()) };
        let offset = normal.dot(&middle);
        let corners = collected(corners.iter().copied(), CUTS)?;
        push(&mut self.faces, PolyFace { normal, offset, corners }, CUTS)
    }

    /// The part where `normal . x <= offset`; `None` if there is none.
    pub(super) fn clipped(&self, normal: &Vec3, offset: f64) -> Result<Option<Self>> {
        let height = |point: &Vec3| {
            let height = normal.dot(point) - offset;
            if height.abs() <= ON_PLANE { 0.0 } else { height }
        };
        let heights = collected(self.points.iter().map(height), CUTS)?;
        if !heights.iter().any(|height| *height < 0.0) {
            return Ok(None);
        }
        if !heights.iter().any(|height| *height > 0.0) {
            return Ok(Some(self.clone()));
        }
        let mut cut =
            Cut { whole: self, heights, kept: Polyhedron::default(), places: Vec::new(), crossings: Vec::new() };
        cut.keep_points()?;
        let mut rim = Vec::new();
        for face in &self.faces {
            cut.keep_face(face, &mut rim)?;
        }
        let Cut { mut kept, .. } = cut;
        let corners = chained(&rim)?;
        if corners.len() > 2 {
            push(&mut kept.faces, PolyFace { normal: *normal, offset, corners }, CUTS)?;
        }
        Ok((kept.faces.len() > 3).then_some(kept))
    }

    /// The part inside of `other`, if there is any.
    pub(super) fn inside(&self, other: &Self) -> Result<Option<Self>> {
        let mut rest = self.clone();
        for face in &other.faces {
            match rest.clipped(&face.normal, face.offset)? {
                Some(below) => rest = below,
                None => return Ok(None),
            }
        }
        Ok(Some(rest))
    }

    /// Adds the part outside of `other` to `out`, in convex pieces.
    pub(super) fn outside(self, other: &Self, out: &mut Vec<Self>) -> Result<()> {
        if self.inside(other)?.is_none() {
            return push(out, self, CUTS);
        }
        let mut rest = self;
        for face in &other.faces {
            if let Some(beyond) = rest.clipped(&-face.normal, -face.offset)? {
                push(out, beyond, CUTS)?;
            }
            match rest.clipped(&face.normal, face.offset)? {
                Some(below) => rest = below,
                None => break,
            }
        }
        Ok(())
    }

    /// Counted from the origin.
    pub(super) fn moments(&self) -> Moments {
        let apex = self.points.iter().sum::<Vec3>() / self.points.len().max(1) as f64;
        let at = |index: &u32| self.points[*index as usize];
        let triangles = self.faces.iter().flat_map(|face| {
            face.corners.split_first().into_iter().flat_map(move |(first, rest)| {
                rest.windows(2).filter_map(move |pair| Some([at(first), at(pair.first()?), at(pair.last()?)]))
            })
        });
        Moments::of_polyhedron(&apex, triangles).moved(1.0, &apex)
    }
}

/// A polyhedron while a plane cuts it.
struct Cut<'a> {
    whole: &'a Polyhedron,
    /// Of its corners above the plane.
    heights: Vec<f64>,
    kept: Polyhedron,
    /// The new number of each corner that is kept.
    places: Vec<u32>,
    /// The edges that cross the plane, lower end first, and the new corner there.
    crossings: Vec<([u32; 2], u32)>,
}

impl Cut<'_> {
    fn keep_points(&mut self) -> Result<()> {
        for (point, height) in self.whole.points.iter().zip(&self.heights) {
            push(&mut self.places, self.kept.points.len() as u32, CUTS)?;
            if *height <= 0.0 {
                push(&mut self.kept.points, *point, CUTS)?;
            }
        }
        Ok(())
    }

    /// The corner where the edge from `low` to `high` crosses the plane: the same one for both faces of the edge.
    fn crossing(&mut self, low: u32, high: u32) -> Result<u32> {
        if let Some((_, corner)) = self.crossings.iter().find(|(edge, _)| *edge == [low, high]) {
            return Ok(*corner);
        }
        let [below, above] = [low, high].map(|end| self.heights[end as usize]);
        let [from, to] = [low, high].map(|end| self.whole.points[end as usize]);
        let corner = self.kept.points.len() as u32;
        push(&mut self.kept.points, from + (to - from) * (below / (below - above)), CUTS)?;
        push(&mut self.crossings, ([low, high], corner), CUTS)?;
        Ok(corner)
    }

    /// Keeps what of a face is below the plane, and adds the edge that it gets there to `rim`, in the direction of the new face.
    fn keep_face(&mut self, face: &PolyFace, rim: &mut Vec<[u32; 2]>) -> Result<()> {
        let mut corners = Vec::new();
        let (mut left, mut entered) = (None, None);
        let following = face.corners.iter().skip(1).chain(face.corners.first());
        for (from, to) in face.corners.iter().zip(following) {
            let (here, there) = (self.heights[*from as usize], self.heights[*to as usize]);
            let place = self.places[*from as usize];
            if here <= 0.0 {
                push(&mut corners, place, CUTS)?;
            }
            if here <= 0.0 && there > 0.0 {
                let corner = if here < 0.0 { self.crossing(*from, *to)? } else { place };
                if corner != place {
                    push(&mut corners, corner, CUTS)?;
                }
                left = Some(corner);
            }
            if here > 0.0 && there <= 0.0 {
                let corner = if there < 0.0 { self.crossing(*to, *from)? } else { self.places[*to as usize] };
                if there < 0.0 {
                    push(&mut corners, corner, CUTS)?;
                }
                entered = Some(corner);
            }
        }
        if let (Some(left), Some(entered)) = (left, entered)
            && left != entered
        {
            push(rim, [entered, left], CUTS)?;
        }
        if corners.len() > 2 {
            push(&mut self.kept.faces, PolyFace { normal: face.normal, offset: face.offset, corners }, CUTS)?;
        }
        Ok(())
    }
}

/// The corners of a closed chain of edges.
fn chained(edges: &[[u32; 2]]) -> Result<Vec<u32>> {
    let mut corners = Vec::new();
    let Some([first, mut next]) = edges.first().copied() else { return Ok(corners) };
    push(&mut corners, first, CUTS)?;
    while next != first && corners.len() < edges.len() {
        push(&mut corners, next, CUTS)?;
        match edges.iter().find(|[from, _]| *from == next) {
            Some([_, to]) => next = *to,
            None => break,
        }
    }
    Ok(corners)
}
