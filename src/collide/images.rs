//! The images of a body in a periodic box that can overlap others.
//!
//! Each body is stored once, at its image in the box at the origin. The search for the partners of a body starts from this image and from
//! other images that reach into the box. Only the nearest images of two bodies count: if any images overlap, these do.

use crate::collide::cells::{Cells, Entry};
use crate::error::Result;
use crate::math::{Aabb, Period, Vec3};

/// Returns the image of bounds whose centre is in the box at the origin.
pub(super) fn inside(period: &Period, bounds: &Aabb) -> Aabb {
    bounds.moved(&-period.whole(&bounds.center()))
}

/// Returns whether the image of a body that is moved by `shift` is the one nearest to the other body.
fn is_nearest(period: &Period, body: &Entry, other: &Entry, shift: &Vec3) -> bool {
    period.excess(&(other.bounds.center() - body.bounds.center())) == *shift
}

/// Calls `found` for the bodies of a grid whose bounds overlap the nearest image of `body`. If `body` is in this grid, it is found too.
/// With `once` the grid must be that of `body`, and each pair is found from one of its bodies only.
pub(super) fn overlapping(
    cells: &Cells,
    period: &Period,
    body: &Entry,
    once: bool,
    mut found: impl FnMut(&Entry) -> Result<()>,
) -> Result<()> {
    each_shift(period, &body.bounds, &cells.max_half_extent(), |shift| {
        let mut counted = |other: &Entry| {
            if is_nearest(period, body, other, shift) { found(other) } else { Ok(()) }
        };
        if *shift == Vec3::zeros() {
            return match once {
                true => cells.overlapping_after(body, counted),
                false => cells.overlapping(None, &body.bounds, counted),
            };
        }
        if once && !is_forward(shift) {
            return Ok(());
        }
        cells.overlapping(None, &body.bounds.moved(shift), &mut counted)
    })
}

/// Returns whether the first component that is not zero is positive. This holds for one of two opposite shifts.
fn is_forward(shift: &Vec3) -> bool {
    shift.iter().find(|along| **along != 0.0).is_some_and(|along| *along > 0.0)
}

/// Calls `visit` with the shifts that can move `bounds`, in the box, onto other bodies in the box. `half` is half of the largest extent of
/// these.
fn each_shift(period: &Period, bounds: &Aabb, half: &Vec3, mut visit: impl FnMut(&Vec3) -> Result<()>) -> Result<()> {
    let along = |axis: usize| {
        let length = period.lengths()[axis];
        // A little more, for round-off.
        let half = half[axis] + 1e-9 * (half[axis] + length);
        let forward = length > 0.0 && bounds.lower[axis] <= half;
        let back = length > 0.0 && bounds.upper[axis] >= length - half;
        [Some(0.0), forward.then_some(length), back.then_some(-length)].into_iter().flatten()
    };
    for x in along(0) {
        for y in along(1) {
            for z in along(2) {
                visit(&Vec3::new(x, y, z))?;
            }
        }
    }
    Ok(())
}
