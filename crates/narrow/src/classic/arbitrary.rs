//! Arbitrary polyhedra: every edge of each against every polygon of the other (Zachmann 1994,
//! 3.2 and 3.2.1).
//!
//! Two polygons meet if and only if an edge of one meets the other, so this answers for any
//! soup. It is O(n · m) at heart; the thesis's pre-checks cut the constant by an order of
//! magnitude:
//!
//! 1. *edge box against object box*: an edge outside the other object's box meets nothing;
//! 2. *edge box against face box*;
//! 3. *face collect phase*: first one pass that collects the faces in the common region;
//! 4. *relaxed collect phase*: collect a face only if one of its vertices is in the region. Faster
//!    for many small faces, but may miss a large one: a biased algorithm of its own,
//!    [`Arbitrary::relaxed`].
//!
//! Ours in addition: collected faces are *ordered* along the region's longest axis, so that an
//! edge looks only at the run of faces that can reach it.
//!
//! Everything is evaluated lazily and at most once a placement: world positions and face boxes
//! carry stamps (7.3.1, `vertex_cache`).
//!
//! The two phases, edges of the first model and edges of the second, can be run at the same time
//! (6.3.2, `two_phases`).

#[cfg(feature = "parallel")]
mod two_phases;

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_brep::{FaceId, Topology};
use xcollide_predicates::segment_intersects_triangle;

use super::edge_hit::EdgeHit;
use super::edges::EdgeList;
use super::vertex_cache::WorldGeometry;
use crate::containment::conclude;
use crate::pair_search::{End, PairSearch};
use crate::query::Deadline;
use crate::query::stats::{Count, Uncounted};
use crate::{
    Bias, Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason,
    Stats, Verdict,
};

/// The algorithm for arbitrary polyhedra, with the thesis's pre-checks as options.
///
/// Exact for any two models, except with [`Collect::Relaxed`].
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::Arbitrary;
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
    /// Which faces to collect in a pre-phase.
    pub collect: Collect,
    /// Order the collected faces along an axis. Needs a collect phase.
    pub ordered: bool,
}

/// What the pre-phase collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collect {
    /// There is no pre-phase: all faces are candidates.
    Off,
    /// The faces whose boxes overlap the common region.
    Boxes,
    /// The faces that have a vertex in the common region, found by walking round the vertices.
    /// Needs models that are closed and manifold. May miss contacts, never invents one.
    Relaxed,
}

impl Default for Arbitrary {
    /// All pre-checks that keep the answer exact.
    fn default() -> Self {
        Self { edge_object_box: true, edge_face_box: true, collect: Collect::Boxes, ordered: true }
    }
}

impl Arbitrary {
    /// No pre-checks at all: the algorithm as it is first stated in 3.2.
    #[must_use]
    pub fn plain() -> Self {
        Self { edge_object_box: false, edge_face_box: false, collect: Collect::Off, ordered: false }
    }

    /// The biased variant with the relaxed collect phase (3.2.1).
    #[must_use]
    pub fn relaxed() -> Self {
        Self { collect: Collect::Relaxed, ..Self::default() }
    }

    fn is_relaxed(self) -> bool {
        self.collect == Collect::Relaxed
    }
}

const CLOSED_MANIFOLD: Topology =
    Topology::CLOSED.union(Topology::MANIFOLD_EDGES).union(Topology::MANIFOLD_VERTICES);

impl NarrowPhase for Arbitrary {
    fn name(&self) -> &'static str {
        if self.is_relaxed() { "arbitrary-relaxed" } else { "arbitrary" }
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        !self.is_relaxed() || (a.contains(CLOSED_MANIFOLD) && b.contains(CLOSED_MANIFOLD))
    }

    fn guarantee(&self) -> Guarantee {
        if self.is_relaxed() { Guarantee::Misses } else { Guarantee::Exact }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if !self.accepts(model.topology(), model.topology()) {
            let algorithm = self.name();
            return Err(PrepareError::NotAccepted { algorithm, needed: "closed and manifold" });
        }
        EdgeList::of(model);
        Ok(())
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<EdgeList>()?.bytes())
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

/// How a phase ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PhaseEnd {
    /// All that could meet was tested.
    Complete,
    /// The visitor broke off.
    Stopped,
    OutOfTime,
}

