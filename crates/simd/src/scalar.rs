//! f32 and f64 as lanes of one number.

use crate::{SimdFloat, SimdMask};

macro_rules! scalar {
    ($scalar:ident) => {
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

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }

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
            fn gt(self, other: Self) -> bool {
                self > other
            }

            #[inline(always)]
            fn ge(self, other: Self) -> bool {
                self >= other
            }

            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn le(self, other: Self) -> bool {
                self <= other
            }

            #[inline(always)]
            fn eq(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

scalar!(f32);
scalar!(f64);

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
