//! Sets of few points, moved to where they are before a search begins.
//!
//! Else each step turns two directions to the frames of the sets and moves two points back, and waits for
//! that; all points of a few blocks are moved in the time of two such steps. There is a kernel for each number
//! of blocks, without loops.

use xcollide_bounds::Motion;

use crate::lanes::f64x4::{QUAD, Quad};
use crate::lanes::vec3::{Three, dot, splat};
use crate::point_set::{Block, LANES, PointSet};

/// A set at its place.
pub(crate) struct Few<const BLOCKS: usize>([Block; BLOCKS]);

impl<const BLOCKS: usize> Few<BLOCKS> {
    /// Of a set of as many blocks, or less, but of one at least: its last block is repeated, whose points then
    /// never are the first.
    #[inline(always)]
    pub(crate) fn new<L: Quad>(set: &PointSet, motion: &Motion) -> Self {
        let rows = &motion.rotation;
        let rows = [splat::<L>(rows[0]), splat::<L>(rows[1]), splat::<L>(rows[2])];
        let shift = splat::<L>(motion.translation);
        let last = set.blocks.len() - 1;
        let mut moved = [Block { coordinates: [[0.0; LANES]; 3] }; BLOCKS];
        for (number, block) in moved.iter_mut().enumerate() {
            let [x, y, z] = &set.blocks[number.min(last)].coordinates;
            for (upper, from) in [(false, 0), (true, QUAD)] {
                let point = [L::half(x, upper), L::half(y, upper), L::half(z, upper)];
                for axis in 0..3 {
                    let there = dot(rows[axis], point).add(shift[axis]).store();
                    block.coordinates[axis][from..from + QUAD].copy_from_slice(&there);
                }
            }
        }
        Self(moved)
    }

    /// The first of the points farthest along a direction, and where it is.
    #[inline(always)]
    pub(crate) fn farthest<L: Quad>(&self, direction: Three<L>) -> (usize, Three<L>) {
        let index = L::farthest_of_few(&self.0, direction);
        let [x, y, z] = &self.0[index / LANES % BLOCKS].coordinates;
        let lane = index % LANES;
        (index, [L::spread(x[lane]), L::spread(y[lane]), L::spread(z[lane])])
    }
}

/// [`Quad::farthest_of_few`], four points at a time.
#[inline(always)]
pub(crate) fn farthest_of_few<L: Quad, const BLOCKS: usize>(
    blocks: &[Block; BLOCKS],
    [dx, dy, dz]: Three<L>,
) -> usize {
    let mut heights = [[L::splat(0.0); 2]; BLOCKS];
    for (heights, Block { coordinates: [x, y, z] }) in heights.iter_mut().zip(blocks) {
        for (height, upper) in heights.iter_mut().zip([false, true]) {
            let [x, y, z] = [L::half(x, upper), L::half(y, upper), L::half(z, upper)];
            *height = dx.mul(x).add(dy.mul(y)).add(dz.mul(z));
        }
    }
    let mut best = heights[0][0].max(heights[0][1]);
    for [low, high] in &heights[1..] {
        best = best.max(low.max(*high));
    }
    let greatest = best.greatest();
    let mut lanes = 0;
    for (number, [low, high]) in heights.iter().enumerate() {
        let equal = low.equal(greatest) | high.equal(greatest) << QUAD;
        lanes |= equal << (LANES * number);
    }
    first_bit(lanes)
}

/// 0 where there is none, because heights are NaN.
#[inline(always)]
pub(crate) fn first_bit(lanes: u32) -> usize {
    if lanes == 0 { 0 } else { lanes.trailing_zeros() as usize }
}
