use crate::visit::{Comparison, Hash, Recorded, StateVisitor};

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
