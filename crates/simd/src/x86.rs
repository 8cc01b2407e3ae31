//! The levels of x86-64.
//!
//! Invariant of the types in these modules: they are used only in code that runs after the processor was
//! found to have their instructions. [`dispatch`](crate::dispatch) sees to that: no other crate can name a
//! level but the baseline.
#![allow(unsafe_code)]

mod avx2;
mod avx512;
mod register;
mod sse2;

use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use sse2::Sse2;
pub use sse2::{F32x4, F64x2};

use crate::{SimdKernel, SimdLevel};

/// [`SimdLevel::best`]; the processor is asked once.
#[inline]
pub(crate) fn best_level() -> SimdLevel {
    match KNOWN.load(Ordering::Relaxed) {
        SSE2 => SimdLevel::Sse2,
        AVX2 => SimdLevel::Avx2,
        AVX512 => SimdLevel::Avx512,
        _ => detect(),
    }
}

static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const SSE2: u8 = 1;
const AVX2: u8 = 2;
const AVX512: u8 = 3;

#[cold]
fn detect() -> SimdLevel {
    let has_avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    let has_avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    let (known, level) = match (has_avx2, has_avx512) {
        (true, true) => (AVX512, SimdLevel::Avx512),
        (true, false) => (AVX2, SimdLevel::Avx2),
        (false, _) => (SSE2, SimdLevel::Sse2),
    };
    KNOWN.store(known, Ordering::Relaxed);
    level
}

/// Runs a kernel at [`SimdLevel::Sse2`]. Not inlined, so that what calls it stays small.
#[inline(never)]
pub(crate) fn run_sse2<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run::<Sse2>()
}

/// Runs a kernel, compiled for [`SimdLevel::Avx2`].
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn run_avx2<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}

/// Runs a kernel, compiled for [`SimdLevel::Avx512`]: with 32 registers, also where they have 256 bits.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl")]
pub(crate) fn run_avx512<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run::<avx512::Avx512>()
}
