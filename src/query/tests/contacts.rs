//! What a host sees of a contact.

use super::sample::{STICKING, sticking};
use crate::body::Wrench;
use crate::contact::{ContactState, ContactView, StepImpulse, Surface};
use crate::id::{Entity, Registry};
use crate::math::Vec3;
use crate::query::contacts::{ACTIVE, ContactReport, NEW, ROLLING, SLIDING, contact_report, forces_on};

/// Nine bodies.
fn bodies() -> Registry {
    let mut bodies = Registry::new(Entity::Body);
    bodies.reserve(9).expect("room");
    (0..9).for_each(|_| _ = bodies.insert());
    bodies
}

/// Of a step of one substep: its impulses are the whole step's.
fn report((touch, load): (&ContactView, &ContactState), step: f64, tolerance: f64) -> ContactReport {
    contact_report(touch, load, load.last(), &bodies(), step, tolerance)
}

fn state(touch: &ContactView, load: &ContactState, tolerance: f64) -> u32 {
    report((touch, load), 0.5, tolerance).state
}

#[test]
fn impulses_become_forces_and_the_rest_is_told_as_it_is() {
    let torque_impulse = Vec3::new(0.0, -0.125, 0.0625);
    let report = report((&sticking(3, 8), &ContactState { torque_impulse, ..STICKING }), 0.25, 0.0);
    assert_eq!((report.body_a, report.body_b, report.key), (bodies().handle(3), bodies().handle(8), 7));
    assert_eq!((report.point, report.normal, report.gap), ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], -0.25));
    // 2 and 0.5 N s over 0.25 s.
    assert_eq!((report.normal_force, report.friction_force), (8.0, [2.0, 0.0, 0.0]));
    assert_eq!(report.rolling_torque, [0.0, -0.5, 0.25]);
    // Without a correction the compatible forces are the forces.
    assert_eq!((report.compatible_normal_force, report.compatible_friction_force), (8.0, [2.0, 0.0, 0.0]));
    assert_eq!((report.friction, report.stiffness, report.relative_velocity), (0.5, 4.0, [0.0; 3]));
    assert_eq!(report.state, ACTIVE);
}

#[test]
fn a_contact_without_impulse_is_not_active_however_it_moves() {
    let (mut touch, mut load) = (sticking(0, 1), STICKING);
    load.normal_impulse = 0.0;
    load.friction_impulse = Vec3::zeros();
    load.relative_velocity = Vec3::new(1.0, 0.0, 1.0);
    assert_eq!(state(&touch, &load, 0.0), 0);
    load.is_new = true;
    assert_eq!(state(&touch, &load, 0.0), NEW);
    load.normal_impulse = f64::MIN_POSITIVE;
    assert_eq!(state(&touch, &load, 0.0), NEW | ACTIVE, "any trace of an impulse counts");
    touch.surface.friction = 0.0;
    assert_eq!(state(&touch, &load, 0.0), NEW | ACTIVE | SLIDING, "without friction every motion is sliding");
}

#[test]
fn sliding_is_on_the_cone_and_moving_in_the_tangent_plane() {
    let (touch, mut load) = (sticking(0, 1), STICKING);
    load.relative_velocity = Vec3::new(-0.1, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "inside the cone");
    load.friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING);
    load.friction_impulse = Vec3::new(1.0 - 0.9e-9, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING, "within a part in 1e9");
    load.friction_impulse = Vec3::new(1.0 - 1.1e-9, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE);
    load.friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(state(&touch, &load, 0.0999), ACTIVE | SLIDING);
    load.relative_velocity = Vec3::new(0.0, 0.0, 5.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "separating is not sliding");
    load.relative_velocity = Vec3::new(0.0, 1e-12, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "slower than anything that is told from rest");
    load.relative_velocity = Vec3::new(0.0, 1.1e-12, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING);
}

/// A contact that resists turning, and what it carries where it sticks and rolls with the speed 0.1: its bounds are 2 * 0.25 and
/// 2 * 0.125, both reached.
fn rolling() -> (ContactView, ContactState) {
    let mut touch = sticking(0, 1);
    (touch.surface.rolling, touch.surface.twisting) = (0.25, 0.125);
    (touch, ContactState { torque_impulse: Vec3::new(0.3, -0.4, 0.25), rolling_speed: 0.1, ..STICKING })
}

