use proptest::prelude::*;

use super::scene::{assert_vector, at, meet, single, turned};
use crate::collide::Ball;
use crate::collide::narrow::ContactPoint;
use crate::collide::narrow::closed_form::{sphere_box, sphere_sphere};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// A few roundings of numbers of size 1.
const ROUND_OFF: f64 = 1e-15;

/// Of two balls by their places and radii.
fn balls(center_a: [f64; 3], radius_a: f64, center_b: [f64; 3], radius_b: f64, margin: f64) -> Option<ContactPoint> {
    let ball = |center: [f64; 3], radius: f64| Ball { center: Vec3::from(center), radius };
    sphere_sphere(&ball(center_a, radius_a), &ball(center_b, radius_b), margin, &Vec3::z())
}

#[test]
fn balls_apart_touching_and_overlapping() {
    let origin = [0.0; 3];
    // 3-4-5: distance 5, gap 5 - 2 - 2.5 = 0.5, surfaces at 2 and 2.5 from the first centre, middle at 2.25.
    let contact = balls(origin, 2.0, [3.0, 0.0, 4.0], 2.5, 0.5).unwrap();
    assert_eq!(contact.gap, 0.5);
    assert_vector(&contact.normal, [0.6, 0.0, 0.8], ROUND_OFF);
    assert_vector(&contact.point, [1.35, 0.0, 1.8], ROUND_OFF);
    assert!(balls(origin, 2.0, [3.0, 0.0, 4.0], 2.5, 0.499).is_none());
    let overlapping = balls(origin, 2.0, [0.0, 1.0, 0.0], 2.0, 0.0).unwrap();
    assert_eq!((overlapping.gap, overlapping.point), (-3.0, Vec3::new(0.0, 0.5, 0.0)));
}

#[test]
fn balls_with_one_centre_separate_along_z() {
    let center = [1.0, 2.0, 3.0];
    let contact = balls(center, 1.0, center, 2.0, 0.0).unwrap();
    assert_eq!((contact.normal, contact.gap), (Vec3::z(), -3.0));
}

#[test]
fn ball_on_a_turned_and_moved_half_space() {
    // Turned a quarter about y the normal z becomes x; the surface is at x = 10 + 2.
    let (half_space, ball) = (Shape::half_space([0.0, 0.0, 1.0], 2.0).unwrap(), Shape::sphere(0.5).unwrap());
    let quarter = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let pose = Pose::new(Vec3::new(10.0, 0.0, 0.0), quarter);
    let contact = *single(&meet((&ball, &at(12.75, 5.0, 6.0)), (&half_space, &pose), 0.5));
    // Coordinates of size 10 round at 2e-15.
    assert!((contact.gap - 0.25).abs() < 4e-15);
    assert_vector(&contact.normal, [-1.0, 0.0, 0.0], ROUND_OFF);
    assert_vector(&contact.point, [12.125, 5.0, 6.0], 4e-15);
}

#[test]
fn ball_at_the_face_edge_and_corner_of_a_box() {
    let cuboid = Shape::cuboid([1.0, 2.0, 3.0]).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let contact = |x: f64, y: f64, z: f64| *single(&meet((&ball, &at(x, y, z)), (&cuboid, &at(0.0, 0.0, 0.0)), 9.0));
    let face = contact(1.75, 0.5, -1.0);
    assert_eq!((face.gap, face.normal), (0.25, -Vec3::x()));
    assert_eq!(face.point, Vec3::new(1.125, 0.5, -1.0));
    // 3-4-5 beyond the edge x = 1, y = 2.
    let edge = contact(1.3, 2.4, 0.0);
    assert!(edge.gap.abs() < ROUND_OFF);
    assert_vector(&edge.normal, [-0.6, -0.8, 0.0], 4.0 * ROUND_OFF);
    // 1-2-2: distance 3 from the corner.
    let corner = contact(2.0, 4.0, 5.0);
    assert_eq!(corner.gap, 2.5);
    assert_vector(&corner.normal, [-1.0 / 3.0, -2.0 / 3.0, -2.0 / 3.0], ROUND_OFF);
}

#[test]
fn ball_with_its_centre_inside_a_box_leaves_through_the_nearest_face() {
    let (cuboid, ball) = (Shape::cuboid([1.0, 2.0, 3.0]).unwrap(), Shape::sphere(0.5).unwrap());
    let contact = |x: f64, y: f64, z: f64| *single(&meet((&ball, &at(x, y, z)), (&cuboid, &at(0.0, 0.0, 0.0)), 0.0));
    let near_top = contact(0.0, 0.5, -2.75);
    assert_eq!((near_top.gap, near_top.normal), (-0.75, Vec3::z()));
    // Midway between the ball's top, z = -2.25, and the face, z = -3.
    assert_eq!(near_top.point, Vec3::new(0.0, 0.5, -2.625));
    // In the middle all x and -x are equally near: +x is left through, always.
    assert_eq!(contact(0.0, 0.0, 0.0).normal, -Vec3::x());
    // On the surface itself the face still says where out is.
    assert_eq!((contact(1.0, 0.0, 0.0).gap, contact(1.0, 0.0, 0.0).normal), (-0.5, -Vec3::x()));
}

