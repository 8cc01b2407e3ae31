//! The box-tree as the thesis descends it: edges against faces, both in one tree, boxes told apart
//! by tables of line parameters (Zachmann 1994, 3.6.1 to 3.6.5).
//!
//! Two polygons meet if and only if an edge of one meets the other. So the thesis inserts the edges
//! into the tree of the polygons, and at two leaves tests the edges of either against the polygons
//! of the other; both phases share one traversal. Whether two boxes meet is read off the parts of
//! their edges that lie in the other box, half of which are taken over from the level above
//! ([`BoxTest::LineTables`]). [`BoxTrees`](super::BoxTrees) is the same tree with what the thesis
//! leaves to future work: boxes re-aligned on the fly, and triangles against triangles.
//!
//! The boxes only filter; the exact test of segment and triangle over the rounded world positions
//! decides, as in [`Arbitrary`](super::Arbitrary).

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_brep::{FaceId, Topology};
use xcollide_bvh::{BoxPairing, BoxTest, BoxTree, BoxTreeOptions, Counter, EdgeFace};
use xcollide_predicates::{Point, segment_intersects_triangle};

use super::edge_hit::EdgeHit;
use super::edges::EdgeList;
use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::work::Watch;
use crate::point_in_polyhedron::Rays;
use crate::query::Deadline;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Refit,
    Verdict,
};

/// Two box-trees over edges and faces, as in the thesis. Exact, for any two models.
///
/// It is here to repeat the source's figures, and where edges are wanted in the witness;
/// [`BoxTrees`](super::BoxTrees) does less work for a pair of boxes.
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
/// let a = Placed::new(&model, &Pose::identity())?;
/// let touching = Placed::new(&model, &Pose::translation(1.0, 0.0, 0.0))?;
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
        if prepared(model).tree.is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<Prepared>()?.tree.as_ref()?.bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut first = None;
        let mut deadline = Deadline::of(query, cache);
        let end = self.descend(a, b, query, cache, &deadline, |hit| {
            first = Some(hit);
            ControlFlow::Break(())
        });
        verdict(a, b, query, &mut deadline, end, first)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        let [edges_of_a, edges_of_b] = [a, b].map(|placed| prepared(placed.model()).edges.clone());
        let mut first = None;
        let mut stopped = false;
        let mut deadline = Deadline::of(query, cache);
        let end = self.descend(a, b, query, cache, &deadline, |hit| {
            first = first.or(Some(hit));
            let flow = hit.each_pair_of_faces(a, b, [&edges_of_a, &edges_of_b], visit);
            stopped = flow.is_break();
            flow
        });
        let complete = end == End::Done && !stopped;
        Listing { verdict: verdict(a, b, query, &mut deadline, end, first), complete }
    }
}

/// What a model keeps: its edges, and a tree over these and the triangles, unless it is too large.
struct Prepared {
    edges: Arc<EdgeList>,
    tree: Option<BoxTree>,
}

fn prepared(model: &Model) -> Arc<Prepared> {
    model.prepared_to_refit(|model| {
        let edges = EdgeList::of(model);
        let ends = ends(&edges, model);
        let tree = BoxTree::new(&triangles(model), &ends, &BoxTreeOptions::default());
        Prepared { edges, tree: tree.ok() }
    })
}

/// The edges by the positions of their ends.
fn ends(edges: &EdgeList, model: &Model) -> Vec<[Point; 2]> {
    let positions = model.mesh().positions();
    edges.edges().iter().map(|edge| edge.ends.map(|end| positions[end.index()])).collect()
}

impl Refit for Prepared {
    fn refitted(self: &Arc<Self>, from: &Model, to: &Model) -> Option<Arc<Self>> {
        let edges = self.edges.refitted(from, to)?;
        let mut tree = self.tree.clone()?;
        tree.refit(&triangles(to), &ends(&edges, to)).ok()?;
        Some(Arc::new(Self { edges, tree: Some(tree) }))
    }
}

/// What a pair keeps: the two trees, so that a query need not look them up in the models.
#[derive(Default)]
struct Memory([Option<Known>; 2]);

/// A model and what it keeps.
type Known = (Model, Arc<Prepared>);

fn known<'m>(known: &'m mut Option<Known>, model: &Model) -> Option<(&'m EdgeList, &'m BoxTree)> {
    if known.as_ref().is_none_or(|(of, _)| !of.is_same(model)) {
        *known = Some((model.clone(), prepared(model)));
    }
    let (_, prepared) = known.as_ref()?;
    Some((&prepared.edges, prepared.tree.as_ref()?))
}

/// How a descent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing is left to find, or enough was found.
    Done,
    OutOfTime,
    /// A model has too many triangles.
    TooLarge,
}

impl EdgeFaceTrees {
    /// Shows `found` edges and triangles that meet, each pair once, among them every such pair, until
    /// it breaks off.
    fn descend(
        self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let watch = Watch::of(query, deadline);
        let Memory([of_a, of_b]) = cache.get_or_default();
        let (Some(known_a), Some(known_b)) = (known(of_a, a.model()), known(of_b, b.model()))
        else {
            return End::TooLarge;
        };
        let Some(mut watch) = watch else {
            self.search([a, b], [known_a, known_b], (), found);
            return End::Done;
        };
        if watch.in_time().is_continue() {
            self.search([a, b], [known_a, known_b], &mut watch, found);
        }
        if query.stats {
            watch.stats.transforms = 5 * watch.stats.primitive_tests;
            cache.set_stats(watch.stats);
        }
        if watch.out_of_time { End::OutOfTime } else { End::Done }
    }

    fn search(
        self,
        [a, b]: [Placed<'_>; 2],
        [(edges_a, tree_a), (edges_b, tree_b)]: [(&EdgeList, &BoxTree); 2],
        work: impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) {
        let segment = |placed: Placed<'_>, edges: &EdgeList, edge: usize| {
            edges.edges()[edge].ends.map(|end| placed.position(end))
        };
        let (first, second) = ((tree_a, a.transform().motion()), (tree_b, b.transform().motion()));
        let mut pairing = BoxPairing::new(first, second).test(self.boxes).counting(work);
        // Who broke off knows it.
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

/// The verdict from the first edge that meets a triangle.
fn verdict(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    deadline: &mut Deadline,
    end: End,
    first: Option<EdgeHit>,
) -> Verdict {
    if let Some(hit) = first {
        return Verdict::Collides(hit.witness(a, b));
    }
    match end {
        End::OutOfTime => return Verdict::Undecided(Reason::OutOfTime),
        End::TooLarge => return Verdict::Undecided(Reason::NotAccepted),
        End::Done => {}
    }
    conclude_by(a, b, query, deadline, &mut TreeOfTriangles)
}

/// Triangles along a ray, found by the same tree.
struct TreeOfTriangles;

impl Rays for TreeOfTriangles {
    fn along(&mut self, placed: Placed<'_>, ray: [Point; 2], found: &mut Vec<u32>) -> bool {
        let prepared = prepared(placed.model());
        let Some(tree) = &prepared.tree else { return false };
        let placed = (tree, placed.transform().motion());
        BoxTree::along(placed, ray, &mut (), |triangle| found.push(triangle))
    }
}
