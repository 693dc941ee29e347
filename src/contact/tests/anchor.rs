//! Slip and curvature of a contact whose bodies turn.

use crate::contact::ContactRecord;
use crate::contact::anchor::{Anchor, Side, curvature};
use crate::math::{Vec3, turned_by};

fn side(arm: Vec3, spin: Vec3) -> Side {
    Side { arm, turn: Some(turned_by(&spin)), spin, surface_shift: None }
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

/// The flow of a surface is that of `dx/dt = straight + spin x x`, which fine steps of the midpoint rule follow too.
#[test]
fn a_surface_flows_along_its_velocity() {
    for angle in [1e-9, 1e-3, 0.09, 0.11, 0.8] {
        let (arm, straight) = (Vec3::new(0.3, -0.2, 0.1), Vec3::new(0.02, 0.05, -0.01));
        let spin = angle * Vec3::new(0.6, 0.0, 0.8);
        let (mut point, parts) = (arm, 20_000);
        for _ in 0..parts {
            let rate = |x: &Vec3| (straight + spin.cross(x)) / f64::from(parts);
            point += rate(&(point + 0.5 * rate(&point)));
        }
        let normal = Vec3::z();
        let side = Side::at_rest(arm).with_surface(straight, spin);
        let found = curvature(&[Side::at_rest(arm), side], &normal);
        let path = point - arm - straight - spin.cross(&arm);
        let expected = path - normal * path.z;
        // The midpoint rule leaves angle^3 / 6 / parts^2 of the arm, and the round-off of so many sums.
        let bound = angle.powi(3) / 6.0 / f64::from(parts).powi(2) * arm.norm() + 1e-12;
        assert!((found - expected).norm() < bound, "{angle}: {found:?}, not {expected:?}");
    }
}

/// Surface and body turn against each other: what is left is the straight part, in the axes of the body.
#[test]
fn the_surface_is_carried_with_its_body() {
    let (arm, spin, straight) = (Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.1), Vec3::new(0.01, 0.0, 0.0));
    let still = side(arm, spin).with_surface(Vec3::zeros(), -spin);
    let normal = Vec3::z();
    assert!(curvature(&[Side::at_rest(arm), still], &normal).norm() < 1e-16);
    let glides = side(arm, spin).with_surface(straight, Vec3::zeros());
    let expected = turned_by(&spin) * (arm + straight) - arm - straight - spin.cross(&arm);
    assert!((curvature(&[Side::at_rest(arm), glides], &normal) - expected).norm() < 1e-16);
}
