//! Contacts at faces that another body covers. Static bodies may lie flush next to each other. The seam between them must not act as an edge,
//! since a body that slides over it would collide with the side of the second one.
//!
//! A contact is along the normals of one or more faces of the static body. A face is covered if other static bodies contain all its points
//! near the contact. So the side of a tile next to another tile is covered. The foot of a wall on a floor is not, since the wall continues
//! above it.
//!
//! A contact is left out if the face whose normal is closest to its own is covered. It is also left out if another of its faces is covered,
//! and the first face continues in the surface of a body beyond that one. Next to a wall it does not continue: there a tilted box stands on
//! the edge of the floor.

use super::contact::{ContactPoint, Placed};
use super::inside::{ContainmentQuery, is_over};
use crate::math::{Aabb, Pose, Vec3, tangents};
use crate::shape::{Hull, Mesh, Shape};

/// The largest height difference of flush faces, over the size of the smaller body [-].
const FLUSH: f64 = 1e-5;
/// Points are tested at this height above a face, in units of the flush distance, since coplanar faces do not cover each other [-].
const FACE_OFFSET: f64 = 4.0;
/// The distance from a contact at which a face is tested, over the size of the smaller body [-].
const SIDE_OFFSET: f64 = 1e-3;
/// A contact is along the normal of a face above this cosine [-].
const ALONG: f64 = 1e-6;
/// A contact pushes a body through a face if it is against the normal of the face, with an angle below 60 degrees [-].
const THROUGH: f64 = 0.5;
/// Cosine above which two triangles lie in one plane [-].
const COPLANAR: f64 = 1.0 - 1e-9;
/// The most faces of a mesh that are tested at one contact.
const MAX_FACES: usize = 8;
/// The directions in which a face is tested, as multiples of two tangents.
const DIRECTIONS: [[f64; 2]; 8] =
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]];

/// Where a body touches another one.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// The point on the surface of the body, world axes [m].
    pub point: Vec3,
    /// The unit normal out of the body, world axes.
    pub outward: Vec3,
    /// A point in the other body, world axes [m].
    pub from: Vec3,
    /// The size of the smaller of the two bodies [m].
    pub size: f64,
}

/// Returns whether other bodies contain a point, or are within a distance of it [m].
pub type IsHeld<'a> = &'a dyn Fn(&ContainmentQuery, f64) -> bool;

impl ContactPoint {
    /// Returns where the contact touches its body a, or b.
    pub fn touch(&self, is_of_b: bool, from: &Vec3, size: f64) -> Touch {
        let sign = if is_of_b { -1.0 } else { 1.0 };
        let (outward, point) = (self.normal * sign, self.point - self.normal * (0.5 * sign * self.gap));
        Touch { point, outward, from: *from, size }
    }
}

/// Returns whether a contact of a body is left out because other bodies cover its face. Boxes, hulls and meshes have faces, also as parts
/// of clumps.
pub fn is_covered(own: Placed, part: u32, touch: &Touch, is_held: IsHeld) -> bool {
    let step = SIDE_OFFSET * touch.size;
    let near = ContainmentQuery { point: touch.point, from: touch.from, depth: 2.0 * step };
    if !is_held(&near, 2.0 * step) {
        return false;
    }
    let (shape, within) = own.shape.part(part);
    let pose = within.map_or(*own.pose, |within| within.within(own.pose));
    let (point, outward) = (pose.to_local(&touch.point), pose.matrix.tr_mul(&touch.outward));
    let site = LocalContact { pose: &pose, touch, is_held, point, outward };
    match shape {
        Shape::Cuboid(cuboid) => site.is_of_box(&cuboid.half_extents),
        Shape::Hull(hull) => site.is_of_hull(hull),
        Shape::Mesh(mesh) => site.is_of_mesh(mesh),
        _ => false,
    }
}

/// A contact in the axes of the body.
#[derive(Clone, Copy)]
struct LocalContact<'a> {
    pose: &'a Pose,
    touch: &'a Touch,
    is_held: IsHeld<'a>,
    point: Vec3,
    outward: Vec3,
}

