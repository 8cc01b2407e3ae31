//! Lanes in AVX registers.
#![allow(unsafe_code)]

#[cfg(not(miri))]
use std::arch::asm;
use std::arch::x86_64::{
    __m256, __m256d, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm_add_ps,
    _mm_add_ss, _mm_cvtss_f32, _mm_loadu_ps, _mm_loadu_si128, _mm_movehl_ps, _mm_shuffle_ps,
    _mm_storeu_ps, _mm_storeu_si128, _mm256_add_pd, _mm256_add_ps, _mm256_and_pd, _mm256_and_ps,
    _mm256_and_si256, _mm256_andnot_pd, _mm256_andnot_ps, _mm256_blend_pd, _mm256_blendv_pd,
    _mm256_blendv_ps, _mm256_castpd_ps, _mm256_castpd256_pd128, _mm256_castps_pd,
    _mm256_castps256_ps128, _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd, _mm256_cmp_ps,
    _mm256_cmpeq_epi32, _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps, _mm256_cvtepu16_epi32,
    _mm256_cvtpd_ps, _mm256_cvtps_pd, _mm256_cvtsd_f64, _mm256_cvttpd_epi32, _mm256_cvttps_epi32,
    _mm256_div_pd, _mm256_div_ps, _mm256_extractf128_ps, _mm256_hadd_pd, _mm256_loadu_pd,
    _mm256_loadu_ps, _mm256_loadu_si256, _mm256_maskload_pd, _mm256_max_epu32, _mm256_max_pd,
    _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_movemask_pd, _mm256_movemask_ps,
    _mm256_mul_pd, _mm256_mul_ps, _mm256_or_pd, _mm256_or_ps, _mm256_permute_pd, _mm256_permute_ps,
    _mm256_permute2f128_pd, _mm256_permute2f128_ps, _mm256_permute4x64_pd,
    _mm256_permutevar8x32_ps, _mm256_set_epi32, _mm256_set_epi64x, _mm256_set_m128,
    _mm256_set1_epi32, _mm256_set1_pd, _mm256_set1_ps, _mm256_shuffle_ps, _mm256_slli_epi32,
    _mm256_sqrt_pd, _mm256_sqrt_ps, _mm256_srli_epi32, _mm256_storeu_pd, _mm256_storeu_ps,
    _mm256_storeu_si256, _mm256_sub_pd, _mm256_sub_ps, _mm256_testz_si256, _mm256_unpackhi_pd,
    _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpacklo_ps,
};

use crate::pair::{FourLanes, Pair};
use crate::register::register;
use crate::{F32x8, F64x2, F64x4, FloatX8, Simd, SimdFloat, SimdLevel};

/// AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2;

impl Simd for Avx2 {
    const LEVEL: SimdLevel = SimdLevel::Avx2;
    type F32x8 = AvxF32x8;
    type F64x4 = AvxF64x4;
    type F64x8 = Pair<AvxF64x4>;
    type F64x4x2 = Pair<AvxF64x4>;
}

register! {
    /// Eight f32.
    pub(crate) AvxF32x8: [f32; 8] in __m256, MaskF32x8 in __m256,
    _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_sqrt_ps, abs_ps,
    [add: _mm256_add_ps, sub: _mm256_sub_ps, mul: _mm256_mul_ps, div: _mm256_div_ps,
     max: _mm256_max_ps, min: _mm256_min_ps],
    [gt: _mm256_cmp_ps::<_CMP_GT_OQ>, ge: _mm256_cmp_ps::<_CMP_GE_OQ>,
     lt: _mm256_cmp_ps::<_CMP_LT_OQ>, le: _mm256_cmp_ps::<_CMP_LE_OQ>,
     eq: _mm256_cmp_ps::<_CMP_EQ_OQ>],
    _mm256_blendv_ps, _mm256_and_ps, _mm256_or_ps, _mm256_andnot_ps, _mm256_movemask_ps, mask_ps,
}

register! {
    /// Four f64.
    pub(crate) AvxF64x4: [f64; 4] in __m256d, MaskF64x4 in __m256d,
    _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_sqrt_pd, abs_pd,
    [add: _mm256_add_pd, sub: _mm256_sub_pd, mul: _mm256_mul_pd, div: _mm256_div_pd,
     max: _mm256_max_pd, min: _mm256_min_pd],
    [gt: _mm256_cmp_pd::<_CMP_GT_OQ>, ge: _mm256_cmp_pd::<_CMP_GE_OQ>,
     lt: _mm256_cmp_pd::<_CMP_LT_OQ>, le: _mm256_cmp_pd::<_CMP_LE_OQ>,
     eq: _mm256_cmp_pd::<_CMP_EQ_OQ>],
    _mm256_blendv_pd, _mm256_and_pd, _mm256_or_pd, _mm256_andnot_pd, _mm256_movemask_pd, mask_pd,
}

