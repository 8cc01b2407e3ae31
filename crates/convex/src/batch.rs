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
mod plain;
#[cfg(target_arch = "x86_64")]
mod simd_avx2;
#[cfg(target_arch = "x86_64")]
mod simd_avx512;
mod vector;

pub use motions::Motions;
pub use moved_set::MovedSet;
pub use moved_sets::MovedSets;
pub(crate) use plain::Plain;
#[cfg(target_arch = "x86_64")]
pub(crate) use simd_avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use simd_avx512::Avx512;
pub use vector::{Three, chosen, cross, dot, minus, plus, rows, store, taxicab, times};

pub use crate::lanes::f64x4::in_eights;

use crate::{NormalFan, PointSet};

/// How many numbers there are.
pub const EIGHT: usize = 8;

/// Eight numbers of type f64.
pub trait Eight: Copy {
    /// Something that is true or false of each lane.
    type Mask: Copy;

    /// One number in all lanes.
    #[must_use]
    fn splat(value: f64) -> Self;
    /// Numbers from memory.
    #[must_use]
    fn load(values: &[f64; EIGHT]) -> Self;
    /// The numbers to memory.
    fn store(self, values: &mut [f64; EIGHT]);
    /// The numbers x, y, z of eight rows, all x first.
    #[must_use]
    fn columns(rows: [&[f64; 3]; EIGHT]) -> [Self; 3];

    /// The first numbers of eight rows, the second ones, and so on.
    #[must_use]
    fn transposed(rows: [&[f64; EIGHT]; EIGHT]) -> [Self; EIGHT];
    /// The numbers, which are whole, from 0 to 2³¹ − 1.
    #[must_use]
    fn whole(self) -> [u32; EIGHT];

    /// The sums.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The differences.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The products.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// The quotients.
    #[must_use]
    fn over(self, other: Self) -> Self;
    /// The square roots; NaN of what is below zero.
    #[must_use]
    fn root(self) -> Self;
    /// The magnitudes.
    #[must_use]
    fn magnitude(self) -> Self;
    /// The greater ones; `other` where they are equal or one is NaN.
    #[must_use]
    fn greater(self, other: Self) -> Self;

    /// Where this is above the other; false where one is NaN.
    #[must_use]
    fn above(self, other: Self) -> Self::Mask;
    /// Where both hold.
    #[must_use]
    fn and(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Where at least one holds.
    #[must_use]
    fn or(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Where the first holds, and the other does not.
    #[must_use]
    fn and_not(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Bit i is set where it holds of lane i.
    #[must_use]
    fn bits(mask: Self::Mask) -> u8;
    /// What holds of lane i where bit i is set.
    #[must_use]
    fn mask(bits: u8) -> Self::Mask;
    /// Lane by lane this number where the mask holds, else the other.
    #[must_use]
    fn chosen(self, mask: Self::Mask, other: Self) -> Self;

    /// The point of a set that is farthest along a direction, by the fan if there is one; see
    /// [`PointSet::farthest`] and [`NormalFan::farthest`].
    #[must_use]
    fn farthest(set: &PointSet, fan: Option<&NormalFan>, along: [f64; 3]) -> usize;
}

/// Something that is computed of eight pairs at a time.
///
/// ```
/// use xcollide_convex::batch::{Eight, EightWork, in_eights};
///
/// /// How long eight vectors are.
/// struct Lengths<'a>([&'a [f64; 3]; 8]);
///
/// impl EightWork for Lengths<'_> {
///     type Output = [f64; 8];
///
///     #[inline(always)]
///     fn run<E: Eight>(self) -> [f64; 8] {
///         let [x, y, z] = E::columns(self.0);
///         let mut lengths = [0.0; 8];
///         x.times(x).plus(y.times(y)).plus(z.times(z)).root().store(&mut lengths);
///         lengths
///     }
/// }
///
/// let (short, long) = ([1.0, 0.0, 0.0], [2.0, 3.0, 6.0]);
/// let lengths = in_eights(Lengths([&long, &short, &short, &short, &short, &short, &short, &long]));
/// assert_eq!(lengths, [7.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7.0]);
/// ```
pub trait EightWork {
    /// What comes out.
    type Output;
    /// Does it. To be inlined, like all below it that has lanes, and without closures around them: so that
    /// it is compiled with the instructions of the lanes.
    fn run<E: Eight>(self) -> Self::Output;
}
