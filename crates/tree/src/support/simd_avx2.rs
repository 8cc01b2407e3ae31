//! The search for the farthest point on AVX2 registers, four points in each.
//!
//! Its twin is `farthest` in the module above; the tests compare both. There is no fused
//! multiply-add, so both compute the same bits.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    _CMP_GT_OQ, _mm256_add_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd,
    _mm256_cmp_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_mul_pd, _mm256_set1_epi64x,
    _mm256_set1_pd, _mm256_setzero_pd, _mm256_storeu_pd, _mm256_storeu_si256,
};

use super::{Block, LANES, first_of_greatest};

/// The farthest point; `None` where the processor has no AVX2.
#[inline]
pub(super) fn farthest(blocks: &[Block], direction: [f64; 3]) -> Option<usize> {
    // SAFETY: called only where the processor has said that it has AVX2.
    is_x86_feature_detected!("avx2").then(|| unsafe { compiled(blocks, direction) })
}

#[target_feature(enable = "avx2")]
fn compiled(blocks: &[Block], [dx, dy, dz]: [f64; 3]) -> usize {
    let direction = [_mm256_set1_pd(dx), _mm256_set1_pd(dy), _mm256_set1_pd(dz)];
    let mut best = [_mm256_set1_pd(f64::NEG_INFINITY); 2];
    let mut place = [_mm256_setzero_pd(); 2];
    for (number, block) in (0_i64..).zip(blocks) {
        let number = _mm256_castsi256_pd(_mm256_set1_epi64x(number));
        for half in 0..2 {
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let lanes = &block.coordinates[axis][4 * half..4 * half + 4];
                // SAFETY: the slice has four f64, and loadu asks for no alignment.
                _mm256_mul_pd(direction[axis], unsafe { _mm256_loadu_pd(lanes.as_ptr()) })
            });
            let height = _mm256_add_pd(_mm256_add_pd(x, y), z);
            let higher = _mm256_cmp_pd::<_CMP_GT_OQ>(height, best[half]);
            // `max` yields its second operand where one is NaN.
            best[half] = _mm256_max_pd(height, best[half]);
            place[half] = _mm256_blendv_pd(place[half], number, higher);
        }
    }
    let (mut heights, mut places) = ([0.0; LANES], [0_u64; LANES]);
    for half in 0..2 {
        let (h, p) = (&mut heights[4 * half..4 * half + 4], &mut places[4 * half..4 * half + 4]);
        // SAFETY: the slices have four elements of eight bytes, and storeu asks for no alignment.
        unsafe {
            _mm256_storeu_pd(h.as_mut_ptr(), best[half]);
            _mm256_storeu_si256(p.as_mut_ptr().cast(), _mm256_castpd_si256(place[half]));
        }
    }
    first_of_greatest(&heights, &places)
}
