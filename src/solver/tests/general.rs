//! General contacts: one alone is solved at once, whatever its arms, inertia, axes and compliance.

use super::batches::Batches;
use super::random::{Random, Scene, on_lines, plain};
use crate::math::{Mat3, Symmetric3, Vec3};
use crate::solver::problem::{Contact, FIXED, Impulse, Velocity};
use crate::solver::residual::contact_residual;
use crate::solver::wide::general::GeneralBatch;
use nalgebra::SymmetricEigen;

/// Whether impulses in every direction move the contact. Where locks forbid one, a velocity in it can break the laws
/// whatever the impulse.
fn is_regular(contact: &Contact, delassus: &Mat3) -> bool {
    let along = contact.normal * contact.normal.transpose();
    let across = Mat3::identity() - along;
    let block = delassus + contact.normal_compliance * along + contact.tangential_compliance * across;
    let values = SymmetricEigen::new(block).eigenvalues;
    values.min() > 1e-4 * values.max()
}

#[test]
fn one_visit_solves_one_contact() {
    let mut random = Random(1);
    let mut active = 0;
    for case in 0..300 {
        let scene = Scene::random(&mut random, 5, 10);
        let problem = scene.problem();
        let (masses, free) = scene.with_world();
        for (index, contact) in scene.contacts.iter().enumerate() {
            let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
            if !is_regular(contact, &contact.delassus_block(mass_a, mass_b).to_matrix()) {
                continue;
            }
            let mut row = Batches::<GeneralBatch>::of_one(&scene, contact);
            let mut velocities = free.clone();
            on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
            let at = |body: u32| &velocities[body.min(5) as usize];
            let pair = [at(contact.body_a), at(contact.body_b)];
            let residual = contact_residual(&problem, contact, pair, &row.impulse(0));
            // Velocities of a few m/s, impulses of up to 1e4 times what the best direction needs.
            assert!(residual <= 1e-11, "case {case}, contact {index}: {residual:e} m/s");
            active += usize::from(row.impulse(0).normal > 0.0);
        }
    }
    assert!(active > 500, "only {active} contacts carry an impulse");
}

#[test]
fn a_hand_made_corner() {
    // A body of mass 1 and inertia 1 touches the floor at arm (1, 0, 0) without friction, falling at 1 m/s:
    // Wd_nn = 1 + 1 = 2, so lambda = 1/2, v_z = -1/2, and arm x z = (0, -1, 0): w_y = -1/2. All exact.
    let mut scene = Scene::default();
    let falling = Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), falling);
    scene.contacts.push(Contact { arm_b: Vec3::x(), ..plain(FIXED, body, Vec3::z()) });
    let (masses, mut velocities) = scene.with_world();
    let mut row = Batches::<GeneralBatch>::of_one(&scene, &scene.contacts[0]);
    on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
    assert_eq!(row.impulse(0).normal, 0.5);
    assert_eq!(velocities[0].linear, Vec3::new(0.0, 0.0, -0.5));
    assert_eq!(velocities[0].angular, Vec3::new(0.0, -0.5, 0.0));
    assert_eq!(velocities[1], Velocity::ZERO);
}

#[test]
fn an_impulse_survives_the_turn_into_the_rows_own_tangents() {
    let mut random = Random(2);
    let scene = Scene::random(&mut random, 5, 50);
    let (masses, free) = scene.with_world();
    for contact in &scene.contacts {
        let mut row = Batches::<GeneralBatch>::of_one(&scene, contact);
        let given = Impulse::force(2.0, contact.normal.cross(&random.vector(1.0)));
        row.set(0, &given);
        let kept = row.impulse(0);
        let moves = scene.problem().moves(contact.body_a) || scene.problem().moves(contact.body_b);
        if !moves {
            // Without compliance nothing can be done between two bodies that do not move.
            assert!(contact.normal_compliance > 0.0 || kept == Impulse::ZERO, "{kept:?}");
            continue;
        }
        assert_eq!(kept.normal, 2.0);
        // Two unit tangents, orthonormal to a few eps.
        assert!((kept.tangential - given.tangential).norm() <= 1e-15 * 8.0, "{kept:?} from {given:?}");
        // the sweeps start from it: what a visit changes is applied as the difference to it
        let mut velocities = free.clone();
        on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
        let change = row.impulse(0).vector(&contact.normal) - kept.vector(&contact.normal);
        let mut expected = free.clone();
        let (a, b) = (contact.body_a.min(5) as usize, contact.body_b.min(5) as usize);
        masses[a].apply(&mut expected[a], &-change, &contact.arm_a.cross(&-change));
        masses[b].apply(&mut expected[b], &change, &contact.arm_b.cross(&change));
        for (found, expected) in velocities.iter().zip(&expected) {
            let error = (found.linear - expected.linear).norm().max((found.angular - expected.angular).norm());
            // Changes times inverse masses and inertias of up to some 60, a few eps.
            assert!(error <= 1e-13 * (1.0 + change.norm()), "{error:e}");
        }
    }
}

#[test]
fn relaxed_visits_stay_on_the_cone() {
    let mut random = Random(3);
    let scene = Scene::random(&mut random, 8, 40);
    let (masses, mut velocities) = scene.with_world();
    let mut rows = Batches::<GeneralBatch>::new(&scene, &scene.contacts);
    for sweep in 0..20 {
        for (index, contact) in scene.contacts.iter().enumerate() {
            on_lines(&masses, &mut velocities, |bodies| rows.relax(index, bodies, 1.9));
            let Impulse { normal, tangential, .. } = rows.impulse(index);
            assert!(normal >= 0.0, "sweep {sweep}: {normal}");
            // The tangents are unit vectors to a few eps.
            assert!(tangential.norm() <= contact.friction * normal * (1.0 + 1e-14), "sweep {sweep}");
        }
    }
}
