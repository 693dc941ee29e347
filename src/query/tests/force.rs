//! Sums of contact forces on a body.

use super::sample::{STICKING, sticking};
use crate::body::Wrench;
use crate::contact::{ContactState, ContactView};
use crate::math::Vec3;
use crate::query::force::forces_on;

/// Of a step of one substep: its impulses are the whole step's.
fn loads(slot: u32, contacts: impl IntoIterator<Item = ContactView>, step: f64) -> Wrench {
    forces_on(slot, contacts.into_iter().map(|touch| (touch, STICKING.last(), step)))
}

#[test]
fn forces_have_opposite_signs_on_both_bodies() {
    let touch = sticking(3, 8);
    // (0.5, 0, 2) N s over 0.25 s: (2, 0, 8) N on b, at (0, 3, -1): (3 * 8 - 0, -1 * 2 - 0, 0 - 3 * 2).
    let on_b = loads(8, [touch], 0.25);
    assert_eq!(on_b, Wrench { force: Vec3::new(2.0, 0.0, 8.0), torque: Vec3::new(24.0, -2.0, -6.0) });
    // The opposite on a, at (0, 0, 1): (0, 1 * -2, 0).
    let on_a = loads(3, [touch], 0.25);
    assert_eq!(on_a, Wrench { force: Vec3::new(-2.0, 0.0, -8.0), torque: Vec3::new(0.0, -2.0, 0.0) });
    assert_eq!(loads(5, [touch], 0.25), Wrench::ZERO);
}

#[test]
fn forces_add_up_over_the_contacts_of_the_body_alone() {
    let contacts = [sticking(1, 2), sticking(2, 3), sticking(2, 4), sticking(5, 6)];
    // Body 2 is b once and a twice: -(2, 0, 8), all numbers exact.
    let sum = loads(2, contacts, 0.25);
    assert_eq!(sum.force, Vec3::new(-2.0, 0.0, -8.0));
    // (24, -2, -6) and twice (0, -2, 0).
    assert_eq!(sum.torque, Vec3::new(24.0, -6.0, -6.0));
    assert_eq!(loads(2, [], 0.25), Wrench::ZERO);
}

#[test]
fn torques_of_contacts_have_opposite_signs_on_both_bodies() {
    let touch = sticking(3, 8);
    let turning = ContactState { torque_impulse: Vec3::new(1.0, -0.5, 0.25), ..STICKING };
    let wrench = |slot: u32, load: ContactState| forces_on(slot, [(touch, load.last(), 0.25)].into_iter());
    // (4, -2, 1) N m on b beside the moments of the forces, all numbers exact.
    for (slot, sign) in [(8, 1.0), (3, -1.0)] {
        let (with, without) = (wrench(slot, turning), wrench(slot, STICKING));
        assert_eq!(with.force, without.force);
        assert_eq!(with.torque - without.torque, sign * Vec3::new(4.0, -2.0, 1.0));
    }
}
