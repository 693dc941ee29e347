//! Slip and curvature of a contact whose bodies turn.

use crate::contact::ContactRecord;
use crate::contact::anchor::{Anchor, Side, curvature};
use crate::math::{Vec3, turned_by};

fn side(arm: Vec3, spin: Vec3) -> Side {
    Side { arm, turn: Some(turned_by(&spin)), spin }
}

#[test]
fn the_curvature_is_what_a_turn_adds_to_the_straight_path() {
    let (arm, spin) = (Vec3::new(0.3, -0.2, 0.1), Vec3::new(0.05, 0.02, -0.1));
    let turning = side(arm, spin);
    let expected = turned_by(&spin) * arm - arm - spin.cross(&arm);
    let normal = Vec3::z();
    let found = curvature(&[Side::at_rest(arm), turning], &normal);
    let expected = expected - normal * expected.z;
    assert!((found - expected).norm() < 1e-16, "{found:?}, not {expected:?}");
}

/// A wheel of 0.5 m on a plane, without slip: its centre moves by the arc.
#[test]
fn what_rolls_does_not_slip() {
    for angle in [1e-5, 1e-3, 0.1, 0.4] {
        let (normal, plane) = (Vec3::z(), Side::at_rest(Vec3::zeros()));
        let arm = Vec3::new(0.0, 0.0, -0.5);
        let ball = side(arm, Vec3::new(0.0, angle, 0.0));
        let record = ContactRecord::of_balls((0, 1));
        let anchor = Anchor::new(&record, &[plane, ball], &normal, Vec3::zeros(), true);
        // The contact has moved on the plane by the arc, and is again below the centre of the ball.
        let moved = Side::at_rest(Vec3::new(0.5 * angle, 0.0, 0.0));
        let target = anchor.follow(&[moved, Side::at_rest(arm)], &normal).expect("the same contact");
        assert!(target.missed.norm() < 1e-16, "{angle}: {:?}", target.missed);
    }
}

/// A round body that rolls and spins about the normal: the path on it is curved. Without half of the spin the slip would be of the second order.
#[test]
fn what_rolls_and_spins_slips_by_the_third_order_at_most() {
    for angle in [1e-4, 1e-3, 1e-2, 0.1] {
        let (normal, arm) = (Vec3::z(), Vec3::new(0.0, 0.0, -0.5));
        let sides = [Side::at_rest(Vec3::zeros()), side(arm, Vec3::new(0.0, angle, angle))];
        let anchor = Anchor::new(&ContactRecord::of_balls((0, 1)), &sides, &normal, Vec3::zeros(), true);
        let moved = Side::at_rest(Vec3::new(0.5 * angle, 0.0, 0.0));
        let target = anchor.follow(&[moved, Side::at_rest(arm)], &normal).expect("the same contact");
        assert!(target.missed.norm() < 0.5 * angle * angle * angle + 1e-16, "{angle}: {:?}", target.missed);
    }
}

#[test]
fn a_point_that_jumps_is_another_one() {
    let normal = Vec3::z();
    let sides = [Side::at_rest(Vec3::zeros()), side(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.01))];
    let record = ContactRecord::of_balls((0, 1));
    let anchor = Anchor::new(&record, &sides, &normal, Vec3::zeros(), true);
    let jumped = [Side::at_rest(Vec3::zeros()), side(Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.01))];
    assert_eq!(anchor.follow(&jumped, &normal), None);
    let turned = anchor.follow(&sides, &Vec3::x());
    assert_eq!(turned, None, "the normal cannot turn so far");
}
