//! AVX-512: eight lanes. Values of this type exist only behind `dispatch`, which checks the machine.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::math::lanes::lines::{LineIndex, Lines, Places};
use crate::math::lanes::traits::{Kernel, Lanes};
use crate::math::lanes::wide::{WIDE, Wide};

/// # Safety
/// The machine has AVX-512F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Eight>()
}

/// Eight doubles in one register.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eight(__m512d);

registers!(Eight, Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe {
            let sign = _mm512_set1_epi64(i64::MIN);
            Self(_mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), sign)))
        }
    }
}

impl Lanes for Eight {
    const WIDTH: usize = 8;
    type Mask = __mmask8;
    instructions!(root() _mm512_sqrt_pd, magnitude() _mm512_abs_pd, larger(other) _mm512_max_pd, smaller(other) _mm512_min_pd);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe { Self(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    fn load(from: &Wide, _: usize) -> Self {
        // SAFETY: `dispatch` found the instructions; eight aligned doubles.
        unsafe { Self(_mm512_load_pd(from.0.as_ptr())) }
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, _: usize) {
        // SAFETY: `dispatch` found the instructions; eight aligned doubles.
        unsafe { _mm512_store_pd(to.0.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        // SAFETY: `dispatch` found the instructions.
        unsafe {
            let sign = _mm512_and_si512(_mm512_castpd_si512(other.0), _mm512_set1_epi64(i64::MIN));
            Self(_mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(self.magnitude().0), sign)))
        }
    }
    #[inline(always)]
    fn above(self, other: Self) -> __mmask8 {
        // SAFETY: `dispatch` found the instructions.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: `dispatch` found the instructions.
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
        // SAFETY: `dispatch` found the instructions; the places are lines, which are aligned.
        let ([a, b, c, d], [e, f, g, h]) = unsafe { (columns(at, 0), columns(at, 4)) };
        [Self(a), Self(b), Self(c), Self(d), Self(e), Self(f), Self(g), Self(h)]
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, _: usize, numbers: [Self; WIDE]) {
        Self::put::<false>(lines, places, numbers);
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, _: usize, [[a, b, c], [d, e, f]]: [[Self; 3]; 2]) {
        let zero = Self::splat(0.0);
        Self::put::<true>(lines, places, [a, b, c, zero, d, e, f, zero]);
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, _: usize) -> [Self; WIDE / 2] {
        let at = at8(lines, places).0;
        // SAFETY: `dispatch` found the instructions; the places are lines, which are aligned.
        unsafe { columns(at, 0).map(Self) }
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, _: usize, [a, b, c]: [Self; 3]) {
        let (at, all_writable) = at8(lines, places);
        // SAFETY: `dispatch` found the instructions; the places are lines, which are aligned and no other kernel uses now.
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
                ($($lane:literal $rows:ident $half:literal),*) => { $( if all_writable || !places[$lane].is_read_only() {
                    let change = _mm512_extractf64x4_pd::<$half>($rows);
                    _mm256_store_pd(at[$lane], _mm256_add_pd(_mm256_load_pd(at[$lane]), change));
                } )* };
            }
            put!(0 r02 0, 1 r13 0, 2 r02 1, 3 r13 1, 4 r46 0, 5 r57 0, 6 r46 1, 7 r57 1);
        }
    }
}

impl Eight {
    /// Writes lines, or adds to them, except read-only ones.
    #[inline(always)]
    fn put<const ADD: bool>(lines: Lines, places: &Places, numbers: [Self; WIDE]) {
        let (at, all_writable) = at8(lines, places);
        let [a, b, c, d, e, f, g, h] = numbers;
        // SAFETY: `dispatch` found the instructions; the places are lines, which are aligned and no other kernel uses now.
        unsafe {
            let rows = transposed8([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
            macro_rules! put {
                ($lane:literal) => {{
                    let line = at[$lane];
                    _mm512_store_pd(line, if ADD { _mm512_add_pd(_mm512_load_pd(line), rows[$lane]) } else { rows[$lane] });
                }};
                ($($lane:literal)*) => { if all_writable { $( put!($lane); )* } else { $( if !places[$lane].is_read_only() {
                    put!($lane);
                } )* } };
            }
            put!(0 1 2 3 4 5 6 7);
        }
    }
}

/// Returns the addresses of the lines at eight places, and whether none of them is read-only.
#[inline(always)]
fn at8(lines: Lines, places: &Places) -> ([*mut f64; 8], bool) {
    // SAFETY: `dispatch` found the instructions.
    if unsafe { are_below8(places, lines.count()) } {
        return (lines.all::<8, true>(places, 0), true);
    }
    // SAFETY: `dispatch` found the instructions.
    assert!(unsafe { are_within8(places, lines.count()) });
    (lines.all::<8, false>(places, 0), false)
}

/// Returns whether eight places are below `count` and writable.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn are_below8(places: &Places, count: usize) -> bool {
    // SAFETY: this function's own condition; eight places.
    unsafe {
        let found = _mm256_loadu_si256(places.as_ptr().cast());
        let count = _mm256_set1_epi32(count.min(i32::MAX as usize) as i32);
        // without their sign those that are read-only are above all others
        _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(found, count), found)) == 0
    }
}

/// Returns whether eight places are below `count`.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn are_within8(places: &Places, count: usize) -> bool {
    // SAFETY: this function's own condition; eight places.
    unsafe {
        let found = _mm256_andnot_si256(
            _mm256_set1_epi32(LineIndex::READ_ONLY as i32),
            _mm256_loadu_si256(places.as_ptr().cast()),
        );
        let count = _mm256_set1_epi32(count.min(i32::MAX as usize) as i32);
        _mm256_movemask_epi8(_mm256_cmpgt_epi32(count, found)) == -1
    }
}

/// Returns the columns of the halves of eight lines that start at `begin`.
///
/// The loads put halves of two lines into one register, which saves shuffles: some machines have one shuffle unit only.
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

/// Returns the halves of two lines, one behind the other.
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

/// Transposes eight rows: pairs of doubles are interleaved, then quarters of the registers.
///
/// # Safety
/// The machine has AVX-512F.
#[inline(always)]
unsafe fn transposed8(r: [__m512d; 8]) -> [__m512d; 8] {
    // SAFETY: this function's own condition.
    unsafe {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = r;
        let pairs = [(r0, r1), (r2, r3), (r4, r5), (r6, r7)];
        let [c0, c2, c4, c6] = quarters(pairs.map(|(a, b)| _mm512_unpacklo_pd(a, b)));
        let [c1, c3, c5, c7] = quarters(pairs.map(|(a, b)| _mm512_unpackhi_pd(a, b)));
        [c0, c1, c2, c3, c4, c5, c6, c7]
    }
}

/// Returns the first quarters of all four, the second ones, and so on.
///
/// # Safety
/// The machine has AVX-512F.
#[inline(always)]
unsafe fn quarters(r: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: this function's own condition.
    unsafe {
        let [a, b, c, d] = r;
        let (low, high) = (_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0x88>(c, d));
        let (first, third) = (_mm512_shuffle_f64x2::<0x88>(low, high), _mm512_shuffle_f64x2::<0xdd>(low, high));
        let (low, high) = (_mm512_shuffle_f64x2::<0xdd>(a, b), _mm512_shuffle_f64x2::<0xdd>(c, d));
        let (second, fourth) = (_mm512_shuffle_f64x2::<0x88>(low, high), _mm512_shuffle_f64x2::<0xdd>(low, high));
        [first, second, third, fourth]
    }
}
