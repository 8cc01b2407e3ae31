//! The search for the farthest point on AVX-512 registers, eight points in each: half the instructions.
//!
//! Its twins are those with AVX2 and in plain code; the tests compare them. There is no fused multiply-add,
//! so all compute the same bits.
#![allow(unsafe_code)]

use std::arch::x86_64::_mm256_castpd256_pd128;
use std::arch::x86_64::{
    __m512d, _CMP_EQ_OQ, _CMP_GT_OQ, _mm_cvtsi128_si64, _mm256_max_pd, _mm256_permute_pd,
    _mm256_permute2f128_pd, _mm512_add_epi64, _mm512_add_pd, _mm512_broadcastsd_pd,
    _mm512_castpd512_pd256, _mm512_castsi512_si128, _mm512_cmp_pd_mask, _mm512_extractf64x4_pd,
    _mm512_loadu_pd, _mm512_mask_mov_epi64, _mm512_maskz_compress_epi64, _mm512_max_pd,
    _mm512_mul_pd, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_si512, _mm512_storeu_si512,
};

use crate::lanes::f64x4::first_of;
use crate::point_set::few::first_bit;
use crate::point_set::{Block, LANES};

/// The farthest point along a direction.
#[target_feature(enable = "avx512f")]
pub(crate) fn farthest(blocks: &[Block], [dx, dy, dz]: [f64; 3]) -> usize {
    farthest_along(blocks, [_mm512_set1_pd(dx), _mm512_set1_pd(dy), _mm512_set1_pd(dz)])
}

/// The same along one that is in all lanes. Plain loops only, as for AVX2.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn farthest_along(blocks: &[Block], [dx, dy, dz]: [__m512d; 3]) -> usize {
    let mut best = _mm512_set1_pd(f64::NEG_INFINITY);
    let (mut place, mut current) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let one = _mm512_set1_epi64(1);
    let mut number = 0;
    while number < blocks.len() {
        let [x, y, z] = &blocks[number].coordinates;
        number += 1;
        // SAFETY: each array has eight f64, and loadu asks for no alignment.
        let (x, y, z) = unsafe {
            (_mm512_loadu_pd(x.as_ptr()), _mm512_loadu_pd(y.as_ptr()), _mm512_loadu_pd(z.as_ptr()))
        };
        let (x, y, z) = (_mm512_mul_pd(dx, x), _mm512_mul_pd(dy, y), _mm512_mul_pd(dz, z));
        let height = _mm512_add_pd(_mm512_add_pd(x, y), z);
        let higher = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(height, best);
        // `max` yields its second operand where one is NaN.
        best = _mm512_max_pd(height, best);
        place = _mm512_mask_mov_epi64(place, higher, current);
        // Counted in a register of its own: from the counter of the loop it takes longer than all else.
        current = _mm512_add_epi64(current, one);
    }
    let greatest = greatest(best);
    let lanes = u32::from(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(best, greatest));
    if blocks.len() == 1 {
        return lanes.trailing_zeros() as usize % LANES;
    }
    if lanes.is_power_of_two() {
        // Not by way of memory, where one would wait for the other.
        let only = _mm512_castsi512_si128(_mm512_maskz_compress_epi64(lanes as u8, place));
        let block = _mm_cvtsi128_si64(only) as usize;
        return block * LANES + lanes.trailing_zeros() as usize;
    }
    let mut places = [0_usize; LANES];
    // SAFETY: the array has eight elements of eight bytes, and storeu asks for no alignment.
    unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), place) };
    first_of(lanes, places)
}

/// The same of blocks as many as are known to the compiler.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn farthest_of_few_along<const BLOCKS: usize>(
    blocks: &[Block; BLOCKS],
    [dx, dy, dz]: [__m512d; 3],
) -> usize {
    let mut heights = [_mm512_set1_pd(f64::NEG_INFINITY); BLOCKS];
    let mut number = 0;
    while number < BLOCKS {
        let [x, y, z] = &blocks[number].coordinates;
        // SAFETY: each array has eight f64, and loadu asks for no alignment.
        let (x, y, z) = unsafe {
            (_mm512_loadu_pd(x.as_ptr()), _mm512_loadu_pd(y.as_ptr()), _mm512_loadu_pd(z.as_ptr()))
        };
        let (x, y, z) = (_mm512_mul_pd(dx, x), _mm512_mul_pd(dy, y), _mm512_mul_pd(dz, z));
        heights[number] = _mm512_add_pd(_mm512_add_pd(x, y), z);
        number += 1;
    }
    let mut best = heights[0];
    let mut number = 1;
    while number < BLOCKS {
        best = _mm512_max_pd(best, heights[number]);
        number += 1;
    }
    let greatest = greatest(best);
    let mut lanes = 0;
    let mut number = 0;
    while number < BLOCKS {
        let equal = u32::from(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(heights[number], greatest));
        lanes |= equal << (LANES * number);
        number += 1;
    }
    first_bit(lanes)
}

/// The greatest of eight, in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn greatest(of: __m512d) -> __m512d {
    let four = _mm256_max_pd(_mm512_castpd512_pd256(of), _mm512_extractf64x4_pd::<1>(of));
    let two = _mm256_max_pd(four, _mm256_permute2f128_pd::<1>(four, four));
    let all = _mm256_max_pd(two, _mm256_permute_pd::<0b0101>(two));
    _mm512_broadcastsd_pd(_mm256_castpd256_pd128(all))
}