/// What is kept with a pair.
#[derive(Default)]
struct Workspace {
    a: WorldGeometry,
    b: WorldGeometry,
    candidates: Candidates,
    /// Of the second phase, where it runs beside the first.
    second: Option<Box<Workspace>>,
}

impl Workspace {
    fn place(&mut self, a: Placed<'_>, b: Placed<'_>) {
        self.a.place(a);
        self.b.place(b);
    }

    fn transforms(&self) -> u64 {
        self.a.transforms() + self.b.transforms()
    }
}

/// The edges of one model against the faces of the other.
#[derive(Clone, Copy)]
struct Phase<'p> {
    options: Arbitrary,
    a: Placed<'p>,
    b: Placed<'p>,
    /// Where both are.
    region: &'p Aabb,
    /// Whether the edges are those of `b`.
    edge_of_b: bool,
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
        let workspace = cache.get_or_default();
        let deadline = deadline.clone();
        if !query.stats {
            let count = &mut Uncounted;
            return self.run::<_, FIRST>(pair, query, workspace, deadline, count, found);
        }
        let mut stats = Stats::default();
        let end = self.run::<_, FIRST>(pair, query, workspace, deadline, &mut stats, found);
        stats.transforms += workspace.transforms();
        cache.set_stats(stats);
        end
    }

    fn may_miss(&self) -> bool {
        self.is_relaxed()
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        _: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let verdict = |deadline| conclude(a, b, query, deadline);
        if !self.is_relaxed() || !a.world_box().overlaps(&b.world_box()) {
            return verdict(deadline);
        }
        if !self.accepts(a.model().topology(), b.model().topology()) {
            return Verdict::Undecided(Reason::NotAccepted);
        }
        // Where the relaxed search missed a contact a vertex inside the other body is still one.
        match verdict(deadline) {
            Verdict::Apart(_) => Verdict::Undecided(Reason::Biased(Bias::Apart)),
            verdict => verdict,
        }
    }
}

