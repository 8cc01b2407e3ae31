//! Two numbers in an SSE2 register, which every x86-64 processor has.
//!
//! Its twin is `Plain` in the module above; the tests compare both.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128d, _mm_add_pd, _mm_cvtsd_f64, _mm_mul_pd, _mm_set_pd, _mm_unpackhi_pd,
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(__m128d);

impl Lanes {
    #[inline(always)]
    pub(crate) fn new(first: f64, second: f64) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_set_pd(second, first) })
    }

    #[inline(always)]
    pub(crate) fn each(self) -> [f64; 2] {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { [_mm_cvtsd_f64(self.0), _mm_cvtsd_f64(_mm_unpackhi_pd(self.0, self.0))] }
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_mul_pd(self.0, other.0) })
    }
}
