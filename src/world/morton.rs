//! The order of bodies along a Morton curve, so that bodies near in space are near in memory.
//!
//! The curve visits a grid whose cell size is a power of two. The order is a pure function of the positions. A pile
//! that hardly moves hardly changes its order, so the order is repaired rather than recomputed.

use crate::error::{Result, empty};
use crate::math::Vec3;

/// A body on the curve. Entries are sorted by key, then by slot. The struct is packed, since padding would be a quarter of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub(in crate::world) struct Entry {
    /// The position on the curve; below [`KEY_END`].
    pub(in crate::world) key: u64,
    pub(in crate::world) slot: u32,
}

/// A number above every key of a position.
pub(in crate::world) const KEY_END: u64 = 1 << (3 * BITS);

/// The number of bits of a cell index along each axis.
const BITS: u32 = 21;

/// The number of cells on either side of the world's origin. A point beyond is assigned to the last cell.
const HALF: f64 = (1_u32 << (BITS - 1)) as f64;

/// The offset of the origin within its cell, along each axis [-]. The golden section keeps the points of a lattice, which round-off
/// moves, away from the borders of cells.
const SHIFT: f64 = 0.381_966;

/// Returns the position of `point` on the curve, for cells of size `1 / inverse` [m].
#[inline]
pub(in crate::world) fn key(point: &Vec3, inverse: f64) -> u64 {
    let along = |x: f64| spread((x * inverse + (HALF + SHIFT)).clamp(0.0, 2.0 * HALF - 1.0) as u32);
    along(point.x) << 2 | along(point.y) << 1 | along(point.z)
}

/// Returns the lowest 21 bits with two zeros between any two of them.
#[inline]
fn spread(number: u32) -> u64 {
    let mut bits = u64::from(number);
    bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF;
    bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF;
    bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F;
    bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// Sorts `entries`, which are nearly sorted.
///
/// One pass finds each place where the order breaks and takes out the two entries beside it. They are sorted on their own and merged in
/// at the end. If they are more than an eighth of all entries, all entries are sorted in place, so that `out_of_order` never gets larger.
pub(in crate::world) fn repair_order(entries: &mut [Entry], out_of_order: &mut Vec<Entry>) -> Result<()> {
    let Some(first) = (1..entries.len()).find(|at| entries[*at] < entries[*at - 1]) else { return Ok(()) };
    let capacity = entries.len() / 8 + 2;
    empty(out_of_order, capacity, "bodies out of order")?;
    let mut kept = first;
    for at in first..entries.len() {
        let entry = entries[at];
        if kept > 0 && entry < entries[kept - 1] {
            if out_of_order.len() + 2 > capacity {
                // they were taken out from between the kept entries and this one
                entries[kept..at].copy_from_slice(out_of_order);
                entries.sort_unstable();
                return Ok(());
            }
            kept -= 1;
            out_of_order.extend([entries[kept], entry]);
        } else {
            entries[kept] = entry;
            kept += 1;
        }
    }
    out_of_order.sort_unstable();
    let mut end = entries.len();
    while let Some(entry) = out_of_order.pop() {
        while kept > 0 && entries[kept - 1] > entry {
            (end, kept) = (end - 1, kept - 1);
            entries[end] = entries[kept];
        }
        end -= 1;
        entries[end] = entry;
    }
    Ok(())
}
