//! Eight lanes as two times four.

use crate::{SimdFloat, SimdMask};

/// Lanes 0 to 3 and lanes 4 to 7.
#[derive(Clone, Copy, Debug)]
pub struct Pair<H>(pub(crate) H, pub(crate) H);

#[inline(always)]
pub(crate) fn halves<T>(values: &[T; 8]) -> (&[T; 4], &[T; 4]) {
    match values.as_chunks() {
        ([low, high], []) => (low, high),
        _ => unreachable!("8 = 4 + 4"),
    }
}

#[inline(always)]
fn halves_mut<T>(values: &mut [T; 8]) -> (&mut [T; 4], &mut [T; 4]) {
    match values.as_chunks_mut() {
        ([low, high], []) => (low, high),
        _ => unreachable!("8 = 4 + 4"),
    }
}

macro_rules! both {
    ($($operation:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                Self(self.0.$operation(other.0), self.1.$operation(other.1))
            }
        )*
    };
}

macro_rules! compare {
    ($($operation:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self::Mask {
                Pair(self.0.$operation(other.0), self.1.$operation(other.1))
            }
        )*
    };
}

impl<T: Copy + Default, H: SimdFloat<Scalar = T, Array = [T; 4]>> SimdFloat for Pair<H> {
    type Scalar = T;
    type Array = [T; 8];
    type Mask = Pair<H::Mask>;

    #[inline(always)]
    fn splat(value: T) -> Self {
        let half = H::splat(value);
        Self(half, half)
    }

    #[inline(always)]
    fn load(values: &[T; 8]) -> Self {
        let (low, high) = halves(values);
        Self(H::load(low), H::load(high))
    }

    #[inline(always)]
    fn store(self, values: &mut [T; 8]) {
        let (low, high) = halves_mut(values);
        self.0.store(low);
        self.1.store(high);
    }

    #[inline(always)]
    fn to_array(self) -> [T; 8] {
        let mut values = [T::default(); 8];
        self.store(&mut values);
        values
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    both!(add sub mul div max min);
    compare!(gt ge lt le eq);

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(H::select(mask.0, yes.0, no.0), H::select(mask.1, yes.1, no.1))
    }
}

impl<M: SimdMask> SimdMask for Pair<M> {
    const LANES: u32 = 2 * M::LANES;

    both!(and or and_not);

    #[inline(always)]
    fn to_bits(self) -> u32 {
        self.0.to_bits() | self.1.to_bits() << M::LANES
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(M::from_bits(bits), M::from_bits(bits >> M::LANES))
    }
}
