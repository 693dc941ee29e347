//! A convex shape in the axes of the pair: its corners, its faces as polygons, and its radius.
//!
//! A ball is a point with a radius, and a capsule a segment with a radius. The faces of a cylinder are octagons, but its
//! farthest point in a direction is exact. Corners and normals are rotated into the axes of the pair only where they are
//! needed. Most of those of a hull are not.

use super::contact::Placed;
use super::inside::is_over;
use crate::math::{Pose, Vec3};
use crate::shape::{Hull, Shape, listed};

/// The corners of the faces of a box. Bit 0 of the number of a corner is set at +x, bit 1 at +y, bit 2 at +z.
const BOX_CORNERS: [u32; 24] = [1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1];
/// For each of these corners the other face at the edge to the next corner.
const BOX_SIDES: [u32; 24] = [5, 2, 4, 3, 3, 4, 2, 5, 1, 4, 0, 5, 5, 0, 4, 1, 3, 0, 2, 1, 1, 2, 0, 3];
const BOX_STARTS: [u32; 7] = [0, 4, 8, 12, 16, 20, 24];
/// The corners of the ends of a cylinder: 0 to 7 on the rim of the upper end, 8 to 15 below them on the lower end.
const END_CORNERS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8];
const END_STARTS: [u32; 3] = [0, 8, 16];
const TRIANGLE_CORNERS: [u32; 6] = [0, 1, 2, 2, 1, 0];
const TRIANGLE_STARTS: [u32; 3] = [0, 3, 6];

/// In place of a corner from which a search starts: there is none.
pub(super) const NO_HINT: u32 = u32::MAX;
/// A later face must face a direction by this much more than an earlier one, so that round-off does not choose [-].
const SUPPORT_MARGIN: f64 = 1e-12;

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
    /// The vector from the centre to the middle of the upper end [m].
    pub(super) half_axis: Vec3,
    /// The unit vector along it.
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
    /// The directions times half of the lengths [m].
    pub(super) half: [Vec3; 3],
}

impl Bars {
    pub(super) fn new(axes: [Vec3; 3], lengths: &Vec3) -> Self {
        Self { axes, lengths: *lengths, half: [axes[0] * lengths.x, axes[1] * lengths.y, axes[2] * lengths.z] }
    }

    /// Returns the vector from the centre to a corner [m].
    #[inline]
    pub(super) fn corner(&self, number: u32) -> Vec3 {
        let side = |axis: usize| if number >> axis & 1 == 1 { self.half[axis] } else { -self.half[axis] };
        side(0) + side(1) + side(2)
    }

    /// Returns the corners that are farthest against a direction and along it, the first one of several.
    #[inline]
    pub(super) fn corners_along(&self, direction: &Vec3) -> [u32; 2] {
        let along = self.half.map(|half| half.dot(direction));
        let number = |bits: [bool; 3]| u32::from(bits[0]) | u32::from(bits[1]) << 1 | u32::from(bits[2]) << 2;
        [number(along.map(|along| along < 0.0)), number(along.map(|along| along > 0.0))]
    }
}

/// The kind of the shape.
#[derive(Debug, Clone, Copy)]
pub(super) enum PolytopeKind<'a> {
    /// The centre of a ball.
    Point,
    /// The axis of a capsule: the vector from its centre to its upper end [m].
    Segment(Vec3),
    /// A box: its edges are parallel to three directions.
    Box(Bars),
    /// A cylinder.
    Cylinder(Round),
    /// A hull, with corners and faces in its own axes.
    Hull(&'a Hull),
    /// A triangle with two faces: its corners [m], and the normals of both faces.
    Triangle(&'a [Vec3; 3], &'a [Vec3; 2]),
}

/// A convex shape in the axes of the pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polytope<'a> {
    pub(super) kind: PolytopeKind<'a>,
    /// The axes of the shape.
    pub(super) axes: [Vec3; 3],
    /// The origin of these axes [m].
    start: Vec3,
    /// A point inside [m].
    pub(super) center: Vec3,
    /// About the largest distance of a point of the shape from the centre [m].
    pub(super) size: f64,
    /// The radius about the corners and edges: that of a ball or capsule, otherwise 0 [m].
    pub(super) radius: f64,
}

