//! Oriented boxes in f32, one alone and eight side by side; and what the descent asks of any kind
//! of node.

use std::slice::from_ref;

use xcollide_simd::F32x8;
use xcollide_simd::vec3::load;

use super::fit::{Fit, fit};
use super::kernel::{Boxes, Gaps, nearness, separate};
use super::relative_transform::{Frame, Probe, RelativeTransform};
use super::tree::WideTree;

/// Children of a node.
pub(super) const WIDTH: usize = 8;

/// Eight volumes side by side, and where they lead. The descent is written once for all kinds.
pub trait Node: Clone + Send + Sync {
    /// A volume of one tree in the frame of the other, with its share of the margin.
    type Probe;

    /// A node without children.
    const EMPTY: Self;

    /// The relative error of extents along a direction (point 3 in `relative_transform`).
    const EPSILON: f64;

    /// In the first lanes; where there is none, [`ChildRef::NONE`].
    fn children(&self) -> &[ChildRef; WIDTH];
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH];

    /// About the longest half side of a volume; of two volumes the larger one is opened.
    fn size(&self, lane: usize) -> f32;

    /// The volume of a lane in the frame that the transform leads to.
    fn probe(&self, lane: usize, transform: &RelativeTransform) -> Self::Probe;

    /// A triangle with coordinates up to about 1 in the frame that the transform leads to.
    fn probe_around(triangle: &[[f64; 3]; 3], transform: &RelativeTransform) -> Self::Probe;

    /// Tests a probe against the volumes, in their own frame.
    fn gaps<F: F32x8>(&self, probe: &Self::Probe) -> Gaps;

    /// The smaller, the sooner a volume should be looked into: it promises common points.
    fn nearness<F: F32x8>(&self, probe: &Self::Probe) -> [f32; WIDTH];
}

/// A hierarchy of nodes of one kind.
pub trait Tree {
    type Node: Node;

    /// Node 0 has the volume of the whole in lane 0, and nothing else; none without triangles.
    fn nodes(&self) -> &[Self::Node];

    /// Numbers of triangles in the order in which leaves refer to them.
    fn order(&self) -> &[u32];

    fn frame(&self) -> Frame;
}

impl Tree for WideTree {
    type Node = WideNode;

    #[inline(always)]
    fn nodes(&self) -> &[WideNode] {
        &self.nodes
    }

    #[inline(always)]
    fn order(&self) -> &[u32] {
        &self.order
    }

    fn frame(&self) -> Frame {
        let Self { origin, unit, reach, magnitude, .. } = *self;
        Frame { origin, unit, reach, magnitude }
    }
}

/// A box: all points p with `|(p − center) · axes[j]| ≤ extent[j]`.
///
/// The axes are an orthonormal frame rounded to f32, the longest extent first; the inequality
/// holds for the rounded numbers as they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OrientedBox {
    pub(super) center: [f32; 3],
    pub(super) extent: [f32; 3],
    pub(super) axes: [[f32; 3]; 3],
}

/// Eight boxes with one array for each of their numbers, and where they lead.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct WideNode {
    pub(super) center: [[f32; WIDTH]; 3],
    pub(super) extent: [[f32; WIDTH]; 3],
    pub(super) axes: [[[f32; WIDTH]; 3]; 3],
    pub(super) children: [ChildRef; WIDTH],
}

// Eight cache lines of 64 bytes, nothing between.
const _: () = assert!(size_of::<WideNode>() == 512 && align_of::<WideNode>() == 64);

impl Node for WideNode {
    type Probe = Probe;

    /// Its boxes are points far away, of which a test of all eight lanes thinks little; that there
    /// is no child is what counts.
    const EMPTY: Self = Self {
        center: [[1e15; WIDTH]; 3],
        extent: [[0.0; WIDTH]; 3],
        axes: [
            [[1.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [1.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [0.0; WIDTH], [1.0; WIDTH]],
        ],
        children: [ChildRef::NONE; WIDTH],
    };

    const EPSILON: f64 = 1.0 / (1 << 19) as f64;

    #[inline(always)]
    fn children(&self) -> &[ChildRef; WIDTH] {
        &self.children
    }

    #[inline(always)]
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH] {
        &mut self.children
    }

    #[inline(always)]
    fn size(&self, lane: usize) -> f32 {
        self.extent[0][lane % WIDTH]
    }

    #[inline(always)]
    fn probe(&self, lane: usize, transform: &RelativeTransform) -> Probe {
        transform.probe(&self.get(lane))
    }

    #[inline(always)]
    fn probe_around(triangle: &[[f64; 3]; 3], transform: &RelativeTransform) -> Probe {
        transform.probe(&fit(from_ref(triangle), Fit::Principal))
    }

    #[inline(always)]
    fn gaps<F: F32x8>(&self, probe: &Probe) -> Gaps {
        separate(&self.boxes::<F>(), probe)
    }

    #[inline(always)]
    fn nearness<F: F32x8>(&self, probe: &Probe) -> [f32; WIDTH] {
        nearness(&self.boxes::<F>(), probe)
    }
}

impl WideNode {
    #[inline(always)]
    pub(super) fn boxes<F: F32x8>(&self) -> Boxes<F> {
        let [a, b, c] = &self.axes;
        Boxes {
            center: load(&self.center),
            extent: load(&self.extent),
            axes: [load(a), load(b), load(c)],
        }
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

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> OrientedBox {
        let lane = lane % WIDTH;
        let [a, b, c] = &self.axes;
        OrientedBox {
            center: at(&self.center, lane),
            extent: at(&self.extent, lane),
            axes: [at(a, lane), at(b, lane), at(c, lane)],
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
/// Bit 31 marks leaves, bits 29 and 30 are the number of triangles less one, the rest is where they
/// begin in the order.
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
    /// Nodes and triangles that can be referred to.
    pub(super) const LIMIT: usize = Self::START as usize;

    pub(super) fn node(index: usize) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self(index as u32)
    }

    pub(super) fn leaf(start: u32, end: u32) -> Self {
        debug_assert!(start < end && end - start <= 4 && start < Self::START);
        Self(Self::LEAF | (end - start - 1) << 29 | start)
    }

    /// The same as a number, to be kept by those who do not know what it means.
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
    pub(super) fn range(self) -> std::ops::Range<usize> {
        let start = (self.0 & Self::START) as usize;
        start..start + (self.0 >> 29 & 3) as usize + 1
    }
}
