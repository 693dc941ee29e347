//! Pyramids of spheres: the conditions that make forces compatible, measured by the oracle.

use std::time::Instant;

use crate::solver::tests::compatibility::oracle::Rows;
use crate::solver::tests::compatibility::pyramid::{Pyramid, Species};
use crate::solver::tests::compatibility::{HERTZ, HOOKE, corrected, difference};

/// Corrects the pyramid whose weights go down along straight lines, and measures the forces.
fn check(pyramid: &Pyramid, species: Species, exponent: f64) {
    let scene = &pyramid.scene;
    let (weights, stiffness) = (pyramid.weights(), pyramid.stiffness(species));
    let begin = Instant::now();
    let (report, forces) = corrected(scene, &weights, &stiffness, exponent);
    let seconds = begin.elapsed().as_secs_f64();
    let rows = Rows::new(scene);
    let solve = if scene.contacts.len() < 500 { Rows::dense } else { Rows::gradients };
    let errors = rows.errors((&forces, &weights), &stiffness, exponent, solve);
    let open = forces.iter().filter(|force| **force == 0.0).count();
    println!(
        "{} contacts, {open} open, {species:?}, p {exponent}: {} steps, residual {:.1e}, {:.1} ms, {errors:?}",
        forces.len(),
        report.iterations,
        report.residual,
        1e3 * seconds
    );
    assert_eq!(report.closed as usize, forces.len());
    // the tolerance is 1e-12, and forces are many times the weight that resultants are
    assert!(errors.equilibrium <= 1e-10, "{errors:?}");
    // forces are those of displacements up to round-off, which the least squares and the roots enlarge
    assert!(errors.compatibility <= 1e-8 && errors.complementarity <= 1e-8, "{errors:?}");
    // the correction changed something: straight lines do not spread the weight
    assert!(difference(&forces, &weights) > 1e-2);
}

fn check_all(base: usize, exponents: &[f64]) {
    let pyramid = Pyramid::new(base);
    for species in [Species::Uniform, Species::Alternating, Species::Layered] {
        exponents.iter().for_each(|exponent| check(&pyramid, species, *exponent));
    }
}

#[test]
fn base_of_3() {
    check_all(3, &[HOOKE, HERTZ, 1.5, 4.0]);
}

#[test]
fn base_of_5() {
    check_all(5, &[HOOKE, HERTZ, 1.5, 4.0]);
}

#[test]
fn base_of_10() {
    check_all(10, &[HOOKE, HERTZ]);
}

#[test]
fn base_of_20() {
    check_all(20, &[HOOKE, HERTZ]);
}

/// The pyramids are those of the paper: so many spheres and contacts, in equilibrium before the correction.
#[test]
fn the_scene() {
    for base in [3, 5, 10, 20] {
        let pyramid = Pyramid::new(base);
        let scene = &pyramid.scene;
        let squares: usize = (1..=base).map(|m| m * m).sum();
        assert_eq!(scene.masses.len(), squares);
        // of each layer above the base, with m by m spheres: four contacts down of each, and 2 m (m - 1) within
        let contacts: usize = (1..base).map(|m| 4 * m * m + 2 * m * (m - 1)).sum();
        assert_eq!(scene.contacts.len(), contacts);
        let resultants = Rows::new(scene).resultants(&pyramid.weights());
        for (body, resultant) in resultants.chunks(6).enumerate() {
            let weight = if body < base * base { 0.0 } else { 1.0 };
            // sums of a few impulses of up to about the number of layers
            assert!((resultant[2] - weight).abs() < 1e-13, "{body}: {resultant:?}");
            assert!([0, 1, 3, 4, 5].into_iter().all(|k| resultant[k].abs() < 1e-13), "{body}: {resultant:?}");
        }
    }
}

/// The oracle's two ways of least squares agree, and it sees a wrong force.
#[test]
fn the_oracle() {
    let pyramid = Pyramid::new(4);
    let rows = Rows::new(&pyramid.scene);
    let (weights, stiffness) = (pyramid.weights(), pyramid.stiffness(Species::Alternating));
    let (_, mut forces) = corrected(&pyramid.scene, &weights, &stiffness, HOOKE);
    let dense = rows.errors((&forces, &weights), &stiffness, HOOKE, Rows::dense);
    let gradients = rows.errors((&forces, &weights), &stiffness, HOOKE, Rows::gradients);
    assert!(dense.compatibility < 1e-12 && gradients.compatibility < 1e-12, "{dense:?} {gradients:?}");
    // the weights along lines are in equilibrium, and not compatible
    let lines = rows.errors((&weights, &weights), &stiffness, HOOKE, Rows::dense);
    assert!(lines.equilibrium == 0.0 && lines.compatibility > 0.05, "{lines:?}");
    let strongest = (0..forces.len()).max_by(|a, b| forces[*a].total_cmp(&forces[*b])).expect("a contact");
    forces[strongest] *= 1.0 + 1e-6;
    let wrong = rows.errors((&forces, &weights), &stiffness, HOOKE, Rows::dense);
    assert!(wrong.equilibrium > 1e-8 && wrong.compatibility > 1e-8, "{wrong:?}");
}
