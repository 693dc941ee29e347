//! The order of bodies along a space-filling curve, so that what is near in space is near in memory.
//!
//! The curve is Morton's over a grid whose cells are a power of two; the order is a pure function of the places. A pile
//! that hardly moves hardly changes it, so it is mended rather than made.

use crate::error::{Result, reserve};
use crate::math::Vec3;

/// A body on the curve. Sorted by key, then by slot. Packed: a quarter of it would be nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub(in crate::world) struct Entry {
    /// Where on the curve; below [`END`] for a place.
    pub(in crate::world) key: u64,
    pub(in crate::world) slot: u32,
}

/// Above every key of a place.
pub(in crate::world) const END: u64 = 1 << (3 * BITS);

/// Bits of the number of a cell along each axis.
const BITS: u32 = 21;

/// Cells on either side of the world's origin; what is beyond counts as in the last cell.
const HALF: f64 = (1_u32 << (BITS - 1)) as f64;

/// Where the origin is in its cell, along each axis [-]: the golden section, so that places on a lattice, which round-off
/// shakes, lie on no border of cells.
const SHIFT: f64 = 0.381_966;

/// The place of `point` on the curve over cells of `1 / inverse` [m].
#[inline]
pub(in crate::world) fn key(point: &Vec3, inverse: f64) -> u64 {
    let along = |x: f64| spread((x * inverse + (HALF + SHIFT)).clamp(0.0, 2.0 * HALF - 1.0) as u32);
    along(point.x) << 2 | along(point.y) << 1 | along(point.z)
}

/// The lowest 21 bits, two zeros between any two of them.
#[inline]
fn spread(number: u32) -> u64 {
    let mut bits = u64::from(number);
    bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF;
    bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF;
    bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F;
    bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// Sorts `entries`. Costs one pass where they are sorted already, and besides as much as it takes to sort those that are
/// not in their place: each time that order breaks, the two entries beside the break are taken out, and are merged in at
/// the end. Where these are more than an eighth, all are sorted where they are, so that `strays` is never larger.
pub(in crate::world) fn mend(entries: &mut [Entry], strays: &mut Vec<Entry>) -> Result<()> {
    let Some(first) = (1..entries.len()).find(|at| entries[*at] < entries[*at - 1]) else { return Ok(()) };
    strays.clear();
    let most = entries.len() / 8 + 2;
    reserve(strays, most, "bodies out of order")?;
    let mut kept = first;
    for at in first..entries.len() {
        let entry = entries[at];
        if kept > 0 && entry < entries[kept - 1] {
            if strays.len() + 2 > most {
                // they have been taken out from between what is kept and this one
                entries[kept..at].copy_from_slice(strays);
                entries.sort_unstable();
                return Ok(());
            }
            kept -= 1;
            strays.extend([entries[kept], entry]);
        } else {
            entries[kept] = entry;
            kept += 1;
        }
    }
    strays.sort_unstable();
    let mut end = entries.len();
    while let Some(stray) = strays.pop() {
        while kept > 0 && entries[kept - 1] > stray {
            (end, kept) = (end - 1, kept - 1);
            entries[end] = entries[kept];
        }
        end -= 1;
        entries[end] = stray;
    }
    Ok(())
}
