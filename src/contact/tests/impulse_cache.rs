use crate::contact::{ContactState, FrictionFrame, ImpulseCache, Marks, in_lane};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, Vec3};

/// Another load for each number.
fn load(number: u32) -> ContactState {
    let x = f64::from(number);
    ContactState {
        impulse: ImpulsiveWrench {
            force: Impulse::force(x, Vec3::new(0.5 * x, 0.0, 0.0)),
            torque: Vec3::new(0.0, 0.25 * x, 0.0),
        },
        position_multiplier: 2.0 * x,
        compatible: Impulse::force(3.0 * x, Vec3::new(0.0, 0.0, x)),
        relative_velocity: Vec3::zeros(),
        rolling_speed: 0.0,
        frame: FrictionFrame { normal: Vec3::new(x, 0.0, 0.0), twist: -x },
        rebounds: number.is_multiple_of(2),
        had_impact: number.is_multiple_of(3),
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
    let loads = loads(0..7);
    for number in 0..7 {
        assert_eq!(loads.load(number as usize), load(number));
        assert_eq!(loads.total(number as usize), load(number).impulse);
    }
    assert_eq!(loads.load(7), ContactState::default(), "what was not there carried nothing");
}

#[test]
fn columns_are_in_the_order_of_the_solver() {
    let mut loads = loads(0..4);
    loads.lanes = [2, 0, 3, 1].map(LaneSlot).to_vec();
    for (place, number) in [2, 0, 3, 1].into_iter().enumerate() {
        assert_eq!((loads.load(place), loads.total(place)), (load(number), load(number).impulse));
    }
}

#[test]
fn marks_are_distinguished() {
    for bits in 0..8 {
        let [rebounds, had_impact, is_new] = [1, 2, 4].map(|bit| bits & bit > 0);
        let marks = Marks::new(rebounds, had_impact, is_new);
        assert_eq!(
            [Marks::REBOUNDS, Marks::HAD_IMPACT, Marks::NEW].map(|mark| marks.has(mark)),
            [rebounds, had_impact, is_new]
        );
    }
}

#[test]
fn marks_follow_the_substeps() {
    let first = Marks::new(false, false, true).with_start(true);
    assert!(
        first.has(Marks::NEW)
            && first.has(Marks::REBOUNDS)
            && first.has(Marks::HAD_IMPACT)
            && !first.has(Marks::REBOUNDED)
    );
    // written twice, as where lanes could not be kept after all
    assert_eq!(first.with_start(true), first);
    let second = first.ended(true).with_start(false);
    assert!(
        second.has(Marks::NEW)
            && second.has(Marks::REBOUNDED)
            && second.has(Marks::HAD_IMPACT)
            && !second.has(Marks::REBOUNDS)
    );
    assert!(second.has(Marks::FAR) && !first.has(Marks::FAR));
    let third = second.ended(false);
    assert!(third.has(Marks::HAD_IMPACT) && !third.has(Marks::REBOUNDED) && !third.has(Marks::FAR));
    assert!(Marks::new(true, true, false).has(Marks::REBOUNDED), "what is remembered has ended");
}

#[test]
fn columns_that_are_not_there_say_what_follows_from_the_others() {
    let mut all = loads(1..4);
    all.torques.clear();
    all.compatible.clear();
    let force = load(2).impulse.force;
    let expected = ContactState { impulse: force.into(), compatible: force, ..load(2) };
    assert_eq!(all.load(1), expected, "neither torques nor a correction");
    // Two substeps: what is compatible is their sum.
    let impulses = all.impulses.clone();
    all.add_up(&impulses, &[]).expect("memory");
    all.add_up(&impulses, &[]).expect("memory");
    let twice = force.scaled(2.0);
    assert_eq!(all.total(1), twice.into());
    let sums = ContactState { compatible: twice, ..expected };
    assert_eq!(all.load(1), sums);
}

#[test]
fn a_step_begins_with_room_for_its_contacts() {
    let mut all = loads(1..4);
    for (contacts, lanes) in [(5, 8), (2, 3)] {
        all.begin(contacts, lanes).expect("memory");
        assert_eq!((all.lanes.len(), all.position_multipliers.len(), all.marks.len()), (contacts, lanes, lanes));
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
            all.add_up(&impulses, &torques).expect("memory");
        }
        let before = all.clone();
        all.retain(|index| index % 3 == 1);
        for (at, index) in [1, 4, 7].into_iter().enumerate() {
            assert_eq!((all.load(at), all.total(at)), (before.load(index), before.total(index)), "columns {columns}");
        }
        assert_eq!(all.load(3), ContactState::default());
        assert_eq!(in_lane(&all.impulses, LaneSlot(9)), Impulse::ZERO);
    }
}
