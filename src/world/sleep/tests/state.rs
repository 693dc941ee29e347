use crate::body::{Bodies, Definition, Lock, Mass, NewBody};
use crate::contact::{ContactGeometry, ContactState, ContactView, Surface};
use crate::id::SlotSet;
use crate::math::{Impulse, ImpulsiveWrench, Quat, Symmetric3, Vec3};
use crate::visit::tests::{every_change_shows, members, words};
use crate::world::sleep::state::{Activity, SleepState, StepContact, Support};

fn bodies() -> Bodies {
    let mass = Mass::dynamic(1.0, Vec3::zeros(), Symmetric3::diagonal([1.0; 3]), Lock(0)).expect("a mass");
    let body = NewBody::new(&Definition::default(), Quat::identity(), 0, 0, mass);
    let mut bodies = Bodies::default();
    bodies.reserve(&[body; 2]).expect("memory");
    (0..2).for_each(|_| _ = bodies.insert(body));
    bodies
}

fn contact() -> StepContact {
    let surface = Surface { friction: 0.5, rolling: 0.0, twisting: 0.0, restitution: 0.0, stiffness: 1.0 };
    let touch = ContactView { body_a: 0, body_b: 1, key: 3, geometry: ContactGeometry::default(), surface };
    StepContact {
        touch,
        load: ContactState::default(),
        total: ImpulsiveWrench::ZERO,
        impact: Impulse::ZERO,
        step: 1.0,
        substep: 1.0,
    }
}

/// An empty set with memory for two slots.
fn two_slots() -> SlotSet {
    let mut slots = SlotSet::default();
    slots.reserve(2).expect("memory");
    slots
}

/// The body in slot 0 sleeps.
fn sleeping() -> SleepState {
    SleepState {
        sleep_timer: vec![0.0; 2],
        activity: vec![Activity::Asleep, Activity::Awake],
        next_in_island: vec![0; 2],
        contacts: vec![contact()],
        modified: two_slots(),
        count: 1,
        ..SleepState::default()
    }
}

fn state(sleep: &SleepState, removed: &SlotSet) -> Vec<u64> {
    words(|recorded| sleep.visit_state(recorded, &bodies(), removed))
}

#[test]
fn every_member_is_visited() {
    let changes = members!(SleepState {
        sleep_timer: |sleep| sleep.sleep_timer[1] = 1.0,
        activity: |sleep| sleep.activity[1] = Activity::Woken,
        next_in_island: |sleep| sleep.next_in_island[0] = 1,
        contacts: |sleep| sleep.contacts.clear(),
        woken: |sleep| sleep.woken.push(0),
        modified: |sleep| sleep.modified.insert(1),
        count: |sleep| sleep.count = 2,
        potential: |sleep| sleep.potential = 1.0,
    } but { supports, velocities });
    let (bodies, removed) = (bodies(), SlotSet::default());
    every_change_shows(&changes, sleeping, |sleep, recorded| sleep.visit_state(recorded, &bodies, &removed));
    let changes = members!(StepContact {
        touch: |contact| contact.touch.key = 4,
        load: |contact| contact.load.position_multiplier = 1.0,
        total: |contact| contact.total.force.normal = 1.0,
        impact: |contact| contact.impact.normal = 1.0,
        step: |contact| contact.step = 2.0,
        substep: |contact| contact.substep = 2.0,
    });
    let with = |contact: &StepContact| SleepState { contacts: vec![*contact], ..sleeping() };
    every_change_shows(&changes, contact, |contact, recorded| with(contact).visit_state(recorded, &bodies, &removed));
}

#[test]
fn what_has_no_effect_is_not_visited() {
    let none = SlotSet::default();
    let awake = state(&SleepState::default(), &none);
    let mut reserved = SleepState::default();
    reserved.reserve(2).expect("memory");
    reserved.modified.reserve(2).expect("memory");
    // Of an island in which it slept before.
    reserved.next_in_island[1] = 7;
    reserved.velocities[1].linear.x = 1.0;
    reserved.supports.push(Support { slot: 1, contact: 0 });
    assert_eq!(state(&reserved, &none), awake);
    let mut removed = two_slots();
    removed.insert(1);
    let without = SleepState { contacts: Vec::new(), ..sleeping() };
    assert_eq!(state(&sleeping(), &removed), state(&without, &removed), "contacts of removed bodies");
}
