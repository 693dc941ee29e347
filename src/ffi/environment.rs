//! The floating point environment: a step promises the same bits everywhere, so it refuses an unusual one.

use std::hint::black_box;

use crate::error::{Error, Result};

/// Refuses flush-to-zero, denormals-are-zero, and any rounding but to nearest.
pub(super) fn check() -> Result<()> {
    let trouble = if rounds_elsewhere() {
        "rounding mode is not to nearest"
    } else if is_zero(black_box(f64::MIN_POSITIVE) * black_box(0.5)) {
        "flush-to-zero is set"
    } else if is_zero(black_box(f64::from_bits(1)) * black_box(1e300)) {
        "denormals-are-zero is set"
    } else {
        return Ok(());
    };
    Err(Error::unsupported(format!("the thread's {trouble}, expected the default floating point environment")))
}

/// By its bits: a comparison takes subnormal numbers for zero where denormals are.
fn is_zero(value: f64) -> bool {
    black_box(value).to_bits() == 0
}

/// 1 + e/4 and -1 - e/4 stay where they are, and 1 + 3e/4 rises to 1 + e, only when rounding to nearest: upwards the
/// first moves, downwards the second, towards zero the third falls.
fn rounds_elsewhere() -> bool {
    let quarter = f64::EPSILON / 4.0;
    let (one, quarter, three_quarters) = (black_box(1.0), black_box(quarter), black_box(3.0 * quarter));
    one + quarter != 1.0 || -one - quarter != -1.0 || one + three_quarters != 1.0 + f64::EPSILON
}
