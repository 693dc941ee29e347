use proptest::prelude::*;

use super::hull_families::{Random, assert_closed, assert_convex, hull};
use crate::math::Vec3;
use crate::shape::{Hull, MassProperties, Shape};

/// Twice the tolerance of a face, for points within a cube of edge 2 [m].
const FLAT: f64 = 2.0 * 8.0 * f32::EPSILON as f64 * 3.5;

fn corners_of(hull: &Hull, face: usize) -> Vec<Vec3> {
    let (start, end) = (hull.starts[face] as usize, hull.starts[face + 1] as usize);
    hull.corners[start..end].iter().map(|corner| hull.points[*corner as usize]).collect()
}

#[test]
fn a_box_has_six_faces_of_four_corners() {
    // With what is inside, on a face, on an edge, and given twice.
    let mut points: Vec<[f64; 3]> = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(f64::from)).collect();
    points.extend([[0.5; 3], [0.5, 0.25, 0.0], [0.5, 0.0, 0.0], [0.0; 3], [1.0; 3]]);
    let hull = hull(&points);
    assert_eq!(hull.normals.len(), 6);
    for (face, normal) in hull.normals.iter().enumerate() {
        assert_eq!(corners_of(&hull, face).len(), 4);
        assert_eq!(normal.abs().iter().filter(|value| **value == 1.0).count(), 1, "{normal:?}");
    }
    assert_eq!((hull.points.len(), hull.mass_properties.volume), (8, 1.0));
}

#[test]
fn a_turned_cube_of_floats_has_six_faces() {
    // Of edge 2, with the middle of one edge.
    let points = [
        [-1.6698888_f32, -0.06005435, -0.45592165],
        [-0.38322344, -1.5861257, -0.58081394],
        [-0.2991984, 1.1606232, -1.2503736],
        [0.98746705, -0.36544827, -1.375266],
        [-0.98746705, 0.36544827, 1.375266],
        [0.2991984, -1.1606232, 1.2503736],
        [0.38322344, 1.5861257, 0.58081394],
        [1.6698888, 0.06005435, 0.45592165],
        [1.0265561, 0.8230901, 0.5183678],
    ];
    let points = points.map(|point| point.map(f64::from));
    let hull = hull(&points);
    assert_closed(&hull);
    assert_convex(&hull, &points, 1e-7);
    assert_eq!((hull.normals.len(), hull.points.len()), (6, 8));
    assert!((0..6).all(|face| corners_of(&hull, face).len() == 4));
    let MassProperties { volume, center, .. } = hull.mass_properties;
    assert!((volume - 8.0).abs() < 4.0 * f64::from(f32::EPSILON), "{volume}");
    assert!(center.norm() < f64::from(f32::EPSILON), "{center:?}");
}

#[test]
fn the_order_of_points_does_not_matter() {
    let mut random = Random::new(1);
    let points: Vec<[f64; 3]> = (0..100).map(|_| random.vector().map(|value| (4.0 * value).round()).into()).collect();
    let first = hull(&points);
    let again = hull(&first.source.iter().map(|point| (*point).into()).collect::<Vec<_>>());
    let reversed = hull(&points.iter().rev().copied().collect::<Vec<_>>());
    for other in [again, reversed] {
        assert_eq!((&first.source, &first.points, &first.normals), (&other.source, &other.points, &other.normals));
        assert_eq!((&first.starts, &first.corners), (&other.starts, &other.corners));
        assert_eq!(first.neighbours, other.neighbours);
        let joined = |hull: &Hull| -> Vec<u32> {
            (0..hull.points.len()).flat_map(|corner| hull.adjacent_corners(corner).to_vec()).collect()
        };
        assert_eq!(joined(&first), joined(&other));
        assert_eq!(first.mass_properties, other.mass_properties);
    }
}

#[test]
fn many_points_take_no_square_of_their_number() {
    // With a quadratic search or merging this takes minutes.
    let mut random = Random::new(2);
    let points: Vec<[f64; 3]> = (0..50_000).map(|_| random.unit_vector().into()).collect();
    let hull = hull(&points);
    assert_closed(&hull);
    assert!(hull.points.len() > 49_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn hulls_of_random_points_are_closed_and_convex(
        points in proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0f64], 4..60)
    ) {
        if let Ok(Shape::Hull(hull)) = Shape::hull(&points) {
            assert_closed(&hull);
            assert_convex(&hull, &points, FLAT);
        }
    }

    /// Points on a coarse lattice: many coincide, lie on lines and in planes.
    #[test]
    fn hulls_of_lattice_points_are_closed_and_convex(
        points in proptest::collection::vec([-2..=2i32, -2..=2i32, -2..=2i32], 4..40)
    ) {
        let points: Vec<[f64; 3]> = points.into_iter().map(|point| point.map(f64::from)).collect();
        match Shape::hull(&points) {
            Ok(Shape::Hull(hull)) => {
                assert_closed(&hull);
                // Faces that are not the same are not parallel to a millionth.
                assert_convex(&hull, &points, 1e-14);
            }
            Ok(_) => unreachable!(),
            Err(error) => prop_assert!(error.message.contains("in one plane") || error.message.contains("on one line")
                || error.message.contains("apart"), "{}", error.message),
        }
    }
}
