//! The lanes of the search for the origin as AVX registers, and work compiled for processors that have
//! them.
//!
//! Their twin is `f64x4::Plain`; the tests compare both bit for bit.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::{
    __m256d, __m512d, _CMP_EQ_OQ, _CMP_GT_OQ, _mm_add_pd, _mm_andnot_pd, _mm_cvtsi128_si64,
    _mm_cvttpd_epi32, _mm_div_pd, _mm_min_pd, _mm_mul_pd, _mm_set1_pd, _mm256_add_pd,
    _mm256_blend_pd, _mm256_blendv_pd, _mm256_castpd_ps, _mm256_castpd256_pd128, _mm256_castps_pd,
    _mm256_cmp_pd, _mm256_cvtsd_f64, _mm256_div_pd, _mm256_hadd_pd, _mm256_loadu_pd,
    _mm256_loadu_si256, _mm256_max_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute_pd,
    _mm256_permute2f128_pd, _mm256_permutevar8x32_ps, _mm256_set1_pd, _mm256_storeu_pd,
    _mm256_sub_pd, _mm512_broadcastsd_pd,
};

use crate::batch::{Avx2, Avx512, Eight};
use crate::lanes::f64x4::{self, Plain, QUAD, Quad, Work};
use crate::lanes::farthest_avx512::{farthest_along, farthest_of_few_along};
use crate::lanes::vec3::splat;
use crate::normal_fan::{NormalFan, Row};
use crate::point_set::few;
use crate::point_set::{Block, PointSet};

/// Four f64 in one register; with eight of them in one where points are compared.
///
/// Invariant: it is used only in code that runs after the processor has said that it has AVX2, and with
/// `EIGHT` that it has AVX-512F. No other module can name the type, and this one uses it in the functions
/// below that are compiled for these; into them its methods are inlined.
#[derive(Clone, Copy, Debug)]
struct Avx<const EIGHT: bool>(__m256d);

/// Halves of lanes for [`Quad::pick`]: one lane four times.
const PICKED: [[i32; 8]; 3] =
    [[0, 1, 0, 1, 0, 1, 0, 1], [2, 3, 2, 3, 2, 3, 2, 3], [4, 5, 4, 5, 4, 5, 4, 5]];

/// Halves of lanes for [`Quad::turned`].
const TURNED: [[i32; 8]; 3] =
    [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 0, 1, 6, 7], [4, 5, 0, 1, 2, 3, 6, 7]];

impl<const EIGHT: bool> Avx<EIGHT> {
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

/// Which lanes for eight pairs go with these.
trait OfPairs {
    type Eight: Eight;
}

struct Has<const EIGHT: bool>;

impl OfPairs for Has<true> {
    type Eight = Avx512;
}

impl OfPairs for Has<false> {
    type Eight = Avx2;
}

impl<const EIGHT: bool> Quad for Avx<EIGHT>
where
    Has<EIGHT>: OfPairs,
{
    type Eight = <Has<EIGHT> as OfPairs>::Eight;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn spread(value: f64) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { forgotten(_mm256_set1_pd(value)) })
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

    #[inline(always)]
    fn farthest(blocks: &[Block], direction: [Self; 3]) -> usize {
        if !EIGHT {
            return f64x4::farthest(blocks, direction);
        }
        // SAFETY: the invariant of the type: with `EIGHT` the processor has AVX-512F.
        unsafe {
            let [x, y, z] = direction;
            farthest_along(blocks, widened([x.0, y.0, z.0]))
        }
    }

    #[inline(always)]
    fn farthest_of_few<const BLOCKS: usize>(
        blocks: &[Block; BLOCKS],
        direction: [Self; 3],
    ) -> usize {
        if !EIGHT || BLOCKS <= 2 {
            return few::farthest_of_few(blocks, direction);
        }
        // SAFETY: the invariant of the type: with `EIGHT` the processor has AVX-512F.
        unsafe {
            let [x, y, z] = direction;
            farthest_of_few_along(blocks, widened([x.0, y.0, z.0]))
        }
    }

    #[inline(always)]
    fn place_on_octahedron([x, y, z]: [Self; 3], side: f64) -> [u32; 3] {
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe {
            let (xy, z) = (_mm256_blend_pd::<0b0010>(x.0, y.0), z.0);
            let octant = _mm256_movemask_pd(_mm256_blend_pd::<0b0100>(xy, z)) as u32 & 0b111;
            let sign = _mm_set1_pd(-0.0);
            let [x, y, z, xy] = [
                _mm_andnot_pd(sign, _mm256_castpd256_pd128(x.0)),
                _mm_andnot_pd(sign, _mm256_castpd256_pd128(y.0)),
                _mm_andnot_pd(sign, _mm256_castpd256_pd128(z)),
                _mm_andnot_pd(sign, _mm256_castpd256_pd128(xy)),
            ];
            let scale = _mm_div_pd(_mm_set1_pd(side), _mm_add_pd(_mm_add_pd(x, y), z));
            // `min` yields its second operand where one is NaN.
            let at = _mm_min_pd(_mm_mul_pd(xy, scale), _mm_set1_pd(side - 0.5));
            let both = _mm_cvtsi128_si64(_mm_cvttpd_epi32(at)) as u64;
            [octant, both as u32, (both >> 32) as u32]
        }
    }

