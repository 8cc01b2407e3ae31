//! The search for the farthest point on AVX2 registers, four points in each.
//!
//! Its twin is `farthest` in the module above; the tests compare both. There is no fused
//! multiply-add, so both compute the same bits.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    _CMP_EQ_OQ, _CMP_GT_OQ, _mm_max_pd, _mm_unpackhi_pd, _mm256_add_pd, _mm256_blendv_pd,
    _mm256_broadcastsd_pd, _mm256_castpd_si256, _mm256_castpd256_pd128, _mm256_castsi256_pd,
    _mm256_cmp_pd, _mm256_extractf128_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_movemask_pd,
    _mm256_mul_pd, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setzero_pd, _mm256_storeu_si256,
};

use crate::point_set::{Block, LANES};

/// The farthest point; `None` where the processor has no AVX2.
#[inline]
pub(crate) fn farthest(blocks: &[Block], direction: [f64; 3]) -> Option<usize> {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: called only where the processor has said that it has AVX-512F.
        return Some(unsafe { crate::lanes::farthest_avx512::farthest(blocks, direction) });
    }
    // SAFETY: called only where the processor has said that it has AVX2.
    is_x86_feature_detected!("avx2").then(|| unsafe { compiled(blocks, direction) })
}

/// The same with AVX2, whatever else there is: so that it is tested on newer processors, too.
#[cfg(test)]
pub(crate) fn farthest_without_avx512(blocks: &[Block], direction: [f64; 3]) -> Option<usize> {
    // SAFETY: called only where the processor has said that it has AVX2.
    is_x86_feature_detected!("avx2").then(|| unsafe { compiled(blocks, direction) })
}

/// Plain loops only: what is called here, a closure or an iterator's adaptor, might not be inlined,
/// would then be compiled without AVX2, and would call a function for every instruction.
#[target_feature(enable = "avx2")]
fn compiled(blocks: &[Block], [dx, dy, dz]: [f64; 3]) -> usize {
    let (dx, dy, dz) = (_mm256_set1_pd(dx), _mm256_set1_pd(dy), _mm256_set1_pd(dz));
    let mut best = [_mm256_set1_pd(f64::NEG_INFINITY); 2];
    let mut place = [_mm256_setzero_pd(); 2];
    let mut number = 0;
    while number < blocks.len() {
        let [x, y, z] = &blocks[number].coordinates;
        let current = _mm256_castsi256_pd(_mm256_set1_epi64x(number as i64));
        number += 1;
        for half in 0..2 {
            // SAFETY: each array has eight f64, four from 0 and four from 4 on, and loadu asks for
            // no alignment.
            let (x, y, z) = unsafe {
                (
                    _mm256_loadu_pd(x.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(y.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(z.as_ptr().add(4 * half)),
                )
            };
            let (x, y, z) = (_mm256_mul_pd(dx, x), _mm256_mul_pd(dy, y), _mm256_mul_pd(dz, z));
            let height = _mm256_add_pd(_mm256_add_pd(x, y), z);
            let higher = _mm256_cmp_pd::<_CMP_GT_OQ>(height, best[half]);
            // `max` yields its second operand where one is NaN.
            best[half] = _mm256_max_pd(height, best[half]);
            place[half] = _mm256_blendv_pd(place[half], current, higher);
        }
    }
    let either = _mm256_max_pd(best[0], best[1]);
    let half = _mm_max_pd(_mm256_castpd256_pd128(either), _mm256_extractf128_pd::<1>(either));
    let greatest = _mm256_broadcastsd_pd(_mm_max_pd(half, _mm_unpackhi_pd(half, half)));
    let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(best[0], greatest));
    let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(best[1], greatest));
    let mut lanes = (low | high << 4) as u32;
    if blocks.len() == 1 && lanes != 0 {
        return lanes.trailing_zeros() as usize;
    }
    let mut places = [0_u64; LANES];
    for half in 0..2 {
        // SAFETY: the array has eight elements of eight bytes, four from 0 and four from 4 on, and
        // storeu asks for no alignment.
        unsafe {
            let four = places.as_mut_ptr().add(4 * half);
            _mm256_storeu_si256(four.cast(), _mm256_castpd_si256(place[half]));
        }
    }
    // Nearly always there is one greatest. Whatever happens there is one: heights are no NaN.
    let mut first = usize::MAX;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % LANES;
        first = first.min(places[lane] as usize * LANES + lane);
        lanes &= lanes - 1;
    }
    first
}
