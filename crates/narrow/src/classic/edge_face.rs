//! The box-tree as in the thesis: one tree of edges and faces, edges tested against faces, boxes tested
//! by tables of line parameters (Zachmann 1994, 3.6.1 to 3.6.5).
//!
//! The trees are those of the thesis's figures ([`BoxTreeOptions::OF_1994`]), without empty leaves; other ones are a
//! choice ([`EdgeFaceTrees::trees`]).
//!
//! Two polygons meet if and only if an edge of one meets the other. One traversal serves both phases: a
//! pair of leaves tests the edges of either against the polygons of the other. The thesis traverses the trees once for each
//! phase, and cuts both boxes by turns where here the larger one is cut: [`EdgeFaceTrees::of_1994`]. Two boxes overlap if parts
//! of their edges lie in the other box; half of these parts come from the level above
//! ([`BoxTest::LineTables`]). `BvhPair<BoxTree>` is the same tree with the thesis's future work: boxes
//! re-aligned on the fly, triangles against triangles, and leaves that are empty.
//!
//! The boxes only filter; the exact test of segment and triangle over the rounded world positions
//! decides.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bvh::classic::box_tree::{
    BoxTest, BoxTree, BoxTreeOptions, BoxTreePart, BoxTreeTraversal, EdgeFace,
};
use xcollide_bvh::wide::Visit;
use xcollide_bvh::{Counter, DescentRule};
use xcollide_predicates::Point;

use super::box_trees::BOX_TREE_PARTS;
use super::edges::{EdgeHit, EdgeList};
use super::last_query::{Bodies, LastQuery};
use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::parallel_traversal::{PartedSearch, Parts};
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, answers_by_search};
use crate::parallel_for::helpers;
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{
    Model, ModelVersion, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Verdict,
};

/// Two box-trees over edges and faces, as in the thesis. Exact for any two models; its witnesses name
/// edges. `BvhPair<BoxTree>` does less work for a pair of boxes. The fields change times, never an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeFaceTrees {
    /// The overlap test of boxes.
    pub boxes: BoxTest,
    /// How the trees are built.
    pub trees: BoxTreeOptions,
    /// Which box is cut next.
    pub rule: DescentRule,
    /// Whether the trees are traversed once for the edges of each model, or once for both.
    pub phases_apart: bool,
}

impl EdgeFaceTrees {
    /// Also with the thesis's traversal: both boxes are cut by turns, and once for each of the two phases (3.6.1, 3.6.4).
    #[must_use]
    pub fn of_1994() -> Self {
        Self { rule: DescentRule::Both, phases_apart: true, ..Self::default() }
    }
}

impl Default for EdgeFaceTrees {
    /// With the thesis's tables of line parameters and its trees, in one traversal that cuts the larger box.
    fn default() -> Self {
        let (boxes, trees) = (BoxTest::LineTables, BoxTreeOptions::OF_1994);
        Self { boxes, trees, rule: DescentRule::LargerFirst, phases_apart: false }
    }
}

const NAME: &str = "box-tree-1994";
/// Of [`EdgeFaceTrees::of_1994`].
const NAME_OF_TURNS: &str = "box-tree-1994-turns";
const NEEDED: &str = "of fewer than a billion triangles";

