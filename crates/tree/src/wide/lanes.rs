//! Eight f32 at once: what the kernel needs of them, and plain arrays that do it.
//!
//! Every operation is rounded on its own, so all implementations give the same bits.

use super::node::{WIDTH, WideNode};

/// Eight numbers of type f32.
pub(super) trait Lanes: Copy {
    fn splat(value: f32) -> Self;
    fn load(values: &[f32; WIDTH]) -> Self;
    fn store(self) -> [f32; WIDTH];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// The greater one; `other` where they are equal or one is NaN.
    fn max(self, other: Self) -> Self;
    /// Bit i is set where lane i is above 0.
    fn positive(self) -> u32;
    /// Fetches a node into the cache, where the processor can be told to.
    fn prefetch(node: &WideNode);
}

/// Lanes as an array; compilers make of it what the target has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..WIDTH {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        self.0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.zip(self, |a, _| a.abs())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn positive(self) -> u32 {
        (0..WIDTH).fold(0, |mask, lane| mask | u32::from(self.0[lane] > 0.0) << lane)
    }

    #[inline(always)]
    fn prefetch(_: &WideNode) {}
}
