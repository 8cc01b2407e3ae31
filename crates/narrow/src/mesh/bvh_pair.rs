//! The simultaneous descent of two hierarchies as a [`NarrowPhase`], for any kind of hierarchy.
//!
//! A hierarchy only filters: it hands over pairs of triangles, among them all that meet, and the
//! exact triangle test over the world positions decides. So all hierarchies give the same answers,
//! and differ in time and memory only.

use std::fmt;
use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};
use xcollide_predicates::triangles_intersect;

use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::parallel_traversal::Shared;
use crate::hierarchy::prepared::{Memory, already_prepared, hierarchy, prepared_with};
use crate::hierarchy::rays::TreeRays;
use crate::hierarchy::tree_builder::{BuilderRefused, TreeBuilder};
use crate::hierarchy::triangle_tests::{Corners, Meeting, Meetings};
use crate::hierarchy::work::Watch;
use crate::narrow_phase::count_distinct;
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason,
    Verdict, Witness,
};

/// Descends two hierarchies of the kind `H` together. Exact, for any two models.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::mesh::{ObbTree, Wide};
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::identity())?;
/// let touching = Placed::new(&model, &Pose::translation(1.0, 0.0, 0.0))?;
/// let algorithms: [Box<dyn NarrowPhase>; 2] = [Box::new(Wide::new()), Box::new(ObbTree::new())];
/// for algorithm in algorithms {
///     algorithm.prepare(&model)?; // or let the first query do it
///     assert!(algorithm.test(a, touching, &Query::new(), &mut PairCache::new()).is_collision());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its trees are built with the default settings of their kind, or [with](Self::with) others. Two of
/// the same kind with different settings keep a tree each with a model.
pub struct BvhPair<H: Hierarchy> {
    /// `None`: the default.
    settings: Option<H::Settings>,
}

impl<H: Hierarchy> BvhPair<H> {
    /// The algorithm, with trees as they are best for most models.
    #[must_use]
    pub const fn new() -> Self {
        Self { settings: None }
    }

    /// The algorithm with trees that are built with these settings.
    ///
    /// ```
    /// use xcollide_narrow::mesh::{BoxTrees, ObbTree, Wide};
    /// use xcollide_bvh::wide::WideOptions;
    /// use xcollide_bvh::{BoxTreeOptions, Builder, CutSearch, Split};
    ///
    /// let halves = ObbTree::with(Builder::new(Split::Median));
    /// let quickly_built = Wide::with(WideOptions::fast());
    /// let for_holes = BoxTreeOptions { search: CutSearch::Sweep, ..BoxTreeOptions::default() };
    /// let box_trees = BoxTrees::with(for_holes);
    /// # let _ = (halves, quickly_built, box_trees);
    /// ```
    ///
    /// Settings that are not equal to themselves, as with a NaN among them, are taken for the
    /// default: their trees would not be found again.
    #[must_use]
    pub fn with(settings: H::Settings) -> Self {
        let again = settings;
        // What is the default has no second tree.
        let is_other = settings == again && settings != H::Settings::default();
        Self { settings: is_other.then_some(settings) }
    }
}

impl<H: Hierarchy> Default for BvhPair<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: Hierarchy> Clone for BvhPair<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Hierarchy> Copy for BvhPair<H> {}

impl<H: Hierarchy> fmt::Debug for BvhPair<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_tuple("BvhPair");
        told.field(&H::NAME);
        if let Some(settings) = &self.settings {
            told.field(settings);
        }
        told.finish()
    }
}

impl<H: Hierarchy> NarrowPhase for BvhPair<H> {
    fn name(&self) -> &'static str {
        H::NAME
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let refused = PrepareError::NotAccepted { algorithm: H::NAME, needed: TOO_LARGE };
        if prepared_with::<H>(model, self.settings).0.is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(already_prepared::<H>(model, self.settings)?.0.as_ref()?.memory())
    }

    fn built_by(&self, builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, BuilderRefused> {
        match H::settings(builder) {
            Some(settings) => Ok(Box::new(Self::with(settings))),
            None => Err(BuilderRefused::OtherTree {
                algorithm: H::NAME,
                keeps: H::KIND,
                builds: builder.builds(),
            }),
        }
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut first = None;
        let wanted = if cache.is_coherent() { Wanted::FirstCoherently } else { Wanted::First };
        let mut deadline = Deadline::of(query, cache);
        let end = self.descend::<true>([a, b], query, cache, &deadline, wanted, |meeting| {
            first = Some(meeting);
            ControlFlow::Break(())
        });
        self.verdict([a, b], query, cache, &mut deadline, end, first)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        let mut first = None;
        let mut stopped = false;
        let mut deadline = Deadline::of(query, cache);
        let end = self.descend::<false>([a, b], query, cache, &deadline, Wanted::All, |meeting| {
            let [face_a, face_b] = meeting.faces;
            first.get_or_insert(meeting);
            let flow = visit(face_a, face_b);
            stopped = flow.is_break();
            flow
        });
        let complete = end == End::Done && !stopped;
        Listing { verdict: self.verdict([a, b], query, cache, &mut deadline, end, first), complete }
    }

    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        let only_triangles = |placed: Placed<'_>| {
            placed.model().triangulation().len() == placed.model().mesh().face_count()
        };
        if H::REPEATS || !only_triangles(a) || !only_triangles(b) {
            return count_distinct(self, a, b, query, cache);
        }
        // Each pair of triangles comes once and is a pair of faces: nothing need be remembered.
        let mut pairs = 0;
        let listing = self.each_contact(a, b, query, cache, &mut |_, _| {
            pairs += 1;
            ControlFlow::Continue(())
        });
        (pairs, listing)
    }
}

