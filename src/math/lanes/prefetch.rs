//! Prefetches: hints that load lines of the cache before they are needed. All of them are in this file, and how far
//! ahead each loop prefetches is in [`distances`](super::distances).
//!
//! A prefetch reads nothing, so every index is allowed.

#![allow(unsafe_code)]

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
