//! Edges spread over any number of threads (Zachmann 1994, 6.3.1: fine grain).
//!
//! "The whole collision check can be distributed on many processes by assigning each of them a certain portion of the edge
//! array. [...] We can parallelize even more: the calculation of world coordinates of vertices and normals can be distributed
//! in a similar fashion." There are three stages, each of which ends before the next begins: world coordinates, the collect
//! phases, and both phases of tests, cut into chunks of edges in the order of the search. Threads take the next chunk when
//! they have finished one, as edges close to each other in the array are close in space, and most chunks end quickly.
//! Nothing is written but the results of chunks, so no lock is needed.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_bvh::Counter;
use xcollide_bvh::wide::Visit;
use xcollide_predicates::segment_intersects_triangle;

use super::{
    Arbitrary, Candidates, EdgeHit, EdgeList, Workspace, common_region, next_triangles, outside,
};
use crate::classic::vertex_cache::WorldGeometry;
use crate::hierarchy::parallel_traversal::{PartedSearch, Parts};
use crate::hierarchy::work::Monitor;
use crate::parallel_for::{helpers, map_in_order};
use crate::{Placed, Query};

/// With fewer faces, both models together, the search ends before another thread wakes up.
const FACES: usize = 250;

/// Whether a pair has work for several threads.
pub(super) fn are_worth_it(pair: [Placed<'_>; 2], query: &Query) -> bool {
    let faces = pair.map(|placed| placed.model().mesh().face_count());
    helpers(query.grain) > 0 && faces[0] + faces[1] >= FACES
}

/// Edges of a chunk: most are outside of the common region and take a few nanoseconds.
const CHUNK: usize = 128;

/// Faces of a piece of the collect phase: some 10 µs.
const PIECE: usize = 512;

/// Shows what one thread would show, and tests the same. Returns the transforms: all vertices of both models.
pub(super) fn run<const FIRST: bool>(
    options: Arbitrary,
    pair: [Placed<'_>; 2],
    workspace: &mut Workspace,
    query: &Query,
    monitor: &mut Monitor,
    mut found: impl FnMut(EdgeHit) -> ControlFlow<()>,
) -> u64 {
    let [a, b] = pair;
    if monitor.in_time().is_break() {
        return 0;
    }
    let Some(region) = common_region(pair, 0.0, monitor) else { return 0 };
    let helpers = helpers(query.grain);
    workspace.a.complete(a, helpers);
    workspace.b.complete(b, helpers);
    let [of_a, of_b] = pair.map(|placed| EdgeList::of(placed.model()));
    let faces_of_b = collect(options, b, &mut workspace.b, &region, helpers, monitor);
    let faces_of_a = collect(options, a, &mut workspace.a, &region, helpers, monitor);
    let (world_a, world_b) = (&workspace.a, &workspace.b);
    let phases = [
        Phase { edges: of_a, edge_world: world_a, of: b, face_world: world_b, faces: faces_of_b },
        Phase { edges: of_b, edge_world: world_b, of: a, face_world: world_a, faces: faces_of_a },
    ];
    let chunks = phases.each_ref().map(|phase| phase.edges.edges().len().div_ceil(CHUNK));
    let search = EdgeChunks { options, region, phases: &phases, chunks };
    let search = PartedSearch::new(search, helpers);
    let meets = |key, triangle| {
        let EdgeHit { edge_of_b, edge, triangle } = EdgeHit::of_key(key, triangle);
        let phase = &phases[usize::from(edge_of_b)];
        segment_intersects_triangle(&phase.segment(edge), &phase.triangle(triangle))
    };
    if FIRST {
        if let Some((key, triangle)) = search.first(monitor, meets) {
            let _ = found(EdgeHit::of_key(key, triangle));
        }
    } else {
        search.all(monitor, meets, |key, triangle| found(EdgeHit::of_key(key, triangle)));
    }
    workspace.transforms()
}

/// The collect phase, of which the relaxed one is not shared.
fn collect(
    options: Arbitrary,
    placed: Placed<'_>,
    world: &mut WorldGeometry,
    region: &Aabb,
    helpers: usize,
    monitor: &mut Monitor,
) -> Candidates {
    let mut candidates = Candidates::default();
    if options.relaxed || !options.collect {
        candidates.collect(options, placed, world, (region, 0.0), monitor);
        return candidates;
    }
    let all = placed.model().mesh().face_count();
    candidates.all = all;
    monitor.volumes(all as u64);
    let world = &*world;
    let pieces = map_in_order(all.div_ceil(PIECE), helpers, 4, |number| {
        let faces = number * PIECE..((number + 1) * PIECE).min(all);
        let boxes =
            faces.map(FaceId::from_index).map(|face| (world.known_face_box(placed, face), face));
        boxes.filter(|(bounds, _)| bounds.overlaps(region)).collect::<Vec<_>>()
    });
    candidates.order(options, region, pieces.concat());
    candidates
}

/// The edges of one model against the faces of the other.
struct Phase<'a> {
    edges: &'a EdgeList,
    edge_world: &'a WorldGeometry,
    of: Placed<'a>,
    face_world: &'a WorldGeometry,
    faces: Candidates,
}

impl Phase<'_> {
    #[inline]
    fn segment(&self, edge: usize) -> [[f64; 3]; 2] {
        self.edges.edges()[edge].ends.map(|end| self.edge_world.known_position(end))
    }

    #[inline]
    fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let corners = self.of.model().triangulation().triangles()[triangle];
        corners.map(|corner| self.face_world.known_position(corner))
    }
}

