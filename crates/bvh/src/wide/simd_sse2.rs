//! Lanes as two SSE registers and `quad` as one: every x86-64 processor has SSE2. The twins are
//! `lanes::Plain` and `quad`; the tests compare them bit for bit.
//!
//! For lanes, compilers do not find this from arrays: with them, the descent takes three times as
//! long.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128, __m128i, _MM_HINT_T0, _mm_add_ps, _mm_andnot_ps, _mm_cmpeq_ps, _mm_cmpgt_ps,
    _mm_cvtepi32_ps, _mm_cvtss_f32, _mm_loadu_ps, _mm_loadu_si128, _mm_max_ps, _mm_movemask_ps,
    _mm_mul_ps, _mm_prefetch, _mm_set1_ps, _mm_setzero_ps, _mm_setzero_si128, _mm_shuffle_ps,
    _mm_sqrt_ps, _mm_srai_epi32, _mm_storeu_ps, _mm_sub_ps, _mm_unpackhi_epi16, _mm_unpacklo_epi16,
};

use super::lanes::Lanes;
use super::node::WIDTH;

/// Eight f32 in two registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sse(__m128, __m128);

/// Calls an instruction for both halves.
macro_rules! both {
    ($instruction:ident($a:expr $(, $b:expr)?)) => {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { Sse($instruction($a.0 $(, $b.0)?), $instruction($a.1 $(, $b.1)?)) }
    };
}

impl Sse {
    /// Eight bits from the signs of eight numbers.
    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: every x86-64 processor has SSE2.
        let halves = unsafe { [_mm_movemask_ps(self.0), _mm_movemask_ps(self.1)] };
        (halves[0] | halves[1] << 4) as u32
    }

    /// Of eight integers of 32 bits.
    #[inline(always)]
    fn converted(low: __m128i, high: __m128i) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { Self(_mm_cvtepi32_ps(low), _mm_cvtepi32_ps(high)) }
    }
}

impl Lanes for Sse {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        let value = unsafe { _mm_set1_ps(value) };
        Self(value, value)
    }

    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        let start = values.as_ptr();
        // SAFETY: the reference is to eight f32, and loadu asks for no alignment.
        unsafe { Self(_mm_loadu_ps(start), _mm_loadu_ps(start.add(4))) }
    }

    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut values = [0.0; WIDTH];
        let start = values.as_mut_ptr();
        // SAFETY: the array has eight f32, and storeu asks for no alignment.
        unsafe {
            _mm_storeu_ps(start, self.0);
            _mm_storeu_ps(start.add(4), self.1);
        }
        values
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both!(_mm_add_ps(self, other))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        both!(_mm_sub_ps(self, other))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        both!(_mm_mul_ps(self, other))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        both!(_mm_andnot_ps(Self::splat(-0.0), self))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        both!(_mm_max_ps(self, other))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        both!(_mm_sqrt_ps(self))
    }

    #[inline(always)]
    fn positive(self) -> u32 {
        // SAFETY: every x86-64 processor has SSE2.
        let zero = unsafe { _mm_setzero_ps() };
        self.above(Self(zero, zero))
    }

    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        both!(_mm_cmpgt_ps(self, other)).mask()
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        both!(_mm_cmpeq_ps(self, other)).mask()
    }

    #[inline(always)]
    fn from_unsigned(values: &[u16; WIDTH]) -> Self {
        // SAFETY: the reference is to sixteen bytes, and loadu asks for no alignment.
        unsafe {
            let (values, zero) = (_mm_loadu_si128(values.as_ptr().cast()), _mm_setzero_si128());
            Self::converted(_mm_unpacklo_epi16(values, zero), _mm_unpackhi_epi16(values, zero))
        }
    }

    #[inline(always)]
    fn from_signed(values: &[i16; WIDTH]) -> Self {
        // SAFETY: the reference is to sixteen bytes, and loadu asks for no alignment.
        unsafe {
            let values = _mm_loadu_si128(values.as_ptr().cast());
            // Each into the upper half of 32 bits, and down with its sign.
            let (low, high) =
                (_mm_unpacklo_epi16(values, values), _mm_unpackhi_epi16(values, values));
            Self::converted(_mm_srai_epi32::<16>(low), _mm_srai_epi32::<16>(high))
        }
    }

    #[inline(always)]
    fn prefetch<N>(node: &N) {
        let lines: *const i8 = std::ptr::from_ref(node).cast();
        for line in 0..size_of::<N>().div_ceil(64) {
            // SAFETY: the offset stays within the node that the reference is to; a prefetch reads
            // nothing that the program could see, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.add(64 * line)) };
        }
    }
}

