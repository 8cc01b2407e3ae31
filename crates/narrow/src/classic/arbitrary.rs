//! Arbitrary polyhedra: every edge of each against every polygon of the other (Zachmann 1994, 3.2 and
//! 3.2.1).
//!
//! Two polygons meet if and only if an edge of one meets the other, so the algorithm is exact for any
//! polygon soup. It takes O(n · m); the thesis's pre-checks reduce the constant tenfold:
//!
//! 1. *edge box against object box*: an edge outside the other object's box meets nothing;
//! 2. *edge box against face box*;
//! 3. *face collect phase*: a first pass collects the faces in the common region of the boxes;
//! 4. *relaxed collect phase*: collects a face only if one of its vertices is in the region. Faster for
//!    many small faces, but may miss a large one: see [`Arbitrary::relaxed`].
//!
//! In addition to the source, collected faces are *ordered* along the region's longest axis, so that an
//! edge tests only the run of faces that it can reach.
//!
//! With a [coherent](PairCache::coherent) cache, the edge and the polygon that met last are tested first, and where the surfaces
//! are apart by more than they have moved, nothing is (`last_query`).
//!
//! World positions and face boxes are computed on demand and once per placement (7.3.1, `vertex_cache`).
//! The two phases, edges of the first model and edges of the second, can run at the same time (6.3.2,
//! `two_phases`), and each can be spread over any number of threads (6.3.1, `edge_parts`).

mod candidates;
mod edge_parts;
#[cfg(feature = "parallel")]
mod two_phases;

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_brep::{FaceId, Topology};
use xcollide_bvh::Counter;
use xcollide_predicates::segment_intersects_triangle;

use super::edges::{EdgeHit, EdgeList};
use super::last_query::{Bodies, LastQuery};
use super::vertex_cache::WorldGeometry;
use crate::containment::conclude;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, answers_by_search};
use crate::query::Deadline;
use crate::{
    Grain, Guarantee, Model, ModelVersion, NarrowPhase, PairCache, Placed, PrepareError,
    PreparedData, Query, Reason, Verdict,
};
use candidates::Candidates;
use xcollide_convex::Bias;

/// Every edge against every polygon, with the thesis's pre-checks as options. Exact for any two models,
/// except if [`relaxed`](Self::relaxed).
///
/// ```
/// use xcollide_narrow::classic::Arbitrary;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_touching = Pose::from_translation([1.0, 0.0, 0.0]);
/// let touching = Placed::new(&model, &pose_touching)?;
/// let verdict = Arbitrary::default().test(a, touching, &Query::new(), &mut PairCache::new());
/// assert!(verdict.is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arbitrary {
    /// Skip edges outside the region that both objects' boxes share.
    pub edge_object_box: bool,
    /// Test an edge's box against a face's before the exact test.
    pub edge_face_box: bool,
    /// Test only the faces that a pre-phase collects: those whose boxes overlap the common region.
    pub collect: bool,
    /// Collect only faces with a vertex in the common region. Needs models that are closed and manifold.
    /// May miss contacts, never invents one.
    pub relaxed: bool,
    /// Order the collected faces along an axis.
    pub ordered: bool,
}

impl Default for Arbitrary {
    /// All pre-checks that keep the answer exact.
    fn default() -> Self {
        Self {
            edge_object_box: true,
            edge_face_box: true,
            collect: true,
            ordered: true,
            relaxed: false,
        }
    }
}

impl Arbitrary {
    /// The biased variant with the relaxed collect phase (3.2.1).
    #[must_use]
    pub fn relaxed() -> Self {
        Self { relaxed: true, ..Self::default() }
    }
}

const CLOSED_MANIFOLD: Topology =
    Topology::CLOSED.union(Topology::MANIFOLD_EDGES).union(Topology::MANIFOLD_VERTICES);

impl NarrowPhase for Arbitrary {
    fn name(&self) -> &'static str {
        if self.relaxed { "arbitrary-relaxed" } else { "arbitrary" }
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        !self.relaxed || (a.contains(CLOSED_MANIFOLD) && b.contains(CLOSED_MANIFOLD))
    }

    fn guarantee(&self) -> Guarantee {
        if self.relaxed { Guarantee::Misses } else { Guarantee::Exact }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if !self.accepts(model.topology(), model.topology()) {
            let algorithm = self.name();
            return Err(PrepareError::NotAccepted { algorithm, needed: "closed and manifold" });
        }
        EdgeList::of(model);
        let _ = model.components();
        Ok(())
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<EdgeList>()?.bytes())
    }

    answers_by_search!();
}

/// Memory of a pair.
#[derive(Default)]
struct Workspace {
    a: WorldGeometry,
    b: WorldGeometry,
    candidates: Candidates,
    /// What the last query with a coherent cache showed, of which models.
    last: Option<(LastQuery, [ModelVersion; 2])>,
    /// Of the second phase, if it runs beside the first.
    #[cfg(feature = "parallel")]
    second: Option<Box<Workspace>>,
}

