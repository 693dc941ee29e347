use super::clump::part;
use crate::shape::Shape;

pub(super) fn every_kind() -> Vec<Shape> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    vec![
        Shape::sphere(1.0).unwrap(),
        Shape::cuboid([1.0; 3]).unwrap(),
        Shape::capsule(1.0, 1.0).unwrap(),
        Shape::cylinder(1.0, 1.0).unwrap(),
        Shape::half_space([0.0, 0.0, 1.0], 1.0).unwrap(),
        Shape::hull(&corners).unwrap(),
        Shape::mesh(&corners, &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]).unwrap(),
        Shape::clump(&[
            part(Shape::sphere(1.0).unwrap(), [0.0; 3]),
            part(Shape::cuboid([1.0; 3]).unwrap(), [0.5, 0.0, 0.0]),
        ])
        .unwrap(),
    ]
}

#[test]
fn only_what_has_a_volume_has_a_mass() {
    for shape in every_kind() {
        let has_volume = !matches!(shape, Shape::HalfSpace(_) | Shape::Mesh(_));
        assert_eq!(shape.mass_properties().is_some(), has_volume, "{shape:?}");
    }
}

#[test]
fn shapes_can_be_shared_between_threads_and_are_small() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Shape>();
    // Seven numbers and a tag: the half-space is the largest that is not behind a pointer.
    assert!(size_of::<Shape>() <= 64);
}