/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn abs_ps(v: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), v) }
}

/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn abs_pd(v: __m256d) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), v) }
}

/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn mask_ps(bits: u32) -> __m256 {
    // SAFETY: the processor has AVX2.
    unsafe {
        let each = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
        let own = _mm256_and_si256(_mm256_set1_epi32(bits.cast_signed()), each);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, each))
    }
}

/// # Safety
/// The processor has AVX.
#[inline(always)]
unsafe fn mask_pd(bits: u32) -> __m256d {
    let lane = |lane: u32| -i64::from(bits >> lane & 1);
    // SAFETY: the processor has AVX.
    unsafe { _mm256_castsi256_pd(_mm256_set_epi64x(lane(3), lane(2), lane(1), lane(0))) }
}

impl FloatX8 for AvxF32x8 {
    #[inline(always)]
    fn from_f64(values: &[f64; 8]) -> Self {
        // SAFETY: the processor has AVX; there are four f64 from both places on.
        Self(unsafe {
            let low = _mm256_cvtpd_ps(_mm256_loadu_pd(values[..4].as_ptr()));
            let high = _mm256_cvtpd_ps(_mm256_loadu_pd(values[4..].as_ptr()));
            _mm256_set_m128(high, low)
        })
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        let mut values = [0.0; 8];
        // SAFETY: the processor has AVX; there is room for four f64 from both places on.
        unsafe {
            let [low, high] = [_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0)];
            _mm256_storeu_pd(values[..4].as_mut_ptr(), _mm256_cvtps_pd(low));
            _mm256_storeu_pd(values[4..].as_mut_ptr(), _mm256_cvtps_pd(high));
        }
        values
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        let mut numbers = [0; 8];
        // SAFETY: the processor has AVX; the array has room for eight u32, and need not be aligned.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), _mm256_cvttps_epi32(self.0)) };
        numbers
    }
}

/// The lower and the upper halves of two registers, each together.
#[inline(always)]
fn halves(a: __m256, b: __m256) -> [AvxF32x8; 2] {
    // SAFETY: the invariant of the lanes: the processor has AVX.
    unsafe {
        [
            AvxF32x8(_mm256_permute2f128_ps::<0x20>(a, b)),
            AvxF32x8(_mm256_permute2f128_ps::<0x31>(a, b)),
        ]
    }
}

#[cold]
fn no_such_place(places: &[u32; 8], count: usize) -> ! {
    panic!("one of {places:?} is not a place of {count} points")
}

/// Whether all numbers are below a limit.
#[inline(always)]
fn all_below(numbers: &[u32; 8], limit: u32) -> bool {
    // SAFETY: the processor has AVX2; the reference is to eight numbers, and need not be aligned.
    unsafe {
        let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
        let limit = _mm256_set1_epi32(limit.cast_signed());
        let at_least = _mm256_cmpeq_epi32(_mm256_max_epu32(numbers, limit), numbers);
        _mm256_testz_si256(at_least, at_least) == 1
    }
}

/// Four numbers and four more.
#[inline(always)]
fn both(low: &[f32; 4], high: &[f32; 4]) -> __m256 {
    // SAFETY: the processor has AVX; both have four f32, and need not be aligned.
    unsafe { _mm256_set_m128(_mm_loadu_ps(high.as_ptr()), _mm_loadu_ps(low.as_ptr())) }
}

/// The columns of four rows, in both halves.
#[inline(always)]
fn columns(rows: [&[f32; 8]; 4]) -> [__m256; 4] {
    let [a, b, c, d] = rows;
    // SAFETY: the processor has AVX; each row has eight f32, and need not be aligned.
    unsafe {
        let (a, b) = (_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr()));
        let (c, d) = (_mm256_loadu_ps(c.as_ptr()), _mm256_loadu_ps(d.as_ptr()));
        let (low, low_next) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (high, high_next) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(low, low_next),
            _mm256_shuffle_ps::<0b11_10_11_10>(low, low_next),
            _mm256_shuffle_ps::<0b01_00_01_00>(high, high_next),
            _mm256_shuffle_ps::<0b11_10_11_10>(high, high_next),
        ]
    }
}

