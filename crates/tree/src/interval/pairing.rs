//! Two restricted box-trees at two poses, and what can be asked about them.

use std::ops::ControlFlow;

use xcollide_bounds::Motion;

use super::IntervalTree;
use crate::box_tree::{Realigned, Relation, Rotations, Walk};
use crate::{Counter, Counts, Rule};

/// Two restricted box-trees, each with its motion into the world: the questions about the pair.
///
/// As with [`Pairing`](crate::Pairing), a closure decides about two triangles over their **world**
/// positions, rounded as [`Motion::apply`] rounds them, and is asked about each pair at most once.
/// Then the answer is that of brute force: every box above a leaf holds the leaf's triangles, and
/// the images of boxes are grown by the margin of the
/// [proof](crate::traverse#why-no-colliding-pair-is-lost) and for the rounding of re-alignment.
///
/// ```
/// use xcollide_bounds::Motion;
/// use xcollide_tree::{Counts, IntervalPairing, IntervalSplit, IntervalTree};
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree = IntervalTree::new(&strip, IntervalSplit::Median, 1)?;
/// let shifted = Motion::new(Motion::IDENTITY.rotation, [0.0, 0.0, 0.1]);
/// let mut counts = Counts::default();
/// let near = IntervalPairing::new((&tree, &Motion::IDENTITY), (&tree, &shifted))
///     .counting(&mut counts)
///     .first(|_, _| true);
/// assert_eq!((near, counts.volumes), (None, 1), "a look at the roots is enough");
/// # Ok::<(), xcollide_tree::BuildError>(())
/// ```
#[derive(Debug)]
pub struct IntervalPairing<'a, C = ()> {
    trees: [&'a IntervalTree; 2],
    relation: Relation,
    rule: Rule,
    counter: C,
}

impl<'a> IntervalPairing<'a> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a IntervalTree, &Motion), b: (&'a IntervalTree, &Motion)) -> Self {
        let relation = Relation::new([a.1, b.1], [a.0.reach, b.0.reach]);
        Self { trees: [a.0, b.0], relation, rule: Rule::default(), counter: () }
    }
}

impl<'a, C: Counter> IntervalPairing<'a, C> {
    /// With another rule for which node to open; [`Rule::Both`] is the same as
    /// [`Rule::Alternate`] here. The answers are the same, but which pair is the first may change.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// Counts tests of boxes and pairs of triangles handed over.
    #[must_use]
    pub fn counting(self, counts: &'a mut Counts) -> IntervalPairing<'a, &'a mut Counts> {
        let Self { trees, relation, rule, counter: _ } = self;
        IntervalPairing { trees, relation, rule, counter: counts }
    }

    /// The first pair that is found to collide, `None` if none does.
    pub fn first(&mut self, mut collide: impl FnMut(u32, u32) -> bool) -> Option<(u32, u32)> {
        let mut found = None;
        let _ = self.candidates(|a, b| {
            if collide(a, b) {
                found = Some((a, b));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// All pairs that collide, ordered by number.
    pub fn all(&mut self, collide: impl FnMut(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut found = self.at_most(usize::MAX, collide);
        found.sort_unstable();
        found
    }

    /// Pairs that collide, in the order in which they are found, but not more than `limit`.
    pub fn at_most(
        &mut self,
        limit: usize,
        mut collide: impl FnMut(u32, u32) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        if limit > 0 {
            let _ = self.candidates(|a, b| {
                if collide(a, b) {
                    found.push((a, b));
                    if found.len() == limit {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
        }
        found
    }

    /// Hands over every pair of triangles whose leaves may meet, until `pair` breaks; returns
    /// whether it did. Each pair comes at most once.
    pub fn candidates(
        &mut self,
        mut pair: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [a, b] = self.trees;
        if !self.relation.trusted {
            for i in 0..a.triangles() as u32 {
                for j in 0..b.triangles() as u32 {
                    self.counter.primitives(1);
                    pair(i, j)?;
                }
            }
            return ControlFlow::Continue(());
        }
        self.counter.volumes(1);
        let steps = a.depth + b.depth;
        let margin = self.relation.margin;
        let roots = Realigned::roots([&a.cell, &b.cell], &self.relation, margin, steps);
        let Some(roots) = roots else { return ControlFlow::Continue(()) };
        let mut walk = Walk {
            trees: self.trees,
            fixed: &Rotations::new(&self.relation),
            rule: self.rule,
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
