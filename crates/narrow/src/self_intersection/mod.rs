//! Self-intersection: where a mesh meets itself.
//!
//! Two different faces may have in common what both have by number, vertices and edges. A model intersects itself if two of
//! its faces have any other common point. [`SelfSearch`] finds all such pairs by the model's 8-wide hierarchy against itself.
//!
//! # How it decides
//!
//! Of two triangles the predicates tell whether they meet in more than the corners that both have by number: an exact
//! test for none, one, two and three of them. That is the answer where faces are triangles. Faces with more corners have
//! triangles whose sides are diagonals; if two triangles meet in more than what they share, or share a diagonal, exact
//! fractions decide whether the edges that the two *faces* share cover it.
//!
//! Pairs within parts of the surface that certainly do not meet themselves are left out: see `smooth_regions` and
//! `vertex_stars`. Volino and Magnenat-Thalmann, whose criterion this is, assume that the outline of a region does not meet
//! itself; here that is proved, so no answer depends on it. [`SelfSearch::every_pair`] tests these pairs as well.

mod edge_neighbors;
mod face_pair;
mod least_pairs;
mod outline;
mod shared_features;
mod smooth_regions;
mod vertex_stars;

use std::ops::{ControlFlow, Range};

use xcollide_brep::FaceId;
use xcollide_bvh::Counter;
use xcollide_bvh::wide::{Traversal, Visit, WideTree, self_candidates_below};

use crate::hierarchy::parallel_traversal::{PartedSearch, Parts, parts_for};
use crate::hierarchy::prepared::{Memory, prepared};
use crate::hierarchy::work::Monitor;
use crate::pair_search::End;
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::{Contact, Model, PairCache, Placed, ProofError, Query, Reason};

use face_pair::Surface;
use least_pairs::LeastPairs;
use smooth_regions::SmoothParts;
use vertex_stars::Fans;

/// Whether a model intersects itself.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum SelfVerdict {
    /// Two of its faces meet in more than the vertices and edges that both have. The contact has two triangles of them that
    /// do so, and *all* common points of the two, shared ones among them.
    Intersects(Contact),
    /// Any two faces meet only in the vertices and edges that both have.
    Clear,
    /// The search did not end. [`Reason::Unfinished`] tells where it went on, and how much was left: any other two faces meet
    /// only in what they share.
    Undecided(Reason),
}

impl SelfVerdict {
    /// Whether this is `Intersects`.
    #[must_use]
    pub fn is_intersection(&self) -> bool {
        matches!(self, Self::Intersects(_))
    }

    /// `true` if the model intersects itself, `None` if undecided.
    #[must_use]
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Intersects(_) => Some(true),
            Self::Clear => Some(false),
            Self::Undecided(_) => None,
        }
    }

    /// Verifies the answer without the search and the tests that found it: of an intersection, that the two triangles have
    /// the common points of the contact, and one of these is in nothing that the faces share; of `Clear`, that no pair of
    /// faces has such a point, in exact fractions for all pairs of triangles.
    ///
    /// # Errors
    /// What does not hold. Nothing is claimed, and nothing verified, if undecided.
    pub fn verify(&self, model: &Model) -> Result<(), ProofError> {
        match self {
            Self::Intersects(contact) => {
                let placed = Placed::unmoved(model);
                contact.verify(placed, placed)?;
                let [a, b] = contact.faces;
                let [s, t] = contact.triangles;
                let is_more = a != b && shared_features::meet_outside(model, [a, b], [s, t]);
                if is_more { Ok(()) } else { Err(ProofError::OnlyShared { a, b }) }
            }
            Self::Clear => shared_features::first_pair(model)
                .map_or(Ok(()), |[a, b]| Err(ProofError::MoreThanShared { a, b })),
            Self::Undecided(_) => Ok(()),
        }
    }
}

/// The pairs of faces of a model that meet in more than what they share.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SelfIntersections {
    /// Whether there are any, with the first pair as the proof.
    pub verdict: SelfVerdict,
    /// The number of pairs, each once.
    pub count: usize,
    /// The first pairs, as many as were asked for: the smaller face first, in ascending order.
    pub pairs: Vec<[FaceId; 2]>,
    /// Whether the search ended. If not, there may be more pairs, and others may come first.
    pub complete: bool,
}