impl F32x8 for AvxF32x8 {
    #[inline(always)]
    fn transpose([a, b, c, d, e, f, g, h]: [&[f32; 8]; 8]) -> [Self; 8] {
        let (upper, lower) = (columns([a, b, c, d]), columns([e, f, g, h]));
        let [zeroth, fourth] = halves(upper[0], lower[0]);
        let [first, fifth] = halves(upper[1], lower[1]);
        let [second, sixth] = halves(upper[2], lower[2]);
        let [third, seventh] = halves(upper[3], lower[3]);
        [zeroth, first, second, third, fourth, fifth, sixth, seventh]
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: the processor has AVX.
        unsafe {
            let (low, high) = (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let four = _mm_add_ps(low, high);
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        }
    }

    #[inline(always)]
    fn from_points([a, b, c, d, e, f, g, h]: [&[f32; 4]; 8]) -> [Self; 3] {
        // SAFETY: the processor has AVX.
        unsafe {
            let (a, b, c, d) = (both(a, e), both(b, f), both(c, g), both(d, h));
            let (low, low_next) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (high, high_next) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            [
                Self(_mm256_shuffle_ps::<0b01_00_01_00>(low, low_next)),
                Self(_mm256_shuffle_ps::<0b11_10_11_10>(low, low_next)),
                Self(_mm256_shuffle_ps::<0b01_00_01_00>(high, high_next)),
            ]
        }
    }

    #[inline(always)]
    fn gather_points(points: &[[f32; 4]], places: &[u32; 8]) -> [Self; 3] {
        if !all_below(places, u32::try_from(points.len()).unwrap_or(u32::MAX)) {
            no_such_place(places, points.len());
        }
        // SAFETY: all places are below the number of points.
        Self::from_points(places.map(|place| unsafe { points.get_unchecked(place as usize) }))
    }

    #[inline(always)]
    fn permute_two<const BIT: i32>(low: Self, high: Self, places: &[u32; 8]) -> Self {
        // SAFETY: the processor has AVX2; the reference is to eight numbers, and need not be aligned.
        Self(unsafe {
            let places = _mm256_loadu_si256(places.as_ptr().cast());
            // A permutation reads three bits; the fourth becomes the sign, by which one of both is selected.
            let place = _mm256_srli_epi32::<BIT>(places);
            let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(place));
            let low = _mm256_permutevar8x32_ps(low.0, place);
            _mm256_blendv_ps(low, _mm256_permutevar8x32_ps(high.0, place), is_high)
        })
    }

    #[inline(always)]
    fn reduce_min(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe {
            let four = _mm256_min_ps(self.0, _mm256_permute2f128_ps::<0x01>(self.0, self.0));
            let two = _mm256_min_ps(four, _mm256_permute_ps::<0b01_00_11_10>(four));
            Self(_mm256_min_ps(two, _mm256_permute_ps::<0b10_11_00_01>(two)))
        }
    }

    #[inline(always)]
    fn repeat(four: &[f32; 4]) -> Self {
        Self(both(four, four))
    }

    #[inline(always)]
    fn spread_three(self) -> [Self; 3] {
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe {
            [
                Self(_mm256_permute_ps::<0b00_00_00_00>(self.0)),
                Self(_mm256_permute_ps::<0b01_01_01_01>(self.0)),
                Self(_mm256_permute_ps::<0b10_10_10_10>(self.0)),
            ]
        }
    }

    #[inline(always)]
    fn from_u16(values: &[u16; 8]) -> Self {
        // SAFETY: the processor has AVX2; the reference is to sixteen bytes, and need not be aligned.
        Self(unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(values))
        })
    }

    #[inline(always)]
    fn from_i16(values: &[i16; 8]) -> Self {
        // SAFETY: the processor has AVX2; the reference is to sixteen bytes, and need not be aligned.
        Self(unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(values))
        })
    }
}

/// Halves of lanes for [`F64x4::broadcast_lane`].
const BROADCAST: [[i32; 8]; 3] =
    [[0, 1, 0, 1, 0, 1, 0, 1], [2, 3, 2, 3, 2, 3, 2, 3], [4, 5, 4, 5, 4, 5, 4, 5]];

/// Halves of lanes for [`F64x4::rotate_left_3`].
const ROTATED: [[i32; 8]; 3] =
    [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 0, 1, 6, 7], [4, 5, 0, 1, 2, 3, 6, 7]];

impl AvxF64x4 {
    #[inline(always)]
    fn permuted(self, halves: &[i32; 8]) -> Self {
        // SAFETY: the processor has AVX2; the reference is to 32 bytes, and need not be aligned.
        Self(unsafe {
            let halves = _mm256_loadu_si256(halves.as_ptr().cast());
            _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(self.0), halves))
        })
    }
}

