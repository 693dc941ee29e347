//! Mechanisms: against dense solves, and cases whose answer is known.

mod known;
mod redundant;
mod scene;
mod stiffness;
mod structure;

use nalgebra::DVector;

use super::random::Random;
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::{BodyImpulse, Mechanism, Port};
use crate::solver::problem::MassInverse;
use scene::{Dense, Scene, WORLD, difference, flat, without_rows};

/// Random hinges and pins, each body to one before it, the first one to the world or to none.
fn random_tree(random: &mut Random, bodies: usize, masses: [f64; 2], anchored: bool) -> Scene {
    let mut scene = Scene::default();
    for body in 0..bodies {
        let mass = random.magnitude(masses[0], masses[1]);
        let own = scene.random_body(random, mass);
        let before = if body == 0 { WORLD } else { BodyRow::from(random.index(body)) };
        if body == 0 && !anchored {
            continue;
        }
        let (point, axis) = (random.vector(2.0), random.direction());
        if random.one_in(2) { scene.hinge([before, own], point, axis) } else { scene.pin([own, before], point) }
    }
    scene
}

/// Returns the ports of all velocities of some bodies.
fn ports(bodies: &[BodyRow]) -> Vec<Port> {
    bodies.iter().flat_map(|body| Port::of_body(*body)).collect()
}

/// Compares velocities, multipliers and the whole inverse mass with dense solves.
fn compare(scene: &Scene, tolerance: f64, name: &str) {
    let dense = Dense::new(scene);
    let (lambda, velocities) = dense.solve(&flat(&scene.velocities));
    let solved = scene.solve();
    assert!(!solved.contradicts, "{name}");
    let error = difference(&flat(&solved.velocities), &velocities);
    assert!(error <= tolerance * velocities.amax(), "{name}: velocities {error:e}");
    let error = difference(&DVector::from_vec(solved.lambda), &lambda);
    assert!(error <= tolerance * lambda.amax(), "{name}: multipliers {error:e}");
    let bodies: Vec<BodyRow> = BodyRow::range(0..scene.masses.len()).collect();
    let (mut b, expected) = (Vec::new(), dense.constrained_inverse());
    scene.mechanism().mobility(&scene.problem(), &ports(&bodies), &mut b).expect("all bodies are in it");
    let error = difference(&DVector::from_vec(b), &DVector::from_column_slice(expected.as_slice()));
    assert!(error <= tolerance * expected.amax(), "{name}: inverse mass {error:e}");
}

#[test]
fn trees_are_solved() {
    let mut random = Random(1);
    for round in 0..40 {
        let mut scene = random_tree(&mut random, 1 + round % 9, [0.5, 5.0], round % 3 != 0);
        if scene.rows.is_empty() {
            continue;
        }
        scene.scatter_rows(&mut random, round % 2 == 0);
        // The condition of random trees is up to 1e4 here.
        compare(&scene, 1e-11, &format!("tree {round}"));
    }
}

#[test]
fn loops_are_solved() {
    let mut random = Random(2);
    for round in 0..40 {
        let mut scene = random_tree(&mut random, 4 + round % 6, [0.5, 5.0], round % 3 != 0);
        for _ in 0..1 + round % 3 {
            // Pins take three of the freedoms that hinges left, and rank stays full.
            let (low, high) = (random.index(scene.masses.len()), random.index(scene.masses.len()));
            let (point, direction) = (random.vector(2.0), random.direction());
            if low != high {
                scene.lock_point([low.into(), high.into()], point, direction);
            }
        }
        scene.scatter_rows(&mut random, round % 2 == 0);
        compare(&scene, 1e-11, &format!("loops {round}"));
    }
}

#[test]
fn chains_of_unlike_masses_are_solved() {
    let mut random = Random(3);
    for round in 0..20 {
        let mut scene = Scene::default();
        let mut before = if round % 2 == 0 { WORLD } else { scene.random_body(&mut random, 1000.0) };
        for link in 0..12 {
            let heavy = match round % 4 {
                0 | 1 => link % 2 == 0,
                2 => link == 11,
                _ => link == 5,
            };
            let own = scene.random_body(&mut random, if heavy { 1000.0 } else { 1.0 });
            let (point, axis) = (random.vector(1.0), random.direction());
            scene.hinge([before, own], point, axis);
            before = own;
        }
        scene.scatter_rows(&mut random, false);
        // The dense solve has an error of its own: a condition of 1e6 times round-off.
        compare(&scene, 1e-10, &format!("chain {round}"));
    }
}

