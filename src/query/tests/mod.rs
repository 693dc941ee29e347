//! What a host sees of contacts, and the mean stress in a box. All numbers of the stress are sums of few powers of two, so that every
//! result is exact.

mod sample;

use self::sample::{STICKING, sticking, with_impulse};
use crate::body::Wrench;
use crate::contact::{ContactGeometry, ContactState, ContactView, Surface};
use crate::error::ErrorKind;
use crate::id::{Entity, Registry};
use crate::math::{Impulse, ImpulsiveWrench, Period, Vec3};
use crate::query::{
    ACTIVE, ContactReport, NEW, ROLLING, Region, SLIDING, StepImpulses, contact_report, forces_on, mean_stress,
};

fn without_impact(total: ImpulsiveWrench) -> StepImpulses {
    StepImpulses { total, impact: Impulse::ZERO }
}

/// Nine bodies.
fn bodies() -> Registry {
    let mut bodies = Registry::new(Entity::Body);
    bodies.reserve(9).expect("room");
    (0..9).for_each(|_| _ = bodies.insert());
    bodies
}

/// Of a step of one substep: its impulses are the whole step's.
fn report((touch, load): (&ContactView, &ContactState), step: f64, tolerance: f64) -> ContactReport {
    contact_report(touch, load, without_impact(load.impulse), &bodies(), step, tolerance)
}

fn state(touch: &ContactView, load: &ContactState, tolerance: f64) -> u32 {
    report((touch, load), 0.5, tolerance).state
}

#[test]
fn impulses_become_forces_and_the_rest_is_reported_as_it_is() {
    let load = with_impulse(STICKING, STICKING.impulse.force, Vec3::new(0.0, -0.125, 0.0625));
    let report = report((&sticking(3, 8), &load), 0.25, 0.0);
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
    load.impulse.force.normal = 0.0;
    load.impulse.force.tangential = Vec3::zeros();
    load.relative_velocity = Vec3::new(1.0, 0.0, 1.0);
    assert_eq!(state(&touch, &load, 0.0), 0);
    load.is_new = true;
    assert_eq!(state(&touch, &load, 0.0), NEW);
    load.impulse.force.normal = f64::MIN_POSITIVE;
    assert_eq!(state(&touch, &load, 0.0), NEW | ACTIVE, "any trace of an impulse counts");
    touch.surface.friction = 0.0;
    assert_eq!(state(&touch, &load, 0.0), NEW | ACTIVE | SLIDING, "without friction every motion is sliding");
}

