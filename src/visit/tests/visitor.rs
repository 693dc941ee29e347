use crate::visit::{Recorded, StateVisitor};

#[test]
fn everything_becomes_words() {
    let mut recorded = Recorded::new();
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
