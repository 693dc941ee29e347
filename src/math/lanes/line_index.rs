//! The places of lines in [`Lines`](super::Lines), as kernels gather and scatter them.

use super::wide::WIDE;
use crate::math::BodyRow;

/// The place of a line: in the arrays of bodies its row; and whether the line is read-only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct LineIndex(u32);

impl LineIndex {
    /// The bit of a read-only line, which several threads may read at once.
    pub const KEPT: u32 = 1 << 31;

    /// The lines of an array of eight.
    pub const FIRST: Places = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the line of a body. No kernel writes it if it `is_kept`.
    #[inline(always)]
    pub fn new(row: BodyRow, is_kept: bool) -> Self {
        Self(if is_kept { row.0 | Self::KEPT } else { row.0 })
    }

    /// Returns the row of the body.
    #[inline(always)]
    pub fn row(self) -> BodyRow {
        BodyRow(self.0 & !Self::KEPT)
    }

    /// Returns the place as an offset into an array.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.row().index()
    }

    /// Returns the same of a line that is known not to be read-only: one instruction less where it counts.
    #[inline(always)]
    pub(super) fn unkept_index(self) -> usize {
        self.0 as usize
    }

    /// Returns whether the line is read-only: no impulse moves the body.
    #[inline(always)]
    pub fn is_kept(self) -> bool {
        self.0 & Self::KEPT != 0
    }
}

/// The places of [`WIDE`] lines, for [`Lanes::gather`](super::Lanes::gather).
pub type Places = [LineIndex; WIDE];
