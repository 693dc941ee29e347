use crate::error::{ErrorKind, Number, Result};
use crate::shape::Shape;
use crate::shape::checks::probe_memory;

fn refused(result: Result<Shape>, kind: ErrorKind, parts: &[&str]) {
    let error = result.expect_err("must be refused");
    assert_eq!(error.kind, kind, "{}", error.message);
    for part in parts {
        assert!(error.message.contains(part), "'{}' does not say '{part}'", error.message);
    }
}

const BAD: [(f64, ErrorKind); 6] = [
    (f64::NAN, ErrorKind::NotFinite),
    (f64::INFINITY, ErrorKind::NotFinite),
    (-1.0, ErrorKind::Argument),
    (0.0, ErrorKind::Argument),
    // The fifth power, in which inertia is measured, would leave the range of doubles.
    (1e300, ErrorKind::Argument),
    (1e-300, ErrorKind::Argument),
];

#[test]
fn lengths_are_positive_finite_and_of_a_size_that_has_a_volume() {
    for (value, kind) in BAD {
        let shown = Number(value).to_string();
        refused(Shape::sphere(value), kind, &["radius", &shown]);
        refused(Shape::cuboid([1.0, value, 1.0]), kind, &["half_extents[1]", &shown]);
        refused(Shape::capsule(1.0, value), kind, &["radius", &shown]);
        refused(Shape::cylinder(1.0, value), kind, &["radius", &shown]);
        refused(Shape::cylinder(value, 1.0), kind, &["half_height", &shown]);
        if value != 0.0 {
            refused(Shape::capsule(value, 1.0), kind, &["half_height", &shown]);
        }
    }
    assert!(Shape::capsule(0.0, 1.0).is_ok());
    for length in [1e-50, 1e50] {
        let mass = Shape::cuboid([length; 3]).unwrap().mass_properties().unwrap();
        assert!(mass.volume.is_normal() && mass.inertia.entries[..3].iter().all(|entry| entry.is_normal()));
    }
}

#[test]
fn half_space_normals_are_unit_vectors_or_nearly() {
    refused(Shape::half_space([0.0; 3], 0.0), ErrorKind::Argument, &["normal", "[0.0, 0.0, 0.0]"]);
    refused(Shape::half_space([0.0, 0.0, 1.1], 0.0), ErrorKind::Argument, &["normal", "1.1"]);
    refused(Shape::half_space([0.0, f64::NAN, 1.0], 0.0), ErrorKind::NotFinite, &["normal[1]", "NaN"]);
    refused(Shape::half_space([0.0, 0.0, 1.0], f64::INFINITY), ErrorKind::NotFinite, &["offset", "inf"]);
    let Shape::HalfSpace(plane) = Shape::half_space([0.6 + 5e-7, 0.0, 0.8], 2.0).unwrap() else { panic!() };
    assert!((plane.normal.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn hulls_without_a_volume_are_refused() {
    let square = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]];
    refused(Shape::hull(&square[..3]), ErrorKind::Argument, &["points_xyz", "3 points", "at least 4"]);
    refused(Shape::hull(&[]), ErrorKind::Argument, &["points_xyz", "0 points"]);
    refused(Shape::hull(&square), ErrorKind::Argument, &["5 points", "one plane within 0e0"]);
    let line: Vec<[f64; 3]> = (0..6).map(|k| [f64::from(k), 2.0 * f64::from(k), 0.0]).collect();
    refused(Shape::hull(&line), ErrorKind::Argument, &["6 points", "one line"]);
    refused(Shape::hull(&[[1.0; 3]; 7]), ErrorKind::Argument, &["7 points, 1 of them distinct"]);
    let mut thin = square;
    thin[4][2] = 1e-10;
    refused(Shape::hull(&thin), ErrorKind::Argument, &["one plane within", "e-10"]);
    let mut broken = square;
    broken[2][1] = f64::NAN;
    refused(Shape::hull(&broken), ErrorKind::NotFinite, &["points_xyz[7]", "NaN"]);
    broken[2][1] = 1e300;
    refused(Shape::hull(&broken), ErrorKind::Argument, &["points_xyz[7]", "1e50"]);
}

#[test]
fn meshes_name_the_triangle_that_is_wrong() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3]];
    let mesh = |triangles: &[[u32; 3]]| Shape::mesh(&points, triangles);
    refused(mesh(&[]), ErrorKind::Argument, &["triangle_count is 0"]);
    refused(Shape::mesh(&points[..2], &[[0, 1, 1]]), ErrorKind::Argument, &["point_count is 2"]);
    refused(mesh(&[[0, 1, 2], [0, 1, 5]]), ErrorKind::Argument, &["triangles[5] is 5", "point_count, 5"]);
    refused(mesh(&[[0, 1, u32::MAX]]), ErrorKind::Argument, &["triangles[2]", "4294967295"]);
    refused(mesh(&[[0, 1, 2], [1, 1, 2]]), ErrorKind::Argument, &["triangle 1", "[1, 1, 2]", "area"]);
    // On one line; and with two corners at one place.
    refused(mesh(&[[0, 1, 2], [0, 1, 3]]), ErrorKind::Argument, &["triangle 1", "triangles[3] to triangles[5]"]);
    refused(mesh(&[[0, 4, 2]]), ErrorKind::Argument, &["triangle 0"]);
    let mut broken = points;
    broken[1][0] = f64::NEG_INFINITY;
    refused(Shape::mesh(&broken, &[[0, 1, 2]]), ErrorKind::NotFinite, &["points_xyz[3]", "-inf"]);
}

#[test]
fn memory_is_reserved_before_it_is_taken() {
    // A product beyond 2^64, and 2^60 bytes, which no machine has.
    for (count, bytes) in [(usize::MAX, 512), (1 << 50, 1 << 10)] {
        let error = probe_memory(count, bytes, "points").expect_err("must be refused");
        assert_eq!(error.kind, ErrorKind::Memory);
        assert!(error.message.contains(&count.to_string()) && error.message.contains("points"));
    }
    assert!(probe_memory(1000, 1024, "points").is_ok());
}
