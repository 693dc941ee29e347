//! Tests of the visitors, and what the tests of visits share.

mod checksum;

use crate::visit::{Comparison, Hash, Reader, Recorded, Size, StateVisitor, Writer, width_of};

/// The name of a member, and a function that changes it.
pub(crate) type Change<T> = (&'static str, fn(&mut T));

/// `members!(Whole { member: change, ... } but { member, ... })`: a [`Change`] for each member. Those behind `but` are left out. The
/// structure is destructured without `..`, so that no member can be forgotten.
macro_rules! members {
    ($whole:ident { $($member:ident: $change:expr),+ $(,)? } $(but { $($omitted:ident),+ $(,)? })?) => {{
        #[allow(dead_code)]
        fn has_no_other(whole: $whole) {
            let $whole { $($member: _,)+ $($($omitted: _),+)? } = whole;
        }
        let changes: Vec<$crate::visit::tests::Change<$whole>> = vec![$((stringify!($member), $change)),+];
        changes
    }};
}
pub(crate) use members;

/// The words of a state.
pub(crate) fn words(visit: impl FnOnce(&mut Recorded)) -> Vec<u64> {
    let mut recorded = Recorded::default();
    visit(&mut recorded);
    recorded.into_words().expect("memory")
}

/// Asserts that neither the words nor the hashes of any two of the states are equal.
pub(crate) fn all_differ(states: &[(String, Vec<u64>)]) {
    for (index, (name, words)) in states.iter().enumerate() {
        for (other, others) in &states[..index] {
            assert!(words != others, "{name} and {other} have the same words");
            assert_ne!(hash(words), hash(others), "{name} and {other} have the same hash");
        }
    }
}

/// Asserts that each change shows: the states of values from `make` with one change each, and without a change, all differ.
pub(crate) fn every_change_shows<T>(changes: &[Change<T>], make: impl Fn() -> T, visit: impl Fn(&T, &mut Recorded)) {
    let state = |change: &dyn Fn(&mut T)| {
        let mut whole = make();
        change(&mut whole);
        words(|recorded| visit(&whole, recorded))
    };
    let mut states = vec![("nothing".to_string(), state(&|_| ()))];
    assert_eq!(states[0].1, state(&|_| ()), "two that are the same");
    states.extend(changes.iter().map(|(name, change)| (name.to_string(), state(change))));
    all_differ(&states);
}

#[test]
fn everything_becomes_words() {
    let mut recorded = Recorded::default();
    recorded.word(7);
    recorded.length(3);
    recorded.flag(true);
    recorded.number(-0.0);
    recorded.words([1, 2]);
    recorded.numbers(&[1.0, f64::INFINITY]);
    recorded.slots([5, 4].into_iter());
    let numbers = [1.0, f64::INFINITY].map(f64::to_bits);
    let expected = [7, 3, 1, 1 << 63, 1, 2, numbers[0], numbers[1], 2, 5, 4];
    assert_eq!(recorded.into_words().expect("memory"), expected);
}

/// Also at the end of the bytes, where there is no room for a whole word.
#[test]
fn integers_take_as_many_bytes_as_the_largest() {
    for width in 1..=8 {
        let largest = u64::MAX >> (64 - 8 * width);
        assert_eq!((width_of(largest), width_of(largest >> 8)), (width, width.max(2) - 1), "{largest}");
        let integers = [largest, 0, 1, largest - 1];
        let write = |visitor: &mut dyn FnMut(u64)| integers.into_iter().for_each(visitor);
        let mut size = Size::default();
        write(&mut |integer| size.low_bytes(integer, width));
        assert_eq!(size.bytes(), 4 * width);
        let mut bytes = vec![0; 4 * width];
        let mut writer = Writer::new(&mut bytes);
        write(&mut |integer| writer.low_bytes(integer, width));
        writer.finish().expect("all of the room");
        let mut reader = Reader::new(&bytes);
        assert!(
            integers.into_iter().all(|integer| reader.low_bytes(width).is_ok_and(|read| read == integer)),
            "{bytes:?}"
        );
        assert!(reader.low_bytes(width).is_err());
        let mut writer = Writer::new(&mut bytes[..width - 1]);
        writer.low_bytes(largest, width);
        assert!(writer.finish().is_err());
    }
}

#[test]
fn only_the_same_words_are_equal() {
    let mut recorded = Recorded::default();
    recorded.words([1, 2, 3]);
    let recorded = recorded.into_words().expect("memory");
    let is_equal = |words: &[u64]| {
        let mut comparison = Comparison::with(&recorded);
        comparison.words(words.iter().copied());
        comparison.is_equal()
    };
    assert!(is_equal(&[1, 2, 3]));
    for other in [&[1, 2, 4][..], &[1, 2], &[1, 2, 3, 0], &[4, 2, 3], &[]] {
        assert!(!is_equal(other), "{other:?}");
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hash = Hash::default();
    hash.words(words.iter().copied());
    hash.value()
}

#[test]
fn every_bit_and_the_order_show() {
    let mut hashes = vec![hash(&[]), hash(&[0]), hash(&[0, 0]), hash(&[1, 2]), hash(&[2, 1])];
    hashes.extend((2..64).map(|bit| hash(&[1 << bit])));
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!((hashes.len(), hash(&[1, 2])), (count, hash(&[1, 2])));
}
