use crate::collide::narrow::closest;
use crate::error::ErrorKind;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::circle;

fn check(shape: &Shape, point: [f64; 3], foot: [f64; 3], distance: f64) {
    let found = closest(shape, &Vec3::from(point)).unwrap();
    assert!((found.distance - distance).abs() < 1e-15, "{shape:?}: {found:?}");
    assert!((found.foot - Vec3::from(foot)).norm() < 1e-15, "{shape:?}: {found:?}");
    assert!((found.foot + found.normal * found.distance - Vec3::from(point)).norm() < 1e-15);
    assert!((found.normal.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn closest_points_outside_and_inside() {
    let sphere = Shape::sphere(2.0).unwrap();
    check(&sphere, [3.0, 4.0, 0.0], [1.2, 1.6, 0.0], 3.0);
    check(&sphere, [0.0, 0.0, -0.5], [0.0, 0.0, -2.0], -1.5);
    let cuboid = Shape::cuboid([1.0, 2.0, 3.0]).unwrap();
    check(&cuboid, [4.0, 6.0, 0.0], [1.0, 2.0, 0.0], 5.0);
    check(&cuboid, [0.5, 0.0, 0.0], [1.0, 0.0, 0.0], -0.5);
    check(&Shape::capsule(1.0, 0.5).unwrap(), [0.0, 2.0, 0.25], [0.0, 0.5, 0.25], 1.5);
    check(&Shape::cylinder(1.0, 0.5).unwrap(), [0.0, 2.0, 0.25], [0.0, 0.5, 0.25], 1.5);
    check(&Shape::half_space([0.0, 1.0, 0.0], 0.25).unwrap(), [1.0, 2.0, 3.0], [1.0, 0.25, 3.0], 1.75);
    let curve = Shape::nurbs_curve(&circle(2.0)).unwrap();
    check(&curve, [3.0, 4.0, 7.0], [1.2, 1.6, 7.0], 3.0);
    check(&curve, [0.6, 0.8, 0.0], [1.2, 1.6, 0.0], -1.0);
}

/// The foot of a point far away is as exact as that of a near one.
#[test]
fn feet_of_far_points_are_on_the_surface() {
    let far = Vec3::new(3e8, -4e8, 12e8);
    let foot = |shape: Shape| closest(&shape, &far).unwrap().foot;
    let along = far.normalize();
    let across = Vec3::new(0.6, -0.8, 0.0);
    for (found, expected) in [
        (foot(Shape::sphere(2.0).unwrap()), 2.0 * along),
        (foot(Shape::cuboid([1.0, 2.0, 3.0]).unwrap()), Vec3::new(1.0, -2.0, 3.0)),
        (foot(Shape::cylinder(1.0, 0.5).unwrap()), Vec3::new(0.0, 0.0, 1.0) + 0.5 * across),
        // Its ends are balls about points that are near compared to `far`.
        (foot(Shape::capsule(1.0, 0.5).unwrap()), Vec3::new(0.0, 0.0, 1.0) + 0.5 * (far - Vec3::z()).normalize()),
    ] {
        assert!((found - expected).norm() < 1e-15, "{found:?}, not {expected:?}");
    }
}

#[test]
fn hulls_and_meshes_are_refused() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for shape in [Shape::hull(&corners).unwrap(), Shape::mesh(&corners, &[[0, 1, 2]]).unwrap()] {
        assert_eq!(closest(&shape, &Vec3::x()).unwrap_err().kind, ErrorKind::Unsupported);
    }
}
