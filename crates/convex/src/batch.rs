//! Eight numbers at a time, one of each of eight pairs of bodies: the same computation for all.
//!
//! ```text
//!   lane     0   1   2   3   4   5   6   7       Where a single pair waits for the result of each step,
//!           ┌───┬───┬───┬───┬───┬───┬───┬───┐    eight wait together. What pairs differ in is no branch
//!        x  │   │   │   │   │   │   │   │   │    but a choice, lane by lane.
//!           └───┴───┴───┴───┴───┴───┴───┴───┘
//! ```
//!
//! Every operation is rounded on its own, and no lane knows of another; so what is computed of a pair has the
//! same bits on every processor, whatever pairs are beside it.

mod motions;
#[cfg(test)]
pub(crate) mod moved_points;
mod moved_set;
mod moved_sets;

pub(crate) use motions::Motions;
pub use moved_set::MovedSet;
pub(crate) use moved_sets::MovedSets;

/// How many pairs there are.
pub(crate) const EIGHT: usize = 8;

/// One row of each of eight things, for [`F64x8::from_vectors`](xcollide_simd::F64x8::from_vectors).
#[inline(always)]
#[must_use]
pub(crate) fn rows<'a, T>(
    each: &[&'a T; EIGHT],
    row: impl Fn(&'a T) -> &'a [f64; 3],
) -> [&'a [f64; 3]; EIGHT] {
    let &[a, b, c, d, e, f, g, h] = each;
    [row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)]
}
