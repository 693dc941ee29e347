//! What a host sees of a contact.

use super::touch::sticking;
use crate::contact::{Total, Touch};
use crate::id::Handle;
use crate::math::Vec3;
use crate::query::contacts::{ACTIVE, ContactReport, NEW, ROLLING, SLIDING, contact_report};

/// Of a step of one substep: its impulses are the whole step's.
fn report(touch: &Touch, step: f64, tolerance: f64) -> ContactReport {
    contact_report((touch, touch.last()), step, tolerance)
}

fn state(touch: &Touch, tolerance: f64) -> u32 {
    report(touch, 0.5, tolerance).state
}

#[test]
fn impulses_become_forces_and_the_rest_is_told_as_it_is() {
    let torque_impulse = Vec3::new(0.0, -0.125, 0.0625);
    let report = report(&Touch { torque_impulse, ..sticking(3, 8) }, 0.25, 0.0);
    assert_eq!((report.body_a, report.body_b, report.key), (Handle(103), Handle(108), 7));
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
    let mut touch = sticking(0, 1);
    touch.normal_impulse = 0.0;
    touch.friction_impulse = Vec3::zeros();
    touch.relative_velocity = Vec3::new(1.0, 0.0, 1.0);
    assert_eq!(state(&touch, 0.0), 0);
    touch.is_new = true;
    assert_eq!(state(&touch, 0.0), NEW);
    touch.normal_impulse = f64::MIN_POSITIVE;
    assert_eq!(state(&touch, 0.0), NEW | ACTIVE, "any trace of an impulse counts");
    touch.friction = 0.0;
    assert_eq!(state(&touch, 0.0), NEW | ACTIVE | SLIDING, "without friction every motion is sliding");
}

#[test]
fn sliding_is_on_the_cone_and_moving_in_the_tangent_plane() {
    let mut touch = sticking(0, 1);
    touch.relative_velocity = Vec3::new(-0.1, 0.0, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE, "inside the cone");
    touch.friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE | SLIDING);
    touch.friction_impulse = Vec3::new(1.0 - 0.9e-9, 0.0, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE | SLIDING, "within a part in 1e9");
    touch.friction_impulse = Vec3::new(1.0 - 1.1e-9, 0.0, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE);
    touch.friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(state(&touch, 0.0999), ACTIVE | SLIDING);
    touch.relative_velocity = Vec3::new(0.0, 0.0, 5.0);
    assert_eq!(state(&touch, 0.0), ACTIVE, "separating is not sliding");
    touch.relative_velocity = Vec3::new(0.0, 1e-12, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE, "slower than anything that is told from rest");
    touch.relative_velocity = Vec3::new(0.0, 1.1e-12, 0.0);
    assert_eq!(state(&touch, 0.0), ACTIVE | SLIDING);
}

/// A contact that sticks and rolls with the speed 0.1: its bounds are 2 * 0.25 and 2 * 0.125, both reached.
fn rolling() -> Touch {
    Touch {
        torque_impulse: Vec3::new(0.3, -0.4, 0.25),
        rolling: 0.25,
        twisting: 0.125,
        rolling_speed: 0.1,
        ..sticking(0, 1)
    }
}

#[test]
fn rolling_is_at_a_bound_and_turning() {
    let torque = |x: f64, y: f64, z: f64| Touch { torque_impulse: Vec3::new(x, y, z), ..rolling() };
    assert_eq!(state(&rolling(), 0.0), ACTIVE | ROLLING);
    assert_eq!(state(&torque(0.3, -0.4, 0.1), 0.0), ACTIVE | ROLLING, "rolling alone at its bound");
    assert_eq!(state(&torque(0.3, -0.3, -0.25), 0.0), ACTIVE, "twisting alone at its bound");
    assert_eq!(state(&torque(0.3, -0.3, 0.1), 0.0), ACTIVE, "inside its bound");
    assert_eq!(state(&torque(0.0, 0.5 * (1.0 - 0.9e-9), 0.0), 0.0), ACTIVE | ROLLING, "within a part in 1e9");
    assert_eq!(state(&torque(0.0, 0.5 * (1.0 - 1.1e-9), 0.0), 0.0), ACTIVE);
    assert_eq!(state(&rolling(), 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(state(&rolling(), 0.0999), ACTIVE | ROLLING);
    assert_eq!(state(&Touch { rolling_speed: 1e-12, ..rolling() }, 0.0), ACTIVE, "not told from rest");
    assert_eq!(state(&Touch { rolling_speed: 1.1e-12, ..rolling() }, 0.0), ACTIVE | ROLLING);
    assert_eq!(state(&Touch { normal_impulse: 0.0, ..rolling() }, 0.0), 0, "not active");
}

#[test]
fn what_slides_does_not_roll() {
    let friction_impulse = Vec3::new(1.0, 0.0, 0.0);
    let slides = Touch { friction_impulse, relative_velocity: Vec3::new(-0.2, 0.0, 0.0), ..rolling() };
    assert_eq!(state(&slides, 0.0), ACTIVE | SLIDING);
    // On the cone without sliding it rolls.
    assert_eq!(state(&Touch { relative_velocity: Vec3::zeros(), ..slides }, 0.0), ACTIVE | ROLLING);
}

#[test]
fn a_bound_of_nothing_is_no_resistance_that_is_reached() {
    let none = Touch { torque_impulse: Vec3::zeros(), rolling: 0.0, twisting: 0.0, ..rolling() };
    assert_eq!(state(&none, 0.0), ACTIVE);
    assert_eq!(state(&Touch { twisting: 0.125, ..none }, 0.0), ACTIVE, "twisting is inside its bound");
}

#[test]
fn of_several_substeps_forces_are_averages_and_the_last_one_tells_what_slides() {
    // 6 and 1.5 N s over 0.25 s, of which the last substep had 2 and 0.5: averages stay inside the cone.
    let torque = Vec3::new(0.0, 0.5, 0.0);
    let total = Total { normal: 6.0, friction: Vec3::new(1.5, 0.0, 0.0), torque };
    let touch = Touch { relative_velocity: Vec3::new(-0.1, 0.0, 0.0), ..sticking(0, 1) };
    let report = contact_report((&touch, total), 0.25, 0.0);
    assert_eq!((report.normal_force, report.friction_force), (24.0, [6.0, 0.0, 0.0]));
    assert_eq!((report.rolling_torque, report.state), ([0.0, 2.0, 0.0], ACTIVE));
    // Its friction came to the bound within the step.
    let slides = Touch { friction_impulse: Vec3::new(1.0, 0.0, 0.0), ..touch };
    assert_eq!(contact_report((&slides, total), 0.25, 0.0).state, ACTIVE | SLIDING);
    // It was left before the step ended: what carries nothing does not slide.
    let left = Touch { normal_impulse: 0.0, friction_impulse: Vec3::zeros(), ..touch };
    assert_eq!(contact_report((&left, total), 0.25, 0.0).state, ACTIVE);
}
