//! Lanes of numbers in SIMD registers.

pub(crate) mod f64x2;
pub(crate) mod f64x4;
#[cfg(target_arch = "x86_64")]
pub(crate) mod farthest_avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod farthest_avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod simd_f64x4;
pub(crate) mod vec3;
