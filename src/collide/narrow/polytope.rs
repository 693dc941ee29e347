//! A convex shape in the axes of the pair: corners, faces as polygons, and what is round about it.
//!
//! Ball, capsule: a point or a segment, thickened by a radius. Cylinder: its two ends as octagons, and exact where only
//! the farthest point in a direction is asked for.

use parry3d_f64::math::Vector;
use parry3d_f64::shape::SupportMap;

use super::contact::Placed;
use crate::error::{Result, empty, reserve};
use crate::math::{Pose, Vec3};
use crate::shape::{Shape, listed};

/// The corners of a box are numbered by their sides: bit 0 for +x, bit 1 for +y, bit 2 for +z.
const BOX_CORNERS: [u32; 24] = [1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1];
/// The face beside each of these, behind which the next corner is.
const BOX_SIDES: [u32; 24] = [5, 2, 4, 3, 3, 4, 2, 5, 1, 4, 0, 5, 5, 0, 4, 1, 3, 0, 2, 1, 1, 2, 0, 3];
const BOX_STARTS: [u32; 7] = [0, 4, 8, 12, 16, 20, 24];
/// The rim of the upper end counts upwards from 0, that of the lower end, below it, from 8.
const END_CORNERS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8];
const END_STARTS: [u32; 3] = [0, 8, 16];
const TRIANGLE_CORNERS: [u32; 6] = [0, 1, 2, 2, 1, 0];
const TRIANGLE_STARTS: [u32; 3] = [0, 3, 6];

/// Of a shape other than a hull: the rims of a cylinder, the sides of a box.
const MOST_CORNERS: usize = 16;
const MOST_FACES: usize = 6;

/// Cosine and sine of the multiples of 45 degrees.
const EIGHTH: f64 = std::f64::consts::FRAC_1_SQRT_2;
const OCTAGON: [(f64, f64); 8] = [
    (1.0, 0.0),
    (EIGHTH, EIGHTH),
    (0.0, 1.0),
    (-EIGHTH, EIGHTH),
    (-1.0, 0.0),
    (-EIGHTH, -EIGHTH),
    (0.0, -1.0),
    (EIGHTH, -EIGHTH),
];

/// The exact form of a cylinder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    /// From the middle to the middle of the upper end [m].
    pub(super) half_axis: Vec3,
    /// The same, of unit length.
    pub(super) axis: Vec3,
    /// [m]
    pub(super) radius: f64,
}

/// The edges of a box.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bars {
    /// Their directions.
    pub(super) axes: [Vec3; 3],
    /// Half of their lengths [m].
    pub(super) lengths: Vec3,
    /// The products of the two [m].
    pub(super) half: [Vec3; 3],
}

impl Bars {
    pub(super) fn new(axes: [Vec3; 3], lengths: &Vec3) -> Self {
        Self { axes, lengths: *lengths, half: [axes[0] * lengths.x, axes[1] * lengths.y, axes[2] * lengths.z] }
    }

    /// The corners, by their numbers, of the box about `center`.
    #[inline]
    pub(super) fn corners(&self, center: &Vec3) -> [Vec3; 8] {
        let [x, y, z] = self.half;
        let [p, q, r, s] = [-x - y, x - y, y - x, x + y];
        [p - z, q - z, r - z, s - z, p + z, q + z, r + z, s + z].map(|arm| center + arm)
    }

    /// The numbers of the corners that are farthest against and along a direction, the first of those equally far.
    #[inline]
    pub(super) fn corners_along(&self, direction: &Vec3) -> [usize; 2] {
        let along = self.half.map(|half| half.dot(direction));
        let number = |bits: [bool; 3]| usize::from(bits[0]) | usize::from(bits[1]) << 1 | usize::from(bits[2]) << 2;
        [number(along.map(|along| along < 0.0)), number(along.map(|along| along > 0.0))]
    }
}

/// Corners and face normals of one shape in the axes of the pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Storage {
    pub(super) vertices: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// If it is a box.
    pub(super) bars: Bars,
}

/// Which of the shapes it is, as far as that matters here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum PolytopeKind<'a> {
    /// With parallel edges in three directions.
    Box(&'a Bars),
    /// With a curved side.
    Cylinder(Round),
    /// Anything else.
    #[default]
    Corners,
}

/// A convex shape in the axes of the pair.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Polytope<'a> {
    pub(super) kind: PolytopeKind<'a>,
    /// [m]
    pub(super) vertices: &'a [Vec3],
    /// Of unit length, outward.
    pub(super) normals: &'a [Vec3],
    starts: &'a [u32],
    corners: &'a [u32],
    /// Beside each corner of a face the face that stands upright on the edge to the next; none where they do not.
    sides: &'a [u32],
    /// A point inside [m].
    pub(super) center: Vec3,
    /// No point is farther from the centre, about [m].
    pub(super) size: f64,
    /// What the shape is thickened by [m].
    pub(super) radius: f64,
}

