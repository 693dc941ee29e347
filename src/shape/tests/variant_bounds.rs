use crate::math::{Aabb, Pose, Quat, Vec3};
use crate::shape::Shape;

fn assert_bounds(found: &Aabb, lower: [f64; 3], upper: [f64; 3]) {
    let error = (found.lower - Vec3::from(lower)).amax().max((found.upper - Vec3::from(upper)).amax());
    // Coordinates of a few metres round at 1e-15.
    assert!(error < 4e-15, "{found:?} against {lower:?} {upper:?}");
}

/// Moved to (1, 2, 3) and turned about y so that z points along (3/5, 0, 4/5) and x along (4/5, 0, -3/5).
fn pose() -> Pose {
    Pose::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_axis_angle(&Vec3::y_axis(), 0.6f64.asin()))
}

#[test]
fn boxes_around_turned_shapes_are_tight() {
    let bounds = |shape: Shape| shape.bounds(&pose());
    assert_bounds(&bounds(Shape::sphere(0.5).unwrap()), [0.5, 1.5, 2.5], [1.5, 2.5, 3.5]);
    // Along x: 1 * 4/5 + 3 * 3/5 = 2.6; along z: 1 * 3/5 + 3 * 4/5 = 3.
    assert_bounds(&bounds(Shape::cuboid([1.0, 2.0, 3.0]).unwrap()), [-1.6, 0.0, 0.0], [3.6, 4.0, 6.0]);
    assert_bounds(&bounds(Shape::capsule(1.0, 0.5).unwrap()), [-0.1, 1.5, 1.7], [2.1, 2.5, 4.3]);
    // Along x: 1 * 3/5 + 0.5 * 4/5 = 1; along z: 1 * 4/5 + 0.5 * 3/5 = 1.1.
    assert_bounds(&bounds(Shape::cylinder(1.0, 0.5).unwrap()), [0.0, 1.5, 1.9], [2.0, 2.5, 4.1]);
    // Corners at x (3/5) and z: origin, (1.6, 2, 3.8), (1.8, 2, 2.4), (1, 3, 3).
    let corners = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_bounds(&bounds(Shape::hull(&corners).unwrap()), [1.0, 2.0, 2.4], [1.8, 3.0, 3.8]);
}

#[test]
fn the_rim_of_a_cylinder_that_is_slightly_tilted_is_inside_its_box() {
    let cylinder = Shape::cylinder(1.0, 0.5).unwrap();
    for tilt in [1e-4f64, 1e-7, 1e-8, 1e-10] {
        let turn = Quat::from_scaled_axis(Vec3::new(tilt, 0.0, 0.0));
        let bounds = cylinder.bounds(&Pose::new(Vec3::zeros(), turn));
        let (sine, cosine) = tilt.sin_cos();
        let height = cosine + 0.5 * sine;
        assert!((bounds.upper.z - height).abs() < 4e-16, "{tilt:e}: {:e}", bounds.upper.z - height);
    }
}

#[test]
fn a_mesh_is_inside_its_box_and_a_half_space_is_everywhere() {
    let points = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let bounds = Shape::mesh(&points, &[[0, 1, 2]]).unwrap().bounds(&pose());
    for point in points {
        let point = pose().to_world(&Vec3::from(point));
        assert!(Aabb::around([point]).overlaps(&bounds.grown(1e-15)));
    }
    assert!((bounds.upper - bounds.lower).amax() <= 1.4 + 1e-15);
    let plane = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    assert_eq!(plane.bounds(&pose()).lower, Vec3::repeat(f64::NEG_INFINITY));
    assert_eq!(plane.bounds(&pose()).upper, Vec3::repeat(f64::INFINITY));
    assert_eq!(plane.bounding_radius(), f64::INFINITY);
}

#[test]
fn bounding_radii() {
    assert_eq!(Shape::sphere(0.5).unwrap().bounding_radius(), 0.5);
    assert_eq!(Shape::cuboid([2.0, 3.0, 6.0]).unwrap().bounding_radius(), 7.0);
    assert_eq!(Shape::capsule(1.0, 0.5).unwrap().bounding_radius(), 1.5);
    assert_eq!(Shape::cylinder(4.0, 3.0).unwrap().bounding_radius(), 5.0);
    // About the shape's origin, which need not be inside.
    let corners = [[3.0, 0.0, 4.0], [3.0, 1.0, 3.0], [2.0, 0.0, 3.0], [3.0, -1.0, 3.0]];
    assert_eq!(Shape::hull(&corners).unwrap().bounding_radius(), 5.0);
    assert_eq!(Shape::mesh(&corners, &[[0, 1, 2]]).unwrap().bounding_radius(), 5.0);
}
