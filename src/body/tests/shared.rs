use crate::body::shared::{Bits, SharedValues};
use proptest::prelude::*;

/// A number that is compared by its bits.
#[derive(Debug, Clone, Copy)]
struct Number(f64);

impl Bits for Number {
    type Words = [u64; 1];

    fn words(&self) -> [u64; 1] {
        [self.0.to_bits()]
    }
}

fn put(shared: &mut SharedValues<Number>, slot: usize, number: f64) {
    let number = Number(number);
    shared.reserve([number].iter()).expect("room for one");
    shared.put(slot, &number);
}

/// Returns the number of places, and how many of them are in use.
fn extent<T>(shared: &SharedValues<T>) -> (usize, usize) {
    assert_eq!(shared.table.len(), shared.values.len() - shared.free.len());
    (shared.values.len(), shared.table.len())
}

#[test]
fn equal_values_are_kept_once() {
    let mut shared = SharedValues::default();
    (0..1000).for_each(|slot| put(&mut shared, slot, 7.0));
    assert_eq!(extent(&shared), (1, 1));
    put(&mut shared, 1000, 8.0);
    assert_eq!(extent(&shared), (2, 2));
    assert_eq!([0, 999, 1000].map(|slot| shared[slot].0), [7.0, 7.0, 8.0]);
}

/// What compares equal and is not, and what is the same and compares unequal.
#[test]
fn equal_is_what_has_the_same_bits() {
    let mut shared = SharedValues::default();
    let numbers = [0.0, -0.0, f64::NAN, f64::NAN];
    (0..4).for_each(|slot| put(&mut shared, slot, numbers[slot]));
    assert_eq!(extent(&shared), (3, 3));
    (0..4).for_each(|slot| assert_eq!(shared[slot].0.to_bits(), numbers[slot].to_bits()));
}

#[test]
fn a_value_that_is_set_again_and_again_does_not_grow() {
    let mut shared = SharedValues::default();
    put(&mut shared, 0, -1.0);
    (0..1000).for_each(|number| put(&mut shared, 0, f64::from(number)));
    // the new one has a place before the old one's is free
    assert_eq!((extent(&shared), shared[0].0), ((2, 1), 999.0));
}

#[test]
fn room_for_values_is_room_for_the_different_ones() {
    let mut shared = SharedValues::default();
    let new: Vec<Number> = (0..300).map(|number| Number(f64::from(number % 3))).collect();
    shared.reserve(new.iter()).expect("room");
    assert_eq!(extent(&shared), (3, 0));
    (0..).zip(&new).for_each(|(slot, number)| shared.put(slot, number));
    assert_eq!(extent(&shared), (3, 3));
    assert!((0..300).all(|slot| shared[slot].0 == new[slot].0));
}

proptest! {
    /// Against a list, with few values and many: the places that are taken are as many as there are different values.
    #[test]
    fn a_slot_has_what_was_put_there(calls in proptest::collection::vec((0usize..40, 0u32..60), 1..400), kinds in 1u32..60) {
        let mut shared = SharedValues::default();
        let mut expected: Vec<f64> = Vec::new();
        for (slot, number) in calls {
            let (slot, number) = (slot.min(expected.len()), f64::from(number % kinds));
            put(&mut shared, slot, number);
            if slot == expected.len() { expected.push(number) } else { expected[slot] = number }
            (0..expected.len()).for_each(|slot| assert_eq!(shared[slot].0, expected[slot]));
            let mut different: Vec<u64> = expected.iter().map(|number| number.to_bits()).collect();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(extent(&shared).1, different.len());
        }
    }
}
