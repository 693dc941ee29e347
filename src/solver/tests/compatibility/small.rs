//! Beams on supports and other cases of few contacts, with forces worked out by hand.

use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Velocity};
use crate::solver::tests::compatibility::{HERTZ, HOOKE, correct, corrected, largest};
use crate::solver::tests::random::{Scene, plain};

/// Of forces of the size of ten that solve equations to 1e-12 of their load.
const CLOSE: f64 = 1e-10;

/// A body of weight `weight` on supports under it at `places` along x, from the point below its centre of mass.
pub(super) fn beam(weight: f64, places: &[f64]) -> Scene {
    let mut scene = Scene::default();
    let falling = Velocity { linear: -weight * Vec3::z(), angular: Vec3::zeros() };
    let body = scene.body(1.0, Symmetric3::diagonal([0.5, 2.0, 2.1]), falling);
    for x in places {
        let contact = Contact { arm_b: Vec3::new(*x, 0.0, -0.1), ..plain(BodyRow::NONE, body, Vec3::z()) };
        scene.contacts.push(contact);
    }
    scene
}

pub(super) fn assert_close(forces: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(forces.len(), expected.len());
    let errors: Vec<f64> = forces.iter().zip(expected).map(|(a, b)| a - b).collect();
    assert!(largest(&errors) <= bound, "{forces:?} for {expected:?}");
}

/// The middle of three carries what it is stiffer: all sink alike, by symmetry, so forces are as the stiffness, for every
/// law.
#[test]
fn beam_on_three_supports() {
    let scene = beam(10.0, &[-1.0, 0.0, 1.0]);
    for given in [[5.0, 0.0, 5.0], [0.0, 10.0, 0.0], [1.0, 8.0, 1.0]] {
        for exponent in [1.5, HOOKE, HERTZ, 4.0] {
            let (report, forces) = corrected(&scene, &given, &[1.0; 3], exponent);
            assert_close(&forces, &[10.0 / 3.0; 3], CLOSE);
            assert_eq!(report.closed, 3);
            let (_, forces) = corrected(&scene, &given, &[1.0, 3.0, 1.0], exponent);
            assert_close(&forces, &[2.0, 6.0, 2.0], CLOSE);
            // only ratios matter
            let (_, forces) = corrected(&scene, &given, &[1e9, 3e9, 1e9], exponent);
            assert_close(&forces, &[2.0, 6.0, 2.0], CLOSE);
        }
    }
}

/// Five supports at -2 to 2 of stiffness 1, 2, 1, 3, 1. The beam sinks by `a + b x`, and where that is negative it lifts off.
///
/// Hooke, 15 at 19/15: with the supports at 0, 1, 2 closed, their stiffness sums to 5 and its moment is 3 + 2 = 5, its
/// second one 3 + 4 = 7:
///
/// ```text
/// forces    5 a + 5 b = 15
/// moments   5 a + 7 b = 19      b = 2, a = 1
/// ```
///
/// so that compressions are 1, 3, 5 and forces 1, 9, 5; at -1 and -2 it has lifted off, by 1 and 3.
#[test]
fn beam_on_five_supports_lifts_off_two() {
    // the body's centre of mass is where the weight is
    let places = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|x| x - 19.0 / 15.0);
    let scene = beam(15.0, &places);
    // both have the sum 15 and the moment 19 about the middle support
    for given in [[0.0, 0.0, 0.0, 11.0, 4.0], [1.0, 0.0, 0.0, 7.0, 7.0]] {
        let (report, forces) = corrected(&scene, &given, &[1.0, 2.0, 1.0, 3.0, 1.0], HOOKE);
        assert_close(&forces, &[0.0, 0.0, 1.0, 9.0, 5.0], CLOSE);
        // what lifted off is open, not nearly so
        assert_eq!((forces[0], forces[1], report.closed), (0.0, 0.0, 5));
    }
}

