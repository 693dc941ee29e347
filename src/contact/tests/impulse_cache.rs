use crate::contact::{ContactState, ImpulseCache, Marks, StepImpulse};
use crate::math::LaneSlot;
use crate::math::{Impulse, Vec3};

/// Another load for each number.
fn load(number: u32) -> ContactState {
    let x = f64::from(number);
    ContactState {
        normal_impulse: x,
        friction_impulse: Vec3::new(0.5 * x, 0.0, 0.0),
        torque_impulse: Vec3::new(0.0, 0.25 * x, 0.0),
        push: 2.0 * x,
        compatible_normal: 3.0 * x,
        compatible_friction: Vec3::new(0.0, 0.0, x),
        relative_velocity: Vec3::zeros(),
        rolling_speed: 0.0,
        rebounds: number.is_multiple_of(2),
        struck: number.is_multiple_of(3),
        is_new: number.is_multiple_of(5),
    }
}

fn loads(numbers: std::ops::Range<u32>) -> ImpulseCache {
    let mut loads = ImpulseCache::default();
    loads.clear(numbers.len()).expect("memory");
    numbers.for_each(|number| loads.push(&load(number)));
    loads
}

#[test]
fn a_load_is_what_its_columns_say() {
    let mut loads = loads(0..7);
    loads.rolling_speeds = (0..7).map(|number| 0.125 * f64::from(number)).collect();
    for number in 0..7 {
        let expected = ContactState { rolling_speed: 0.125 * f64::from(number), ..load(number) };
        assert_eq!(loads.load(number as usize), expected);
        assert_eq!(loads.total(number as usize), load(number).last());
    }
    assert_eq!(loads.load(7), ContactState::default(), "what was not there carried nothing");
}

#[test]
fn columns_are_in_the_order_of_the_solver() {
    let mut loads = loads(0..4);
    loads.lanes = [2, 0, 3, 1].map(LaneSlot).to_vec();
    for (place, number) in [2, 0, 3, 1].into_iter().enumerate() {
        assert_eq!((loads.load(place), loads.total(place)), (load(number), load(number).last()));
    }
}

#[test]
fn marks_are_told_apart() {
    for bits in 0..8 {
        let [rebounds, struck, is_new] = [1, 2, 4].map(|bit| bits & bit > 0);
        let marks = Marks::new(rebounds, struck, is_new);
        assert_eq!((marks.rebounds(), marks.struck(), marks.is_new()), (rebounds, struck, is_new));
    }
}

#[test]
fn marks_follow_the_substeps() {
    let first = Marks::new(false, false, true).with_start(true);
    assert!(first.is_new() && first.rebounds() && first.struck() && !first.rebounded());
    // told twice, as where lanes could not be kept after all
    assert_eq!(first.with_start(true), first);
    let second = first.ended().with_start(false);
    assert!(second.is_new() && second.rebounded() && second.struck() && !second.rebounds());
    let third = second.ended();
    assert!(third.struck() && !third.rebounded());
    assert!(Marks::new(true, true, false).rebounded(), "what is remembered has ended");
}

#[test]
fn columns_that_are_not_there_say_what_follows_from_the_others() {
    let mut all = loads(1..4);
    all.torques.clear();
    all.compatible.clear();
    let ContactState { normal_impulse, friction_impulse, .. } = load(2);
    let expected = ContactState {
        torque_impulse: Vec3::zeros(),
        compatible_normal: normal_impulse,
        compatible_friction: friction_impulse,
        ..load(2)
    };
    assert_eq!(all.load(1), expected, "neither torques nor a correction");
    // Two substeps: what is compatible is their sum.
    let impulses = all.impulses.clone();
    all.add_up(&impulses, &[], true).expect("memory");
    all.add_up(&impulses, &[], false).expect("memory");
    let twice = StepImpulse { normal: 2.0 * normal_impulse, friction: 2.0 * friction_impulse, torque: Vec3::zeros() };
    assert_eq!(all.total(1), twice);
    let sums = ContactState { compatible_normal: twice.normal, compatible_friction: twice.friction, ..expected };
    assert_eq!(all.load(1), sums);
}

#[test]
fn a_step_begins_with_room_for_its_contacts() {
    let mut all = loads(1..4);
    for (contacts, lanes) in [(5, 8), (2, 3)] {
        all.begin(contacts, lanes).expect("memory");
        assert_eq!((all.lanes.len(), all.pushes.len(), all.marks.len()), (contacts, lanes, lanes));
    }
}

#[test]
fn what_is_kept_stays_together() {
    for columns in 0..4 {
        let mut all = loads(0..9);
        let (impulses, torques) = (all.impulses.clone(), all.torques.clone());
        if columns & 1 > 0 {
            all.torques.clear();
        }
        if columns & 2 > 0 {
            all.compatible.clear();
            all.add_up(&impulses, &torques, true).expect("memory");
        }
        let before = all.clone();
        all.retain(|index| index % 3 == 1);
        for (at, index) in [1, 4, 7].into_iter().enumerate() {
            assert_eq!((all.load(at), all.total(at)), (before.load(index), before.total(index)), "columns {columns}");
        }
        assert_eq!(all.load(3), ContactState::default());
        assert_eq!(all.impulse(LaneSlot(9)), Impulse::ZERO);
    }
}
