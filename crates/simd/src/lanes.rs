//! What lanes of one kind can do besides the operations of [`SimdFloat`].

use crate::{F64x2, SimdFloat};

/// Eight numbers, for code that computes in single or in double precision.
pub trait FloatX8: SimdFloat {
    /// The numbers, rounded to the precision of the lanes.
    #[must_use]
    fn from_f64(values: &[f64; 8]) -> Self;
    /// The numbers, which stay exact.
    #[must_use]
    fn to_f64(self) -> [f64; 8];
    /// The numbers, which must be whole and from 0 to 2³¹ − 1.
    #[must_use]
    fn to_u32(self) -> [u32; 8];

    /// A number in all lanes, rounded to their precision.
    #[inline(always)]
    #[must_use]
    fn rounded(value: f64) -> Self {
        Self::from_f64(&[value; 8])
    }
}

/// Eight f32.
pub trait F32x8: FloatX8 + SimdFloat<Scalar = f32, Array = [f32; 8]> {
    /// Integers, which stay exact.
    #[must_use]
    fn from_u16(values: &[u16; 8]) -> Self;
    /// Integers, which stay exact.
    #[must_use]
    fn from_i16(values: &[i16; 8]) -> Self;
    /// The columns of eight rows.
    #[must_use]
    fn transpose(rows: [&[f32; 8]; 8]) -> [Self; 8];
    /// `((l₀ + l₄) + (l₂ + l₆)) + ((l₁ + l₅) + (l₃ + l₇))` of the lanes l.
    #[inline(always)]
    #[must_use]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
    /// The coordinates x, y, z of eight points; their fourth numbers are left out.
    #[must_use]
    fn from_points(points: [&[f32; 4]; 8]) -> [Self; 3];
    /// The same of the points at eight places.
    ///
    /// # Panics
    /// There is no such place.
    #[inline(always)]
    #[must_use]
    fn gather_points(points: &[[f32; 4]], places: &[u32; 8]) -> [Self; 3] {
        Self::from_points(places.map(|place| &points[place as usize]))
    }
    /// Of the sixteen lanes of `low` and `high`, those whose numbers are in the bits `BIT` to `BIT + 3` of `places`.
    #[must_use]
    fn permute_two<const BIT: i32>(low: Self, high: Self, places: &[u32; 8]) -> Self;
    /// The least lane, in all lanes. No lane may be NaN; the sign of a zero is not specified.
    #[must_use]
    fn reduce_min(self) -> Self;
    /// Four numbers, in the lanes 0 to 3 and again in the lanes 4 to 7.
    #[must_use]
    fn repeat(four: &[f32; 4]) -> Self;
    /// Each of the first three lanes in all lanes, of lanes that [repeat](Self::repeat) after four.
    #[must_use]
    fn spread_three(self) -> [Self; 3];
}

/// Four f64: a vector in space and one number more, or one coordinate of several vectors.
pub trait F64x4: SimdFloat<Scalar = f64, Array = [f64; 4]> {
    /// As [`splat`](SimdFloat::splat), but hides from the compiler that all lanes are equal: knowing it, the
    /// compiler computes one lane and spreads the result, which is slower.
    #[inline(always)]
    #[must_use]
    fn splat_opaque(value: f64) -> Self {
        Self::splat(value)
    }
    /// A vector, and 0 in the last lane.
    #[inline(always)]
    #[must_use]
    fn from_vector([x, y, z]: &[f64; 3]) -> Self {
        Self::from_array([*x, *y, *z, 0.0])
    }
    /// The numbers, rounded.
    #[inline(always)]
    #[must_use]
    fn to_f32(self) -> [f32; 4] {
        self.to_array().map(|value| value as f32)
    }
    /// Lane 0.
    #[must_use]
    fn first(self) -> f64;
    /// Lanes 0 and 1.
    #[must_use]
    fn low(self) -> F64x2;
    /// Bit i is set if lane i has a negative sign, also if it is zero or NaN.
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
    /// The greatest lane, in all lanes. No lane may be NaN; the sign of a zero is not specified.
    #[must_use]
    fn reduce_max(self) -> Self;
}

/// Eight f64: one number of each of eight things.
pub trait F64x8: FloatX8 + SimdFloat<Scalar = f64, Array = [f64; 8]> {
    /// Four f64 of the same level.
    type Half: F64x4;
    /// Holds one number for all lanes in a single register.
    type Uniform: SimdFloat<Scalar = f64>;

    /// The number in all eight lanes.
    #[must_use]
    fn from_uniform(number: Self::Uniform) -> Self;
    /// Spreads lanes that are all equal to eight lanes.
    #[must_use]
    fn widen(splat: Self::Half) -> Self;
    /// Lanes 0 to 3.
    #[must_use]
    fn low(self) -> Self::Half;
    /// The coordinates x, y, z of eight vectors.
    #[must_use]
    fn from_vectors(vectors: [&[f64; 3]; 8]) -> [Self; 3];
    /// The greatest lane, in all lanes. No lane may be NaN; the sign of a zero is not specified.
    #[must_use]
    fn reduce_max(self) -> Self;
    /// The first lane whose mask is set; 0 if there is none.
    #[must_use]
    fn first_where(self, mask: Self::Mask) -> f64;
}
