//! Lanes in one SSE register, which every x86-64 processor has: [`two_registers`](crate::two_registers) needs no more.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128, __m128d, __m128i, _mm_add_pd, _mm_add_ps, _mm_and_pd, _mm_and_ps, _mm_andnot_pd,
    _mm_andnot_ps, _mm_castsi128_pd, _mm_castsi128_ps, _mm_cmpeq_pd, _mm_cmpeq_ps, _mm_cmpge_pd,
    _mm_cmpge_ps, _mm_cmpgt_pd, _mm_cmpgt_ps, _mm_cmple_pd, _mm_cmple_ps, _mm_cmplt_pd,
    _mm_cmplt_ps, _mm_cvtepi32_ps, _mm_cvtpd_ps, _mm_cvtsi128_si64, _mm_cvtss_f32,
    _mm_cvttpd_epi32, _mm_cvttps_epi32, _mm_div_pd, _mm_div_ps, _mm_loadu_pd, _mm_loadu_ps,
    _mm_loadu_si128, _mm_max_pd, _mm_max_ps, _mm_min_pd, _mm_min_ps, _mm_movehl_ps, _mm_movelh_ps,
    _mm_movemask_pd, _mm_movemask_ps, _mm_mul_pd, _mm_mul_ps, _mm_or_pd, _mm_or_ps, _mm_set_epi32,
    _mm_set_epi64x, _mm_set1_pd, _mm_set1_ps, _mm_setzero_si128, _mm_shuffle_pd, _mm_shuffle_ps,
    _mm_sqrt_pd, _mm_sqrt_ps, _mm_srai_epi32, _mm_storeu_pd, _mm_storeu_ps, _mm_storeu_si128,
    _mm_sub_pd, _mm_sub_ps, _mm_unpackhi_epi16, _mm_unpackhi_pd, _mm_unpackhi_ps,
    _mm_unpacklo_epi16, _mm_unpacklo_pd, _mm_unpacklo_ps,
};

use crate::SimdFloat;
use crate::pair::Pair;
use crate::register::register;

register! {
    /// Four f32.
    pub F32x4: [f32; 4] in __m128, MaskF32x4 in __m128,
    _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps, _mm_sqrt_ps, abs_ps,
    [add: _mm_add_ps, sub: _mm_sub_ps, mul: _mm_mul_ps, div: _mm_div_ps, max: _mm_max_ps,
     min: _mm_min_ps],
    [gt: _mm_cmpgt_ps, ge: _mm_cmpge_ps, lt: _mm_cmplt_ps, le: _mm_cmple_ps, eq: _mm_cmpeq_ps],
    select_ps, _mm_and_ps, _mm_or_ps, _mm_andnot_ps, _mm_movemask_ps, mask_ps,
}

register! {
    /// Two f64.
    pub F64x2: [f64; 2] in __m128d, MaskF64x2 in __m128d,
    _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd, _mm_sqrt_pd, abs_pd,
    [add: _mm_add_pd, sub: _mm_sub_pd, mul: _mm_mul_pd, div: _mm_div_pd, max: _mm_max_pd,
     min: _mm_min_pd],
    [gt: _mm_cmpgt_pd, ge: _mm_cmpge_pd, lt: _mm_cmplt_pd, le: _mm_cmple_pd, eq: _mm_cmpeq_pd],
    select_pd, _mm_and_pd, _mm_or_pd, _mm_andnot_pd, _mm_movemask_pd, mask_pd,
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn abs_ps(v: __m128) -> __m128 {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), v) }
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn abs_pd(v: __m128d) -> __m128d {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_andnot_pd(_mm_set1_pd(-0.0), v) }
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn select_ps(no: __m128, yes: __m128, mask: __m128) -> __m128 {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn select_pd(no: __m128d, yes: __m128d, mask: __m128d) -> __m128d {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no)) }
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn mask_ps(bits: u32) -> __m128 {
    let lane = |lane: u32| -((bits >> lane & 1) as i32);
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_castsi128_ps(_mm_set_epi32(lane(3), lane(2), lane(1), lane(0))) }
}

/// # Safety
/// Always safe; the register macro expects an unsafe function.
#[inline(always)]
unsafe fn mask_pd(bits: u32) -> __m128d {
    let lane = |lane: u32| -i64::from(bits >> lane & 1);
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_castsi128_pd(_mm_set_epi64x(lane(1), lane(0))) }
}

impl F32x4 {
    /// The first three lanes.
    #[inline(always)]
    #[must_use]
    pub fn first_three(self) -> [f32; 3] {
        let v = self.0;
        // SAFETY: every x86-64 processor has SSE.
        unsafe {
            [
                _mm_cvtss_f32(v),
                _mm_cvtss_f32(_mm_shuffle_ps::<0b01_01_01_01>(v, v)),
                _mm_cvtss_f32(_mm_shuffle_ps::<0b10_10_10_10>(v, v)),
            ]
        }
    }

