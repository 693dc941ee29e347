//! Prefetches: hints that load lines of the cache before they are needed. All of them are in this file, and the one table of how far
//! ahead each loop prefetches, with the sizes below which it does not pay.
//!
//! A prefetch reads nothing, so every index is allowed.

#![allow(unsafe_code)]

/// Active bodies ahead in loops over bodies. Where an index leads to the value, the index is prefetched twice as far.
pub const BODIES_AHEAD: usize = 4;

/// Batches ahead in the sweep for the lines of their bodies.
pub const SWEEP_BODIES_AHEAD: usize = 2;

/// Batches ahead in the sweep for the batches themselves.
pub const SWEEP_BATCHES_AHEAD: usize = 8;

/// Batches ahead when the solver fills batches.
pub const FILL_AHEAD: usize = 1;

/// Batches ahead when the world computes the geometry of contacts.
pub const GEOMETRY_AHEAD: usize = 2;

/// Contacts ahead when impulses are read from batches.
pub const CONTACTS_AHEAD: usize = 8;

/// Up to this number of bodies nothing is prefetched for batches. A sweep then needs about 0.8 MB, which stays in the
/// second cache of most machines.
pub const FEW_BODIES: usize = 2048;

/// A batch of at most this many bytes leaves room in the first cache for the lines of the bodies of the next ones. For
/// larger batches, general ones and those with rolling, the lines go into the second cache: 32 kB are too few for both.
pub const SMALL_BATCH: usize = 1024;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Prefetches one element of a slice into the first cache.
#[inline(always)]
pub fn prefetch_one_of<T>(values: &[T], at: usize) {
    prefetch_bytes::<true, T>(values.as_ptr().wrapping_add(at), size_of::<T>());
}

/// Prefetches the element of a slot into the first cache, if there is a slot.
#[inline(always)]
pub fn prefetch_slot<T>(values: &[T], slot: Option<&u32>) {
    if let Some(slot) = slot {
        prefetch_one_of(values, *slot as usize);
    }
}

/// Prefetches a value into the first cache.
#[inline(always)]
pub fn prefetch_value<T>(value: &T) {
    prefetch_bytes::<true, T>(value, size_of::<T>());
}

/// Prefetches the first `bytes` of a large element of a slice into the second cache.
#[inline(always)]
pub fn prefetch_front_of_one_of<T>(values: &[T], at: usize, bytes: usize) {
    prefetch_bytes::<false, T>(values.as_ptr().wrapping_add(at), bytes);
}

#[inline(always)]
fn prefetch_bytes<const NEAR: bool, T>(value: *const T, bytes: usize) {
    let start: *const u8 = value.cast();
    for byte in (0..bytes).step_by(LINE) {
        prefetch_line::<NEAR, _>(start.wrapping_add(byte));
    }
}

/// Prefetches the line of the cache that holds `value`, into the first cache where it is `NEAR`, else into the second one.
///
/// Values of many lines go into the second cache. In the first one they would occupy the few buffers for lines on their
/// way, and what is needed now would wait.
#[inline(always)]
pub(super) fn prefetch_line<const NEAR: bool, T>(value: *const T) {
    // SAFETY: a hint, which reads nothing and may be given any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        if NEAR { _mm_prefetch::<_MM_HINT_T0>(value.cast()) } else { _mm_prefetch::<_MM_HINT_T1>(value.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
