//! A traversal split into parts, breadth first.

use std::ops::ControlFlow;
use std::slice::from_ref;

use xcollide_bounds::BoundingVolume;

use super::visitor::Unfiltered;
use super::{Descent, Nodes, OverlapVisitor, PairTraversal, Step, Visitor, children};
use crate::{Counter, NodePair};

impl<V: BoundingVolume, C: Counter> PairTraversal<'_, V, C> {
    /// Splits the search for [candidates](crate::Candidates::candidates) into parts, breadth first, until
    /// there are `at_least` parts (but fewer than four times as many) or nothing is left to split. Appends
    /// them to `parts` in the order of the search; [`candidates_below`](Self::candidates_below) of all parts
    /// together makes the same tests. If the counter breaks, no parts are added.
    pub fn parts(&mut self, at_least: usize, parts: &mut Vec<NodePair>) -> ControlFlow<()> {
        let Self { descent, filtered, counter } = self;
        let mut overlapping = OverlapVisitor(|_, _| ControlFlow::Continue(()));
        if *filtered {
            descent.cut(at_least, &mut overlapping, counter, parts)
        } else {
            descent.cut(at_least, &mut Unfiltered(&mut overlapping), counter, parts)
        }
    }

    /// The [candidates](crate::Candidates::candidates) below a [part](Self::parts) of the same search.
    pub fn candidates_below(
        &mut self,
        part: NodePair,
        pair: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { descent, filtered, counter } = self;
        if *filtered {
            descent.run_below(part, &mut OverlapVisitor(pair), counter)
        } else {
            descent.run_below(part, &mut Unfiltered(&mut OverlapVisitor(pair)), counter)
        }
    }
}

impl<V: BoundingVolume> Descent<'_, V> {
    /// Splits a traversal into at least the given number of node pairs, in tree order.
    fn cut<W: Visitor<V>, C: Counter>(
        &self,
        at_least: usize,
        visitor: &mut W,
        counter: &mut C,
        parts: &mut Vec<NodePair>,
    ) -> ControlFlow<()> {
        let mut level = Vec::new();
        if !self.a.nodes.is_empty() && !self.b.nodes.is_empty() {
            let whole = NodePair { a: 0, b: 0, turn: false };
            self.test_part(whole, visitor, counter, &mut level);
        }
        let mut next = Vec::new();
        while level.len() < at_least {
            let mut is_cut = true;
            let mut drain = level.drain(..);
            while let Some(part) = drain.next() {
                let NodePair { a, b, turn } = part;
                let (node_a, node_b) = (&self.a.nodes[a as usize], &self.b.nodes[b as usize]);
                let [opens_a, opens_b] = self.opens([node_a, node_b], turn);
                if !opens_a && !opens_b {
                    next.push(part);
                    continue;
                }
                is_cut = false;
                if counter.go_on().is_break() {
                    counter.left(1 + drain.len() + next.len(), || self.first_below([a, b]));
                    return ControlFlow::Break(());
                }
                let (halves_a, halves_b) = (children(a, node_a), children(b, node_b));
                let of_a = if opens_a { &halves_a[..] } else { from_ref(&a) };
                let of_b = if opens_b { &halves_b[..] } else { from_ref(&b) };
                for &a in of_a {
                    for &b in of_b {
                        self.test_part(NodePair { a, b, turn: !turn }, visitor, counter, &mut next);
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

    /// Adds a pair of nodes to `kept` if it is to be opened.
    fn test_part<W: Visitor<V>, C: Counter>(
        &self,
        part: NodePair,
        visitor: &mut W,
        counter: &mut C,
        kept: &mut Vec<NodePair>,
    ) {
        let volume_a = &self.a.nodes[part.a as usize].volume;
        let volume_b = &self.b.nodes[part.b as usize].volume;
        counter.moved(1);
        counter.volumes(1);
        let step = visitor.step(volume_a, &volume_b.moved(&self.into_a));
        if matches!(step, Step::Open(_)) && visitor.confirm(volume_a, volume_b) {
            kept.push(part);
        }
    }

    fn run_below<W: Visitor<V>, C: Counter>(
        &self,
        NodePair { a, b, turn }: NodePair,
        visitor: &mut W,
        counter: &mut C,
    ) -> ControlFlow<()> {
        let moved = self.b.nodes[b as usize].volume.moved(&self.into_a);
        counter.moved(1);
        self.open(&Nodes { a, b, moved_b: &moved }, turn, visitor, counter)
    }
}
