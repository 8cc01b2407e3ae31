//! One number of each of eight pairs of bodies in the lanes of a register: the same computation for all eight.
//!
//! ```text
//!   lane     0   1   2   3   4   5   6   7       A single pair waits for the result of each step; eight
//!           ┌───┬───┬───┬───┬───┬───┬───┬───┐    pairs wait together. Where pairs differ, each lane
//!        x  │   │   │   │   │   │   │   │   │    selects a value instead of taking a branch.
//!           └───┴───┴───┴───┴───┴───┴───┴───┘
//! ```
//!
//! Every operation is rounded on its own, and no lane depends on another. So the result for a pair has the same bits
//! on every processor, whatever pairs are beside it.

mod few_sets;
mod motions;
mod moved_sets;

pub(crate) use few_sets::FewSets;
pub(crate) use motions::Motions;
pub(crate) use moved_sets::MovedSets;

/// The number of pairs.
pub(crate) const EIGHT: usize = 8;

/// The support mappings of eight bodies.
pub(crate) trait PlacedSets<F> {
    /// For each lane in `active`, the first point with the greatest height along the lane's direction: its number, and
    /// its position. Other lanes have any point.
    fn farthest(&self, direction: [F; 3], active: u32) -> ([u32; EIGHT], [F; 3]);
}

/// One vector of each of eight values, for [`F64x8::from_vectors`](xcollide_simd::F64x8::from_vectors).
#[inline(always)]
#[must_use]
pub(crate) fn rows<'a, T>(
    each: &[&'a T; EIGHT],
    row: impl Fn(&'a T) -> &'a [f64; 3],
) -> [&'a [f64; 3]; EIGHT] {
    let &[a, b, c, d, e, f, g, h] = each;
    [row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)]
}
