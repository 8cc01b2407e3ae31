//! Models as hierarchies of convex pieces.
//!
//! I-COLLIDE (3.4) and Chung (1996, 5.6) represent a concave object as a tree whose leaves are convex
//! pieces: two trees are descended together, and a convex algorithm tests pieces whose bounds overlap.
//! Here
//!
//! - pieces that **cover the surface** prove *apart*: if a plane separates each piece of one model from
//!   each piece of the other, no two triangles meet. Then the usual test decides whether one body contains
//!   the other ([`point_in_polyhedron`](crate::point_in_polyhedron)).
//! - a point deep enough in two pieces that are **part of the bodies** proves *collides*: pieces of
//!   [unions](Pieces::union), and pieces of a [decomposition](Pieces::decompose) into which the surface
//!   does not reach far. That depth is measured once. Other pieces prove no contact.
//! - the triangles decide everything else.
//!
//! So answers are exact for any model and any pieces. The first query makes the [`Pieces`] if the
//! application did not.

mod concavity;
mod cut;
mod decomposition;
mod pieces;
mod plane;
mod point_distance;

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bvh::binary::OverlapVisitor;
use xcollide_bvh::binary::PairTraversal;
use xcollide_convex::{Body, HybridSearch, Pair, Search, SearchResult};

use crate::containment::conclude;
use crate::formula::refusal;
use crate::hierarchy::work::Monitor;
use crate::mesh::Wide;
use crate::pair_search::Left;
use crate::query::Deadline;
use crate::{
    Model, ModelVersion, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Reason,
    Semantics, Stats, Verdict, Witness, nearest_point,
};

pub use decomposition::DecompositionOptions;
pub use pieces::{Pieces, PiecesError};

/// Tests convex pieces in hierarchies, each pair of pieces with its own memory; if the pieces do not
/// decide, the exact test does.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::compound::{Compound, Pieces};
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let cuboid = |min: [f64; 3], max: [f64; 3]| -> Result<Model, xcollide_brep::MeshError> {
/// #     let at = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { min[k] } else { max[k] });
/// #     let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
/// #     Model::from_mesh(PolygonMesh::from_polygons((0..8).map(at).collect(), faces)?)
/// # };
/// // A corner of two walls.
/// let walls = [cuboid([0.0; 3], [4.0, 1.0, 1.0])?, cuboid([0.0; 3], [1.0, 4.0, 1.0])?];
/// let corner = Pieces::union(&walls)?;
/// let ball = cuboid([-0.5; 3], [0.5; 3])?;
/// let a = Placed::new(&corner, &Pose::IDENTITY)?;
/// for (x, expected) in [(2.0, false), (1.25, true), (0.5, true)] {
///     let pose_b = Pose::from_translation([x, 2.0, 0.5]);
///     let b = Placed::new(&ball, &pose_b)?;
///     let verdict = Compound.test(a, b, &Query::new(), &mut PairCache::new());
///     assert_eq!(verdict.is_collision(), expected);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compound;

const NAME: &str = "compound";

impl NarrowPhase for Compound {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = Pieces::of(model);
        Wide::new().prepare(model)
    }

    /// The bytes of the pieces and of [`Wide`], the fallback.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let pieces = model.already_prepared::<Pieces>()?;
        Some(pieces.bytes() + Wide::new().prepared_bytes(model)?)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        if let Some(refusal) = refusal([a, b]) {
            return refusal;
        }
        let deadline = Deadline::of(query, cache);
        let mut search = PieceSearch { placed: [a, b], query, deadline, stats: Stats::default() };
        let found = search.run(cache.get_or_default());
        let mut stats = search.stats;
        let verdict = match found {
            Found::OutOfTime => Verdict::Undecided(Reason::OutOfTime),
            Found::Unfinished(reason) => Verdict::Undecided(reason),
            Found::Common(point) => Verdict::Collides(Witness::common(point)),
            Found::Apart => conclude(a, b, query, &mut search.deadline),
            Found::Unsure => {
                let verdict = Wide::new().test(a, b, query, cache);
                stats += cache.stats();
                stats.fallbacks = 1;
                verdict
            }
        };
        if query.stats {
            cache.set_stats(stats);
        }
        verdict
    }
}

