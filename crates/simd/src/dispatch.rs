//! Runs kernels: the one place where an instruction set is chosen.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::hint::black_box;
#[cfg(target_arch = "x86_64")]
use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use crate::x86::{Avx2, Avx512};
use crate::{Portable, SimdKernel, SimdLevel};

/// The level that every processor of the target has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub type Baseline = crate::two_registers::TwoRegisters;
/// The level that every processor of the target has.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub type Baseline = Portable;

/// Runs a kernel at the [best](SimdLevel::best) level.
#[inline]
pub fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    dispatch_up_to(SimdLevel::Avx512, kernel)
}

/// Runs a kernel at the [best](SimdLevel::best) level that is not above `limit`, but at least at the
/// [`Baseline`].
#[inline]
pub fn dispatch_up_to<K: SimdKernel>(limit: SimdLevel, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let level = SimdLevel::best().min(limit);
        if K::MAX_LEVEL >= SimdLevel::Avx512 && level >= SimdLevel::Avx512 {
            // SAFETY: the processor has the instructions of that level.
            return unsafe { run_avx512(kernel) };
        }
        if K::MAX_LEVEL >= SimdLevel::Avx2 && level >= SimdLevel::Avx2 {
            // SAFETY: the processor has the instructions of that level.
            return unsafe { run_avx2(kernel) };
        }
        #[cfg(feature = "portable")]
        if level == SimdLevel::Portable {
            return run_portable(kernel);
        }
        // Through a pointer, so that it is not inlined and callers stay small. With `inline(never)` compilers
        // would keep it for other crates, also where it is never called.
        black_box(run_sse2::<K> as fn(K) -> K::Output)(kernel)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        #[cfg(feature = "portable")]
        if SimdLevel::best().min(limit) == SimdLevel::Portable {
            return run_portable(kernel);
        }
        let _ = limit;
        kernel.run::<Baseline>()
    }
}

/// Runs a kernel at a level, whatever the environment says; `None` if the processor lacks it. For tests and comparisons.
pub fn dispatch_at<K: SimdKernel>(level: SimdLevel, kernel: K) -> Option<K::Output> {
    if !level.is_in_processor() {
        return None;
    }
    match level {
        SimdLevel::Portable => Some(run_portable(kernel)),
        #[cfg(target_arch = "aarch64")]
        SimdLevel::Neon => Some(kernel.run::<Baseline>()),
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Sse2 => Some(run_sse2(kernel)),
        // SAFETY: the processor has the instructions of that level.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => Some(unsafe { run_avx2(kernel) }),
        // SAFETY: the processor has the instructions of that level.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => Some(unsafe { run_avx512(kernel) }),
        _ => None,
    }
}

/// Compiled once a program: arrays take the compiler longer than registers.
#[inline(never)]
fn run_portable<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
fn run_sse2<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run::<Baseline>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<K: SimdKernel>(kernel: K) -> K::Output {
    align_stack();
    kernel.run::<Avx2>()
}

/// With 32 registers, of 256 bits too.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl")]
fn run_avx512<K: SimdKernel>(kernel: K) -> K::Output {
    align_stack();
    kernel.run::<Avx512>()
}

/// Makes compilers align the stack of the function to registers.
///
/// The stack is aligned to 16 bytes. Unless a variable in memory needs more, LLVM decides whether to align it before it
/// knows which registers it must store there. Half of all runs, depending on where the stack begins, then read and write
/// registers across the borders of cache lines and pages.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn align_stack() {
    #[repr(align(64))]
    struct Aligned(#[allow(dead_code)] [u8; 64]);
    let in_memory = MaybeUninit::<Aligned>::uninit();
    black_box(&in_memory);
}