pub(super) type Quad = __m128;

#[inline(always)]
fn load(values: &[f32; 4]) -> __m128 {
    // SAFETY: every x86-64 processor has SSE; the reference is to four f32, and loadu asks for no
    // alignment.
    unsafe { _mm_loadu_ps(values.as_ptr()) }
}

/// `((c₀x + c₁y) + c₂z)` for the columns c of a matrix.
#[inline(always)]
pub(super) fn turn(columns: &[[f32; 4]; 3], [x, y, z]: [f32; 3]) -> Quad {
    let [a, b, c] = columns;
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        let a = _mm_mul_ps(load(a), _mm_set1_ps(x));
        let b = _mm_mul_ps(load(b), _mm_set1_ps(y));
        let c = _mm_mul_ps(load(c), _mm_set1_ps(z));
        _mm_add_ps(_mm_add_ps(a, b), c)
    }
}

/// `v · scale + by`.
#[inline(always)]
pub(super) fn shifted(v: Quad, scale: f32, by: &[f32; 4]) -> Quad {
    // SAFETY: every x86-64 processor has SSE.
    unsafe { _mm_add_ps(_mm_mul_ps(v, _mm_set1_ps(scale)), load(by)) }
}

#[inline(always)]
pub(super) fn first_three(v: Quad) -> [f32; 3] {
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        [
            _mm_cvtss_f32(v),
            _mm_cvtss_f32(_mm_shuffle_ps::<0b01_01_01_01>(v, v)),
            _mm_cvtss_f32(_mm_shuffle_ps::<0b10_10_10_10>(v, v)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::quad;
    use super::*;

    #[test]
    fn integers_are_converted_as_by_the_plain_twin() {
        use super::super::lanes::Plain;
        let unsigned = [0, 1, 2, 255, 32_767, 32_768, 65_534, 65_535];
        assert_eq!(Sse::from_unsigned(&unsigned).store(), Plain::from_unsigned(&unsigned).store());
        let signed = [0, 1, -1, 255, 32_767, -32_768, -2, -300];
        assert_eq!(Sse::from_signed(&signed).store(), Plain::from_signed(&signed).store());
        let (a, b) = (Sse::from_signed(&signed), Sse::splat(1.0));
        let (c, d) = (Plain::from_signed(&signed), Plain::splat(1.0));
        assert_eq!((a.above(b), a.equal(b)), (c.above(d), c.equal(d)));
        assert_eq!(a.positive(), c.positive());
        assert_eq!(a.abs().sqrt().max(b).store(), c.abs().sqrt().max(d).store());
    }

    #[test]
    fn the_bits_are_those_of_the_portable_twin() {
        let mut state = 5_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        for _ in 0..10_000 {
            let columns = [(); 3].map(|()| [next(), next(), next(), 0.0]);
            let (v, scale) = ([next(), next(), next()], next());
            let by = [next(), next(), next(), 0.0];
            let (here, there) = (turn(&columns, v), quad::turn(&columns, v));
            let bits = |v: [f32; 3]| v.map(f32::to_bits);
            assert_eq!(bits(first_three(here)), bits(quad::first_three(there)));
            let (here, there) = (shifted(here, scale, &by), quad::shifted(there, scale, &by));
            assert_eq!(bits(first_three(here)), bits(quad::first_three(there)));
        }
    }
}