#[test]
fn sliding_is_on_the_cone_and_moving_in_the_tangent_plane() {
    let (touch, mut load) = (sticking(0, 1), STICKING);
    load.relative_velocity = Vec3::new(-0.1, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "inside the cone");
    load.impulse.force.tangential = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING);
    load.impulse.force.tangential = Vec3::new(1.0 - 0.9e-9, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING, "within a part in 1e9");
    load.impulse.force.tangential = Vec3::new(1.0 - 1.1e-9, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE);
    load.impulse.force.tangential = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(state(&touch, &load, 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(state(&touch, &load, 0.0999), ACTIVE | SLIDING);
    load.relative_velocity = Vec3::new(0.0, 0.0, 5.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "separating is not sliding");
    load.relative_velocity = Vec3::new(0.0, 1e-12, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE, "slower than anything that counts as motion");
    load.relative_velocity = Vec3::new(0.0, 1.1e-12, 0.0);
    assert_eq!(state(&touch, &load, 0.0), ACTIVE | SLIDING);
}

/// A contact that resists turning, and what it carries where it sticks and rolls with the speed 0.1: its bounds are 2 * 0.25 and
/// 2 * 0.125, both reached.
fn rolling() -> (ContactView, ContactState) {
    let mut touch = sticking(0, 1);
    (touch.surface.rolling, touch.surface.twisting) = (0.25, 0.125);
    let load = with_impulse(STICKING, STICKING.impulse.force, Vec3::new(0.3, -0.4, 0.25));
    (touch, ContactState { rolling_speed: 0.1, ..load })
}

#[test]
fn rolling_is_at_a_bound_and_turning() {
    let (touch, load) = rolling();
    let state_of = |load: ContactState, tolerance: f64| state(&touch, &load, tolerance);
    let torque = |x: f64, y: f64, z: f64| with_impulse(load, load.impulse.force, Vec3::new(x, y, z));
    assert_eq!(state_of(load, 0.0), ACTIVE | ROLLING);
    assert_eq!(state_of(torque(0.3, -0.4, 0.1), 0.0), ACTIVE | ROLLING, "rolling alone at its bound");
    assert_eq!(state_of(torque(0.3, -0.3, -0.25), 0.0), ACTIVE, "twisting alone at its bound");
    assert_eq!(state_of(torque(0.3, -0.3, 0.1), 0.0), ACTIVE, "inside its bound");
    assert_eq!(state_of(torque(0.0, 0.5 * (1.0 - 0.9e-9), 0.0), 0.0), ACTIVE | ROLLING, "within a part in 1e9");
    assert_eq!(state_of(torque(0.0, 0.5 * (1.0 - 1.1e-9), 0.0), 0.0), ACTIVE);
    assert_eq!(state_of(load, 0.1), ACTIVE, "not faster than the tolerance");
    assert_eq!(state_of(load, 0.0999), ACTIVE | ROLLING);
    assert_eq!(state_of(ContactState { rolling_speed: 1e-12, ..load }, 0.0), ACTIVE, "counts as rest");
    assert_eq!(state_of(ContactState { rolling_speed: 1.1e-12, ..load }, 0.0), ACTIVE | ROLLING);
    assert_eq!(
        state_of(with_impulse(load, Impulse { normal: 0.0, ..load.impulse.force }, load.impulse.torque), 0.0),
        0,
        "not active"
    );
}

#[test]
fn what_slides_does_not_roll() {
    let (touch, load) = rolling();
    let on_cone = with_impulse(load, Impulse::force(2.0, Vec3::new(1.0, 0.0, 0.0)), load.impulse.torque);
    let slides = ContactState { relative_velocity: Vec3::new(-0.2, 0.0, 0.0), ..on_cone };
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
    let load = with_impulse(load, load.impulse.force, Vec3::zeros());
    assert_eq!(state(&none, &load, 0.0), ACTIVE);
    assert_eq!(state(&resisting(0.0, 0.125), &load, 0.0), ACTIVE, "twisting is inside its bound");
}

#[test]
fn of_several_substeps_forces_are_averages_and_the_last_one_decides_what_slides() {
    // 6 and 1.5 N s over 0.25 s, of which the last substep had 2 and 0.5: averages stay inside the cone.
    let torque = Vec3::new(0.0, 0.5, 0.0);
    let total = ImpulsiveWrench { force: Impulse::force(6.0, Vec3::new(1.5, 0.0, 0.0)), torque };
    let touch = sticking(0, 1);
    let load = ContactState { relative_velocity: Vec3::new(-0.1, 0.0, 0.0), ..STICKING };
    let report = contact_report(&touch, &load, without_impact(total), &bodies(), 0.25, 0.0);
    assert_eq!((report.normal_force, report.friction_force), (24.0, [6.0, 0.0, 0.0]));
    assert_eq!((report.rolling_torque, report.state), ([0.0, 2.0, 0.0], ACTIVE));
    // Its friction came to the bound within the step.
    let slides = with_impulse(load, Impulse::force(2.0, Vec3::new(1.0, 0.0, 0.0)), Vec3::zeros());
    assert_eq!(contact_report(&touch, &slides, without_impact(total), &bodies(), 0.25, 0.0).state, ACTIVE | SLIDING);
    // It was left before the step ended: what carries nothing does not slide.
    let left = with_impulse(load, Impulse::ZERO, Vec3::zeros());
    assert_eq!(contact_report(&touch, &left, without_impact(total), &bodies(), 0.25, 0.0).state, ACTIVE);
}

/// Of a step of one substep: its impulses are the whole step's.
fn loads(slot: u32, contacts: impl IntoIterator<Item = ContactView>, step: f64) -> Wrench {
    forces_on(slot, contacts.into_iter().map(|touch| (touch, STICKING.impulse, step)))
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
    let turning = with_impulse(STICKING, STICKING.impulse.force, Vec3::new(1.0, -0.5, 0.25));
    let wrench = |slot: u32, load: ContactState| forces_on(slot, [(touch, load.impulse, 0.25)].into_iter());
    // (4, -2, 1) N m on b beside the moments of the forces, all numbers exact.
    for (slot, sign) in [(8, 1.0), (3, -1.0)] {
        let (with, without) = (wrench(slot, turning), wrench(slot, STICKING));
        assert_eq!(with.force, without.force);
        assert_eq!(with.torque - without.torque, sign * Vec3::new(4.0, -2.0, 1.0));
    }
}

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
    let geometry = ContactGeometry { point: point.into(), normal, arm_a: normal, arm_b: -normal, ..other.geometry };
    let touch = ContactView { geometry, ..other };
    (touch, ContactState { compatible: Impulse::force(impulse, Vec3::zeros()), ..ContactState::default() })
}

#[test]
fn one_contact_is_its_branch_times_its_force() {
    // f = (0.5, 0, 2) / 0.25 = (2, 0, 8) N on b; l = (0, 0, 1) - (0, 3, -1) = (0, -3, 2) m; -1/32 l (x) f.
    let expected = [0.0, 0.0, 0.0, 0.1875, 0.0, 0.75, -0.125, 0.0, -0.5];
    assert_eq!(stress_in(&region(), &[(sticking(3, 8), STICKING)]), expected);
    // The same contact with a and b exchanged: force, normal and branch change their sign.
    let (one, other) = (sticking(3, 8), sticking(3, 8));
    let ContactGeometry { arm_a, arm_b, normal, .. } = one.geometry;
    let turned = ContactView {
        geometry: ContactGeometry { arm_a: arm_b, arm_b: arm_a, normal: -normal, ..other.geometry },
        ..other
    };
    let Impulse { normal, tangential } = STICKING.compatible;
    let load = ContactState { compatible: Impulse::force(normal, -tangential), ..STICKING };
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
    let corrected = with_impulse(STICKING, Impulse::force(64.0, Vec3::new(8.0, 4.0, 0.0)), Vec3::zeros());
    assert_eq!(
        stress_in(&region(), &[(sticking(3, 8), corrected)]),
        stress_in(&region(), &[(sticking(3, 8), STICKING)])
    );
}

