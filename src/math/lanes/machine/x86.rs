//! AVX2 and AVX-512. Values of these types exist only behind [`dispatch`](super::dispatch), which asked the machine.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Lines;
use crate::math::lanes::twice::Twice;
use crate::math::lanes::{KEPT, Kernel, Lanes, Places, WIDE, Wide};

/// # Safety
/// The machine has AVX-512F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Eight>()
}

/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Twice<Four>>()
}

/// Eight doubles in one register.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eight(__m512d);

/// Four.
#[derive(Debug, Clone, Copy)]
pub(super) struct Four(__m256d);

macro_rules! registers {
    ($lanes:ident, $($operator:ident $method:ident $instruction:ident),*) => { $(
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the machine was asked.
                unsafe { Self($instruction(self.0, other.0)) }
            }
        }
    )* };
}
/// Functions of [`Lanes`] that are one instruction. The larger and the smaller of two take the second operand in doubt.
macro_rules! instructions {
    ($($name:ident($($other:ident)?) $instruction:ident),*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> Self {
            // SAFETY: the machine was asked.
            unsafe { Self($instruction(self.0 $(, $other.0)?)) }
        }
    )* };
}
registers!(Eight, Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);
registers!(Four, Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the machine was asked.
        unsafe {
            let sign = _mm512_set1_epi64(i64::MIN);
            Self(_mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), sign)))
        }
    }
}

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
    }
}

impl Lanes for Eight {
    const WIDTH: usize = 8;
    type Mask = __mmask8;
    instructions!(root() _mm512_sqrt_pd, magnitude() _mm512_abs_pd, larger(other) _mm512_max_pd, smaller(other) _mm512_min_pd);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    fn load(from: &Wide, _: usize) -> Self {
        // SAFETY: the machine was asked; eight aligned doubles.
        unsafe { Self(_mm512_load_pd(from.0.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, _: usize) {
        // SAFETY: the machine was asked; eight aligned doubles.
        unsafe { _mm512_store_pd(to.0.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        // SAFETY: the machine was asked.
        unsafe {
            let sign = _mm512_and_si512(_mm512_castpd_si512(other.0), _mm512_set1_epi64(i64::MIN));
            Self(_mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(self.magnitude().0), sign)))
        }
    }
    #[inline(always)]
    fn above(self, other: Self) -> __mmask8 {
        // SAFETY: the machine was asked.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn pick(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm512_mask_blend_pd(mask, no.0, yes.0)) }
    }
    #[inline(always)]
    fn both(one: __mmask8, other: __mmask8) -> __mmask8 {
        one & other
    }
    #[inline(always)]
    fn without(one: __mmask8, other: __mmask8) -> __mmask8 {
        one & !other
    }
    #[inline(always)]
    fn any(mask: __mmask8) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, _: usize) -> [Self; WIDE] {
        let at = at8(lines, places).0;
        // SAFETY: the machine was asked; the places are lines, which are aligned.
        unsafe {
            let ([a, b, c, d], [e, f, g, h]) = (columns(at, 0), columns(at, 4));
            [Self(a), Self(b), Self(c), Self(d), Self(e), Self(f), Self(g), Self(h)]
        }
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, _: usize, numbers: [Self; WIDE]) {
        let (at, none_kept) = at8(lines, places);
        let [a, b, c, d, e, f, g, h] = numbers;
        // SAFETY: the machine was asked; the places are lines, which are aligned and no other kernel uses now.
        unsafe {
            let rows = transposed8([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
            macro_rules! put {
                ($($lane:literal)*) => { if none_kept { $(
                    _mm512_store_pd(at[$lane], rows[$lane]);
                )* } else { $( if places[$lane] & KEPT == 0 {
                    _mm512_store_pd(at[$lane], rows[$lane]);
                } )* } };
            }
            put!(0 1 2 3 4 5 6 7);
        }
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, _: usize, numbers: [[Self; 3]; 2]) {
        let (at, none_kept) = at8(lines, places);
        let ([[a, b, c], [d, e, f]], zero) = (numbers, Self::splat(0.0).0);
        // SAFETY: the machine was asked; the places are lines, which are aligned and no other kernel uses now.
        unsafe {
            let rows = transposed8([a.0, b.0, c.0, zero, d.0, e.0, f.0, zero]);
            macro_rules! put {
                ($($lane:literal)*) => { if none_kept { $(
                    _mm512_store_pd(at[$lane], _mm512_add_pd(_mm512_load_pd(at[$lane]), rows[$lane]));
                )* } else { $( if places[$lane] & KEPT == 0 {
                    _mm512_store_pd(at[$lane], _mm512_add_pd(_mm512_load_pd(at[$lane]), rows[$lane]));
                } )* } };
            }
            put!(0 1 2 3 4 5 6 7);
        }
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, _: usize) -> [Self; WIDE / 2] {
        let at = at8(lines, places).0;
        // SAFETY: the machine was asked; the places are lines, which are aligned.
        unsafe {
            let [a, b, c, d] = columns(at, 0);
            [Self(a), Self(b), Self(c), Self(d)]
        }
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, _: usize, [a, b, c]: [Self; 3]) {
        let (at, none_kept) = at8(lines, places);
        // SAFETY: the machine was asked; the places are lines, which are aligned and no other kernel uses now.
        unsafe {
            let zero = Self::splat(0.0).0;
            // of lanes 0 2 4 6, and of 1 3 5 7
            let (even_ab, even_c) = (_mm512_unpacklo_pd(a.0, b.0), _mm512_unpacklo_pd(c.0, zero));
            let (odd_ab, odd_c) = (_mm512_unpackhi_pd(a.0, b.0), _mm512_unpackhi_pd(c.0, zero));
            let first_two = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let last_two = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            let r02 = _mm512_permutex2var_pd(even_ab, first_two, even_c);
            let r46 = _mm512_permutex2var_pd(even_ab, last_two, even_c);
            let r13 = _mm512_permutex2var_pd(odd_ab, first_two, odd_c);
            let r57 = _mm512_permutex2var_pd(odd_ab, last_two, odd_c);
            macro_rules! put {
                ($($lane:literal $rows:ident $half:literal),*) => { $( if none_kept || places[$lane] & KEPT == 0 {
                    let change = _mm512_extractf64x4_pd::<$half>($rows);
                    _mm256_store_pd(at[$lane], _mm256_add_pd(_mm256_load_pd(at[$lane]), change));
                } )* };
            }
            put!(0 r02 0, 1 r13 0, 2 r02 1, 3 r13 1, 4 r46 0, 5 r57 0, 6 r46 1, 7 r57 1);
        }
    }
}

/// Where the lines at eight places are, and whether none of them is kept.
#[inline(always)]
fn at8(lines: Lines, places: &Places) -> ([*mut f64; 8], bool) {
    // SAFETY: the machine was asked.
    if unsafe { are_below8(places, lines.count()) } {
        return (lines.all_unkept(places), true);
    }
    // SAFETY: the machine was asked.
    assert!(unsafe { are_within8(places, lines.count()) });
    (lines.all(places, 0), false)
}

/// Whether eight places are below `count` and not kept.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn are_below8(places: &Places, count: usize) -> bool {
    // SAFETY: this function's own condition; eight places.
    unsafe {
        let found = _mm256_loadu_si256(places.as_ptr().cast());
        let count = _mm256_set1_epi32(count.min(i32::MAX as usize) as i32);
        // without their sign those that are kept are above all others
        _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(found, count), found)) == 0
    }
}

/// Whether eight places are below `count`.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn are_within8(places: &Places, count: usize) -> bool {
    // SAFETY: this function's own condition; eight places.
    unsafe {
        let found = _mm256_andnot_si256(_mm256_set1_epi32(KEPT as i32), _mm256_loadu_si256(places.as_ptr().cast()));
        let count = _mm256_set1_epi32(count.min(i32::MAX as usize) as i32);
        _mm256_movemask_epi8(_mm256_cmpgt_epi32(count, found)) == -1
    }
}

