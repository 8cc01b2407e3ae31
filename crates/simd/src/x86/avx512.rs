//! Eight f64 in an AVX-512 register; the other lanes are those of AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512d, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm256_castpd256_pd128,
    _mm256_maskload_pd, _mm256_max_pd, _mm256_permute_pd, _mm256_permute2f128_pd,
    _mm256_set_epi64x, _mm256_storeu_si256, _mm512_abs_pd, _mm512_add_pd, _mm512_broadcastsd_pd,
    _mm512_castpd256_pd512, _mm512_castpd512_pd256, _mm512_cmp_pd_mask, _mm512_cvtsd_f64,
    _mm512_cvttpd_epi32, _mm512_div_pd, _mm512_extractf64x4_pd, _mm512_insertf64x4,
    _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_maskz_compress_pd, _mm512_max_pd, _mm512_min_pd,
    _mm512_mul_pd, _mm512_permutex2var_pd, _mm512_set_epi64, _mm512_set1_pd, _mm512_sqrt_pd,
    _mm512_storeu_pd, _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

use super::avx2::{AvxF32x8, AvxF64x4};
use crate::pair::Pair;
use crate::{F64x8, FloatX8, Simd, SimdFloat, SimdLevel, SimdMask};

/// AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512;

impl Simd for Avx512 {
    const LEVEL: SimdLevel = SimdLevel::Avx512;
    type F32x8 = AvxF32x8;
    type F64x4 = AvxF64x4;
    type F64x8 = Avx512F64x8;
    type F64x4x2 = Pair<AvxF64x4>;
}

/// Eight f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512F64x8(__m512d);

/// A bit for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(u8);

macro_rules! binary {
    ($($operation:ident: $by:ident),* $(,)?) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                // SAFETY: the invariant of the type: the processor has AVX-512F.
                Self(unsafe { $by(self.0, other.0) })
            }
        )*
    };
}

macro_rules! compare {
    ($($operation:ident: $predicate:ident),* $(,)?) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Bits {
                // SAFETY: the invariant of the type: the processor has AVX-512F.
                Bits(unsafe { _mm512_cmp_pd_mask::<$predicate>(self.0, other.0) })
            }
        )*
    };
}

impl SimdFloat for Avx512F64x8 {
    type Scalar = f64;
    type Array = [f64; 8];
    type Mask = Bits;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(values: &[f64; 8]) -> Self {
        // SAFETY: as above; the reference is to eight f64, and need not be aligned.
        Self(unsafe { _mm512_loadu_pd(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f64; 8]) {
        // SAFETY: as above; the reference is to eight f64, and need not be aligned.
        unsafe { _mm512_storeu_pd(values.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn to_array(self) -> [f64; 8] {
        let mut values = [0.0; 8];
        self.store(&mut values);
        values
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    binary! {
        add: _mm512_add_pd, sub: _mm512_sub_pd, mul: _mm512_mul_pd, div: _mm512_div_pd,
        // These two return their second operand if both are equal or one is NaN.
        max: _mm512_max_pd, min: _mm512_min_pd,
    }

    compare! { gt: _CMP_GT_OQ, ge: _CMP_GE_OQ, lt: _CMP_LT_OQ, le: _CMP_LE_OQ, eq: _CMP_EQ_OQ }

    #[inline(always)]
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_mask_blend_pd(mask.0, no.0, yes.0) })
    }
}

impl SimdMask for Bits {
    const LANES: u32 = 8;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(bits as u8)
    }
}

impl FloatX8 for Avx512F64x8 {
    #[inline(always)]
    fn from_f64(values: &[f64; 8]) -> Self {
        Self::load(values)
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        self.to_array()
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        let mut numbers = [0; 8];
        // SAFETY: the processor has AVX-512F; the array has room for eight u32, and need not be aligned.
        unsafe {
            _mm256_storeu_si256(numbers.as_mut_ptr().cast(), _mm512_cvttpd_epi32(self.0));
        }
        numbers
    }
}

impl F64x8 for Avx512F64x8 {
    type Half = AvxF64x4;
    type Uniform = Self;

    #[inline(always)]
    fn from_uniform(number: Self) -> Self {
        number
    }

    #[inline(always)]
    fn low(self) -> AvxF64x4 {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        AvxF64x4(unsafe { _mm512_castpd512_pd256(self.0) })
    }

    #[inline(always)]
    fn widen(splat: AvxF64x4) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe { _mm512_broadcastsd_pd(_mm256_castpd256_pd128(splat.0)) })
    }

    #[inline(always)]
    fn from_vectors(vectors: [&[f64; 3]; 8]) -> [Self; 3] {
        let (a, b) = (both(vectors[0], vectors[4]), both(vectors[1], vectors[5]));
        let (c, d) = (both(vectors[2], vectors[6]), both(vectors[3], vectors[7]));
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        unsafe {
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
    fn reduce_max(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        Self(unsafe {
            let (low, high) = (_mm512_castpd512_pd256(self.0), _mm512_extractf64x4_pd::<1>(self.0));
            let four = _mm256_max_pd(low, high);
            let two = _mm256_max_pd(four, _mm256_permute2f128_pd::<1>(four, four));
            let all = _mm256_max_pd(two, _mm256_permute_pd::<0b0101>(two));
            _mm512_broadcastsd_pd(_mm256_castpd256_pd128(all))
        })
    }

    #[inline(always)]
    fn first_where(self, mask: Bits) -> f64 {
        // Not through memory, where the load would wait for the store.
        // SAFETY: the invariant of the type: the processor has AVX-512F.
        unsafe { _mm512_cvtsd_f64(_mm512_maskz_compress_pd(mask.0, self.0)) }
    }
}

/// Two vectors in the halves of one register.
#[inline(always)]
fn both(low: &[f64; 3], high: &[f64; 3]) -> __m512d {
    // SAFETY: the processor has AVX-512F; with the mask three f64 are read of each vector, which has so many.
    unsafe {
        let three = _mm256_set_epi64x(0, -1, -1, -1);
        let low = _mm256_maskload_pd(low.as_ptr(), three);
        let high = _mm256_maskload_pd(high.as_ptr(), three);
        _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high)
    }
}