/// Both phases in chunks of edges. Candidates are [keys](EdgeHit::key) of edges, and triangles.
struct EdgeChunks<'a> {
    options: Arbitrary,
    region: Aabb,
    phases: &'a [Phase<'a>; 2],
    chunks: [usize; 2],
}

impl Parts for EdgeChunks<'_> {
    fn count(&self) -> usize {
        self.chunks[0] + self.chunks[1]
    }

    fn search(&self, number: usize, work: &mut impl Counter, mut visit: impl Visit) {
        let edge_of_b = number >= self.chunks[0];
        let chunk = if edge_of_b { number - self.chunks[0] } else { number };
        let phase = &self.phases[usize::from(edge_of_b)];
        let all = phase.edges.edges().len();
        let end = ((chunk + 1) * CHUNK).min(all);
        for edge in chunk * CHUNK..end {
            if self.search_edge(phase, edge_of_b, edge, work, &mut visit).is_break() {
                // If it was the time that ended the part.
                work.left(end - edge, || {
                    let edges_of = self.phases[usize::from(!edge_of_b)].of;
                    let face = phase.faces.first(&phase.segment(edge));
                    next_triangles([edges_of, phase.of], edge_of_b, edge, face)
                });
                return;
            }
        }
    }
}

impl EdgeChunks<'_> {
    #[inline]
    fn search_edge(
        &self,
        phase: &Phase<'_>,
        edge_of_b: bool,
        edge: usize,
        work: &mut impl Counter,
        visit: &mut impl Visit,
    ) -> ControlFlow<()> {
        work.go_on()?;
        let segment = phase.segment(edge);
        if self.options.edge_object_box {
            work.volumes(1);
            if outside(&segment, &self.region) {
                return ControlFlow::Continue(());
            }
        }
        for index in phase.faces.run(&segment) {
            let (face, collected) = phase.faces.get(index);
            if self.options.edge_face_box {
                work.volumes(1);
                let bounds = match collected {
                    Some(bounds) => *bounds,
                    None => phase.face_world.known_face_box(phase.of, face),
                };
                if outside(&segment, &bounds) {
                    continue;
                }
            }
            for triangle in phase.of.model().triangulation().triangles_of(face) {
                work.primitives(1);
                let key = EdgeHit { edge_of_b, edge, triangle }.key();
                visit.pair(key, triangle as u32)?;
            }
        }
        ControlFlow::Continue(())
    }
}