#[test]
fn a_response_is_a_column() {
    let mut random = Random(4);
    let scene = random_tree(&mut random, 7, [0.5, 5.0], true);
    let (dense, mut mechanism) = (Dense::new(&scene).constrained_inverse(), scene.mechanism());
    let (mut changes, mut lambda) = (Vec::new(), vec![0.0; scene.rows.len()]);
    for body in BodyRow::range(0..scene.masses.len()) {
        let (impulse, moment) = (random.vector(3.0), random.vector(2.0));
        mechanism.response(BodyImpulse { body, impulse, moment }, &mut changes).expect("memory");
        let mut given = DVector::zeros(dense.nrows());
        given.fixed_rows_mut::<3>(6 * body.index()).copy_from(&impulse);
        given.fixed_rows_mut::<3>(6 * body.index() + 3).copy_from(&moment);
        // Solves of a condition of 1e3.
        let error = difference(&flat(&changes), &(&dense * given));
        assert!(error <= 1e-12, "{body}: {error:e}");
        // The same by velocities: the impulse acts first, and the rows are solved after it.
        let mut at_rest =
            Scene { velocities: vec![crate::solver::Velocity::ZERO; scene.masses.len()], ..scene.clone() };
        scene.masses[body].apply(&mut at_rest.velocities[body], &impulse, &moment);
        let solved = at_rest.solve();
        let error = difference(&flat(&changes), &flat(&solved.velocities));
        assert!(error <= 1e-13, "{body}: {error:e} by velocities");
        mechanism.respond(&[BodyImpulse { body, impulse, moment }], &mut changes, &mut lambda).expect("memory");
        let error = difference(&DVector::from_vec(solved.lambda), &DVector::from_vec(lambda.clone()));
        assert!(error <= 1e-12, "{body}: {error:e} of the multipliers");
    }
}

#[test]
fn immovable_bodies_bring_their_velocity() {
    let mut random = Random(5);
    let mut scene = Scene::default();
    let drive = scene.body(MassInverse::ZERO, Vec3::zeros());
    scene.velocities[drive].linear = Vec3::new(0.3, -0.2, 0.5);
    scene.velocities[drive].angular = Vec3::new(0.0, 0.0, 2.0);
    let body = scene.random_body(&mut random, 2.0);
    scene.weld([drive, body], Vec3::new(1.0, 0.0, 0.0));
    let solved = scene.solve();
    // A weld makes one body of both: the speed of a point that turns with the drive.
    let expected = scene.velocities[drive].at(&scene.centres[body]);
    assert!((solved.velocities[body].linear - expected).norm() <= 1e-14);
    assert!((solved.velocities[body].angular - scene.velocities[drive].angular).norm() <= 1e-14);
    assert_eq!(solved.velocities[drive], scene.velocities[drive]);
    // Nothing is left to move, and immovable bodies have no share in an inverse mass.
    let mut b = Vec::new();
    scene.mechanism().mobility(&scene.problem(), &ports(&[drive, body]), &mut b).expect("both are known");
    assert!(b.iter().all(|entry| entry.abs() <= 1e-15), "{b:?}");
}

#[test]
fn a_body_without_rows_is_free() {
    let mut random = Random(6);
    let mut scene = Scene::default();
    let bodies = [scene.random_body(&mut random, 2.0), scene.random_body(&mut random, 3.0)];
    let mut mechanism = Mechanism::default();
    assert!(mechanism.factor(&scene.problem(), without_rows(&bodies)).expect("memory"));
    let mut b = Vec::new();
    mechanism.mobility(&scene.problem(), &ports(&bodies), &mut b).expect("both are in it");
    let expected = Dense::new(&scene).inverse_mass;
    // Two products of the root of the inverse mass.
    assert!(difference(&DVector::from_vec(b), &DVector::from_column_slice(expected.as_slice())) <= 1e-15);
    let mut velocities = scene.velocities.clone();
    let result = mechanism.constrain(&scene.rows, &mut velocities, &mut []).expect("memory");
    assert_eq!((result.residual, velocities), (0.0, scene.velocities.clone()));
    assert!(mechanism.mobility(&scene.problem(), &ports(&[BodyRow(2)]), &mut Vec::new()).is_ok(), "the fixed world");
}

#[test]
fn a_body_of_another_mechanism_is_refused() {
    let mut random = Random(7);
    let mut scene = Scene::default();
    let bodies = [scene.random_body(&mut random, 2.0), scene.random_body(&mut random, 3.0)];
    let mut mechanism = Mechanism::default();
    assert!(mechanism.factor(&scene.problem(), without_rows(&bodies[..1])).expect("memory"));
    assert!(mechanism.mobility(&scene.problem(), &ports(&bodies), &mut Vec::new()).is_err());
}

#[test]
fn locked_axes_stay_locked() {
    let mut random = Random(8);
    let mut scene = Scene::default();
    let body = scene.random_body(&mut random, 2.0);
    let plane = scene.random_body(&mut random, 3.0);
    scene.masses[body].linear.y = 0.0;
    scene.hinge([body, plane], random.vector(1.0), Vec3::y());
    // The row along y has no share of the first body, and is eliminated before the second one.
    scene.scatter_rows(&mut random, false);
    let (lambda, velocities) = Dense::new(&scene).solve(&flat(&scene.velocities));
    let solved = scene.solve();
    // Dense solves of a condition of 1e2.
    assert!(difference(&flat(&solved.velocities), &velocities) <= 1e-12);
    assert!(difference(&DVector::from_vec(solved.lambda), &lambda) <= 1e-12);
    assert_eq!(solved.velocities[body].linear.y, scene.velocities[body].linear.y);
}
