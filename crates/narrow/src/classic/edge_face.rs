//! The box-tree as in the thesis: one tree of edges and faces, edges tested against faces, boxes tested
//! by tables of line parameters (Zachmann 1994, 3.6.1 to 3.6.5).
//!
//! The trees are those of the thesis's figures ([`BoxTreeOptions::OF_1994`]), without empty leaves; other ones are a
//! choice ([`EdgeFaceTrees::trees`]).
//!
//! Two polygons meet if and only if an edge of one meets the other. One traversal serves both phases: a
//! pair of leaves tests the edges of either against the polygons of the other. Two boxes overlap if parts
//! of their edges lie in the other box; half of these parts come from the level above
//! ([`BoxTest::LineTables`]). `BvhPair<BoxTree>` is the same tree with the thesis's future work: boxes
//! re-aligned on the fly, triangles against triangles, and leaves that are empty.
//!
//! The boxes only filter; the exact test of segment and triangle over the rounded world positions
//! decides.

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bvh::Counter;
use xcollide_bvh::classic::box_tree::{
    BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal, EdgeFace,
};
use xcollide_predicates::{Point, segment_intersects_triangle};

use super::edges::{EdgeHit, EdgeList};
use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, answers_by_search};
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Verdict};

/// Two box-trees over edges and faces, as in the thesis. Exact for any two models; its witnesses name
/// edges. `BvhPair<BoxTree>` does less work for a pair of boxes. The fields change times, never an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeFaceTrees {
    /// The overlap test of boxes.
    pub boxes: BoxTest,
    /// How the trees are built.
    pub trees: BoxTreeOptions,
}

impl Default for EdgeFaceTrees {
    /// With the thesis's tables of line parameters and its trees.
    fn default() -> Self {
        Self { boxes: BoxTest::LineTables, trees: BoxTreeOptions::OF_1994 }
    }
}

const NAME: &str = "box-tree-1994";
const NEEDED: &str = "of fewer than a billion triangles";

impl NarrowPhase for EdgeFaceTrees {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = model.components();
        let refused = PrepareError::NotAccepted { algorithm: NAME, needed: NEEDED };
        if self.tree(model).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let kept = model.known_data_where(|kept: &Prepared| kept.options == self.trees)?;
        Some(kept.tree.as_ref()?.bytes())
    }

    fn built_by(&self, builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, PrepareError> {
        match builder {
            TreeBuilder::BoxTree(trees) => Ok(Box::new(Self { trees: *trees, ..*self })),
            _ => Err(PrepareError::OtherTree {
                algorithm: NAME,
                keeps: <BoxTree as Hierarchy>::KIND,
                builds: builder.builds(),
            }),
        }
    }

    answers_by_search!();
}

/// A tree over the edges and triangles of a model.
#[derive(Clone)]
struct Prepared {
    options: BoxTreeOptions,
    /// `None` if the model is too large.
    tree: Option<BoxTree>,
}

/// The edges by the positions of their ends.
fn ends(edges: &EdgeList, model: &Model) -> Vec<[Point; 2]> {
    let positions = model.mesh().positions();
    edges.edges().iter().map(|edge| edge.ends.map(|end| positions[end.index()])).collect()
}

impl PreparedData for Prepared {
    fn refitted(mut self: Arc<Self>, moved: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        if !triangles_kept {
            return None;
        }
        let tree = Arc::make_mut(&mut self).tree.as_mut()?;
        tree.refit(&triangles(moved), &ends(EdgeList::of(moved), moved)).ok()?;
        Some(self)
    }

    fn bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, BoxTree::bytes)
    }
}

impl PairSearch for EdgeFaceTrees {
    type Hit = EdgeHit;

    fn search<const FIRST: bool>(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let [Some(tree_a), Some(tree_b)] = pair.map(|placed| self.tree(placed.model())) else {
            return End::TooLarge;
        };
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            self.descend(pair, [tree_a, tree_b], (), found);
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            self.descend(pair, [tree_a, tree_b], &mut monitor, found);
        }
        let transforms = 5 * monitor.stats.primitive_tests;
        monitor.finish(transforms, query, cache)
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        _: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let mut rays = |placed: Placed<'_>, ray, found: &mut Vec<u32>| {
            self.tree(placed.model())
                .is_some_and(|tree| BoxTree::along((tree, placed.pose()), ray, &mut (), found))
        };
        conclude_by(a, b, query, deadline, &mut RayScratch::default(), &mut rays)
    }
}

impl EdgeFaceTrees {
    /// The tree of a model, built on the first call; `None` if the model is too large.
    fn tree<'a>(&self, model: &'a Model) -> Option<&'a BoxTree> {
        let options = self.trees;
        let build = |model: &Model| {
            let ends = ends(EdgeList::of(model), model);
            Prepared { options, tree: BoxTree::new(&triangles(model), &ends, &options).ok() }
        };
        model.data_where(|kept: &Prepared| kept.options == options, build).tree.as_ref()
    }

    /// Shows `found` every pair of an edge and a triangle that meet, once, until it breaks.
    fn descend(
        self,
        [a, b]: [Placed<'_>; 2],
        [tree_a, tree_b]: [&BoxTree; 2],
        work: impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) {
        let [edges_a, edges_b] = [a, b].map(|placed| EdgeList::of(placed.model()));
        let (first, second) = ((tree_a, a.pose()), (tree_b, b.pose()));
        let mut traversal = BoxTreeTraversal::new(first, second).test(self.boxes).counting(work);
        let _ = traversal.edge_face_candidates(|pair| {
            let (edge_of_b, edge, triangle) = match pair {
                EdgeFace::EdgeOfFirst { edge, triangle } => (false, edge as usize, triangle),
                EdgeFace::EdgeOfSecond { triangle, edge } => (true, edge as usize, triangle),
            };
            let triangle = triangle as usize;
            let (edges, of, other) = if edge_of_b { (edges_b, b, a) } else { (edges_a, a, b) };
            let segment = edges.edges()[edge].ends.map(|end| of.position(end));
            if segment_intersects_triangle(&segment, &other.triangle(triangle)) {
                return found(EdgeHit { edge_of_b, edge, triangle });
            }
            ControlFlow::Continue(())
        });
    }
}
