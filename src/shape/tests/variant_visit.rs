use proptest::prelude::*;

use super::clump::part;
use super::variant::every_kind;
use crate::shape::{PartDefinition, Shape};
use crate::visit::tests::{all_differ, words};
use crate::visit::{Reader, StateVisitor, Writer};

/// What is written to a room that is large enough.
fn bytes_of(write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    write(&mut Writer::new(&mut bytes));
    bytes
}

fn state(shape: &Shape) -> Vec<u64> {
    words(|recorded| shape.visit_state(recorded))
}

#[test]
fn kinds_and_all_numbers_show() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]];
    let parts = [part(Shape::sphere(1.0).unwrap(), [0.0; 3]), part(Shape::cuboid([1.0; 3]).unwrap(), [0.5, 0.0, 0.0])];
    let mut shapes = every_kind();
    let more = [
        Shape::sphere(1.0 + f64::EPSILON),
        Shape::cuboid([1.0, 1.0, 2.0]),
        Shape::cuboid([1.0, 2.0, 1.0]),
        Shape::cuboid([2.0, 1.0, 1.0]),
        Shape::capsule(1.0, 2.0),
        Shape::capsule(2.0, 1.0),
        Shape::cylinder(1.0, 2.0),
        Shape::cylinder(2.0, 1.0),
        Shape::half_space([0.0, 1.0, 0.0], 1.0),
        Shape::half_space([0.0, 0.0, 1.0], 2.0),
        Shape::half_space([0.0, 0.0, 1.0 + 1e-9], 1.0),
        // One of its points is within an edge.
        Shape::hull(&corners),
        Shape::mesh(&corners[..3], &[[0, 1, 2]]),
        Shape::mesh(&corners[..3], &[[0, 2, 1]]),
        Shape::mesh(&corners[..4], &[[0, 2, 1]]),
        Shape::clump(&parts[..1]),
        Shape::clump(&parts[1..]),
        Shape::clump(&[PartDefinition { density_factor: 2.0, ..parts[0].clone() }]),
        Shape::clump(&[PartDefinition { rotation: [0.0, 0.0, 1.0, 0.0], ..parts[0].clone() }]),
        Shape::clump(&[PartDefinition { position: [0.0, 1.0, 0.0], ..parts[0].clone() }]),
    ];
    shapes.extend(more.map(|shape| shape.expect("a shape")));
    let named: Vec<(String, Vec<u64>)> = shapes.iter().map(|shape| (format!("{shape:?}"), state(shape))).collect();
    all_differ(&named);
}

#[test]
fn equal_shapes_have_equal_states() {
    for (one, other) in every_kind().iter().zip(every_kind()) {
        assert_eq!(state(one), state(&other));
    }
    // The order of the points and the sign of a zero have no effect on a hull.
    let mut points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let hull = state(&Shape::hull(&points).expect("a hull"));
    points.reverse();
    points[3] = [-0.0; 3];
    assert_eq!(state(&Shape::hull(&points).expect("a hull")), hull);
}

#[test]
fn every_kind_is_the_same_when_read() {
    for shape in every_kind() {
        let bytes = bytes_of(|writer| shape.visit_state(writer));
        let again = Shape::load(&mut Reader::new(&bytes)).expect("a shape");
        assert_eq!(described(&again), described(&shape));
    }
}

#[test]
fn a_clump_in_a_clump_is_not_read() {
    // Kind 8 with one part, which is of kind 8.
    let bytes = bytes_of(|writer| {
        writer.byte(8);
        writer.length(1);
        writer.byte(8);
        writer.numbers(&[0.0; 20]);
    });
    let error = Shape::load(&mut Reader::new(&bytes)).expect_err("a clump of clumps");
    assert!(error.message.contains("kind 8"), "{error:?}");
}

/// All that is computed for a shape, as text, which has every digit.
fn described(shape: &Shape) -> String {
    format!("{shape:?}")
}

proptest! {
    /// The data that a shape keeps suffices to rebuild it.
    #[test]
    fn a_hull_and_a_mesh_are_the_same_when_rebuilt(
        points in proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0f64], 4..40)
    ) {
        let arrays = |points: &[crate::math::Vec3]| points.iter().map(|point| (*point).into()).collect::<Vec<[f64; 3]>>();
        let shape = Shape::hull(&points);
        if let Ok(Shape::Hull(hull)) = &shape {
            let again = Shape::hull(&arrays(&hull.source)).expect("a hull");
            prop_assert_eq!(described(&again), described(&Shape::Hull(hull.clone())));
        }
        let triangles: Vec<[u32; 3]> = (0..points.len() as u32 - 2).map(|k| [k, k + 1, k + 2]).collect();
        if let Ok(Shape::Mesh(mesh)) = &Shape::mesh(&points, &triangles) {
            let again = Shape::mesh(&arrays(&mesh.points), &mesh.triangles).expect("a mesh");
            prop_assert_eq!(described(&again), described(&Shape::Mesh(mesh.clone())));
        }
    }

    #[test]
    fn a_half_space_is_the_same_when_rebuilt(direction in [-1.0..1.0, -1.0..1.0, 0.1..1.0f64], scale in -1e-7..1e-7f64) {
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let shape = Shape::half_space(direction.map(|x| x * (1.0 + scale) / norm), 0.5).expect("a half-space");
        let Shape::HalfSpace(plane) = &shape else { unreachable!() };
        let again = Shape::half_space(plane.given_normal.into(), plane.offset).expect("a half-space");
        prop_assert_eq!(described(&again), described(&shape));
    }
}