#[test]
fn torques_of_contacts_have_no_part_in_it() {
    let with = with_impulse(STICKING, STICKING.impulse.force, Vec3::new(1.0, -2.0, 4.0));
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
        let compatible = Impulse::force(index as f64, Vec3::new(0.5, index as f64, 0.0));
        let load = ContactState { compatible, ..STICKING };
        let touch = sticking(1, 2);
        (ContactView { geometry: ContactGeometry { point: at(index).into(), ..touch.geometry }, ..touch }, load)
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
    let refused = |lower: [f64; 3], upper: [f64; 3], kind: ErrorKind, words: &str| {
        let error = Region::new(lower, upper).expect_err("no box");
        assert_eq!((error.kind, error.message.as_str()), (kind, words));
    };
    let expected = "expected a number below upper";
    refused([0.0; 3], [1.0, 0.0, 1.0], ErrorKind::Argument, &format!("lower[1] is 0, {expected}[1], which is 0"));
    refused([0.0, 0.0, 3.0], [1.0; 3], ErrorKind::Argument, &format!("lower[2] is 3, {expected}[2], which is 1"));
    refused([f64::NAN, 0.0, 0.0], [1.0; 3], ErrorKind::NotFinite, "lower[0] is NaN, expected a finite number");
    refused([0.0; 3], [1.0, f64::INFINITY, 1.0], ErrorKind::NotFinite, "upper[1] is inf, expected a finite number");
    let volume =
        |value: &str| format!("the volume between lower and upper is {value}, expected 2.3e-308 to 1.7e308 m^3");
    refused([0.0; 3], [1e-200; 3], ErrorKind::Argument, &volume("0"));
    refused([-1e200; 3], [1e200; 3], ErrorKind::Argument, &volume("inf"));
    refused([-1e308, 0.0, 0.0], [1e308, 1.0, 1.0], ErrorKind::Argument, &volume("inf"));
    let error = Region::new([0.0; 3], [1e-105, 1e-105, 1e-105]).expect_err("too coarse a number");
    assert_eq!(error.kind, ErrorKind::Argument);
    // Sides that small are fine while their product is.
    Region::new([0.0; 3], [1e-200, 1e-100, 1.0]).expect("a box");
}

#[test]
fn a_stress_that_no_number_holds_is_refused() {
    let region = Region::new([0.0, 2.0, 3.0], [2.0, 2.0 + 1e-15, 3.0 + 1e-15]).expect("a box");
    let carrying = |normal: f64| {
        let compatible = Impulse { normal, ..STICKING.compatible };
        ContactState { compatible, ..STICKING }
    };
    let (touch, large) = (sticking(3, 8), carrying(1e300));
    let of = |loads: &[ContactState]| mean_stress(&region, loads.iter().map(|load| (touch, *load, 0.25)), |_| true);
    let error = of(&[large]).expect_err("above every number");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::NotFinite, "stress[5] is inf, expected a finite number")
    );
    // Two that cancel each other do no harm where neither overflows.
    let opposite = [carrying(-1e300), large];
    assert_eq!(of(&opposite).expect("finite")[5], 0.0);
}

#[test]
fn each_image_of_a_contact_in_the_region_counts() {
    let period = Period::new([2.0, 0.0, 8.0]).expect("a box");
    let touch = pressed([1.5, 1.0, 7.0], Vec3::x(), 0.25);
    let count = |lower: [f64; 3], upper: [f64; 3]| {
        let region = Region::new(lower, upper).expect("a region").of_box(&period);
        // One contact is -1/V l f, with l = 2 m and f = 1 N.
        -0.5 * stress_in(&region, &[touch])[0] * (0..3).map(|k| upper[k] - lower[k]).product::<f64>()
    };
    assert_eq!(count([0.0, 0.0, 0.0], [2.0, 4.0, 8.0]), 1.0, "one box");
    assert_eq!(count([5.0, 0.0, -4.0], [7.0, 4.0, 4.0]), 1.0, "one box elsewhere");
    assert_eq!(count([0.0, 2.0, 0.0], [2.0, 4.0, 8.0]), 0.0, "the axis y is open");
    assert_eq!(count([0.0, 0.0, 0.0], [6.0, 4.0, 16.0]), 6.0, "six boxes");
    assert_eq!(count([1.5, 0.0, -1.0], [2.0, 4.0, 0.0]), 1.0, "a part that has it, at its lower side");
    assert_eq!(count([1.0, 0.0, -1.0], [1.5, 4.0, 0.0]), 0.0, "a part that ends at it");
    assert_eq!(count([1.0, 0.0, -1.0], [4.0, 4.0, 0.0]), 2.0, "one box and a half");
}
