use crate::math::Vec3;
use crate::shape::{Shape, effective_radius};

/// All over the sphere, the axes among them.
fn normals() -> Vec<Vec3> {
    let steps = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let all = (0..125).map(|k: usize| Vec3::new(steps[k % 5], steps[k / 5 % 5], steps[k / 25]));
    all.filter(|v| v.norm() > 0.0).map(|v| v.normalize()).collect()
}

#[test]
fn balls_and_capsules_are_round_everywhere_and_faces_are_flat() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for normal in normals() {
        let radius = |shape: Shape| shape.radius_of_curvature(&normal, &Vec3::zeros());
        assert_eq!(radius(Shape::sphere(0.3).unwrap()), 0.3);
        assert_eq!(radius(Shape::capsule(2.0, 0.7).unwrap()), 0.7);
        for flat in [
            Shape::cuboid([1.0; 3]).unwrap(),
            Shape::half_space([0.0, 0.0, 1.0], 1.0).unwrap(),
            Shape::hull(&corners).unwrap(),
            Shape::mesh(&corners, &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]).unwrap(),
        ] {
            assert_eq!(radius(flat), f64::INFINITY);
        }
    }
}

#[test]
fn a_cylinder_is_round_on_its_side_alone() {
    let cylinder = Shape::cylinder(2.0, 0.7).unwrap();
    let leaning = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        cylinder.radius_of_curvature(&Vec3::new(0.6 * cosine, -0.8 * cosine, sine), &Vec3::zeros())
    };
    for degrees in [0.0, 1e-9, -1.0, 5.0, -5.0] {
        assert_eq!(leaning(degrees), 0.7, "a normal {degrees} degrees off the side");
    }
    for degrees in [7.0, -7.0, 45.0, 90.0, -90.0] {
        assert_eq!(leaning(degrees), f64::INFINITY, "a normal {degrees} degrees off the side");
    }
}

#[test]
fn the_effective_radius_is_that_of_two_curvatures_in_sum() {
    // Equal ones: half, exactly. 1 and 3: 3/4.
    assert_eq!(effective_radius(0.3, 0.3), 0.15);
    assert_eq!((effective_radius(1.0, 3.0), effective_radius(3.0, 1.0)), (0.75, 0.75));
    // On a flat place the other one counts, to the bit.
    let flat = f64::INFINITY;
    assert_eq!((effective_radius(0.1, flat), effective_radius(flat, 0.1)), (0.1, 0.1));
    assert_eq!(effective_radius(flat, flat), flat);
    // The ends of the range of lengths, whose products and squares do not matter.
    assert_eq!(effective_radius(1e50, 1e50), 5e49);
    assert_eq!(effective_radius(1e-50, 1e50), 1e-50);
    assert_eq!(effective_radius(1e50, 1e-50), 1e-50);
}