/// All pairs of faces of a model that meet in more than the vertices and edges that both have; the counterpart of
/// [`contacts`](crate::contacts) for one model. Exact.
///
/// ```
/// use xcollide_narrow::self_intersection::self_intersections;
/// use xcollide_narrow::{Model, Query};
/// # use xcollide_brep::PolygonMesh;
///
/// // A strip of three triangles, the last of which is folded back through the first.
/// let corners = vec![[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 1.0], [-2.0, -2.0, -1.0]];
/// let mesh = PolygonMesh::from_polygons(corners, [[0, 1, 2], [2, 1, 3], [2, 3, 4]])?;
/// let model = Model::from_mesh(mesh)?;
/// let found = self_intersections(&model, &Query::new());
/// assert_eq!(found.pairs, [[0.into(), 2.into()]]);
/// found.verdict.verify(&model)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_intersections(model: &Model, query: &Query) -> SelfIntersections {
    SelfSearch::new().pairs(model, usize::MAX, query, &mut PairCache::new())
}

/// Searches a model for pairs of its faces that meet in more than what they share, by its 8-wide hierarchy against itself.
///
/// Exact for any mesh. The pairs, their number and the first ones do not depend on the hierarchy, the instruction set or the
/// number of threads. [`Query::budget`], [`Query::stats`], [`Query::grain`] and [`PairCache::set_stop`] are those of queries
/// about two models; a pose moves nothing here, so there is none.
///
/// Less than a hundred nanoseconds a triangle for a smooth surface without intersections, of which most pairs of neighbors
/// need no test; some hundred for a rough one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfSearch {
    every_pair: bool,
}

impl SelfSearch {
    /// The search.
    #[must_use]
    pub const fn new() -> Self {
        Self { every_pair: false }
    }

    /// Also tests the pairs that would be left out as they are within regions, or at vertices, around which the surface
    /// certainly does not meet itself. The answers are the same, as that is proved and not assumed; this is for comparison.
    #[must_use]
    pub const fn every_pair(self) -> Self {
        Self { every_pair: true }
    }

    /// The number of pairs of triangles within regions that certainly do not meet themselves, which a search leaves out
    /// without a look at their boxes; 0 with [`every_pair`](Self::every_pair), and for models of too many triangles.
    #[must_use]
    pub fn pairs_left_out(&self, model: &Model) -> u64 {
        match prepared::<WideTree>(model) {
            Some(tree) => self.smooth_parts(model, tree).pairs_within,
            None => 0,
        }
    }

    fn smooth_parts(&self, model: &Model, tree: &WideTree) -> SmoothParts {
        if self.every_pair { SmoothParts::none(tree) } else { SmoothParts::new(model, tree) }
    }

    /// Builds what queries need of a model; else the first query does.
    pub fn prepare(&self, model: &Model) {
        let _ = prepared::<WideTree>(model);
        let _ = Surface::of(model);
        let _ = model.data(Fans::new);
    }

    /// Whether the model intersects itself. Ends at the first pair found, which depends on the hierarchy; the answer does not.
    pub fn test(&self, model: &Model, query: &Query, cache: &mut PairCache) -> SelfVerdict {
        let mut first = None;
        let end = self.search::<true>(model, query, cache, &mut |s, t| {
            first = Some([s, t]);
            ControlFlow::Break(())
        });
        verdict(model, first, end)
    }

    /// The number of pairs, and the first `limit` of them in ascending order; with 0 they are only counted.
    ///
    /// Memory is for `limit` pairs, or for all if some face has more than three corners.
    pub fn pairs(
        &self,
        model: &Model,
        limit: usize,
        query: &Query,
        cache: &mut PairCache,
    ) -> SelfIntersections {
        let surface = Surface::of(model);
        // One pair is the proof.
        let mut found = LeastPairs::new(limit.max(1), surface.has_polygons());
        let end = self.search::<false>(model, query, cache, &mut |s, t| {
            found.add(surface.faces(s, t));
            ControlFlow::Continue(())
        });
        let (count, mut pairs) = found.sorted();
        let first = pairs.first().map(|&faces| match surface.first_triangles(faces) {
            Some(triangles) => triangles,
            None => unreachable!("triangles of these faces were found"),
        });
        let verdict = verdict(model, first, end);
        pairs.truncate(limit);
        SelfIntersections { verdict, count, pairs, complete: end == End::Done }
    }

