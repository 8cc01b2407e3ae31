//! The farthest of all points along a direction: the support mapping by brute force, eight points at a time.
//!
//! It needs no structure and no start vertex, and cannot stop too early. Up to some hundred and fifty points nothing is
//! faster; with more points it proves what another search has found.

pub(crate) mod farthest;
pub(crate) mod few;

use farthest::{Farthest, FarthestOfBoth, farthest, farthest_of_few};
use xcollide_simd::{Simd, dispatch, vec3};

/// Points in a block.
pub(crate) const LANES: usize = 8;

/// In so few blocks the widest registers save nothing.
pub(crate) const NARROW: usize = 2;

/// Eight points by coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Block {
    pub(crate) coordinates: [[f64; LANES]; 3],
}

const _: () = assert!(size_of::<Block>() == 192);

/// Points in blocks of eight, coordinate by coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PointSet {
    pub(crate) blocks: Vec<Block>,
}

impl PointSet {
    /// Memory of the points, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }

    pub(crate) fn new(points: &[[f64; 3]]) -> Self {
        let block = |eight: &[[f64; 3]]| {
            // Copies of the last point fill the last block; they are never the first of the farthest.
            let lane = |axis: usize, lane: usize| eight[lane.min(eight.len() - 1)][axis];
            Block {
                coordinates: [0, 1, 2].map(|axis| std::array::from_fn(|index| lane(axis, index))),
            }
        };
        Self { blocks: points.chunks(LANES).map(block).collect() }
    }

    #[inline(always)]
    pub(crate) fn point(&self, index: usize) -> [f64; 3] {
        let [x, y, z] = &self.blocks[index / LANES].coordinates;
        [x[index % LANES], y[index % LANES], z[index % LANES]]
    }

    /// The first point with the greatest `(d₀x + d₁y) + d₂z`, each operation rounded on its own, so that the answer is
    /// the same on every processor. 0 if there is no point, or if all heights are NaN.
    ///
    /// The true maximum is higher than the point by at most the rounding of two heights: 2⁻⁵⁰ times the greatest length
    /// of a point and the length of the direction.
    #[inline]
    pub(crate) fn farthest(&self, direction: [f64; 3]) -> usize {
        dispatch(Farthest { blocks: &self.blocks, direction })
    }

    /// [`farthest`](Self::farthest) along a direction in all lanes.
    #[inline(always)]
    pub(crate) fn farthest_along<S: Simd>(&self, along: [S::F64x4; 3]) -> usize {
        let blocks = &self.blocks[..];
        if let Ok(one) = <&[Block; 1]>::try_from(blocks) {
            farthest_of_few::<S, 1>(one, along).0
        } else if let Ok(two) = <&[Block; 2]>::try_from(blocks) {
            farthest_of_few::<S, 2>(two, along).0
        } else if let Ok(three) = <&[Block; 3]>::try_from(blocks) {
            farthest_of_few::<S, 3>(three, along).0
        } else if let Ok(four) = <&[Block; 4]>::try_from(blocks) {
            farthest_of_few::<S, 4>(four, along).0
        } else {
            farthest::<S::F64x8>(blocks, vec3::widen(along))
        }
    }
}

/// [`PointSet::farthest`] of two sets, in one kernel.
#[inline]
pub(crate) fn farthest_of_both([a, b]: [&PointSet; 2], directions: [[f64; 3]; 2]) -> [usize; 2] {
    dispatch(FarthestOfBoth { blocks: [&a.blocks, &b.blocks], directions })
}

#[cfg(test)]
mod tests;
