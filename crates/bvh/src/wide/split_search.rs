//! A traversal split into parts, breadth first.

use std::ops::ControlFlow;

use xcollide_simd::{Simd, SimdKernel};

use super::Visit;
use super::descent::{Pair, Side, below, whole};
use super::node::{Node, WIDTH};
use super::opened_node::Opened;
use super::relative_transform::PlacedTrees;
use crate::{Counter, NodePair};

/// Splits a search into parts.
pub(super) struct SplitSearch<'d, 'a, N, T> {
    pub(super) trees: &'d PlacedTrees<'a, N>,
    pub(super) at_least: usize,
    pub(super) counter: &'d mut T,
    pub(super) parts: &'d mut Vec<NodePair>,
}

impl<N: Node, T: Counter> SimdKernel for SplitSearch<'_, '_, N, T> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { trees, at_least, counter, parts } = self;
        let [a, b] = Side::both(trees);
        let mut level: Vec<Pair> = whole::<S::F32x8, _>(&a, &b, counter).into_iter().collect();
        let mut next = Vec::new();
        while level.len() < at_least {
            let mut is_cut = true;
            let mut drain = level.drain(..);
            while let Some(pair) = drain.next() {
                if pair.is_of_leaves() {
                    next.push(pair);
                    continue;
                }
                is_cut = false;
                if counter.go_on().is_break() {
                    let left = 1 + drain.len() + next.len();
                    counter.left(left, || Some(Side::first_below([&a, &b], pair)));
                    return ControlFlow::Break(());
                }
                counter.volumes(WIDTH as u64);
                let Some((mut opened, first)) = Opened::new::<S::F32x8, _>([&a, &b], pair) else {
                    continue;
                };
                next.push(first);
                while !opened.is_done() {
                    next.push(opened.take_pair::<S::F32x8, _>([&a, &b]));
                }
            }
            drop(drain);
            std::mem::swap(&mut level, &mut next);
            if is_cut {
                break;
            }
        }
        parts.extend(level.iter().map(Pair::part));
        ControlFlow::Continue(())
    }
}

/// The search below a part.
pub(super) struct SearchBelow<'d, 'a, N, T, V> {
    pub(super) part: NodePair,
    pub(super) trees: &'d PlacedTrees<'a, N>,
    pub(super) deep: &'d mut Vec<Opened>,
    pub(super) counter: &'d mut T,
    pub(super) visit: &'d mut V,
}

impl<N: Node, T: Counter, V: Visit> SimdKernel for SearchBelow<'_, '_, N, T, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { part, trees, deep, counter, visit } = self;
        let [a, b] = Side::both(trees);
        let pair = Side::at([&a, &b], part);
        below::<S::F32x8, _>([&a, &b], pair, deep, counter, visit)
    }
}
