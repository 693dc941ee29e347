//! A triangle of a mesh near a shape: which contacts are its own, and which those of its neighbours.

use super::axis::{Axis, Face};
use super::contact::ContactPoint;
use super::polytope::Polytope;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Mesh, thin_side};

/// The cosine above which a normal at an edge counts as that of the face: 1.4e-6 rad [-].
pub(super) const FACE_ON: f64 = 1.0 - 1e-12;
/// The largest slope to the contact plane at which a neighbour counts as lying in it [-].
const RISE: f64 = 1e-6;
/// The sine of the angle to a neighbour from which on it counts as falling away behind it: 6 degrees [-].
const GENTLE: f64 = 0.1;
/// Cosine above which two triangles lie in one plane [-].
pub(super) const COPLANAR: f64 = 1.0 - 1e-12;
/// How far a point on a triangle may be from it by round-off, over the largest coordinate of the mesh [-].
const ON_SURFACE: f64 = 1e-12;
/// The edges of a triangle, each by the corners at its ends.
const EDGES: [[bool; 3]; 3] = [[true, true, false], [false, true, true], [true, false, true]];
const CORNERS: [[bool; 3]; 3] = [[true, false, false], [false, true, false], [false, false, true]];

/// A triangle of a mesh, in the axes of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet<'a> {
    mesh: &'a Mesh,
    /// From body axes to world axes.
    pose: &'a Pose,
    /// The origin of the pair's axes, world axes [m].
    pub(super) origin: Vec3,
    /// The index of the triangle in the mesh.
    pub(super) index: u32,
    /// [m]
    pub(super) corners: [Vec3; 3],
    /// The unit normal of one side; the other side has the opposite one.
    pub(super) normal: Vec3,
    is_thin: bool,
}

/// Returns how far a point on a mesh may be from it by round-off [m].
pub(super) fn round_off(mesh: &Mesh) -> f64 {
    ON_SURFACE * mesh.bounds.lower.amax().max(mesh.bounds.upper.amax())
}

/// Returns whether a direction rises above the plane with a unit normal.
fn is_rising(normal: &Vec3, direction: &Vec3) -> bool {
    normal.dot(direction) > RISE * direction.norm()
}

/// Returns the part of a vector that is perpendicular to another one.
fn across(along: &Vec3, arm: &Vec3) -> Vec3 {
    arm - along * (arm.dot(along) / along.norm_squared())
}

/// Returns whether one of the directions between two vectors rises above the plane with a unit normal. They may be nearly
/// opposite, at the middle corner of a sliver: then a direction across rises where both do not.
fn is_any_rising(normal: &Vec3, [one, other]: &[Vec3; 2]) -> bool {
    let is_wide = || one.dot(other) < 0.0;
    is_rising(normal, one) || is_rising(normal, other) || is_wide() && is_rising(normal, &across(one, other))
}

/// The triangle that owns a contact along some normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContactOwner {
    /// This triangle: its neighbours lie below the contact plane.
    This,
    /// A neighbour in the same plane, which rises above the contact plane: this is an inner edge of a flat part.
    FlatNeighbour,
    /// A neighbour in another plane, which rises above the contact plane.
    Neighbour,
}

impl<'a> Facet<'a> {
    /// Returns triangle `index` of a mesh at `pose`, with positions relative to `origin`.
    pub(super) fn new(mesh: &'a Mesh, pose: &'a Pose, origin: &Vec3, index: u32) -> Self {
        let offset = pose.origin - origin;
        let corners = mesh.triangle(index).map(|corner| offset + pose.matrix * corner);
        let is_thin = mesh.is_thin(index);
        let normal = unit_normal(&corners, is_thin);
        Self { mesh, pose, origin: *origin, index, corners, normal, is_thin }
    }

