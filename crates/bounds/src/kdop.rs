//! k-DOPs: intersections of slabs in fixed directions (Zachmann 1998; Klosowski 1998; slides).

use crate::BoundingVolume;
use crate::kdop_transform::{Correspondence, Generators};
use crate::rounding::{UNIT, add_down, add_up, largest_magnitude};
use xcollide_math::Pose;

/// The points x with `bᵢ · x ≤ dᵢ` for N fixed directions b, each with its opposite.
///
/// N is 6 (the directions of a box), 14 (plus those of its corners), 18 (plus those of its edges) or 26
/// (plus both); another N does not compile. Directions have components 0 and ±1 and are not normalised, so
/// `bᵢ · x` takes two additions. Opposite directions are N/2 apart.
///
/// Each plane of a [fitted](BoundingVolume::fit) k-DOP touches the points, up to two units of rounding per
/// addition.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, KDop};
///
/// // The slab across x − y separates a diagonal line from a point in the line's box.
/// let line = KDop::<18>::fit(&[[0.0, 0.0, 0.0], [4.0, 4.0, 0.0]]);
/// let point = KDop::<18>::fit(&[[3.0, 1.0, 0.0]]);
/// assert!(!line.overlaps(&point));
/// assert!((line.distance_squared(&point) - 2.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KDop<const N: usize> {
    /// `dᵢ` for each direction.
    pub(crate) reach: [f64; N],
}

impl<const N: usize> Default for KDop<N> {
    /// The empty k-DOP.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> KDop<N> {
    /// The k-DOP without points.
    pub const EMPTY: Self = Self { reach: [f64::NEG_INFINITY; N] };

    const HALF: usize = N / 2;

    /// The directions `bᵢ`.
    #[must_use]
    pub fn directions() -> [[f64; 3]; N] {
        Generators::<N>::DIRECTIONS
    }

    /// `dᵢ` for each direction: the maximum of `bᵢ · x`, rounded up.
    #[must_use]
    pub fn reach(&self) -> &[f64; N] {
        &self.reach
    }

    /// Whether a slab has no points. (Slabs with points may still have none in common.)
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..Self::HALF).any(|i| self.reach[i] < -self.reach[i + Self::HALF])
    }

    /// Enlarges the k-DOP so that it holds `point`.
    #[inline]
    pub fn extend(&mut self, point: [f64; 3]) {
        for i in 0..Self::HALF {
            let [x, y, z] = Generators::<N>::product(i, point);
            let opposite = i + Self::HALF;
            self.reach[i] = self.reach[i].max(add_up(add_up(x, y), z));
            self.reach[opposite] = self.reach[opposite].max(-add_down(add_down(x, y), z));
        }
    }
}

/// A motion prepared for k-DOPs: the correspondence of planes, which all k-DOPs share.
#[derive(Clone, Copy, Debug)]
pub struct PreparedKDop<const N: usize> {
    correspondence: Correspondence<N>,
    /// The part of the rounding margin that does not depend on the k-DOP.
    rounding: f64,
}

impl<const N: usize> BoundingVolume for KDop<N> {
    type Prepared = PreparedKDop<N>;

    /// The smallest k-DOP around the points, up to rounding.
    fn fit(points: &[[f64; 3]]) -> Self {
        let (mut low, mut high, mut largest) = ([f64::INFINITY; N], Self::EMPTY.reach, 0.0_f64);
        for point in points {
            largest = largest.max(point[0].abs()).max(point[1].abs()).max(point[2].abs());
            for i in 0..Self::HALF {
                let [x, y, z] = Generators::<N>::product(i, *point);
                let along = x + y + z;
                low[i] = if along < low[i] { along } else { low[i] };
                high[i] = if along > high[i] { along } else { high[i] };
            }
        }
        // Rounded outward once for all points: a sum of two is off by one unit of itself, a sum of three
        // by one more unit of its first two terms, which is at most twice the largest coordinate.
        let mut fitted = Self::EMPTY;
        for i in 0..Self::HALF {
            let units = [0.0, 0.0, 2.0, 4.0][Generators::<N>::length_squared(i) as usize];
            let outward = |reach: f64| {
                reach + UNIT * (units * reach.abs() + (units - 2.0).max(0.0) * largest)
            };
            if !points.is_empty() {
                fitted.reach[i] = outward(high[i]);
                fitted.reach[i + Self::HALF] = outward(-low[i]);
            }
        }
        fitted
    }

    #[inline]
    fn merged(&self, other: &Self) -> Self {
        let mut merged = *self;
        for i in 0..N {
            merged.reach[i] = merged.reach[i].max(other.reach[i]);
        }
        merged
    }

