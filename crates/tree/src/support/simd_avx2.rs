//! The search for the farthest point on AVX2 registers, four points in each, and the lanes for the
//! search for the origin.
//!
//! Their twins are `farthest` in the module above and `quad::Plain`; the tests compare both. There is no fused
//! multiply-add, so both compute the same bits.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256d, _CMP_EQ_OQ, _CMP_GT_OQ, _mm_max_pd, _mm_unpackhi_pd, _mm256_add_pd, _mm256_blend_pd,
    _mm256_blendv_pd, _mm256_broadcastsd_pd, _mm256_castpd_ps, _mm256_castpd_si256,
    _mm256_castpd256_pd128, _mm256_castps_pd, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cvtsd_f64,
    _mm256_div_pd, _mm256_extractf128_pd, _mm256_loadu_pd, _mm256_loadu_si256, _mm256_max_pd,
    _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute_pd, _mm256_permute2f128_pd,
    _mm256_permutevar8x32_ps, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setzero_pd,
    _mm256_storeu_pd, _mm256_storeu_si256, _mm256_sub_pd,
};

use super::quad::{QUAD, Quad, Work};
use super::{Block, LANES};

/// The farthest point; `None` where the processor has no AVX2.
#[inline]
pub(super) fn farthest(blocks: &[Block], direction: [f64; 3]) -> Option<usize> {
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

/// Four f64 in one register.
///
/// Invariant: it is used only in code that runs after the processor has said that it has AVX2. No
/// other module can name the type, and this one uses it in the function below that is compiled for
/// AVX2; into that its methods are inlined.
#[derive(Clone, Copy, Debug)]
struct Avx(__m256d);

/// Halves of lanes for [`Quad::pick`]: one lane four times.
const PICKED: [[i32; 8]; 3] =
    [[0, 1, 0, 1, 0, 1, 0, 1], [2, 3, 2, 3, 2, 3, 2, 3], [4, 5, 4, 5, 4, 5, 4, 5]];

/// Halves of lanes for [`Quad::turned`].
const TURNED: [[i32; 8]; 3] =
    [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 0, 1, 6, 7], [4, 5, 0, 1, 2, 3, 6, 7]];

impl Avx {
    #[inline(always)]
    fn permuted(self, halves: &[i32; 8]) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX2; the reference is to 32 bytes, and
        // loadu asks for no alignment.
        Self(unsafe {
            let halves = _mm256_loadu_si256(halves.as_ptr().cast());
            _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(self.0), halves))
        })
    }

    #[inline(always)]
    fn mask(mask: __m256d) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        (unsafe { _mm256_movemask_pd(mask) }) as u32
    }
}

impl Quad for Avx {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn half(values: &[f64; 2 * QUAD], upper: bool) -> Self {
        let from = if upper { QUAD } else { 0 };
        // SAFETY: AVX as above; the array has eight f64, four from 0 and four from 4 on, and loadu asks
        // for no alignment.
        Self(unsafe { _mm256_loadu_pd(values.as_ptr().add(from)) })
    }

    #[inline(always)]
    fn store(self) -> [f64; QUAD] {
        let mut values = [0.0; QUAD];
        // SAFETY: AVX as above; the array has four f64, and storeu asks for no alignment.
        unsafe { _mm256_storeu_pd(values.as_mut_ptr(), self.0) };
        values
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_div_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn greatest(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            let pairs = _mm256_max_pd(self.0, _mm256_permute2f128_pd::<1>(self.0, self.0));
            _mm256_max_pd(pairs, _mm256_permute_pd::<0b0101>(pairs))
        })
    }

    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self::mask(unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self::mask(unsafe { _mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn where_above(self, limit: Self, than: Self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            let above = _mm256_cmp_pd::<_CMP_GT_OQ>(than.0, limit.0);
            _mm256_blendv_pd(other.0, self.0, above)
        })
    }

    #[inline(always)]
    fn first(self) -> f64 {
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe { _mm256_cvtsd_f64(self.0) }
    }

    #[inline(always)]
    fn pick(self, lane: usize) -> Self {
        self.permuted(&PICKED[lane % 3])
    }

    #[inline(always)]
    fn turned(self, lane: usize) -> Self {
        self.permuted(&TURNED[lane % 3])
    }

    #[inline(always)]
    fn with(self, second: Self, third: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe {
            let two = _mm256_blend_pd::<0b0010>(self.0, second.0);
            _mm256_blend_pd::<0b0100>(two, third.0)
        })
    }
}

/// Does any work with AVX2; gives it back undone where the processor has none.
#[inline]
pub(super) fn work_with_avx2<W: Work>(work: W) -> Result<W::Output, W> {
    #[target_feature(enable = "avx2,bmi1")]
    fn compiled<W: Work>(work: W) -> W::Output {
        work.run::<Avx>()
    }
    // Every processor with AVX2 has the other; being asked about costs nothing.
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1")) {
        return Err(work);
    }
    // SAFETY: the function needs AVX2 and BMI1, and the processor has just said that it has them.
    Ok(unsafe { compiled(work) })
}
