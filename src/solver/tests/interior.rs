//! The compatibility correction at exponents below 2.

#![allow(clippy::expect_used)]

use crate::math::{BodyRow, Vec3};
use crate::solver::compatibility::{Corrected, Elastic, Form, StiffContacts};
use crate::solver::problem::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::solver::solve::Solver;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A ball on a floor and in a groove of 45 degrees, under a ceiling where there is a fourth impulse; the impulses hold it.
fn corrected(exponent: f64, stiffness: &[f64], impulses: &[f64]) -> (Corrected, Vec<f64>) {
    let normals = [Vec3::z(), Vec3::new(HALF, 0.0, HALF), Vec3::new(-HALF, 0.0, HALF), -Vec3::z()];
    let contact = |normal: &Vec3| Contact {
        body_a: BodyRow::NONE,
        body_b: BodyRow(0),
        normal: *normal,
        arm_a: Vec3::zeros(),
        arm_b: -normal,
        normal_bias: 0.0,
        friction: 0.0,
    };
    let contacts: Vec<Contact> = normals.iter().take(impulses.len()).map(contact).collect();
    let total: Vec3 = normals.iter().zip(impulses).map(|(normal, impulse)| normal * *impulse).sum();
    let velocities = [Velocity { linear: -total, angular: Vec3::zeros() }];
    let masses = [MassInverse { linear: Vec3::repeat(1.0), ..MassInverse::ZERO }];
    let friction = Friction::Coulomb;
    let problem =
        Problem { masses: &masses, velocities: &velocities, contacts: &contacts, optional: &[], rows: &[], friction };
    let contacts = impulses.iter().map(|impulse| Impulse::force(*impulse, Vec3::zeros())).collect();
    let given = Impulses { contacts, ..Impulses::default() };
    let elastic = Elastic { exponent, form: Form::Normal, ratio: 1.0, tolerance: 1e-12, closing: 1e-9, touching: 0.0 };
    let (mut solver, mut displacements, mut answer) = (Solver::default(), Vec::new(), Impulses::default());
    solver.take(&problem, &given).expect("memory");
    let found = solver
        .correct(
            &problem,
            StiffContacts { impulses: &given, stiffness, openings: &[] },
            &elastic,
            &mut displacements,
            &mut answer,
        )
        .expect("memory");
    (found, answer.contacts.iter().map(|impulse| impulse.normal).collect())
}

/// Pressed down by 1, the floor gives by d and the sides of the groove by d cos 45. With f = k c^(p-1) the sides carry
/// k cos(45)^(p-1) of the floor each, and f_floor + 2 f_side cos 45 is the load.
#[test]
fn a_groove_shares_its_load_as_the_law_says() {
    for exponent in [1.05, 1.2, 1.5, 1.9] {
        for k in [1e-3, 1.0, 30.0] {
            let (found, forces) = corrected(exponent, &[1.0, k, k, 1.0], &[7.0, 0.0, 0.0, 0.0]);
            assert_eq!((found.infeasible, found.unconverged), (0, 0), "p = {exponent}, k = {k}");
            let share = k * HALF.powf(exponent - 1.0);
            let floor = 7.0 / (1.0 + 2.0 * share * HALF);
            // the solution is to 1e-12 of the load, and complementary to 1e-14
            for (force, expected) in forces.iter().zip([floor, share * floor, share * floor]) {
                assert!((force - expected).abs() <= 1e-10 * 7.0, "p = {exponent}, k = {k}: {force} for {expected}");
            }
            assert_eq!(forces[3], 0.0, "the ceiling");
            assert!(found.iterations <= 40, "p = {exponent}, k = {k}: {} steps", found.iterations);
        }
    }
}

/// No force holds a ball back from where no contact is.
#[test]
fn a_pulling_load_is_infeasible() {
    let (found, forces) = corrected(1.2, &[1.0; 3], &[-1.0, 0.0, 0.0]);
    assert_eq!(found.infeasible, 1);
    assert_eq!(forces, [-1.0, 0.0, 0.0]);
}
