//! AVX2: four lanes. Values of this type exist only behind `dispatch`, which checks the machine.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::math::lanes::lines::{LineIndex, Lines, Places};
use crate::math::lanes::traits::{Kernel, Lanes};
use crate::math::lanes::twice::Twice;
use crate::math::lanes::wide::{WIDE, Wide};

/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Twice<Four>>()
}

/// Four doubles in one register.
#[derive(Debug, Clone, Copy)]
pub(super) struct Four(__m256d);

registers!(Four, Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
    }
}

impl Lanes for Four {
    const WIDTH: usize = 4;
    type Mask = __m256d;
    instructions!(root() _mm256_sqrt_pd, larger(other) _mm256_max_pd, smaller(other) _mm256_min_pd);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm256_set1_pd(value)) }
    }
    #[inline(always)]
    fn load(from: &Wide, first: usize) -> Self {
        let half = &from.0[first..first + 4];
        // SAFETY: `dispatch` found the instructions; four doubles.
        unsafe { Self(_mm256_loadu_pd(half.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, first: usize) {
        let half = &mut to.0[first..first + 4];
        // SAFETY: `dispatch` found the instructions; four doubles.
        unsafe { _mm256_storeu_pd(half.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm256_or_pd(self.magnitude().0, _mm256_and_pd(other.0, _mm256_set1_pd(-0.0)))) }
    }
    #[inline(always)]
    fn above(self, other: Self) -> __m256d {
        // SAFETY: `dispatch` found the instructions.
        unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: __m256d, yes: Self, no: Self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm256_blendv_pd(no.0, yes.0, mask)) }
    }
    #[inline(always)]
    fn both(one: __m256d, other: __m256d) -> __m256d {
        // SAFETY: `dispatch` found the instructions.
        unsafe { _mm256_and_pd(one, other) }
    }
    #[inline(always)]
    fn without(one: __m256d, other: __m256d) -> __m256d {
        // SAFETY: `dispatch` found the instructions.
        unsafe { _mm256_andnot_pd(other, one) }
    }
    #[inline(always)]
    fn any(mask: __m256d) -> bool {
        // SAFETY: `dispatch` found the instructions.
        unsafe { _mm256_movemask_pd(mask) != 0 }
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE] {
        let [a, b, c, d] = Self::gather_half(lines, places, first, 0);
        let [e, f, g, h] = Self::gather_half(lines, places, first, 4);
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, first: usize, [a, b, c, d, e, f, g, h]: [Self; WIDE]) {
        Self::put_half::<false>(lines, places, first, 0, [a, b, c, d]);
        Self::put_half::<false>(lines, places, first, 4, [e, f, g, h]);
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, first: usize, [[a, b, c], [d, e, f]]: [[Self; 3]; 2]) {
        let zero = Self::splat(0.0);
        Self::put_half::<true>(lines, places, first, 0, [a, b, c, zero]);
        Self::put_half::<true>(lines, places, first, 4, [d, e, f, zero]);
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2] {
        Self::gather_half(lines, places, first, 0)
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, [a, b, c]: [Self; 3]) {
        Self::put_half::<true>(lines, places, first, 0, [a, b, c, Self::splat(0.0)]);
    }
}

impl Four {
    /// Reads the halves of lines that begin with number `begin`.
    #[inline(always)]
    fn gather_half(lines: Lines, places: &Places, first: usize, begin: usize) -> [Self; WIDE / 2] {
        // SAFETY: `dispatch` found the instructions.
        assert!(unsafe { are_within4(&places[first..], lines.count()) });
        let at = lines.all::<4, false>(places, first);
        // SAFETY: `dispatch` found the instructions; the places are lines of eight aligned doubles, `begin` is 0 or 4.
        unsafe { transposed4(at.map(|at| _mm256_load_pd(at.add(begin)))).map(Self) }
    }

    /// Writes the halves of lines that begin with number `begin`, or adds to them, except read-only ones.
    #[inline(always)]
    fn put_half<const ADD: bool>(lines: Lines, places: &Places, first: usize, begin: usize, numbers: [Self; WIDE / 2]) {
        // SAFETY: `dispatch` found the instructions.
        assert!(unsafe { are_within4(&places[first..], lines.count()) });
        let at = lines.all::<4, false>(places, first);
        // SAFETY: `dispatch` found the instructions; the places are lines of eight aligned doubles, which no other kernel uses
        // now, `begin` is 0 or 4.
        unsafe {
            let rows = transposed4(numbers.map(|four| four.0));
            macro_rules! put {
                ($($lane:literal)*) => { $( if !places[first + $lane].is_read_only() {
                    let to = at[$lane].add(begin);
                    let sum = if ADD { _mm256_add_pd(_mm256_load_pd(to), rows[$lane]) } else { rows[$lane] };
                    _mm256_store_pd(to, sum);
                } )* };
            }
            put!(0 1 2 3);
        }
    }
}

/// Returns whether four places are below `count`.
///
/// # Safety
/// The machine has SSE2, and there are four.
#[inline(always)]
unsafe fn are_within4(places: &[LineIndex], count: usize) -> bool {
    let places = &places[..4];
    // SAFETY: this function's own condition; four places.
    unsafe {
        let found =
            _mm_andnot_si128(_mm_set1_epi32(LineIndex::READ_ONLY as i32), _mm_loadu_si128(places.as_ptr().cast()));
        let count = _mm_set1_epi32(count.min(i32::MAX as usize) as i32);
        _mm_movemask_epi8(_mm_cmpgt_epi32(count, found)) == 0xffff
    }
}

/// Transposes four rows.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn transposed4(r: [__m256d; 4]) -> [__m256d; 4] {
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
