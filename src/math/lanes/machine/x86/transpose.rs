//! Rows of numbers to columns, within registers.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

/// Columns of the halves of eight lines that start at `begin`. Halves of two lines are put into one register on the way from the
/// cache: what is put together there need not be shuffled, for which some machines have one unit only.
///
/// # Safety
/// The machine has AVX-512F, and the lines can be read.
#[inline(always)]
pub(super) unsafe fn columns(at: [*mut f64; 8], begin: usize) -> [__m512d; 4] {
    // SAFETY: this function's own condition.
    unsafe {
        let (r02, r13) = (halves(at[0], at[2], begin), halves(at[1], at[3], begin));
        let (r46, r57) = (halves(at[4], at[6], begin), halves(at[5], at[7], begin));
        let (low, high) = (_mm512_unpacklo_pd(r02, r13), _mm512_unpacklo_pd(r46, r57));
        let (a, c) = (_mm512_shuffle_f64x2::<0x88>(low, high), _mm512_shuffle_f64x2::<0xdd>(low, high));
        let (low, high) = (_mm512_unpackhi_pd(r02, r13), _mm512_unpackhi_pd(r46, r57));
        let (b, d) = (_mm512_shuffle_f64x2::<0x88>(low, high), _mm512_shuffle_f64x2::<0xdd>(low, high));
        [a, b, c, d]
    }
}

/// Halves of two lines, one behind the other.
///
/// # Safety
/// The machine has AVX-512F, and the lines can be read.
#[inline(always)]
unsafe fn halves(one: *mut f64, other: *mut f64, begin: usize) -> __m512d {
    // SAFETY: this function's own condition.
    unsafe {
        let front = _mm512_castpd256_pd512(_mm256_load_pd(one.add(begin)));
        _mm512_insertf64x4::<1>(front, _mm256_load_pd(other.add(begin)))
    }
}

/// Rows to columns: pairs of doubles are interleaved, then quarters of the registers.
///
/// # Safety
/// The machine has AVX-512F.
#[inline(always)]
pub(super) unsafe fn transposed8(r: [__m512d; 8]) -> [__m512d; 8] {
    // SAFETY: this function's own condition.
    unsafe {
        let even = [
            _mm512_unpacklo_pd(r[0], r[1]),
            _mm512_unpacklo_pd(r[2], r[3]),
            _mm512_unpacklo_pd(r[4], r[5]),
            _mm512_unpacklo_pd(r[6], r[7]),
        ];
        let odd = [
            _mm512_unpackhi_pd(r[0], r[1]),
            _mm512_unpackhi_pd(r[2], r[3]),
            _mm512_unpackhi_pd(r[4], r[5]),
            _mm512_unpackhi_pd(r[6], r[7]),
        ];
        let [c0, c2, c4, c6] = quarters(even);
        let [c1, c3, c5, c7] = quarters(odd);
        [c0, c1, c2, c3, c4, c5, c6, c7]
    }
}

/// The first quarters of all four, the second ones, and so on.
///
/// # Safety
/// The machine has AVX-512F.
#[inline(always)]
unsafe fn quarters(r: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: this function's own condition.
    unsafe {
        let (low_first, high_first) =
            (_mm512_shuffle_f64x2::<0x88>(r[0], r[1]), _mm512_shuffle_f64x2::<0x88>(r[2], r[3]));
        let (low_second, high_second) =
            (_mm512_shuffle_f64x2::<0xdd>(r[0], r[1]), _mm512_shuffle_f64x2::<0xdd>(r[2], r[3]));
        [
            _mm512_shuffle_f64x2::<0x88>(low_first, high_first),
            _mm512_shuffle_f64x2::<0x88>(low_second, high_second),
            _mm512_shuffle_f64x2::<0xdd>(low_first, high_first),
            _mm512_shuffle_f64x2::<0xdd>(low_second, high_second),
        ]
    }
}

/// Rows to columns.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn transposed4(r: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: this function's own condition.
    unsafe {
        let (even_low, odd_low) = (_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1]));
        let (even_high, odd_high) = (_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3]));
        [
            _mm256_permute2f128_pd::<0x20>(even_low, even_high),
            _mm256_permute2f128_pd::<0x20>(odd_low, odd_high),
            _mm256_permute2f128_pd::<0x31>(even_low, even_high),
            _mm256_permute2f128_pd::<0x31>(odd_low, odd_high),
        ]
    }
}
