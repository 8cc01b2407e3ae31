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

/// All or no bits for each number.
#[derive(Clone, Copy, Debug)]
pub struct Mask<B, const N: usize>([B; N]);

/// An array with an expression of its place in each place. Each is written out: compilers take a multiple of the time for
/// loops that they must unroll first, and do not always inline the closures of `map` and `from_fn`.
macro_rules! each {
    ($lane:ident in [$($place:literal)*]: $expression:expr) => {
        [$({
            let $lane: usize = $place;
            $expression
        }),*]
    };
}

/// Applies operations of single numbers to each pair of lanes.
macro_rules! zip {
    ($($operation:ident)*, $places:tt) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                Self(each!(lane in $places: SimdFloat::$operation(self.0[lane], other.0[lane])))
            }
        )*
    };
}

macro_rules! compare {
    ($($operation:ident)*, $bits:ty, $places:tt) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self::Mask {
                Mask(each!(lane in $places: {
                    let holds = SimdFloat::$operation(self.0[lane], other.0[lane]);
                    if holds { <$bits>::MAX } else { 0 }
                }))
            }
        )*
    };
}

macro_rules! lanes {
    ($scalar:ty, $bits:ty, $count:literal, $places:tt) => {
        impl SimdFloat for Lanes<$scalar, $count> {
            type Scalar = $scalar;
            type Array = [$scalar; $count];
            type Mask = Mask<$bits, $count>;

            #[inline(always)]
            fn splat(value: $scalar) -> Self {
                Self([value; $count])
            }

            #[inline(always)]
            fn load(values: &[$scalar; $count]) -> Self {
                Self(*values)
            }

            #[inline(always)]
            fn store(self, values: &mut [$scalar; $count]) {
                *values = self.0;
            }

            #[inline(always)]
            fn to_array(self) -> [$scalar; $count] {
                self.0
            }

            zip!(add sub mul div max min, $places);
            compare!(gt ge lt le eq, $bits, $places);

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(each!(lane in $places: self.0[lane].sqrt()))
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self(each!(lane in $places: self.0[lane].abs()))
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                Self(each!(lane in $places: {
                    let yes = yes.0[lane].to_bits() & mask.0[lane];
                    <$scalar>::from_bits(yes | no.0[lane].to_bits() & !mask.0[lane])
                }))
            }
        }
    };
}

macro_rules! mask {
    ($bits:ty, $count:literal, [$($place:literal)*]) => {
        impl SimdMask for Mask<$bits, $count> {
            const LANES: u32 = $count;

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(each!(lane in [$($place)*]: self.0[lane] & other.0[lane]))
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(each!(lane in [$($place)*]: self.0[lane] | other.0[lane]))
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(each!(lane in [$($place)*]: self.0[lane] & !other.0[lane]))
            }

            #[inline(always)]
            fn to_bits(self) -> u32 {
                0 $(| self.0[$place] as u32 & 1 << $place)*
            }

            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                Self([$(((bits >> $place & 1) as $bits).wrapping_neg()),*])
            }
        }
    };
}

lanes!(f32, u32, 8, [0 1 2 3 4 5 6 7]);
lanes!(f64, u64, 4, [0 1 2 3]);
mask!(u32, 8, [0 1 2 3 4 5 6 7]);
mask!(u64, 4, [0 1 2 3]);

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
lanes!(f32, u32, 4, [0 1 2 3]);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
lanes!(f64, u64, 2, [0 1]);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mask!(u32, 4, [0 1 2 3]);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mask!(u64, 2, [0 1]);

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
        Self(each!(lane in [0 1 2 3 4 5 6 7]: values[lane] as f32))
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        each!(lane in [0 1 2 3 4 5 6 7]: self.0[lane].into())
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        each!(lane in [0 1 2 3 4 5 6 7]: self.0[lane] as u32)
    }
}

impl F32x8 for Lanes<f32, 8> {
    #[inline(always)]
    fn from_u16(values: &[u16; 8]) -> Self {
        Self(each!(lane in [0 1 2 3 4 5 6 7]: values[lane].into()))
    }

    #[inline(always)]
    fn from_i16(values: &[i16; 8]) -> Self {
        Self(each!(lane in [0 1 2 3 4 5 6 7]: values[lane].into()))
    }

    #[inline(always)]
    fn transpose(rows: [&[f32; 8]; 8]) -> [Self; 8] {
        each!(column in [0 1 2 3 4 5 6 7]: Self(each!(row in [0 1 2 3 4 5 6 7]: rows[row][column])))
    }

    #[inline(always)]
    fn from_points(points: [&[f32; 4]; 8]) -> [Self; 3] {
        each!(axis in [0 1 2]: Self(each!(lane in [0 1 2 3 4 5 6 7]: points[lane][axis])))
    }

    #[inline(always)]
    fn permute_two<const BIT: i32>(low: Self, high: Self, places: &[u32; 8]) -> Self {
        let both = [low.0, high.0];
        Self(
            each!(lane in [0 1 2 3 4 5 6 7]: both.as_flattened()[(places[lane] >> BIT & 15) as usize]),
        )
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
        let signs = each!(lane in [0 1 2 3]: u32::from(self.0[lane].is_sign_negative()) << lane);
        signs.into_iter().sum()
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
        Self(each!(lane in [0 1 2 3]: {
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
        each!(axis in [0 1 2]: Self(each!(lane in [0 1 2 3]: vectors[lane][axis])))
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 4] {
        each!(lane in [0 1 2 3]: self.0[lane] as u32)
    }
}
