//! Eight f32 in two SSE registers: compilers do not find this from arrays, with which the descent of the
//! wide hierarchy takes three times as long. The other lanes of this level are arrays.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_cvtepi32_ps, _mm_loadu_si128, _mm_setzero_si128, _mm_srai_epi32,
    _mm_unpackhi_epi16, _mm_unpacklo_epi16,
};

use crate::pair::Pair;
use crate::portable::Lanes;
use crate::{F32x4, F32x8, Simd, SimdLevel};

/// SSE2.
#[derive(Clone, Copy, Debug)]
pub struct Sse2;

impl Simd for Sse2 {
    const LEVEL: SimdLevel = SimdLevel::Sse2;
    type F32x8 = Pair<F32x4>;
    type F64x4 = Lanes<f64, 4>;
    type F64x8 = Lanes<f64, 8>;
    type F64x4x2 = Lanes<f64, 8>;
}

/// Converts eight integers of 32 bits.
#[inline(always)]
fn converted(low: __m128i, high: __m128i) -> Pair<F32x4> {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { Pair(F32x4(_mm_cvtepi32_ps(low)), F32x4(_mm_cvtepi32_ps(high))) }
}

impl F32x8 for Pair<F32x4> {
    #[inline(always)]
    fn from_u16(values: &[u16; 8]) -> Self {
        // SAFETY: every x86-64 processor has SSE2; the reference is to sixteen bytes, and need not be aligned.
        unsafe {
            let (values, zero) = (_mm_loadu_si128(values.as_ptr().cast()), _mm_setzero_si128());
            converted(_mm_unpacklo_epi16(values, zero), _mm_unpackhi_epi16(values, zero))
        }
    }

    #[inline(always)]
    fn from_i16(values: &[i16; 8]) -> Self {
        // SAFETY: every x86-64 processor has SSE2; the reference is to sixteen bytes, and need not be aligned.
        unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            // Each goes to the upper half of 32 bits, and down again with its sign.
            let (low, high) =
                (_mm_unpacklo_epi16(values, values), _mm_unpackhi_epi16(values, values));
            converted(_mm_srai_epi32::<16>(low), _mm_srai_epi32::<16>(high))
        }
    }
}