impl<'a> Polytope<'a> {
    /// The shape with its places counted from `origin`; `Ok(None)` for what is not convex and bounded.
    // Inlined: on its way out it would be copied twice.
    #[inline(always)]
    pub(super) fn new(placed: Placed<'a>, origin: &Vec3, storage: &'a mut Storage) -> Result<Option<Self>> {
        let Storage { vertices, normals, bars } = storage;
        empty(vertices, MOST_CORNERS, "corners of a shape")?;
        empty(normals, MOST_FACES, "faces of a shape")?;
        let Pose { matrix, .. } = placed.pose;
        let center = placed.pose.origin - origin;
        let axes: [Vec3; 3] = std::array::from_fn(|axis| matrix.column(axis).into_owned());
        let mut polytope = Self { center, size: placed.shape.bounding_radius(), ..Self::default() };
        match placed.shape {
            Shape::Sphere(sphere) => {
                vertices.push(center);
                polytope.radius = sphere.radius;
            }
            Shape::Capsule(capsule) => {
                let end = axes[2] * capsule.half_height;
                vertices.push(center - end);
                if capsule.half_height > 0.0 {
                    vertices.push(center + end);
                }
                polytope.radius = capsule.radius;
            }
            Shape::Cuboid(cuboid) => {
                *bars = Bars::new(axes, &cuboid.half_extents);
                vertices.extend(bars.corners(&center));
                let [x, y, z] = axes;
                normals.extend_from_slice(&[x, -x, y, -y, z, -z]);
                let (starts, corners, sides) = (&BOX_STARTS, &BOX_CORNERS, &BOX_SIDES);
                polytope = Polytope { kind: PolytopeKind::Box(bars), starts, corners, sides, ..polytope };
            }
            Shape::Cylinder(cylinder) => {
                let (half_axis, radius) = (axes[2] * cylinder.half_height, cylinder.radius);
                let arm = |(cosine, sine): &(f64, f64)| (axes[0] * *cosine + axes[1] * *sine) * radius;
                vertices.extend(OCTAGON.iter().map(|turn| center + half_axis + arm(turn)));
                vertices.extend(OCTAGON.iter().map(|turn| center - half_axis + arm(turn)));
                normals.extend([axes[2], -axes[2]]);
                let kind = PolytopeKind::Cylinder(Round { half_axis, axis: axes[2], radius });
                polytope = Polytope { kind, starts: &END_STARTS, corners: &END_CORNERS, ..polytope };
            }
            Shape::Hull(hull) => {
                reserve(vertices, hull.points.len(), "corners of a shape")?;
                reserve(normals, hull.normals.len(), "faces of a shape")?;
                vertices.extend(hull.points.iter().map(|point| center + matrix * point));
                normals.extend(hull.normals.iter().map(|normal| matrix * normal));
                polytope.center = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
                polytope = Polytope { starts: &hull.starts, corners: &hull.corners, ..polytope };
                let center = polytope.center;
                polytope.size = vertices.iter().map(|vertex| (vertex - center).norm()).fold(0.0, f64::max);
            }
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Clump(_) | Shape::Curve(_) => return Ok(None),
        }
        Ok(Some(Polytope { vertices, normals, ..polytope }))
    }

    /// A triangle with two faces, its corners counted from where the pair's axes start.
    pub(super) fn of_triangle(vertices: &'a [Vec3; 3], normals: &'a [Vec3; 2]) -> Self {
        let center = vertices.iter().sum::<Vec3>() / 3.0;
        let size = vertices.iter().map(|vertex| (vertex - center).norm()).fold(0.0, f64::max);
        let (starts, corners) = (&TRIANGLE_STARTS, &TRIANGLE_CORNERS);
        Self { vertices, normals, starts, corners, center, size, ..Self::default() }
    }

    /// The corners of a face, counterclockwise as seen from outside.
    #[inline]
    pub(super) fn face(&self, face: usize) -> &'a [u32] {
        listed(self.starts, self.corners, face)
    }

    /// The outward normal of the side plane behind a corner of a face, where another face lies in it.
    #[inline]
    pub(super) fn side_normal(&self, face: usize, index: usize) -> Option<&'a Vec3> {
        self.normals.get(*self.sides.get(*self.starts.get(face)? as usize + index)? as usize)
    }

    /// The first corner of a face, of which every one has some [m].
    #[inline]
    pub(super) fn first_corner(&self, face: usize) -> Vec3 {
        self.vertex(self.corners[self.starts[face] as usize])
    }

    /// All faces' corners.
    pub(super) fn faces(&self) -> impl Iterator<Item = &'a [u32]> + '_ {
        (0..self.normals.len()).map(|face| self.face(face))
    }

    /// The corner of this number [m].
    #[inline]
    pub(super) fn vertex(&self, index: u32) -> Vec3 {
        self.vertices[index as usize]
    }

    /// The farthest corner in a direction, the first of those equally far.
    #[inline]
    pub(super) fn farthest_vertex(&self, direction: &Vec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, vertex) in self.vertices.iter().enumerate() {
            let reach = direction.dot(vertex);
            if reach > best.1 {
                best = (index, reach);
            }
        }
        best.0
    }

    /// A farthest point in a direction, of any length but 0, without the radius [m].
    pub(super) fn support(&self, direction: &Vec3) -> Vec3 {
        let round = match &self.kind {
            PolytopeKind::Cylinder(round) => round,
            PolytopeKind::Box(bars) => return self.vertices[bars.corners_along(direction)[1]],
            PolytopeKind::Corners => return self.vertices[self.farthest_vertex(direction)],
        };
        let along = round.axis.dot(direction);
        let across = direction - round.axis * along;
        let norm = across.norm();
        let end = self.center + round.half_axis * 1f64.copysign(along);
        if norm > 1e-14 * direction.norm() { end + across * (round.radius / norm) } else { end }
    }
}

/// A polytope in units of a length that suits the absolute tolerances of parry.
pub(super) struct Scaled<'a> {
    pub(super) polytope: &'a Polytope<'a>,
    /// [1/m]
    pub(super) scale: f64,
}

impl SupportMap for Scaled<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let point = self.polytope.support(&Vec3::new(direction.x, direction.y, direction.z)) * self.scale;
        Vector::new(point.x, point.y, point.z)
    }
}
