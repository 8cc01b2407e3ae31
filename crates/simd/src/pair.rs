//! Four lanes as two times two, eight as two times four.

use crate::{F64x4, F64x8, FloatX8, SimdFloat, SimdMask};

/// The lower and the upper half of the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Pair<H>(pub(crate) H, pub(crate) H);

/// An array with half as many numbers as another.
pub trait HalfArray: Copy {
    /// The array of both halves.
    type Whole: Copy;
    /// Both halves.
    fn split(whole: &Self::Whole) -> (&Self, &Self);
    /// Both halves, to be written.
    fn split_mut(whole: &mut Self::Whole) -> (&mut Self, &mut Self);
    /// The array of these halves.
    fn join(low: Self, high: Self) -> Self::Whole;
}

macro_rules! half_array {
    ($half:literal: $($low:ident)*, $($high:ident)*) => {
        impl<T: Copy> HalfArray for [T; $half] {
            type Whole = [T; 2 * $half];

            #[inline(always)]
            fn split(whole: &Self::Whole) -> (&Self, &Self) {
                match whole.as_chunks() {
                    ([low, high], []) => (low, high),
                    _ => unreachable!("two halves are the whole"),
                }
            }

            #[inline(always)]
            fn split_mut(whole: &mut Self::Whole) -> (&mut Self, &mut Self) {
                match whole.as_chunks_mut() {
                    ([low, high], []) => (low, high),
                    _ => unreachable!("two halves are the whole"),
                }
            }

            #[inline(always)]
            fn join([$($low),*]: Self, [$($high),*]: Self) -> Self::Whole {
                [$($low,)* $($high),*]
            }
        }
    };
}

half_array!(2: a b, c d);
half_array!(4: a b c d, e f g h);

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

impl<H: SimdFloat<Array: HalfArray>> SimdFloat for Pair<H> {
    type Scalar = H::Scalar;
    type Array = <H::Array as HalfArray>::Whole;
    type Mask = Pair<H::Mask>;

    #[inline(always)]
    fn splat(value: H::Scalar) -> Self {
        let half = H::splat(value);
        Self(half, half)
    }

    #[inline(always)]
    fn load(values: &Self::Array) -> Self {
        let (low, high) = H::Array::split(values);
        Self(H::load(low), H::load(high))
    }

    #[inline(always)]
    fn store(self, values: &mut Self::Array) {
        let (low, high) = H::Array::split_mut(values);
        self.0.store(low);
        self.1.store(high);
    }

    #[inline(always)]
    fn to_array(self) -> Self::Array {
        H::Array::join(self.0.to_array(), self.1.to_array())
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

/// What four lanes need so that two of them are eight.
pub trait FourLanes: F64x4 {
    /// The coordinates x, y, z of four vectors.
    fn from_vectors(vectors: [&[f64; 3]; 4]) -> [Self; 3];
    /// The numbers, which must be whole and from 0 to 2³¹ − 1.
    fn to_u32(self) -> [u32; 4];
}

impl<H: FourLanes> FloatX8 for Pair<H> {
    #[inline(always)]
    fn from_f64(values: &[f64; 8]) -> Self {
        Self::load(values)
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        self.to_array()
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        HalfArray::join(self.0.to_u32(), self.1.to_u32())
    }
}

impl<H: FourLanes> F64x8 for Pair<H> {
    type Half = H;
    type Uniform = H;

    #[inline(always)]
    fn from_uniform(number: H) -> Self {
        Self(number, number)
    }

    #[inline(always)]
    fn low(self) -> H {
        self.0
    }

    #[inline(always)]
    fn widen(splat: H) -> Self {
        Self(splat, splat)
    }

    #[inline(always)]
    fn from_vectors([a, b, c, d, e, f, g, h]: [&[f64; 3]; 8]) -> [Self; 3] {
        let [x, y, z] = H::from_vectors([a, b, c, d]);
        let [u, v, w] = H::from_vectors([e, f, g, h]);
        [Self(x, u), Self(y, v), Self(z, w)]
    }

    #[inline(always)]
    fn reduce_max(self) -> Self {
        let greatest = self.0.max(self.1).reduce_max();
        Self(greatest, greatest)
    }

    #[inline(always)]
    fn first_where(self, mask: Self::Mask) -> f64 {
        let bits = mask.to_bits();
        if bits == 0 { 0.0 } else { self.to_array()[bits.trailing_zeros() as usize % 8] }
    }
}
