//! The lanes as one AVX register, and work compiled for processors that have them.
//!
//! The only unsafe code here. Its twin is `lanes::Portable`; the tests run every law on
//! both and compare them bit for bit.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_EQ_OQ, _CMP_GT_OQ, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm256_add_ps,
    _mm256_andnot_ps, _mm256_cmp_ps, _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps,
    _mm256_cvtepu16_epi32, _mm256_loadu_ps, _mm256_max_ps, _mm256_movemask_ps, _mm256_mul_ps,
    _mm256_set1_ps, _mm256_setzero_ps, _mm256_sqrt_ps, _mm256_storeu_ps, _mm256_sub_ps,
};

use super::lanes::{Lanes, Work};
use super::node::WIDTH;

/// Eight f32 in one register.
///
/// Invariant: it is used only in code that runs after the processor has said that it has AVX2. No
/// other module can name the type, and this one uses it in the functions below that are compiled
/// for AVX2; into them its methods are inlined.
#[derive(Clone, Copy, Debug)]
struct Avx(__m256);

impl Lanes for Avx {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        // SAFETY: AVX as above; the reference is to eight f32, and loadu asks for no alignment.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut values = [0.0; WIDTH];
        // SAFETY: AVX as above; the array has eight f32, and storeu asks for no alignment.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
        values
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the invariant of the type: the processor has AVX.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn positive(self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        self.above(Self(unsafe { _mm256_setzero_ps() }))
    }

    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        let mask = unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)) };
        mask as u32
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        let mask = unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0)) };
        mask as u32
    }

    #[inline(always)]
    fn from_unsigned(values: &[u16; WIDTH]) -> Self {
        // SAFETY: the processor has AVX2; the reference is to sixteen bytes, and loadu asks for no
        // alignment.
        Self(unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(values))
        })
    }

    #[inline(always)]
    fn from_signed(values: &[i16; WIDTH]) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(values))
        })
    }

    #[inline(always)]
    fn prefetch<N>(node: &N) {
        let lines: *const i8 = std::ptr::from_ref(node).cast();
        for line in 0..size_of::<N>().div_ceil(64) {
            // SAFETY: the offset stays within the node that the reference is to; a prefetch reads
            // nothing that the program could see, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
}

/// Does any work with AVX2; gives it back undone where the processor has none.
pub(super) fn work_with_avx2<W: Work>(work: W) -> Result<W::Output, W> {
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn with_16_registers<W: Work>(work: W) -> W::Output {
        work.run::<Avx>()
    }
    // The same instructions; but the kernel has more than sixteen numbers in use, and these
    // processors have registers for all of them.
    #[target_feature(enable = "avx2,bmi1,popcnt,avx512vl")]
    fn with_32_registers<W: Work>(work: W) -> W::Output {
        work.run::<Avx>()
    }
    // Every processor with AVX2 has the other two; being asked about costs nothing.
    if !(is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt"))
    {
        return Err(work);
    }
    if is_x86_feature_detected!("avx512vl") {
        // SAFETY: the function needs AVX2, BMI1, POPCNT and AVX-512VL (which implies AVX-512F),
        // and the processor has just said that it has them.
        return Ok(unsafe { with_32_registers(work) });
    }
    // SAFETY: the function needs AVX2, BMI1 and POPCNT, and the processor has just said that it has
    // them.
    Ok(unsafe { with_16_registers(work) })
}
