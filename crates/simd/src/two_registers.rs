//! Lanes in two or four registers of 128 bits. Compilers do not find this from arrays: the code would be twice as
//! large and slow.

use crate::pair::{FourLanes, HalfArray, Pair};
use crate::{F32x4, F32x8, F64x2, F64x4, FloatX8, Simd, SimdFloat, SimdLevel};

/// The level of these registers, which every processor of the target has.
#[derive(Clone, Copy, Debug)]
pub struct TwoRegisters;

impl Simd for TwoRegisters {
    const LEVEL: SimdLevel = SimdLevel::BASELINE;
    type F32x8 = Pair<F32x4>;
    type F64x4 = Pair<F64x2>;
    type F64x8 = Pair<Pair<F64x2>>;
    type F64x4x2 = Pair<Pair<F64x2>>;
}

impl FloatX8 for Pair<F32x4> {
    #[inline(always)]
    fn from_f64(values: &[f64; 8]) -> Self {
        let (low, high) = HalfArray::split(values);
        Self(F32x4::rounded(low), F32x4::rounded(high))
    }

    #[inline(always)]
    fn to_f64(self) -> [f64; 8] {
        self.to_array().map(f64::from)
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 8] {
        HalfArray::join(self.0.to_u32(), self.1.to_u32())
    }
}

impl F32x8 for Pair<F32x4> {
    #[inline(always)]
    fn from_u16(values: &[u16; 8]) -> Self {
        F32x4::from_u16(values)
    }

    #[inline(always)]
    fn from_i16(values: &[i16; 8]) -> Self {
        F32x4::from_i16(values)
    }

    #[inline(always)]
    fn transpose([a, b, c, d, e, f, g, h]: [&[f32; 8]; 8]) -> [Self; 8] {
        let [a, b, c, d] = [Self::load(a), Self::load(b), Self::load(c), Self::load(d)];
        let [e, f, g, h] = [Self::load(e), Self::load(f), Self::load(g), Self::load(h)];
        let [a0, a1, a2, a3] = F32x4::columns([a.0, b.0, c.0, d.0]);
        let [a4, a5, a6, a7] = F32x4::columns([a.1, b.1, c.1, d.1]);
        let [b0, b1, b2, b3] = F32x4::columns([e.0, f.0, g.0, h.0]);
        let [b4, b5, b6, b7] = F32x4::columns([e.1, f.1, g.1, h.1]);
        let first = [Self(a0, b0), Self(a1, b1), Self(a2, b2), Self(a3, b3)];
        HalfArray::join(first, [Self(a4, b4), Self(a5, b5), Self(a6, b6), Self(a7, b7)])
    }

    #[inline(always)]
    fn from_points(points: [&[f32; 4]; 8]) -> [Self; 3] {
        let [a, b, c, d, e, f, g, h] = points.map(F32x4::load);
        let ([a0, a1, a2, _], [b0, b1, b2, _]) =
            (F32x4::columns([a, b, c, d]), F32x4::columns([e, f, g, h]));
        [Self(a0, b0), Self(a1, b1), Self(a2, b2)]
    }

    #[inline(always)]
    fn permute_two<const BIT: i32>(low: Self, high: Self, places: &[u32; 8]) -> Self {
        let both = [low.to_array(), high.to_array()];
        Self::load(&places.map(|place| both.as_flattened()[(place >> BIT & 15) as usize]))
    }

    #[inline(always)]
    fn reduce_min(self) -> Self {
        let least = self.0.min(self.1).reduce_min();
        Self(least, least)
    }

    #[inline(always)]
    fn repeat(four: &[f32; 4]) -> Self {
        let half = F32x4::load(four);
        Self(half, half)
    }

    #[inline(always)]
    fn spread_three(self) -> [Self; 3] {
        self.0.spread_three().map(|half| Self(half, half))
    }
}

impl F64x4 for Pair<F64x2> {
    #[inline(always)]
    fn first(self) -> f64 {
        self.0.to_array()[0]
    }

    #[inline(always)]
    fn low(self) -> F64x2 {
        self.0
    }

    #[inline(always)]
    fn sign_bits(self) -> u32 {
        self.0.sign_bits() | self.1.sign_bits() << 2
    }

    #[inline(always)]
    fn broadcast_lane(self, lane: usize) -> Self {
        let axis = match lane % 3 {
            0 => self.0.lower(self.0),
            1 => self.0.upper(self.0),
            _ => self.1.lower(self.1),
        };
        Self(axis, axis)
    }

    #[inline(always)]
    fn rotate_left(self) -> Self {
        Self(self.0.inner(self.1), self.1.inner(self.0))
    }

    #[inline(always)]
    fn rotate_left_3(self, lane: usize) -> Self {
        match lane % 3 {
            0 => self,
            1 => Self(self.0.inner(self.1), self.0.outer(self.1)),
            _ => Self(self.1.lower(self.0), self.0.upper(self.1)),
        }
    }

    #[inline(always)]
    fn diagonal([x, y, z]: [Self; 3]) -> Self {
        Self(x.0.outer(y.0), z.1.outer(x.1))
    }

    #[inline(always)]
    fn sum_each([p, q, r, s]: [Self; 4]) -> Self {
        Self(sum_both(p, q), sum_both(r, s))
    }

    #[inline(always)]
    fn reduce_max(self) -> Self {
        let greatest = self.0.max(self.1);
        let greatest = greatest.max(greatest.inner(greatest));
        Self(greatest, greatest)
    }
}

/// The sums of the lanes of two vectors, as [`F64x4::sum_each`] adds them.
#[inline(always)]
fn sum_both(v: Pair<F64x2>, w: Pair<F64x2>) -> F64x2 {
    let first = v.0.lower(w.0).add(v.0.upper(w.0));
    let last = v.1.lower(w.1).add(v.1.upper(w.1));
    first.add(last)
}

impl FourLanes for Pair<F64x2> {
    #[inline(always)]
    fn from_vectors([a, b, c, d]: [&[f64; 3]; 4]) -> [Self; 3] {
        let low = |v: &[f64; 3]| F64x2::from_array([v[0], v[1]]);
        let (xy, next) = ([low(a), low(b)], [low(c), low(d)]);
        [
            Self(xy[0].lower(xy[1]), next[0].lower(next[1])),
            Self(xy[0].upper(xy[1]), next[0].upper(next[1])),
            Self::from_array([a[2], b[2], c[2], d[2]]),
        ]
    }

    #[inline(always)]
    fn to_u32(self) -> [u32; 4] {
        HalfArray::join(self.0.to_u32(), self.1.to_u32())
    }
}
