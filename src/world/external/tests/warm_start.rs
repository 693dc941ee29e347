//! Impulses come back by key, projected and scaled, or not at all.

use crate::math::{ContactId, Vec3};
use crate::solver::{Impulse, Impulses, ImpulsiveWrench, OptionalTerms};
use crate::world::external::problem::ContactProblem;
use crate::world::external::warm_start::{Keys, StoredImpulses};

/// A ball whose contact resists rolling.
fn ball(contact_key: u64, row_key: u64, down: f64) -> ContactProblem {
    let mut problem = super::ball(contact_key, row_key, down);
    problem.optional.push(OptionalTerms { rolling: 0.5, ..OptionalTerms::NONE });
    problem
}

const KEPT: ImpulsiveWrench = ImpulsiveWrench {
    force: Impulse { normal: 4.0, tangential: Vec3::new(1.0, 2.0, 0.0) },
    torque: Vec3::new(0.5, 0.0, 0.25),
};

/// Stores [`KEPT`] and the row impulse 3 of a step of 0.01 s under the keys 7 and 8.
fn stored() -> StoredImpulses {
    let (mut stored, mut keys) = (StoredImpulses::default(), Keys::default());
    let problem = ball(7, 8, 1.0);
    keys.take(&problem).expect("two keys");
    let (_, fresh) = start_of(&mut stored, &problem);
    assert_eq!(fresh, [true]);
    let result = Impulses { contacts: vec![KEPT.force], torques: Vec::new(), rows: vec![3.0] };
    stored.store(&keys, &result, &[KEPT.torque], 0.01);
    stored
}

fn start_of(stored: &mut StoredImpulses, problem: &ContactProblem) -> (Impulses, Vec<bool>) {
    let (mut start, mut fresh) = (Impulses::default(), Vec::new());
    stored.look_up(problem, &mut start, &mut fresh).expect("memory");
    (start, fresh)
}

#[test]
fn what_is_known_by_its_key_comes_back() {
    let (start, fresh) = start_of(&mut stored(), &ball(7, 8, 1.0));
    assert_eq!((start.wrench(ContactId(0)), start.rows[0], fresh[0]), (KEPT, 3.0, false));
    let (start, fresh) = start_of(&mut stored(), &ball(9, 10, 1.0));
    assert_eq!((start.wrench(ContactId(0)), start.rows[0], fresh[0]), (ImpulsiveWrench::ZERO, 0.0, true));
    // a row's key says nothing of a contact
    let (start, fresh) = start_of(&mut stored(), &ball(8, 7, 1.0));
    assert_eq!((start.wrench(ContactId(0)), start.rows[0], fresh[0]), (ImpulsiveWrench::ZERO, 0.0, true));
    let (_, fresh) = start_of(&mut stored(), &ball(0, 0, 1.0));
    assert_eq!(fresh, [true]);
}

#[test]
fn impulses_follow_the_step() {
    let mut problem = ball(7, 8, 1.0);
    problem.step = 0.02;
    let (start, _) = start_of(&mut stored(), &problem);
    let twice = ImpulsiveWrench { force: KEPT.force.scaled(2.0), torque: 2.0 * KEPT.torque };
    assert_eq!((start.wrench(ContactId(0)), start.rows[0]), (twice, 6.0));
    // a step so much longer that no number holds the impulses
    problem.step = 1e308;
    let (start, _) = start_of(&mut stored(), &problem);
    assert_eq!((start.wrench(ContactId(0)), start.rows[0]), (ImpulsiveWrench::ZERO, 0.0));
}

#[test]
fn friction_is_turned_into_the_new_tangent_plane() {
    let mut problem = ball(7, 8, 1.0);
    problem.contacts[0].normal = Vec3::x();
    let (start, _) = start_of(&mut stored(), &problem);
    // its part along the new normal is gone; the torque stays the vector it was
    let force = Impulse { tangential: Vec3::new(0.0, 2.0, 0.0), ..KEPT.force };
    assert_eq!(start.wrench(ContactId(0)), ImpulsiveWrench { force, ..KEPT });
}

#[test]
fn a_torque_that_nothing_carries_any_more_is_forgotten() {
    let (start, _) = start_of(&mut stored(), &super::ball(7, 8, 1.0));
    assert_eq!((start.contacts[0], start.torques.len()), (KEPT.force, 0));
    // nor where another contact turns
    let mut problem = super::ball(7, 8, 1.0);
    problem.add_contact(problem.contacts[0], OptionalTerms { rolling: 0.5, ..OptionalTerms::NONE }).expect("memory");
    problem.contact_keys.push(9);
    let (start, _) = start_of(&mut stored(), &problem);
    assert_eq!([0, 1].map(|contact| start.wrench(ContactId(contact))), [KEPT.force.into(), ImpulsiveWrench::ZERO]);
}

#[test]
fn equal_keys_are_refused_by_name() {
    let mut keys = Keys::default();
    let message = keys.take(&ball(5, 5, 1.0)).expect_err("twice the key 5").message;
    assert!(message.contains("contacts[0]") && message.contains("rows[0]") && message.contains('5'), "{message}");
    assert!(keys.take(&ball(0, 0, 1.0)).is_ok());
}