impl LocalContact<'_> {
    fn flush(&self) -> f64 {
        FLUSH * self.touch.size
    }

    fn step(&self) -> f64 {
        SIDE_OFFSET * self.touch.size
    }

    fn is_of_box(&self, half: &Vec3) -> bool {
        let flush = self.flush();
        let faces = (0..3).filter_map(|axis| {
            let side = 1f64.copysign(self.outward[axis]);
            let is_face = self.outward[axis].abs() > ALONG && side * self.point[axis] >= half[axis] - flush;
            is_face.then_some(Vec3::ith(axis, side))
        });
        self.is_any_covered(faces, |_, point| (0..3).all(|axis| point[axis].abs() <= half[axis] + flush))
    }

    fn is_of_hull(&self, hull: &Hull) -> bool {
        let flush = self.flush();
        let faces = hull.normals.iter().enumerate().filter_map(|(face, normal)| {
            let corner = hull.points.get(*hull.face(face).first()? as usize)?;
            let is_face = self.outward.dot(normal) > ALONG && normal.dot(&(self.point - corner)).abs() <= flush;
            is_face.then_some(*normal)
        });
        self.is_any_covered(faces, |_, point| hull.holds(point, flush))
    }

    fn is_of_mesh(&self, mesh: &Mesh) -> bool {
        let flush = self.flush();
        let region = Aabb::around([self.point]).grown(self.step() + flush);
        let from = self.pose.to_local(&self.touch.from);
        let normal_of = |index: u32| {
            let [a, b, c] = mesh.triangle(index);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
            Some(normal * 1f64.copysign(normal.dot(&(from - a))))
        };
        let height = |index: u32, normal: &Vec3, point: &Vec3| normal.dot(&(point - mesh.triangle(index)[0]));
        let is_on = |index: u32, normal: &Vec3, point: &Vec3, slack: f64| {
            let corners = mesh.triangle(index);
            height(index, normal, point).abs() <= slack && is_over(&corners, &unsigned(&corners), point, slack)
        };
        let mut faces: [Option<(u32, Vec3)>; MAX_FACES] = [None; MAX_FACES];
        let (mut count, mut is_pushed_through) = (0, false);
        mesh.each_triangle_in(&region, |index| {
            let Some(normal) = normal_of(index) else { return };
            let along = self.outward.dot(&normal);
            if along < -ALONG {
                let is_here = || is_on(index, &normal, &self.point, self.step());
                is_pushed_through |= along < -THROUGH && is_here() && self.goes_on_somewhere(&normal);
                return;
            }
            let is_new = !faces[..count].iter().flatten().any(|(_, other)| other.dot(&normal) > COPLANAR);
            // Contacts of edges that nearly lie along each other are off the surface by so much.
            if is_new && count < MAX_FACES && is_on(index, &normal, &self.point, self.step()) {
                faces[count] = Some((index, normal));
                count += 1;
            }
        });
        if is_pushed_through {
            return true;
        }
        // The hierarchy lists triangles in its own order.
        faces[..count].sort_by_key(|face| face.map(|(index, _)| index));
        let normals = faces.into_iter().flatten().map(|(_, normal)| normal);
        let on_face = |normal: &Vec3, point: &Vec3| {
            let mut is_found = false;
            mesh.each_triangle_in(&region, |other| {
                let same = normal_of(other).filter(|other| other.dot(normal) > COPLANAR);
                is_found |= same.is_some_and(|same| is_on(other, &same, point, flush));
            });
            is_found
        };
        if self.is_any_covered(normals.clone().filter(|normal| self.outward.dot(normal) > ALONG), on_face) {
            return true;
        }
        // The normal may lean over the edge of the surface. Then the direction beyond the edge is tested.
        let aligned = faces
            .into_iter()
            .flatten()
            .reduce(|best, next| if self.outward.dot(&next.1) > self.outward.dot(&best.1) { next } else { best });
        aligned.is_some_and(|(index, normal)| {
            let on_face = Self { point: self.point - normal * height(index, &normal, &self.point), ..*self };
            let beyond = self.outward - normal * self.outward.dot(&normal);
            beyond.norm() > ALONG && on_face.goes_on(&normal, &beyond.normalize())
        })
    }

    /// Returns the normal of a face that is closest to that of the contact, the first one of several.
    fn most_aligned(&self, normals: impl Iterator<Item = Vec3>) -> Option<Vec3> {
        normals.reduce(|best, next| if self.outward.dot(&next) > self.outward.dot(&best) { next } else { best })
    }

    /// Returns whether faces with these normals are covered in such a way that the contact is left out.
    fn is_any_covered(
        &self,
        normals: impl Iterator<Item = Vec3> + Clone,
        on_face: impl Fn(&Vec3, &Vec3) -> bool,
    ) -> bool {
        let Some(first) = self.most_aligned(normals.clone()) else { return false };
        normals.into_iter().any(|normal| {
            self.is_face_covered(&normal, |point| on_face(&normal, point))
                && (normal == first || self.goes_on(&first, &normal))
        })
    }

    /// Returns whether the face with a normal continues in the surface of another body, in a direction beyond its edge.
    fn goes_on(&self, normal: &Vec3, beyond: &Vec3) -> bool {
        let flush = self.flush();
        let along = (beyond - normal * normal.dot(beyond)).try_normalize(0.0);
        along.is_some_and(|along| {
            let point = self.point + along * self.step();
            self.is_held(&point, flush) && !self.is_held(&(point + normal * (FACE_OFFSET * flush)), flush)
        })
    }

    /// Returns whether the face with a normal continues in the surface of another body in any direction. A contact there that pushes to the
    /// far side of the face is none: a thin part of the body has passed the seam.
    fn goes_on_somewhere(&self, normal: &Vec3) -> bool {
        let (t1, t2) = tangents(normal);
        DIRECTIONS.iter().any(|[along, across]| self.goes_on(normal, &(t1 * *along + t2 * *across)))
    }

    /// Returns whether other bodies contain all tested points near the contact that are on a face with this normal, body axes.
    fn is_face_covered(&self, normal: &Vec3, on_face: impl Fn(&Vec3) -> bool) -> bool {
        let (t1, t2) = tangents(normal);
        let mut is_any = false;
        for [along, across] in DIRECTIONS {
            let point = self.point + (t1 * along + t2 * across) * self.step();
            if on_face(&point) {
                is_any = true;
                if !self.is_held(&(point + normal * (FACE_OFFSET * self.flush())), self.flush()) {
                    return false;
                }
            }
        }
        is_any
    }

    /// Returns whether other bodies contain a point, body axes.
    fn is_held(&self, point: &Vec3, slack: f64) -> bool {
        let point = self.pose.matrix * point + self.pose.origin;
        (self.is_held)(&ContainmentQuery { point, from: self.touch.from, depth: 2.0 * self.step() }, slack)
    }
}

/// Returns the normal of a triangle by its winding.
fn unsigned([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::z)
}
