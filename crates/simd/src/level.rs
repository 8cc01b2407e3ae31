//! Instruction sets, and which of them the processor has.

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set. Each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdLevel {
    /// No instructions of a particular processor.
    Portable,
    /// SSE2, which every x86-64 processor has.
    Sse2,
    /// AVX2, BMI1, BMI2 and POPCNT.
    Avx2,
    /// AVX-512F and AVX-512VL besides.
    Avx512,
}

impl SimdLevel {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The best level of this processor. It is detected once.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        return match DETECTED.load(Ordering::Relaxed) {
            1 => Self::Sse2,
            2 => Self::Avx2,
            3 => Self::Avx512,
            _ => detect(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        Self::Portable
    }
}

/// The best level as a number; 0 before it is detected.
#[cfg(target_arch = "x86_64")]
static DETECTED: AtomicU8 = AtomicU8::new(0);

#[cfg(target_arch = "x86_64")]
#[cold]
fn detect() -> SimdLevel {
    let has_avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    let has_avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    let level = match (has_avx2, has_avx512) {
        (true, true) => SimdLevel::Avx512,
        (true, false) => SimdLevel::Avx2,
        (false, _) => SimdLevel::Sse2,
    };
    DETECTED.store(level as u8, Ordering::Relaxed);
    level
}
