//! The lanes as one AVX register, and the descent compiled for processors that have them.
//!
//! The only unsafe code here. Its twin is `lanes::Portable`; the tests run every law on
//! both and compare them bit for bit.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _MM_HINT_T0, _mm_prefetch, _mm256_add_ps, _mm256_andnot_ps, _mm256_cmp_ps,
    _mm256_loadu_ps, _mm256_max_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_set1_ps,
    _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps,
};
use std::ops::ControlFlow;

use super::Tally;
use super::descent::{Entry, descend};
use super::lanes::Lanes;
use super::node::{WIDTH, WideNode};
use super::passage::Pairing;

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
    fn positive(self) -> u32 {
        // SAFETY: the invariant of the type: the processor has AVX.
        let mask =
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps())) };
        mask as u32
    }

    #[inline(always)]
    fn prefetch(node: &WideNode) {
        let lines: *const i8 = std::ptr::from_ref(node).cast();
        for line in 0..size_of::<WideNode>() / 64 {
            // SAFETY: the offset stays within the node that the reference is to; a prefetch reads
            // nothing that the program could see, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
}

/// The descent with AVX2; `None`, and nothing done, where the processor has none.
pub(super) fn with_avx2<T: Tally>(
    pairing: &Pairing<'_>,
    stack: &mut Vec<Entry>,
    tally: &mut T,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> Option<ControlFlow<()>> {
    if is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs AVX2 and AVX-512VL (which implies AVX-512F), and the
        // processor has just said that it has them.
        return Some(unsafe { with_32_registers(pairing, stack, tally, visit) });
    }
    // SAFETY: the function needs AVX2, and the processor has just said that it has it.
    is_x86_feature_detected!("avx2")
        .then(|| unsafe { with_16_registers(pairing, stack, tally, visit) })
}

#[target_feature(enable = "avx2")]
fn with_16_registers<T: Tally>(
    pairing: &Pairing<'_>,
    stack: &mut Vec<Entry>,
    tally: &mut T,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend::<Avx, T>(pairing, stack, tally, visit)
}

/// The same instructions; but the kernel has more than sixteen numbers in use, and these
/// processors have registers for all of them.
#[target_feature(enable = "avx2,avx512vl")]
fn with_32_registers<T: Tally>(
    pairing: &Pairing<'_>,
    stack: &mut Vec<Entry>,
    tally: &mut T,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend::<Avx, T>(pairing, stack, tally, visit)
}

/// The kernel alone, for tests.
#[cfg(test)]
pub(super) fn gaps_with_avx2(
    node: &WideNode,
    probe: &super::passage::Probe,
) -> Option<super::kernel::Gaps> {
    #[target_feature(enable = "avx2")]
    fn compiled(node: &WideNode, probe: &super::passage::Probe) -> super::kernel::Gaps {
        super::kernel::gaps::<Avx>(node, probe)
    }
    // SAFETY: the function needs AVX2, and the processor has just said that it has it.
    is_x86_feature_detected!("avx2").then(|| unsafe { compiled(node, probe) })
}
