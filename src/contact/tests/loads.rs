use crate::contact::{Load, Loads, Total};
use crate::math::Vec3;

/// Another load for each number.
fn load(number: u32) -> Load {
    let x = f64::from(number);
    Load {
        normal_impulse: x,
        friction_impulse: Vec3::new(0.5 * x, 0.0, 0.0),
        torque_impulse: Vec3::new(0.0, 0.25 * x, 0.0),
        push: 2.0 * x,
        compatible_normal: 3.0 * x,
        compatible_friction: Vec3::new(0.0, 0.0, x),
        relative_velocity: Vec3::new(x, x, 0.0),
        rolling_speed: 0.125 * x,
        rebounds: number.is_multiple_of(2),
        struck: number.is_multiple_of(3),
        is_new: number.is_multiple_of(5),
    }
}

fn loads(numbers: std::ops::Range<u32>) -> Loads {
    let mut loads = Loads::default();
    loads.clear(numbers.len()).expect("memory");
    numbers.for_each(|number| loads.push(&load(number)));
    loads
}

#[test]
fn a_load_is_what_its_columns_say() {
    let loads = loads(0..7);
    for number in 0..7 {
        assert_eq!(loads.load(number as usize), load(number));
        assert_eq!(loads.total(number as usize), load(number).last());
    }
    assert_eq!(loads.load(7), Load::NONE, "what was not there carried nothing");
}

#[test]
fn columns_that_are_not_there_say_what_follows_from_the_others() {
    let mut all = loads(1..4);
    all.turned.clear();
    all.compatible.clear();
    let Load { normal_impulse, friction_impulse, .. } = load(2);
    let expected = Load {
        torque_impulse: Vec3::zeros(),
        rolling_speed: 0.0,
        compatible_normal: normal_impulse,
        compatible_friction: friction_impulse,
        ..load(2)
    };
    assert_eq!(all.load(1), expected, "neither torques nor a correction");
    // Two substeps: what is compatible is their sum.
    all.add_up(true).expect("memory");
    all.add_up(false).expect("memory");
    let twice = Total { normal: 2.0 * normal_impulse, friction: 2.0 * friction_impulse, torque: Vec3::zeros() };
    assert_eq!(all.total(1), twice);
    let sums = Load { compatible_normal: twice.normal, compatible_friction: twice.friction, ..expected };
    assert_eq!(all.load(1), sums);
}

#[test]
fn a_step_begins_without_sums_and_correction() {
    let mut all = loads(1..4);
    all.add_up(true).expect("memory");
    all.begin(5).expect("memory");
    all.begin_turning(true).expect("memory");
    assert_eq!((all.carried.len(), all.turned.len(), all.totals.len(), all.compatible.len()), (5, 5, 0, 0));
    all.begin_turning(false).expect("memory");
    assert_eq!(all.turned.len(), 0);
}

#[test]
fn what_is_kept_stays_together() {
    for columns in 0..4 {
        let mut all = loads(0..9);
        if columns & 1 > 0 {
            all.turned.clear();
        }
        if columns & 2 > 0 {
            all.compatible.clear();
            all.add_up(true).expect("memory");
        }
        let before = all.clone();
        all.retain(|index| index % 3 == 1);
        assert_eq!(all.carried.len(), 3);
        for (at, index) in [1, 4, 7].into_iter().enumerate() {
            assert_eq!((all.load(at), all.total(at)), (before.load(index), before.total(index)), "columns {columns}");
        }
    }
}