impl Workspace {
    fn place(&mut self, [a, b]: [Placed<'_>; 2]) {
        self.a.place(a);
        self.b.place(b);
    }

    fn transforms(&self) -> u64 {
        self.a.transforms() + self.b.transforms()
    }
}

impl PairSearch for Arbitrary {
    type Hit = EdgeHit;

    fn search<const FIRST: bool>(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let workspace: &mut Workspace = cache.get_or_default();
        workspace.place(pair);
        if FIRST && cache.is_coherent() {
            return self.search_coherently(pair, query, cache, deadline, found);
        }
        self.search_anew::<FIRST>(pair, query, cache, deadline, found)
    }

    fn may_miss(&self) -> bool {
        self.relaxed
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        _: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let overlap = a.world_box().overlaps(&b.world_box());
        if self.relaxed && overlap && !self.accepts(a.model().topology(), b.model().topology()) {
            return Verdict::Undecided(Reason::NotAccepted);
        }
        // If the relaxed search missed a contact, a vertex inside the other body still proves one.
        match conclude(a, b, query, deadline) {
            Verdict::Apart(_) if self.relaxed && overlap => {
                Verdict::Undecided(Reason::Biased(Bias::Apart))
            }
            verdict => verdict,
        }
    }
}

impl Arbitrary {
    /// The search, in a workspace that is [placed](Workspace::place).
    fn search_anew<const FIRST: bool>(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let workspace: &mut Workspace = cache.get_or_default();
        if query.grain == Grain::Fine && edge_parts::are_worth_it(pair, query) {
            let mut monitor = Monitor::always(deadline);
            let transforms =
                edge_parts::run::<FIRST>(*self, pair, workspace, query, &mut monitor, found);
            return monitor.finish(transforms, query, cache);
        }
        #[cfg(feature = "parallel")]
        if edge_parts::are_worth_it(pair, query) {
            let mut monitor = Monitor::always(deadline);
            let transforms = two_phases::run(*self, pair, workspace, FIRST, &mut monitor, found);
            return monitor.finish(transforms, query, cache);
        }
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            let _ = self.run(pair, workspace, &mut (), found);
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            let _ = self.run(pair, workspace, &mut monitor, found);
        }
        let transforms = workspace.transforms();
        monitor.finish(transforms, query, cache)
    }

