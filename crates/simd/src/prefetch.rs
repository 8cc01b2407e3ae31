//! Prefetching.
#![allow(unsafe_code)]

/// Asks the processor to fetch a value into its cache. Does nothing where the target has no instruction for
/// it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let lines: *const i8 = std::ptr::from_ref(value).cast();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: the offset stays within the value; a prefetch reads nothing that the program could
            // see, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
