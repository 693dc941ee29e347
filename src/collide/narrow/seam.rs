//! Contacts at surfaces that another body covers: where bodies that do not move lie flush beside each other, the seam between them is no
//! edge. What slides over it would run into the side of the second one.
//!
//! A contact is along the normals of one or more faces of the body. A face is covered if other bodies hold all its points beside the contact.
//! So the side of a tile beside another tile is covered, and the foot of a wall on a floor is not, as the wall goes on above it.
//!
//! A contact is left out if the face that it is most along is covered. It is also left out if another of its faces is covered, and the
//! first face goes on in the surface of a body behind that one. Next to a wall it does not go on: there a tilted box stands on the edge
//! of the floor.

use super::contact::{ContactPoint, Placed};
use super::inside::{Seen, is_over};
use crate::math::{Aabb, Pose, Vec3, tangents};
use crate::shape::{Hull, Mesh, Shape};

/// Faces are flush within this, in units of the smaller body [-].
const FLUSH: f64 = 1e-5;
/// How far above a face its points are looked for in other bodies, in units of what is flush: two coplanar faces do not cover each other [-].
const FACE_OFFSET: f64 = 4.0;
/// How far beside a contact a face is to be exposed, in units of the smaller body [-].
const SIDE_OFFSET: f64 = 1e-3;
/// A contact is along the normal of a face above this cosine [-].
const ALONG: f64 = 1e-6;
/// Cosine above which two triangles lie in one plane [-].
const COPLANAR: f64 = 1.0 - 1e-9;
/// Of the faces of a mesh at one contact so many are looked at.
const MAX_FACES: usize = 8;
/// Directions in which a face is looked at, as multiples of two tangents.
const DIRECTIONS: [[f64; 2]; 8] =
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]];

/// Where a body touches another one.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// On the surface of the body, world axes [m].
    pub point: Vec3,
    /// Unit, out of the body, world axes.
    pub outward: Vec3,
    /// A place in the other body, world axes [m].
    pub from: Vec3,
    /// Of the smaller of the two bodies [m].
    pub size: f64,
}

/// Says whether other bodies hold a point, or are within so many metres of it.
pub type IsHeld<'a> = &'a dyn Fn(&Seen, f64) -> bool;

impl ContactPoint {
    /// Returns where the contact touches its body a, or b.
    pub fn touch(&self, is_of_b: bool, from: &Vec3, size: f64) -> Touch {
        let sign = if is_of_b { -1.0 } else { 1.0 };
        let (outward, point) = (self.normal * sign, self.point - self.normal * (0.5 * sign * self.gap));
        Touch { point, outward, from: *from, size }
    }
}

/// Returns whether a contact of a body is at a face that other bodies cover. Faces are those of boxes, hulls and meshes, and of such parts of clumps.
pub fn is_covered(own: Placed, part: u32, touch: &Touch, is_held: IsHeld) -> bool {
    let step = SIDE_OFFSET * touch.size;
    let near = Seen { point: touch.point, from: touch.from, depth: 2.0 * step };
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
        let region = Aabb { lower: self.point, upper: self.point }.grown(self.step() + flush);
        let from = self.pose.to_local(&self.touch.from);
        let normal_of = |index: u32| {
            let [a, b, c] = mesh.triangle(index);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
            Some(normal * 1f64.copysign(normal.dot(&(from - a))))
        };
        let is_on = |index: u32, normal: &Vec3, point: &Vec3| {
            let corners = mesh.triangle(index);
            normal.dot(&(point - corners[0])).abs() <= flush && is_over(&corners, &unsigned(&corners), point, flush)
        };
        let mut faces: [Option<(u32, Vec3)>; MAX_FACES] = [None; MAX_FACES];
        let mut count = 0;
        mesh.each_triangle_in(&region, |index| {
            let Some(normal) = normal_of(index).filter(|normal| self.outward.dot(normal) >= -ALONG) else { return };
            let is_new = !faces[..count].iter().flatten().any(|(_, other)| other.dot(&normal) > COPLANAR);
            if is_new && count < MAX_FACES && is_on(index, &normal, &self.point) {
                faces[count] = Some((index, normal));
                count += 1;
            }
        });
        // The hierarchy names triangles in an order of its own.
        faces[..count].sort_by_key(|face| face.map(|(index, _)| index));
        let normals = faces.into_iter().flatten().map(|(_, normal)| normal);
        let on_face = |normal: &Vec3, point: &Vec3| {
            let mut is_found = false;
            mesh.each_triangle_in(&region, |other| {
                let same = normal_of(other).filter(|other| other.dot(normal) > COPLANAR);
                is_found |= same.is_some_and(|same| is_on(other, &same, point));
            });
            is_found
        };
        if self.is_any_covered(normals.clone().filter(|normal| self.outward.dot(normal) > ALONG), on_face) {
            return true;
        }
        // A normal that leans over the end of the surface, at most down to its plane.
        self.most_aligned(normals).is_some_and(|normal| {
            let beyond = self.outward - normal * self.outward.dot(&normal);
            beyond.norm() > ALONG && self.goes_on(&normal, &beyond.normalize())
        })
    }

    /// Of the normals of faces the one that the contact is most along, of equal ones the first.
    fn most_aligned(&self, normals: impl Iterator<Item = Vec3>) -> Option<Vec3> {
        normals.reduce(|best, next| if self.outward.dot(&next) > self.outward.dot(&best) { next } else { best })
    }

    /// Whether faces with these normals are covered in such a way that the contact is left out.
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

    /// Whether the face with a normal goes on in the surface of another body, in a direction beyond its edge.
    fn goes_on(&self, normal: &Vec3, beyond: &Vec3) -> bool {
        let flush = self.flush();
        let along = (beyond - normal * normal.dot(beyond)).try_normalize(0.0);
        along.is_some_and(|along| {
            let point = self.point + along * self.step();
            self.is_held(&point, flush) && !self.is_held(&(point + normal * (FACE_OFFSET * flush)), flush)
        })
    }

    /// Whether other bodies hold all points beside the contact that are on a face with this normal, body axes.
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

    /// Whether other bodies hold a point in body axes.
    fn is_held(&self, point: &Vec3, slack: f64) -> bool {
        let point = self.pose.matrix * point + self.pose.origin;
        (self.is_held)(&Seen { point, from: self.touch.from, depth: 2.0 * self.step() }, slack)
    }
}

/// The normal of a triangle by its winding.
fn unsigned([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::z)
}
