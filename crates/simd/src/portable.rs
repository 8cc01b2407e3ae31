//! Lanes as arrays, for every target. They specify what all other lanes compute.

use crate::pair::{FourLanes, Pair};
use crate::{F32x8, F64x2, F64x4, FloatX8, Simd, SimdFloat, SimdLevel, SimdMask};

/// The level without instructions of a particular processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Simd for Portable {
    const LEVEL: SimdLevel = SimdLevel::Portable;
    type F32x8 = Lanes<f32, 8>;
    type F64x4 = Lanes<f64, 4>;
    type F64x8 = Pair<Lanes<f64, 4>>;
    type F64x4x2 = Pair<Lanes<f64, 4>>;
}

/// Numbers in an array.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<T, const N: usize>([T; N]);

/// True or false for each number.
#[derive(Clone, Copy, Debug)]
pub struct Mask<const N: usize>([bool; N]);

/// Applies an operation of single numbers or masks to each pair of lanes.
macro_rules! zip {
    ($of:ident: $($operation:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(mut self, other: Self) -> Self {
                for lane in 0..N {
                    self.0[lane] = $of::$operation(self.0[lane], other.0[lane]);
                }
                self
            }
        )*
    };
}

macro_rules! compare {
    ($($operation:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Mask<N> {
                let mut mask = [false; N];
                for lane in 0..N {
                    mask[lane] = T::$operation(self.0[lane], other.0[lane]);
                }
                Mask(mask)
            }
        )*
    };
}

