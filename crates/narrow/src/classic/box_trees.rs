//! Box-trees (Zachmann 1994, 3.6) and restricted box-trees, one coordinate a node (Zachmann, lecture
//! slides), as hierarchies for [`BvhPair`](crate::mesh::BvhPair).

use std::ops::ControlFlow;

use xcollide_bvh::classic::box_tree::{BoxTree, BoxTreeOptions, BoxTreeTraversal};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
use xcollide_bvh::wide::Visit;
use xcollide_bvh::{Candidates, Counter};
use xcollide_math::Pose;

use crate::Model;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::tree_builder::TreeBuilder;

impl Hierarchy for BoxTree {
    const NAME: &'static str = "box-tree";
    /// What crosses cut-planes is in several leaves.
    const REPEATS: bool = true;
    const KIND: &'static str = "a box-tree";
    type Settings = BoxTreeOptions;
    type Scratch = ();

    fn settings(builder: &TreeBuilder) -> Option<BoxTreeOptions> {
        match builder {
            TreeBuilder::BoxTree(options) => Some(*options),
            _ => None,
        }
    }

    fn build(model: &Model, options: &BoxTreeOptions) -> Option<Self> {
        Self::new(&triangles(model), &[], options).ok()
    }

    fn refitted(&self, moved: &Model) -> Option<Self> {
        let mut tree = self.clone();
        tree.refit(&triangles(moved), &[]).ok()?;
        Some(tree)
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let _ = BoxTreeTraversal::new(a, b).counting(work).candidates(|s, t| visit.pair(s, t));
    }

    /// The segment is a triangle of two corners.
    fn along(
        placed: (&Self, &Pose),
        [start, end]: [[f64; 3]; 2],
        _: &mut (),
        mut found: impl FnMut(u32),
    ) -> bool {
        let Ok(segment) = Self::new(&[[start, end, end]], &[], &BoxTreeOptions::default()) else {
            return false;
        };
        let still = (&segment, &Pose::IDENTITY);
        let _ = BoxTreeTraversal::new(placed, still).candidates(|triangle, _| {
            found(triangle);
            ControlFlow::Continue(())
        });
        true
    }
}

impl Hierarchy for IntervalTree {
    const NAME: &'static str = "interval-tree";
    const KIND: &'static str = "a restricted box-tree";
    type Settings = IntervalSplit;
    type Scratch = ();

    fn settings(builder: &TreeBuilder) -> Option<IntervalSplit> {
        match builder {
            TreeBuilder::Interval(split) => Some(*split),
            _ => None,
        }
    }

    fn build(model: &Model, split: &IntervalSplit) -> Option<Self> {
        /// Small leaves: a node holds a single coordinate and is cheaper than a triangle.
        const LEAF: u32 = 2;
        Self::new(&triangles(model), *split, LEAF).ok()
    }

    fn refitted(&self, moved: &Model) -> Option<Self> {
        let mut tree = self.clone();
        tree.refit(&triangles(moved)).ok()?;
        Some(tree)
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let _ = IntervalTreeTraversal::new(a, b).counting(work).candidates(|s, t| visit.pair(s, t));
    }

    /// The segment is a triangle of two corners.
    fn along(
        placed: (&Self, &Pose),
        [start, end]: [[f64; 3]; 2],
        _: &mut (),
        mut found: impl FnMut(u32),
    ) -> bool {
        let Ok(segment) = Self::new(&[[start, end, end]], IntervalSplit::default(), 1) else {
            return false;
        };
        let still = (&segment, &Pose::IDENTITY);
        let _ = IntervalTreeTraversal::new(placed, still).candidates(|triangle, _| {
            found(triangle);
            ControlFlow::Continue(())
        });
        true
    }
}
