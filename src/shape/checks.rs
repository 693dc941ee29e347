//! What the constructors of shapes ask of their numbers. Knows no shape.

use crate::error::{Result, in_range, out_of_memory, positive};

/// The shortest length a shape may have [m]: its fifth power, in which inertia is measured, is still a normal number.
pub(crate) const SHORTEST: f64 = 1e-50;
/// The longest [m]: the same at the other end.
pub(crate) const LONGEST: f64 = 1e50;
/// Below this thickness over length a hull counts as flat, a triangle as a line: its normal would be noise [-].
pub(crate) const THINNEST: f64 = 1e-8;

/// `value` is a length that a shape can have.
pub(super) fn length(name: &str, value: f64) -> Result<()> {
    positive(name, value)?;
    let holds = (SHORTEST..=LONGEST).contains(&value);
    in_range(name, value, holds, "a length between 1e-50 and 1e50")
}

/// Every coordinate of the flat array `name` is small enough for volumes and areas to be finite.
pub(super) fn coordinates(name: &str, values: &[f64]) -> Result<()> {
    crate::error::all_finite(name, values)?;
    match values.iter().enumerate().find(|(_, value)| value.abs() > LONGEST) {
        Some((index, value)) => in_range(&format!("{name}[{index}]"), *value, false, "a coordinate within 1e50 of 0"),
        None => Ok(()),
    }
}

/// Asks for `count` elements of `bytes` each and gives them back: a library that allocates without asking comes next.
pub(super) fn probe_memory(count: usize, bytes: usize, what: &str) -> Result<()> {
    let total = count.checked_mul(bytes).ok_or_else(|| out_of_memory(what, count))?;
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(total).map_err(|_| out_of_memory(what, count))
}