/// The same supports under other laws: compressions rise along a line, and forces are `k c^(p-1)`.
///
/// | p | compressions at 0, 1, 2 | forces |
/// |---|---|---|
/// | 5/2 | 1, 25, 49 | 1, 3 * 125, 343 |
/// | 3 | 1, 3, 5 | 1, 3 * 9, 25 |
/// | 3/2 | 1, 25, 49 | 1, 3 * 5, 7 |
///
/// At -1 the line is at -23 or -1. Weights are the sums, at the quotient of moment and sum.
#[test]
fn beams_of_other_laws_lift_off_two() {
    for (exponent, f) in [(HERTZ, [1.0, 375.0, 343.0]), (3.0, [1.0, 27.0, 25.0]), (1.5, [1.0, 15.0, 7.0])] {
        let (sum, moment) = (f[0] + f[1] + f[2], f[1] + 2.0 * f[2]);
        let places = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|x| x - moment / sum);
        let scene = beam(sum, &places);
        // the two supports on the right alone
        let given = [0.0, 0.0, 0.0, 2.0 * sum - moment, moment - sum];
        let (_, forces) = corrected(&scene, &given, &[1.0, 2.0, 1.0, 3.0, 1.0], exponent);
        assert_close(&forces, &[0.0, 0.0, f[0], f[1], f[2]], CLOSE / 10.0 * sum);
    }
}

/// A contact that opens and has no impulse does not count, however much it would be pressed.
#[test]
fn open_contacts_do_not_count() {
    let mut scene = beam(10.0, &[-1.0, 0.0, 1.0]);
    // as one with a gap has
    scene.contacts[1].normal_bias = 1e-3;
    let (report, forces) = corrected(&scene, &[5.0, 0.0, 5.0], &[1.0; 3], HOOKE);
    assert_close(&forces, &[5.0, 0.0, 5.0], CLOSE);
    assert_eq!(report.closed, 2);
    // and counts where it carries
    let (report, forces) = corrected(&scene, &[4.0, 2.0, 4.0], &[1.0; 3], HOOKE);
    assert_close(&forces, &[10.0 / 3.0; 3], CLOSE);
    assert_eq!(report.closed, 3);
}

/// Two contacts in one place share as their stiffness: all sink alike. And in a beam a double support is one of both
/// stiffnesses: 1, (1 + 2), 1 under 10 is 2, 6, 2.
#[test]
fn duplicates_share() {
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let scene = beam(9.0, &[0.0, 0.0]);
        let (_, forces) = corrected(&scene, &[9.0, 0.0], &[1.0, 1.0], exponent);
        assert_close(&forces, &[4.5, 4.5], CLOSE);
        let (_, forces) = corrected(&scene, &[9.0, 0.0], &[1.0, 2.0], exponent);
        assert_close(&forces, &[3.0, 6.0], CLOSE);
        let scene = beam(10.0, &[-1.0, 0.0, 0.0, 1.0]);
        let (_, forces) = corrected(&scene, &[5.0, 0.0, 0.0, 5.0], &[1.0, 1.0, 2.0, 1.0], exponent);
        assert_close(&forces, &[2.0, 2.0, 4.0, 2.0], CLOSE);
    }
}

/// A support a million times as stiff, in the middle and at an end.
///
/// At the end: `f = k (a + b x)` at -1, 0, 1 with `k = (K, 1, 1)` and the weight 9 in the middle of the right half, at
/// 1/2. Forces: `(K + 2) a + (1 - K) b = 9`, moments `(1 - K) a + (1 + K) b = 9/2`. Determinant
/// `(K + 2)(K + 1) - (K - 1)^2 = 5 K + 1`; `a = (9 (1 + K) - 9/2 (1 - K)) / (5 K + 1) = (27 K + 9) / (10 K + 2)`,
/// `b = (9/2 (K + 2) - 9 (1 - K)) / (5 K + 1) = 27 K / (10 K + 2)`; so forces are `(9 K, 27 K + 9, 54 K + 9) / (10 K + 2)`.
#[test]
fn stiffness_ratio_of_a_million() {
    let stiff = 1e6;
    let scene = beam(10.0, &[-1.0, 0.0, 1.0]);
    let share = 10.0 / (stiff + 2.0);
    for exponent in [HOOKE, HERTZ] {
        let (_, forces) = corrected(&scene, &[5.0, 0.0, 5.0], &[1.0, stiff, 1.0], exponent);
        assert_close(&forces, &[share, stiff * share, share], CLOSE);
    }
    let scene = beam(9.0, &[-1.5, -0.5, 0.5]);
    let (_, forces) = corrected(&scene, &[2.25, 0.0, 6.75], &[stiff, 1.0, 1.0], HOOKE);
    let divisor = 10.0 * stiff + 2.0;
    let expected = [9.0 * stiff / divisor, (27.0 * stiff + 9.0) / divisor, (54.0 * stiff + 9.0) / divisor];
    assert_close(&forces, &expected, CLOSE);
}

