//! Volume and moments of a ball within a convex polyhedron, in closed form.
//!
//! By the divergence theorem the integral of a homogeneous polynomial of degree k over the solid is `1 / (3 + k)` times
//! a sum over its surface. A plane at the distance d from the centre adds d times the integral over the disc within the
//! face. The ball of radius 1 adds the integral over the part of the sphere within the polyhedron. Polynomials of
//! degree 1 and 2 on the sphere are eigenfunctions of its Laplacian. Their integrals are therefore integrals along the
//! arcs that bound this part. Its area is the sum, with signs, of the directions in which each face is beyond the disc.
//!
//! Each face is a sum, with signs, of the triangles between the foot of the centre and its sides. What a triangle adds
//! is a continuous function of its corners, also where a corner, a side or the face itself touches the sphere or the
//! centre. So parts that are aligned need no rules of their own.

use super::moments::Moments;
use super::polyhedron::{PolyFace, Polyhedron};
use crate::error::{Result, collected};
use crate::math::elementary::{atan2, hypot, sin_cos};
use crate::math::{Mat3, Vec3};

/// A line of which no more than twice this is in the ball passes it by: what it would cut off is below 1e-20 of the ball [-].
const GRAZING: f64 = 1e-7;
/// An arc as short as this is none [-].
const SHORT: f64 = 1e-14;
/// Names in error messages: what the memory was for.
const CORNERS: &str = "corners of a clump's pieces";

/// The integrals over the sphere within the polyhedron, summed up face by face.
struct SphereSum {
    area: f64,
    /// Along its boundary, of the outward direction across the arc.
    across: Vec3,
    /// Along its boundary, of the symmetric product of that direction and the place.
    products: Mat3,
}

/// The moments of what is in the ball and in the polyhedron, counted from the origin.
pub(super) fn ball_within(center: &Vec3, radius: f64, polyhedron: &Polyhedron) -> Result<Moments> {
    let points = collected(polyhedron.points.iter().map(|point| (point - center) / radius), CORNERS)?;
    let mut sum = Moments::zero();
    let mut sphere = SphereSum { area: 0.0, across: Vec3::zeros(), products: Mat3::zeros() };
    for face in &polyhedron.faces {
        let distance = (face.offset - face.normal.dot(center)) / radius;
        FaceSum::new(&points, face, distance).add_to(&mut sum, &mut sphere);
    }
    sum.volume += sphere.area / 3.0;
    sum.first -= sphere.across / 8.0;
    sum.second += (Mat3::identity() * (sphere.area / 3.0) - sphere.products / 6.0) / 5.0;
    Ok(sum.moved(radius, center))
}

/// The fractions between which the edge between two points is inside the unit ball.
fn crossings([a, b]: [Vec3; 2]) -> Option<[f64; 2]> {
    let along = b - a;
    let (square, slope) = (along.norm_squared(), a.dot(&along));
    let root = (slope * slope - square * (a.norm_squared() - 1.0)).max(0.0).sqrt();
    if root <= GRAZING * square.sqrt() {
        return None;
    }
    let [enters, leaves] = [-slope - root, -slope + root].map(|place| (place / square).clamp(0.0, 1.0));
    (enters < leaves).then_some([enters, leaves])
}

/// The integrals over the disc within one face, about the foot of the centre; and of its arcs.
struct FaceSum {
    normal: Vec3,
    distance: f64,
    area: f64,
    first: Vec3,
    second: Mat3,
    /// The solid angle in which the face is beyond the disc, below 0 for a face that is seen from behind.
    beyond: f64,
    /// The sum of the angles of the arcs.
    angle: f64,
    /// The integral of the direction from the foot over them.
    along: Vec3,
    /// And of its product with itself.
    squares: Mat3,
}

impl FaceSum {
    fn new(points: &[Vec3], face: &PolyFace, distance: f64) -> Self {
        let (first, second) = (Vec3::zeros(), Mat3::zeros());
        let (normal, along, squares) = (face.normal, first, second);
        let mut sum = Self { normal, distance, area: 0.0, first, second, beyond: 0.0, angle: 0.0, along, squares };
        let following = face.corners.iter().skip(1).chain(face.corners.first());
        for (a, b) in face.corners.iter().zip(following) {
            sum.add_side(points, *a, *b);
        }
        sum
    }

