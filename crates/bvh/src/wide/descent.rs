//! The simultaneous traversal of two wide hierarchies (dual-tree traversal), for any kind of node.
//!
//! Depth first. The larger box of a pair is opened: the other becomes the probe against its eight children.
//! Of the overlapping children the nearest is visited first, which halves the time to a first hit.
//!
//! The stack has opened nodes, not pairs: the pair of a child is made when it is its turn, which never comes for most of them
//! if the search ends at its first hit.

use std::ops::{ControlFlow, Range};

use xcollide_simd::{F32x8, Simd, SimdKernel, prefetch};

use super::Visit;
use super::node::{ChildRef, Node, WIDTH};
use super::opened_node::Opened;
use super::relative_transform::{PlacedTrees, Probe, RelativeTransform};
use super::tree::WideBvh;
use crate::{Counter, NodePair};

/// A box of a tree: where it leads, where it is stored, and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) child: ChildRef,
    /// Node × 8 + lane.
    pub(super) place: u32,
    /// In the unit of the first tree; −1 for leaves, which cannot be opened.
    pub(super) size: f32,
}

/// A pair of overlapping boxes still to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) a: Branch,
    pub(super) b: Branch,
}

impl Pair {
    pub(super) fn part(&self) -> NodePair {
        NodePair { a: self.a.place, b: self.b.place, turn: false }
    }

    /// The size of the smaller box, in the unit of the first tree; where one is a leaf, of the other's.
    pub(super) fn smaller(&self) -> f32 {
        let (a, b) = (self.a.size, self.b.size);
        if a < 0.0 || (b >= 0.0 && b < a) { b } else { a }
    }

    /// Whether neither box is larger, or can be opened.
    #[inline(always)]
    pub(super) fn is_within(&self, size: f32) -> bool {
        self.a.size <= size && self.b.size <= size
    }

    #[inline(always)]
    pub(super) fn opens_b(&self) -> bool {
        self.b.size >= self.a.size
    }

    /// The node that is opened.
    #[inline(always)]
    pub(super) fn opened(&self) -> usize {
        if self.opens_b() { self.b.child.index() } else { self.a.child.index() }
    }

    /// The places of the triangles of two leaves.
    pub(super) fn leaves(&self) -> Option<[Range<usize>; 2]> {
        self.is_of_leaves().then(|| [self.a.child.range(), self.b.child.range()])
    }

    #[inline(always)]
    pub(super) fn is_of_leaves(&self) -> bool {
        self.a.child.is_leaf() && self.b.child.is_leaf()
    }
}

/// One of the two trees.
pub(super) struct Side<'a, N> {
    pub(super) nodes: &'a [N],
    order: &'a [u32],
    /// From the other tree's frame into this one's.
    pub(super) here: &'a RelativeTransform,
    /// This tree's unit in that of the first.
    unit: f32,
}

impl<'a, N: Node> Side<'a, N> {
    /// The first and the second tree.
    #[inline(always)]
    pub(super) fn both(trees: &'a PlacedTrees<'_, N>) -> [Self; 2] {
        let PlacedTrees { a, b, a_to_b, b_to_a } = trees;
        let side = |tree: &'a WideBvh<N>, here, unit| Side {
            nodes: &tree.nodes,
            order: &tree.order,
            here,
            unit,
        };
        [side(a, b_to_a, 1.0), side(b, a_to_b, b_to_a.scaled(1.0))]
    }

    /// The pair at two places.
    #[inline(always)]
    pub(super) fn at([a, b]: [&Self; 2], NodePair { a: in_a, b: in_b, .. }: NodePair) -> Pair {
        let branch = |side: &Self, place: u32| {
            let place = place as usize;
            side.branch(place / WIDTH, place % WIDTH)
        };
        Pair { a: branch(a, in_a), b: branch(b, in_b) }
    }

    #[inline(always)]
    pub(super) fn branch(&self, node: usize, lane: usize) -> Branch {
        let child = self.nodes[node].children()[lane];
        let size = self.nodes[node].size(lane) * self.unit;
        let place = (node * WIDTH + lane) as u32;
        Branch { child, place, size: if child.is_leaf() { -1.0 } else { size } }
    }

    /// The first triangles below a pair.
    #[cold]
    pub(super) fn first_below([a, b]: [&Self; 2], pair: Pair) -> (u32, u32) {
        let first = |side: &Self, branch: Branch| {
            let mut child = branch.child;
            while !child.is_leaf() {
                child = side.nodes[child.index()].children()[0];
            }
            side.order[child.range().start]
        };
        (first(a, pair.a), first(b, pair.b))
    }

    /// Starts loading the node of a child, unless it is a leaf.
    #[inline(always)]
    pub(super) fn prefetch(&self, child: ChildRef) {
        if let Some(node) = self.nodes.get(child.index()) {
            prefetch(node);
        }
    }

    /// The box of a branch of this tree, moved by `transform`.
    #[inline(always)]
    pub(super) fn probe(&self, branch: Branch, transform: &RelativeTransform) -> Probe {
        let place = branch.place as usize;
        transform.probe(&self.nodes[place / WIDTH].get(place % WIDTH))
    }
}