#[test]
fn ball_around_a_capsule() {
    let (capsule, ball) = (Shape::capsule(1.0, 0.25).unwrap(), Shape::sphere(0.5).unwrap());
    let contact = |x: f64, y: f64, z: f64| *single(&meet((&ball, &at(x, y, z)), (&capsule, &at(0.0, 0.0, 0.0)), 9.0));
    assert_eq!(contact(0.0, 2.0, 0.5).gap, 1.25);
    // 3-4-5 from the end of the segment.
    let end = contact(3.0, 0.0, 5.0);
    assert_eq!(end.gap, 4.25);
    assert_vector(&end.normal, [-0.6, 0.0, -0.8], ROUND_OFF);
    // A centre on the axis is not pushed along it.
    assert_eq!((contact(0.0, 0.0, 0.5).gap, contact(0.0, 0.0, 0.5).normal.z), (-0.75, 0.0));
}

#[test]
fn ball_around_a_cylinder() {
    let (cylinder, ball) = (Shape::cylinder(1.0, 2.0).unwrap(), Shape::sphere(0.5).unwrap());
    let contact = |x: f64, y: f64, z: f64| *single(&meet((&ball, &at(x, y, z)), (&cylinder, &at(0.0, 0.0, 0.0)), 9.0));
    // Beside it: 5 from the axis, 3 from the side.
    let side = contact(3.0, 4.0, 0.5);
    assert!((side.gap - 2.5).abs() < ROUND_OFF);
    assert_vector(&side.normal, [-0.6, -0.8, 0.0], ROUND_OFF);
    assert_eq!((contact(0.5, 0.5, 2.0).gap, contact(0.5, 0.5, 2.0).normal), (0.5, -Vec3::z()));
    // 3-4-5 from the rim.
    let rim = contact(5.0, 0.0, -5.0);
    assert!((rim.gap - 4.5).abs() < ROUND_OFF);
    assert_vector(&rim.normal, [-0.6, 0.0, 0.8], ROUND_OFF);
    assert_eq!((contact(1.5, 0.0, 0.25).gap, contact(1.5, 0.0, 0.25).normal), (-1.0, -Vec3::x()));
    assert_eq!((contact(1.0, 0.0, 0.25).gap, contact(1.0, 0.0, 0.25).normal), (-1.25, -Vec3::z()));
}

fn coordinate() -> impl Strategy<Value = f64> {
    -3.0..3.0
}

proptest! {
    /// Against a search that knows nothing of regions: the projection on each of the six faces, the nearest of them.
    #[test]
    fn ball_and_box_agree_with_a_search_over_the_faces(
        half in [0.1..2.0, 0.1..2.0, 0.1..2.0],
        center in [coordinate(), coordinate(), coordinate()],
        turn in [coordinate(), coordinate(), coordinate()],
        radius in 0.01..1.0,
    ) {
        let pose = turned(0.3, -0.2, 0.1, turn);
        let shape = Shape::cuboid(half).unwrap();
        let Shape::Cuboid(cuboid) = &shape else { panic!() };
        let world = pose.to_world(&Vec3::from(center));
        let inside = (0..3).all(|axis| center[axis].abs() <= half[axis]);
        let nearest = (0..6).map(|face| {
            let (axis, sign) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
            let mut foot = Vec3::from_fn(|k, _| center[k].clamp(-half[k], half[k]));
            foot[axis] = sign * half[axis];
            (foot - Vec3::from(center)).norm()
        }).fold(f64::INFINITY, f64::min);
        let contact = sphere_box(&Ball { center: world, radius }, cuboid, &pose, 9.0).unwrap();
        let expected = if inside { -nearest } else { nearest } - radius;
        // Turning there and back rounds coordinates of size 5 a few times.
        prop_assert!((contact.gap - expected).abs() < 1e-14, "{} against {}", contact.gap, expected);
        // The foot on the box, half a gap beyond the point, is on the surface.
        let foot = pose.to_local(&(contact.point + contact.normal * (0.5 * contact.gap)));
        let beyond = (0..3).map(|axis| foot[axis].abs() - half[axis]).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(beyond.abs() < 1e-14, "{} off the surface", beyond);
    }
}
