use crate::joint::tests::{Sides, assert_derivatives, kinds, samples};
use crate::joint::{AxisMode, Geometry, JointKind, JointRow, LockedRow, Locks, SideVector, locked_rows};
use crate::math::Vec3;

/// The error of a row, and the bounds of its impulse.
type ErrorAndBounds = (f64, [f64; 2]);

/// The bounds of a strut and a rope of a distance joint.
const APART: [f64; 2] = [0.4, 0.9];

fn rows(geometry: &Geometry, kind: JointKind, locks: &Locks) -> Vec<LockedRow> {
    locked_rows(geometry, kind, locks, APART).as_slice().to_vec()
}

#[test]
fn rows_are_the_derivatives_of_their_errors() {
    for (kind, locks) in kinds() {
        for sides in samples() {
            let values = |geometry: &Geometry| -> Vec<(f64, JointRow)> {
                rows(geometry, kind, &locks).iter().map(|row| (row.error, row.row)).collect()
            };
            // The truncation of the differences is 1e-10, see DELTA.
            assert_derivatives(&format!("{kind:?} {locks:?}"), &sides, values, 1e-8);
        }
    }
}

/// An impulse along a row must keep momentum and angular momentum. With the force `f` on B at `xB` and the torque `t`, and those on A, the
/// sum of the torques about any point is `(xB - o) x f_B + t_B + (xA - o) x f_A + t_A = 0`. The numbers are below 3, so 1e-13 is 100 roundings.
#[test]
fn rows_keep_momentum() {
    for (kind, locks) in kinds() {
        for sides in samples() {
            for LockedRow { row, is_turn, .. } in rows(&sides.geometry(), kind, &locks) {
                assert_balanced(&sides, &row);
                assert_eq!(is_turn, row.b.linear == Vec3::zeros(), "{kind:?}");
            }
        }
    }
}

fn assert_balanced(sides: &Sides, row: &JointRow) {
    let force = row.a.linear + row.b.linear;
    assert!(force.norm() <= 1e-13, "net force {force:?} of {row:?}");
    for origin in [Vec3::zeros(), Vec3::new(1.0, -2.0, 0.5)] {
        let of = |center: Vec3, part: &SideVector| (center - origin).cross(&part.linear) + part.angular;
        let torque = of(sides.a.center, &row.a) + of(sides.b.center, &row.b);
        assert!(torque.norm() <= 1e-13, "net torque {torque:?} of {row:?}");
    }
}

#[test]
fn frames_that_coincide_have_no_error() {
    let geometry = Sides::new(Vec3::zeros(), Vec3::zeros()).geometry();
    for (kind, locks) in kinds().into_iter().filter(|(kind, _)| *kind != JointKind::Distance) {
        for row in rows(&geometry, kind, &locks) {
            // Products of axes of unit length, with three roundings each.
            assert!(row.error.abs() <= 1e-15, "{kind:?}: {row:?}");
            assert_eq!((row.lower, row.upper), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }
}

/// For small turns the errors of turns are the components of the rotation vector that are locked. The rest is of the second order, 0.01^2.
#[test]
fn errors_of_turns_are_angles() {
    let turn = Vec3::new(0.01, -0.006, 0.008);
    let geometry = Sides::new(Vec3::x(), turn).geometry();
    let free = AxisMode::Free;
    for bits in 0..8 {
        let locked: [bool; 3] = [0, 1, 2].map(|axis| bits >> axis & 1 == 1);
        let [x, y, z] = locked.map(|locked| if locked { AxisMode::Locked } else { free });
        let locks = Locks::new(JointKind::General, &[free, free, free, x, y, z]);
        let errors: Vec<f64> = rows(&geometry, JointKind::General, &locks).iter().map(|row| row.error).collect();
        let mut expected: Vec<f64> = (0..3).filter(|axis| locked[*axis]).map(|axis| turn[axis]).collect();
        if locked == [true, false, true] {
            // In the cycle z follows before x.
            expected.reverse();
        }
        assert_eq!(errors.len(), expected.len());
        for (error, angle) in errors.iter().zip(&expected) {
            assert!((error - angle).abs() <= 1e-4, "{locked:?}: {errors:?}, not {expected:?}");
        }
    }
}

#[test]
fn errors_of_displacements_are_along_the_axes_of_a() {
    let sides = Sides::new(Vec3::new(0.6, -0.48, 0.64), Vec3::new(0.1, 0.2, 0.0));
    let geometry = sides.geometry();
    let locks = Locks::new(JointKind::Ball, &[AxisMode::Free; 6]);
    let errors: Vec<f64> = rows(&geometry, JointKind::Ball, &locks).iter().map(|row| row.error).collect();
    let expected = sides.a.rotation.conjugate() * Vec3::new(0.6, -0.48, 0.64);
    assert_eq!(errors.len(), 3);
    for (error, expected) in errors.iter().zip(&expected) {
        assert!((error - expected).abs() <= 1e-15, "{errors:?}");
    }
}

/// The points are 1 m apart. A rod holds from both sides, a rope pulls B back (impulses below 0), a strut pushes it away.
#[test]
fn a_distance_has_a_rod_or_a_rope_and_a_strut() {
    let geometry = Sides::new(Vec3::new(0.0, 0.6, 0.8), Vec3::zeros()).geometry();
    let locks = Locks::new(JointKind::Distance, &[AxisMode::Free; 6]);
    let (free, rope, strut) = ([f64::NEG_INFINITY, f64::INFINITY], [f64::NEG_INFINITY, 0.0], [0.0, f64::INFINITY]);
    let infinity = f64::INFINITY;
    let cases: [([f64; 2], &[ErrorAndBounds]); 5] = [
        ([1.25, 1.25], &[(-0.25, free)]),
        ([0.0, 0.75], &[(0.25, rope)]),
        ([0.75, infinity], &[(0.25, strut)]),
        ([0.5, 1.5], &[(-0.5, rope), (0.5, strut)]),
        ([0.0, infinity], &[]),
    ];
    for (lengths, expected) in cases {
        let rows = locked_rows(&geometry, JointKind::Distance, &locks, lengths);
        let found: Vec<ErrorAndBounds> =
            rows.as_slice().iter().map(|row| (row.error, [row.lower, row.upper])).collect();
        assert_eq!(found.len(), expected.len(), "{lengths:?}");
        for (found, expected) in found.iter().zip(expected) {
            // Frames are 1 m apart to round-off, as they are differences of places.
            assert!((found.0 - expected.0).abs() <= 1e-15, "{lengths:?}: {found:?}");
            assert_eq!(found.1, expected.1, "{lengths:?}");
        }
    }
}
