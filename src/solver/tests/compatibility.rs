//! The compatibility correction of normal forces: on pyramids of spheres, and on small cases worked out by hand.

#![allow(clippy::expect_used)]

mod clusters;
mod extremes;
mod invariance;
mod locked;
mod oracle;
mod pyramid;
mod pyramids;
mod rows;
mod small;

use crate::math::Vec3;
use crate::solver::compatibility::{Corrected, Elastic, Form, StiffContacts};
use crate::solver::problem::{Impulse, Impulses};
use crate::solver::solve::Solver;
use crate::solver::tests::random::Scene;

const HOOKE: f64 = 2.0;
const HERTZ: f64 = 2.5;

/// The tolerance of the correction in these tests, relative to the load.
const TOLERANCE: f64 = 1e-12;

/// The network in which contacts carry `impulses` along their normals, corrected for contacts of `stiffness`. Whatever
/// comes out is finite, and no friction.
fn correct(scene: &Scene, impulses: &[f64], stiffness: &[f64], exponent: f64) -> (Corrected, Vec<f64>) {
    let impulses: Vec<Impulse> = impulses.iter().map(|normal| Impulse::force(*normal, Vec3::zeros())).collect();
    let impulses = scene.with_contacts(&impulses);
    let problem = scene.problem();
    let mut solver = Solver::default();
    solver.take(&problem, &impulses).expect("memory");
    let elastic =
        Elastic { exponent, form: Form::Normal, ratio: 2.0 / 7.0, tolerance: TOLERANCE, closing: 1e-9, touching: 0.0 };
    let (mut displacements, mut compatible) = (Vec::new(), Impulses::default());
    let report = solver
        .correct(
            &problem,
            StiffContacts { impulses: &impulses, stiffness, openings: &[] },
            &elastic,
            &mut displacements,
            &mut compatible,
        )
        .expect("memory");
    let compatible = compatible.contacts;
    assert_eq!(compatible.len(), scene.contacts.len());
    assert!(displacements.iter().flatten().all(|z| z.is_finite()), "{displacements:?}");
    assert!(report.residual.is_finite() && report.closing.is_finite(), "{report:?}");
    for impulse in &compatible {
        assert!(impulse.normal.is_finite(), "{impulse:?}");
        assert_eq!(impulse.tangential, Vec3::zeros());
    }
    (report, compatible.iter().map(|impulse| impulse.normal).collect())
}

/// The same where forces are found.
fn corrected(scene: &Scene, impulses: &[f64], stiffness: &[f64], exponent: f64) -> (Corrected, Vec<f64>) {
    let (report, forces) = correct(scene, impulses, stiffness, exponent);
    assert_eq!((report.infeasible, report.unconverged), (0, 0), "p {exponent}: {report:?}");
    assert!(forces.iter().all(|force| *force >= 0.0), "{forces:?}");
    (report, forces)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

/// The largest difference over the largest of `b`.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>()) / largest(b)
}
