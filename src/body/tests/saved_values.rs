//! Shared values in snapshots: small, equal to the last bit, and no way to make the table slow.

use crate::body::shared::{Bits, SharedValues, hash};
use crate::error::Result;
use crate::visit::{Reader, Size, StateVisitor, Writer};

/// A number that is compared by its bits.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Number(u64);

impl Bits for Number {
    type Words = [u64; 1];

    fn words(&self) -> [u64; 1] {
        [self.0]
    }
}

fn save(shared: &SharedValues<Number>, slots: &[u32]) -> Vec<u8> {
    let mut size = Size::default();
    shared.save(&mut size, slots, |value, visitor| visitor.word(value.0)).expect("memory");
    let mut bytes = vec![0; size.bytes()];
    let mut writer = Writer::new(&mut bytes);
    shared.save(&mut writer, slots, |value, visitor| visitor.word(value.0)).expect("memory");
    writer.finish().expect("as many bytes as counted");
    bytes
}

fn load(bytes: &[u8], slots: &[u32], count: usize) -> Result<SharedValues<Number>> {
    let mut reader = Reader::new(bytes);
    let shared = SharedValues::load(&mut reader, (slots, count), (&Number(77), 8), |reader| reader.word().map(Number))?;
    reader.finish().map(|()| shared)
}

#[test]
fn each_distinct_value_is_written_once() {
    let mut shared = SharedValues::default();
    let values = [5, 9, 5, 5, 9, 1].map(Number);
    shared.reserve(values.iter()).expect("memory");
    values.iter().enumerate().for_each(|(slot, value)| shared.put(slot, value));
    // The body in slot 1 is gone.
    let slots = [4, 0, 2, 3, 5];
    let bytes = save(&shared, &slots);
    assert_eq!(bytes.len(), 8 + 3 * 8 + 2);
    let mut read = load(&bytes, &slots, 6).expect("values");
    for slot in slots {
        assert_eq!(read[slot as usize], values[slot as usize]);
    }
    assert_eq!(read[1], Number(77));
    assert_eq!(save(&read, &slots), bytes);
    // It can be changed as any other.
    let more = [Number(2), Number(5)];
    read.reserve(more.iter()).expect("memory");
    read.put(1, &more[1]);
    read.put(6, &more[0]);
    assert_eq!([read[1], read[6], read[0]], [Number(5), Number(2), Number(5)]);
}

/// Each body has two bits, and a number where its value is neither new nor that of the body before.
#[test]
fn numbers_of_more_than_256_values_take_two_bytes() {
    for count in [256_u32, 257] {
        let mut shared = SharedValues::default();
        let values: Vec<Number> = (0..count).chain((0..count).rev()).map(|value| Number(value.into())).collect();
        let (slots, all): (Vec<u32>, _) = ((0..2 * count).collect(), 2 * count as usize);
        shared.reserve(values.iter()).expect("memory");
        values.iter().enumerate().for_each(|(slot, value)| shared.put(slot, value));
        let (bytes, count) = (save(&shared, &slots), count as usize);
        assert_eq!(bytes.len(), 8 + 8 * count + all.div_ceil(4) + if count > 256 { 2 } else { 1 } * (count - 1));
        let read = load(&bytes, &slots, all).expect("values");
        assert!((0..all).all(|slot| read[slot] == values[slot]));
    }
}

#[test]
fn chosen_values_are_refused() {
    let alike = |count: usize, mask: u64| -> Vec<u64> {
        (0..).filter(|value| hash(&Number(*value)) & mask == 0).take(count).collect()
    };
    let bytes = |values: &[u64]| {
        let mut bytes = (values.len() as u64).to_le_bytes().to_vec();
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        // Four new ones each.
        bytes.extend(vec![0b0101_0101; values.len().div_ceil(4)]);
        bytes
    };
    let slots: Vec<u32> = (0..100).collect();
    let usual: Vec<u64> = (0..100).collect();
    assert!(load(&bytes(&usual), &slots, 100).is_ok());
    let error = load(&bytes(&alike(100, 511)), &slots, 100).expect_err("values with one hash");
    assert!(error.message.contains("the same hash"), "{error}");
    let twice = [&usual[..99], &[3]].concat();
    assert!(load(&bytes(&twice), &slots, 100).expect_err("a value twice").message.contains("not the first"));
}
