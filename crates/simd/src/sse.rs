//! Lanes in one SSE register, which every x86-64 processor has.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128, __m128d, _mm_add_pd, _mm_add_ps, _mm_and_pd, _mm_and_ps, _mm_andnot_pd, _mm_andnot_ps,
    _mm_castsi128_pd, _mm_castsi128_ps, _mm_cmpeq_pd, _mm_cmpeq_ps, _mm_cmpge_pd, _mm_cmpge_ps,
    _mm_cmpgt_pd, _mm_cmpgt_ps, _mm_cmple_pd, _mm_cmple_ps, _mm_cmplt_pd, _mm_cmplt_ps,
    _mm_cvtsi128_si64, _mm_cvtss_f32, _mm_cvttpd_epi32, _mm_div_pd, _mm_div_ps, _mm_loadu_pd,
    _mm_loadu_ps, _mm_max_pd, _mm_max_ps, _mm_min_pd, _mm_min_ps, _mm_movemask_pd, _mm_movemask_ps,
    _mm_mul_pd, _mm_mul_ps, _mm_or_pd, _mm_or_ps, _mm_set_epi32, _mm_set_epi64x, _mm_set1_pd,
    _mm_set1_ps, _mm_shuffle_ps, _mm_sqrt_pd, _mm_sqrt_ps, _mm_storeu_pd, _mm_storeu_ps,
    _mm_sub_pd, _mm_sub_ps,
};

use crate::register::register;

register! {
    /// Four f32.
    pub F32x4, MaskF32x4: [f32; 4] in __m128,
    _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps, _mm_sqrt_ps,
    [add: _mm_add_ps, sub: _mm_sub_ps, mul: _mm_mul_ps, div: _mm_div_ps, max: _mm_max_ps,
     min: _mm_min_ps],
    [gt: _mm_cmpgt_ps, ge: _mm_cmpge_ps, lt: _mm_cmplt_ps, le: _mm_cmple_ps, eq: _mm_cmpeq_ps],
    select_ps, _mm_and_ps, _mm_or_ps, _mm_andnot_ps, _mm_movemask_ps, mask_ps,
}

register! {
    /// Two f64.
    pub F64x2, MaskF64x2: [f64; 2] in __m128d,
    _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd, _mm_sqrt_pd,
    [add: _mm_add_pd, sub: _mm_sub_pd, mul: _mm_mul_pd, div: _mm_div_pd, max: _mm_max_pd,
     min: _mm_min_pd],
    [gt: _mm_cmpgt_pd, ge: _mm_cmpge_pd, lt: _mm_cmplt_pd, le: _mm_cmple_pd, eq: _mm_cmpeq_pd],
    select_pd, _mm_and_pd, _mm_or_pd, _mm_andnot_pd, _mm_movemask_pd, mask_pd,
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
}
