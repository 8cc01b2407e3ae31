//! Oriented boxes in f32, and the interface of nodes.

use std::ops::Range;

use xcollide_simd::F32x8;
use xcollide_simd::vec3::{load, store};

use super::corners::Corners;
use super::kernel::{Boxes, Gaps, gap_along_longest, separate_faces};
use super::relative_transform::{Probe, ProbeLanes};
#[cfg(feature = "serde")]
use super::vector::is_orthonormal;
#[cfg(feature = "serde")]
use xcollide_math::vector::length;

/// Children of a node.
pub(super) const WIDTH: usize = 8;

/// Eight boxes side by side, and where they lead. The queries are written once for all kinds of nodes.
pub trait Node: Clone + Send + Sync {
    /// A node without children.
    const EMPTY: Self;

    /// The relative error of extents along a direction (point 3 in `relative_transform`).
    const EPSILON: f64;

    /// Triangles that a leaf may have, at most four.
    const LEAF: usize;

    /// In the first lanes; [`ChildRef::NONE`] in the others.
    fn children(&self) -> &[ChildRef; WIDTH];
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH];

    /// The eight boxes.
    fn boxes<F: F32x8>(&self) -> Boxes<F>;

    /// The box of a lane.
    fn get(&self, lane: usize) -> OrientedBox;

    /// The sum of the half sides of a box; of two boxes the larger one is opened. Compared with the longest half side
    /// this takes up to a tenth fewer steps.
    fn size(&self, lane: usize) -> f32;

    /// Writes boxes, which are around ranges of triangles, into the first lanes.
    fn enclose(&mut self, boxes: &[OrientedBox], corners: &Corners<'_>, ranges: &[Range<usize>]);

    /// Whether stored numbers are those of boxes within `reach` whose axes are nearly orthonormal, as the
    /// margins of queries assume.
    #[cfg(feature = "serde")]
    fn is_valid(&self, _reach: f64) -> bool {
        true
    }

    /// The nodes of a tree whose boxes can be refitted in place.
    fn refittable(_nodes: &mut [Self]) -> Option<&mut [WideNode]> {
        None
    }

    /// The boxes of all children.
    fn boxes_present(&self) -> impl Iterator<Item = OrientedBox> {
        let lanes = (0..WIDTH).filter(|&lane| self.children()[lane] != ChildRef::NONE);
        lanes.map(|lane| self.get(lane))
    }

    /// Tests a probe against the boxes, in their own frame.
    #[inline(always)]
    fn gaps<F: F32x8>(&self, probe: &Probe) -> Gaps {
        let (boxes, probe) = (self.boxes::<F>(), ProbeLanes::new(probe));
        let largest = separate_faces(&boxes, &probe).with_edges();
        Gaps::of(gap_along_longest(&boxes, &probe).max(largest))
    }
}

/// A box: all points p with `|(p − center) · axes[j]| ≤ extent[j]`.
///
/// The axes are an orthonormal frame rounded to f32, the longest extent first. The inequality holds for the
/// rounded numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrientedBox {
    pub(super) center: [f32; 3],
    pub(super) extent: [f32; 3],
    pub(super) axes: [[f32; 3]; 3],
}

/// A node of a [`WideTree`](super::WideTree): eight boxes with one array for each of their numbers.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct WideNode {
    pub(super) center: [[f32; WIDTH]; 3],
    extent: [[f32; WIDTH]; 3],
    axes: [[[f32; WIDTH]; 3]; 3],
    children: [ChildRef; WIDTH],
}

// Eight cache lines of 64 bytes, nothing between.
const _: () = assert!(size_of::<WideNode>() == 512 && align_of::<WideNode>() == 64);

