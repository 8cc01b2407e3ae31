#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod dispatch;
mod float;
mod kernel;
mod lanes;
mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pair;
mod portable;
mod prefetch;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod register;
mod rows;
#[cfg(target_arch = "x86_64")]
mod sse;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod two_registers;
pub mod vec3;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use dispatch::{Baseline, dispatch, dispatch_at, dispatch_up_to};
pub use float::{SimdFloat, SimdMask};
pub use kernel::{Simd, SimdKernel};
pub use lanes::{F32x8, F64x4, F64x8, FloatX8};
pub use level::{SimdLevel, SimdLevelError};
#[cfg(target_arch = "aarch64")]
pub use neon::{F32x4, F64x2};
pub use portable::Portable;
pub use prefetch::prefetch;
pub use rows::F32Rows;
#[cfg(target_arch = "x86_64")]
pub use sse::{F32x4, F64x2};

/// Four f32.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub type F32x4 = portable::Lanes<f32, 4>;
/// Two f64.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub type F64x2 = portable::Lanes<f64, 2>;