    /// N/2 tests of intervals.
    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        let half = Self::HALF;
        (0..half).all(|i| {
            self.reach[i] >= -other.reach[i + half] && other.reach[i] >= -self.reach[i + half]
        })
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        (0..N).all(|i| {
            let [x, y, z] = Generators::<N>::product(i, point);
            add_down(add_down(x, y), z) <= self.reach[i]
        })
    }

    fn expanded(&self, margin: f64) -> Self {
        let mut expanded = *self;
        for i in 0..N {
            let grown = self.reach[i] + margin * Generators::<N>::length_above(i);
            expanded.reach[i] = grown.next_up().next_up();
        }
        if self.is_empty() { Self::EMPTY } else { expanded }
    }

    fn prepare(motion: &Pose, margin: f64) -> PreparedKDop<N> {
        let translation = largest_magnitude(motion.translation());
        // Four units for the product and the sum of the margin.
        let correspondence = Correspondence::new(motion, margin * (1.0 + 8.0 * UNIT));
        PreparedKDop { correspondence, rounding: 54.0 * UNIT * translation + f64::MIN_POSITIVE }
    }

    /// In O(N): each new plane goes through the moved corner of three old planes (slides, "re-alignment").
    #[inline]
    fn moved(&self, prepared: &PreparedKDop<N>) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let mut largest = 0.0_f64;
        for i in [0, 1, 2, Self::HALF, Self::HALF + 1, Self::HALF + 2] {
            largest = largest.max(self.reach[i].abs());
        }
        // A point has coordinates up to `largest`; its products with directions are up to three times that,
        // as are the weighted reaches: rounded ten times, three of them before the weights are known. The
        // point's own image is off by 4 units of √3 · largest + translation on each of three coordinates;
        // the shift, of up to 3 · translation, has been rounded three times.
        let rounding = 96.0 * UNIT * largest + prepared.rounding;
        let mut reach = prepared.correspondence.moved(&self.reach);
        for i in 0..N {
            reach[i] += rounding;
        }
        Self { reach }
    }

    /// Volume of the polyhedron up to a relative 1e-12, in O(N²).
    fn volume(&self) -> f64 {
        if self.is_empty() { 0.0 } else { crate::polytope::measures(self).0 }
    }

    /// Surface of the polyhedron up to a relative 1e-12, in O(N²).
    fn surface(&self) -> f64 {
        if self.is_empty() { 0.0 } else { crate::polytope::measures(self).1 }
    }

    /// The surface of the axis-aligned box around it.
    #[inline]
    fn bulk(&self) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|i| (self.reach[i] + self.reach[i + Self::HALF]).max(0.0));
        2.0 * (x * y + y * z + z * x)
    }

    /// The widest gap in a direction, with the gaps along the axes combined.
    fn distance_squared(&self, other: &Self) -> f64 {
        let half = Self::HALF;
        let gap = |i: usize| {
            let one = -other.reach[i + half] - self.reach[i];
            one.max(-self.reach[i + half] - other.reach[i]).max(0.0)
        };
        let mut largest = gap(0) * gap(0) + gap(1) * gap(1) + gap(2) * gap(2);
        for i in 3..half {
            largest = largest.max(gap(i) * gap(i) / Generators::<N>::length_squared(i));
        }
        largest * (1.0 - 4.0 * f64::EPSILON)
    }

    /// The middle of the slabs along the axes.
    fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| 0.5 * self.reach[i] - 0.5 * self.reach[i + Self::HALF])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds<const N: usize>(dop: &KDop<N>, points: &[[i64; 3]]) -> Result<(), TestCaseError> {
        for p in points {
            for (b, reach) in KDop::<N>::directions().into_iter().zip(dop.reach()) {
                let along: i128 = (0..3).map(|k| b[k] as i128 * i128::from(p[k])).sum();
                prop_assert!(reach.floor() as i128 >= along, "{reach} is short of {along}");
            }
        }
        Ok(())
    }

    proptest! {
        /// Against sums in integers, of numbers whose sums are no f64.
        #[test]
        fn planes_are_rounded_outward(
            points in prop::collection::vec(
                prop::array::uniform3(prop_oneof![-9_i64..9, -(1_i64 << 53)..(1 << 53)]), 1..4
            )
        ) {
            let coordinates: Vec<[f64; 3]> =
                points.iter().map(|p| p.map(|x| x as f64)).collect();
            let fitted = KDop::<26>::fit(&coordinates);
            holds(&fitted, &points)?;
            let mut extended = KDop::<26>::EMPTY;
            for p in &coordinates {
                extended.extend(*p);
            }
            holds(&extended, &points)?;
            for p in coordinates {
                prop_assert!(fitted.contains(p) && extended.contains(p));
            }
        }
    }
}
