//! What a user implements: a kernel, written once for the lane types of any level.

use crate::{F32x8, F64x4, F64x8, SimdLevel};

/// The lane types of a level. Only the functions of [`dispatch`](crate::dispatch()) choose one.
pub trait Simd: Copy + std::fmt::Debug {
    /// The level.
    const LEVEL: SimdLevel;
    /// Eight f32.
    type F32x8: F32x8;
    /// Four f64.
    type F64x4: F64x4;
    /// Eight f64.
    type F64x8: F64x8<Half = Self::F64x4>;
    /// Eight f64 as two times four at every level, for kernels that are faster so.
    type F64x4x2: F64x8<Half = Self::F64x4>;
}

/// A computation that is written once for all levels.
pub trait SimdKernel: Sized {
    /// The result.
    type Output;

    /// The highest level at which this kernel gains speed.
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx512;

    /// Computes the result.
    ///
    /// This function and all functions with lanes that it calls must be `#[inline(always)]`, and closures
    /// must not take lanes: otherwise they are compiled without the instructions of the level.
    fn run<S: Simd>(self) -> Self::Output;
}
