//! A wide hierarchy against itself: all pairs of its triangles whose boxes overlap, each once.
//!
//! Two triangles have one lowest node above both: there they are below two different children, or in one leaf. So each node is
//! opened once, its children are tested against each other, and what is below two overlapping ones is found by the
//! descent of two hierarchies. No pair of nodes comes twice, and no pair of a node with itself has to be kept.
//!
//! Nodes are independent of each other, which makes ranges of them parts of a parallel search.

use std::ops::{ControlFlow, Range};

use xcollide_simd::{Simd, SimdKernel};

use super::Visit;
use super::descent::{FEW, Pair, Side, drain, with_children};
use super::node::{ChildRef, Node, WIDTH};
use super::opened_node::Opened;
use super::relative_transform::PlacedTrees;
use crate::Counter;

// What a node's children overlap fits on the processor's stack.
const _: () = assert!(WIDTH <= FEW);

/// The kernel that passes `visit` the pairs whose lowest common node is in a range.
pub(super) struct SelfDescent<'d, 'a, N, T, V> {
    /// The tree twice, at the same pose.
    pub(super) trees: &'d PlacedTrees<'a, N>,
    pub(super) nodes: Range<usize>,
    pub(super) deep: &'d mut Vec<Opened>,
    pub(super) counter: &'d mut T,
    pub(super) visit: &'d mut V,
}

impl<N: Node, T: Counter, V: Visit> SimdKernel for SelfDescent<'_, '_, N, T, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { trees, nodes, deep, counter, visit } = self;
        let [a, b] = Side::both(trees);
        let mut few = [Opened::NOTHING; FEW];
        let end = nodes.end;
        for index in nodes {
            if counter.go_on().is_break() {
                counter.left(end - index, || {
                    let last =
                        with_children(&trees.a.nodes[index], (1 << WIDTH) - 1).checked_ilog2()?;
                    let pair = Pair { a: a.branch(index, 0), b: b.branch(index, last as usize) };
                    Some(Side::first_below([&a, &b], pair))
                });
                return ControlFlow::Break(());
            }
            let node = &trees.a.nodes[index];
            let children = node.children();
            let mut height = 0;
            for (lane, &child) in children.iter().enumerate() {
                if child == ChildRef::NONE {
                    break;
                }
                if child.is_leaf() {
                    within_leaf(&trees.a.order[child.range()], counter, visit)?;
                }
                if lane + 1 == WIDTH || children[lane + 1] == ChildRef::NONE {
                    break;
                }
                counter.volumes(WIDTH as u64);
                let branch = a.branch(index, lane);
                let probe = a.probe(branch, b.here);
                let overlapping = with_children(node, node.gaps::<S::F32x8>(&probe).overlapping);
                few[height] = Opened::of(branch, index, overlapping & (u32::MAX << (lane + 1)));
                height += usize::from(!few[height].is_done());
            }
            if drain::<S::F32x8, _>([&a, &b], &mut few, height, deep, counter, visit).is_break() {
                counter.left(end - index - 1, || None);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// Passes `visit` the pairs of triangles of one leaf.
#[inline(always)]
fn within_leaf(
    triangles: &[u32],
    counter: &mut impl Counter,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    for (place, &t) in triangles.iter().enumerate() {
        for &s in &triangles[..place] {
            counter.primitives(1);
            visit.pair(s, t)?;
        }
    }
    ControlFlow::Continue(())
}
