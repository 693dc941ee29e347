//! Laws and starts far from anything useful: they end, and what is said of them is true.

use crate::math::Vec3;
use crate::solver::compatibility::{Corrected, Displacement, Elastic, Form, StiffContacts};
use crate::solver::problem::{Impulse, Impulses};
use crate::solver::solve::Solver;
use crate::solver::tests::compatibility::small::{assert_close, beam};

const FORMS: [Form; 3] = [Form::Normal, Form::Associated, Form::Elastic];

/// Corrects (5, 0, 5) N s under a beam on three supports, of stiffness 1, 3, 1, with friction, from given displacements.
fn three(elastic: &Elastic, friction: f64, displacements: &mut Vec<Displacement>) -> (Corrected, Vec<f64>) {
    let mut scene = beam(10.0, &[-1.0, 0.0, 1.0]);
    scene.contacts.iter_mut().for_each(|contact| contact.friction = friction);
    let given = [5.0, 0.0, 5.0].map(|normal| Impulse::force(normal, Vec3::zeros()));
    let impulses = scene.with_contacts(&given);
    let (problem, mut solver, mut answer) = (scene.problem(), Solver::default(), Impulses::default());
    solver.take(&problem, &impulses).expect("memory");
    let report = solver
        .correct(
            &problem,
            StiffContacts { impulses: &impulses, stiffness: &[1.0, 3.0, 1.0], openings: &[] },
            elastic,
            displacements,
            &mut answer,
        )
        .expect("memory");
    (report, answer.contacts.iter().map(|impulse| impulse.normal).collect())
}

fn hooke(form: Form) -> Elastic {
    Elastic { exponent: 2.0, form, ratio: 2.0 / 7.0, tolerance: 1e-10, closing: 1e-9, touching: 0.0 }
}

#[test]
fn exponents_without_sense_end_in_balance() {
    for exponent in [1.0 + 1e-9, 1.0001, 1.01, 50.0, 1e5, 1e300] {
        for form in FORMS {
            let (report, forces) = three(&Elastic { exponent, ..hooke(form) }, 0.5, &mut Vec::new());
            assert!(report.residual.is_finite(), "p {exponent}, {form:?}: {report:?}");
            // corrected to 1e-10, stopped within 1e-6 of the load, or left as they were
            assert!(
                (forces.iter().sum::<f64>() - 10.0).abs() <= 1e-5,
                "p {exponent}, {form:?}: {forces:?}, {report:?}"
            );
        }
    }
}

#[test]
fn friction_beyond_numbers_is_no_friction_bound() {
    for friction in [1e100, 1e154, 1e300, f64::MAX] {
        for form in FORMS {
            let (report, forces) = three(&hooke(form), friction, &mut Vec::new());
            assert_eq!(
                (report.infeasible, report.unconverged, report.associated),
                (0, 0, 0),
                "{friction:e}: {report:?}"
            );
            // 10 N to 1e-10 of it
            assert_close(&forces, &[2.0, 6.0, 2.0], 1e-8);
        }
    }
}

#[test]
fn a_tangential_stiffness_of_nothing_leaves_the_load() {
    for ratio in [1e-30, 1e-20, 1e-6, 1e6, 1e20] {
        for form in FORMS {
            let (report, forces) = three(&Elastic { ratio, ..hooke(form) }, 0.5, &mut Vec::new());
            assert!(
                (forces.iter().sum::<f64>() - 10.0).abs() <= 1e-5,
                "ratio {ratio:e}, {form:?}: {forces:?}, {report:?}"
            );
        }
    }
}

/// The supports sink by 2 in units of the load; a start beyond that by sixteen digits leaves nothing of it.
#[test]
fn a_start_from_far_away_costs_time_alone() {
    for form in FORMS {
        for start in [[1e16; 6], [-1e16; 6], [0.0, 0.0, 1e12, 1e9, 0.0, 0.0], [f64::MAX; 6]] {
            let mut displacements = vec![start];
            let (report, forces) = three(&hooke(form), 0.5, &mut displacements);
            assert_eq!((report.infeasible, report.unconverged, report.associated), (0, 0, 0), "{form:?}: {report:?}");
            assert_close(&forces, &[2.0, 6.0, 2.0], 1e-8);
        }
    }
}
