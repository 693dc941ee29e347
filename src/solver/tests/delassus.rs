//! The sparse operator against what the solver finds contact by contact.

use super::random::{Random, Scene, plain};
use crate::math::{BodyRow, Vec3};
use crate::solver::operator::assembly::frame;
use crate::solver::operator::delassus::{free_velocity, jacobian, mass_inverse, operator};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Impulse, Velocity};
use crate::solver::{Method, Options, Solver, StickProjection};

/// The impulses in the operator's rows.
fn rows(scene: &Scene, impulses: &[Impulse]) -> Vec<f64> {
    let along = |(contact, impulse): (&_, &Impulse)| frame(contact).map(|e| e.dot(&impulse.vector(&frame(contact)[0])));
    scene.contacts.iter().zip(impulses).flat_map(along).collect()
}

#[test]
fn relative_velocities_are_the_operator_times_the_impulses() {
    let mut random = Random(1);
    for case in 0..40 {
        let scene = Scene::random(&mut random, 15, 30);
        let problem = scene.problem();
        let options = Options {
            method: Method::Pgs,
            order: Order::Natural,
            iterations: 3,
            tolerance: 0.0,
            relaxation: 1.0,
            start: Start::Zero,
            projection: StickProjection::Off,
            splits: false,
        };
        let mut impulses = scene.no_impulses();
        let mut solver = Solver::default();
        solver.solve(&problem, &options, &mut impulses).expect("memory");

        let lambda = rows(&scene, &impulses.contacts);
        let (operator, q) = (operator(&problem), free_velocity(&problem));
        let w: Vec<f64> = operator
            .outer_iterator()
            .zip(&q)
            .map(|(row, free)| row.iter().map(|(column, value)| value * lambda[column]).sum::<f64>() + free)
            .collect();
        let largest = lambda.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        // Sums of up to some 90 terms, each at most the largest impulse times twice (1/m + arm^2/I) <= 60 or so.
        let tolerance = 1e-13 * (1.0 + 60.0 * largest);
        for (index, contact) in scene.contacts.iter().enumerate() {
            let u = solver.relative(contact).linear;
            let [_, t1, t2] = frame(contact);
            let (n, t) = contact.defect(&u, &Impulse::ZERO, problem.optional_terms(index.into()));
            for (k, value) in [n, t.dot(&t1), t.dot(&t2)].into_iter().enumerate() {
                let error = (value - w[3 * index + k]).abs();
                assert!(error <= tolerance, "case {case}, contact {index}, row {k}: {error:e} above {tolerance:e}");
            }
        }
    }
}

#[test]
fn the_operator_is_symmetric_and_its_diagonal_blocks_are_the_contacts() {
    let scene = Scene::random(&mut Random(2), 10, 20);
    let problem = scene.problem();
    let operator = operator(&problem);
    for (value, (row, column)) in &operator {
        let mirrored = operator.get(column, row).copied().unwrap_or(0.0);
        assert!((value - mirrored).abs() <= 1e-13, "({row}, {column}): {value} and {mirrored}");
    }
    for (index, contact) in scene.contacts.iter().enumerate() {
        let block = contact.delassus_block(problem.mass(contact.body_a), problem.mass(contact.body_b));
        for (i, e_i) in frame(contact).iter().enumerate() {
            for (j, e_j) in frame(contact).iter().enumerate() {
                let whole = operator.get(3 * index + i, 3 * index + j).copied().unwrap_or(0.0);
                // Entries up to 1/m + arm^2/I of some 60.
                assert!((whole - e_i.dot(&block.times(e_j))).abs() <= 1e-12, "contact {index} ({i}, {j})");
            }
        }
    }
}

#[test]
fn rows_of_a_hand_made_contact() {
    // Mass 2, inertia 4 about every axis, on the fixed world, normal z, arm (1, 0, -1):
    // arm x n = (0, -1, 0), so Wd_nn = 1/2 + 1/4, and q_n = v_z + w_x y - w_y x = -3 - 5.
    let mut scene = Scene::default();
    let velocity = Velocity { linear: Vec3::new(0.0, 0.0, -3.0), angular: Vec3::new(0.0, 5.0, 0.0) };
    let body = scene.body(2.0, crate::math::Symmetric3::diagonal([4.0; 3]), velocity);
    let mut contact = plain(BodyRow::NONE, body, Vec3::z());
    contact.arm_b = Vec3::new(1.0, 0.0, -1.0);
    scene.contacts.push(contact);
    let problem = scene.problem();
    assert_eq!(jacobian(&problem).shape(), (3, 6));
    assert_eq!(jacobian(&problem).get(0, 4), Some(&-1.0));
    assert_eq!(mass_inverse(&problem).get(3, 3), Some(&0.25));
    assert_eq!(operator(&problem).get(0, 0), Some(&0.75));
    assert_eq!(free_velocity(&problem)[0], -8.0);
}