impl F64x4 for AvxF64x4 {
    #[inline(always)]
    fn splat_opaque(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { opaque(Self::splat(value).0) })
    }

    #[inline(always)]
    fn from_vector(vector: &[f64; 3]) -> Self {
        // SAFETY: the processor has AVX; with the mask three f64 are read, and the vector has so many.
        Self(unsafe { _mm256_maskload_pd(vector.as_ptr(), _mm256_set_epi64x(0, -1, -1, -1)) })
    }

    #[inline(always)]
    fn to_f32(self) -> [f32; 4] {
        let mut values = [0.0; 4];
        // SAFETY: the processor has AVX; the array has room for four f32, and need not be aligned.
        unsafe { _mm_storeu_ps(values.as_mut_ptr(), _mm256_cvtpd_ps(self.0)) };
        values
    }

    #[inline(always)]
    fn first(self) -> f64 {
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe { _mm256_cvtsd_f64(self.0) }
    }

    #[inline(always)]
    fn low(self) -> F64x2 {
        // SAFETY: the invariant of the type: the processor has AVX.
        F64x2(unsafe { _mm256_castpd256_pd128(self.0) })
    }

    #[inline(always)]
    fn sign_bits(self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        (unsafe { _mm256_movemask_pd(self.0) }) as u32
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: usize) -> Self {
        self.permuted(&BROADCAST[lane % 3])
    }

    #[inline(always)]
    fn rotate_left(self) -> Self {
        // SAFETY: the processor has AVX2.
        Self(unsafe { _mm256_permute4x64_pd::<0b00_11_10_01>(self.0) })
    }

    #[inline(always)]
    fn rotate_left_3(self, lane: usize) -> Self {
        self.permuted(&ROTATED[lane % 3])
    }

    #[inline(always)]
    fn diagonal([x, y, z]: [Self; 3]) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            let two = _mm256_blend_pd::<0b0010>(x.0, y.0);
            _mm256_blend_pd::<0b0100>(two, z.0)
        })
    }

    #[inline(always)]
    fn sum_each([p, q, r, s]: [Self; 4]) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            // Sums of the first two lanes in the lower halves, of the last two in the upper halves.
            let (pq, rs) = (_mm256_hadd_pd(p.0, q.0), _mm256_hadd_pd(r.0, s.0));
            _mm256_add_pd(
                _mm256_permute2f128_pd::<0x20>(pq, rs),
                _mm256_permute2f128_pd::<0x31>(pq, rs),
            )
        })
    }

    #[inline(always)]
    fn reduce_max(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            // Of two registers that may differ; of one the compiler takes `vpermpd`, which is twice as slow on AMD's Zen 3.
            let pairs =
                _mm256_max_pd(self.0, _mm256_permute2f128_pd::<0x21>(self.0, opaque(self.0)));
            _mm256_max_pd(pairs, _mm256_permute_pd::<0b0101>(pairs))
        })
    }
}

/// Hides the origin of a register from the optimiser.
#[inline]
#[target_feature(enable = "avx")]
#[cfg_attr(miri, allow(unused_mut))]
fn opaque(mut lanes: __m256d) -> __m256d {
    // Miri does not support assembly, and optimises nothing.
    #[cfg(not(miri))]
    // SAFETY: there are no instructions; the register is left as it is.
    unsafe {
        asm!("/* {0} */", inout(ymm_reg) lanes, options(pure, nomem, nostack, preserves_flags));
    };
    lanes
}

impl FourLanes for AvxF64x4 {
    #[inline(always)]
    fn from_vectors([a, b, c, d]: [&[f64; 3]; 4]) -> [Self; 3] {
        // SAFETY: the processor has AVX; with the mask three f64 are read of each vector, which has so many.
        unsafe {
            let three = _mm256_set_epi64x(0, -1, -1, -1);
            let (a, b) =
                (_mm256_maskload_pd(a.as_ptr(), three), _mm256_maskload_pd(b.as_ptr(), three));
            let (c, d) =
                (_mm256_maskload_pd(c.as_ptr(), three), _mm256_maskload_pd(d.as_ptr(), three));
            let (xz, xz_next) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
            let (y, y_next) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
            [
                Self(_mm256_permute2f128_pd::<0x20>(xz, xz_next)),
                Self(_mm256_permute2f128_pd::<0x20>(y, y_next)),
                Self(_mm256_permute2f128_pd::<0x31>(xz, xz_next)),
            ]
        }
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 4] {
        let mut numbers = [0; 4];
        // SAFETY: the processor has AVX; the array has room for four u32, and need not be aligned.
        unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), _mm256_cvttpd_epi32(self.0)) };
        numbers
    }
}
