//! Prefetching.
#![allow(unsafe_code)]

/// Starts loading a value into the processor's cache, if the target has an instruction for it.
#[inline(always)]
pub fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let lines: *const i8 = std::ptr::from_ref(value).cast();
        for line in 0..size_of_val(value).div_ceil(64) {
            // SAFETY: the offset stays within the value; a prefetch changes nothing that the program can
            // observe, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        let lines: *const u8 = std::ptr::from_ref(value).cast();
        for line in 0..size_of_val(value).div_ceil(64) {
            // SAFETY: the offset stays within the value; a prefetch changes nothing that the program can
            // observe, and every aarch64 processor has it.
            unsafe {
                std::arch::asm!(
                    "prfm pldl1keep, [{line}]",
                    line = in(reg) lines.add(64 * line),
                    options(nostack, preserves_flags, readonly),
                );
            }
        }
    }
    #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri)))))]
    let _ = value;
}
