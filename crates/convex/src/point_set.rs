//! The farthest of many points along a direction, all of them looked at.
//!
//! The support function of a polytope by brute force: no structure, no start vertex, nothing that
//! can stop too early, and eight points at a time. Up to some hundred and fifty points nothing else
//! is faster; beyond that it is what proves what a cleverer search has found. One of those is the
//! [`NormalFan`], in which the few points that come into question are looked up.

pub(crate) mod farthest;
pub(crate) mod few;

use farthest::{Farthest, farthest, farthest_of_few};
use xcollide_simd::{Portable, Simd, SimdKernel, dispatch, vec3};

use crate::NormalFan;

/// How many points are looked at together.
pub(crate) const LANES: usize = 8;

/// Eight points by coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Block {
    pub(crate) coordinates: [[f64; LANES]; 3],
}

const _: () = assert!(size_of::<Block>() == 192);

/// Points in blocks of eight, coordinate by coordinate.
///
/// ```
/// use xcollide_convex::PointSet;
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
/// let points = PointSet::new(&corners);
/// assert_eq!(points.farthest([1.0, 2.0, 0.0]), 3);
/// assert_eq!(points.farthest([1.0, 0.0, 0.0]), 1, "of equally far points the first");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSet {
    pub(crate) blocks: Vec<Block>,
    len: usize,
}

impl PointSet {
    /// Memory of the points, in bytes. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }

    /// Copies the points.
    #[must_use]
    pub fn new(points: &[[f64; 3]]) -> Self {
        let block = |eight: &[[f64; 3]]| {
            // The last block is filled up with its last point, which then never is the first.
            let lane = |axis: usize, lane: usize| eight[lane.min(eight.len() - 1)][axis];
            Block {
                coordinates: [0, 1, 2].map(|axis| std::array::from_fn(|index| lane(axis, index))),
            }
        };
        Self { blocks: points.chunks(LANES).map(block).collect(), len: points.len() }
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A point by its number.
    ///
    /// # Panics
    /// There are not so many points.
    #[inline]
    #[must_use]
    pub fn point(&self, index: usize) -> [f64; 3] {
        let [x, y, z] = &self.blocks[index / LANES].coordinates;
        [x[index % LANES], y[index % LANES], z[index % LANES]]
    }

    /// The first eight points by coordinates; where there are fewer the last one again. `None` of no points.
    #[inline(always)]
    pub(crate) fn first_eight(&self) -> Option<&[[f64; LANES]; 3]> {
        Some(&self.blocks.first()?.coordinates)
    }

    /// The point with the greatest `(d₀x + d₁y) + d₂z`, each operation rounded on its own; of
    /// equally far ones the first, so that the answer is the same on every processor. 0 where all
    /// are NaN, or where there is no point.
    ///
    /// The greatest *computed* height: no point is higher than the one returned by more than the
    /// rounding of two heights, 2⁻⁵⁰ of the product of the greatest length of a point and that of
    /// the direction.
    #[inline]
    #[must_use]
    pub fn farthest(&self, direction: [f64; 3]) -> usize {
        dispatch(Farthest { blocks: &self.blocks, direction })
    }

    /// The farthest point by the fan, if there is one, along a direction in all lanes.
    #[inline(always)]
    pub(crate) fn farthest_along<S: Simd>(
        &self,
        fan: Option<&NormalFan>,
        along: [S::F64x4; 3],
    ) -> usize {
        if let Some(fan) = fan {
            return fan.farthest_along(along).0;
        }
        let blocks = &self.blocks[..];
        if let Ok(one) = <&[Block; 1]>::try_from(blocks) {
            farthest_of_few::<S, 1>(one, along)
        } else if let Ok(two) = <&[Block; 2]>::try_from(blocks) {
            farthest_of_few::<S, 2>(two, along)
        } else if let Ok(three) = <&[Block; 3]>::try_from(blocks) {
            farthest_of_few::<S, 3>(three, along)
        } else if let Ok(four) = <&[Block; 4]>::try_from(blocks) {
            farthest_of_few::<S, 4>(four, along)
        } else {
            farthest::<S::F64x8>(blocks, vec3::widen(along))
        }
    }

    /// [`farthest`](Self::farthest) in plain code, for tests and comparisons.
    #[must_use]
    pub fn farthest_portable(&self, direction: [f64; 3]) -> usize {
        Farthest { blocks: &self.blocks, direction }.run::<Portable>()
    }
}

#[cfg(test)]
mod tests {
    use xcollide_simd::{SimdLevel, dispatch_at};

    use super::*;
    use xcollide_fixtures::Random;

    /// One point after the other.
    fn slow(points: &[[f64; 3]], d: [f64; 3]) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, p) in points.iter().enumerate() {
            let height = (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
            if height > best.1 {
                best = (index, height);
            }
        }
        best.0
    }

    #[test]
    fn the_first_of_the_farthest_is_found_by_every_kernel() {
        let mut random = Random::new(7);
        let mut ties = 0;
        for count in 1..70 {
            let coarse = count % 3 == 0;
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    [(); 3].map(|()| {
                        let x = random.signed();
                        if coarse { (2.0 * x).round() } else { x }
                    })
                })
                .collect();
            let set = PointSet::new(&points);
            assert_eq!(set.len(), count);
            for round in 0..50 {
                let d = random.point(1.0);
                let d = if round % 2 == 0 { d } else { d.map(|x| (3.0 * x).round()) };
                let expected = slow(&points, d);
                assert_eq!(set.farthest(d), expected, "{points:?} {d:?}");
                assert_eq!(set.farthest_portable(d), expected, "{points:?} {d:?}");
                for level in SimdLevel::ALL {
                    let kernel = Farthest { blocks: &set.blocks, direction: d };
                    if let Some(found) = dispatch_at(level, kernel) {
                        assert_eq!(found, expected, "{level:?}: {points:?} {d:?}");
                    }
                }
                let height = |p: &[f64; 3]| (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
                let top = height(&points[expected]);
                ties += usize::from(points.iter().filter(|p| height(p) == top).count() > 1);
            }
        }
        assert!(ties > 200, "{ties} ties");
    }

    #[test]
    fn nothing_and_not_a_number_are_no_trouble() {
        assert_eq!(PointSet::default().farthest([1.0, 0.0, 0.0]), 0);
        assert!(PointSet::new(&[]).is_empty());
        let points = PointSet::new(&[[0.0; 3], [f64::NAN, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        assert_eq!(points.farthest([1.0, 0.0, 0.0]), 2);
        assert_eq!(points.farthest([f64::NAN, 0.0, 0.0]), 0);
        assert_eq!(points.farthest_portable([f64::NAN, 0.0, 0.0]), 0);
    }
}