    #[inline(always)]
    fn farthest_row(rows: [&Row; QUAD], [x, y, z]: [Self; 3]) -> (usize, f64) {
        // SAFETY: AVX as above; each row has four f64, and loadu asks for no alignment.
        unsafe {
            let direction = _mm256_blend_pd::<0b0010>(x.0, y.0);
            let direction = _mm256_blend_pd::<0b0100>(direction, z.0);
            // No `map`: its closure would be compiled without AVX.
            let [p, q, r, s] = rows;
            let p = _mm256_mul_pd(direction, _mm256_loadu_pd(p.0.as_ptr()));
            let q = _mm256_mul_pd(direction, _mm256_loadu_pd(q.0.as_ptr()));
            let r = _mm256_mul_pd(direction, _mm256_loadu_pd(r.0.as_ptr()));
            let s = _mm256_mul_pd(direction, _mm256_loadu_pd(s.0.as_ptr()));
            // x + y in the lower halves, z + 0 in the upper ones.
            let (pq, rs) = (_mm256_hadd_pd(p, q), _mm256_hadd_pd(r, s));
            let (xy, z) =
                (_mm256_permute2f128_pd::<0x20>(pq, rs), _mm256_permute2f128_pd::<0x31>(pq, rs));
            let heights = Self(_mm256_add_pd(xy, z));
            let greatest = heights.greatest();
            let lane = heights.equal(greatest).trailing_zeros() as usize;
            (lane % QUAD, greatest.first())
        }
    }
}

/// What is in all lanes of four, in all of eight.
#[inline]
#[target_feature(enable = "avx512f")]
fn widened([x, y, z]: [__m256d; 3]) -> [__m512d; 3] {
    [
        _mm512_broadcastsd_pd(_mm256_castpd256_pd128(x)),
        _mm512_broadcastsd_pd(_mm256_castpd256_pd128(y)),
        _mm512_broadcastsd_pd(_mm256_castpd256_pd128(z)),
    ]
}

/// A register of which a compiler forgets where it has it from.
#[inline]
#[target_feature(enable = "avx")]
fn forgotten(mut lanes: __m256d) -> __m256d {
    // SAFETY: there are no instructions; the register is left as it is.
    unsafe {
        asm!("/* {0} */", inout(ymm_reg) lanes, options(pure, nomem, nostack, preserves_flags));
    };
    lanes
}

/// The farthest point of a set, by its fan if there is one.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(crate) unsafe fn farthest_with_four(
    set: &PointSet,
    fan: Option<&NormalFan>,
    along: [f64; 3],
) -> usize {
    set.farthest_along::<Avx<false>>(fan, splat(along))
}

/// The same.
///
/// # Safety
/// The processor has AVX2 and AVX-512F.
#[inline(always)]
pub(crate) unsafe fn farthest_with_eight(
    set: &PointSet,
    fan: Option<&NormalFan>,
    along: [f64; 3],
) -> usize {
    set.farthest_along::<Avx<true>>(fan, splat(along))
}

#[target_feature(enable = "avx2,bmi1")]
fn with_four<W: Work>(work: W) -> W::Output {
    work.run::<Avx<false>>()
}

/// Does any work with AVX2, whatever else there is: so that it is tested on newer processors, too.
#[cfg(test)]
pub(crate) fn work_without_avx512<W: Work>(work: W) -> Option<W::Output> {
    let can = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1");
    // SAFETY: the function needs AVX2 and BMI1, and the processor has just said that it has them.
    can.then(|| unsafe { with_four(work) })
}

/// Does any work with the best that the processor has.
#[inline]
pub(crate) fn run_best<W: Work>(work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,avx512f,avx512vl")]
    fn with_eight<W: Work>(work: W) -> W::Output {
        work.run::<Avx<true>>()
    }
    // Every processor with AVX2 has the other; being asked about costs nothing.
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1")) {
        return work.run::<Plain>();
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: the function needs AVX2, BMI1, AVX-512F and AVX-512VL, and the processor has just said
        // that it has them.
        return unsafe { with_eight(work) };
    }
    // SAFETY: the function needs AVX2 and BMI1, and the processor has just said that it has them.
    unsafe { with_four(work) }
}