impl<T: SimdFloat<Scalar = T, Mask = bool> + Default + From<f32>, const N: usize> SimdFloat
    for Lanes<T, N>
{
    type Scalar = T;
    type Array = [T; N];
    type Mask = Mask<N>;

    #[inline(always)]
    fn splat(value: T) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    fn load(values: &[T; N]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn store(self, values: &mut [T; N]) {
        *values = self.0;
    }

    #[inline(always)]
    fn to_array(self) -> [T; N] {
        self.0
    }

    zip!(T: add sub mul div max min);
    compare!(gt ge lt le eq);

    #[inline(always)]
    fn sqrt(mut self) -> Self {
        for lane in 0..N {
            self.0[lane] = self.0[lane].sqrt();
        }
        self
    }

    #[inline(always)]
    fn abs(mut self) -> Self {
        for lane in 0..N {
            self.0[lane] = self.0[lane].abs();
        }
        self
    }

    #[inline(always)]
    fn select(mask: Mask<N>, yes: Self, no: Self) -> Self {
        let mut result = no;
        for lane in 0..N {
            result.0[lane] = T::select(mask.0[lane], yes.0[lane], no.0[lane]);
        }
        result
    }
}

impl<const N: usize> SimdMask for Mask<N> {
    const LANES: u32 = N as u32;

    zip!(bool: and or and_not);

    #[inline(always)]
    fn to_bits(self) -> u32 {
        let mut bits = 0;
        for lane in 0..N {
            bits |= u32::from(self.0[lane]) << lane;
        }
        bits
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        let mut mask = [false; N];
        for lane in 0..N {
            mask[lane] = bits >> lane & 1 == 1;
        }
        Self(mask)
    }
}

/// An array with an expression of its place in each place; it holds `$value` before. The closures of `map` and `from_fn`
/// are not always inlined, and then read places that are no constants.
macro_rules! each {
    ($lane:ident < $count:literal: $value:expr; $expression:expr) => {{
        let mut result = [$value; $count];
        for $lane in 0..$count {
            result[$lane] = $expression;
        }
        result
    }};
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Lanes<f32, 4> {
    /// The first three lanes.
    #[inline(always)]
    #[must_use]
    pub fn first_three(self) -> [f32; 3] {
        [self.0[0], self.0[1], self.0[2]]
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Lanes<f64, 2> {
    /// The numbers, which must be from 0 to 2³¹ − 1, rounded down.
    #[inline(always)]
    #[must_use]
    pub fn to_u32(self) -> [u32; 2] {
        self.0.map(|value| value as u32)
    }
}

impl FloatX8 for Lanes<f32, 8> {
    #[inline(always)]
    fn from_f64(values: &[f64; 8]) -> Self {
        Self(each!(lane < 8: 0.0; values[lane] as f32))
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        each!(lane < 8: 0.0; self.0[lane].into())
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        each!(lane < 8: 0; self.0[lane] as u32)
    }
}

impl F32x8 for Lanes<f32, 8> {
    #[inline(always)]
    fn from_u16(values: &[u16; 8]) -> Self {
        Self(each!(lane < 8: 0.0; values[lane].into()))
    }

    #[inline(always)]
    fn from_i16(values: &[i16; 8]) -> Self {
        Self(each!(lane < 8: 0.0; values[lane].into()))
    }

    #[inline(always)]
    fn transpose(rows: [&[f32; 8]; 8]) -> [Self; 8] {
        each!(column < 8: Self([0.0; 8]); Self(each!(row < 8: 0.0; rows[row][column])))
    }

    #[inline(always)]
    fn from_points(points: [&[f32; 4]; 8]) -> [Self; 3] {
        each!(axis < 3: Self([0.0; 8]); Self(each!(lane < 8: 0.0; points[lane][axis])))
    }

    #[inline(always)]
    fn permute_two<const BIT: i32>(low: Self, high: Self, places: &[u32; 8]) -> Self {
        let both = [low.0, high.0];
        Self(each!(lane < 8: 0.0; both.as_flattened()[(places[lane] >> BIT & 15) as usize]))
    }

    #[inline(always)]
    fn reduce_min(self) -> Self {
        let mut least = self.0[0];
        for lane in 1..8 {
            least = SimdFloat::min(least, self.0[lane]);
        }
        Self::splat(least)
    }

    #[inline(always)]
    fn repeat(&[a, b, c, d]: &[f32; 4]) -> Self {
        Self([a, b, c, d, a, b, c, d])
    }

    #[inline(always)]
    fn spread_three(self) -> [Self; 3] {
        [Self::splat(self.0[0]), Self::splat(self.0[1]), Self::splat(self.0[2])]
    }
}

impl F64x4 for Lanes<f64, 4> {
    #[inline(always)]
    fn first(self) -> f64 {
        self.0[0]
    }

    #[inline(always)]
    fn low(self) -> F64x2 {
        F64x2::from_array([self.0[0], self.0[1]])
    }

    #[inline(always)]
    fn sign_bits(self) -> u32 {
        let signs = each!(lane < 4: false; self.0[lane].is_sign_negative());
        Mask(signs).to_bits()
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: usize) -> Self {
        Self::splat(self.0[lane % 3])
    }

    #[inline(always)]
    fn rotate_left(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, c, d, a])
    }

    #[inline(always)]
    fn rotate_left_3(self, lane: usize) -> Self {
        let [a, b, c, d] = self.0;
        Self(match lane % 3 {
            0 => [a, b, c, d],
            1 => [b, c, a, d],
            _ => [c, a, b, d],
        })
    }

    #[inline(always)]
    fn diagonal([x, y, z]: [Self; 3]) -> Self {
        Self([x.0[0], y.0[1], z.0[2], x.0[3]])
    }

    #[inline(always)]
    fn sum_each(vectors: [Self; 4]) -> Self {
        Self(each!(lane < 4: 0.0; {
            let Self([x, y, z, w]) = vectors[lane];
            (x + y) + (z + w)
        }))
    }

    #[inline(always)]
    fn reduce_max(self) -> Self {
        let [a, b, c, d] = self.0;
        Self::splat(SimdFloat::max(SimdFloat::max(a, c), SimdFloat::max(b, d)))
    }
}

impl FourLanes for Lanes<f64, 4> {
    #[inline(always)]
    fn from_vectors(vectors: [&[f64; 3]; 4]) -> [Self; 3] {
        each!(axis < 3: Self([0.0; 4]); Self(each!(lane < 4: 0.0; vectors[lane][axis])))
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 4] {
        each!(lane < 4: 0; self.0[lane] as u32)
    }
}