/// Columns of the halves of eight lines that start at `begin`. Halves of two lines are put into one register on the way from the
/// cache: what is put together there need not be shuffled, for which some machines have one unit only.
///
/// # Safety
/// The machine has AVX-512F, and the lines can be read.
#[inline(always)]
unsafe fn columns(at: [*mut f64; 8], begin: usize) -> [__m512d; 4] {
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
unsafe fn transposed8(r: [__m512d; 8]) -> [__m512d; 8] {
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

impl Lanes for Four {
    const WIDTH: usize = 4;
    type Mask = __m256d;
    instructions!(root() _mm256_sqrt_pd, larger(other) _mm256_max_pd, smaller(other) _mm256_min_pd);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm256_set1_pd(value)) }
    }
    #[inline(always)]
    fn load(from: &Wide, first: usize) -> Self {
        let half = &from.0[first..first + 4];
        // SAFETY: the machine was asked; four doubles.
        unsafe { Self(_mm256_loadu_pd(half.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, first: usize) {
        let half = &mut to.0[first..first + 4];
        // SAFETY: the machine was asked; four doubles.
        unsafe { _mm256_storeu_pd(half.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm256_or_pd(self.magnitude().0, _mm256_and_pd(other.0, _mm256_set1_pd(-0.0)))) }
    }
    #[inline(always)]
    fn above(self, other: Self) -> __m256d {
        // SAFETY: the machine was asked.
        unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn pick(mask: __m256d, yes: Self, no: Self) -> Self {
        // SAFETY: the machine was asked.
        unsafe { Self(_mm256_blendv_pd(no.0, yes.0, mask)) }
    }
    #[inline(always)]
    fn both(one: __m256d, other: __m256d) -> __m256d {
        // SAFETY: the machine was asked.
        unsafe { _mm256_and_pd(one, other) }
    }
    #[inline(always)]
    fn without(one: __m256d, other: __m256d) -> __m256d {
        // SAFETY: the machine was asked.
        unsafe { _mm256_andnot_pd(other, one) }
    }
    #[inline(always)]
    fn any(mask: __m256d) -> bool {
        // SAFETY: the machine was asked.
        unsafe { _mm256_movemask_pd(mask) != 0 }
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE] {
        let [a, b, c, d] = Self::gather_half(lines, places, (first, 0));
        let [e, f, g, h] = Self::gather_half(lines, places, (first, 4));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, first: usize, [a, b, c, d, e, f, g, h]: [Self; WIDE]) {
        Self::scatter_half(lines, places, (first, 0), [a, b, c, d]);
        Self::scatter_half(lines, places, (first, 4), [e, f, g, h]);
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, first: usize, [front, back]: [[Self; 3]; 2]) {
        Self::scatter_add_half(lines, places, (first, 0), front);
        Self::scatter_add_half(lines, places, (first, 4), back);
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2] {
        Self::gather_half(lines, places, (first, 0))
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, numbers: [Self; 3]) {
        Self::scatter_add_half(lines, places, (first, 0), numbers);
    }
}

impl Four {
    /// The halves of lines that begin with number `begin`.
    #[inline(always)]
    fn gather_half(lines: Lines, places: &Places, (first, begin): (usize, usize)) -> [Self; WIDE / 2] {
        // SAFETY: the machine was asked.
        assert!(unsafe { are_within4(&places[first..], lines.count()) });
        let at: [*mut f64; 4] = lines.all(places, first);
        // SAFETY: the machine was asked; the places are lines of eight aligned doubles, `begin` is 0 or 4.
        unsafe { transposed4(at.map(|at| _mm256_load_pd(at.add(begin)))).map(Self) }
    }

    /// Writes them.
    #[inline(always)]
    fn scatter_half(lines: Lines, places: &Places, (first, begin): (usize, usize), numbers: [Self; WIDE / 2]) {
        // SAFETY: the machine was asked.
        assert!(unsafe { are_within4(&places[first..], lines.count()) });
        let at: [*mut f64; 4] = lines.all(places, first);
        // SAFETY: the machine was asked; the places are lines of eight aligned doubles, which no other kernel uses
        // now, `begin` is 0 or 4.
        unsafe {
            let rows = transposed4(numbers.map(|four| four.0));
            macro_rules! put {
                ($($lane:literal)*) => { $( if places[first + $lane] & KEPT == 0 {
                    _mm256_store_pd(at[$lane].add(begin), rows[$lane]);
                } )* };
            }
            put!(0 1 2 3);
        }
    }

    /// Adds to three numbers of each.
    #[inline(always)]
    fn scatter_add_half(lines: Lines, places: &Places, (first, begin): (usize, usize), numbers: [Self; 3]) {
        // SAFETY: the machine was asked.
        assert!(unsafe { are_within4(&places[first..], lines.count()) });
        let at: [*mut f64; 4] = lines.all(places, first);
        let ([a, b, c], zero) = (numbers, Self::splat(0.0).0);
        // SAFETY: the machine was asked; the places are lines of eight aligned doubles, which no other kernel uses
        // now, `begin` is 0 or 4.
        unsafe {
            let rows = transposed4([a.0, b.0, c.0, zero]);
            macro_rules! put {
                ($($lane:literal)*) => { $( if places[first + $lane] & KEPT == 0 {
                    let to = at[$lane].add(begin);
                    _mm256_store_pd(to, _mm256_add_pd(_mm256_load_pd(to), rows[$lane]));
                } )* };
            }
            put!(0 1 2 3);
        }
    }
}

/// Whether four places are below `count`.
///
/// # Safety
/// The machine has SSE2, and there are four.
#[inline(always)]
unsafe fn are_within4(places: &[u32], count: usize) -> bool {
    let places = &places[..4];
    // SAFETY: this function's own condition; four places.
    unsafe {
        let found = _mm_andnot_si128(_mm_set1_epi32(KEPT as i32), _mm_loadu_si128(places.as_ptr().cast()));
        let count = _mm_set1_epi32(count.min(i32::MAX as usize) as i32);
        _mm_movemask_epi8(_mm_cmpgt_epi32(count, found)) == 0xffff
    }
}

/// Rows to columns.
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
