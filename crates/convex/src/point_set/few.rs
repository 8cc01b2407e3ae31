//! Sets of few points, moved to where they are before a search begins.
//!
//! Else each step turns two directions to the frames of the sets and moves two points back, and waits for
//! that; all points of a few blocks are moved in the time of two such steps. There is a kernel for each number
//! of blocks, without loops.

use xcollide_math::Pose;
use xcollide_simd::vec3::{dot, load, splat};
use xcollide_simd::{F64x4, Simd, SimdFloat};

use super::farthest::farthest_of_few;
use super::{Block, LANES, PointSet};

/// A set at its place.
pub(crate) struct Few<const BLOCKS: usize>([Block; BLOCKS]);

impl<const BLOCKS: usize> Few<BLOCKS> {
    /// Of a set of as many blocks, or less, but of one at least: its last block is repeated, whose points then
    /// never are the first.
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

    /// The first of the points farthest along a direction, and where it is.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, direction: [S::F64x4; 3]) -> (usize, [S::F64x4; 3]) {
        let index = farthest_of_few::<S, BLOCKS>(&self.0, direction);
        let [x, y, z] = &self.0[index / LANES % BLOCKS].coordinates;
        let lane = index % LANES;
        (
            index,
            [
                S::F64x4::splat_opaque(x[lane]),
                S::F64x4::splat_opaque(y[lane]),
                S::F64x4::splat_opaque(z[lane]),
            ],
        )
    }
}
