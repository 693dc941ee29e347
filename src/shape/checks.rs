//! Checks that the constructors of shapes make of their numbers and of memory. The module does not depend on shapes.

use std::cmp::Ordering;

use crate::error::{Result, all_finite, collected, in_range, out_of_memory, positive, text};
use crate::math::Vec3;

/// The shortest length a shape may have [m]: its fifth power, in which inertia is measured, is still a normal number.
pub(super) const SHORTEST: f64 = 1e-50;
/// The longest [m]: the same at the other end.
pub(super) const LONGEST: f64 = 1e50;
/// Below this thickness over length a hull counts as flat, a triangle as a line: its normal would be noise [-].
pub(super) const THINNEST: f64 = 1e-8;

/// `value` is a length that a shape can have.
pub(super) fn length(name: &str, value: f64) -> Result<()> {
    positive(name, value)?;
    let holds = (SHORTEST..=LONGEST).contains(&value);
    in_range(name, value, holds, "a length between 1e-50 and 1e50")
}

/// Returns the points of the array `points_xyz` if every coordinate is small enough for volumes and areas to be finite.
pub(super) fn own_points(points: &[[f64; 3]], what: &str) -> Result<Vec<Vec3>> {
    let values = points.as_flattened();
    all_finite("points_xyz", values)?;
    if let Some((index, value)) = values.iter().enumerate().find(|(_, value)| value.abs() > LONGEST) {
        in_range(&text!("points_xyz[{index}]"), *value, false, "a coordinate within 1e50 of 0")?;
    }
    // Adding 0 makes one zero of the two that compare equal.
    collected(points.iter().map(|point| Vec3::from(*point).add_scalar(0.0)), what)
}

/// Orders points by their coordinates, the first ones first.
pub(super) fn by_coordinates(a: &Vec3, b: &Vec3) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}

/// Returns list `index`, which starts at `items[starts[index]]` and ends where the next one starts; empty if there is none.
#[inline]
pub(crate) fn listed<'a>(starts: &[u32], items: &'a [u32], index: usize) -> &'a [u32] {
    match starts.get(index..index + 2) {
        Some([start, end]) => &items[*start as usize..*end as usize],
        _ => &[],
    }
}

/// Asks for `count` elements of `bytes` each and gives them back: a library that allocates without asking comes next.
pub(super) fn probe_memory(count: usize, bytes: usize, what: &str) -> Result<()> {
    let total = count.checked_mul(bytes).ok_or_else(|| out_of_memory(what, count))?;
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(total).map_err(|_| out_of_memory(what, count))
}
