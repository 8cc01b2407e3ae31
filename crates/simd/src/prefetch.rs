//! Prefetching.
#![allow(unsafe_code)]

/// Starts loading a value into the processor's cache, if the target has an instruction for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let lines: *const i8 = std::ptr::from_ref(value).cast();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: the offset stays within the value; a prefetch changes nothing that the program can
            // observe, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
