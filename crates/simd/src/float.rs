//! The operations that all lanes have, and masks. They are implemented here for single numbers.

use std::fmt::Debug;

/// Floating-point numbers side by side; every operation works lane by lane.
///
/// f32 and f64 implement it as single lanes, so the same code works on one number and on many.
pub trait SimdFloat: Copy + Debug {
    /// The number in a lane.
    type Scalar: Copy + Default + From<f32>;
    /// The numbers of all lanes.
    type Array: Copy;
    /// The result of a comparison.
    type Mask: SimdMask;

    /// The same number in all lanes.
    #[must_use]
    fn splat(value: Self::Scalar) -> Self;
    /// Reads the numbers from memory.
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
    /// The square root; NaN for numbers below zero.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The magnitude.
    #[must_use]
    fn abs(self) -> Self;
    /// The greater number; `other` if both are equal or one is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The smaller number; `other` if both are equal or one is NaN.
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
    /// `yes` in lanes whose mask is set, else `no`.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

/// True or false for each lane.
pub trait SimdMask: Copy + Debug {
    /// How many lanes there are, 8 at most.
    const LANES: u32;

    /// Lanes set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Lanes set in at least one.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Lanes set in `self` but not in `other`.
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

    /// Whether at least one lane is set.
    #[inline(always)]
    #[must_use]
    fn any(self) -> bool {
        self.to_bits() != 0
    }
}

macro_rules! scalar {
    ($scalar:ident, [$($operation:ident: $operator:tt),*], [$($relation:ident: $comparison:tt),*]) => {
        impl SimdFloat for $scalar {
            type Scalar = Self;
            type Array = [Self; 1];
            type Mask = bool;

            #[inline(always)]
            fn splat(value: Self) -> Self {
                value
            }

            #[inline(always)]
            fn load(values: &[Self; 1]) -> Self {
                values[0]
            }

            #[inline(always)]
            fn store(self, values: &mut [Self; 1]) {
                values[0] = self;
            }

            #[inline(always)]
            fn to_array(self) -> [Self; 1] {
                [self]
            }

            $(
                #[inline(always)]
                fn $operation(self, other: Self) -> Self {
                    self $operator other
                }
            )*

            $(
                #[inline(always)]
                fn $relation(self, other: Self) -> bool {
                    self $comparison other
                }
            )*

            #[inline(always)]
            fn sqrt(self) -> Self {
                $scalar::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $scalar::abs(self)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if self > other { self } else { other }
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if self < other { self } else { other }
            }

            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

scalar!(f32, [add: +, sub: -, mul: *, div: /], [gt: >, ge: >=, lt: <, le: <=, eq: ==]);
scalar!(f64, [add: +, sub: -, mul: *, div: /], [gt: >, ge: >=, lt: <, le: <=, eq: ==]);

impl SimdMask for bool {
    const LANES: u32 = 1;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self)
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits & 1 == 1
    }
}
