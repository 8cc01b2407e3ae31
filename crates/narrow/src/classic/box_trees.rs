//! Box-trees (Zachmann 1994, 3.6) and restricted box-trees, whose nodes are one coordinate (Zachmann,
//! lecture slides), as hierarchies for [`BvhPair`](crate::mesh::BvhPair).

use std::ops::ControlFlow;

use xcollide_bvh::classic::box_tree::{BoxTree, BoxTreeOptions, BoxTreePart, BoxTreeTraversal};
use xcollide_bvh::classic::interval_tree::{
    IntervalSplit, IntervalTree, IntervalTreePart, IntervalTreeTraversal,
};
use xcollide_bvh::wide::Visit;
use xcollide_bvh::{Candidates, Counter};
use xcollide_math::Pose;
use xcollide_predicates::Point;

use super::last_query::keeps_the_last_query;
use crate::Model;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::tree_builder::TreeBuilder;

/// The least number of parts of a search by box-trees. Two parts may test the same pair, so with a number that depends on the
/// threads the counts would, too.
pub(super) const BOX_TREE_PARTS: usize = 256;

impl Hierarchy for BoxTree {
    const NAME: &'static str = "box-tree";
    /// A triangle that crosses cut-planes is in several leaves.
    const REPEATS: bool = true;
    const KIND: &'static str = "a box-tree";
    type Settings = BoxTreeOptions;
    type Scratch = ();
    type Part = BoxTreePart;
    keeps_the_last_query!(BoxTreeTraversal);

    fn settings(builder: &TreeBuilder) -> Option<BoxTreeOptions> {
        match builder {
            TreeBuilder::BoxTree(options) => Some(*options),
            _ => None,
        }
    }

    fn build(model: &Model, options: &BoxTreeOptions) -> Option<Self> {
        Self::new(&triangles(model), &[], options).ok()
    }

    fn refit_to(&mut self, moved: &Model, _: &Self::Settings, _: bool) -> bool {
        self.refit(&triangles(moved), &[]).is_ok()
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

    fn parts(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: usize,
        _: &mut (),
        work: &mut impl Counter,
        parts: &mut Vec<BoxTreePart>,
    ) {
        let _ = BoxTreeTraversal::new(a, b).counting(work).parts(BOX_TREE_PARTS, parts);
    }

    fn candidates_below(
        part: &BoxTreePart,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let mut traversal = BoxTreeTraversal::new(a, b).counting(work);
        let _ = traversal.candidates_below(part, |s, t| visit.pair(s, t));
    }

    fn along(
        placed: (&Self, &Pose),
        [start, end]: [Point; 2],
        scratch: &mut (),
        found: &mut Vec<u32>,
    ) -> bool {
        let segment = Self::new(&[[start, end, end]], &[], &BoxTreeOptions::default());
        segment.is_ok_and(|segment| along_tree(placed, &segment, scratch, found))
    }
}

impl Hierarchy for IntervalTree {
    const NAME: &'static str = "interval-tree";
    const KIND: &'static str = "a restricted box-tree";
    type Settings = IntervalSplit;
    type Scratch = ();
    type Part = IntervalTreePart;
    keeps_the_last_query!(IntervalTreeTraversal);

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

    fn refit_to(&mut self, moved: &Model, _: &Self::Settings, _: bool) -> bool {
        self.refit(&triangles(moved)).is_ok()
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

    fn parts(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        at_least: usize,
        _: &mut (),
        work: &mut impl Counter,
        parts: &mut Vec<IntervalTreePart>,
    ) {
        let _ = IntervalTreeTraversal::new(a, b).counting(work).parts(at_least, parts);
    }

    fn candidates_below(
        part: &IntervalTreePart,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let mut traversal = IntervalTreeTraversal::new(a, b).counting(work);
        let _ = traversal.candidates_below(part, |s, t| visit.pair(s, t));
    }

    fn along(
        placed: (&Self, &Pose),
        [start, end]: [Point; 2],
        scratch: &mut (),
        found: &mut Vec<u32>,
    ) -> bool {
        let segment = Self::new(&[[start, end, end]], IntervalSplit::default(), 1);
        segment.is_ok_and(|segment| along_tree(placed, &segment, scratch, found))
    }
}

/// [`Hierarchy::along`] for a segment that is a tree over one degenerate triangle.
fn along_tree<H: Hierarchy>(
    placed: (&H, &Pose),
    segment: &H,
    scratch: &mut H::Scratch,
    found: &mut Vec<u32>,
) -> bool {
    H::candidates(placed, (segment, &Pose::IDENTITY), scratch, &mut (), |triangle, _| {
        found.push(triangle);
        ControlFlow::Continue(())
    });
    true
}
