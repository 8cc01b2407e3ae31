//! Sets of few points, moved to the world before a search begins.
//!
//! Otherwise each step turns two directions to the frames of the sets, moves two points back, and waits for that.
//! Moving all points of a few blocks takes the time of two such steps. There is a kernel without loops for each number
//! of blocks.

use xcollide_math::Pose;
use xcollide_simd::vec3::{dot, load, splat};
use xcollide_simd::{Simd, SimdFloat};

use super::farthest::farthest_of_few;
use super::{Block, LANES, PointSet};
use crate::placed_set::PlacedSet;

/// The moved points.
pub(crate) struct Few<const BLOCKS: usize>([Block; BLOCKS]);

impl<const BLOCKS: usize> Few<BLOCKS> {
    /// Moves a set of 1 to `BLOCKS` blocks. The last block is repeated: its copies never hold the first farthest
    /// point.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(set: &PointSet, motion: &Pose) -> Self {
        let rows = motion.rotation();
        let rows = [
            splat::<S::F64x4x2>(rows[0]),
            splat::<S::F64x4x2>(rows[1]),
            splat::<S::F64x4x2>(rows[2]),
        ];
        let shift = splat::<S::F64x4x2>(motion.translation());
        let last = set.blocks.len() - 1;
        let mut moved = [Block { coordinates: [[0.0; LANES]; 3] }; BLOCKS];
        for (number, block) in moved.iter_mut().enumerate() {
            let points = load(&set.blocks[number.min(last)].coordinates);
            for axis in 0..3 {
                dot(rows[axis], points).add(shift[axis]).store(&mut block.coordinates[axis]);
            }
        }
        Self(moved)
    }
}

impl<const BLOCKS: usize> PlacedSet for Few<BLOCKS> {
    #[inline(always)]
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3], _: u32) -> (usize, [S::F64x4; 3]) {
        farthest_of_few::<S, BLOCKS>(&self.0, direction)
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        None
    }
}