impl Node for WideNode {
    /// Its boxes are points far away, so the test of all eight lanes rarely reports them; a lane without a
    /// child is skipped in any case.
    const EMPTY: Self = Self {
        center: Self::EMPTY_CENTER,
        extent: [[0.0; WIDTH]; 3],
        axes: [
            [[1.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [1.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [0.0; WIDTH], [1.0; WIDTH]],
        ],
        children: [ChildRef::NONE; WIDTH],
    };

    const EPSILON: f64 = 1.0 / (1 << 19) as f64;

    const LEAF: usize = 2;

    #[inline(always)]
    fn children(&self) -> &[ChildRef; WIDTH] {
        &self.children
    }

    #[inline(always)]
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH] {
        &mut self.children
    }

    #[inline(always)]
    fn boxes<F: F32x8>(&self) -> Boxes<F> {
        let [a, b, c] = &self.axes;
        Boxes {
            center: load(&self.center),
            extent: load(&self.extent),
            axes: [load(a), load(b), load(c)],
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> OrientedBox {
        let lane = lane % WIDTH;
        let [a, b, c] = &self.axes;
        OrientedBox {
            center: at(&self.center, lane),
            extent: at(&self.extent, lane),
            axes: [at(a, lane), at(b, lane), at(c, lane)],
        }
    }

    #[inline(always)]
    fn size(&self, lane: usize) -> f32 {
        let lane = lane % WIDTH;
        self.extent[0][lane] + self.extent[1][lane] + self.extent[2][lane]
    }

    fn refittable(nodes: &mut [Self]) -> Option<&mut [WideNode]> {
        Some(nodes)
    }

    fn enclose(&mut self, boxes: &[OrientedBox], _: &Corners<'_>, _: &[Range<usize>]) {
        for (lane, bounds) in boxes.iter().enumerate() {
            self.set(lane, bounds);
        }
    }

    #[cfg(feature = "serde")]
    fn is_valid(&self, reach: f64) -> bool {
        self.boxes_present().all(|bounds| {
            let axes = bounds.axes.map(|axis| axis.map(f64::from));
            let sized = bounds.extent.iter().all(|extent| extent.is_finite() && *extent >= 0.0);
            is_orthonormal(&axes, 1e-6) && sized && length(bounds.center.map(f64::from)) <= reach
        })
    }
}

impl WideNode {
    /// The centers of lanes without a box.
    pub(super) const EMPTY_CENTER: [[f32; WIDTH]; 3] = [[1e15; WIDTH]; 3];

    #[inline(always)]
    pub(super) fn axes_of_lanes<F: F32x8>(&self) -> [[F; 3]; 3] {
        let [a, b, c] = &self.axes;
        [load(a), load(b), load(c)]
    }

    #[inline(always)]
    pub(super) fn set_axes_of_lanes<F: F32x8>(&mut self, axis: usize, values: [F; 3]) {
        store(values, &mut self.axes[axis]);
    }

    #[inline(always)]
    pub(super) fn set_boxes<F: F32x8>(&mut self, center: [F; 3], extent: [F; 3]) {
        store(center, &mut self.center);
        store(extent, &mut self.extent);
    }

    pub(super) fn set(&mut self, lane: usize, bounds: &OrientedBox) {
        for j in 0..3 {
            self.center[j][lane] = bounds.center[j];
            self.extent[j][lane] = bounds.extent[j];
            for k in 0..3 {
                self.axes[j][k][lane] = bounds.axes[j][k];
            }
        }
    }
}

/// The three numbers of one lane.
#[inline(always)]
pub(super) fn at<N: Copy>(numbers: &[[N; WIDTH]; 3], lane: usize) -> [N; 3] {
    [numbers[0][lane], numbers[1][lane], numbers[2][lane]]
}

/// Where a child leads: to a node, to one to four triangles, or nowhere.
///
/// Bit 31 marks leaves, bits 29 and 30 are the number of triangles less one, the rest is the place of the
/// first one in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct ChildRef(u32);

impl ChildRef {
    pub(super) const NONE: Self = Self(u32::MAX);
    /// Node 0.
    pub(super) const FIRST: Self = Self(0);
    const LEAF: u32 = 1 << 31;
    const START: u32 = (1 << 29) - 1;
    /// Above the numbers of all nodes and triangles.
    pub(super) const LIMIT: usize = Self::START as usize;

    pub(super) fn node(index: usize) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self(index as u32)
    }

    pub(super) fn leaf(start: u32, end: u32) -> Self {
        debug_assert!(start < end && end - start <= 4 && start < Self::START);
        Self(Self::LEAF | (end - start - 1) << 29 | start)
    }

    /// As a plain number.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    pub(super) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) fn is_leaf(self) -> bool {
        self.0 >= Self::LEAF
    }

    /// The node's index; only for nodes.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The range of the order; only for leaves.
    #[inline(always)]
    pub(super) fn range(self) -> Range<usize> {
        let start = (self.0 & Self::START) as usize;
        start..start + (self.0 >> 29 & 3) as usize + 1
    }
}
