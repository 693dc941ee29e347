//! The cells of a grid: their coordinates, packed into one number, and their hash.

/// The bits of a cell coordinate. Points beyond the range count to the outermost cells.
const BITS: u32 = 21;

/// The number of cells on either side of the origin, along each axis.
pub(super) const FAR: f64 = (1_u32 << (BITS - 1)) as f64;

/// The number of cells of a region along each axis.
const REGION: u32 = 16;

/// Consecutive cells along z that are in one region. Their buckets are consecutive too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The [`key`] of the first cell; the others follow.
    pub(super) first: u64,
    pub(super) count: u32,
    /// See [`cell_hash`].
    pub(super) hash: u32,
}

impl Row {
    /// Whether a cell is in the row.
    #[inline]
    pub(super) fn has(&self, cell: u64) -> bool {
        cell.wrapping_sub(self.first) < u64::from(self.count)
    }
}

/// A cell's coordinates in one number, x in the highest bits.
#[inline]
pub(super) fn key([x, y, z]: [u32; 3]) -> u64 {
    u64::from(x) << (2 * BITS) | u64::from(y) << BITS | u64::from(z)
}

/// The coordinates of a [`key`].
#[inline]
pub(super) fn unpacked(key: u64) -> [u32; 3] {
    [2 * BITS, BITS, 0].map(|shift| (key >> shift) as u32 & ((1 << BITS) - 1))
}

/// Returns the hash of a cell, of which the lowest bits are used. The cells of a region of 16x16x16 have consecutive hashes, those along z
/// next to each other. The hashes of regions begin anywhere, so that regions with one layer of bodies do not all use the same ones.
#[inline]
pub(super) fn cell_hash([x, y, z]: [u32; 3]) -> u32 {
    let part = |along: u32, factor: u64| u64::from(along / REGION).wrapping_mul(factor);
    let region = part(x, 0x9E37_79B9_7F4A_7C15) ^ part(y, 0xBF58_476D_1CE4_E5B9) ^ part(z, 0x94D0_49BB_1331_11EB);
    let [x, y, z] = [x, y, z].map(|along| along % REGION);
    ((region ^ region >> 32) as u32).wrapping_add((x * REGION + y) * REGION + z)
}

/// Calls `visit` with the rows of the cells from `low` to `high`, without the cells before `first`.
#[inline]
pub(super) fn each_row<E>(
    first: [u32; 3],
    [low, high]: [[u32; 3]; 2],
    mut visit: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    for x in first[0]..=high[0] {
        let first_y = if x == first[0] { first[1] } else { low[1] };
        for y in first_y..=high[1] {
            let mut z = if x == first[0] && y == first[1] { first[2] } else { low[2] };
            while z <= high[2] {
                let end = high[2].min(z | (REGION - 1)) + 1;
                visit(Row { first: key([x, y, z]), count: end - z, hash: cell_hash([x, y, z]) })?;
                z = end;
            }
        }
    }
    Ok(())
}
