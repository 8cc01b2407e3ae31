//! Queries of two restricted box-trees at two poses.

use std::ops::ControlFlow;

use xcollide_math::Pose;

use super::IntervalTree;
#[cfg(doc)]
use crate::Counts;
use crate::classic::cut_tree::{
    CutPart, CutTraversal, CutTree, PlacedPair, Realigned, Rotations, every_pair,
};
use crate::{Candidates, Counter, DescentRule};

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

    /// Also visits what is no farther apart than `distance` in the world.
    #[must_use]
    pub fn widened(mut self, distance: f64) -> Self {
        self.relation = self.relation.widened(distance);
        self
    }
}

/// Part of a traversal of two restricted box-trees.
#[derive(Clone, Debug)]
pub struct IntervalTreePart(Option<CutPart<Realigned>>);

impl<C: Counter> IntervalTreeTraversal<'_, C> {
    /// Splits the search for [candidates](Candidates::candidates) into parts, breadth first, until there are `at_least`
    /// (but fewer than twice as many) or nothing is left to split. Appends them to `parts` in the order of the search;
    /// [`candidates_below`](Self::candidates_below) of all parts together makes the same tests. If the counter breaks,
    /// no parts are added.
    pub fn parts(&mut self, at_least: usize, parts: &mut Vec<IntervalTreePart>) -> ControlFlow<()> {
        if !self.relation.trusted {
            parts.push(IntervalTreePart(None));
            return ControlFlow::Continue(());
        }
        let Some(roots) = self.roots() else { return ControlFlow::Continue(()) };
        let mut walk = CutTraversal {
            trees: self.trees,
            fixed: &Rotations::new(&self.relation),
            counter: &mut self.counter,
            rule: DescentRule::LargerFirst,
            leaves: |_: &mut C, _: [usize; 2], _: &Realigned| ControlFlow::Continue(()),
        };
        let mut all = Vec::new();
        walk.cut(roots, at_least, &mut all)?;
        parts.extend(all.into_iter().map(|part| IntervalTreePart(Some(part))));
        ControlFlow::Continue(())
    }

    /// The [candidates](Candidates::candidates) below a [part](Self::parts) of the same search.
    pub fn candidates_below(
        &mut self,
        part: &IntervalTreePart,
        pair: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &part.0 {
            Some(part) => self.below(part, pair),
            None => self.every_pair(pair),
        }
    }

    fn roots(&mut self) -> Option<CutPart<Realigned>> {
        let [a, b] = self.trees;
        self.counter.volumes(1);
        let steps = a.depth + b.depth;
        let margin = self.relation.margin + self.relation.wider;
        let roots = Realigned::roots([&a.cell, &b.cell], &self.relation, margin, steps);
        roots.map(CutPart::roots)
    }

    fn every_pair(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let counts = self.trees.map(|tree| tree.order.len());
        every_pair(counts, &mut self.counter, pair)
    }

    fn below(
        &mut self,
        part: &CutPart<Realigned>,
        mut pair: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [a, b] = self.trees;
        let mut walk = CutTraversal {
            trees: self.trees,
            fixed: &Rotations::new(&self.relation),
            counter: &mut self.counter,
            rule: DescentRule::LargerFirst,
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
        walk.run(part)
    }
}

/// The pairs of triangles whose leaves may meet.
impl<C: Counter> Candidates for IntervalTreeTraversal<'_, C> {
    fn candidates(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        if !self.relation.trusted {
            return self.every_pair(pair);
        }
        match self.roots() {
            Some(roots) => self.below(&roots, pair),
            None => ControlFlow::Continue(()),
        }
    }
}
