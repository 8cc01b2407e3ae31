//! Models as hierarchies of convex pieces.
//!
//! I-COLLIDE (3.4) and Chung (1996, 5.6) represent a concave object as a tree whose leaves are convex
//! pieces: two trees are descended together, and a convex algorithm tests pieces whose bounds overlap.
//! Here
//!
//! - *apart* is proved by pieces that **cover the surface**: if a plane separates each piece of one model
//!   from each piece of the other, no two triangles meet. Whether one body lies in the other is tested
//!   as after any other search ([`point_in_polyhedron`](crate::point_in_polyhedron)).
//! - *collides* is proved by a point that is deep enough in two pieces that are **part of the bodies**:
//!   pieces of models that are [made of pieces](Pieces::union), and pieces of a
//!   [decomposition](Pieces::decompose) into which the surface does not reach far. That depth is
//!   measured once; what is deeper is in the body. Other pieces prove no contact.
//! - the triangles decide everything else.
//!
//! So the answers are exact for any model and any pieces; the pieces determine the time. The first
//! query makes the [`Pieces`] if the application did not.

mod concavity;
mod cut;
mod decomposition;
mod pieces;
mod plane;
mod point_distance;

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_brep::Topology;
use xcollide_bvh::Counts;
use xcollide_bvh::binary::OverlapVisitor;
use xcollide_bvh::binary::PairTraversal;
use xcollide_convex::{Body, HybridSearch, Pair, Search, SearchResult};

use crate::containment::conclude;
use crate::mesh::Wide;
use crate::query::Deadline;
use crate::{
    Feature, Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason,
    Semantics, Stats, Verdict, Witness,
};

pub use decomposition::DecompositionOptions;
pub use pieces::{Piece, Pieces, PiecesError};

/// Tests convex pieces in hierarchies, pair by pair, each pair with its own memory; the exact test
/// decides where the pieces do not.
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

/// The name of the algorithm.
const NAME: &str = "compound";

impl NarrowPhase for Compound {
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
        let _ = Pieces::of(model);
        Wide::new().prepare(model)
    }

    /// Of the pieces and of [`Wide`], which is asked where they do not know.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let pieces = model.already_prepared::<Pieces>()?;
        Some(pieces.bytes() + Wide::new().prepared_bytes(model)?)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut search = PieceSearch::new(a, b, query, cache);
        let memory: &mut Memory = cache.get_or_default();
        let found = search.run(memory);
        let mut stats = search.stats;
        let verdict = match found {
            Found::OutOfTime => Verdict::Undecided(Reason::OutOfTime),
            Found::Common(point) => {
                let body = Feature::Body;
                Verdict::Collides(Witness { a: body, b: body, point })
            }
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
    known: Option<[(Model, Arc<Pieces>); 2]>,
    /// The memories of the pairs of pieces that were tested, in ascending order.
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
}

/// A query of two models by their pieces.
struct PieceSearch<'a> {
    placed: [Placed<'a>; 2],
    query: &'a Query,
    deadline: Deadline,
    stats: Stats,
}

impl<'a> PieceSearch<'a> {
    fn new(a: Placed<'a>, b: Placed<'a>, query: &'a Query, cache: &PairCache) -> Self {
        let deadline = Deadline::of(query, cache);
        Self { placed: [a, b], query, deadline, stats: Stats::default() }
    }

    fn run(&mut self, memory: &mut Memory) -> Found {
        if self.deadline.passed() {
            return Found::OutOfTime;
        }
        let models = self.placed.map(|placed| placed.model());
        let same = |known: &[(Model, Arc<Pieces>); 2]| {
            known[0].0.is_same(models[0]) && known[1].0.is_same(models[1])
        };
        if !memory.known.as_ref().is_some_and(same) {
            *memory = Memory::default();
        }
        let known = memory
            .known
            .get_or_insert_with(|| models.map(|model| (model.clone(), Pieces::of(model))));
        let pieces = [known[0].1.clone(), known[1].1.clone()];
        let [Some(tree_a), Some(tree_b)] = [pieces[0].tree(), pieces[1].tree()] else {
            return Found::Unsure;
        };
        memory.next.clear();
        if let Some(pair) = memory.contact.take()
            && let Some(found) = self.ask(&pieces, pair, memory)
        {
            return found;
        }
        let motions = self.placed.each_ref().map(Placed::pose);
        let mut counts = Counts::default();
        let mut found = Found::Apart;
        let _ = PairTraversal::new((tree_a, motions[0]), (tree_b, motions[1]))
            .counting(&mut counts)
            .visit(&mut OverlapVisitor(|i, j| {
                if self.deadline.passed() {
                    found = Found::OutOfTime;
                    return ControlFlow::Break(());
                }
                match self.ask(&pieces, [i, j], memory) {
                    None => ControlFlow::Continue(()),
                    Some(other) => {
                        found = other;
                        ControlFlow::Break(())
                    }
                }
            }));
        self.stats.volume_tests += counts.volumes;
        memory.next.sort_unstable_by_key(|&(pair, _)| pair);
        std::mem::swap(&mut memory.pairs, &mut memory.next);
        found
    }

    /// Asks about two pieces; `None` where they are apart.
    fn ask(
        &mut self,
        pieces: &[Arc<Pieces>; 2],
        pair: [u32; 2],
        memory: &mut Memory,
    ) -> Option<Found> {
        let [a, b] = [0, 1].map(|k| &pieces[k].pieces()[pair[k] as usize]);
        let motions = self.placed.each_ref().map(Placed::pose);
        let bodies = [Body::new(a.polytope(), motions[0]), Body::new(b.polytope(), motions[1])];
        let at = memory.pairs.binary_search_by_key(&pair, |&(pair, _)| pair);
        let mut of_pair = at.map_or_else(|_| PieceMemory::default(), |at| memory.pairs[at].1);
        let beyond = pieces[0].beyond(&bodies[0]) + pieces[1].beyond(&bodies[1]);
        let [of_a, of_b] = bodies;
        let mut asked = Pair::new(of_a, of_b);
        let finding = HybridSearch.search(&mut asked, &mut of_pair);
        self.stats.probes += asked.probes();
        if let Ok(at) = at {
            memory.pairs[at].1 = of_pair;
        }
        memory.next.push((pair, of_pair));
        match finding {
            SearchResult::Separated(plane)
                if beyond == 0.0 || asked.is_wider(plane.normal, beyond) =>
            {
                None
            }
            SearchResult::Intersecting(point) => {
                memory.contact = Some(pair);
                let solid = self.query.semantics == Semantics::Solid;
                let both = a.is_part_of_body() && b.is_part_of_body();
                Some(if solid && both { Found::Common(point) } else { Found::Unsure })
            }
            _ => Some(Found::Unsure),
        }
    }
}