impl<'a> Polytope<'a> {
    /// Returns the shape with positions relative to `origin`; `None` if it is not convex and bounded.
    // Inlined, since the result would be copied twice otherwise.
    #[inline(always)]
    pub(super) fn new(placed: Placed<'a>, origin: &Vec3) -> Option<Self> {
        let Pose { matrix, .. } = placed.pose;
        let start = placed.pose.origin - origin;
        let axes: [Vec3; 3] = std::array::from_fn(|axis| matrix.column(axis).into_owned());
        let (mut center, mut size, mut radius) = (start, placed.shape.bounding_radius(), 0.0);
        let kind = match placed.shape {
            Shape::Sphere(sphere) => {
                radius = sphere.radius;
                PolytopeKind::Point
            }
            Shape::Capsule(capsule) => {
                radius = capsule.radius;
                match axes[2] * capsule.half_height {
                    end if capsule.half_height > 0.0 => PolytopeKind::Segment(end),
                    _ => PolytopeKind::Point,
                }
            }
            Shape::Cuboid(cuboid) => PolytopeKind::Box(Bars::new(axes, &cuboid.half_extents)),
            Shape::Cylinder(cylinder) => PolytopeKind::Cylinder(Round {
                half_axis: axes[2] * cylinder.half_height,
                axis: axes[2],
                radius: cylinder.radius,
            }),
            Shape::Hull(hull) => {
                center = start + matrix * hull.graph.center;
                size = hull.graph.size;
                PolytopeKind::Hull(hull)
            }
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Clump(_) | Shape::Curve(_) => return None,
        };
        Some(Self { kind, axes, start, center, size, radius })
    }

    /// Returns a triangle with two faces. Its corners are relative to the origin of the pair's axes.
    pub(super) fn of_triangle(corners: &'a [Vec3; 3], normals: &'a [Vec3; 2]) -> Self {
        let center = corners.iter().sum::<Vec3>() / 3.0;
        let size = corners.iter().map(|corner| (corner - center).norm()).fold(0.0, f64::max);
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        Self { kind: PolytopeKind::Triangle(corners, normals), axes, start: center, center, size, radius: 0.0 }
    }

    /// Returns a direction in the axes of the shape.
    #[inline]
    fn own(&self, direction: &Vec3) -> Vec3 {
        Vec3::new(self.axes[0].dot(direction), self.axes[1].dot(direction), self.axes[2].dot(direction))
    }

    /// Returns a vector that is given in the axes of the shape in those of the pair.
    #[inline]
    fn turned(&self, own: &Vec3) -> Vec3 {
        self.axes[0] * own.x + self.axes[1] * own.y + self.axes[2] * own.z
    }

    /// Returns the number of corners. Those of a cylinder are the corners of its octagons.
    pub(super) fn corner_count(&self) -> usize {
        match self.kind {
            PolytopeKind::Point => 1,
            PolytopeKind::Segment(_) => 2,
            PolytopeKind::Triangle(..) => 3,
            PolytopeKind::Box(_) => 8,
            PolytopeKind::Cylinder(_) => 16,
            PolytopeKind::Hull(hull) => hull.points.len(),
        }
    }

    /// Returns whether a shape without a radius contains a point, or is within `tolerance` [m] of it. False without faces.
    pub(super) fn contains(&self, point: &Vec3, tolerance: f64) -> bool {
        if let PolytopeKind::Cylinder(round) = self.kind {
            let arm = point - self.center;
            let along = round.axis.dot(&arm);
            let across = (arm - round.axis * along).norm();
            return along.abs() <= round.half_axis.norm() + tolerance && across <= round.radius + tolerance;
        }
        if let PolytopeKind::Triangle(corners, [normal, _]) = self.kind
            && !is_over(corners, normal, point, tolerance)
        {
            return false;
        }
        let below = |face: usize| self.normal(face).dot(&(point - self.first_corner(face))) <= tolerance;
        self.radius == 0.0 && self.face_count() > 0 && (0..self.face_count()).all(below)
    }

    /// Replaces the ends of the axis of a capsule.
    pub(super) fn set_ends(&mut self, [upper, lower]: [Vec3; 2]) {
        self.center = (upper + lower) * 0.5;
        self.kind = if upper == lower { PolytopeKind::Point } else { PolytopeKind::Segment((upper - lower) * 0.5) };
    }