    /// Shows `found` the pairs of triangles by which two faces meet in more than what they share, until it breaks.
    /// `FIRST`: it breaks at the first.
    fn search<const FIRST: bool>(
        &self,
        model: &Model,
        query: &Query,
        cache: &mut PairCache,
        found: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> End {
        let deadline = Deadline::of(query, cache);
        let Some(tree) = prepared::<WideTree>(model) else { return End::TooLarge };
        let smooth = self.smooth_parts(model, tree);
        let nodes = smooth.nodes_outside;
        let surface = Surface::of(model).with_smooth_vertices(smooth.is_smooth_vertex);
        let helpers = helpers(query.grain);
        let monitor = match helpers {
            0 => Monitor::of(query, &deadline),
            _ => Some(Monitor::always(&deadline)),
        };
        let Memory::<WideTree> { scratch, .. } = cache.get_or_default();
        let Some(mut monitor) = monitor else {
            for nodes in nodes {
                let visit = Tests { surface: &surface, found: &mut *found };
                let end = self_candidates_below(nodes, tree, scratch, &mut (), visit);
                if end.is_break() {
                    break;
                }
            }
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            if helpers > 0 {
                let parts = NodeRanges::new(tree, &nodes, parts_for(helpers));
                let parted = PartedSearch::new(parts, helpers);
                let meets = |s: u32, t: u32| surface.meets(s, t);
                if !FIRST {
                    parted.all(&mut monitor, meets, found);
                } else if let Some((s, t)) = parted.first(&mut monitor, meets) {
                    let _ = found(s, t);
                }
            } else {
                let mut left: usize = nodes.iter().map(ExactSizeIterator::len).sum();
                for nodes in nodes {
                    left -= nodes.len();
                    let visit = Tests { surface: &surface, found: &mut *found };
                    let end = self_candidates_below(nodes, tree, scratch, &mut monitor, visit);
                    if end.is_break() {
                        monitor.left(left, || None);
                        break;
                    }
                }
            }
        }
        monitor.finish(0, query, cache)
    }
}

/// The verdict of a search that found two triangles or none.
fn verdict(model: &Model, first: Option<[u32; 2]>, end: End) -> SelfVerdict {
    match (first, end) {
        (Some(triangles), _) => witness(model, triangles),
        (None, End::Done) => SelfVerdict::Clear,
        (None, End::OutOfTime) => SelfVerdict::Undecided(Reason::OutOfTime),
        (None, End::Unfinished(left)) => {
            SelfVerdict::Undecided(left.reason([Placed::unmoved(model); 2]))
        }
        (None, End::TooLarge) => SelfVerdict::Undecided(Reason::NotAccepted),
    }
}

/// The two triangles as the proof.
fn witness(model: &Model, [s, t]: [u32; 2]) -> SelfVerdict {
    let placed = Placed::unmoved(model);
    let [first, second] = if s < t { [s, t] } else { [t, s] };
    match Contact::of_triangles(placed, first as usize, placed, second as usize) {
        Some(contact) => SelfVerdict::Intersects(contact),
        None => unreachable!("the exact test found them to meet"),
    }
}

/// Shows `found` the pairs of triangles that meet in more than what their faces share.
struct Tests<'s, 'm> {
    surface: &'s Surface<'m>,
    found: &'s mut dyn FnMut(u32, u32) -> ControlFlow<()>,
}

impl Visit for Tests<'_, '_> {
    #[inline(always)]
    fn pair(&mut self, s: u32, t: u32) -> ControlFlow<()> {
        if self.surface.meets(s, t) { (self.found)(s, t) } else { ControlFlow::Continue(()) }
    }
}

/// Nodes of a hierarchy, cut into ranges of some size at most.
struct NodeRanges<'t> {
    tree: &'t WideTree,
    ranges: Vec<Range<usize>>,
}

impl<'t> NodeRanges<'t> {
    fn new(tree: &'t WideTree, nodes: &[Range<usize>], parts: usize) -> Self {
        let count: usize = nodes.iter().map(ExactSizeIterator::len).sum();
        let size = count.div_ceil(parts).max(1);
        let cut = |nodes: &Range<usize>| {
            let end = nodes.end;
            nodes.clone().step_by(size).map(move |start| start..end.min(start + size))
        };
        Self { tree, ranges: nodes.iter().flat_map(cut).collect() }
    }
}

impl Parts for NodeRanges<'_> {
    fn count(&self) -> usize {
        self.ranges.len()
    }

    fn search(&self, number: usize, work: &mut impl Counter, visit: impl Visit) {
        let range = self.ranges[number].clone();
        let _ = self_candidates_below(range, self.tree, &mut Traversal::new(), work, visit);
    }
}
