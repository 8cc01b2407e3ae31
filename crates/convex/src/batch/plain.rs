//! Eight numbers as an array; compilers make of it what the target has.

use super::{EIGHT, Eight};
use crate::lanes::f64x4::farthest_in_plain_code;
use crate::{NormalFan, PointSet};

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain([f64; EIGHT]);

/// What is true or false of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainMask([bool; EIGHT]);

#[inline(always)]
fn zip<A: Copy, B: Copy + Default>(
    a: [A; EIGHT],
    b: [A; EIGHT],
    f: impl Fn(A, A) -> B,
) -> [B; EIGHT] {
    let mut result = [B::default(); EIGHT];
    for lane in 0..EIGHT {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

impl Eight for Plain {
    type Mask = PlainMask;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; EIGHT])
    }

    #[inline(always)]
    fn load(values: &[f64; EIGHT]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn store(self, values: &mut [f64; EIGHT]) {
        *values = self.0;
    }

    #[inline(always)]
    fn columns(rows: [&[f64; 3]; EIGHT]) -> [Self; 3] {
        let mut columns = [[0.0; EIGHT]; 3];
        for (lane, row) in rows.iter().enumerate() {
            for (column, &value) in columns.iter_mut().zip(*row) {
                column[lane] = value;
            }
        }
        columns.map(Self)
    }

    #[inline(always)]
    fn transposed(rows: [&[f64; EIGHT]; EIGHT]) -> [Self; EIGHT] {
        let mut columns = [[0.0; EIGHT]; EIGHT];
        for (lane, row) in rows.iter().enumerate() {
            for (column, &value) in columns.iter_mut().zip(*row) {
                column[lane] = value;
            }
        }
        columns.map(Self)
    }

    #[inline(always)]
    fn whole(self) -> [u32; EIGHT] {
        self.0.map(|value| value as u32)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a + b))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a - b))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a * b))
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a / b))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| if a > b { a } else { b }))
    }

    #[inline(always)]
    fn above(self, other: Self) -> PlainMask {
        PlainMask(zip(self.0, other.0, |a, b| a > b))
    }

    #[inline(always)]
    fn and(one: PlainMask, other: PlainMask) -> PlainMask {
        PlainMask(zip(one.0, other.0, |a, b| a & b))
    }

    #[inline(always)]
    fn or(one: PlainMask, other: PlainMask) -> PlainMask {
        PlainMask(zip(one.0, other.0, |a, b| a | b))
    }

    #[inline(always)]
    fn and_not(one: PlainMask, other: PlainMask) -> PlainMask {
        PlainMask(zip(one.0, other.0, |a, b| a & !b))
    }

    #[inline(always)]
    fn bits(mask: PlainMask) -> u8 {
        mask.0.iter().rev().fold(0, |bits, &holds| bits << 1 | u8::from(holds))
    }

    #[inline(always)]
    fn mask(bits: u8) -> PlainMask {
        PlainMask(std::array::from_fn(|lane| bits >> lane & 1 == 1))
    }

    #[inline(always)]
    fn chosen(self, mask: PlainMask, other: Self) -> Self {
        let mut result = other;
        for lane in 0..EIGHT {
            if mask.0[lane] {
                result.0[lane] = self.0[lane];
            }
        }
        result
    }

    #[inline(always)]
    fn farthest(set: &PointSet, fan: Option<&NormalFan>, along: [f64; 3]) -> usize {
        farthest_in_plain_code(set, fan, along)
    }
}