    /// Returns the number of faces. Those of a cylinder are its two ends.
    pub(super) fn face_count(&self) -> usize {
        match self.kind {
            PolytopeKind::Point | PolytopeKind::Segment(_) => 0,
            PolytopeKind::Triangle(..) | PolytopeKind::Cylinder(_) => 2,
            PolytopeKind::Box(_) => 6,
            PolytopeKind::Hull(hull) => hull.normals.len(),
        }
    }

    /// Returns the outward unit normal of a face.
    #[inline]
    pub(super) fn normal(&self, face: usize) -> Vec3 {
        let signed = |axis: Vec3| if face & 1 == 0 { axis } else { -axis };
        match &self.kind {
            PolytopeKind::Box(bars) => signed(bars.axes[face / 2 % 3]),
            PolytopeKind::Cylinder(round) => signed(round.axis),
            PolytopeKind::Triangle(_, normals) => normals[face & 1],
            PolytopeKind::Hull(hull) => self.turned(&hull.normals[face]),
            PolytopeKind::Point | PolytopeKind::Segment(_) => Vec3::zeros(),
        }
    }

    /// Returns the corners of a face, counterclockwise as seen from outside.
    #[inline]
    pub(super) fn face(&self, face: usize) -> &'a [u32] {
        match &self.kind {
            PolytopeKind::Box(_) => listed(&BOX_STARTS, &BOX_CORNERS, face),
            PolytopeKind::Cylinder(_) => listed(&END_STARTS, &END_CORNERS, face),
            PolytopeKind::Triangle(..) => listed(&TRIANGLE_STARTS, &TRIANGLE_CORNERS, face),
            PolytopeKind::Hull(hull) => listed(&hull.starts, &hull.corners, face),
            PolytopeKind::Point | PolytopeKind::Segment(_) => &[],
        }
    }

    /// Returns the outward normal of the side plane at the edge that begins at corner `index` of a face, if another face lies in that
    /// plane.
    #[inline]
    pub(super) fn side_normal(&self, face: usize, index: usize) -> Option<Vec3> {
        let PolytopeKind::Box(_) = &self.kind else { return None };
        let side = BOX_SIDES.get(*BOX_STARTS.get(face)? as usize + index)?;
        Some(self.normal(*side as usize))
    }

    /// Returns the first corner of a face. Every face has corners [m].
    #[inline]
    pub(super) fn first_corner(&self, face: usize) -> Vec3 {
        self.face(face).first().map_or(self.center, |corner| self.corner(*corner))
    }

    /// Returns the corner of this number [m].
    #[inline]
    pub(super) fn corner(&self, index: u32) -> Vec3 {
        match &self.kind {
            PolytopeKind::Point => self.center,
            PolytopeKind::Segment(half) => {
                if index == 0 {
                    self.center - half
                } else {
                    self.center + half
                }
            }
            PolytopeKind::Triangle(corners, _) => corners[index as usize % 3],
            PolytopeKind::Box(bars) => self.center + bars.corner(index),
            PolytopeKind::Hull(hull) => self.start + self.turned(&hull.points[index as usize]),
            PolytopeKind::Cylinder(round) => {
                let (cosine, sine) = OCTAGON[index as usize % 8];
                let end = if index < 8 { self.center + round.half_axis } else { self.center - round.half_axis };
                end + (self.axes[0] * cosine + self.axes[1] * sine) * round.radius
            }
        }
    }

    /// Returns a farthest point in a direction, without the radius [m], and the number of its corner. The direction may have any
    /// length other than 0. On a cylinder the number is that of the rim: 0 for the upper one, 1 for the lower one. The search on
    /// a large hull starts at the corner `hint`, if it exists.
    #[inline]
    pub(super) fn support_corner(&self, direction: &Vec3, hint: u32) -> (Vec3, u32) {
        match &self.kind {
            PolytopeKind::Point => (self.center, 0),
            PolytopeKind::Segment(half) => {
                let upper = half.dot(direction) > 0.0;
                (if upper { self.center + half } else { self.center - half }, u32::from(upper))
            }
            PolytopeKind::Triangle(corners, _) => {
                let reach = corners.map(|corner| direction.dot(&corner));
                let first = if reach[1] > reach[0] { 1 } else { 0 };
                let farthest = if reach[2] > reach[first] { 2 } else { first };
                (corners[farthest], farthest as u32)
            }
            PolytopeKind::Box(bars) => {
                let number = bars.corners_along(direction)[1];
                (self.center + bars.corner(number), number)
            }
            PolytopeKind::Hull(hull) => {
                let own = self.own(direction);
                let graph = &hull.graph;
                let corner = if graph.is_small() {
                    graph.scanned(&own)
                } else {
                    let hint = if (hint as usize) < hull.points.len() { hint } else { graph.start(&own) };
                    graph.climbed(hull.outline(), &own, hint)
                };
                (self.corner(corner), corner)
            }
            PolytopeKind::Cylinder(round) => {
                // Computed in the axes of the shape, so that the arm is exactly perpendicular to the axis.
                let own = self.own(direction);
                let across = (own.x * own.x + own.y * own.y).sqrt();
                let (end, rim) =
                    if own.z >= 0.0 { (self.center + round.half_axis, 0) } else { (self.center - round.half_axis, 1) };
                if across > 0.0 {
                    let arm = self.axes[0] * (own.x / across) + self.axes[1] * (own.y / across);
                    (end + arm * round.radius, rim)
                } else {
                    (end, rim)
                }
            }
        }
    }

    /// Calls `found` with the corner at the other end of each edge from a corner.
    #[inline]
    pub(super) fn each_joined(&self, corner: u32, mut found: impl FnMut(u32)) {
        match &self.kind {
            PolytopeKind::Point | PolytopeKind::Cylinder(_) => {}
            PolytopeKind::Segment(_) => found(1 - corner.min(1)),
            PolytopeKind::Triangle(..) => [(corner + 1) % 3, (corner + 2) % 3].into_iter().for_each(found),
            PolytopeKind::Box(_) => [1, 2, 4].into_iter().for_each(|bit| found(corner ^ bit)),
            PolytopeKind::Hull(hull) => hull.graph.joined(corner).iter().for_each(|next| found(*next)),
        }
    }

    /// Returns a farthest point in a direction, without the radius [m]. The direction may have any length other than 0.
    #[inline]
    pub(super) fn support(&self, direction: &Vec3) -> Vec3 {
        self.support_corner(direction, NO_HINT).0
    }

    /// Returns the face whose normal is closest to a unit direction, the first one of several, and the cosine between the two. The
    /// search on a hull starts at the faces around the corner `near`. It goes on to other faces only if it `roams`.
    pub(super) fn facing_face(&self, direction: &Vec3, near: u32, roams: bool) -> Option<(usize, f64)> {
        match &self.kind {
            PolytopeKind::Point | PolytopeKind::Segment(_) => None,
            PolytopeKind::Cylinder(_) | PolytopeKind::Triangle(..) => {
                let along = self.normal(0).dot(direction);
                Some(if along >= 0.0 { (0, along) } else { (1, -along) })
            }
            PolytopeKind::Box(bars) => {
                let along = bars.axes.map(|axis| axis.dot(direction));
                let mut best = 0;
                for axis in 1..3 {
                    if along[axis].abs() > along[best].abs() + SUPPORT_MARGIN {
                        best = axis;
                    }
                }
                Some((2 * best + usize::from(along[best] < 0.0), along[best].abs()))
            }
            PolytopeKind::Hull(hull) => {
                let own = self.own(direction);
                let facing = |face: u32| hull.normals[face as usize].dot(&own);
                let mut best: Option<(u32, f64)> = None;
                let mut offer = |faces: &[u32]| {
                    let mut is_better = false;
                    for face in faces {
                        let along = facing(*face);
                        let replaces = |best: (u32, f64)| {
                            along > best.1 + SUPPORT_MARGIN || along >= best.1 - SUPPORT_MARGIN && *face < best.0
                        };
                        if best.is_none_or(replaces) {
                            is_better |= best.is_none_or(|best| along > best.1 + SUPPORT_MARGIN);
                            best = Some((*face, along));
                        }
                    }
                    is_better.then_some(best).flatten()
                };
                let mut found = offer(hull.graph.around(near)).filter(|_| roams);
                while let Some((face, _)) = found {
                    found = None;
                    for corner in self.face(face as usize).iter().filter(|corner| **corner != near) {
                        found = offer(hull.graph.around(*corner)).or(found);
                    }
                }
                best.map(|(face, along)| (face as usize, along))
            }
        }
    }
}
