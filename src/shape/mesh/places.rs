//! Points of a mesh that are one place.

use std::iter::repeat_n;

use super::triangles::{POINTS, check_triangles};
use crate::error::{Result, collected};
use crate::math::Vec3;

/// Coordinates that differ by less are one, as a fraction of the largest coordinate [-]: the round-off of a few rotations and shifts.
const SAME_PLACE: f64 = 1e-12;

/// Returns how far apart two points of one place may be along each axis [m].
fn round_off(points: &[Vec3]) -> f64 {
    SAME_PLACE * points.iter().map(|point| point.amax()).fold(0.0, f64::max)
}

/// Moves all points of a place to the first one, and returns for each point the index of that. Points that differ by round-off alone are at
/// one place, unless a triangle would lose its area.
pub(super) fn weld(points: &mut [Vec3], triangles: &[[u32; 3]]) -> Result<Vec<u32>> {
    let welded = firsts(points, round_off(points))?;
    let moved = collected(welded.iter().map(|first| points[*first as usize]), POINTS)?;
    if check_triangles(&moved, triangles).is_err() {
        return same_places(points);
    }
    points.copy_from_slice(&moved);
    Ok(welded)
}

/// Returns for each point the index of the first one with the same coordinates.
pub(super) fn same_places(points: &[Vec3]) -> Result<Vec<u32>> {
    firsts(points, 0.0)
}

/// Returns for each point the lowest index of a point with the same coordinates.
fn firsts(points: &[Vec3], tolerance: f64) -> Result<Vec<u32>> {
    let mut numbers = collected(repeat_n([0; 3], points.len()), POINTS)?;
    for axis in 0..3 {
        number_values(
            points.len(),
            |index| points[index as usize][axis],
            tolerance,
            |index, number| {
                numbers[index as usize][axis] = number;
            },
        )?;
    }
    let place = |index: &u32| numbers[*index as usize];
    let mut order = collected(0..points.len() as u32, POINTS)?;
    order.sort_unstable_by_key(|index| (place(index), *index));
    let mut firsts = collected(repeat_n(0, points.len()), POINTS)?;
    for group in order.chunk_by(|first, second| place(first) == place(second)) {
        group.iter().for_each(|index| firsts[*index as usize] = group[0]);
    }
    Ok(firsts)
}

/// Gives numbers to values. Two have the same number if no step between the sorted ones that lie between them is above `tolerance`.
pub(super) fn number_values(
    count: usize,
    value: impl Fn(u32) -> f64,
    tolerance: f64,
    mut give: impl FnMut(u32, u32),
) -> Result<()> {
    let mut order = collected(0..count as u32, POINTS)?;
    order.sort_unstable_by(|first, second| value(*first).total_cmp(&value(*second)));
    for (number, group) in order.chunk_by(|first, second| value(*second) - value(*first) <= tolerance).enumerate() {
        group.iter().for_each(|index| give(*index, number as u32));
    }
    Ok(())
}
