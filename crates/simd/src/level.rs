//! Levels of instructions, and the one place where the best of them is chosen.
#![allow(unsafe_code)]

use crate::{F32x8, F64x4, F64x8, Portable};

/// Which instructions are used. Each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdLevel {
    /// No instructions of a certain processor.
    Portable,
    /// SSE2, which every x86-64 processor has.
    Sse2,
    /// AVX2, BMI1, BMI2 and POPCNT.
    Avx2,
    /// And AVX-512F and AVX-512VL.
    Avx512,
}

impl SimdLevel {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The best level that the processor has.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        return crate::x86::best_level();
        #[cfg(not(target_arch = "x86_64"))]
        Self::Portable
    }
}

/// The lane types of a level. Only [`dispatch`] and [`dispatch_at`] choose one.
pub trait Simd: Copy + std::fmt::Debug {
    /// The level.
    const LEVEL: SimdLevel;
    /// Eight f32.
    type F32x8: F32x8;
    /// Four f64.
    type F64x4: F64x4;
    /// Eight f64.
    type F64x8: F64x8<Half = Self::F64x4>;
    /// Eight f64 as two times four, also where there are wider registers: for kernels that are faster so.
    type F64x4x2: F64x8<Half = Self::F64x4>;
}

/// A computation that is written once for all levels.
pub trait SimdKernel: Sized {
    /// The result.
    type Output;

    /// The best level that is worth being used.
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx512;

    /// Computes it. Has to be `#[inline(always)]`, as has everything with lanes that it calls, and must not
    /// hand lanes to closures: else they are compiled without the instructions of the level.
    fn run<S: Simd>(self) -> Self::Output;
}

/// The level that every processor of the target has.
#[cfg(target_arch = "x86_64")]
pub type Baseline = crate::x86::Sse2;
/// The level that every processor of the target has.
#[cfg(not(target_arch = "x86_64"))]
pub type Baseline = Portable;

/// Runs a kernel at the best level that the processor has.
#[inline]
pub fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    dispatch_up_to(SimdLevel::Avx512, kernel)
}

/// Runs a kernel at the best level that the processor has and that is not above `limit`, but at the
/// [`Baseline`] at least.
#[inline]
pub fn dispatch_up_to<K: SimdKernel>(limit: SimdLevel, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let level = SimdLevel::best().min(limit);
        if K::MAX_LEVEL >= SimdLevel::Avx512 && level >= SimdLevel::Avx512 {
            // SAFETY: the processor has the instructions of that level.
            return unsafe { crate::x86::run_avx512(kernel) };
        }
        if K::MAX_LEVEL >= SimdLevel::Avx2 && level >= SimdLevel::Avx2 {
            // SAFETY: the processor has the instructions of that level.
            return unsafe { crate::x86::run_avx2(kernel) };
        }
        crate::x86::run_sse2(kernel)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = limit;
        kernel.run::<Baseline>()
    }
}

/// Runs a kernel at a level; `None` where the processor lacks it. For tests and comparisons.
pub fn dispatch_at<K: SimdKernel>(level: SimdLevel, kernel: K) -> Option<K::Output> {
    if level > SimdLevel::best() {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    match level {
        SimdLevel::Portable => {}
        SimdLevel::Sse2 => return Some(crate::x86::run_sse2(kernel)),
        // SAFETY: the processor has the instructions of that level.
        SimdLevel::Avx2 => return Some(unsafe { crate::x86::run_avx2(kernel) }),
        // SAFETY: the processor has the instructions of that level.
        SimdLevel::Avx512 => return Some(unsafe { crate::x86::run_avx512(kernel) }),
    }
    Some(kernel.run::<Portable>())
}