impl Arbitrary {
    fn run<C: Count, const FIRST: bool>(
        self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        workspace: &mut Workspace,
        mut deadline: Deadline,
        count: &mut C,
        mut visit: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> End {
        workspace.place(a, b);
        count.volume_test();
        let region = a.world_box().intersection(&b.world_box());
        if region.is_empty() {
            return End::Done;
        }
        let of_a = Phase { options: self, a, b, region: &region, edge_of_b: false };
        let of_b = Phase { edge_of_b: true, ..of_a };
        #[cfg(feature = "parallel")]
        if two_phases::are_worth_it(a, b, query) {
            let phases = [of_a, of_b];
            return two_phases::run(phases, workspace, FIRST, deadline, count, visit).into();
        }
        let _ = query;
        for phase in [of_a, of_b] {
            let passed = || deadline.passed();
            let end = phase.run(workspace, passed, count, &mut visit);
            if end != PhaseEnd::Complete {
                return end.into();
            }
        }
        End::Done
    }
}

impl From<PhaseEnd> for End {
    fn from(end: PhaseEnd) -> Self {
        if end == PhaseEnd::OutOfTime { Self::OutOfTime } else { Self::Done }
    }
}

impl Phase<'_> {
    fn run<C: Count>(
        self,
        workspace: &mut Workspace,
        mut passed: impl FnMut() -> bool,
        count: &mut C,
        mut visit: impl FnMut(EdgeHit) -> ControlFlow<()>,
    ) -> PhaseEnd {
        let Self { options, a, b, region, edge_of_b } = self;
        let Workspace { a: world_a, b: world_b, candidates, .. } = workspace;
        let (edges_of, edge_world, faces_of, face_world) =
            if edge_of_b { (b, world_b, a, world_a) } else { (a, world_a, b, world_b) };
        candidates.collect(options, faces_of, face_world, region, count);
        let edges = EdgeList::of(edges_of.model());
        for (edge, listed) in edges.edges().iter().enumerate() {
            if passed() {
                return PhaseEnd::OutOfTime;
            }
            let segment = listed.ends.map(|end| edge_world.position(edges_of, end));
            if options.edge_object_box {
                count.volume_test();
                if outside(&segment, region) {
                    continue;
                }
            }
            for index in candidates.run(&segment) {
                let face = candidates.face(index);
                if options.edge_face_box {
                    count.volume_test();
                    let bounds = match candidates.bounds(index) {
                        Some(bounds) => *bounds,
                        None => face_world.face_box(faces_of, face),
                    };
                    if outside(&segment, &bounds) {
                        continue;
                    }
                }
                for triangle in faces_of.model().triangulation().triangles_of(face) {
                    count.primitive_test();
                    let corners = face_world.triangle(faces_of, triangle);
                    if segment_intersects_triangle(&segment, &corners)
                        && visit(EdgeHit { edge_of_b, edge, triangle }).is_break()
                    {
                        return PhaseEnd::Stopped;
                    }
                }
            }
        }
        PhaseEnd::Complete
    }
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

/// The faces that edges are tested against.
#[derive(Default)]
struct Candidates {
    /// How many faces there are where none were collected.
    all: usize,
    /// Collected faces with their boxes; in ascending order of `min[axis]` where ordered.
    collected: Option<Vec<(Aabb, FaceId)>>,
    /// For each collected face the largest `max[axis]` up to it. Empty where not ordered.
    reach: Vec<f64>,
    axis: usize,
    /// Which faces were collected already; used by the relaxed phase.
    seen: Vec<bool>,
}

impl Candidates {
    /// The collect phase.
    fn collect<C: Count>(
        &mut self,
        options: Arbitrary,
        placed: Placed<'_>,
        world: &mut WorldGeometry,
        region: &Aabb,
        count: &mut C,
    ) {
        self.all = placed.model().mesh().face_count();
        self.reach.clear();
        let mut collected = self.collected.take().unwrap_or_default();
        collected.clear();
        match options.collect {
            Collect::Off => return,
            Collect::Boxes => {
                for face in (0..self.all).map(FaceId::from_index) {
                    count.volume_test();
                    let bounds = world.face_box(placed, face);
                    if bounds.overlaps(region) {
                        collected.push((bounds, face));
                    }
                }
            }
            Collect::Relaxed => self.collect_relaxed(placed, world, region, count, &mut collected),
        }
        if options.ordered {
            self.axis = region.longest_axis();
            let axis = self.axis;
            collected.sort_by(|s, t| s.0.min[axis].total_cmp(&t.0.min[axis]).then(s.1.cmp(&t.1)));
            let mut farthest = f64::NEG_INFINITY;
            self.reach.extend(collected.iter().map(|(bounds, _)| {
                farthest = farthest.max(bounds.max[axis]);
                farthest
            }));
        }
        self.collected = Some(collected);
    }

    /// Collects the faces round every vertex in the region.
    fn collect_relaxed<C: Count>(
        &mut self,
        placed: Placed<'_>,
        world: &mut WorldGeometry,
        region: &Aabb,
        count: &mut C,
        collected: &mut Vec<(Aabb, FaceId)>,
    ) {
        self.seen.clear();
        self.seen.resize(self.all, false);
        for &vertex in placed.model().used_vertices() {
            count.volume_test();
            if !region.contains(world.position(placed, vertex)) {
                continue;
            }
            for face in placed.model().brep().dcel().vertex_faces(vertex) {
                if !std::mem::replace(&mut self.seen[face.index()], true) {
                    collected.push((world.face_box(placed, face), face));
                }
            }
        }
    }

    /// The candidates that a segment may meet.
    #[inline]
    fn run(&self, [start, end]: &[[f64; 3]; 2]) -> std::ops::Range<usize> {
        let Some(collected) = &self.collected else { return 0..self.all };
        if self.reach.is_empty() {
            return 0..collected.len();
        }
        let (s, e) = (start[self.axis], end[self.axis]);
        let (low, high) = if s < e { (s, e) } else { (e, s) };
        let first = self.reach.partition_point(|&reach| reach < low);
        let run = &collected[first..];
        first..first + run.partition_point(|(bounds, _)| bounds.min[self.axis] <= high)
    }

    #[inline]
    fn face(&self, index: usize) -> FaceId {
        self.collected.as_ref().map_or_else(|| FaceId::from_index(index), |list| list[index].1)
    }

    #[inline]
    fn bounds(&self, index: usize) -> Option<&Aabb> {
        self.collected.as_ref().map(|list| &list[index].0)
    }
}
