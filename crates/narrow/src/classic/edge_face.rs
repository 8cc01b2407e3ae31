//! The box-tree as in the thesis: one tree of edges and faces, edges tested against faces, boxes tested
//! by tables of line parameters (Zachmann 1994, 3.6.1 to 3.6.5).
//!
//! Two polygons meet if and only if an edge of one meets the other. One traversal serves both phases: a
//! pair of leaves tests the edges of either against the polygons of the other. Two boxes overlap if parts
//! of their edges lie in the other box; half of these parts come from the level above
//! ([`BoxTest::LineTables`]). `BvhPair<BoxTree>` is the same tree with the thesis's future work: boxes
//! re-aligned on the fly, triangles against triangles.
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
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, answers_by_search};
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Verdict};

/// Two box-trees over edges and faces, as in the thesis. Exact for any two models; its witnesses name
/// edges. `BvhPair<BoxTree>` does less work for a pair of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeFaceTrees {
    /// The overlap test of boxes. Changes times, never an answer.
    pub boxes: BoxTest,
}

impl Default for EdgeFaceTrees {
    /// With the thesis's tables of line parameters.
    fn default() -> Self {
        Self { boxes: BoxTest::LineTables }
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
        if prepared(model).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.known_data_where(|_: &Prepared| true)?.0.as_ref()?.bytes())
    }

    answers_by_search!();
}

/// The tree over the edges and triangles of a model, unless it is too large.
#[derive(Clone)]
struct Prepared(Option<BoxTree>);

fn prepared(model: &Model) -> Option<&BoxTree> {
    let build = |model: &Model| {
        let ends = ends(EdgeList::of(model), model);
        Prepared(BoxTree::new(&triangles(model), &ends, &BoxTreeOptions::default()).ok())
    };
    model.data(build).0.as_ref()
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
        let tree = Arc::make_mut(&mut self).0.as_mut()?;
        tree.refit(&triangles(moved), &ends(EdgeList::of(moved), moved)).ok()?;
        Some(self)
    }

    fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, BoxTree::bytes)
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
        let [Some(tree_a), Some(tree_b)] = pair.map(|placed| prepared(placed.model())) else {
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
            prepared(placed.model())
                .is_some_and(|tree| BoxTree::along((tree, placed.pose()), ray, &mut (), found))
        };
        conclude_by(a, b, query, deadline, &mut RayScratch::default(), &mut rays)
    }
}

impl EdgeFaceTrees {
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
