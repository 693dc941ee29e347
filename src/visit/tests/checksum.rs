//! The checksum is XXH64: known answers, of lengths that reach each of its parts.

use crate::visit::xxh64;

#[test]
fn known_answers() {
    let known: [(&[u8], u64); 4] = [
        (b"", 0xEF46_DB37_51D8_E999),
        (b"a", 0xD24E_C4F1_A98C_6E5B),
        (b"abc", 0x44BC_2CF5_AD77_0999),
        (b"Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ];
    for (bytes, expected) in known {
        assert_eq!(xxh64(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn every_bit_shows() {
    let bytes: Vec<u8> = (0..71).collect();
    let sum = xxh64(&bytes);
    for bit in 0..8 * bytes.len() {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(xxh64(&other), sum, "bit {bit}");
    }
}