/// The kernel that passes `visit` the triangles of all pairs of leaves whose boxes overlap.
pub(super) struct Descent<'d, 'a, N, T, V> {
    pub(super) trees: &'d PlacedTrees<'a, N>,
    pub(super) deep: &'d mut Vec<Opened>,
    pub(super) counter: &'d mut T,
    pub(super) visit: &'d mut V,
}

impl<N: Node, T: Counter, V: Visit> SimdKernel for Descent<'_, '_, N, T, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { trees, deep, counter, visit } = self;
        let [a, b] = Side::both(trees);
        let Some(whole) = whole::<S::F32x8, _>(&a, &b, counter) else {
            return ControlFlow::Continue(());
        };
        below::<S::F32x8, _>([&a, &b], whole, deep, counter, visit)
    }
}

/// The pair of the roots, if they overlap.
#[inline(always)]
pub(super) fn whole<F: F32x8, N: Node>(
    a: &Side<'_, N>,
    b: &Side<'_, N>,
    counter: &mut impl Counter,
) -> Option<Pair> {
    let whole = Pair { a: a.branch(0, 0), b: b.branch(0, 0) };
    counter.volumes(1);
    let found = b.nodes[0].gaps::<F>(&a.probe(whole.a, b.here));
    (found.overlapping & 1 != 0).then_some(whole)
}

/// Passes `visit` the pairs of triangles below an overlapping pair. `deep` is the stack of a search that outgrows
/// the processor's.
#[inline(always)]
pub(super) fn below<F: F32x8, N: Node>(
    [a, b]: [&Side<'_, N>; 2],
    pair: Pair,
    deep: &mut Vec<Opened>,
    counter: &mut impl Counter,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    // The processor's stack is in the cache, and most pairs of models need no memory of their own.
    let mut few = [Opened::NOTHING; FEW];
    few[0] = Opened::only(pair);
    drain::<F, _>([a, b], &mut few, 1, deep, counter, visit)
}

/// The search below the first `height` opened nodes of a stack, from the last one on.
#[inline(always)]
pub(super) fn drain<F: F32x8, N: Node>(
    sides: [&Side<'_, N>; 2],
    few: &mut [Opened; FEW],
    mut height: usize,
    deep: &mut Vec<Opened>,
    counter: &mut impl Counter,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    let mut stack: &mut [Opened] = &mut *few;
    while height > 0 {
        let top = &mut stack[height - 1];
        let mut pair = top.take_pair::<F, _>(sides);
        if top.is_done() {
            height -= 1;
        }
        loop {
            if counter.go_on().is_break() {
                let left = 1 + Opened::pairs_left(&stack[..height]);
                counter.left(left, || Some(Side::first_below(sides, pair)));
                return ControlFlow::Break(());
            }
            if pair.is_of_leaves() {
                let [a, b] = sides;
                let (of_a, of_b) = (pair.a.child.range(), pair.b.child.range());
                visit.leaves(&a.order[of_a], &b.order[of_b], counter)?;
                break;
            }
            counter.volumes(WIDTH as u64);
            let Some((opened, next)) = Opened::new::<F, _>(sides, pair) else { break };
            if height == stack.len() {
                if height == FEW {
                    deep.clear();
                    deep.extend_from_slice(&*few);
                }
                stack = doubled(deep, Opened::NOTHING);
            }
            if !opened.is_done() {
                opened.prefetch(sides);
                stack[height] = opened;
                height += 1;
            }
            pair = next;
            // The box that is not opened next is likely to be opened right after.
            let [a, b] = sides;
            if pair.opens_b() { a.prefetch(pair.a.child) } else { b.prefetch(pair.b.child) }
        }
    }
    ControlFlow::Continue(())
}

/// Opened nodes on the processor's stack, one a level where children are left; a deeper search moves them to the traversal's
/// memory. With 8 a search in meshes of 100,000 triangles often was deeper, and spent a seventh of its time to get that memory.
pub(super) const FEW: usize = 12;

/// The lanes that have a child. Children are in the first lanes: if the last of these lanes has one, all do.
#[inline(always)]
pub(super) fn with_children(node: &impl Node, lanes: u32) -> u32 {
    let last = lanes.checked_ilog2().unwrap_or(0) as usize % WIDTH;
    if node.children()[last] != ChildRef::NONE { lanes } else { lanes & present(node) }
}

/// Bit i is set if there is a child i.
#[cold]
#[inline(never)]
fn present(node: &impl Node) -> u32 {
    let bit = |(lane, &child): (usize, &ChildRef)| u32::from(child != ChildRef::NONE) << lane;
    node.children().iter().enumerate().map(bit).sum()
}

/// The stack with twice the room, filled with `nothing`.
#[cold]
#[inline(never)]
pub(super) fn doubled<T: Copy>(stack: &mut Vec<T>, nothing: T) -> &mut [T] {
    stack.resize(2 * stack.len(), nothing);
    stack
}
