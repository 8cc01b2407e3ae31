//! Eight numbers in one AVX-512 register.
//!
//! Its twins are that in two AVX registers and the plain array; the tests compare them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512d, _CMP_GT_OQ, _mm256_maskload_pd, _mm256_set_epi64x, _mm256_storeu_si256, _mm512_abs_pd,
    _mm512_add_pd, _mm512_castpd256_pd512, _mm512_cmp_pd_mask, _mm512_cvttpd_epi32, _mm512_div_pd,
    _mm512_insertf64x4, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_max_pd, _mm512_mul_pd,
    _mm512_permutex2var_pd, _mm512_set_epi64, _mm512_set1_pd, _mm512_shuffle_f64x2, _mm512_sqrt_pd,
    _mm512_storeu_pd, _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

use super::{EIGHT, Eight};
use crate::lanes::simd_f64x4::farthest_with_eight;
use crate::{NormalFan, PointSet};

/// Eight numbers.
///
/// Invariant: it is used only in code that runs after the processor has said that it has AVX-512F and AVX2:
/// nobody but `support::simd_quad` makes any, in functions that are compiled for these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(__m512d);

impl Eight for Avx512 {
    type Mask = u8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(values: &[f64; EIGHT]) -> Self {
        // SAFETY: as above; the reference is to eight f64, and loadu asks for no alignment.
        Self(unsafe { _mm512_loadu_pd(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f64; EIGHT]) {
        // SAFETY: as above; the reference is to eight f64, and storeu asks for no alignment.
        unsafe { _mm512_storeu_pd(values.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn columns(rows: [&[f64; 3]; EIGHT]) -> [Self; 3] {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        unsafe {
            let (a, b) = (both(rows[0], rows[4]), both(rows[1], rows[5]));
            let (c, d) = (both(rows[2], rows[6]), both(rows[3], rows[7]));
            // x0 x1 z0 z1 x4 x5 z4 z5, and so on.
            let (xz, xz_next) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
            let (y, y_next) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
            let first = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
            let second = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
            [
                Self(_mm512_permutex2var_pd(xz, first, xz_next)),
                Self(_mm512_permutex2var_pd(y, first, y_next)),
                Self(_mm512_permutex2var_pd(xz, second, xz_next)),
            ]
        }
    }

    #[inline(always)]
    fn transposed(rows: [&[f64; EIGHT]; EIGHT]) -> [Self; EIGHT] {
        let [a, b, c, d, e, f, g, h] = rows;
        // SAFETY: the invariant of the type: the processor has AVX-512F. Each row has eight f64, and loadu asks
        // for no alignment.
        unsafe {
            let (a, b) = (_mm512_loadu_pd(a.as_ptr()), _mm512_loadu_pd(b.as_ptr()));
            let (c, d) = (_mm512_loadu_pd(c.as_ptr()), _mm512_loadu_pd(d.as_ptr()));
            let (e, f) = (_mm512_loadu_pd(e.as_ptr()), _mm512_loadu_pd(f.as_ptr()));
            let (g, h) = (_mm512_loadu_pd(g.as_ptr()), _mm512_loadu_pd(h.as_ptr()));
            let (even, even_next) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
            let (even_third, even_last) = (_mm512_unpacklo_pd(e, f), _mm512_unpacklo_pd(g, h));
            let (odd, odd_next) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
            let (odd_third, odd_last) = (_mm512_unpackhi_pd(e, f), _mm512_unpackhi_pd(g, h));
            let [zeroth, second, fourth, sixth] =
                quarters([even, even_next, even_third, even_last]);
            let [first, third, fifth, seventh] = quarters([odd, odd_next, odd_third, odd_last]);
            [zeroth, first, second, third, fourth, fifth, sixth, seventh].map(Self)
        }
    }

    #[inline(always)]
    fn whole(self) -> [u32; EIGHT] {
        let mut numbers = [0; EIGHT];
        // SAFETY: as above; the array has place for eight u32, and storeu asks for no alignment.
        unsafe {
            _mm256_storeu_si256(numbers.as_mut_ptr().cast(), _mm512_cvttpd_epi32(self.0));
        }
        numbers
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_div_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn root(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        // SAFETY: as above. `max` yields its second operand where they are equal or one is NaN.
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> u8 {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn and(one: u8, other: u8) -> u8 {
        one & other
    }

    #[inline(always)]
    fn or(one: u8, other: u8) -> u8 {
        one | other
    }

    #[inline(always)]
    fn and_not(one: u8, other: u8) -> u8 {
        one & !other
    }

    #[inline(always)]
    fn bits(mask: u8) -> u8 {
        mask
    }

    #[inline(always)]
    fn mask(bits: u8) -> u8 {
        bits
    }

    #[inline(always)]
    fn chosen(self, mask: u8, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_mask_blend_pd(mask, other.0, self.0) })
    }

    #[inline(always)]
    fn farthest(set: &PointSet, fan: Option<&NormalFan>, along: [f64; 3]) -> usize {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        unsafe { farthest_with_eight(set, fan, along) }
    }
}

/// The first quarters of four registers, the second ones, and so on.
#[inline(always)]
fn quarters([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: the invariant of the type: the processor has AVX-512F.
    unsafe {
        let even = _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
        let even_next = _mm512_shuffle_f64x2::<0b10_00_10_00>(c, d);
        let odd = _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b);
        let odd_next = _mm512_shuffle_f64x2::<0b11_01_11_01>(c, d);
        [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(even, even_next),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(odd, odd_next),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(even, even_next),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(odd, odd_next),
        ]
    }
}

/// Two rows in the halves of one register.
#[inline(always)]
fn both(low: &[f64; 3], high: &[f64; 3]) -> __m512d {
    // SAFETY: the invariant of the type: the processor has AVX-512F, and AVX. With the mask three f64 are
    // read of each row, which has so many.
    unsafe {
        let three = _mm256_set_epi64x(0, -1, -1, -1);
        let low = _mm256_maskload_pd(low.as_ptr(), three);
        let high = _mm256_maskload_pd(high.as_ptr(), three);
        _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high)
    }
}
