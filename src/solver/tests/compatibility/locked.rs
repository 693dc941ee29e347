//! Bodies of which translations or rotations are locked: what is locked carries whatever comes.

use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Contact, MassInverse, Velocity};
use crate::solver::tests::compatibility::small::assert_close;
use crate::solver::tests::compatibility::{HERTZ, HOOKE, corrected};
use crate::solver::tests::random::{Scene, plain};

/// Of forces of the size of ten that solve equations to 1e-12 of their load.
const CLOSE: f64 = 1e-10;

/// A body of weight `weight` that moves along some axes and turns about some.
fn scene(weight: f64, moves: [f64; 3], turns: [f64; 3]) -> Scene {
    let mass = MassInverse { linear: Vec3::from(moves), angular: Symmetric3::diagonal(turns) };
    let falling = Velocity { linear: -weight * Vec3::z(), angular: Vec3::zeros() };
    Scene { masses: vec![mass], velocities: vec![falling], ..Scene::default() }
}

/// A body on a slope (normal (3/5, 0, 4/5)) and on the floor is free along z alone. Sunk by d, it has the compressions
/// 4/5 d and d. So 16/25 d + d = 8.2 gives d = 5: forces 4 and 5. The 2.4 along x that the slope adds belong to no
/// body.
#[test]
fn locked_translations() {
    for turns in [[0.0; 3], [1.0; 3]] {
        let mut scene = scene(8.2, [0.0, 0.0, 1.0], turns);
        let slope = Vec3::new(0.6, 0.0, 0.8);
        for normal in [slope, Vec3::z()] {
            scene.contacts.push(Contact { arm_b: -normal, ..plain(BodyRow::NONE, BodyRow(0), normal) });
        }
        for given in [[0.0, 8.2], [10.25, 0.0]] {
            let (_, forces) = corrected(&scene, &given, &[1.0, 1.0], HOOKE);
            assert_close(&forces, &[4.0, 5.0], CLOSE);
        }
    }
}

/// A beam that cannot turn sinks alike at all supports, wherever the load is.
#[test]
fn locked_rotations() {
    let mut scene = scene(10.0, [1.0; 3], [0.0; 3]);
    for x in [-1.0, 0.0, 1.0] {
        scene.contacts.push(Contact { arm_b: Vec3::new(x, 0.0, -0.1), ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    }
    for exponent in [HOOKE, HERTZ] {
        let (_, forces) = corrected(&scene, &[10.0, 0.0, 0.0], &[1.0, 1.0, 1.0], exponent);
        assert_close(&forces, &[10.0 / 3.0; 3], CLOSE);
        let (_, forces) = corrected(&scene, &[10.0, 0.0, 0.0], &[1.0, 3.0, 1.0], exponent);
        assert_close(&forces, &[2.0, 6.0, 2.0], CLOSE);
    }
}

/// A plate on its four corners (+-1, +-1) that turns about x alone sinks by `a + b y`. With 3 given at (1, 1) and 1 at
/// (1, -1), 4 a = 4 and 4 b = 3 - 1. The corners at y = 1 carry 3/2 each and the others 1/2; the moment about y acts on
/// no body.
#[test]
fn one_rotation_left() {
    let mut scene = scene(4.0, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
    // so that all corners stay closed: what turns it is taken away by the impulses
    scene.velocities[0].angular.x = -2.0;
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        scene.contacts.push(Contact { arm_b: Vec3::new(x, y, -0.1), ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    }
    let (report, forces) = corrected(&scene, &[3.0, 1.0, 0.0, 0.0], &[1.0; 4], HOOKE);
    assert_eq!(report.closed, 4);
    assert_close(&forces, &[1.5, 0.5, 1.5, 0.5], CLOSE);
}

/// Everything locked: no island, and what was given stays.
#[test]
fn all_locked() {
    let mut scene = scene(0.0, [0.0; 3], [0.0; 3]);
    scene.contacts.push(Contact { arm_b: -Vec3::z(), ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    let (report, forces) = corrected(&scene, &[2.0], &[1.0], HOOKE);
    assert_eq!((forces, report.closed), (vec![2.0], 0));
}
