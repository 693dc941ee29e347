//! Tests of the visitors, one file for each source; and what the tests of visits share.

mod visitor;

use crate::visit::{Hash, Recorded, StateVisitor};

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
    let hash = |words: &[u64]| {
        let mut hash = Hash::default();
        hash.words(words.iter().copied());
        hash.value()
    };
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
