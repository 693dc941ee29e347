//! XXH64, the checksum of snapshots (Collet, xxHash specification 0.1.1), without a seed. It finds damage and is no defence against malice.

const PRIME_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const PRIME_3: u64 = 0x1656_67B1_9E37_79F9;
const PRIME_4: u64 = 0x85EB_CA77_C2B2_AE63;
const PRIME_5: u64 = 0x27D4_EB2F_1656_67C5;

/// Returns the checksum of these bytes.
pub fn xxh64(bytes: &[u8]) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut sum = if stripes.is_empty() { PRIME_5 } else { of_stripes(stripes) };
    sum = sum.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        sum ^= round(0, u64::from_le_bytes(*word));
        sum = sum.rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        sum ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1);
        sum = sum.rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
    }
    for byte in rest {
        sum ^= u64::from(*byte).wrapping_mul(PRIME_5);
        sum = sum.rotate_left(11).wrapping_mul(PRIME_1);
    }
    sum = (sum ^ (sum >> 33)).wrapping_mul(PRIME_2);
    sum = (sum ^ (sum >> 29)).wrapping_mul(PRIME_3);
    sum ^ (sum >> 32)
}

/// Returns the sum of the four lanes.
fn of_stripes(stripes: &[[u8; 32]]) -> u64 {
    let mut lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, PRIME_1.wrapping_neg()];
    for stripe in stripes {
        let (words, _) = stripe.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
    }
    let turned = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, turn)| lane.rotate_left(turn));
    let sum = turned.fold(0, u64::wrapping_add);
    lanes.iter().fold(sum, |sum, lane| (sum ^ round(0, *lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4))
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}
