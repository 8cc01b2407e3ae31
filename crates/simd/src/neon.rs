//! Lanes in one NEON register, which every aarch64 processor has: [`two_registers`](crate::two_registers) needs no more.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    float32x4_t, float64x2_t, uint32x4_t, uint64x2_t, vabsq_f32, vabsq_f64, vaddq_f32, vaddq_f64,
    vaddvq_u32, vaddvq_u64, vandq_u32, vandq_u64, vbicq_u32, vbicq_u64, vbslq_f32, vbslq_f64,
    vceqq_f32, vceqq_f64, vcgeq_f32, vcgeq_f64, vcgtq_f32, vcgtq_f64, vcleq_f32, vcleq_f64,
    vcltq_f32, vcltq_f64, vcopyq_laneq_f64, vcvt_f32_f64, vcvt_high_f32_f64, vcvtq_f32_s32,
    vcvtq_f32_u32, vcvtq_u32_f32, vdivq_f32, vdivq_f64, vdupq_laneq_f32, vdupq_n_f32, vdupq_n_f64,
    vdupq_n_u32, vdupq_n_u64, vextq_f64, vget_low_s16, vget_low_u16, vgetq_lane_f32,
    vgetq_lane_u64, vld1q_f32, vld1q_f64, vld1q_s16, vld1q_u16, vld1q_u32, vld1q_u64, vminvq_f32,
    vmovl_high_s16, vmovl_high_u16, vmovl_s16, vmovl_u16, vmulq_f32, vmulq_f64, vorrq_u32,
    vorrq_u64, vreinterpretq_f32_f64, vreinterpretq_f64_f32, vreinterpretq_u64_f64, vshrq_n_u64,
    vsqrtq_f32, vsqrtq_f64, vst1q_f32, vst1q_f64, vst1q_u32, vsubq_f32, vsubq_f64, vtrn1q_f32,
    vtrn2q_f32, vtstq_u32, vtstq_u64, vzip1q_f64, vzip2q_f64,
};

use crate::SimdFloat;
use crate::pair::Pair;
use crate::register::register;

register! {
    /// Four f32.
    pub F32x4: [f32; 4] in float32x4_t, MaskF32x4 in uint32x4_t,
    vdupq_n_f32, vld1q_f32, vst1q_f32, vsqrtq_f32, vabsq_f32,
    [add: vaddq_f32, sub: vsubq_f32, mul: vmulq_f32, div: vdivq_f32, max: max_f32, min: min_f32],
    [gt: vcgtq_f32, ge: vcgeq_f32, lt: vcltq_f32, le: vcleq_f32, eq: vceqq_f32],
    select_f32, vandq_u32, vorrq_u32, and_not_u32, bits_of_u32, mask_u32,
}

register! {
    /// Two f64.
    pub F64x2: [f64; 2] in float64x2_t, MaskF64x2 in uint64x2_t,
    vdupq_n_f64, vld1q_f64, vst1q_f64, vsqrtq_f64, vabsq_f64,
    [add: vaddq_f64, sub: vsubq_f64, mul: vmulq_f64, div: vdivq_f64, max: max_f64, min: min_f64],
    [gt: vcgtq_f64, ge: vcgeq_f64, lt: vcltq_f64, le: vcleq_f64, eq: vceqq_f64],
    select_f64, vandq_u64, vorrq_u64, and_not_u64, bits_of_u64, mask_u64,
}

/// What the registers of either type need; always safe, but the register macro expects unsafe functions.
macro_rules! operations {
    (
        $register:ty, $mask:ty, [$number:ty; $lanes:literal] $each:expr,
        $max:ident: $gt:ident, $min:ident: $lt:ident, $select:ident: $by:ident,
        $and_not:ident: $clear:ident, $bits:ident: $sum:ident, $and:ident,
        $mask_of:ident: $test:ident, $splat:ident, $load:ident
    ) => {
        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $max(a: $register, b: $register) -> $register {
            // SAFETY: every aarch64 processor has NEON.
            unsafe { $by($gt(a, b), a, b) }
        }

        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $min(a: $register, b: $register) -> $register {
            // SAFETY: every aarch64 processor has NEON.
            unsafe { $by($lt(a, b), a, b) }
        }

        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $select(no: $register, yes: $register, mask: $mask) -> $register {
            // SAFETY: every aarch64 processor has NEON.
            unsafe { $by(mask, yes, no) }
        }

        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $and_not(not: $mask, mask: $mask) -> $mask {
            // SAFETY: every aarch64 processor has NEON.
            unsafe { $clear(mask, not) }
        }

        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $bits(mask: $mask) -> $number {
            const EACH: [$number; $lanes] = $each;
            // SAFETY: every aarch64 processor has NEON; there are as many numbers.
            unsafe { $sum($and(mask, $load(EACH.as_ptr()))) }
        }

        /// # Safety
        /// Always safe.
        #[inline(always)]
        unsafe fn $mask_of(bits: u32) -> $mask {
            const EACH: [$number; $lanes] = $each;
            // SAFETY: every aarch64 processor has NEON; there are as many numbers.
            unsafe { $test($splat(bits.into()), $load(EACH.as_ptr())) }
        }
    };
}

operations!(
    float32x4_t, uint32x4_t, [u32; 4] [1, 2, 4, 8],
    max_f32: vcgtq_f32, min_f32: vcltq_f32, select_f32: vbslq_f32,
    and_not_u32: vbicq_u32, bits_of_u32: vaddvq_u32, vandq_u32,
    mask_u32: vtstq_u32, vdupq_n_u32, vld1q_u32
);