    /// Returns the triangle that owns a contact with this unit `normal`, which points out of this triangle. `touching`
    /// are the corners that are farthest in its direction.
    pub(super) fn owner(&self, normal: &Vec3, touching: [bool; 3]) -> ContactOwner {
        let mut owner = ContactOwner::This;
        for neighbour in self.rising(*normal, touching) {
            if neighbour.normal.dot(&self.normal).abs() < COPLANAR {
                return ContactOwner::Neighbour;
            }
            owner = ContactOwner::FlatNeighbour;
        }
        owner
    }

    /// Returns the neighbours at the `touching` corners that rise above the plane through them with this unit `normal`.
    pub(super) fn rising(&self, normal: Vec3, touching: [bool; 3]) -> impl Iterator<Item = Facet<'a>> {
        let (mesh, index) = (self.mesh, self.index);
        // In the axes of the mesh, so that few neighbours are turned.
        let normal = self.pose.matrix.transpose() * normal;
        let places = mesh.places(index);
        let touches = move |place: &u32| places.iter().zip(touching).any(|(own, is_own)| is_own && own == place);
        self.around_if(touching, move |neighbour| {
            let (corners, numbers) = (mesh.triangle(neighbour), mesh.places(neighbour));
            let Some(shared) = numbers.iter().position(touches) else { return false };
            // From a corner that touches, counterclockwise.
            let [from, next, last] = [0, 1, 2].map(|step| (shared + step) % 3);
            let arms = [corners[next] - corners[from], corners[last] - corners[from]];
            let [is_next, is_last] = [next, last].map(|corner| touches(&numbers[corner]));
            match (is_next, is_last) {
                (false, false) => is_any_rising(&normal, &arms),
                (true, false) => is_rising(&normal, &across(&arms[0], &arms[1])),
                (false, true) => is_rising(&normal, &across(&arms[1], &arms[0])),
                (true, true) => false,
            }
        })
    }

    /// Returns whether the mesh has thin triangles. Round-off may fold these over each other, and the slope of neighbours says little.
    pub(super) fn is_among_thin(&self) -> bool {
        self.mesh.has_thin()
    }

    /// Returns whether a neighbour is closer to a point than the edge or corner of this triangle that has the `touching` corners.
    pub(super) fn has_closer_neighbour(&self, point: &Vec3, touching: [bool; 3]) -> bool {
        let places = self.mesh.places(self.index);
        let touches = |place: &u32| places.iter().zip(touching).any(|(own, is_own)| is_own && own == place);
        self.around(touching).any(|neighbour| {
            let (_, part) = neighbour.closest_point(point);
            self.mesh.places(neighbour.index).iter().zip(part).any(|(place, is_on)| is_on && !touches(place))
        })
    }

    /// Returns whether a `place` on an edge of this triangle is on another one too, which comes closer to the point `to`. The two need not share
    /// a corner: round-off folds thin triangles of a flat surface over each other.
    pub(super) fn is_on_closer(&self, place: &Vec3, to: &Vec3) -> bool {
        let Self { mesh, pose, origin, index, .. } = *self;
        let slack = round_off(mesh);
        let local = pose.to_local(&(place + origin));
        let mut is_closer = false;
        mesh.each_triangle_in(&Aabb::around([local]).grown(slack), |other| {
            if is_closer || other == index {
                return;
            }
            let other = Facet::new(mesh, pose, &origin, other);
            let arm = other.closest_point(to).0 - place;
            let comes_closer = || (to - place).dot(&arm) > RISE * arm.norm() * (to - place).norm();
            is_closer = arm.norm() > slack && comes_closer() && (other.closest_point(place).0 - place).norm() <= slack;
        });
        is_closer
    }

    /// Returns the neighbours at the `touching` corners.
    fn around(&self, touching: [bool; 3]) -> impl Iterator<Item = Facet<'a>> {
        self.around_if(touching, |_| true)
    }

    /// Returns those that `takes` selects by their index. There is none if all three corners touch.
    fn around_if(&self, touching: [bool; 3], takes: impl Fn(u32) -> bool) -> impl Iterator<Item = Facet<'a>> {
        let Self { mesh, pose, origin, index, .. } = *self;
        let places = mesh.places(index);
        let first = touching.iter().position(|is_touching| *is_touching).filter(|_| touching != [true; 3]);
        let around = first.map_or(&[][..], |first| mesh.triangles_at(places[first]));
        let is_there = move |neighbour: u32| {
            let shared = mesh.places(neighbour);
            neighbour != index
                && places.iter().zip(touching).all(|(place, is_touching)| !is_touching || shared.contains(place))
        };
        let found = around.iter().copied().filter(move |neighbour| is_there(*neighbour) && takes(*neighbour));
        found.map(move |neighbour| Facet::new(mesh, pose, &origin, neighbour))
    }

    /// Returns whether each corner is among those farthest in a unit direction. A corner with a small slope to the farthest one
    /// counts as equally far. All three are so only along the normal: a sliver has two such edges otherwise.
    pub(super) fn touching(&self, direction: &Vec3) -> [bool; 3] {
        let reach = self.corners.map(|corner| direction.dot(&corner));
        let first = if reach[0] >= reach[1] && reach[0] >= reach[2] { 0 } else { 1 + usize::from(reach[2] > reach[1]) };
        let is_level = |at: usize| reach[first] - reach[at] <= RISE * (self.corners[at] - self.corners[first]).norm();
        let touching = [0, 1, 2].map(is_level);
        if touching != [true; 3] || direction.dot(&self.normal).abs() >= FACE_ON {
            return touching;
        }
        let lowest =
            if reach[0] <= reach[1] && reach[0] <= reach[2] { 0 } else { 1 + usize::from(reach[2] < reach[1]) };
        [0, 1, 2].map(|corner| corner != lowest)
    }

    /// Returns the neighbours that have the contact `points` along the `axis` of this triangle, which lies behind all of them.
    /// There are two kinds. Some rise at an edge on which all points lie. The others are those through which the shape
    /// reaches all points. They overlap it less than this triangle, or it touches them from the front and this triangle
    /// from behind. So a box can slide off a closed surface down its side.
    pub(super) fn owners(
        &self,
        shape: &Polytope,
        axis: &Axis,
        points: &[ContactPoint],
        slack: f64,
    ) -> impl Iterator<Item = u32> {
        let (normal, depth) = (axis.normal, shape.radius - axis.separation);
        let is_on = move |ends: &[bool; 3]| self.are_near(*ends, points, slack);
        let at_edges = EDGES.into_iter().filter(is_on).flat_map(move |ends| self.rising(normal, ends));
        let at_edges = at_edges.filter(move |other| self.lies_behind(other, shape));
        // Beside gentle slopes a push along one triangle is nearly that along the other.
        let places = self.mesh.places(self.index);
        let is_steep = move |corner: &[bool; 3]| {
            places.iter().zip(corner).any(|(place, is_own)| *is_own && self.mesh.is_steep_at(*place))
        };
        let steep = CORNERS.into_iter().filter(is_steep);
        let is_near = move |_: &[bool; 3]| {
            depth > 0.0 && EDGES.into_iter().any(|ends| self.are_near(ends, points, slack + depth / GENTLE))
        };
        let nearer = steep.clone().filter(is_near).flat_map(|corner| self.around(corner));
        let nearer = nearer.filter(move |other| self.is_behind(other, shape, (points, slack), depth));
        let has_front = self.normal.dot(&normal) > 0.0;
        let touched = steep.flat_map(move |corner| self.rising(normal, corner));
        let touched = touched.filter(move |other| {
            self.is_behind(other, shape, (points, slack), f64::INFINITY) && other.has_front_to(shape) != has_front
        });
        at_edges.chain(nearer).chain(touched).map(|neighbour| neighbour.index)
    }

    /// Returns whether this triangle is behind the plane of a neighbour. In a concave corner it is in front: then a shape
    /// there is held by both.
    fn lies_behind(&self, neighbour: &Facet, shape: &Polytope) -> bool {
        let Axis { normal, .. } = neighbour.nearer_side(shape, 0.0);
        let heights = self.corners.map(|corner| normal.dot(&(corner - neighbour.corners[0])));
        let [lowest, highest] = [f64::min, f64::max].map(|most| heights.into_iter().fold(heights[0], most));
        highest <= -lowest
    }

    /// Returns whether this triangle is behind the plane of a neighbour, and a shape reaches all points only because it
    /// overlaps that plane, by less than `depth`.
    fn is_behind(
        &self,
        neighbour: &Facet,
        shape: &Polytope,
        (points, slack): (&[ContactPoint], f64),
        depth: f64,
    ) -> bool {
        let Axis { normal, separation, .. } = neighbour.nearer_side(shape, 0.0);
        let height = |point: &Vec3| normal.dot(&(point - neighbour.corners[0]));
        let (below, heights) = (shape.radius - separation, self.corners.map(|corner| height(&corner)));
        let [lowest, highest] = [f64::min, f64::max].map(|most| heights.into_iter().fold(heights[0], most));
        let falls = highest <= -RISE * lowest && below < -lowest;
        let is_reached = |point: &ContactPoint| height(&self.own_point(point)) >= -below - slack;
        below > 0.0 && below < depth && falls && points.iter().all(is_reached)
    }

    /// Returns whether a point lies between the ends of an edge at which the neighbour is closer along the unit `normal`.
    pub(super) fn is_at_inner_edge(&self, normal: &Vec3, point: &ContactPoint, slack: f64) -> bool {
        let mut edges = self.edges_near(point, slack);
        let (Some(ends), None) = (edges.next(), edges.next()) else { return false };
        let [start, end, _] = self.ordered(ends);
        let along = end - start;
        // Across the edge: how far it rises itself says nothing about its neighbours.
        let across = normal - along * (normal.dot(&along) / along.norm_squared());
        self.rising(across, ends).next().is_some()
    }

    /// Returns whether a point is at a corner at which a neighbour is closer along the unit `normal`.
    pub(super) fn is_at_inner_corner(&self, normal: &Vec3, point: &ContactPoint, slack: f64) -> bool {
        let mut edges = self.edges_near(point, slack);
        let (Some(one), Some(other)) = (edges.next(), edges.next()) else { return false };
        self.rising(*normal, [0, 1, 2].map(|at| one[at] && other[at])).next().is_some()
    }

    /// Returns the edges near a point.
    fn edges_near(&self, point: &ContactPoint, slack: f64) -> impl Iterator<Item = [bool; 3]> {
        EDGES.into_iter().filter(move |ends| self.are_near(*ends, std::slice::from_ref(point), slack))
    }

    /// Returns whether all points are within `reach` [m], or the round-off, of the line through an edge.
    fn are_near(&self, ends: [bool; 3], points: &[ContactPoint], reach: f64) -> bool {
        let [start, end, _] = self.ordered(ends);
        let along = end - start;
        let distance = |point: &ContactPoint| (self.own_point(point) - start).cross(&along).norm();
        points.iter().all(|point| distance(point) <= reach.max(RISE * along.norm()) * along.norm())
    }

    /// Returns the place of a contact point on this triangle.
    pub(super) fn own_point(&self, point: &ContactPoint) -> Vec3 {
        point.point - self.origin - point.normal * (0.5 * point.gap)
    }

    /// Returns the ends of an edge, then the other corner.
    fn ordered(&self, ends: [bool; 3]) -> [Vec3; 3] {
        let other = ends.iter().position(|is_end| !is_end).unwrap_or(2);
        [1, 2, 0].map(|step| self.corners[(other + step) % 3])
    }

    /// Returns the axis of the side of this triangle, a, that separates a shape, b, more. The lower side must be better by
    /// `tolerance` [m].
    pub(super) fn nearer_side(&self, shape: &Polytope, tolerance: f64) -> Axis {
        let height = |normal: &Vec3| normal.dot(&(shape.support(&-normal) - self.corners[0]));
        let (up, down) = (height(&self.normal), height(&-self.normal));
        let lower = down > up + tolerance;
        let (face, normal, separation) = if lower { (1, -self.normal, down) } else { (0, self.normal, up) };
        Axis { normal, separation, face: Some(Face::OfA(face)), witness: None }
    }

    /// Returns how far a shape extends along the normal of this triangle [m].
    pub(super) fn extent(&self, shape: &Polytope) -> f64 {
        self.normal.dot(&(shape.support(&self.normal) - shape.support(&-self.normal))) + 2.0 * shape.radius
    }

    /// Returns whether the side of this triangle that separates a shape more is the front.
    pub(super) fn has_front_to(&self, shape: &Polytope) -> bool {
        self.nearer_side(shape, 0.0).normal.dot(&self.normal) > 0.0
    }

    /// Returns the point of the triangle that is closest to `point` (Ericson, Real-Time Collision Detection, 5.1.5).
    /// Also returns the corners of the vertex, edge or face on which it lies.
    pub(super) fn closest_point(&self, point: &Vec3) -> (Vec3, [bool; 3]) {
        if self.is_thin {
            return self.closest_if_thin(point);
        }
        let [a, b, c] = self.corners;
        let (ab, ac, ap, bp, cp) = (b - a, c - a, point - a, point - b, point - c);
        let (d1, d2, d3, d4) = (ab.dot(&ap), ac.dot(&ap), ab.dot(&bp), ac.dot(&bp));
        let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, [true, false, false]);
        }
        if d3 >= 0.0 && d4 <= d3 {
            return (b, [false, true, false]);
        }
        if d6 >= 0.0 && d5 <= d6 {
            return (c, [false, false, true]);
        }
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (a + ab * (d1 / (d1 - d3)), [true, true, false]);
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (a + ac * (d2 / (d2 - d6)), [true, false, true]);
        }
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), [false, true, true]);
        }
        (point - self.normal * self.normal.dot(&ap), [true; 3])
    }

    /// Does the same for a thin triangle, whose areas are lost in round-off. Heights over the edges tell which is closest.
    #[cold]
    fn closest_if_thin(&self, point: &Vec3) -> (Vec3, [bool; 3]) {
        let on_edges = EDGES.into_iter().filter_map(|ends| {
            let [start, end, _] = self.ordered(ends);
            let (along, arm) = (end - start, point - start);
            let is_outside = along.cross(&self.normal).dot(&arm) > 0.0;
            let fraction = along.dot(&arm) / along.norm_squared();
            let is_corner = |corner: &Vec3| self.corners.map(|own| own == *corner);
            let (place, part) = match fraction {
                ..=0.0 => (start, is_corner(&start)),
                1.0.. => (end, is_corner(&end)),
                _ => (start + along * fraction, ends),
            };
            is_outside.then_some((place, part))
        });
        let square = |place: &Vec3| (point - place).norm_squared();
        on_edges
            .reduce(|best, next| if square(&next.0) < square(&best.0) { next } else { best })
            .unwrap_or_else(|| (point - self.normal * self.normal.dot(&(point - self.corners[0])), [true; 3]))
    }
}

/// Returns the unit normal of a triangle, with all corners in its plane to round-off.
fn unit_normal([a, b, c]: &[Vec3; 3], is_thin: bool) -> Vec3 {
    let product = (b - a).cross(&(c - a));
    let product = if is_thin { across_thin(&[*a, *b, *c]).unwrap_or(product) } else { product };
    product.try_normalize(0.0).unwrap_or_else(Vec3::z)
}

/// Returns a normal of a thin triangle: across its longest side and its height over it. The product of two nearly parallel sides would be noise.
#[cold]
fn across_thin(corners: &[Vec3; 3]) -> Option<Vec3> {
    let [start, end, other] = thin_side(corners)?;
    let [near, far] = [other - start, other - end];
    let arm = if near.norm_squared() < far.norm_squared() { near } else { far };
    Some((end - start).cross(&across(&(end - start), &arm)))
}
