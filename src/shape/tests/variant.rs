use crate::shape::Shape;

fn every_kind() -> Vec<Shape> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    vec![
        Shape::sphere(1.0).unwrap(),
        Shape::cuboid([1.0; 3]).unwrap(),
        Shape::capsule(1.0, 1.0).unwrap(),
        Shape::cylinder(1.0, 1.0).unwrap(),
        Shape::half_space([0.0, 0.0, 1.0], 1.0).unwrap(),
        Shape::hull(&corners).unwrap(),
        Shape::mesh(&corners, &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]).unwrap(),
    ]
}

#[test]
fn fingerprints_tell_kinds_and_numbers_apart() {
    let mut shapes = every_kind();
    shapes.extend([
        Shape::sphere(1.0 + f64::EPSILON).unwrap(),
        Shape::cuboid([1.0, 1.0, 2.0]).unwrap(),
        Shape::cuboid([1.0, 2.0, 1.0]).unwrap(),
        Shape::mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).unwrap(),
        Shape::mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 2, 1]]).unwrap(),
    ]);
    for (index, shape) in shapes.iter().enumerate() {
        assert_eq!(shape.fingerprint(), shape.clone().fingerprint());
        assert!(shapes[..index].iter().all(|other| other.fingerprint() != shape.fingerprint()), "{shape:?}");
    }
    let again: Vec<u64> = every_kind().iter().map(Shape::fingerprint).collect();
    assert_eq!(again, every_kind().iter().map(Shape::fingerprint).collect::<Vec<_>>());
}

#[test]
fn only_what_has_a_volume_has_a_mass() {
    for shape in every_kind() {
        assert_eq!(shape.mass_properties().is_some(), shape.has_volume());
    }
    let without = every_kind().iter().filter(|shape| !shape.has_volume()).count();
    assert_eq!(without, 2);
}

#[test]
fn shapes_can_be_shared_between_threads_and_are_small() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Shape>();
    // Four numbers and a tag: the half-space is the largest that is not behind a pointer.
    assert!(size_of::<Shape>() <= 40);
}
