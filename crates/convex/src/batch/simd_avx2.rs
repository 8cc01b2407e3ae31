//! Eight numbers in two AVX registers.
//!
//! Its twins are that in one AVX-512 register and the plain array; the tests compare them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256d, _CMP_GT_OQ, _mm_storeu_si128, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd,
    _mm256_blendv_pd, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cvttpd_epi32, _mm256_div_pd,
    _mm256_loadu_pd, _mm256_maskload_pd, _mm256_max_pd, _mm256_movemask_pd, _mm256_mul_pd,
    _mm256_or_pd, _mm256_permute2f128_pd, _mm256_set_epi64x, _mm256_set1_pd, _mm256_sqrt_pd,
    _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
};

use super::{EIGHT, Eight};
use crate::lanes::simd_f64x4::farthest_with_four;
use crate::{NormalFan, PointSet};

/// Eight numbers: the first four, and the others.
///
/// Invariant: it is used only in code that runs after the processor has said that it has AVX2: nobody but
/// `support::simd_quad` makes any, in functions that are compiled for that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2([__m256d; 2]);

/// All bits of a lane are set, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2Mask([__m256d; 2]);

impl Eight for Avx2 {
    type Mask = Avx2Mask;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self([unsafe { _mm256_set1_pd(value) }; 2])
    }

    #[inline(always)]
    fn load(values: &[f64; EIGHT]) -> Self {
        let from = values.as_ptr();
        // SAFETY: as above; the reference is to eight f64, and loadu asks for no alignment.
        Self(unsafe { [_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(EIGHT / 2))] })
    }

    #[inline(always)]
    fn store(self, values: &mut [f64; EIGHT]) {
        let to = values.as_mut_ptr();
        // SAFETY: as above; the reference is to eight f64, and storeu asks for no alignment.
        unsafe {
            _mm256_storeu_pd(to, self.0[0]);
            _mm256_storeu_pd(to.add(EIGHT / 2), self.0[1]);
        }
    }

    #[inline(always)]
    fn columns(rows: [&[f64; 3]; EIGHT]) -> [Self; 3] {
        let [a, b, c, d, e, f, g, h] = rows;
        let ([x, y, z], [u, v, w]) = (columns_of_four([a, b, c, d]), columns_of_four([e, f, g, h]));
        [Self([x, u]), Self([y, v]), Self([z, w])]
    }

    #[inline(always)]
    fn transposed([a, b, c, d, e, f, g, h]: [&[f64; EIGHT]; EIGHT]) -> [Self; EIGHT] {
        let upper = [turned_four([a, b, c, d], false), turned_four([a, b, c, d], true)];
        let lower = [turned_four([e, f, g, h], false), turned_four([e, f, g, h], true)];
        let mut columns = [Self::splat(0.0); EIGHT];
        for (number, column) in columns.iter_mut().enumerate() {
            let (half, place) = (number / (EIGHT / 2), number % (EIGHT / 2));
            *column = Self([upper[half][place], lower[half][place]]);
        }
        columns
    }

    #[inline(always)]
    fn whole(self) -> [u32; EIGHT] {
        let mut numbers = [0; EIGHT];
        let to = numbers.as_mut_ptr().cast::<__m128i>();
        // SAFETY: the invariant of the type: the processor has AVX; the array has place for eight u32, and
        // storeu asks for no alignment.
        unsafe {
            _mm_storeu_si128(to, _mm256_cvttpd_epi32(self.0[0]));
            _mm_storeu_si128(to.add(1), _mm256_cvttpd_epi32(self.0[1]));
        }
        numbers
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            [_mm256_add_pd(self.0[0], other.0[0]), _mm256_add_pd(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            [_mm256_sub_pd(self.0[0], other.0[0]), _mm256_sub_pd(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            [_mm256_mul_pd(self.0[0], other.0[0]), _mm256_mul_pd(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            [_mm256_div_pd(self.0[0], other.0[0]), _mm256_div_pd(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn root(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { [_mm256_sqrt_pd(self.0[0]), _mm256_sqrt_pd(self.0[1])] })
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            let sign = _mm256_set1_pd(-0.0);
            [_mm256_andnot_pd(sign, self.0[0]), _mm256_andnot_pd(sign, self.0[1])]
        })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        // SAFETY: as above. `max` yields its second operand where they are equal or one is NaN.
        Self(unsafe {
            [_mm256_max_pd(self.0[0], other.0[0]), _mm256_max_pd(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Avx2Mask {
        // SAFETY: the invariant of the type: the processor has AVX.
        Avx2Mask(unsafe {
            [
                _mm256_cmp_pd::<_CMP_GT_OQ>(self.0[0], other.0[0]),
                _mm256_cmp_pd::<_CMP_GT_OQ>(self.0[1], other.0[1]),
            ]
        })
    }

    #[inline(always)]
    fn and(one: Avx2Mask, other: Avx2Mask) -> Avx2Mask {
        // SAFETY: the invariant of the type: the processor has AVX.
        Avx2Mask(unsafe {
            [_mm256_and_pd(one.0[0], other.0[0]), _mm256_and_pd(one.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn or(one: Avx2Mask, other: Avx2Mask) -> Avx2Mask {
        // SAFETY: the invariant of the type: the processor has AVX.
        Avx2Mask(unsafe {
            [_mm256_or_pd(one.0[0], other.0[0]), _mm256_or_pd(one.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn and_not(one: Avx2Mask, other: Avx2Mask) -> Avx2Mask {
        // SAFETY: the invariant of the type: the processor has AVX.
        Avx2Mask(unsafe {
            [_mm256_andnot_pd(other.0[0], one.0[0]), _mm256_andnot_pd(other.0[1], one.0[1])]
        })
    }

    #[inline(always)]
    fn bits(mask: Avx2Mask) -> u8 {
        // SAFETY: the invariant of the type: the processor has AVX.
        let [low, high] = unsafe { [_mm256_movemask_pd(mask.0[0]), _mm256_movemask_pd(mask.0[1])] };
        (low | high << (EIGHT / 2)) as u8
    }

    #[inline(always)]
    fn mask(bits: u8) -> Avx2Mask {
        let lane = |i: usize| -i64::from(bits >> i & 1);
        // SAFETY: the invariant of the type: the processor has AVX.
        Avx2Mask(unsafe {
            [
                _mm256_castsi256_pd(_mm256_set_epi64x(lane(3), lane(2), lane(1), lane(0))),
                _mm256_castsi256_pd(_mm256_set_epi64x(lane(7), lane(6), lane(5), lane(4))),
            ]
        })
    }

    #[inline(always)]
    fn chosen(self, mask: Avx2Mask, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            [
                _mm256_blendv_pd(other.0[0], self.0[0], mask.0[0]),
                _mm256_blendv_pd(other.0[1], self.0[1], mask.0[1]),
            ]
        })
    }

    #[inline(always)]
    fn farthest(set: &PointSet, fan: Option<&NormalFan>, along: [f64; 3]) -> usize {
        // SAFETY: the invariant of the type: the processor has AVX2.
        unsafe { farthest_with_four(set, fan, along) }
    }
}

/// The columns of four halves of rows.
#[inline(always)]
fn turned_four([a, b, c, d]: [&[f64; EIGHT]; 4], upper: bool) -> [__m256d; 4] {
    let from = if upper { EIGHT / 2 } else { 0 };
    // SAFETY: the invariant of the type: the processor has AVX. Each row has eight f64, of which four are read
    // from the first or the fifth on, and loadu asks for no alignment.
    unsafe {
        let (a, b) = (_mm256_loadu_pd(a.as_ptr().add(from)), _mm256_loadu_pd(b.as_ptr().add(from)));
        let (c, d) = (_mm256_loadu_pd(c.as_ptr().add(from)), _mm256_loadu_pd(d.as_ptr().add(from)));
        let (even, even_next) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
        let (odd, odd_next) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(even, even_next),
            _mm256_permute2f128_pd::<0x20>(odd, odd_next),
            _mm256_permute2f128_pd::<0x31>(even, even_next),
            _mm256_permute2f128_pd::<0x31>(odd, odd_next),
        ]
    }
}

#[inline(always)]
fn columns_of_four([a, b, c, d]: [&[f64; 3]; 4]) -> [__m256d; 3] {
    // SAFETY: the invariant of the type: the processor has AVX. With the mask three f64 are read of each
    // row, which has so many.
    unsafe {
        let three = _mm256_set_epi64x(0, -1, -1, -1);
        let (a, b) = (_mm256_maskload_pd(a.as_ptr(), three), _mm256_maskload_pd(b.as_ptr(), three));
        let (c, d) = (_mm256_maskload_pd(c.as_ptr(), three), _mm256_maskload_pd(d.as_ptr(), three));
        let (xz, xz_next) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
        let (y, y_next) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(xz, xz_next),
            _mm256_permute2f128_pd::<0x20>(y, y_next),
            _mm256_permute2f128_pd::<0x31>(xz, xz_next),
        ]
    }
}
