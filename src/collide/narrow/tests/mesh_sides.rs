//! The sides of a closed mesh below bodies that dip into its top and reach over its edges.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::scene::{at, box_hull, one_way, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// A closed plate of 2 by 2 with the top at height 0. Bit `k` of `diagonals` turns the diagonal of side `k`.
fn plate(thickness: f64, diagonals: u32) -> Shape {
    let corner = |bits: u32| {
        let side = |axis: u32| 2.0 * f64::from(bits >> axis & 1) - 1.0;
        [side(0), side(1), 0.5 * thickness * (side(2) - 1.0)]
    };
    let points: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = |(side, [a, b, c, d]): (usize, [u32; 4])| {
        if diagonals >> side & 1 == 1 { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
    };
    let triangles: Vec<[u32; 3]> = sides.into_iter().enumerate().flat_map(halves).collect();
    Shape::mesh(&points, &triangles).expect("a closed plate")
}

fn all_are_below(found: &[ContactPoint], depth: f64) -> bool {
    // A contact of the top is no deeper than the body dips in, up to the round-off of its place.
    found.iter().all(|contact| contact.normal.z < -0.9 && contact.gap >= -depth - 1e-12)
}

/// Reached over by less, or by more, than it dips in, and not quite reached.
#[test]
fn a_side_does_not_stop_a_body_that_slides_off() {
    for diagonals in 0..64 {
        let (plate, here) = (plate(0.1, diagonals), at(0.0, 0.0, 0.0));
        for shape in [Shape::cuboid([0.4, 0.3, 0.2]).expect("a box"), box_hull([0.4, 0.3, 0.2])] {
            for depth in [1e-7, 1e-5, 1e-3, 1e-2] {
                for over in [-0.9, -0.1, 0.0, 0.1, 0.5, 0.999, 1.0, 2.0, 10.0] {
                    // Along x, and over the corner.
                    for y in [0.1, 0.7 + depth * over] {
                        let pose = turned(0.6 + depth * over, y, 0.2 - depth, [0.0; 3]);
                        let found = one_way((&shape, &pose), (&plate, &here), 0.01);
                        let deepest = found.iter().map(|contact| contact.gap).fold(0.0, f64::min);
                        let case = format!("{depth} deep, {over} of that over, y = {y}: {found:?}");
                        assert!(all_are_below(&found, depth), "{case}");
                        assert!((deepest + depth).abs() < 1e-15, "{case}");
                    }
                }
            }
        }
    }
}

/// 0.4 % of such places had contacts as deep as the bodies are wide.
#[test]
fn nothing_is_deeper_than_a_body_dips_in() {
    let shapes = [
        Shape::cuboid([0.3; 3]).expect("a box"),
        box_hull([0.3, 0.3, 0.15]),
        Shape::capsule(0.3, 0.1).expect("a capsule"),
        Shape::cylinder(0.3, 0.1).expect("a cylinder"),
    ];
    let mut compared = 0;
    for number in 0..6000 {
        // Places and turns that are spread evenly.
        let part = |step: f64| (step * f64::from(number)).fract();
        let shape = &shapes[number as usize % 4];
        let lying = if number % 4 < 2 { 0.0 } else { FRAC_PI_2 };
        let lean = if part(0.135) < 0.5 { 1e-3 } else { 0.02 };
        let towards = Vec3::new((TAU * part(0.711)).cos(), (TAU * part(0.711)).sin(), 0.0);
        let turn = Quat::new(lean * towards)
            * Quat::from_axis_angle(&Vec3::z_axis(), TAU * part(0.618_034))
            * Quat::from_axis_angle(&Vec3::y_axis(), lying);
        let depth = [1e-4, 1e-3, 1e-2][number as usize / 4 % 3];
        let upright = Pose::new(Vec3::zeros(), turn);
        let lowest = shape.bounds(&upright).lower.z;
        let place = Vec3::new(0.8 + 0.3 * part(0.754_878), 2.0 * part(0.569_84) - 1.0, -lowest - depth);
        let pose = Pose::new(place, turn);
        let found = one_way((shape, &pose), (&plate(0.1, number), &at(0.0, 0.0, 0.0)), 1e-3);
        assert!(all_are_below(&found, depth), "{number}: {found:?}");
        // A solid plate says how deep the body is where it is not beside the edge.
        let solid =
            one_way((shape, &pose), (&Shape::cuboid([1.0, 1.0, 0.05]).expect("a box"), &at(0.0, 0.0, -0.05)), 1e-3);
        let deepest = |found: &[ContactPoint]| found.iter().map(|contact| contact.gap).fold(0.0, f64::min);
        if all_are_below(&solid, depth) {
            compared += 1;
            let (own, expected) = (deepest(&found), deepest(&solid));
            assert!(own <= expected + 0.01 * depth, "{number}: {own} for {expected}");
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// A slab leans over the edge of a step of small tiles. Next to its side it overlaps parts of tiles only, which are no
/// reason to push it through the step.
#[test]
fn a_slab_over_the_edge_of_a_step_stays_on_its_side() {
    let slab = Shape::cuboid([0.41, 0.346, 0.169]).expect("a box");
    let solid = Shape::cuboid([1.0; 3]).expect("a box");
    for tiles in [8, 16, 25] {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for is_riser in [false, true] {
            let first = points.len() as u32;
            let along = |step: u32| 2.0 * f64::from(step) / f64::from(tiles);
            for (i, j) in (0..=tiles).flat_map(|i| (0..=tiles).map(move |j| (i, j))) {
                let (x, z) = if is_riser { (0.0, -along(i)) } else { (along(i), 0.0) };
                points.push([x, along(j) - 1.0, z]);
            }
            for (i, j) in (0..tiles).flat_map(|i| (0..tiles).map(move |j| (i, j))) {
                let corner = |di: u32, dj: u32| first + (i + di) * (tiles + 1) + j + dj;
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let step = Shape::mesh(&points, &triangles).expect("a step");
        for (tilt, overlap) in [0.3f64, 0.5, 0.7].into_iter().flat_map(|tilt| [0.005, 0.01, 0.015].map(|z| (tilt, z))) {
            for over in [0.1, 0.2, 0.3] {
                let (along, up) = (0.41 - over / tilt.cos(), 0.169);
                let x = tilt.cos() * along - tilt.sin() * up;
                let z = tilt.sin() * along + tilt.cos() * up - overlap;
                let pose = turned(x, -0.0276, z, [0.0, -tilt, 0.0]);
                let found = one_way((&slab, &pose), (&step, &at(0.0, 0.0, 0.0)), 1e-3);
                let expected = one_way((&slab, &pose), (&solid, &at(1.0, 0.0, -1.0)), 1e-3);
                let deepest = |found: &[ContactPoint]| found.iter().map(|contact| contact.gap).fold(0.0, f64::min);
                let (own, expected) = (deepest(&found), deepest(&expected));
                // The plane of the top is deeper than the edge, by up to one over the cosine of the tilt, and round-off.
                let least = expected / tilt.cos() - 1e-12;
                assert!(own < 0.0 && own >= least, "{tiles}, {tilt}, {overlap}, {over}: {own} for {expected}");
            }
        }
    }
}

/// A floor along x and a wall that leans by `lean` from the upright, with the shared edge along y through the origin.
fn corner(lean: f64, turned_diagonals: bool) -> Shape {
    let top = 2.0 * lean.tan();
    let points =
        [[0.0, -2.0, 0.0], [0.0, 2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [top, -2.0, 2.0], [top, 2.0, 2.0]];
    let halves =
        |[a, b, c, d]: [u32; 4]| if turned_diagonals { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] };
    let triangles: Vec<[u32; 3]> = [[0, 2, 3, 1], [0, 1, 5, 4]].into_iter().flat_map(halves).collect();
    Shape::mesh(&points, &triangles).expect("a corner")
}

/// A hull whose toe, an edge or a tip, is at the foot of a wall, is held by floor and wall.
#[test]
fn a_toe_at_the_foot_of_a_wall_is_held_by_both() {
    let above = |x: f64, y: f64| [x, y, 0.5];
    let edge =
        [[0.0, -0.3, 0.0], [0.0, 0.3, 0.0], [1.0, -0.3, 0.0], [1.0, 0.3, 0.0], above(0.8, -0.3), above(0.8, 0.3)];
    let tip = [[0.0; 3], [1.0, -0.3, 0.0], [1.0, 0.3, 0.0], above(0.8, -0.3), above(0.8, 0.3), above(0.8, 0.0)];
    for lean in [-0.5f64, 0.0, 0.4] {
        // The wall faces along this normal.
        let out = Vec3::new(lean.cos(), 0.0, -lean.sin());
        for (corners, turned_diagonals) in [(edge, false), (edge, true), (tip, false), (tip, true)] {
            let (shape, corner) = (Shape::hull(&corners).expect("a hull"), corner(lean, turned_diagonals));
            for (into_wall, into_floor) in [-1e-3, 0.0, 1e-9, 1e-5, 1e-3, 0.01]
                .into_iter()
                .flat_map(|x| [-1e-3, 0.0, 1e-9, 1e-5, 1e-3, 0.01].map(|z| (x, z)))
            {
                // The toe is this far behind both planes.
                let x = (-into_wall - into_floor * lean.sin()) / lean.cos();
                let found = one_way((&shape, &at(x, 0.1, -into_floor)), (&corner, &at(0.0, 0.0, 0.0)), 0.01);
                let case = format!("{lean}, {turned_diagonals}, {into_wall}, {into_floor}: {found:?}");
                // How far each surface reaches along the toe, upwards and along x: beyond its end it is clipped.
                let up = Vec3::new(-out.z, 0.0, out.x).dot(&Vec3::new(x, 0.0, -into_floor));
                for (normal, depth, along) in [(-out, into_wall, up), (-Vec3::z(), into_floor, x)] {
                    let own = found.iter().filter(|contact| contact.normal.dot(&normal) > 0.999);
                    let deepest = own.map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                    let is_exact = (deepest + depth).abs() < 1e-12;
                    assert!(is_exact || along < 0.0, "{deepest} for {} along {normal:?}: {case}", -depth);
                }
            }
        }
    }
}
