//! Eight f32 at once: what the kernel needs of them, and plain arrays that do it.
//!
//! Every operation is rounded on its own, so all implementations give the same bits.

use super::node::WIDTH;

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
    fn sqrt(self) -> Self;
    /// Bit i is set where lane i is above 0.
    fn positive(self) -> u32;
    /// Bit i is set where lane i is greater than the other's.
    fn above(self, other: Self) -> u32;
    /// Bit i is set where lane i is the other's.
    fn equal(self, other: Self) -> u32;
    /// Of integers, which are exact.
    fn from_unsigned(values: &[u16; WIDTH]) -> Self;
    /// Of integers, which are exact.
    fn from_signed(values: &[i16; WIDTH]) -> Self;
    /// Fetches a node into the cache, where the processor can be told to.
    fn prefetch<N>(node: &N);
}

/// What one f32 and eight have in common, for computations that are written once for both.
pub(super) trait Number: Copy {
    fn of(value: f32) -> Self;
    fn sum(a: Self, b: Self) -> Self;
    fn difference(a: Self, b: Self) -> Self;
    fn product(a: Self, b: Self) -> Self;
    fn root(a: Self) -> Self;
    fn greater(a: Self, b: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn of(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        a + b
    }

    #[inline(always)]
    fn difference(a: Self, b: Self) -> Self {
        a - b
    }

    #[inline(always)]
    fn product(a: Self, b: Self) -> Self {
        a * b
    }

    #[inline(always)]
    fn root(a: Self) -> Self {
        a.sqrt()
    }

    #[inline(always)]
    fn greater(a: Self, b: Self) -> Self {
        if a > b { a } else { b }
    }
}

impl<L: Lanes> Number for L {
    #[inline(always)]
    fn of(value: f32) -> Self {
        Self::splat(value)
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        a.add(b)
    }

    #[inline(always)]
    fn difference(a: Self, b: Self) -> Self {
        a.sub(b)
    }

    #[inline(always)]
    fn product(a: Self, b: Self) -> Self {
        a.mul(b)
    }

    #[inline(always)]
    fn root(a: Self) -> Self {
        a.sqrt()
    }

    #[inline(always)]
    fn greater(a: Self, b: Self) -> Self {
        a.max(b)
    }
}

/// Something that is done with lanes of one kind or another.
pub(super) trait Work: Sized {
    type Output;
    /// To be inlined, like all below it, so that it is compiled with the instructions of the lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// What every processor of the target can do.
#[cfg(target_arch = "x86_64")]
pub(super) type Portable = super::simd_sse2::Sse;
/// What every processor of the target can do.
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Portable = Plain;

/// Lanes as an array; compilers make of it what the target has.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain([f32; WIDTH]);

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..WIDTH {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Lanes for Plain {
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
    fn sqrt(self) -> Self {
        self.zip(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn positive(self) -> u32 {
        self.above(Self([0.0; WIDTH]))
    }

    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        (0..WIDTH).fold(0, |mask, lane| mask | u32::from(self.0[lane] > other.0[lane]) << lane)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        (0..WIDTH).fold(0, |mask, lane| mask | u32::from(self.0[lane] == other.0[lane]) << lane)
    }

    #[inline(always)]
    fn from_unsigned(values: &[u16; WIDTH]) -> Self {
        let mut result = [0.0; WIDTH];
        for lane in 0..WIDTH {
            result[lane] = f32::from(values[lane]);
        }
        Self(result)
    }

    #[inline(always)]
    fn from_signed(values: &[i16; WIDTH]) -> Self {
        let mut result = [0.0; WIDTH];
        for lane in 0..WIDTH {
            result[lane] = f32::from(values[lane]);
        }
        Self(result)
    }

    #[inline(always)]
    fn prefetch<N>(_: &N) {}
}
