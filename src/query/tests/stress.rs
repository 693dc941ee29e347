//! The mean stress in a box. All numbers are sums of few powers of two, so that every result is exact.

use super::sample::{STICKING, sticking};
use crate::contact::{ContactGeometry, ContactState, ContactView};
use crate::error::Kind;
use crate::math::Vec3;
use crate::query::stress::{Region, mean_stress};

/// Around the point (1, 2, 3) of [`sticking`], of volume 32.
fn region() -> Region {
    Region::new([0.0; 3], [2.0, 4.0, 4.0]).expect("a box")
}

/// Of contacts of steps of 0.25 s, in `region`; bodies from 10 on do not move.
fn stress_in(region: &Region, contacts: &[(ContactView, ContactState)]) -> [f64; 9] {
    mean_stress(region, contacts.iter().map(|(touch, load)| (*touch, *load, 0.25)), |slot| slot < 10).expect("finite")
}

/// A contact of two spheres of radius 1 at `point` that carries a normal impulse alone.
fn pressed(point: [f64; 3], normal: Vec3, impulse: f64) -> (ContactView, ContactState) {
    let other = sticking(1, 2);
    let spot = ContactGeometry { point: point.into(), normal, arm_a: normal, arm_b: -normal, ..other.spot };
    let touch = ContactView { spot, ..other };
    (touch, ContactState { compatible_normal: impulse, ..ContactState::default() })
}

#[test]
fn one_contact_is_its_branch_times_its_force() {
    // f = (0.5, 0, 2) / 0.25 = (2, 0, 8) N on b; l = (0, 0, 1) - (0, 3, -1) = (0, -3, 2) m; -1/32 l (x) f.
    let expected = [0.0, 0.0, 0.0, 0.1875, 0.0, 0.75, -0.125, 0.0, -0.5];
    assert_eq!(stress_in(&region(), &[(sticking(3, 8), STICKING)]), expected);
    // The same contact told from the other side: a and b change places, and force, normal and branch their sign.
    let (one, other) = (sticking(3, 8), sticking(3, 8));
    let ContactGeometry { arm_a, arm_b, normal, .. } = one.spot;
    let turned =
        ContactView { spot: ContactGeometry { arm_a: arm_b, arm_b: arm_a, normal: -normal, ..other.spot }, ..other };
    let load = ContactState { compatible_friction: -STICKING.compatible_friction, ..STICKING };
    assert_eq!(stress_in(&region(), &[(turned, load)]), expected);
}

#[test]
fn the_branch_ends_at_the_contact_point_of_what_does_not_move() {
    // a is a wall: l = (0, 0, 0) - (0, 3, -1) = (0, -3, 1).
    let wall_a = [0.0, 0.0, 0.0, 0.1875, 0.0, 0.75, -0.0625, 0.0, -0.25];
    assert_eq!(stress_in(&region(), &[(sticking(13, 8), STICKING)]), wall_a);
    // b is: l = (0, 0, 1).
    let wall_b = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0625, 0.0, -0.25];
    assert_eq!(stress_in(&region(), &[(sticking(3, 18), STICKING)]), wall_b);
    assert_eq!(stress_in(&region(), &[(sticking(13, 18), STICKING)]), [0.0; 9]);
}

#[test]
fn the_forces_are_the_compatible_ones() {
    let corrected = ContactState { normal_impulse: 64.0, friction_impulse: Vec3::new(8.0, 4.0, 0.0), ..STICKING };
    assert_eq!(
        stress_in(&region(), &[(sticking(3, 8), corrected)]),
        stress_in(&region(), &[(sticking(3, 8), STICKING)])
    );
}

#[test]
fn torques_of_contacts_have_no_part_in_it() {
    let torque_impulse = Vec3::new(1.0, -2.0, 4.0);
    let with = ContactState { torque_impulse, ..STICKING };
    assert_eq!(stress_in(&region(), &[(sticking(3, 8), with)]), stress_in(&region(), &[(sticking(3, 8), STICKING)]));
}

