//! The polygons of shapes: closed, outward, and as large as the shape.

use crate::math::Vec3;
use crate::shape::{Facets, Shape, Surface};

fn drawn(shape: &Shape, sides: u32) -> Surface {
    let mut surface = Surface::default();
    // What an earlier shape left is gone.
    surface.draw(&Shape::sphere(9.0).expect("a sphere"), &facets(5)).expect("memory");
    surface.draw(shape, &facets(sides)).expect("memory");
    surface
}

fn facets(sides: u32) -> Facets {
    Facets { sides, square: 4.0, middle: Vec3::new(1.0, 2.0, 5.0) }
}

/// The corners of each polygon.
fn polygons(surface: &Surface) -> Vec<Vec<Vec3>> {
    surface.polygons().map(|corners| corners.iter().map(|corner| surface.points[*corner as usize]).collect()).collect()
}

/// The volume within polygons that are counterclockwise as seen from outside.
fn volume(polygons: &[Vec<Vec3>]) -> f64 {
    let fan = |corners: &Vec<Vec3>| -> f64 {
        corners.windows(2).skip(1).map(|pair| corners[0].dot(&pair[0].cross(&pair[1])) / 6.0).sum()
    };
    polygons.iter().map(fan).sum()
}

/// The sum of all area vectors; zero if the surface is closed.
fn gap(polygons: &[Vec<Vec3>]) -> f64 {
    let area = |corners: &Vec<Vec3>| -> Vec3 {
        (0..corners.len()).map(|at| corners[at].cross(&corners[(at + 1) % corners.len()])).sum()
    };
    polygons.iter().map(area).sum::<Vec3>().norm()
}

#[test]
fn solids_are_closed_and_have_their_volume() {
    let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
    let flat = [Shape::cuboid([0.5, 1.0, 1.5]).expect("a box"), Shape::hull(&corners).expect("a hull")];
    for (shape, expected) in flat.iter().zip([6.0, 4.0]) {
        let polygons = polygons(&drawn(shape, 24));
        assert!(gap(&polygons) <= 1e-14 && (volume(&polygons) - expected).abs() <= 1e-14, "{shape:?}");
    }
    let round = [
        Shape::sphere(0.5).expect("a sphere"),
        Shape::capsule(0.75, 0.5).expect("a capsule"),
        Shape::capsule(0.0, 0.5).expect("a capsule"),
        Shape::cylinder(0.75, 0.5).expect("a cylinder"),
    ];
    for shape in &round {
        let whole = shape.mass_properties().expect("a volume").volume;
        for (sides, short) in [(24, 0.03), (240, 0.0003)] {
            let polygons = polygons(&drawn(shape, sides));
            let found = volume(&polygons) / whole;
            assert!(gap(&polygons) <= 1e-13 && found < 1.0 && found > 1.0 - short, "{shape:?}: {found}");
        }
    }
}

#[test]
fn all_corners_are_on_the_surface() {
    let capsule = drawn(&Shape::capsule(0.75, 0.5).expect("a capsule"), 8);
    for point in &capsule.points {
        let axis = Vec3::new(0.0, 0.0, point.z.clamp(-0.75, 0.75));
        assert!(((point - axis).norm() - 0.5).abs() <= 1e-15, "{point}");
    }
    // 8 sides: a circle at each end of the tube and one between it and the pole, on either side.
    assert_eq!((capsule.points.len(), capsule.polygons().count()), (4 * 8 + 2, 3 * 8 + 2 * 8));
}

#[test]
fn a_mesh_is_drawn_as_it_is() {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let surface = drawn(&Shape::mesh(&points, &[[0, 1, 2], [3, 2, 1]]).expect("a mesh"), 24);
    assert_eq!(surface.points, points.map(Vec3::from));
    assert_eq!(surface.polygons().collect::<Vec<_>>(), [[0, 1, 2], [3, 2, 1]]);
}

#[test]
fn a_half_space_is_a_square_that_faces_outwards() {
    let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let surface = drawn(&Shape::half_space(normal.into(), 0.5).expect("a half-space"), 24);
    let corners = &polygons(&surface)[0];
    assert_eq!((corners.len(), surface.polygons().count()), (4, 1));
    let middle = corners.iter().sum::<Vec3>() / 4.0;
    // The point of the plane nearest to the given one.
    let nearest = Vec3::new(1.0, 2.0, 5.0) + normal * (0.5 - normal.dot(&Vec3::new(1.0, 2.0, 5.0)));
    assert!((middle - nearest).norm() <= 1e-14);
    assert!(corners.iter().all(|corner| (normal.dot(corner) - 0.5).abs() <= 1e-14));
    let area = (corners[1] - corners[0]).cross(&(corners[2] - corners[1]));
    assert!((area - normal * 16.0).norm() <= 1e-13);
}
