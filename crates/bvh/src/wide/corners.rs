//! The corners of the triangles in the order of the leaves, in f32 and in the tree's frame: eight triangles
//! a block, so that eight corners are measured at once.

use std::ops::Range;

use xcollide_simd::vec3::{dot, load, select, splat, store, sub};
use xcollide_simd::{F32x8, Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::fit::SLACK;
use super::span::{LANES, Span};
use super::vertices::Vertices;
use crate::fork_join;

/// `[corner][axis][lane]`.
type Block = [[[f32; LANES]; 3]; 3];

/// Triangles that one thread gathers or measures in turn.
const CHUNK: usize = 1 << 14;

/// The corners of the triangles of a tree.
pub struct Corners<'c> {
    blocks: Vec<Block>,
    vertices: &'c Vertices<'c>,
    order: &'c [u32],
    /// The greatest distance of a corner from the tree's origin, but for rounding.
    farthest: f32,
}

impl<'c> Corners<'c> {
    /// The corners of triangles in the order of the leaves.
    pub(super) fn new(vertices: &'c Vertices<'c>, order: &'c [u32]) -> Self {
        let mut blocks = vec![[[[0.0; LANES]; 3]; 3]; order.len().div_ceil(LANES)];
        let parts = blocks.chunks_mut(CHUNK / LANES).zip(order.chunks(CHUNK));
        let mut parts: Vec<_> = parts.collect();
        let squares = fork_join::map_mut(&mut parts, |(blocks, order)| {
            dispatch(Gather { blocks, vertices, order })
        });
        let farthest = squares.into_iter().fold(0.0, f32::max).sqrt();
        Self { blocks, vertices, order, farthest }
    }

    /// At least one vertex.
    #[inline(always)]
    pub(super) fn points(&self) -> &[[f32; 4]] {
        &self.vertices.points
    }

    /// The vertices of the triangle at a place.
    #[inline(always)]
    pub(super) fn vertices(&self, place: usize) -> [u32; 3] {
        self.vertices.triangles[self.order[place] as usize]
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

/// Gathers corners. Returns the square of the greatest distance of one from the origin.
struct Gather<'c> {
    blocks: &'c mut [Block],
    vertices: &'c Vertices<'c>,
    order: &'c [u32],
}

impl SimdKernel for Gather<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let Self { blocks, vertices, order } = self;
        let mut most = S::F32x8::splat(0.0);
        for (block, places) in blocks.iter_mut().zip(order.chunks(LANES)) {
            let mut rows = [[0; LANES]; 3];
            for lane in 0..LANES {
                // Behind the last one, the last one again.
                let triangle = places[lane.min(places.len() - 1)];
                for (row, vertex) in rows.iter_mut().zip(vertices.triangles[triangle as usize]) {
                    row[lane] = vertex;
                }
            }
            for (corner, row) in block.iter_mut().zip(&rows) {
                let point = S::F32x8::gather_points(&vertices.points, row);
                most = dot(point, point).max(most);
                store(point, corner);
            }
        }
        most.to_array().into_iter().fold(0.0, f32::max)
    }
}

struct Extremes<'c> {
    corners: &'c Corners<'c>,
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
