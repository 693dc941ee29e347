use std::f64::consts::PI;

use crate::math::Vec3;
use crate::shape::{MassProperties, Shape};

fn of(shape: Shape) -> MassProperties {
    shape.mass_properties().unwrap()
}

fn assert_close(found: f64, expected: f64) {
    // Sums of a few products: a few roundings.
    assert!((found - expected).abs() <= 8.0 * f64::EPSILON * expected.abs(), "{found} against {expected}");
}

#[test]
fn sphere_and_box() {
    // Radius 2: volume 32 pi / 3, inertia 2/5 of it times 4.
    let sphere = of(Shape::sphere(2.0).unwrap());
    assert_close(sphere.volume, 32.0 * PI / 3.0);
    assert_eq!(sphere.inertia.isotropic().map(|value| (value / PI * 1e6).round()), Some((256e6f64 / 15.0).round()));
    // 2 x 4 x 6: volume 48, about x 48 (16 + 36)/12 = 208, about y 48 (4 + 36)/12 = 160, about z 48 (4 + 16)/12 = 80.
    let cuboid = of(Shape::cuboid([1.0, 2.0, 3.0]).unwrap());
    assert_eq!((cuboid.volume, cuboid.inertia.entries), (48.0, [208.0, 160.0, 80.0, 0.0, 0.0, 0.0]));
}

#[test]
fn cylinder_and_capsule() {
    // Radius 2, length 6: volume 24 pi; about z 24 pi 4/2, across 24 pi (4/4 + 36/12).
    let cylinder = of(Shape::cylinder(3.0, 2.0).unwrap());
    assert_close(cylinder.volume, 24.0 * PI);
    assert_close(cylinder.inertia.entries[2], 48.0 * PI);
    assert_close(cylinder.inertia.entries[0], 96.0 * PI);
    // Without length a capsule is a ball; with, the sum of the cylinder and of two half balls, each 8 pi 2/3 large,
    // with inertia 83/320 m d^2 about its own centre, d = 4, which is 3 + 3/4 from the middle.
    let ball = of(Shape::capsule(0.0, 2.0).unwrap());
    let sphere = of(Shape::sphere(2.0).unwrap());
    assert_close(ball.volume, sphere.volume);
    assert_close(ball.inertia.entries[0], sphere.inertia.entries[0]);
    let capsule = of(Shape::capsule(3.0, 2.0).unwrap());
    let half = 16.0 * PI / 3.0;
    assert_close(capsule.volume, 24.0 * PI + 2.0 * half);
    assert_close(capsule.inertia.entries[2], 48.0 * PI + 2.0 * half * 0.4 * 4.0);
    assert_close(capsule.inertia.entries[0], 96.0 * PI + 2.0 * half * (83.0 / 320.0 * 4.0 + 3.75 * 3.75));
}

#[test]
fn hull_of_a_box_off_its_origin() {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|k| [f64::from(k & 1) * 2.0 + 5.0, f64::from(k >> 1 & 1) * 4.0 - 3.0, f64::from(k >> 2 & 1) * 6.0 + 1.0])
        .collect();
    let hull = of(Shape::hull(&corners).unwrap());
    let cuboid = of(Shape::cuboid([1.0, 2.0, 3.0]).unwrap());
    assert_close(hull.volume, cuboid.volume);
    // Coordinates up to 7 round at 1e-15.
    assert!((hull.center - Vec3::new(6.0, -1.0, 4.0)).norm() < 4e-15);
    for (found, expected) in hull.inertia.entries.iter().zip(cuboid.inertia.entries) {
        // The products of inertia vanish by cancellation of terms of the size of the moments.
        assert!((found - expected).abs() < 1e-13, "{found} against {expected}");
    }
}

#[test]
fn hull_of_a_tetrahedron() {
    // Corners 0, x, y, z: volume 1/6, centre 1/4; integral of x^2 is 1/60, of xy 1/120; about the centre
    // xx = 1/60 - 1/96 = 1/160, xy = 1/120 - 1/96 = -1/480; the inertia is 2/160 and +1/480.
    let hull = of(Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap());
    assert_close(hull.volume, 1.0 / 6.0);
    assert!((hull.center - Vec3::repeat(0.25)).norm() < 1e-15);
    for (found, expected) in hull.inertia.entries.iter().zip([1.0 / 80.0, 1.0 / 80.0, 1.0 / 80.0, 1.0, 1.0, 1.0]) {
        let expected = if expected == 1.0 { 1.0 / 480.0 } else { expected };
        assert!((found - expected).abs() < 1e-16, "{found} against {expected}");
    }
}
