//! The simultaneous descent of two wide hierarchies.
//!
//! Depth first. Of a pair of boxes the one that is longer is opened: the other becomes the probe
//! against its eight children. The children that overlap it are pushed so that the deepest overlap
//! is looked at first; that halves the time to a first hit and costs nothing on misses. A node is
//! fetched into the cache when it is pushed, as by the time it is popped it is wanted.

use std::ops::ControlFlow;

use super::Tally;
use super::kernel::gaps;
use super::lanes::Lanes;
use super::node::{ChildRef, OrientedBox, WIDTH};
use super::passage::Pairing;
use super::tree::WideTree;

/// A pair of overlapping boxes still to be looked into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    a: Slot,
    b: Slot,
    gap: f32,
}

/// A box of a tree: where it is kept, where it leads.
#[derive(Clone, Copy, Debug)]
struct Slot {
    child: ChildRef,
    /// Node × 8 + lane.
    place: u32,
}

impl Slot {
    #[inline(always)]
    fn root(tree: &WideTree) -> Self {
        Self { child: tree.nodes[0].children[0], place: 0 }
    }

    #[inline(always)]
    fn bounds(self, tree: &WideTree) -> OrientedBox {
        tree.nodes[self.place as usize / WIDTH].get(self.place as usize % WIDTH)
    }

    /// The longest half side.
    #[inline(always)]
    fn size(self, tree: &WideTree) -> f32 {
        tree.nodes[self.place as usize / WIDTH].extent[0][self.place as usize % WIDTH]
    }
}

impl Entry {
    /// Whether `b` is to be opened rather than `a`; not both lead to triangles.
    #[inline(always)]
    fn opens_b(&self, pairing: &Pairing<'_>) -> bool {
        if self.a.child.is_leaf() || self.b.child.is_leaf() {
            return self.a.child.is_leaf();
        }
        pairing.b_to_a.scaled(self.b.size(pairing.b)) >= self.a.size(pairing.a)
    }

    /// Fetches what looking into this pair will read first.
    #[inline(always)]
    fn prefetch<L: Lanes>(&self, pairing: &Pairing<'_>) {
        let (tree, slot) = match (self.a.child.is_leaf(), self.b.child.is_leaf()) {
            (true, true) => return,
            _ if self.opens_b(pairing) => (pairing.b, self.b),
            _ => (pairing.a, self.a),
        };
        if let Some(node) = tree.nodes.get(slot.child.index()) {
            L::prefetch(node);
        }
    }
}

/// Shows `visit` the triangles of all pairs of leaves whose boxes overlap.
#[inline(always)]
pub(super) fn descend<L: Lanes, T: Tally>(
    pairing: &Pairing<'_>,
    stack: &mut Vec<Entry>,
    tally: &mut T,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.clear();
    let (a, b) = (Slot::root(pairing.a), Slot::root(pairing.b));
    tally.boxes(1);
    let whole = gaps::<L>(&pairing.b.nodes[0], &pairing.a_to_b.probe(&a.bounds(pairing.a)));
    if whole.overlapping & 1 == 0 {
        return ControlFlow::Continue(());
    }
    stack.push(Entry { a, b, gap: whole.gaps[0] });
    while let Some(entry) = stack.pop() {
        let Entry { a, b, .. } = entry;
        if a.child.is_leaf() && b.child.is_leaf() {
            for &second in &pairing.b.order[b.child.range()] {
                for &first in &pairing.a.order[a.child.range()] {
                    tally.triangles(1);
                    visit(first, second)?;
                }
            }
            continue;
        }
        let opens_b = entry.opens_b(pairing);
        let (node, probe) = if opens_b {
            let probe = pairing.a_to_b.probe(&a.bounds(pairing.a));
            (&pairing.b.nodes[b.child.index()], probe)
        } else {
            let probe = pairing.b_to_a.probe(&b.bounds(pairing.b));
            (&pairing.a.nodes[a.child.index()], probe)
        };
        tally.boxes(WIDTH as u64);
        let found = gaps::<L>(node, &probe);
        let first = stack.len();
        let mut overlapping = found.overlapping;
        while overlapping != 0 {
            let lane = overlapping.trailing_zeros() as usize % WIDTH;
            overlapping &= overlapping - 1;
            let child = node.children[lane];
            if child == ChildRef::NONE {
                continue;
            }
            let gap = found.gaps[lane];
            let place = |opened: Slot| (opened.child.index() * WIDTH + lane) as u32;
            let next = if opens_b {
                Entry { a, b: Slot { child, place: place(b) }, gap }
            } else {
                Entry { a: Slot { child, place: place(a) }, b, gap }
            };
            next.prefetch::<L>(pairing);
            stack.push(next);
            let mut i = stack.len() - 1;
            while i > first && stack[i - 1].gap < stack[i].gap {
                stack.swap(i - 1, i);
                i -= 1;
            }
        }
    }
    ControlFlow::Continue(())
}