#[test]
fn no_load_no_forces() {
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let scene = beam(0.0, &[-1.0, 0.0, 1.0]);
        let (report, forces) = corrected(&scene, &[0.0; 3], &[1.0; 3], exponent);
        assert_eq!((forces, report.iterations, report.residual, report.closed), (vec![0.0; 3], 0, 0.0, 3));
        // impulses that cancel out are none either: 1 down from above, 1 up from below
        let mut scene = beam(0.0, &[0.0, 0.0]);
        scene.contacts[1].normal = -Vec3::z();
        let (report, forces) = corrected(&scene, &[1.0, 1.0], &[1.0, 2.0], exponent);
        assert_eq!((forces, report.residual), (vec![0.0; 2], 0.0));
    }
}

/// One contact leaves no choice; none, nothing to do.
#[test]
fn one_contact_and_none() {
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let scene = beam(10.0, &[0.0]);
        let (report, forces) = corrected(&scene, &[10.0], &[3.0], exponent);
        assert_close(&forces, &[10.0], CLOSE);
        assert_eq!(report.closed, 1);
    }
    let (report, forces) = corrected(&beam(10.0, &[]), &[], &[], HOOKE);
    assert_eq!((report.iterations, report.closed, report.residual, forces.len()), (0, 0, 0.0, 0));
    let (report, forces) = corrected(&Scene::default(), &[], &[], HERTZ);
    assert_eq!((report.iterations, report.closed, report.residual, forces.len()), (0, 0, 0.0, 0));
}

/// Loads that contacts would have to pull for: none are found, and the given impulses are left as they are.
///
/// A body that hangs; a beam whose weight is beyond its supports (at 3/2, of supports at -1, 0, 1: `f = (0, -5, 15)` has
/// the sum 10 and the moment 15).
#[test]
fn what_needs_tension_is_reported() {
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let mut hanging = beam(10.0, &[0.0]);
        hanging.contacts[0].normal = -Vec3::z();
        let (report, forces) = correct(&hanging, &[-10.0], &[1.0], exponent);
        assert_eq!((report.infeasible, report.unconverged, forces), (1, 0, vec![-10.0]), "p {exponent}");
        let beyond = beam(10.0, &[-2.5, -1.5, -0.5]);
        let given = [0.0, -5.0, 15.0];
        let (report, forces) = correct(&beyond, &given, &[1.0, 3.0, 1.0], exponent);
        assert_eq!((report.infeasible, report.unconverged, forces), (1, 0, given.to_vec()), "p {exponent}");
    }
}

/// An island that cannot be corrected leaves the others alone, and its residual does not count.
#[test]
fn islands_are_corrected_one_by_one() {
    let mut scene = beam(10.0, &[-1.0, 0.0, 1.0]);
    let other = beam(10.0, &[-2.5, -1.5, -0.5]);
    scene.masses.extend(&other.masses);
    scene.velocities.extend(&other.velocities);
    scene.contacts.extend(other.contacts.iter().map(|contact| Contact { body_b: BodyRow(1), ..*contact }));
    let given = [5.0, 0.0, 5.0, 0.0, -5.0, 15.0];
    let (report, forces) = correct(&scene, &given, &[1.0; 6], HOOKE);
    assert_eq!((report.infeasible, report.unconverged), (1, 0));
    assert!(report.residual <= 1e-12, "{report:?}");
    assert_close(&forces[..3], &[10.0 / 3.0; 3], CLOSE);
    assert_eq!(forces[3..], given[3..]);
}
