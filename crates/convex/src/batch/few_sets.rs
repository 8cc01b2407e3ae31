//! The farthest points of eight sets of at most eight points each, such as boxes, in single precision.
//!
//! ```text
//!           lane 0   1   2   3   4   5   6   7       The first points of all sets are side by side, the
//!           ┌───┬───┬───┬───┬───┬───┬───┬───┐        second ones, and so on. Each lane searches its own
//!   point 0 │ A │ B │ C │ D │ E │ F │ G │ H │        set without comparisons across a register.
//!         1 │ A │ B │ C │ D │ E │ F │ G │ H │
//!         …
//! ```
//!
//! All points are moved once; otherwise each step would turn a direction to the frames and move points back. Single
//! precision takes half the registers and memory.

use xcollide_simd::vec3::{dot, select};
use xcollide_simd::{F32x8, FloatX8};

use super::{EIGHT, PlacedSets};

/// The points of eight sets in the frame of their search.
#[derive(Debug)]
pub(crate) struct FewSets<F> {
    points: [[F; 3]; EIGHT],
}

impl<F: F32x8> FewSets<F> {
    /// Moves sets of eight points by a matrix with these rows, then by a vector. The fourth numbers are left out.
    #[inline(always)]
    pub(crate) fn of(
        sets: [&[[f32; 4]; EIGHT]; EIGHT],
        [r, s, t]: [[F; 3]; 3],
        shift: [F; 3],
    ) -> Self {
        let mut points = [shift; EIGHT];
        for (number, point) in points.iter_mut().enumerate() {
            let local = F::from_points(sets.map(|set| &set[number]));
            *point = [
                dot(r, local).add(shift[0]),
                dot(s, local).add(shift[1]),
                dot(t, local).add(shift[2]),
            ];
        }
        Self { points }
    }
}

impl<F: F32x8> PlacedSets<F> for FewSets<F> {
    #[inline(always)]
    fn farthest(&self, along: [F; 3], _: u32) -> ([u32; EIGHT], [F; 3]) {
        let points = &self.points;
        let mut found = Candidate::new(points, 0, along);
        for number in 1..EIGHT {
            found = found.or(Candidate::new(points, number, along));
        }
        (found.number.to_u32(), found.point)
    }
}

#[derive(Clone, Copy)]
struct Candidate<F> {
    height: F,
    number: F,
    point: [F; 3],
}

impl<F: FloatX8> Candidate<F> {
    #[inline(always)]
    fn new(points: &[[F; 3]; EIGHT], number: usize, along: [F; 3]) -> Self {
        let point = points[number];
        Self { height: dot(along, point), number: F::rounded(number as f64), point }
    }

    /// The farther one, or this one of equally far ones.
    #[inline(always)]
    fn or(self, later: Self) -> Self {
        let farther = later.height.gt(self.height);
        Self {
            height: F::select(farther, later.height, self.height),
            number: F::select(farther, later.number, self.number),
            point: select(farther, later.point, self.point),
        }
    }
}

#[cfg(test)]
mod tests;