    /// The square of the radius of the disc.
    fn square(&self) -> f64 {
        (1.0 - self.distance * self.distance).max(0.0)
    }

    /// Adds the triangle from the foot to a side. Both faces of an edge divide it at the same points.
    fn add_side(&mut self, points: &[Vec3], a: u32, b: u32) {
        let [low, high] = [a.min(b), a.max(b)].map(|corner| points[corner as usize]);
        let place = |fraction: f64| {
            let point = low + (high - low) * fraction;
            point - self.normal * self.normal.dot(&point)
        };
        let in_order = |from: Vec3, to: Vec3| if a < b { [from, to] } else { [to, from] };
        let [start, end] = [place(0.0), place(1.0)];
        let Some(inside) = crossings([low, high]) else { return self.add_arc(in_order(start, end)) };
        let [enters, leaves] = inside.map(place);
        self.add_triangle(in_order(enters, leaves));
        if inside[0] > 0.0 {
            self.add_arc(in_order(start, enters));
        }
        if inside[1] < 1.0 {
            self.add_arc(in_order(leaves, end));
        }
    }

    /// Adds the triangle from the foot to two points in the disc.
    fn add_triangle(&mut self, [p, q]: [Vec3; 2]) {
        let (doubled, sum) = (self.normal.dot(&p.cross(&q)), p + q);
        self.area += doubled / 2.0;
        self.first += sum * (doubled / 6.0);
        self.second += (p * p.transpose() + q * q.transpose() + sum * sum.transpose()) * (doubled / 24.0);
    }

    /// Adds the sector of the disc within the triangle from the foot to two points beyond the disc, and what is beyond.
    fn add_arc(&mut self, [p, q]: [Vec3; 2]) {
        let arm = q - p;
        // A shorter one adds nothing, and round-off has its direction: an edge that ends on the sphere leaves such an arc.
        let Some(along) = (arm - self.normal * self.normal.dot(&arm)).try_normalize(SHORT) else { return };
        let out = along.cross(&self.normal);
        let offset = p.dot(&out);
        let (height, sign) = (offset.abs(), if offset < 0.0 { -1.0 } else { 1.0 });
        // From the foot of the centre on the line through both points, counterclockwise if the line passes on the left.
        let [from, to] = [p, q].map(|point| atan2(point.dot(&along), height));
        let angle = to - from;
        let ((s0, c0), (s1, c1)) = (sin_cos(from), sin_cos(to));
        let (straight, mixed) = (0.5 * (s1 * c1 - s0 * c0), 0.5 * (s1 * s1 - s0 * s0));
        let turn = out * (s1 - s0) + along * (sign * (c0 - c1));
        let cross = out * along.transpose();
        let squares = out * out.transpose() * (sign * (0.5 * angle + straight))
            + (cross + cross.transpose()) * mixed
            + along * along.transpose() * (sign * (0.5 * angle - straight));
        let square = self.square();
        self.area += sign * square / 2.0 * angle;
        self.first += turn * (square * square.sqrt() / 3.0);
        self.second += squares * (square * square / 4.0);
        self.angle += sign * angle;
        self.along += turn;
        self.squares += squares;
        let far = self.distance.abs();
        let [first, second] = [p, q].map(|point| {
            let place = point.dot(&along);
            atan2(far * place, height * hypot(hypot(height, place), far))
        });
        let seen = far.min(1.0) * angle - (second - first);
        self.beyond += if self.distance < 0.0 { -sign * seen } else { sign * seen };
    }

    fn add_to(&self, sum: &mut Moments, sphere: &mut SphereSum) {
        let Self { normal: n, distance: d, area, first, .. } = self;
        let both = |v: &Vec3| n * v.transpose() + v * n.transpose();
        let upright = n * n.transpose();
        sum.volume += d / 3.0 * area;
        sum.first += (n * (d * area) + first) * (d / 4.0);
        sum.second += (upright * (d * d * area) + both(first) * *d + self.second) * (d / 5.0);
        let square = self.square();
        let radius = square.sqrt();
        sphere.area += self.beyond;
        sphere.across += n * (square * self.angle) - self.along * (d * radius);
        sphere.products += upright * (2.0 * square * d * self.angle) + both(&self.along) * (radius * (square - d * d))
            - self.squares * (2.0 * d * square);
    }
}
