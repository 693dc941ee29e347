use crate::visit::{Comparison, Recorded, StateVisitor};

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