operations!(
    float64x2_t, uint64x2_t, [u64; 2] [1, 2],
    max_f64: vcgtq_f64, min_f64: vcltq_f64, select_f64: vbslq_f64,
    and_not_u64: vbicq_u64, bits_of_u64: vaddvq_u64, vandq_u64,
    mask_u64: vtstq_u64, vdupq_n_u64, vld1q_u64
);

impl F32x4 {
    /// The first three lanes.
    #[inline(always)]
    #[must_use]
    pub fn first_three(self) -> [f32; 3] {
        let v = self.0;
        // SAFETY: every aarch64 processor has NEON.
        unsafe { [vgetq_lane_f32::<0>(v), vgetq_lane_f32::<1>(v), vgetq_lane_f32::<2>(v)] }
    }

    /// The numbers, rounded.
    #[inline(always)]
    pub(crate) fn rounded(values: &[f64; 4]) -> Self {
        // SAFETY: every aarch64 processor has NEON; there are two f64 from both places on.
        Self(unsafe {
            let low = vcvt_f32_f64(vld1q_f64(values[..2].as_ptr()));
            vcvt_high_f32_f64(low, vld1q_f64(values[2..].as_ptr()))
        })
    }

    /// The numbers, which must be whole and from 0 to 2³¹ − 1.
    #[inline(always)]
    pub(crate) fn to_u32(self) -> [u32; 4] {
        let mut numbers = [0; 4];
        // SAFETY: every aarch64 processor has NEON; the array has room for four u32, and need not be aligned.
        unsafe { vst1q_u32(numbers.as_mut_ptr(), vcvtq_u32_f32(self.0)) };
        numbers
    }

    /// Eight integers, which stay exact.
    #[inline(always)]
    pub(crate) fn from_u16(values: &[u16; 8]) -> Pair<Self> {
        // SAFETY: every aarch64 processor has NEON; the reference is to eight u16, and need not be aligned.
        unsafe {
            let values = vld1q_u16(values.as_ptr());
            let (low, high) = (vmovl_u16(vget_low_u16(values)), vmovl_high_u16(values));
            Pair(Self(vcvtq_f32_u32(low)), Self(vcvtq_f32_u32(high)))
        }
    }

    /// Eight integers, which stay exact.
    #[inline(always)]
    pub(crate) fn from_i16(values: &[i16; 8]) -> Pair<Self> {
        // SAFETY: every aarch64 processor has NEON; the reference is to eight i16, and need not be aligned.
        unsafe {
            let values = vld1q_s16(values.as_ptr());
            let (low, high) = (vmovl_s16(vget_low_s16(values)), vmovl_high_s16(values));
            Pair(Self(vcvtq_f32_s32(low)), Self(vcvtq_f32_s32(high)))
        }
    }

    /// The columns of four rows.
    #[inline(always)]
    pub(crate) fn columns([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: every aarch64 processor has NEON.
        let two = |v: Self, w: Self| unsafe {
            let (even, odd) = (vtrn1q_f32(v.0, w.0), vtrn2q_f32(v.0, w.0));
            [vreinterpretq_f64_f32(even), vreinterpretq_f64_f32(odd)]
        };
        let ([even, odd], [even_next, odd_next]) = (two(a, b), two(c, d));
        // SAFETY: every aarch64 processor has NEON.
        unsafe {
            [
                Self(vreinterpretq_f32_f64(vzip1q_f64(even, even_next))),
                Self(vreinterpretq_f32_f64(vzip1q_f64(odd, odd_next))),
                Self(vreinterpretq_f32_f64(vzip2q_f64(even, even_next))),
                Self(vreinterpretq_f32_f64(vzip2q_f64(odd, odd_next))),
            ]
        }
    }

    /// The least lane, in all lanes.
    #[inline(always)]
    pub(crate) fn reduce_min(self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vdupq_n_f32(vminvq_f32(self.0)) })
    }

    /// Each of the first three lanes in all lanes.
    #[inline(always)]
    pub(crate) fn spread_three(self) -> [Self; 3] {
        let v = self.0;
        // SAFETY: every aarch64 processor has NEON.
        unsafe {
            [
                Self(vdupq_laneq_f32::<0>(v)),
                Self(vdupq_laneq_f32::<1>(v)),
                Self(vdupq_laneq_f32::<2>(v)),
            ]
        }
    }
}

impl F64x2 {
    /// The numbers, which must be from 0 to 2³¹ − 1, rounded down.
    #[inline(always)]
    #[must_use]
    pub fn to_u32(self) -> [u32; 2] {
        self.to_array().map(|value| value as u32)
    }

    /// Bit i is set if lane i has a negative sign, also if it is zero or NaN.
    #[inline(always)]
    pub(crate) fn sign_bits(self) -> u32 {
        // SAFETY: every aarch64 processor has NEON.
        unsafe {
            let signs = vshrq_n_u64::<63>(vreinterpretq_u64_f64(self.0));
            (vgetq_lane_u64::<0>(signs) | vgetq_lane_u64::<1>(signs) << 1) as u32
        }
    }

    /// The lower lanes of both.
    #[inline(always)]
    pub(crate) fn lower(self, other: Self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vzip1q_f64(self.0, other.0) })
    }

    /// The upper lanes of both.
    #[inline(always)]
    pub(crate) fn upper(self, other: Self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vzip2q_f64(self.0, other.0) })
    }

    /// The upper lane of `self` and the lower one of `other`.
    #[inline(always)]
    pub(crate) fn inner(self, other: Self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vextq_f64::<1>(self.0, other.0) })
    }

    /// The lower lane of `self` and the upper one of `other`.
    #[inline(always)]
    pub(crate) fn outer(self, other: Self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vcopyq_laneq_f64::<1, 1>(self.0, other.0) })
    }
}
