use crate::visit::{Hash, StateVisitor};

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
