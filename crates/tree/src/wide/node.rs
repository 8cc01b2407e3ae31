//! Oriented boxes in f32, one alone and eight side by side.

/// Children of a node.
pub(super) const WIDTH: usize = 8;

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
pub(super) struct WideNode {
    pub(super) center: [[f32; WIDTH]; 3],
    pub(super) extent: [[f32; WIDTH]; 3],
    pub(super) axes: [[[f32; WIDTH]; 3]; 3],
    pub(super) children: [ChildRef; WIDTH],
}

// Eight cache lines of 64 bytes, nothing between.
const _: () = assert!(size_of::<WideNode>() == 512 && align_of::<WideNode>() == 64);

impl WideNode {
    /// A node without children. Its boxes are points far away, of which a test of all eight lanes
    /// thinks little; that there is no child is what counts.
    pub(super) const EMPTY: Self = Self {
        center: [[1e15; WIDTH]; 3],
        extent: [[0.0; WIDTH]; 3],
        axes: [
            [[1.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [1.0; WIDTH], [0.0; WIDTH]],
            [[0.0; WIDTH], [0.0; WIDTH], [1.0; WIDTH]],
        ],
        children: [ChildRef::NONE; WIDTH],
    };

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
fn at(numbers: &[[f32; WIDTH]; 3], lane: usize) -> [f32; 3] {
    [numbers[0][lane], numbers[1][lane], numbers[2][lane]]
}

/// Where a child leads: to a node, to one or two triangles, or nowhere.
///
/// Bit 31 marks leaves, bit 30 the second triangle, the rest is where they begin in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct ChildRef(u32);

impl ChildRef {
    pub(super) const NONE: Self = Self(u32::MAX);
    const LEAF: u32 = 1 << 31;
    const TWO: u32 = 1 << 30;
    /// Nodes and triangles that can be referred to.
    pub(super) const LIMIT: usize = (1 << 30) - 1;

    pub(super) fn node(index: usize) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self(index as u32)
    }

    pub(super) fn leaf(start: u32, end: u32) -> Self {
        debug_assert!(end - start == 1 || end - start == 2);
        Self(Self::LEAF | if end - start == 2 { Self::TWO } else { 0 } | start)
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
        let start = (self.0 & (Self::TWO - 1)) as usize;
        start..start + if self.0 & Self::TWO == 0 { 1 } else { 2 }
    }
}
