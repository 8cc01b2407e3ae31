//! The simultaneous traversal of two trees of cut-planes (Zachmann 1994, 3.6.1).
//!
//! The same for box-trees and restricted box-trees, for any state of a pair of boxes ([`PairState`]) and any
//! operation on two leaves: "the only part that would have to be re-defined is that elementary operation".

mod levels;
mod placed_pair;
mod realigned;

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;

use crate::{Counter, DescentRule};

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

/// Two nodes below which a traversal goes on, with the state of their boxes.
#[derive(Clone, Debug)]
pub(crate) struct CutPart<S> {
    nodes: [u32; 2],
    /// The side that is cut next, by the rules that alternate.
    turn: usize,
    state: S,
}

impl<S> CutPart<S> {
    /// The whole traversal.
    pub(crate) fn roots(state: S) -> Self {
        Self { nodes: [0, 0], turn: 0, state }
    }
}

/// How a node is cut: the side of its tree, the axis, the planes and the children.
type Cut = (usize, usize, [f64; 2], [u32; 2]);

/// A traversal.
pub(crate) struct CutTraversal<'a, T, S: PairState, C, L> {
    pub(crate) trees: [&'a T; 2],
    pub(crate) fixed: &'a S::Fixed,
    pub(crate) counter: &'a mut C,
    pub(crate) rule: DescentRule,
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
    /// Descends below a part.
    pub(crate) fn run(&mut self, CutPart { nodes, turn, state }: &CutPart<S>) -> ControlFlow<()> {
        self.descend(*nodes, state, *turn)
    }

    /// Cuts the traversal below a part breadth first, until there are `at_least` parts (but fewer than twice as many) or all
    /// are pairs of leaves. Appends them in the order of the traversal; [`run`](Self::run) below all of them makes the same
    /// tests.
    pub(crate) fn cut(
        &mut self,
        whole: CutPart<S>,
        at_least: usize,
        parts: &mut Vec<CutPart<S>>,
    ) -> ControlFlow<()> {
        let (mut level, mut next) = (vec![whole], Vec::new());
        while level.len() < at_least {
            let mut is_cut = true;
            let mut drain = level.drain(..);
            while let Some(part) = drain.next() {
                let CutPart { nodes, turn, state } = &part;
                let Ok((side, axis, planes, children)) = self.open(*nodes, state, *turn) else {
                    next.push(part);
                    continue;
                };
                is_cut = false;
                if self.counter.go_on().is_break() {
                    let left = 1 + drain.len() + next.len();
                    // A leaf may be empty.
                    let mut all = std::iter::once(&part).chain(drain.as_slice()).chain(&next);
                    self.counter.left(left, || all.find_map(|one| first_of(self.trees, one.nodes)));
                    return ControlFlow::Break(());
                }
                self.counter.volumes(2);
                let states = state.split(self.fixed, side, axis, planes);
                for (child, state) in children.into_iter().zip(states) {
                    if let Some(state) = state {
                        let mut nodes = *nodes;
                        nodes[side] = child;
                        next.push(CutPart { nodes, turn: 1 - side, state });
                    }
                }
            }
            drop(drain);
            std::mem::swap(&mut level, &mut next);
            if is_cut {
                break;
            }
        }
        parts.append(&mut level);
        ControlFlow::Continue(())
    }

    /// How to cut a pair, or its two leaves. Of two boxes that can be cut, the larger one is, or that of the side whose `turn`
    /// it is.
    #[inline]
    fn open(&self, nodes: [u32; 2], state: &S, turn: usize) -> Result<Cut, [usize; 2]> {
        let opened = [0, 1].map(|side| self.trees[side].open(nodes[side]));
        match opened {
            [CutNode::Leaf(a), CutNode::Leaf(b)] => Err([a, b]),
            [CutNode::Inner { axis, planes, children }, CutNode::Leaf(_)] => {
                Ok((0, axis, planes, children))
            }
            [CutNode::Leaf(_), CutNode::Inner { axis, planes, children }] => {
                Ok((1, axis, planes, children))
            }
            [
                CutNode::Inner { axis, planes, children },
                CutNode::Inner { axis: axis_b, planes: planes_b, children: children_b },
            ] => {
                let is_second = if self.rule == DescentRule::LargerFirst {
                    let [a, b] = state.cells().map(girth);
                    b > a
                } else {
                    // Both, one after the other: the parts of the first that miss the other box need no second cut.
                    turn == 1
                };
                Ok(match is_second {
                    false => (0, axis, planes, children),
                    true => (1, axis_b, planes_b, children_b),
                })
            }
        }
    }

    fn descend(&mut self, nodes: [u32; 2], state: &S, turn: usize) -> ControlFlow<()> {
        if self.counter.go_on().is_break() {
            self.counter.left(1, || first_of(self.trees, nodes));
            return ControlFlow::Break(());
        }
        let (side, axis, planes, children) = match self.open(nodes, state, turn) {
            Ok(cut) => cut,
            Err(leaves) => return (self.leaves)(self.counter, leaves, state),
        };
        self.counter.volumes(2);
        let mut parts = children.into_iter().zip(state.split(self.fixed, side, axis, planes));
        while let Some((child, state)) = parts.next() {
            let Some(state) = state else { continue };
            let mut below = nodes;
            below[side] = child;
            if self.descend(below, &state, 1 - side).is_break() {
                self.counter.left(parts.filter(|(_, state)| state.is_some()).count(), || None);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The first triangles below two nodes.
#[cold]
fn first_of<T: CutTree>([a, b]: [&T; 2], nodes: [u32; 2]) -> Option<(u32, u32)> {
    Some((first_below(a, nodes[0])?, first_below(b, nodes[1])?))
}

/// The first triangle below a node.
#[cold]
fn first_below<T: CutTree>(tree: &T, node: u32) -> Option<u32> {
    match tree.open(node) {
        CutNode::Leaf(leaf) => tree.leaf(leaf).next(),
        CutNode::Inner { children, .. } => {
            children.into_iter().find_map(|child| first_below(tree, child))
        }
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