/// The memory of a pair of pieces.
type PieceMemory = <HybridSearch as Search>::Memory;

/// The memory of a pair of models.
#[derive(Default)]
struct Memory {
    known: Option<[(ModelVersion, Arc<Pieces>); 2]>,
    /// The memories of the tested pairs of pieces, ascending.
    pairs: Vec<([u32; 2], PieceMemory)>,
    /// Those of the next query.
    next: Vec<([u32; 2], PieceMemory)>,
    /// The pieces that met last.
    contact: Option<[u32; 2]>,
}

/// The result of a search by pieces.
enum Found {
    Apart,
    Common([f64; 3]),
    Unsure,
    OutOfTime,
    /// Pairs of pieces, or of nodes above them, were left.
    Unfinished(Reason),
}

/// A query of two models by their pieces.
struct PieceSearch<'a> {
    placed: [Placed<'a>; 2],
    query: &'a Query,
    deadline: Deadline,
    stats: Stats,
}

impl PieceSearch<'_> {
    fn run(&mut self, memory: &mut Memory) -> Found {
        if self.deadline.passed() {
            return Found::OutOfTime;
        }
        let models = self.placed.map(|placed| placed.model());
        let same = |known: &[(ModelVersion, Arc<Pieces>); 2]| {
            known[0].0 == models[0].version() && known[1].0 == models[1].version()
        };
        if !memory.known.as_ref().is_some_and(same) {
            *memory = Memory::default();
        }
        let known = memory
            .known
            .get_or_insert_with(|| models.map(|model| (model.version(), Pieces::of(model))));
        let pieces = [known[0].1.clone(), known[1].1.clone()];
        let [Some(tree_a), Some(tree_b)] = [pieces[0].tree(), pieces[1].tree()] else {
            return Found::Unsure;
        };
        memory.next.clear();
        if let Some(pair) = memory.contact.take()
            && let Some(found) = self.test_pieces(&pieces, pair, memory)
        {
            return found;
        }
        let poses = self.placed.each_ref().map(Placed::pose);
        let mut monitor = Monitor::always(&self.deadline);
        let mut found = Found::Apart;
        let _ = PairTraversal::new((tree_a, poses[0]), (tree_b, poses[1]))
            .counting(&mut monitor)
            .visit(&mut OverlapVisitor(|i, j| {
                let Some(other) = self.test_pieces(&pieces, [i, j], memory) else {
                    return ControlFlow::Continue(());
                };
                found = other;
                ControlFlow::Break(())
            }));
        self.stats.volume_tests += monitor.stats.volume_tests;
        if monitor.out_of_time {
            found = self.unfinished(&pieces, monitor.left);
        }
        memory.next.sort_unstable_by_key(|&(pair, _)| pair);
        std::mem::swap(&mut memory.pairs, &mut memory.next);
        found
    }

    /// The verdict if the time is over before all pairs of pieces are tested: how many are left, and of the next pair a face near
    /// each piece.
    #[cold]
    fn unfinished(&self, pieces: &[Arc<Pieces>; 2], left: Option<Left>) -> Found {
        let near = |side: usize, piece: u32| {
            let vertex = pieces[side].piece(piece).polytope.positions().first()?;
            let placed = self.placed[side];
            nearest_point(placed, placed.pose().apply(*vertex)).ok()?.triangle
        };
        let triangles = left.and_then(|Left { parts, triangles: [i, j] }| {
            Some(Left { parts, triangles: [near(0, i)?, near(1, j)?] })
        });
        triangles.map_or(Found::OutOfTime, |left| Found::Unfinished(left.reason(self.placed)))
    }

    /// Tests two pieces; `None` if they are apart.
    fn test_pieces(
        &mut self,
        pieces: &[Arc<Pieces>; 2],
        pair: [u32; 2],
        memory: &mut Memory,
    ) -> Option<Found> {
        let [a, b] = [0, 1].map(|k| &*pieces[k].piece(pair[k]).polytope);
        let poses = self.placed.each_ref().map(Placed::pose);
        let bodies = [Body::new(a, poses[0]), Body::new(b, poses[1])];
        let at = memory.pairs.binary_search_by_key(&pair, |&(pair, _)| pair);
        let mut of_pair = at.map_or_else(|_| PieceMemory::default(), |at| memory.pairs[at].1);
        let beyond = pieces[0].beyond(&bodies[0]) + pieces[1].beyond(&bodies[1]);
        let [of_a, of_b] = bodies;
        let mut bodies = Pair::new(of_a, of_b);
        let result = HybridSearch.search(&mut bodies, &mut of_pair);
        self.stats.probes += bodies.probes();
        if let Ok(at) = at {
            memory.pairs[at].1 = of_pair;
        }
        memory.next.push((pair, of_pair));
        match result {
            SearchResult::Separated(plane)
                if beyond == 0.0 || bodies.is_wider(plane.normal, beyond) =>
            {
                None
            }
            SearchResult::Intersecting(point) => {
                memory.contact = Some(pair);
                let solid = self.query.semantics == Semantics::Solid;
                let both = a.solidity().is_some() && b.solidity().is_some();
                Some(if solid && both { Found::Common(point) } else { Found::Unsure })
            }
            _ => Some(Found::Unsure),
        }
    }
}

