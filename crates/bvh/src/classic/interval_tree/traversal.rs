//! Queries of two restricted box-trees at two poses.

use std::ops::ControlFlow;

use xcollide_math::Pose;

use super::IntervalTree;
#[cfg(doc)]
use crate::Counts;
use crate::classic::cut_tree::{
    CutTraversal, CutTree, PlacedPair, Realigned, Rotations, every_pair,
};
use crate::{Candidates, Counter};

/// Two restricted box-trees at two poses, for the queries of [`Candidates`].
///
/// As with [`PairTraversal`](crate::binary::PairTraversal) the answer is that of brute force: boxes are
/// enlarged by the margin of the [proof](crate::binary#why-no-colliding-pair-is-lost) and for the rounding of
/// re-alignment.
#[derive(Debug)]
pub struct IntervalTreeTraversal<'a, C = ()> {
    trees: [&'a IntervalTree; 2],
    relation: PlacedPair,
    counter: C,
}

impl<'a> IntervalTreeTraversal<'a> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a IntervalTree, &Pose), b: (&'a IntervalTree, &Pose)) -> Self {
        let relation = PlacedPair::new([a.1, b.1], [a.0.reach, b.0.reach]);
        Self { trees: [a.0, b.0], relation, counter: () }
    }
}

impl<'a, C: Counter> IntervalTreeTraversal<'a, C> {
    /// Counts tests, in a `&mut` [`Counts`] or your own counter, which may also end the traversal.
    #[must_use]
    pub fn counting<D: Counter>(self, counter: D) -> IntervalTreeTraversal<'a, D> {
        let Self { trees, relation, counter: _ } = self;
        IntervalTreeTraversal { trees, relation, counter }
    }
}

/// The pairs of triangles whose leaves may meet.
impl<C: Counter> Candidates for IntervalTreeTraversal<'_, C> {
    fn candidates(&mut self, mut pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let [a, b] = self.trees;
        if !self.relation.trusted {
            return every_pair([a.order.len(), b.order.len()], &mut self.counter, pair);
        }
        self.counter.volumes(1);
        let steps = a.depth + b.depth;
        let margin = self.relation.margin;
        let roots = Realigned::roots([&a.cell, &b.cell], &self.relation, margin, steps);
        let Some(roots) = roots else { return ControlFlow::Continue(()) };
        let mut walk = CutTraversal {
            trees: self.trees,
            fixed: &Rotations::new(&self.relation),
            counter: &mut self.counter,
            leaves: |counter: &mut C, [first, second]: [usize; 2], _: &Realigned| {
                for i in a.leaf(first) {
                    for j in b.leaf(second) {
                        counter.primitives(1);
                        pair(i, j)?;
                    }
                }
                ControlFlow::Continue(())
            },
        };
        walk.run(&roots)
    }
}