impl NarrowPhase for EdgeFaceTrees {
    fn name(&self) -> &'static str {
        if self.phases_apart { NAME_OF_TURNS } else { NAME }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = model.components();
        let refused = PrepareError::NotAccepted { algorithm: self.name(), needed: NEEDED };
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
                algorithm: self.name(),
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

/// Memory of a pair in a coherent cache: the last query, and of which models.
#[derive(Default)]
struct Memory(Option<(LastQuery, [ModelVersion; 2])>);

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
        let trees = [tree_a, tree_b];
        if FIRST && cache.is_coherent() {
            return self.search_coherently(pair, trees, query, cache, deadline, found);
        }
        let helpers = helpers(query.grain);
        let monitor = match helpers {
            0 => Monitor::of(query, deadline),
            _ => Some(Monitor::always(deadline)),
        };
        let Some(mut monitor) = monitor else {
            self.descend(pair, trees, (), found);
            return End::Done;
        };
        if monitor.in_time().is_continue() && helpers > 0 {
            self.descend_in_parts::<FIRST>(pair, trees, helpers, &mut monitor, found);
        } else if !monitor.out_of_time {
            self.descend(pair, trees, &mut monitor, found);
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

    /// The search by what the last query showed.
    fn search_coherently(
        &self,
        pair: [Placed<'_>; 2],
        trees: [&BoxTree; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let mut monitor = Monitor::always(deadline);
        let versions = pair.map(|placed| placed.model().version());
        let Memory(last) = cache.get_or_default();
        let (last, of) = last.get_or_insert_with(|| (LastQuery::default(), versions));
        if *of != versions {
            (*last, *of) = (LastQuery::default(), versions);
        }
        let edges = pair.map(|placed| EdgeList::of(placed.model()));
        if monitor.in_time().is_continue() {
            last.search(
                Bodies::of(pair),
                &mut monitor,
                |key, triangle| {
                    let hit = EdgeHit::of_key(key, triangle);
                    if hit.is_one(pair, edges) { found(hit) } else { ControlFlow::Continue(()) }
                },
                |key, triangle| EdgeHit::of_key(key, triangle).corners(pair, edges),
                |within, work, visit| {
                    let traversal = self.traversal(pair, trees).widened(within);
                    traversal.counting(work).edge_face_candidates(|candidate| {
                        let hit = EdgeHit::from(candidate);
                        visit(hit.key(), hit.triangle as u32)
                    })
                },
            );
        }
        let transforms = 5 * monitor.stats.primitive_tests;
        monitor.finish(transforms, query, cache)
    }

    /// Shows `found` every pair of an edge and a triangle that meet, once, until it breaks.
    fn descend(
        self,
        pair: [Placed<'_>; 2],
        trees: [&BoxTree; 2],
        work: impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) {
        let edges = pair.map(|placed| EdgeList::of(placed.model()));
        let _ = self.traversal(pair, trees).counting(work).edge_face_candidates(|candidate| {
            let hit = EdgeHit::from(candidate);
            if hit.is_one(pair, edges) { found(hit) } else { ControlFlow::Continue(()) }
        });
    }

    /// The same on several threads (6.3.1): the traversal is cut into parts.
    fn descend_in_parts<const FIRST: bool>(
        self,
        pair: [Placed<'_>; 2],
        trees: [&BoxTree; 2],
        helpers: usize,
        monitor: &mut Monitor,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) {
        let edges = pair.map(|placed| EdgeList::of(placed.model()));
        let mut parts = Vec::new();
        let mut cut = self.traversal(pair, trees).counting(&mut *monitor);
        let _ = cut.parts(BOX_TREE_PARTS, &mut parts);
        let search =
            PartedSearch::new(EdgeFaceParts { trees: self, pair, of: trees, parts }, helpers);
        let meets = |key, triangle| EdgeHit::of_key(key, triangle).is_one(pair, edges);
        if FIRST {
            if let Some((key, triangle)) = search.first(monitor, meets) {
                let _ = found(EdgeHit::of_key(key, triangle));
            }
            return;
        }
        let mut shown = HashSet::new();
        search.all(monitor, meets, |key, triangle| match shown.insert((key, triangle)) {
            true => found(EdgeHit::of_key(key, triangle)),
            false => ControlFlow::Continue(()),
        });
    }

    fn traversal<'t>(
        self,
        [a, b]: [Placed<'_>; 2],
        [tree_a, tree_b]: [&'t BoxTree; 2],
    ) -> BoxTreeTraversal<'t> {
        BoxTreeTraversal::new((tree_a, a.pose()), (tree_b, b.pose()))
            .test(self.boxes)
            .rule(self.rule)
            .phases_apart(self.phases_apart)
    }
}

/// The parts of a search. Candidates are [keys](EdgeHit::key) of edges, and triangles.
struct EdgeFaceParts<'a> {
    trees: EdgeFaceTrees,
    pair: [Placed<'a>; 2],
    of: [&'a BoxTree; 2],
    parts: Vec<BoxTreePart>,
}

impl Parts for EdgeFaceParts<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn search(&self, number: usize, work: &mut impl Counter, mut visit: impl Visit) {
        let mut traversal = self.trees.traversal(self.pair, self.of).counting(work);
        let _ = traversal.edge_face_candidates_below(&self.parts[number], |candidate| {
            let hit = EdgeHit::from(candidate);
            visit.pair(hit.key(), hit.triangle as u32)
        });
    }
}

impl From<EdgeFace> for EdgeHit {
    fn from(pair: EdgeFace) -> Self {
        let (edge_of_b, edge, triangle) = match pair {
            EdgeFace::EdgeOfFirst { edge, triangle } => (false, edge, triangle),
            EdgeFace::EdgeOfSecond { triangle, edge } => (true, edge, triangle),
        };
        Self { edge_of_b, edge: edge as usize, triangle: triangle as usize }
    }
}
