//! The simultaneous traversal of two trees of cut-planes (Zachmann 1994, 3.6.1).
//!
//! The same for box-trees and restricted box-trees, for any state of a pair of boxes ([`PairState`]) and any
//! operation on two leaves: "the only part that would have to be re-defined is that elementary operation".

mod levels;
mod placed_pair;
mod realigned;

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;

use crate::Counter;

pub(crate) use placed_pair::PlacedPair;
pub(crate) use realigned::{Realigned, Rotations};

/// A tree whose nodes store only how they are cut.
pub(crate) trait CutTree {
    /// The content of a node; node 0 is the root.
    fn open(&self, node: u32) -> CutNode;

    /// The triangles that a leaf lists.
    fn leaf(&self, leaf: usize) -> impl Iterator<Item = u32>;

    /// The box of the root; empty if the tree has no triangles.
    fn cell(&self) -> &Aabb;

    /// The largest magnitude of a coordinate.
    fn reach(&self) -> f64;

    /// How far a part of a triangle may be outside of the boxes that list it.
    fn thickness(&self) -> f64 {
        0.0
    }
}

/// The content of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CutNode {
    /// The number of a leaf.
    Leaf(usize),
    /// Two children: the left one ends at `planes[0]` on the axis, the right one begins at `planes[1]`.
    Inner { axis: usize, planes: [f64; 2], children: [u32; 2] },
}

/// The state of a pair of boxes, one of each tree.
pub(crate) trait PairState: Sized {
    /// The constants of a traversal.
    type Fixed;

    /// Cuts the box of `side` (0 or 1) and pairs both parts with the other box; `None` if they do not meet.
    fn split(
        &self,
        fixed: &Self::Fixed,
        side: usize,
        axis: usize,
        planes: [f64; 2],
    ) -> [Option<Self>; 2];

    /// The boxes, each in its own frame.
    fn cells(&self) -> [&Aabb; 2];
}

/// A traversal.
pub(crate) struct CutTraversal<'a, T, S: PairState, C, L> {
    pub(crate) trees: [&'a T; 2],
    pub(crate) fixed: &'a S::Fixed,
    pub(crate) counter: &'a mut C,
    /// Called with two leaves that may meet.
    pub(crate) leaves: L,
}

impl<T, S, C, L> CutTraversal<'_, T, S, C, L>
where
    T: CutTree,
    S: PairState,
    C: Counter,
    L: FnMut(&mut C, [usize; 2], &S) -> ControlFlow<()>,
{
    /// Descends from the roots, whose state is given.
    pub(crate) fn run(&mut self, state: &S) -> ControlFlow<()> {
        self.descend([0, 0], state)
    }

    /// Of two boxes that can be cut, the larger one is.
    fn descend(&mut self, nodes: [u32; 2], state: &S) -> ControlFlow<()> {
        self.counter.go_on()?;
        let opened = [0, 1].map(|side| self.trees[side].open(nodes[side]));
        let side = match opened {
            [CutNode::Leaf(a), CutNode::Leaf(b)] => {
                return (self.leaves)(self.counter, [a, b], state);
            }
            [CutNode::Inner { .. }, CutNode::Leaf(_)] => 0,
            [CutNode::Leaf(_), CutNode::Inner { .. }] => 1,
            _ => {
                let [a, b] = state.cells().map(girth);
                usize::from(b > a)
            }
        };
        let CutNode::Inner { axis, planes, children } = opened[side] else {
            return ControlFlow::Continue(());
        };
        self.counter.volumes(2);
        for (child, state) in children.into_iter().zip(state.split(self.fixed, side, axis, planes))
        {
            if let Some(state) = state {
                let mut below = nodes;
                below[side] = child;
                self.descend(below, &state)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The sum of the sides of a box.
fn girth(cell: &Aabb) -> f64 {
    (0..3).map(|axis| cell.max[axis] - cell.min[axis]).sum()
}

/// Visits all pairs of items, for coordinates beyond the range of the boxes' promises.
pub(crate) fn every_pair(
    [count_a, count_b]: [usize; 2],
    counter: &mut impl Counter,
    mut pair: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for i in 0..count_a as u32 {
        counter.go_on()?;
        for j in 0..count_b as u32 {
            counter.primitives(1);
            pair(i, j)?;
        }
    }
    ControlFlow::Continue(())
}