#[test]
fn pressure_is_negative_and_central_forces_are_symmetric() {
    // 8 N along x with a branch of 2 m in 32 m^3.
    let along_x = pressed([1.0, 2.0, 3.0], Vec3::x(), 2.0);
    assert_eq!(stress_in(&region(), &[along_x]), [-0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // Three pairs, 4, 8 and 16 N along the axes, and the same load in both directions of an axis.
    let axes = [Vec3::x(), -Vec3::y(), Vec3::z()].map(|axis| {
        let impulse = 1.0 + axis.y * axis.y + 3.0 * axis.z * axis.z;
        pressed([1.0, 2.0, 3.0], axis, impulse)
    });
    assert_eq!(stress_in(&region(), &axes), [-0.25, 0.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, -1.0]);
    // Oblique: -1/32 2 (16 N) n (x) n, of trace -1, within round-off of the normal.
    let oblique = stress_in(&region(), &[pressed([1.0, 2.0, 3.0], Vec3::new(0.36, 0.48, 0.8), 4.0)]);
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        assert!((oblique[3 * i + j] - oblique[3 * j + i]).abs() <= 1e-16, "{oblique:?}");
    }
    assert!((oblique[0] + oblique[4] + oblique[8] + 1.0).abs() <= 4e-16, "{oblique:?}");
}

/// Contacts at every point whose components are 0, 1 or 2, each with another force.
fn grid() -> Vec<(ContactView, ContactState)> {
    let at = |index: usize| [index % 3, index / 3 % 3, index / 9].map(|component| component as f64);
    let contact = |index: usize| {
        let compatible_friction = Vec3::new(0.5, index as f64, 0.0);
        let load = ContactState { compatible_normal: index as f64, compatible_friction, ..STICKING };
        let touch = sticking(1, 2);
        (ContactView { spot: ContactGeometry { point: at(index).into(), ..touch.spot }, ..touch }, load)
    };
    (0..27).map(contact).collect()
}

#[test]
fn boxes_side_by_side_add_up() {
    let contacts = grid();
    let whole = Region::new([0.0; 3], [2.0; 3]).expect("a box");
    let mut sum = [0.0; 9];
    for part in 0..8 {
        let lower = [part % 2, part / 2 % 2, part / 4].map(f64::from);
        let region = Region::new(lower, lower.map(|low| low + 1.0)).expect("a box");
        for (sum, entry) in sum.iter_mut().zip(stress_in(&region, &contacts)) {
            *sum += entry / 8.0;
        }
    }
    assert_eq!(sum, stress_in(&whole, &contacts));
    assert_ne!(sum, [0.0; 9]);
}

#[test]
fn the_lower_faces_belong_to_the_box_and_the_upper_ones_do_not() {
    let contacts = grid();
    // Of the 27 points only (1, 1, 1), the one with the number 13, lies in the half-open box from 1 to 2.
    let one = Region::new([1.0; 3], [2.0; 3]).expect("a box");
    assert_eq!(stress_in(&one, &contacts), stress_in(&one, &contacts[13..14]));
    assert_ne!(stress_in(&one, &contacts), [0.0; 9]);
    let none = Region::new([1.25; 3], [2.0; 3]).expect("a box");
    assert_eq!(stress_in(&none, &contacts), [0.0; 9]);
}

#[test]
fn no_contact_is_no_stress() {
    // Before the first step the length of a step is 0; there must be no minus before a zero either.
    let stress = mean_stress(&region(), std::iter::empty(), |_| true).expect("nothing");
    assert_eq!(stress.map(f64::to_bits), [0; 9]);
}

#[test]
fn boxes_that_are_none_are_refused() {
    let refused = |lower: [f64; 3], upper: [f64; 3], kind: Kind, words: &str| {
        let error = Region::new(lower, upper).expect_err("no box");
        assert_eq!((error.kind, error.message.as_str()), (kind, words));
    };
    let expected = "expected a number below upper";
    refused([0.0; 3], [1.0, 0.0, 1.0], Kind::Argument, &format!("lower[1] is 0, {expected}[1], which is 0"));
    refused([0.0, 0.0, 3.0], [1.0; 3], Kind::Argument, &format!("lower[2] is 3, {expected}[2], which is 1"));
    refused([f64::NAN, 0.0, 0.0], [1.0; 3], Kind::NotFinite, "lower[0] is NaN, expected a finite number");
    refused([0.0; 3], [1.0, f64::INFINITY, 1.0], Kind::NotFinite, "upper[1] is inf, expected a finite number");
    let volume =
        |value: &str| format!("the volume between lower and upper is {value}, expected 2.3e-308 to 1.7e308 m^3");
    refused([0.0; 3], [1e-200; 3], Kind::Argument, &volume("0"));
    refused([-1e200; 3], [1e200; 3], Kind::Argument, &volume("inf"));
    refused([-1e308, 0.0, 0.0], [1e308, 1.0, 1.0], Kind::Argument, &volume("inf"));
    let error = Region::new([0.0; 3], [1e-105, 1e-105, 1e-105]).expect_err("too coarse a number");
    assert_eq!(error.kind, Kind::Argument);
    // Sides that small are fine while their product is.
    Region::new([0.0; 3], [1e-200, 1e-100, 1.0]).expect("a box");
}

#[test]
fn a_stress_that_no_number_holds_is_refused() {
    let region = Region::new([0.0, 2.0, 3.0], [2.0, 2.0 + 1e-15, 3.0 + 1e-15]).expect("a box");
    let (touch, large) = (sticking(3, 8), ContactState { compatible_normal: 1e300, ..STICKING });
    let of = |loads: &[ContactState]| mean_stress(&region, loads.iter().map(|load| (touch, *load, 0.25)), |_| true);
    let error = of(&[large]).expect_err("above every number");
    assert_eq!((error.kind, error.message.as_str()), (Kind::NotFinite, "stress[5] is inf, expected a finite number"));
    // Two that cancel each other do no harm where neither overflows.
    let opposite = [ContactState { compatible_normal: -1e300, ..large }, large];
    assert_eq!(of(&opposite).expect("finite")[5], 0.0);
}
