//! The corners of the triangles in the order of the leaves, in f32 and in the tree's frame: eight triangles
//! a block, so that eight corners are measured at once.

use std::ops::Range;

use xcollide_simd::vec3::{dot, load, select, splat, sub};
use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::fit::SLACK;
use super::relative_transform::TreeFrame;
use super::span::{LANES, Span};
use crate::fork_join;

/// `[corner][axis][lane]`.
type Block = [[[f32; LANES]; 3]; 3];

/// Triangles that one thread measures in turn.
const CHUNK: usize = 1 << 14;

/// The corners of the triangles of a tree.
pub struct Corners {
    blocks: Vec<Block>,
    /// The greatest distance of a corner from the tree's origin, but for rounding.
    farthest: f32,
}

impl Corners {
    /// The corners of triangles in the order of the leaves, rounded to f32.
    pub(super) fn new(
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        order: &[u32],
        frame: &TreeFrame,
    ) -> Self {
        let block = |places: &&[u32]| {
            let mut block = [[[0.0; LANES]; 3]; 3];
            for (lane, &triangle) in places.iter().enumerate() {
                for (corner, &vertex) in block.iter_mut().zip(&triangles[triangle as usize]) {
                    let point = frame.local(positions[vertex as usize]);
                    for (axis, x) in corner.iter_mut().zip(point) {
                        axis[lane] = x;
                    }
                }
            }
            block
        };
        let places: Vec<&[u32]> = order.chunks(LANES).collect();
        let blocks = fork_join::map(&places, block);
        let most = |part: &[Block]| dispatch(Farthest { blocks: part });
        let square = fork_join::merged(&blocks, CHUNK / LANES, &most, &f32::max);
        Self { blocks, farthest: square.sqrt() }
    }

    /// The corners of the triangle at a place.
    #[inline(always)]
    pub(super) fn triangle(&self, place: usize) -> [[f32; 3]; 3] {
        let (block, lane) = (&self.blocks[place / LANES], place % LANES);
        [0, 1, 2].map(|k| [block[k][0][lane], block[k][1][lane], block[k][2][lane]])
    }

    /// An upper bound of the distance of the corners from the tree's origin, before they were rounded.
    pub(super) fn farthest(&self) -> f64 {
        f64::from(self.farthest) * (1.0 + 1e-6) + f64::from(self.slack())
    }

    /// How far rounding can have moved a corner, with room to spare.
    pub(super) fn slack(&self) -> f32 {
        SLACK * self.farthest.max(1.0)
    }

    /// The least and the greatest coordinate of the corners of some triangles along axes through a point.
    pub(super) fn extremes(
        &self,
        places: Range<usize>,
        origin: [f32; 3],
        axes: &[[f32; 3]; 3],
    ) -> ([f32; 3], [f32; 3]) {
        let parallel = cfg!(feature = "parallel") && places.len() > CHUNK;
        if !parallel {
            return dispatch(Extremes { corners: self, places, origin, axes });
        }
        let middle = places.start + places.len() / 2;
        let (mut a, b) = fork_join::join(
            true,
            || self.extremes(places.start..middle, origin, axes),
            || self.extremes(middle..places.end, origin, axes),
        );
        for j in 0..3 {
            (a.0[j], a.1[j]) = (a.0[j].min(b.0[j]), a.1[j].max(b.1[j]));
        }
        a
    }
}

struct Farthest<'c> {
    blocks: &'c [Block],
}

impl SimdKernel for Farthest<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let mut most = S::F32x8::splat(0.0);
        for corner in self.blocks.as_flattened() {
            let point = load::<S::F32x8>(corner);
            most = dot(point, point).max(most);
        }
        most.to_array().into_iter().fold(0.0, f32::max)
    }
}

struct Extremes<'c> {
    corners: &'c Corners,
    places: Range<usize>,
    origin: [f32; 3],
    axes: &'c [[f32; 3]; 3],
}

impl SimdKernel for Extremes<'_> {
    type Output = ([f32; 3], [f32; 3]);

    #[inline(always)]
    fn run<S: Simd>(self) -> ([f32; 3], [f32; 3]) {
        let Self { corners, places, origin, axes } = self;
        let origin = splat::<S::F32x8>(origin);
        let axes = [splat(axes[0]), splat(axes[1]), splat(axes[2])];
        let zero = [S::F32x8::splat(0.0); 3];
        let mut spans = [Span::<S::F32x8>::empty(); 3];
        let first = places.start / LANES;
        let last = (places.end - 1) / LANES;
        for (number, block) in corners.blocks[first..=last].iter().enumerate() {
            let start = (first + number) * LANES;
            let (before, after) =
                (places.start.saturating_sub(start), (start + LANES).saturating_sub(places.end));
            // Lanes of the range; in the others is the origin, as if it were one of the corners.
            let bits = (0xFF_u32 << before) & (0xFF_u32 >> after);
            if bits == 0xFF {
                for corner in block {
                    let point = sub(load(corner), origin);
                    for (span, axis) in spans.iter_mut().zip(axes) {
                        span.add(dot(point, axis));
                    }
                }
            } else {
                let mask = <S::F32x8 as SimdFloat>::Mask::from_bits(bits);
                for corner in block {
                    let point = select(mask, sub(load(corner), origin), zero);
                    for (span, axis) in spans.iter_mut().zip(axes) {
                        span.add(dot(point, axis));
                    }
                }
            }
        }
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for j in 0..3 {
            low[j] = spans[j].low.to_array().into_iter().fold(f32::MAX, f32::min);
            high[j] = spans[j].high.to_array().into_iter().fold(f32::MIN, f32::max);
        }
        (low, high)
    }
}
