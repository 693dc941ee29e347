//! A convex shape in the axes of the pair: corners, faces as polygons, and what is round about it.
//!
//! Ball, capsule: a point or a segment, thickened by a radius. Cylinder: its two ends as octagons, and exact where only
//! the farthest point in a direction is needed. Corners and normals are turned into the axes of the pair where they are
//! needed: most of those of a hull never are.

use super::contact::Placed;
use crate::math::{Pose, Vec3};
use crate::shape::{Hull, Shape, listed};

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

/// Where no corner is known from which a search could start.
pub(super) const NO_HINT: u32 = u32::MAX;
/// How much better a later face has to face a direction, so that round-off does not choose [-].
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

    /// From the centre to the corner of a number.
    #[inline]
    pub(super) fn corner(&self, number: u32) -> Vec3 {
        let side = |axis: usize| if number >> axis & 1 == 1 { self.half[axis] } else { -self.half[axis] };
        side(0) + side(1) + side(2)
    }

    /// The numbers of the corners that are farthest against and along a direction, the first of those equally far.
    #[inline]
    pub(super) fn corners_along(&self, direction: &Vec3) -> [u32; 2] {
        let along = self.half.map(|half| half.dot(direction));
        let number = |bits: [bool; 3]| u32::from(bits[0]) | u32::from(bits[1]) << 1 | u32::from(bits[2]) << 2;
        [number(along.map(|along| along < 0.0)), number(along.map(|along| along > 0.0))]
    }
}

/// Which of the shapes it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum PolytopeKind<'a> {
    /// The centre of a ball.
    Point,
    /// The axis of a capsule: from its middle to its upper end [m].
    Segment(Vec3),
    /// With parallel edges in three directions.
    Box(Bars),
    /// With a curved side.
    Cylinder(Round),
    /// With corners and faces in its own axes.
    Hull(&'a Hull),
    /// With two faces: its corners [m], and the normals of both.
    Triangle(&'a [Vec3; 3], &'a [Vec3; 2]),
}

/// A convex shape in the axes of the pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polytope<'a> {
    pub(super) kind: PolytopeKind<'a>,
    /// The axes of the shape.
    pub(super) axes: [Vec3; 3],
    /// Where they start [m].
    start: Vec3,
    /// A point inside [m].
    pub(super) center: Vec3,
    /// No point is farther from the centre, about [m].
    pub(super) size: f64,
    /// What the shape is thickened by [m].
    pub(super) radius: f64,
}

impl<'a> Polytope<'a> {
    /// The shape with its places counted from `origin`; `None` for what is not convex and bounded.
    // Inlined: on its way out it would be copied twice.
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

    /// A triangle with two faces, its corners counted from where the pair's axes start.
    pub(super) fn of_triangle(corners: &'a [Vec3; 3], normals: &'a [Vec3; 2]) -> Self {
        let center = corners.iter().sum::<Vec3>() / 3.0;
        let size = corners.iter().map(|corner| (corner - center).norm()).fold(0.0, f64::max);
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        Self { kind: PolytopeKind::Triangle(corners, normals), axes, start: center, center, size, radius: 0.0 }
    }

    /// A direction in the axes of the shape.
    #[inline]
    fn own(&self, direction: &Vec3) -> Vec3 {
        Vec3::new(self.axes[0].dot(direction), self.axes[1].dot(direction), self.axes[2].dot(direction))
    }

    /// A vector given in the axes of the shape.
    #[inline]
    fn turned(&self, own: &Vec3) -> Vec3 {
        self.axes[0] * own.x + self.axes[1] * own.y + self.axes[2] * own.z
    }

    /// How many corners it has; a cylinder those of its octagons.
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

    /// How many faces it has; a cylinder its two ends.
    pub(super) fn face_count(&self) -> usize {
        match self.kind {
            PolytopeKind::Point | PolytopeKind::Segment(_) => 0,
            PolytopeKind::Triangle(..) | PolytopeKind::Cylinder(_) => 2,
            PolytopeKind::Box(_) => 6,
            PolytopeKind::Hull(hull) => hull.normals.len(),
        }
    }

    /// The outward unit normal of a face.
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

    /// The corners of a face, counterclockwise as seen from outside.
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

    /// The outward normal of the side plane behind a corner of a face, where another face lies in it.
    #[inline]
    pub(super) fn side_normal(&self, face: usize, index: usize) -> Option<Vec3> {
        let PolytopeKind::Box(_) = &self.kind else { return None };
        let side = BOX_SIDES.get(*BOX_STARTS.get(face)? as usize + index)?;
        Some(self.normal(*side as usize))
    }

    /// The first corner of a face, of which every one has some [m].
    #[inline]
    pub(super) fn first_corner(&self, face: usize) -> Vec3 {
        self.face(face).first().map_or(self.center, |corner| self.corner(*corner))
    }

    /// The corner of this number [m].
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

    /// A farthest point in a direction, of any length but 0, without the radius, and the number of its corner [m]. On a
    /// cylinder that number says on which rim it is: 0 on the upper one, 1 on the lower one. A large hull is searched from
    /// the corner `hint` on, if it has that.
    #[inline]
    pub(super) fn spot(&self, direction: &Vec3, hint: u32) -> (Vec3, u32) {
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
                // In the axes of the shape, so that what is added to an end is across the axis to the last digit.
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

    /// A farthest point in a direction, of any length but 0, without the radius [m].
    #[inline]
    pub(super) fn support(&self, direction: &Vec3) -> Vec3 {
        self.spot(direction, NO_HINT).0
    }

    /// The face whose normal is closest to a unit direction, and the cosine between the two; the first of those equally
    /// close. Of a hull the search starts around the corner `near`, and stays there unless it `roams`.
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
