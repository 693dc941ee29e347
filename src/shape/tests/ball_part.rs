use std::f64::consts::PI;

use proptest::prelude::*;

use super::polyhedron::{assert_same, cuboid};
use crate::math::{Mat3, Vec3};
use crate::shape::ball_part::ball_within;
use crate::shape::moments::Moments;
use crate::shape::polyhedron::Polyhedron;

/// Round-off of some hundred terms of size 1.
const ROUND_OFF: f64 = 1e-13;

fn ball() -> Moments {
    let volume = 4.0 / 3.0 * PI;
    Moments { volume, first: Vec3::zeros(), second: Mat3::identity() * (volume / 5.0) }
}

fn within(polyhedron: &Polyhedron) -> Moments {
    ball_within(&Vec3::zeros(), 1.0, polyhedron).expect("memory")
}

#[test]
fn all_of_a_ball_and_none_of_it() {
    assert_same(&within(&cuboid([2.0; 3], [0.1, 0.2, 0.3], [0.3; 3])), &ball(), ROUND_OFF);
    assert_same(&within(&cuboid([1.0; 3], [0.0; 3], [0.0; 3])), &ball(), ROUND_OFF);
    assert_same(&within(&cuboid([1.0; 3], [2.0, 0.0, 0.0], [0.0; 3])), &Moments::zero(), ROUND_OFF);
    // A small box inside is the box.
    let small = cuboid([0.3, 0.2, 0.1], [0.1, 0.0, -0.2], [0.2, 0.1, 0.4]);
    assert_same(&within(&small), &small.moments(), ROUND_OFF);
}

#[test]
fn half_a_quarter_and_an_eighth_of_a_ball() {
    let corner = |center: [f64; 3]| within(&cuboid([2.0; 3], center, [0.0; 3]));
    let (volume, square) = (ball().volume, ball().second[(0, 0)]);
    let half = corner([0.0, 0.0, 2.0]);
    assert_same(
        &half,
        &Moments { volume: volume / 2.0, first: Vec3::new(0.0, 0.0, PI / 4.0), second: ball().second / 2.0 },
        ROUND_OFF,
    );
    // The integrals of x and of x y over an eighth are pi/16 and 1/15; over a quarter, twice that.
    let mut second = Mat3::identity() * (square / 4.0);
    (second[(1, 2)], second[(2, 1)]) = (2.0 / 15.0, 2.0 / 15.0);
    assert_same(
        &corner([0.0, 2.0, 2.0]),
        &Moments { volume: volume / 4.0, first: Vec3::new(0.0, PI / 8.0, PI / 8.0), second },
        ROUND_OFF,
    );
    let second = Mat3::from_element(1.0 / 15.0) + Mat3::identity() * (square / 8.0 - 1.0 / 15.0);
    assert_same(
        &corner([2.0; 3]),
        &Moments { volume: volume / 8.0, first: Vec3::repeat(PI / 16.0), second },
        ROUND_OFF,
    );
}

#[test]
fn a_ball_that_pokes_through_all_faces() {
    // Caps of height 1 - d: volume pi h^2 (3 - h)/3; integral of z^2 over z from d to 1 of pi (1 - z^2) z^2, of x^2 pi (1 - z^2)^2/4.
    let d = 0.75;
    let primitive = |z: f64| z * z * z / 3.0 - z.powi(5) / 5.0;
    let along = PI * (primitive(1.0) - primitive(d));
    let quartic = |z: f64| z - 2.0 * z * z * z / 3.0 + z.powi(5) / 5.0;
    let across = PI / 4.0 * (quartic(1.0) - quartic(d));
    let cap = PI * (1.0f64 - d).powi(2) * (2.0 + d) / 3.0;
    let square = ball().second[(0, 0)] - 2.0 * along - 4.0 * across;
    let expected =
        Moments { volume: ball().volume - 6.0 * cap, first: Vec3::zeros(), second: Mat3::identity() * square };
    assert_same(&within(&cuboid([d; 3], [0.0; 3], [0.0; 3])), &expected, ROUND_OFF);
}

/// A ball whose surface the edges of the box touch, and one whose surface its corners touch.
#[test]
fn touching_edges_and_corners_lose_nothing() {
    for half in [0.5f64.sqrt(), 1.0 / 3f64.sqrt()] {
        let near = |scale: f64| within(&cuboid([half * scale; 3], [0.0; 3], [0.0; 3]));
        for scale in [1.0 - 1e-9, 1.0 - 1e-15, 1.0, 1.0 + 1e-15, 1.0 + 1e-12, 1.0 + 1e-9] {
            // Volumes differ by the area of a cube's faces in the ball times the shift.
            assert_same(&near(scale), &near(1.0 - 1e-6), 2e-5);
            assert_same(&near(scale), &near(1.0 - 1e-9), 2e-8);
        }
    }
}

/// Boxes on a lattice: their corners, edges and faces meet the centre and the surface of the ball exactly.
#[test]
fn aligned_boxes_are_exact() {
    for cells in [1, 2, 3, 4] {
        let half = 1.0 / f64::from(cells);
        let at = |index: i32| half * f64::from(2 * index - cells + 1);
        let mut sum = Moments::zero();
        for cell in 0..cells.pow(3) {
            let center = [at(cell % cells), at(cell / cells % cells), at(cell / cells.pow(2))];
            let found = within(&cuboid([half; 3], center, [0.0; 3]));
            sum.add(&found, 1.0);
            // Turned and moved by 1e-7 nothing is aligned. The surface of a cell is at most 24, and places are below 2.
            let near = cuboid([half; 3], center.map(|place| place + 1e-7), [1e-7, -2e-7, 3e-7]);
            assert_same(&found, &within(&near), 24.0 * 1e-6);
        }
        assert_same(&sum, &ball(), ROUND_OFF);
    }
    // Both round off the lattice: the same boxes about a ball of another size and place.
    let scaled = |center: [f64; 3]| {
        let moved = cuboid([0.3; 3], center.map(|place| 0.3 * place + 0.7), [0.0; 3]);
        ball_within(&Vec3::repeat(0.7), 0.3, &moved).expect("memory").volume / 0.027
    };
    for (center, volume) in [([1.0; 3], PI / 6.0), ([0.0, 0.0, 1.0], 2.0 / 3.0 * PI), ([2.0, 0.0, 0.0], 0.0)] {
        assert!((scaled(center) - volume).abs() < ROUND_OFF, "{center:?}: {}", scaled(center));
    }
}

proptest! {
    /// Cut anywhere, the two sides make the whole: also where the centre, an edge or a corner is on or near the sphere.
    #[test]
    fn sides_of_a_plane_add_up(
        half in proptest::array::uniform3(0.2..1.3f64),
        center in proptest::array::uniform3(-1.0..1.0f64),
        turn in proptest::array::uniform3(-2.0..2.0f64),
        direction in proptest::array::uniform3(-1.0..1.0f64),
        offset in prop_oneof![Just(0.0), -0.9..0.9f64],
        radius in 0.5..2.0f64,
    ) {
        prop_assume!(Vec3::from(direction).norm() > 0.1);
        let normal = Vec3::from(direction).normalize();
        let whole = cuboid(half, center, turn);
        let of = |polyhedron: &Polyhedron| ball_within(&Vec3::zeros(), radius, polyhedron).expect("memory");
        let mut sum = Moments::zero();
        for side in [1.0, -1.0] {
            if let Some(part) = whole.clipped(&(normal * side), offset * side).unwrap() {
                sum.add(&of(&part), 1.0);
            }
        }
        assert_same(&sum, &of(&whole), 1e-11);
    }
}
