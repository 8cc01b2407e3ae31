//! The lanes as AVX registers, and jobs compiled for processors that have them.
//!
//! The only unsafe code of the crate. Its twin is `Portable`; the tests compare the two.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, __m256d, _CMP_GE_OQ, _CMP_LE_OQ, _mm256_and_ps, _mm256_cmp_pd, _mm256_cmp_ps,
    _mm256_loadu_pd, _mm256_loadu_ps, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd,
    _mm256_movemask_ps, _mm256_permute4x64_pd, _mm256_set1_ps,
};
use std::mem::offset_of;

use xcollide_bounds::Aabb;

use super::{BoxF32, Job, Lanes, Packed, Sides, WIDTH};

/// Whether the processor has what [`run`] needs.
#[inline]
pub(super) fn is_there() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Does a job, compiled for AVX2.
///
/// # Panics
/// The processor does not have it.
pub(super) fn run<J: Job>(job: J) -> J::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn compiled<J: Job>(job: J) -> J::Output {
        job.run::<Avx>()
    }
    assert!(is_there(), "asked for instructions that the processor lacks");
    // SAFETY: the processor has the features that the function is compiled for.
    unsafe { compiled(job) }
}

/// The six sides of a box, each spread over a register.
///
/// Invariant: used only in code that runs after the processor has said that it has AVX2. No other
/// module can name the type, and [`run`] is the only place here that does.
#[derive(Clone, Copy, Debug)]
struct Avx {
    min: [__m256; 3],
    max: [__m256; 3],
}

// What `low_sides` and `high_sides` rely on.
const _: () = assert!(offset_of!(Aabb, min) == 0 && offset_of!(Aabb, max) == 24);
const _: () = assert!(size_of::<Aabb>() == 48);

/// The low sides, and one number more.
#[inline(always)]
fn low_sides(aabb: &Aabb) -> __m256d {
    // SAFETY: only jobs that `run` has compiled get here, so the processor has AVX; the box is six
    // f64 without a gap, of which these are the first four; `loadu` asks for no alignment.
    unsafe { _mm256_loadu_pd(std::ptr::from_ref(aabb).cast()) }
}

/// One number more, and the high sides.
#[inline(always)]
fn high_sides(aabb: &Aabb) -> __m256d {
    // SAFETY: as above; these are the last four.
    unsafe { _mm256_loadu_pd(std::ptr::from_ref(aabb).cast::<f64>().add(2)) }
}

impl Lanes for Avx {
    type Single = __m256;

    #[inline(always)]
    fn single(probe: &Sides) -> __m256 {
        let flipped = probe.flipped();
        // SAFETY: the invariant of the type: the processor has AVX; the array has eight f32, and
        // `loadu` asks for no alignment.
        unsafe { _mm256_loadu_ps(flipped.as_ptr()) }
    }

    #[inline(always)]
    fn meets(probe: __m256, other: &Sides) -> bool {
        // SAFETY: AVX as above; eight f32 again.
        let all = unsafe {
            let other = _mm256_loadu_ps(other.0.as_ptr());
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(other, probe))
        };
        all == 0xFF
    }

    #[inline(always)]
    fn common(a: &Aabb, b: &Aabb) -> bool {
        // The last three numbers to the places of the first three.
        const TURN: i32 = 0b00_11_10_01;
        // SAFETY: the invariant of the type: the processor has AVX2.
        let all = unsafe {
            let low = _mm256_max_pd(low_sides(a), low_sides(b));
            let high = _mm256_min_pd(high_sides(a), high_sides(b));
            let high = _mm256_permute4x64_pd::<TURN>(high);
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(low, high))
        };
        all & 0b0111 == 0b0111
    }

    #[inline(always)]
    fn holds(outer: &Aabb, inner: &Aabb) -> bool {
        // SAFETY: the invariant of the type: the processor has AVX.
        let [low, high] = unsafe {
            let low = _mm256_cmp_pd::<_CMP_LE_OQ>(low_sides(outer), low_sides(inner));
            let high = _mm256_cmp_pd::<_CMP_LE_OQ>(high_sides(inner), high_sides(outer));
            [_mm256_movemask_pd(low), _mm256_movemask_pd(high)]
        };
        (low | 0b1000) & (high | 0b0001) == 0b1111
    }

    #[inline(always)]
    fn spread(probe: &BoxF32) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        let spread = |side: f32| unsafe { _mm256_set1_ps(side) };
        Self { min: probe.min.map(spread), max: probe.max.map(spread) }
    }

    #[inline(always)]
    fn overlap(self, boxes: &Packed, at: usize) -> u32 {
        assert!(at <= boxes.len(), "box {at} of {}", boxes.len());
        let (rows, stride) = boxes.raw();
        let row = |row: usize| {
            debug_assert!(row * stride + at + WIDTH <= rows.len());
            // SAFETY: `at` is at most the number of boxes, and each of the six rows has eight more
            // entries than there are boxes, so eight can be read; `loadu` asks for no alignment.
            unsafe { _mm256_loadu_ps(rows.as_ptr().add(row * stride + at)) }
        };
        // SAFETY: the invariant of the type: the processor has AVX.
        unsafe {
            let axis = |axis: usize| {
                let starts = _mm256_cmp_ps::<_CMP_LE_OQ>(row(axis), self.max[axis]);
                let ends = _mm256_cmp_ps::<_CMP_GE_OQ>(row(axis + 3), self.min[axis]);
                _mm256_and_ps(starts, ends)
            };
            let all = _mm256_and_ps(_mm256_and_ps(axis(0), axis(1)), axis(2));
            _mm256_movemask_ps(all) as u32
        }
    }
}