    /// The numbers, rounded.
    #[inline(always)]
    pub(crate) fn rounded(values: &[f64; 4]) -> Self {
        // SAFETY: every x86-64 processor has SSE2; there are two f64 from both places on.
        Self(unsafe {
            let low = _mm_cvtpd_ps(_mm_loadu_pd(values[..2].as_ptr()));
            let high = _mm_cvtpd_ps(_mm_loadu_pd(values[2..].as_ptr()));
            _mm_movelh_ps(low, high)
        })
    }

    /// The numbers, which must be whole and from 0 to 2³¹ − 1.
    #[inline(always)]
    pub(crate) fn to_u32(self) -> [u32; 4] {
        let mut numbers = [0; 4];
        // SAFETY: every x86-64 processor has SSE2; the array has room for four u32, and need not be aligned.
        unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), _mm_cvttps_epi32(self.0)) };
        numbers
    }

    /// Eight integers, which stay exact.
    #[inline(always)]
    pub(crate) fn from_u16(values: &[u16; 8]) -> Pair<Self> {
        // SAFETY: every x86-64 processor has SSE2; the reference is to sixteen bytes, and need not be aligned.
        unsafe {
            let (values, zero) = (_mm_loadu_si128(values.as_ptr().cast()), _mm_setzero_si128());
            converted(_mm_unpacklo_epi16(values, zero), _mm_unpackhi_epi16(values, zero))
        }
    }

    /// Eight integers, which stay exact.
    #[inline(always)]
    pub(crate) fn from_i16(values: &[i16; 8]) -> Pair<Self> {
        // SAFETY: every x86-64 processor has SSE2; the reference is to sixteen bytes, and need not be aligned.
        unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            // Each goes to the upper half of 32 bits, and down again with its sign.
            let (low, high) =
                (_mm_unpacklo_epi16(values, values), _mm_unpackhi_epi16(values, values));
            converted(_mm_srai_epi32::<16>(low), _mm_srai_epi32::<16>(high))
        }
    }

    /// The columns of four rows.
    #[inline(always)]
    pub(crate) fn columns([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: every x86-64 processor has SSE.
        unsafe {
            let (low, low_next) = (_mm_unpacklo_ps(a.0, b.0), _mm_unpacklo_ps(c.0, d.0));
            let (high, high_next) = (_mm_unpackhi_ps(a.0, b.0), _mm_unpackhi_ps(c.0, d.0));
            [
                Self(_mm_movelh_ps(low, low_next)),
                Self(_mm_movehl_ps(low_next, low)),
                Self(_mm_movelh_ps(high, high_next)),
                Self(_mm_movehl_ps(high_next, high)),
            ]
        }
    }

    /// The least lane, in all lanes.
    #[inline(always)]
    pub(crate) fn reduce_min(self) -> Self {
        // SAFETY: every x86-64 processor has SSE.
        let swapped = |v: Self| unsafe {
            [
                Self(_mm_shuffle_ps::<0b01_00_11_10>(v.0, v.0)),
                Self(_mm_shuffle_ps::<0b10_11_00_01>(v.0, v.0)),
            ]
        };
        let two = self.min(swapped(self)[0]);
        two.min(swapped(two)[1])
    }

    /// Each of the first three lanes in all lanes.
    #[inline(always)]
    pub(crate) fn spread_three(self) -> [Self; 3] {
        let v = self.0;
        // SAFETY: every x86-64 processor has SSE.
        unsafe {
            [
                Self(_mm_shuffle_ps::<0b00_00_00_00>(v, v)),
                Self(_mm_shuffle_ps::<0b01_01_01_01>(v, v)),
                Self(_mm_shuffle_ps::<0b10_10_10_10>(v, v)),
            ]
        }
    }
}

/// Converts eight integers of 32 bits.
#[inline(always)]
fn converted(low: __m128i, high: __m128i) -> Pair<F32x4> {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { Pair(F32x4(_mm_cvtepi32_ps(low)), F32x4(_mm_cvtepi32_ps(high))) }
}

impl F64x2 {
    /// The numbers, which must be from 0 to 2³¹ − 1, rounded down.
    #[inline(always)]
    #[must_use]
    pub fn to_u32(self) -> [u32; 2] {
        // SAFETY: every x86-64 processor has SSE2.
        let both = unsafe { _mm_cvtsi128_si64(_mm_cvttpd_epi32(self.0)) } as u64;
        [both as u32, (both >> 32) as u32]
    }

    /// Bit i is set if lane i has a negative sign, also if it is zero or NaN.
    #[inline(always)]
    pub(crate) fn sign_bits(self) -> u32 {
        // SAFETY: every x86-64 processor has SSE2.
        (unsafe { _mm_movemask_pd(self.0) }) as u32
    }

    /// The lower lanes of both.
    #[inline(always)]
    pub(crate) fn lower(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_unpacklo_pd(self.0, other.0) })
    }

    /// The upper lanes of both.
    #[inline(always)]
    pub(crate) fn upper(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_unpackhi_pd(self.0, other.0) })
    }

    /// The upper lane of `self` and the lower one of `other`.
    #[inline(always)]
    pub(crate) fn inner(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_shuffle_pd::<0b01>(self.0, other.0) })
    }

    /// The lower lane of `self` and the upper one of `other`.
    #[inline(always)]
    pub(crate) fn outer(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_shuffle_pd::<0b10>(self.0, other.0) })
    }
}
