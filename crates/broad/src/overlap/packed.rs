//! Boxes as six rows of f32.

use std::mem::take;

use xcollide_bounds::Aabb;
use xcollide_math::{f32_above, f32_below};
use xcollide_simd::F32Rows;

use super::sides::low_of;
use crate::parallel::{LIGHT, chunk_size, for_shares};

pub(crate) const WIDTH: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxF32 {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl BoxF32 {
    /// A box that overlaps nothing: comparisons with NaN are false. Infinities would overlap an unbounded box.
    pub(crate) const EMPTY: Self = Self { min: [f32::NAN; 3], max: [f32::NAN; 3] };

    /// A box around `aabb`, relative to `origin`; empty if that is.
    ///
    /// The difference is rounded to nearest, which preserves order, and then outward. So boxes with a common
    /// point still have one.
    #[inline(always)]
    pub(crate) fn around(aabb: &Aabb, origin: &[f64; 3]) -> Self {
        if aabb.is_empty() {
            return Self::EMPTY;
        }
        let mut packed = Self::EMPTY;
        for axis in 0..3 {
            packed.min[axis] = f32_below(aabb.min[axis] - origin[axis]);
            packed.max[axis] = f32_above(aabb.max[axis] - origin[axis]);
        }
        packed
    }

    /// As [`around`](Self::around), for a box that is not empty and has finite sides. The result is slightly
    /// larger, which is cheaper than rounding to the next number.
    #[inline(always)]
    pub(crate) fn around_finite(aabb: &Aabb, origin: &[f64; 3]) -> Self {
        let mut packed = Self { min: [0.0; 3], max: [0.0; 3] };
        for axis in 0..3 {
            packed.min[axis] = low_of(aabb.min[axis] - origin[axis]);
            packed.max[axis] = -low_of(origin[axis] - aabb.max[axis]);
        }
        packed
    }
}

/// A part of each row.
type Rows<'a> = [&'a mut [f32]; 6];

/// Boxes in six rows of the same length: low sides by axis, then high sides by axis. The last [`WIDTH`] boxes
/// are empty, so that eight can be read from any position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed(F32Rows<6>);

impl Packed {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Replaces all boxes by `len` others.
    #[inline(always)]
    pub(crate) fn refill(
        &mut self,
        len: usize,
        threads: bool,
        box_at: impl Fn(usize) -> BoxF32 + Sync,
    ) {
        self.0.resize(len);
        let rows = self.0.rows_mut();
        let places = rows[0].len();
        let fill = |first: usize, [low_x, low_y, low_z, high_x, high_y, high_z]: Rows<'_>| {
            let lows = low_x.iter_mut().zip(low_y).zip(low_z);
            let highs = high_x.iter_mut().zip(high_y).zip(high_z);
            for (at, (((x, y), z), ((fx, fy), fz))) in (first..).zip(lows.zip(highs)) {
                let aabb = if at < len { box_at(at) } else { BoxF32::EMPTY };
                [*x, *y, *z] = aabb.min;
                [*fx, *fy, *fz] = aabb.max;
            }
        };
        let size = chunk_size(places, LIGHT, threads);
        if size >= places {
            return fill(0, rows);
        }
        let mut rows = rows.map(|row| row.chunks_mut(size));
        let mut chunks: Vec<(usize, Rows<'_>)> = (0..places)
            .step_by(size)
            .map(|first| (first, rows.each_mut().map(|row| row.next().unwrap_or_default())))
            .collect();
        for_shares(&mut chunks, |(first, rows)| fill(*first, take(rows)));
    }

    #[inline(always)]
    pub(super) fn low(&self, axis: usize, at: usize) -> &[f32; WIDTH] {
        self.0.eight(axis, at)
    }

    #[inline(always)]
    pub(super) fn high(&self, axis: usize, at: usize) -> &[f32; WIDTH] {
        self.0.eight(axis + 3, at)
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> BoxF32 {
        let side = |row: usize| self.0.get(row, at);
        BoxF32 { min: [side(0), side(1), side(2)], max: [side(3), side(4), side(5)] }
    }

    /// A box around the eight from `at` on, ignoring those past the end.
    #[inline(always)]
    pub(crate) fn around_eight(&self, at: usize) -> BoxF32 {
        let mut around = BoxF32::EMPTY;
        for axis in 0..3 {
            // If one operand is NaN, `min` and `max` return the other.
            around.min[axis] = self.low(axis, at).iter().fold(f32::NAN, |low, &x| low.min(x));
            around.max[axis] = self.high(axis, at).iter().fold(f32::NAN, |high, &x| high.max(x));
        }
        around
    }

    /// The low sides on the first axis, without the padding.
    #[inline(always)]
    pub(crate) fn lows(&self) -> &[f32] {
        self.0.row(0)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
