//! The box-tree as the thesis descends it: edges against faces, both in one tree, boxes told apart
//! by tables of line parameters (Zachmann 1994, 3.6.1 to 3.6.5).
//!
//! Two polygons meet if and only if an edge of one meets the other. So the thesis inserts the edges
//! into the tree of the polygons, and at two leaves tests the edges of either against the polygons
//! of the other; both phases share one traversal. Whether two boxes meet is read off the parts of
//! their edges that lie in the other box, half of which are taken over from the level above
//! ([`BoxTest::LineTables`]). `BvhPair<BoxTree>` is the same tree with what the thesis
//! leaves to future work: boxes re-aligned on the fly, and triangles against triangles.
//!
//! The boxes only filter; the exact test of segment and triangle over the rounded world positions
//! decides, as in [`Arbitrary`](super::Arbitrary).

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_brep::{FaceId, Topology};
use xcollide_bvh::Counter;
use xcollide_bvh::classic::box_tree::{
    BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal, EdgeFace,
};
use xcollide_predicates::{Point, segment_intersects_triangle};

use super::edge_hit::EdgeHit;
use super::edges::EdgeList;
use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch};
use crate::point_in_polyhedron::Rays;
use crate::query::Deadline;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query,
    Verdict,
};

/// Two box-trees over edges and faces, as in the thesis. Exact, for any two models.
///
/// It is here to repeat the source's figures, and where edges are wanted in the witness;
/// `BvhPair<BoxTree>` does less work for a pair of boxes.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::EdgeFaceTrees;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_touching = Pose::from_translation([1.0, 0.0, 0.0]);
/// let touching = Placed::new(&model, &pose_touching)?;
/// let verdict = EdgeFaceTrees::default().test(a, touching, &Query::new(), &mut PairCache::new());
/// assert!(verdict.is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeFaceTrees {
    /// How boxes are told apart. Answers do not depend on it, times do.
    pub boxes: BoxTest,
}

impl Default for EdgeFaceTrees {
    /// The thesis's tables of line parameters.
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

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let refused = PrepareError::NotAccepted { algorithm: NAME, needed: NEEDED };
        if prepared(model).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.known_data::<Prepared>()?.0.as_ref()?.bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        self.verdict([a, b], query, cache)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        self.listing([a, b], query, cache, visit)
    }
}

/// What a model keeps: a tree over its edges and triangles, unless it is too large.
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
    fn refitted(self: &Arc<Self>, from: &Model, to: &Model) -> Option<Arc<Self>> {
        if from.triangulation() != to.triangulation() {
            return None;
        }
        let mut tree = self.0.clone()?;
        tree.refit(&triangles(to), &ends(EdgeList::of(to), to)).ok()?;
        Some(Arc::new(Self(Some(tree))))
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
        if query.stats {
            monitor.stats.transforms = 5 * monitor.stats.primitive_tests;
            cache.set_stats(monitor.stats);
        }
        if monitor.out_of_time { End::OutOfTime } else { End::Done }
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        _: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        conclude_by(a, b, query, deadline, &mut TreeOfTriangles)
    }
}

impl EdgeFaceTrees {
    /// Shows `found` edges and triangles that meet, each pair once, among them every such pair, until
    /// it breaks off.
    fn descend(
        self,
        [a, b]: [Placed<'_>; 2],
        [tree_a, tree_b]: [&BoxTree; 2],
        work: impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) {
        let [edges_a, edges_b] = [a, b].map(|placed| EdgeList::of(placed.model()));
        let segment = |placed: Placed<'_>, edges: &EdgeList, edge: usize| {
            edges.edges()[edge].ends.map(|end| placed.position(end))
        };
        let (first, second) = ((tree_a, a.pose()), (tree_b, b.pose()));
        let mut pairing = BoxTreeTraversal::new(first, second).test(self.boxes).counting(work);
        // The visitor knows whether it broke off.
        let _ = pairing.edge_face_candidates(|pair| {
            let (hit, meet) = match pair {
                EdgeFace::EdgeOfFirst { edge, triangle } => {
                    let (edge, triangle) = (edge as usize, triangle as usize);
                    let hit = EdgeHit { edge_of_b: false, edge, triangle };
                    let segment = segment(a, edges_a, edge);
                    (hit, segment_intersects_triangle(&segment, &b.triangle(triangle)))
                }
                EdgeFace::EdgeOfSecond { triangle, edge } => {
                    let (edge, triangle) = (edge as usize, triangle as usize);
                    let hit = EdgeHit { edge_of_b: true, edge, triangle };
                    let segment = segment(b, edges_b, edge);
                    (hit, segment_intersects_triangle(&segment, &a.triangle(triangle)))
                }
            };
            if meet { found(hit) } else { ControlFlow::Continue(()) }
        });
    }
}

/// Triangles along a ray, found by the same tree.
struct TreeOfTriangles;

impl Rays for TreeOfTriangles {
    fn along(&mut self, placed: Placed<'_>, ray: [Point; 2], found: &mut Vec<u32>) -> bool {
        let Some(tree) = prepared(placed.model()) else { return false };
        let placed = (tree, placed.pose());
        BoxTree::along(placed, ray, &mut (), |triangle| found.push(triangle))
    }
}
