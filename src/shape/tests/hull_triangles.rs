use std::cmp::Ordering;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::hull_families::Random;
use crate::error::ErrorKind;
use crate::math::Vec3;
use crate::shape::hull::{Lattice, Triangles};

fn made(points: &[[f64; 3]]) -> (Lattice, Triangles) {
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    let lattice = Lattice::new(&points, "points").unwrap();
    let all: Vec<u32> = (0..points.len() as u32).collect();
    let triangles = Triangles::new(&lattice, &all).unwrap();
    (lattice, triangles)
}

/// The surface is closed, is that of a ball, has neighbours beyond its edges, and no point is above any triangle: without tolerance.
fn assert_exact(lattice: &Lattice, triangles: &Triangles) {
    let mut edges = BTreeMap::new();
    for (triangle, corners) in (0..).zip(&triangles.corners) {
        let plane = lattice.plane(*corners);
        for point in 0..lattice.len() as u32 {
            assert_ne!(lattice.side(&plane, point), Ordering::Greater, "point {point} is above {corners:?}");
        }
        for edge in 0..3 {
            assert_eq!(edges.insert((corners[edge], corners[(edge + 1) % 3]), triangle), None);
        }
    }
    for (corners, neighbours) in triangles.corners.iter().zip(&triangles.neighbours) {
        for edge in 0..3 {
            assert_eq!(edges.get(&(corners[(edge + 1) % 3], corners[edge])), Some(&neighbours[edge]));
        }
    }
    let points = triangles.points(lattice.len()).unwrap().len();
    assert_eq!(points + triangles.corners.len(), edges.len() / 2 + 2);
}

#[test]
fn a_cube_with_points_on_it_has_twelve_triangles_or_more() {
    let values = [0.0, 0.5, 1.0];
    let points: Vec<[f64; 3]> = (0..27).map(|k| [values[k % 3], values[k / 3 % 3], values[k / 9]]).collect();
    let (lattice, triangles) = made(&points);
    assert_exact(&lattice, &triangles);
    assert!(triangles.corners.len() >= 12);
    let normals = triangles.corners.iter().map(|corners| lattice.area(*corners).normalize());
    assert!(normals.into_iter().all(|normal| normal.amax() == 1.0));
}

#[test]
fn points_in_one_plane_are_refused() {
    let points: Vec<Vec3> =
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.25, 0.5, 0.5], [0.5, 0.25, 0.25]].map(Vec3::from).to_vec();
    let lattice = Lattice::new(&points, "points").unwrap();
    let error = Triangles::new(&lattice, &[0, 1, 2, 3, 4]).expect_err("is flat");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.contains("5 points in one plane"), "{}", error.message);
}

#[test]
fn many_points_on_a_ball_are_all_corners() {
    let mut random = Random::new(1);
    let points: Vec<[f64; 3]> = (0..2000).map(|_| random.unit_vector().into()).collect();
    let (lattice, triangles) = made(&points);
    assert_exact(&lattice, &triangles);
    assert_eq!(triangles.corners.len(), 2 * points.len() - 4);
}

#[test]
fn turned_grids_are_exact_in_round_off() {
    // Faces of 25 points each that are flat within round-off, in doubles and in floats.
    let mut random = Random::new(2);
    for run in 0..200 {
        let turn = random.turn();
        let place = |k: i32| turn * Vec3::new(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25)) * 0.1;
        let round = |value: f64| if run % 2 == 0 { value } else { f64::from(value as f32) };
        let points: Vec<[f64; 3]> = (0..125).map(|k| place(k).map(round).into()).collect();
        let (lattice, triangles) = made(&points);
        assert_exact(&lattice, &triangles);
    }
}

#[test]
fn one_corner_under_all_triangles_costs_no_square() {
    // Two tips above and below a polygon: a tip that is inserted late is above half of all triangles.
    let count = 20_000;
    let side = |k: u32| crate::math::elementary::sin_cos(std::f64::consts::TAU * f64::from(k) / f64::from(count));
    let rim = (0..count).map(|k| [side(k).0, side(k).1, 0.0]);
    let points: Vec<[f64; 3]> = rim.chain([[0.0, 0.0, 0.125], [0.0, 0.0, -0.125]]).collect();
    let (_, triangles) = made(&points);
    assert_eq!(triangles.corners.len(), 2 * count as usize);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Points on a coarse lattice, of which many coincide, and lie on lines and in planes.
    #[test]
    fn hulls_of_lattice_points_are_exact(
        points in proptest::collection::vec([-2..=2i32, -2..=2i32, -2..=2i32], 4..60),
        scales in [1e-6..1.0, 1e-3..1.0, 0.1..1.0f64],
    ) {
        let scaled = |point: [i32; 3]| std::array::from_fn(|axis| f64::from(point[axis]) * scales[axis]);
        // Four that span a volume.
        let simplex = [[-2, -2, -2], [2, -2, -2], [-2, 2, -2], [-2, -2, 2]];
        let points: Vec<[f64; 3]> = simplex.into_iter().chain(points).map(scaled).collect();
        let (lattice, triangles) = made(&points);
        assert_exact(&lattice, &triangles);
    }
}