#[cfg(test)]
mod tests {
    use xcollide_brep::PolygonMesh;

    use super::*;
    use crate::{Pose, proximity};

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// The union of forty bars, some way apart.
    fn comb() -> Result<Model, Box<dyn std::error::Error>> {
        let (corners, faces) = xcollide_fixtures::cube();
        let bar = |n: u32| {
            let at = corners.map(|[x, y, z]| [f64::from(n) + 0.3 * x, y, z]);
            Model::from_mesh(PolygonMesh::from_polygons(at.to_vec(), faces)?)
        };
        let bars: Result<Vec<_>, _> = (0..40).map(bar).collect();
        Ok(Pieces::union(&bars?)?)
    }

    /// Two interlocking combs: wherever the search is stopped, its bound holds, and the later it stops, the fewer pairs are left.
    #[test]
    fn pairs_of_pieces_that_were_left_are_told() -> Outcome {
        let comb = comb()?;
        let query = Query::new();
        // Apart by 0.2, and turned until teeth meet.
        for (turn, is_apart) in [(0.0, true), (0.3, false)] {
            let pose = Pose::from_axis_angle([0.0, 0.0, 1.0], turn, [0.5, 0.01, 0.25])?;
            let placed = [Placed::unmoved(&comb), Placed::new(&comb, &pose)?];
            let [a, b] = placed;
            let exact = proximity::distance(a, b, query.semantics).ok_or("no faces")?.value;
            assert_eq!(exact > 0.0, is_apart);
            let (mut told, mut steps) = (Vec::new(), 1);
            loop {
                let deadline = Deadline::after(steps);
                let stats = Stats::default();
                let mut search = PieceSearch { placed, query: &query, deadline, stats };
                match search.run(&mut Memory::default()) {
                    Found::Unfinished(reason @ Reason::Unfinished { near, parts }) => {
                        near.verify(a, b)?;
                        assert!(parts > 0 && exact <= near.at_most, "{reason:?}");
                        told.push(parts);
                    }
                    Found::Apart => break assert!(is_apart),
                    Found::Common(_) | Found::Unsure => break assert!(!is_apart),
                    Found::OutOfTime | Found::Unfinished(_) => panic!("{steps}"),
                }
                steps += 1;
            }
            let many = told.len() > 40 && told.iter().any(|&parts| parts > 3);
            assert!(told[0] == 1 && (many || !is_apart), "{told:?}");
        }
        Ok(())
    }
}