/// What a model must be; only the largest are not.
const TOO_LARGE: &str = "of fewer than half a billion triangles";

/// How a descent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing is left to find, or enough was found.
    Done,
    OutOfTime,
    /// A model is too large for this kind of hierarchy.
    TooLarge,
}

/// Which of the pairs that meet are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Only the first: `found` breaks off there.
    First,
    /// The same, by what was remembered of the last query.
    FirstCoherently,
    /// As many as `found` lets come.
    All,
}

impl<H: Hierarchy> BvhPair<H> {
    /// Shows `found` pairs of triangles that meet, among them every such pair, until it breaks off; with
    /// points that they have in common, where it goes only for few.
    fn descend<const POINTS: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        wanted: Wanted,
        mut found: impl FnMut(Meeting) -> ControlFlow<()>,
    ) -> End {
        // First of all, as it may have to come from memory.
        let (corners_a, corners_b) = (Corners::of(&a), Corners::of(&b));
        let shares = H::PARTS && wanted != Wanted::FirstCoherently;
        let helpers = if shares { helpers(query.grain) } else { 0 };
        let watch = match helpers {
            0 => Watch::of(query, deadline),
            _ => Some(Watch::always(deadline)),
        };
        let Memory::<H> { scratch, of_a, of_b, coherence } = cache.get_or_default();
        let tree_a = hierarchy(of_a, a.model(), a.shared(), self.settings);
        let tree_b = hierarchy(of_b, b.model(), b.shared(), self.settings);
        let (Some(tree_a), Some(tree_b)) = (tree_a, tree_b) else {
            return End::TooLarge;
        };
        let placed_a = (tree_a, a.transform().motion());
        let placed_b = (tree_b, b.transform().motion());
        let corners = [&corners_a, &corners_b];
        let world =
            |s: u32, t: u32| [corners_a.triangle(s as usize), corners_b.triangle(t as usize)];
        let coherently = wanted == Wanted::FirstCoherently;
        let mut coherence = coherently.then(|| coherence.get_or_insert_default());
        let Some(mut watch) = watch else {
            match coherence {
                None => {
                    let visit = Meetings::<_, POINTS>::new(corners, found);
                    H::candidates(placed_a, placed_b, scratch, &mut (), visit);
                }
                Some(kept) => {
                    let visit = Meetings::<_, POINTS>::new(corners, found);
                    H::coherent(placed_a, placed_b, kept, scratch, &mut (), visit, world);
                }
            }
            return End::Done;
        };
        if watch.in_time().is_continue() {
            match &mut coherence {
                None if helpers > 0 => {
                    let shared = Shared::new(placed_a, placed_b, helpers, scratch, &mut watch);
                    let meets = |s: u32, t: u32| {
                        let [of_a, of_b] = world(s, t);
                        triangles_intersect(&of_a, &of_b)
                    };
                    let mut show = |s: u32, t: u32| {
                        let faces = [corners_a.face(s as usize), corners_b.face(t as usize)];
                        found(Meeting { faces, triangles: world(s, t), point: None })
                    };
                    if wanted == Wanted::All {
                        shared.all(&mut watch, meets, show);
                    } else if let Some((s, t)) = shared.first(&mut watch, meets) {
                        let _ = show(s, t);
                    }
                }
                None => {
                    let visit = Meetings::<_, POINTS>::new(corners, found);
                    H::candidates(placed_a, placed_b, scratch, &mut watch, visit);
                }
                Some(kept) => {
                    let visit = Meetings::<_, POINTS>::new(corners, found);
                    H::coherent(placed_a, placed_b, kept, scratch, &mut watch, visit, world);
                }
            }
        }
        let Watch { mut stats, out_of_time, .. } = watch;
        if query.stats {
            stats.transforms = 6 * stats.primitive_tests;
            cache.set_stats(stats);
        }
        if out_of_time { End::OutOfTime } else { End::Done }
    }

    /// The verdict from the first pair of triangles that meet.
    fn verdict(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
        end: End,
        first: Option<Meeting>,
    ) -> Verdict {
        if let Some(meeting) = first {
            return Verdict::Collides(meeting.witness());
        }
        match end {
            End::OutOfTime => return Verdict::Undecided(Reason::OutOfTime),
            End::TooLarge => return Verdict::Undecided(Reason::NotAccepted),
            End::Done => {}
        }
        let scratch = &mut cache.get_or_default::<Memory<H>>().scratch;
        let rays = &mut TreeRays::<H> { settings: self.settings, scratch };
        conclude_by(a, b, query, deadline, rays)
    }
}

/// The witness of two triangles that meet.
pub(crate) fn triangle_witness(a: Placed<'_>, s: usize, b: Placed<'_>, t: usize) -> Witness {
    let faces = [a.model().triangulation().face_of(s), b.model().triangulation().face_of(t)];
    Meeting { faces, triangles: [a.triangle(s), b.triangle(t)], point: None }.witness()
}
