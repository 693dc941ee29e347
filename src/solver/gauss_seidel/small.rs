//! Impulses so small that their squares lose digits or are zero: their squares are compared in larger units.

use crate::math::lanes::Lanes;

/// Squares from this one on have all their digits, and so has a sum of them.
const MIN_SQUARE: f64 = 1e-280;
/// The factor into the larger units. It is a power of two, so that no digit is lost. The least number becomes 2.6e-113,
/// and numbers whose square is too small become at most 1e71.
const ENLARGED: f64 = f64::from_bits((1023 + 700) << 52);

/// Returns the factor into units in which a length with this `square` can be compared with a `bound`, where that is
/// above zero. It is 1 in lanes that need no other units. Returns nothing if no lane needs any.
#[inline(always)]
pub(in crate::solver) fn larger_units<L: Lanes>(square: L, bound: L) -> Option<L> {
    let lost = L::above(L::splat(MIN_SQUARE), square.larger(bound * bound));
    let lost = L::both(L::above(bound, L::splat(0.0)), lost);
    L::any(lost).then(|| L::select(lost, L::splat(ENLARGED), L::splat(1.0)))
}
