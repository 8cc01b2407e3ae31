//! The levels of x86-64.
//!
//! Invariant of the types in these modules: only code that runs after the processor was found to have
//! their instructions uses them. No other crate can name a level above the baseline, so
//! [`dispatch`](crate::dispatch()) guarantees this.

mod avx2;
mod avx512;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
