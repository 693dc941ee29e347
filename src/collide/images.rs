//! The images of a body in a periodic box that can overlap others.
//!
//! Bodies are stored in the box at the origin. The search for a body's partners starts from its own place, and from those of its images
//! that reach into the box. Of two bodies only the nearest pair of images counts: if any images overlap, these do.

use crate::collide::cells::{Cells, Entry};
use crate::error::Result;
use crate::math::{Aabb, Period, Vec3};

/// The bounds in the box at the origin.
pub(super) fn inside(period: &Period, bounds: &Aabb) -> Aabb {
    bounds.moved(&-period.whole(&bounds.center()))
}

/// Whether moving a body by `shift` brings it to the image that is nearest to the other body.
fn is_nearest(period: &Period, body: &Entry, other: &Entry, shift: &Vec3) -> bool {
    period.excess(&(other.bounds.center() - body.bounds.center())) == *shift
}

/// Calls `found` for the bodies of a grid whose bounds overlap the nearest image of the bounds of `body`, an entry of a grid. `body` itself
/// is included if it is one of them. With `once` the grid is that of `body`, and pairs that the other body counts are left out.
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

/// Whether the first component that is not zero is above it: of two opposite shifts, one is.
fn is_forward(shift: &Vec3) -> bool {
    shift.iter().find(|along| **along != 0.0).is_some_and(|along| *along > 0.0)
}

/// Calls `visit` with the shifts that can bring bounds in the box onto bodies in the box, whose bounds reach up to `half` beyond their centres.
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
