//! Lines of the cache that kernels read and write by place.
//!
//! This file has `unsafe` for two reasons: places are checked against the number of lines right before the access, and
//! several threads share the lines.

#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::prefetch::prefetch_line;
use super::wide::{WIDE, Wide};
use crate::math::BodyRow;

/// The place of a line: in the arrays of bodies its row; and whether the line is read-only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct LineIndex(u32);

impl LineIndex {
    /// The bit of a read-only line, which several threads may read at once.
    pub const READ_ONLY: u32 = 1 << 31;

    /// The lines of an array of eight.
    pub const FIRST: Places = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the line of a body. No kernel writes it if it `is_read_only`.
    #[inline(always)]
    pub fn new(row: BodyRow, is_read_only: bool) -> Self {
        Self(if is_read_only { row.0 | Self::READ_ONLY } else { row.0 })
    }

    /// Returns the row of the body.
    #[inline(always)]
    pub fn row(self) -> BodyRow {
        BodyRow(self.0 & !Self::READ_ONLY)
    }

    /// Returns the place as an offset into an array.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.row().index()
    }

    /// Returns the same of a line that is known not to be read-only: one instruction less where it counts.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn writable_index(self) -> usize {
        self.0 as usize
    }

    /// Returns whether the line is read-only: no impulse moves the body.
    #[inline(always)]
    pub fn is_read_only(self) -> bool {
        self.0 & Self::READ_ONLY != 0
    }
}

/// The places of [`WIDE`] lines, for [`Lanes::gather`](super::Lanes::gather).
pub type Places = [LineIndex; WIDE];

/// Lines that kernels read and write by place, perhaps several kernels at once.
///
/// A caller that runs several kernels on the same lines at the same time guarantees exclusive writes. No other kernel
/// uses a line that one of them writes, that is, a line that is not [read-only](LineIndex::is_read_only). The colours and tiles
/// of the solver guarantee this.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    start: *mut Wide,
    length: usize,
    lines: PhantomData<&'a mut [Wide]>,
}

// SAFETY: numbers behind a pointer that outlives them all; the caller keeps the promise above.
unsafe impl Send for Lines<'_> {}
// SAFETY: as above.
unsafe impl Sync for Lines<'_> {}

impl<'a> Lines<'a> {
    /// Makes lines that nothing else uses while these live. Not for other crates: the promise above is kept in this one.
    pub(crate) fn new(lines: &'a mut [Wide]) -> Self {
        Self { start: lines.as_mut_ptr(), length: lines.len(), lines: PhantomData }
    }

    /// Makes lines that kernels only read. The caller runs no kernel that writes them.
    pub(crate) fn read_only(lines: &'a [Wide]) -> Self {
        Self { start: lines.as_ptr().cast_mut(), length: lines.len(), lines: PhantomData }
    }

    /// Returns the number of lines.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.length
    }

    /// Returns the address of a line; places outside are a defect.
    #[inline(always)]
    fn at(&self, place: LineIndex) -> *mut [f64; WIDE] {
        let place = place.index();
        assert!(place < self.length);
        // SAFETY: within the slice that it was made of.
        unsafe { self.start.add(place).cast() }
    }

    /// Reads one line.
    #[inline(always)]
    pub(super) fn read(&self, place: LineIndex) -> [f64; WIDE] {
        // SAFETY: the place is one of the lines.
        unsafe { *self.at(place) }
    }

    /// Writes one line, unless it is read-only.
    #[inline(always)]
    pub(super) fn write(&self, place: LineIndex, numbers: [f64; WIDE]) {
        if !place.is_read_only() {
            // SAFETY: the place is one of the lines, and no other kernel uses it now.
            unsafe { *self.at(place) = numbers }
        }
    }

    /// Returns the addresses of several lines, none of which is read-only where they are `WRITABLE`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn all<const N: usize, const WRITABLE: bool>(&self, places: &Places, first: usize) -> [*mut f64; N] {
        let mut found = [std::ptr::null_mut(); N];
        for (lane, at) in found.iter_mut().enumerate() {
            // SAFETY: one number of the array. Read alone: taken out of a register of eight, each would wait where the
            // numbers of the lines are shuffled.
            let place = unsafe { std::ptr::from_ref(&places[first + lane]).read_volatile() };
            let place = if WRITABLE { place.writable_index() } else { place.index() };
            *at = self.start.wrapping_add(place).cast();
        }
        found
    }

    /// Prefetches the lines at `places`: into the first cache where they are to be `near`, else into the second one.
    #[inline(always)]
    pub fn prefetch(&self, places: &Places, near: bool) {
        for place in places {
            let line = self.start.wrapping_add(place.index());
            if near { prefetch_line::<true, _>(line) } else { prefetch_line::<false, _>(line) }
        }
    }
}