#[test]
fn rolling_is_at_a_bound_and_turning() {
    let (touch, load) = rolling();
    let told = |load: ContactState, tolerance: f64| state(&touch, &load, tolerance);
    let torque = |x: f64, y: f64, z: f64| ContactState { torque_impulse: Vec3::new(x, y, z), ..load };
    assert_eq!(told(load, 0.0), ACTIVE | ROLLING);
    assert_eq!(told(torque(0.3, -0.4, 0.1), 0.0), ACTIVE | ROLLING, "rolling alone at its bound");
    assert_eq!(told(torque(0.3, -0.3, -0.25), 0.0), ACTIVE, "twisting alone at its bound");
    assert_eq!(told(torque(0.3, -0.3, 0.1), 0.0), ACTIVE, "inside its bound");
    assert_eq!(told(torque(0.0, 0.5 * (1.0 - 0.9e-9), 0.0), 0.0), ACTIVE | ROLLING, "within a part in 1e9");
    assert_eq!(told(torque(0.0, 0.5 * (1.0 - 1.1e-9), 0.0), 0.0), ACTIVE);
    assert_eq!(told(load, 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(told(load, 0.0999), ACTIVE | ROLLING);
    assert_eq!(told(ContactState { rolling_speed: 1e-12, ..load }, 0.0), ACTIVE, "not told from rest");
    assert_eq!(told(ContactState { rolling_speed: 1.1e-12, ..load }, 0.0), ACTIVE | ROLLING);
    assert_eq!(told(ContactState { normal_impulse: 0.0, ..load }, 0.0), 0, "not active");
}

#[test]
fn what_slides_does_not_roll() {
    let (touch, load) = rolling();
    let friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    let slides = ContactState { friction_impulse, relative_velocity: Vec3::new(-0.2, 0.0, 0.0), ..load };
    assert_eq!(state(&touch, &slides, 0.0), ACTIVE | SLIDING);
    // On the cone without sliding it rolls.
    assert_eq!(state(&touch, &ContactState { relative_velocity: Vec3::zeros(), ..slides }, 0.0), ACTIVE | ROLLING);
}

#[test]
fn a_bound_of_nothing_is_no_resistance_that_is_reached() {
    let (touch, load) = rolling();
    let resisting =
        |rolling, twisting| ContactView { surface: Surface { rolling, twisting, ..touch.surface }, ..touch };
    let none = resisting(0.0, 0.0);
    let load = ContactState { torque_impulse: Vec3::zeros(), ..load };
    assert_eq!(state(&none, &load, 0.0), ACTIVE);
    assert_eq!(state(&resisting(0.0, 0.125), &load, 0.0), ACTIVE, "twisting is inside its bound");
}

#[test]
fn of_several_substeps_forces_are_averages_and_the_last_one_tells_what_slides() {
    // 6 and 1.5 N s over 0.25 s, of which the last substep had 2 and 0.5: averages stay inside the cone.
    let torque = Vec3::new(0.0, 0.5, 0.0);
    let total = StepImpulse { normal: 6.0, friction: Vec3::new(1.5, 0.0, 0.0), torque };
    let touch = sticking(0, 1);
    let load = ContactState { relative_velocity: Vec3::new(-0.1, 0.0, 0.0), ..STICKING };
    let report = contact_report(&touch, &load, total, &bodies(), 0.25, 0.0);
    assert_eq!((report.normal_force, report.friction_force), (24.0, [6.0, 0.0, 0.0]));
    assert_eq!((report.rolling_torque, report.state), ([0.0, 2.0, 0.0], ACTIVE));
    // Its friction came to the bound within the step.
    let slides = ContactState { friction_impulse: Vec3::new(1.0, 0.0, 0.0), ..load };
    assert_eq!(contact_report(&touch, &slides, total, &bodies(), 0.25, 0.0).state, ACTIVE | SLIDING);
    // It was left before the step ended: what carries nothing does not slide.
    let left = ContactState { normal_impulse: 0.0, friction_impulse: Vec3::zeros(), ..load };
    assert_eq!(contact_report(&touch, &left, total, &bodies(), 0.25, 0.0).state, ACTIVE);
}

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