    /// The search by what the last query showed.
    fn search_coherently(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        let mut monitor = Monitor::always(deadline);
        let workspace: &mut Workspace = cache.get_or_default();
        let versions = pair.map(|placed| placed.model().version());
        let (mut last, _) = { workspace.last.take() }
            .filter(|(_, of)| *of == versions)
            .unwrap_or_else(|| (LastQuery::default(), versions));
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
                    // A relaxed search may miss what is near: it shows no gap.
                    let within = if self.relaxed { 0.0 } else { within };
                    self.each_candidate(pair, within, workspace, work, |_, _, hit| {
                        visit(hit.key(), hit.triangle as u32)
                    })?;
                    if self.relaxed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
        }
        workspace.last = Some((last, versions));
        let transforms = workspace.transforms();
        monitor.finish(transforms, query, cache)
    }

    /// Both phases, until `found` or `work` breaks.
    fn run(
        self,
        pair: [Placed<'_>; 2],
        workspace: &mut Workspace,
        work: &mut impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_candidate(pair, 0.0, workspace, work, |segment, corners, hit| {
            let meets = segment_intersects_triangle(segment, corners);
            if meets { found(hit) } else { ControlFlow::Continue(()) }
        })
    }

    /// Shows `visit` the edges and triangles that the pre-checks leave of those that may be `within` a distance, with their
    /// corners, in both phases.
    fn each_candidate(
        self,
        [a, b]: [Placed<'_>; 2],
        within: f64,
        workspace: &mut Workspace,
        work: &mut impl Counter,
        mut visit: impl FnMut(&[[f64; 3]; 2], &[[f64; 3]; 3], EdgeHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(region) = common_region([a, b], within, work) else {
            return ControlFlow::Continue(());
        };
        for edge_of_b in [false, true] {
            Phase { options: self, a, b, region, within, edge_of_b }
                .visit(workspace, work, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// The first edge and face whose boxes overlap, as far as `options` look at boxes: what the pre-checks leave (Zachmann
    /// 1994, 3.2.1, "returning after pre-checks").
    pub(super) fn suspects(
        self,
        [a, b]: [Placed<'_>; 2],
        cache: &mut PairCache,
        monitor: &mut Monitor,
    ) -> (Option<EdgeHit>, u64) {
        let workspace: &mut Workspace = cache.get_or_default();
        workspace.place([a, b]);
        let mut first = None;
        let _ = self.each_candidate([a, b], 0.0, workspace, monitor, |_, _, suspects| {
            first = Some(suspects);
            ControlFlow::Break(())
        });
        (first, workspace.transforms())
    }
}

/// The region that the boxes of two models share, each enlarged by a distance.
fn common_region(pair: [Placed<'_>; 2], within: f64, work: &mut impl Counter) -> Option<Aabb> {
    work.volumes(1);
    let [a, b] = pair.map(|placed| widened(placed.world_box(), within));
    let region = a.intersection(&b);
    (!region.is_empty()).then_some(region)
}

/// A box on whose border everything within a distance ends.
#[inline(always)]
fn widened(bounds: Aabb, within: f64) -> Aabb {
    if within > 0.0 { bounds.expanded(within) } else { bounds }
}

/// The edges of one model against the faces of the other.
#[derive(Clone, Copy)]
struct Phase<'p> {
    options: Arbitrary,
    a: Placed<'p>,
    b: Placed<'p>,
    region: Aabb,
    /// How far apart an edge and a face may be to be shown.
    within: f64,
    /// Whether the edges are those of `b`.
    edge_of_b: bool,
}

impl Phase<'_> {
    /// Shows `found` the edges and triangles that meet.
    #[cfg(feature = "parallel")]
    fn run(
        self,
        workspace: &mut Workspace,
        work: &mut impl Counter,
        mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit(workspace, work, |segment, corners, hit| {
            let meets = segment_intersects_triangle(segment, corners);
            if meets { found(hit) } else { ControlFlow::Continue(()) }
        })
    }

    /// Shows `visit` the edges and triangles that the pre-checks leave, with their corners.
    #[inline]
    fn visit(
        self,
        workspace: &mut Workspace,
        work: &mut impl Counter,
        mut visit: impl FnMut(&[[f64; 3]; 2], &[[f64; 3]; 3], EdgeHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { options, a, b, ref region, within, edge_of_b } = self;
        let Workspace { a: world_a, b: world_b, candidates, .. } = workspace;
        let (edges_of, edge_world, faces_of, face_world) =
            if edge_of_b { (b, world_b, a, world_a) } else { (a, world_a, b, world_b) };
        candidates.collect(options, faces_of, face_world, (region, within), work);
        let edges = EdgeList::of(edges_of.model());
        for (edge, listed) in edges.edges().iter().enumerate() {
            if work.go_on().is_break() {
                // If these are the edges of the first model, those of the second are left as well.
                let others = if edge_of_b { 0 } else { EdgeList::of(b.model()).edges().len() };
                work.left(edges.edges().len() - edge + others, || {
                    let segment = listed.ends.map(|end| edge_world.position(edges_of, end));
                    next_triangles(
                        [edges_of, faces_of],
                        edge_of_b,
                        edge,
                        candidates.first(&segment),
                    )
                });
                return ControlFlow::Break(());
            }
            let segment = listed.ends.map(|end| edge_world.position(edges_of, end));
            if options.edge_object_box {
                work.volumes(1);
                if outside(&segment, region) {
                    continue;
                }
            }
            for index in candidates.run(&segment) {
                let (face, collected) = candidates.get(index);
                if options.edge_face_box {
                    work.volumes(1);
                    let bounds = match collected {
                        Some(bounds) => *bounds,
                        None => widened(face_world.face_box(faces_of, face), within),
                    };
                    if outside(&segment, &bounds) {
                        continue;
                    }
                }
                for triangle in faces_of.model().triangulation().triangles_of(face) {
                    work.primitives(1);
                    let corners = face_world.triangle(faces_of, triangle);
                    visit(&segment, &corners, EdgeHit { edge_of_b, edge, triangle })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A triangle of each model: one at the edge that would have been tested next, and one of a face that it would have been tested
/// against, or of the first face.
fn next_triangles(
    [edges_of, faces_of]: [Placed<'_>; 2],
    edge_of_b: bool,
    edge: usize,
    face: Option<FaceId>,
) -> Option<(u32, u32)> {
    let first = |placed: Placed<'_>, face| {
        placed.model().triangulation().triangles_of(face).next().map(|triangle| triangle as u32)
    };
    let of_edge = first(edges_of, EdgeList::of(edges_of.model()).faces(edge)[0])?;
    let of_face = first(faces_of, face.unwrap_or(FaceId::from_index(0)))?;
    Some(if edge_of_b { (of_face, of_edge) } else { (of_edge, of_face) })
}

/// Whether a segment's box has no point in common with `bounds`, without building the segment's
/// box (Zachmann 1994, 7.3.3).
#[inline]
fn outside([start, end]: &[[f64; 3]; 2], bounds: &Aabb) -> bool {
    (0..3).any(|axis| {
        let (s, e) = (start[axis], end[axis]);
        (s < bounds.min[axis] && e < bounds.min[axis])
            || (s > bounds.max[axis] && e > bounds.max[axis])
    })
}
