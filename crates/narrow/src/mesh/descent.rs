//! The simultaneous descent of two hierarchies as a [`NarrowPhase`], for any kind of hierarchy.
//!
//! A hierarchy only filters: it hands over pairs of triangles, among them all that meet, and the
//! exact triangle test over the world positions decides. So all hierarchies give the same answers,
//! and differ in time and memory only.

use std::fmt;
use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bounds::Motion;
use xcollide_brep::{FaceId, Topology, Triangulation, VertexId};
use xcollide_predicates::{triangle_pair_point, triangles_intersect};
use xcollide_tree::Part;

use super::coherent::Coherence;
use super::fine_grain::Shared;
use super::rays::TreeRays;
use super::work::{Watch, Work};
use crate::conclusion::conclude_by;
use crate::crew::helpers;
use crate::narrow_phase::count_distinct;
use crate::query::Deadline;
use crate::{
    Feature, Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query,
    Reason, Refit, Transform, Verdict, Witness,
};

/// A hierarchy over the triangles of a model, in the model's own frame.
pub trait Hierarchy: Sized + Send + Sync + 'static {
    /// The name of the algorithm that descends two of these.
    const NAME: &'static str;

    /// Whether [`candidates`](Self::candidates) may show a pair more than once.
    const REPEATS: bool = false;

    /// Whether searches can be cut into [parts](Self::parts).
    const PARTS: bool = false;

    /// Memory that queries use again.
    type Scratch: Default + Send + 'static;

    /// Builds the hierarchy; `None` where the model has more triangles than it can number.
    fn build(model: &Model) -> Option<Self>;

    /// The same hierarchy fitted to a new version of its model, whose vertices have
    /// [moved](Model::moved); `None` where it is to be built again, as for another number of
    /// triangles.
    fn refitted(&self, moved: &Model) -> Option<Self> {
        let _ = moved;
        None
    }

    /// The memory that it takes, in bytes.
    fn memory(&self) -> usize;

    /// Shows `visit` pairs of triangle numbers, among them all that meet in the world when each
    /// corner is moved by [`Motion::apply`], until it breaks off, or `work` does, which is told
    /// every test and [asked](xcollide_tree::Counter::go_on) at every pair of nodes.
    fn candidates(
        a: (&Self, &Motion),
        b: (&Self, &Motion),
        scratch: &mut Self::Scratch,
        work: &mut impl Work,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    );

    /// Cuts the search for candidates into at least so many parts, if there are, which are written to
    /// `parts` in the order of the search: what [`candidates_below`](Self::candidates_below) shows of
    /// each is together what [`candidates`](Self::candidates) shows, and they tell `work` the same.
    /// For those that have [`PARTS`](Self::PARTS); these must provide both.
    fn parts(
        a: (&Self, &Motion),
        b: (&Self, &Motion),
        at_least: usize,
        scratch: &mut Self::Scratch,
        work: &mut impl Work,
        parts: &mut Vec<Part>,
    ) {
        let _ = (a, b, at_least, scratch, work, parts);
    }

    /// A part of the search.
    fn candidates_below(
        part: Part,
        a: (&Self, &Motion),
        b: (&Self, &Motion),
        scratch: &mut Self::Scratch,
        work: &mut impl Work,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) {
        let _ = part;
        Self::candidates(a, b, scratch, work, visit);
    }

    /// The same as [`candidates`](Self::candidates) for the first pair that meets, at which `visit` breaks off, of models of which
    /// nearly the same was asked before: `coherence` is what was remembered then. A pair may be
    /// shown more than once. `world` gives the corners of two triangles in the world.
    ///
    /// Only what can make use of that need do more than this, which remembers nothing.
    #[inline]
    fn coherent(
        a: (&Self, &Motion),
        b: (&Self, &Motion),
        coherence: &mut Coherence,
        scratch: &mut Self::Scratch,
        work: &mut impl Work,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
        world: impl FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) {
        let _ = (coherence, world);
        Self::candidates(a, b, scratch, work, visit);
    }
}

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
pub struct Descent<H>(PhantomData<fn() -> H>);

impl<H> Descent<H> {
    /// The algorithm.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<H> Default for Descent<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H> Clone for Descent<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Descent<H> {}

impl<H: Hierarchy> fmt::Debug for Descent<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Descent").field(&H::NAME).finish()
    }
}

impl<H: Hierarchy> NarrowPhase for Descent<H> {
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
        if prepared::<H>(model).0.is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<Prepared<H>>()?.0.as_ref()?.memory())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut first = None;
        let wanted = if cache.is_coherent() { Wanted::FirstCoherently } else { Wanted::First };
        let mut deadline = Deadline::of(query, cache);
        let end = descend::<H>(a, b, query, cache, &deadline, wanted, |meeting| {
            first = Some(meeting);
            ControlFlow::Break(())
        });
        verdict::<H>(a, b, query, cache, &mut deadline, end, first)
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
        let end = descend::<H>(a, b, query, cache, &deadline, Wanted::All, |meeting| {
            let [face_a, face_b] = meeting.faces;
            first.get_or_insert(meeting);
            let flow = visit(face_a, face_b);
            stopped = flow.is_break();
            flow
        });
        let complete = end == End::Done && !stopped;
        Listing { verdict: verdict::<H>(a, b, query, cache, &mut deadline, end, first), complete }
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

/// What a model keeps: the hierarchy, or that there cannot be one.
pub(crate) struct Prepared<H>(pub(crate) Option<H>);

pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Arc<Prepared<H>> {
    model.prepared_to_refit(|model| Prepared(H::build(model)))
}

impl<H: Hierarchy> Refit for Prepared<H> {
    fn refitted(self: &Arc<Self>, _: &Model, to: &Model) -> Option<Arc<Self>> {
        Some(Arc::new(Self(Some(self.0.as_ref()?.refitted(to)?))))
    }
}

/// What a pair keeps: memory for the descent, and the two hierarchies, so that a query need not
/// look them up in the models.
struct Memory<H: Hierarchy> {
    scratch: H::Scratch,
    of_a: Option<Known<H>>,
    of_b: Option<Known<H>>,
    /// In a coherent cache.
    coherence: Option<Box<Coherence>>,
}

/// A model and its hierarchy.
type Known<H> = (Model, Arc<Prepared<H>>);

impl<H: Hierarchy> Default for Memory<H> {
    fn default() -> Self {
        Self { scratch: H::Scratch::default(), of_a: None, of_b: None, coherence: None }
    }
}

fn hierarchy<'m, H: Hierarchy>(known: &'m mut Option<Known<H>>, model: &Model) -> Option<&'m H> {
    let stale = known.as_ref().is_none_or(|(of, _)| !of.is_same(model));
    if stale {
        *known = Some((model.clone(), prepared(model)));
    }
    known.as_ref().and_then(|(_, prepared)| prepared.0.as_ref())
}

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

/// Shows `found` pairs of triangles that meet, among them every such pair, until it breaks off.
fn descend<H: Hierarchy>(
    a: Placed<'_>,
    b: Placed<'_>,
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
    let (Some(tree_a), Some(tree_b)) = (hierarchy(of_a, a.model()), hierarchy(of_b, b.model()))
    else {
        return End::TooLarge;
    };
    let placed_a = (tree_a, a.transform().motion());
    let placed_b = (tree_b, b.transform().motion());
    let mut visit = |s: u32, t: u32| {
        let (s, t) = (s as usize, t as usize);
        // Looked up before they are wanted, as it may take as long as the test.
        let faces = black_box([corners_a.face(s), corners_b.face(t)]);
        let triangles = [corners_a.triangle(s), corners_b.triangle(t)];
        if triangles_intersect(&triangles[0], &triangles[1]) {
            found(Meeting { faces, triangles })
        } else {
            ControlFlow::Continue(())
        }
    };
    let world = |s: u32, t: u32| [corners_a.triangle(s as usize), corners_b.triangle(t as usize)];
    let coherently = wanted == Wanted::FirstCoherently;
    let mut coherence = coherently.then(|| coherence.get_or_insert_default());
    let Some(mut watch) = watch else {
        match coherence {
            None => H::candidates(placed_a, placed_b, scratch, &mut (), visit),
            Some(kept) => H::coherent(placed_a, placed_b, kept, scratch, &mut (), visit, world),
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
                    found(Meeting { faces, triangles: world(s, t) })
                };
                if wanted == Wanted::All {
                    shared.all(&mut watch, meets, show);
                } else if let Some((s, t)) = shared.first(&mut watch, meets) {
                    let _ = show(s, t);
                }
            }
            None => H::candidates(placed_a, placed_b, scratch, &mut watch, &mut visit),
            Some(kept) => {
                H::coherent(placed_a, placed_b, kept, scratch, &mut watch, &mut visit, world);
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

/// Two triangles that meet, with corners in the world, and their faces.
struct Meeting {
    faces: [FaceId; 2],
    triangles: [[[f64; 3]; 3]; 2],
}

impl Meeting {
    fn witness(&self) -> Witness {
        let [a, b] = &self.triangles;
        let [face_a, face_b] = self.faces;
        Witness {
            a: Feature::Face(face_a),
            b: Feature::Face(face_b),
            point: triangle_pair_point(a, b).unwrap_or(a[0]),
        }
    }
}

/// What the triangles of a placed model are made of, so that a descent need not look for it in the
/// model each time.
struct Corners<'p> {
    triangulation: &'p Triangulation,
    triangles: &'p [[VertexId; 3]],
    positions: &'p [[f64; 3]],
    transform: &'p Transform,
}

impl<'p> Corners<'p> {
    #[inline]
    fn of(placed: &'p Placed<'_>) -> Self {
        let model = placed.model();
        let triangulation = model.triangulation();
        Self {
            triangulation,
            triangles: triangulation.triangles(),
            positions: model.mesh().positions(),
            transform: placed.transform(),
        }
    }

    #[inline]
    fn face(&self, triangle: usize) -> FaceId {
        self.triangulation.face_of(triangle)
    }

    /// As [`Placed::triangle`].
    #[inline]
    fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let position = |vertex: VertexId| self.transform.apply(self.positions[vertex.index()]);
        let [p, q, r] = self.triangles[triangle];
        [position(p), position(q), position(r)]
    }
}

/// The verdict from the first pair of triangles that meet.
fn verdict<H: Hierarchy>(
    a: Placed<'_>,
    b: Placed<'_>,
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
    let rays = &mut TreeRays::<H>(&mut cache.get_or_default::<Memory<H>>().scratch);
    conclude_by(a, b, query, deadline, rays)
}

/// The witness of two triangles that meet.
pub(crate) fn triangle_witness(a: Placed<'_>, s: usize, b: Placed<'_>, t: usize) -> Witness {
    let faces = [a.model().triangulation().face_of(s), b.model().triangulation().face_of(t)];
    Meeting { faces, triangles: [a.triangle(s), b.triangle(t)] }.witness()
}
