//! The vocabulary: what can be done with lanes of any kind, and with those of one kind.

use std::fmt::Debug;

use crate::F64x2;

/// Floating-point numbers side by side; every operation works lane by lane.
///
/// f32 and f64 are lanes of one number, so that code can be written once for one and for many.
pub trait SimdFloat: Copy + Debug {
    /// The number in a lane.
    type Scalar: Copy + Default;
    /// The numbers of all lanes.
    type Array: Copy;
    /// The result of a comparison.
    type Mask: SimdMask;

    /// The same number in all lanes.
    #[must_use]
    fn splat(value: Self::Scalar) -> Self;
    /// Numbers from memory.
    #[must_use]
    fn load(values: &Self::Array) -> Self;
    /// The numbers of an array.
    #[inline(always)]
    #[must_use]
    fn from_array(values: Self::Array) -> Self {
        Self::load(&values)
    }
    /// Writes the numbers to memory.
    fn store(self, values: &mut Self::Array);
    /// The numbers as an array.
    #[must_use]
    fn to_array(self) -> Self::Array;

    /// The sum.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// The difference.
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// The product.
    #[must_use]
    fn mul(self, other: Self) -> Self;
    /// The quotient.
    #[must_use]
    fn div(self, other: Self) -> Self;
    /// The square root; NaN of numbers below zero.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The magnitude.
    #[must_use]
    fn abs(self) -> Self;
    /// The greater number; `other` where both are equal or one is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The smaller number; `other` where both are equal or one is NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// `self > other`; false for NaN.
    #[must_use]
    fn gt(self, other: Self) -> Self::Mask;
    /// `self >= other`; false for NaN.
    #[must_use]
    fn ge(self, other: Self) -> Self::Mask;
    /// `self < other`; false for NaN.
    #[must_use]
    fn lt(self, other: Self) -> Self::Mask;
    /// `self <= other`; false for NaN.
    #[must_use]
    fn le(self, other: Self) -> Self::Mask;
    /// `self == other`; false for NaN.
    #[must_use]
    fn eq(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

/// True or false for each lane.
pub trait SimdMask: Copy + Debug {
    /// How many lanes there are, 8 at most.
    const LANES: u32;

    /// Where both are set.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Where at least one is set.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Where this is set, and the other is not.
    #[must_use]
    fn and_not(self, other: Self) -> Self;
    /// Bit i is lane i.
    #[must_use]
    fn to_bits(self) -> u32;
    /// Lane i is bit i.
    #[must_use]
    fn from_bits(bits: u32) -> Self;

    /// Whether all lanes are set.
    #[inline(always)]
    #[must_use]
    fn all(self) -> bool {
        self.to_bits() == (1 << Self::LANES) - 1
    }

    /// Whether a lane is set.
    #[inline(always)]
    #[must_use]
    fn any(self) -> bool {
        self.to_bits() != 0
    }
}

/// Eight f32.
pub trait F32x8: SimdFloat<Scalar = f32, Array = [f32; 8]> {
    /// Integers, which stay exact.
    #[must_use]
    fn from_u16(values: &[u16; 8]) -> Self;
    /// Integers, which stay exact.
    #[must_use]
    fn from_i16(values: &[i16; 8]) -> Self;
}

/// Four f64: a vector in space and one number more, or one coordinate of several vectors.
pub trait F64x4: SimdFloat<Scalar = f64, Array = [f64; 4]> {
    /// As [`splat`](SimdFloat::splat), but the compiler does not know that all lanes are equal. Where it does,
    /// it computes with one lane and spreads the result, which takes longer.
    #[inline(always)]
    #[must_use]
    fn splat_opaque(value: f64) -> Self {
        Self::splat(value)
    }
    /// Lane 0.
    #[must_use]
    fn first(self) -> f64;
    /// Lanes 0 and 1.
    #[must_use]
    fn low(self) -> F64x2;
    /// Bit i is set where lane i has a negative sign, that of zeros and NaN included.
    #[must_use]
    fn sign_bits(self) -> u32;
    /// Lane `lane % 3` in all lanes.
    #[must_use]
    fn broadcast_lane(self, lane: usize) -> Self;
    /// Lanes 1, 2, 3, 0.
    #[must_use]
    fn rotate_left(self) -> Self;
    /// The first three lanes rotated left by `lane % 3`; lane 3 stays.
    #[must_use]
    fn rotate_left_3(self, lane: usize) -> Self;
    /// Lane 0 of the first, 1 of the second, 2 of the third, and 3 of the first.
    #[must_use]
    fn diagonal(vectors: [Self; 3]) -> Self;
    /// Lane i is `(v₀ + v₁) + (v₂ + v₃)` of vector i.
    #[must_use]
    fn sum_each(vectors: [Self; 4]) -> Self;
    /// The greatest lane, in all lanes. No lane may be NaN; of zeros either may be returned.
    #[must_use]
    fn reduce_max(self) -> Self;
}

/// Eight f64: one number of each of eight things.
pub trait F64x8: SimdFloat<Scalar = f64, Array = [f64; 8]> {
    /// The four f64 that go with these.
    type Half: F64x4;
    /// What a number that is in all lanes is kept in, if it is not to take two registers.
    type Uniform: SimdFloat<Scalar = f64>;

    /// A number in all lanes.
    #[must_use]
    fn from_uniform(number: Self::Uniform) -> Self;
    /// A number that is in all lanes of four, in all lanes of eight.
    #[must_use]
    fn widen(splat: Self::Half) -> Self;
    /// The coordinates x, y, z of eight vectors.
    #[must_use]
    fn from_vectors(vectors: [&[f64; 3]; 8]) -> [Self; 3];
    /// The columns of eight rows.
    #[must_use]
    fn transpose(rows: [&[f64; 8]; 8]) -> [Self; 8];
    /// The numbers, which are whole and from 0 to 2³¹ − 1.
    #[must_use]
    fn to_u32(self) -> [u32; 8];
    /// The greatest lane, in all lanes. No lane may be NaN; of zeros either may be returned.
    #[must_use]
    fn reduce_max(self) -> Self;
    /// The first lane where the mask is set; 0 where there is none.
    #[must_use]
    fn first_where(self, mask: Self::Mask) -> f64;
}
