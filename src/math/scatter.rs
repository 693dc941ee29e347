//! Numbers that look random and follow from an index alone.

use crate::math::Vec3;

/// Returns a number from -1 to 1 that looks random: splitmix64 (Steele et al. 2014).
pub fn scattered(index: u64) -> f64 {
    let mut word = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^= word >> 31;
    2.0 * ((word >> 11) as f64 / (1_u64 << 53) as f64) - 1.0
}

/// Returns a unit vector that looks random.
pub fn scattered_direction(index: u64) -> Vec3 {
    let first = index.wrapping_mul(3);
    let [x, y, z] = [0, 1, 2].map(|k| scattered(first.wrapping_add(k)));
    Vec3::new(x, y, z).try_normalize(0.0).unwrap_or_else(Vec3::z)
}
