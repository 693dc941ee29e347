use std::sync::Arc;

use proptest::prelude::*;

use crate::math::Vec3;
use crate::shape::{Hull, Shape};

fn hull(points: &[[f64; 3]]) -> Arc<Hull> {
    match Shape::hull(points).unwrap() {
        Shape::Hull(hull) => hull,
        other => panic!("{other:?}"),
    }
}

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

/// Every face is a convex polygon, wound about its normal, with every point behind it; and all edges have two faces.
fn check(hull: &Hull, points: &[[f64; 3]]) -> Result<(), TestCaseError> {
    let mut edges = std::collections::BTreeMap::new();
    for (face, normal) in hull.normals.iter().enumerate() {
        let corners = corners_of(hull, face);
        prop_assert!(corners.len() >= 3);
        for k in 0..corners.len() {
            let (a, b, c) = (corners[k], corners[(k + 1) % corners.len()], corners[(k + 2) % corners.len()]);
            prop_assert!((b - a).cross(&(c - b)).dot(normal) > -1e-9);
            let key = |v: &Vec3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
            *edges.entry((key(&a).min(key(&b)), key(&a).max(key(&b)))).or_insert(0) += 1;
        }
        // Within the tolerance in which corners share a plane.
        let deepest = points.iter().map(|point| normal.dot(&(Vec3::from(*point) - corners[0])));
        prop_assert!(deepest.fold(f64::NEG_INFINITY, f64::max) <= 1e-9);
    }
    prop_assert!(edges.values().all(|faces| *faces == 2), "edges with other than two faces");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn hulls_of_random_points_are_closed_and_convex(
        points in proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0f64], 4..60)
    ) {
        if let Ok(Shape::Hull(hull)) = Shape::hull(&points) {
            check(&hull, &points)?;
        }
    }

    /// Points on a coarse lattice: many coincide, lie on lines and in planes.
    #[test]
    fn hulls_of_lattice_points_are_closed_and_convex(
        points in proptest::collection::vec([-2..=2i32, -2..=2i32, -2..=2i32], 4..40)
    ) {
        let points: Vec<[f64; 3]> = points.into_iter().map(|point| point.map(f64::from)).collect();
        match Shape::hull(&points) {
            Ok(Shape::Hull(hull)) => check(&hull, &points)?,
            Ok(_) => unreachable!(),
            Err(error) => prop_assert!(error.message.contains("in one plane") || error.message.contains("on one line")
                || error.message.contains("apart"), "{}", error.message),
        }
    }
}
