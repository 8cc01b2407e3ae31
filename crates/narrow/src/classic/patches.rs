//! Two hierarchies of 18-DOPs with convex patches in the leaves (Daneu 2002, chapter 3).
//!
//! If two leaves overlap, a walk from triangle to triangle searches a plane between their patches
//! ([`separating_plane`]), which most pairs have. Otherwise the exact triangle test decides. In the paper the walk
//! decides, and can miss contacts: it may end too early at the border of a patch. Here it only proposes
//! planes. A plane counts if every vertex of both patches is on its side by more than all rounding;
//! without a plane every pair of triangles with overlapping boxes is tested. So the answer depends neither
//! on walks nor on patches being convex, which rounded world positions hardly ever are.
//!
//! The paper's search is here, too ([`PatchTrees::of_2002`], `patches-2002`): its contacts are proved, and so is *apart*
//! where no leaves overlap; otherwise it is undecided, leaning to *apart*.

mod neighbour_queue;
mod separating_plane;
mod side;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bounds::{Aabb, KDop};
use xcollide_bvh::Counter;
use xcollide_bvh::binary::{PairTraversal, Visitor};
use xcollide_bvh::classic::patches::{PatchOptions, PatchTree, Patches};
use xcollide_convex::Bias;
use xcollide_predicates::{Point, triangles_intersect};

use super::last_query::{Bodies, LastQuery};
use crate::containment::conclude_by;
use crate::hierarchy::kinds::corners;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, Left, PairSearch, TrianglePair, answers_by_search};
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{
    Guarantee, Model, ModelVersion, NarrowPhase, PairCache, Placed, PrepareError, PreparedData,
    Query, Reason, Verdict,
};
use neighbour_queue::NeighbourQueue;
use side::{Side, WorldPatch};

/// Two trees of 18-DOPs over convex patches, with a local search at their leaves. For any two models.
///
/// ```
/// use xcollide_narrow::classic::PatchTrees;
/// use xcollide_narrow::{Guarantee, NarrowPhase};
///
/// assert_eq!(PatchTrees::new().guarantee(), Guarantee::Exact);
/// assert_eq!(PatchTrees::of_2002().guarantee(), Guarantee::Misses);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchTrees {
    leaves: LeafSearch,
}

/// The search at a pair of leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LeafSearch {
    /// For a plane between the patches; without one all pairs of triangles.
    #[default]
    Planes,
    /// The source's.
    NeighbourQueue,
}

impl PatchTrees {
    /// The exact algorithm.
    #[must_use]
    pub const fn new() -> Self {
        Self { leaves: LeafSearch::Planes }
    }

    /// The source's search at leaves: it finds most contacts and may miss some.
    #[must_use]
    pub const fn of_2002() -> Self {
        Self { leaves: LeafSearch::NeighbourQueue }
    }

    /// Prepares a model with at most `most` triangles in a patch (1 to 254) instead of 6, if nothing is
    /// prepared yet. Changes times, never an answer (Daneu 2002, tables 2 and 3).
    ///
    /// # Errors
    /// The model has too many triangles.
    pub fn prepare_with(model: &Model, most: usize) -> Result<(), PrepareError> {
        let refused = PrepareError::NotAccepted { algorithm: NAME, needed: NEEDED };
        if prepared_with(model, most).is_some() { Ok(()) } else { Err(refused) }
    }
}

const NAME: &str = "patches";
const NEEDED: &str = "of fewer than a billion triangles";

impl NarrowPhase for PatchTrees {
    fn name(&self) -> &'static str {
        match self.leaves {
            LeafSearch::Planes => NAME,
            LeafSearch::NeighbourQueue => "patches-2002",
        }
    }

    fn guarantee(&self) -> Guarantee {
        if self.may_miss() { Guarantee::Misses } else { Guarantee::Exact }
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = model.components();
        Self::prepare_with(model, PatchOptions::default().most)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.known_data_where(|_: &Prepared| true)?.tree.as_ref()?.bytes())
    }

    answers_by_search!();
}

/// The patches of a model and their hierarchy, unless it is too large.
#[derive(Clone)]
struct Prepared {
    tree: Option<PatchTree>,
    most: usize,
}

fn prepared(model: &Model) -> Option<&PatchTree> {
    prepared_with(model, PatchOptions::default().most)
}

fn prepared_with(model: &Model, most: usize) -> Option<&PatchTree> {
    model.data(|model| Prepared::new(model, most)).tree.as_ref()
}

impl Prepared {
    fn new(model: &Model, most: usize) -> Self {
        let options = PatchOptions {
            most,
            // Affects the hierarchy only; patches grow one after the other.
            #[cfg(feature = "parallel")]
            parallel: true,
            ..PatchOptions::default()
        };
        let tree = PatchTree::build(model.mesh().positions(), &corners(model), &options).ok();
        Self { tree, most }
    }
}

impl PreparedData for Prepared {
    /// Keeps the patches if the triangles are the same, unless most of them are no longer convex.
    fn refitted(mut self: Arc<Self>, moved: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        if !triangles_kept {
            return None;
        }
        let prepared = Arc::make_mut(&mut self);
        let tree = prepared.tree.as_mut()?;
        let loose = tree.refit(moved.mesh().positions()).ok()?;
        if 2 * loose > tree.patches().len() {
            *prepared = Self::new(moved, prepared.most);
        }
        Some(self)
    }

    fn bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, PatchTree::bytes)
    }
}

/// Memory of a pair: a patch of each model in the world.
#[derive(Default)]
struct Memory {
    patches: [WorldPatch; 2],
    /// What the last query with a coherent cache showed, of which models.
    last: Option<(LastQuery, [ModelVersion; 2])>,
    queue: NeighbourQueue,
    /// Whether leaves overlapped in this query.
    leaves_met: bool,
}

impl PairSearch for PatchTrees {
    type Hit = TrianglePair;

    fn search<const FIRST: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> End {
        let coherently = cache.is_coherent();
        let (Some(tree_a), Some(tree_b)) = (prepared(a.model()), prepared(b.model())) else {
            return End::TooLarge;
        };
        let Memory { patches: [patch_a, patch_b], last, queue, leaves_met } =
            cache.get_or_default();
        *leaves_met = false;
        patch_a.place(a, tree_a.hierarchy().reach());
        patch_b.place(b, tree_b.hierarchy().reach());
        let patches = [tree_a.patches(), tree_b.patches()];
        let placed = [(tree_a.hierarchy(), a.pose()), (tree_b.hierarchy(), b.pose())];
        let queue = (self.leaves == LeafSearch::NeighbourQueue).then_some(queue);
        let (known, within) = ([0.0; 3], 0.0);
        let mut leaves =
            Leaves { pair: [a, b], patches, patch_a, patch_b, known, within, queue, leaves_met };
        if FIRST && coherently && !self.may_miss() {
            let mut monitor = Monitor::always(deadline);
            let versions = [a, b].map(|placed| placed.model().version());
            let (last, of) = last.get_or_insert_with(|| (LastQuery::default(), versions));
            if *of != versions {
                (*last, *of) = (LastQuery::default(), versions);
            }
            if monitor.in_time().is_continue() {
                let triangles = |s: u32, t: u32| [a.triangle(s as usize), b.triangle(t as usize)];
                last.search(
                    Bodies::of([a, b]),
                    &mut monitor,
                    |s, t| {
                        let [of_a, of_b] = triangles(s, t);
                        if triangles_intersect(&of_a, &of_b) {
                            return found(TrianglePair(s as usize, t as usize));
                        }
                        ControlFlow::Continue(())
                    },
                    triangles,
                    |within, work, visit| {
                        leaves.within = within;
                        let found = |TrianglePair(s, t)| visit(s as u32, t as u32);
                        leaves.search(
                            PairTraversal::widened(placed[0], placed[1], within),
                            work,
                            found,
                        )
                    },
                );
            }
            let transforms = leaves.patch_a.moved() + leaves.patch_b.moved();
            return monitor.finish(transforms, query, cache);
        }
        let traversal = PairTraversal::new(placed[0], placed[1]);
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            let mut visitor = LeafVisitor { leaves: &mut leaves, work: (), found };
            let _ = { traversal }.visit(&mut visitor);
            return End::Done;
        };
        let mut transforms = 0;
        if monitor.in_time().is_continue() {
            let _ = leaves.search(traversal, &mut monitor, found);
            transforms = leaves.patch_a.moved() + leaves.patch_b.moved();
        }
        match monitor.finish(transforms, query, cache) {
            End::Unfinished(Left { parts, triangles: [p, q] }) => {
                let first = |patches: &Patches, patch: u32| {
                    patches.patch(patch as usize).triangles.first().map(|one| one.number)
                };
                match (first(patches[0], p), first(patches[1], q)) {
                    (Some(s), Some(t)) => End::Unfinished(Left { parts, triangles: [s, t] }),
                    _ => End::OutOfTime,
                }
            }
            end => end,
        }
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let mut rays = |placed: Placed<'_>, ray, found: &mut Vec<u32>| {
            let Some(tree) = prepared(placed.model()) else { return false };
            let _ = tree.hierarchy().segment_query(placed.pose(), ray, |patch| {
                let patch = tree.patches().patch(patch as usize);
                found.extend(patch.triangles.iter().map(|triangle| triangle.number));
                ControlFlow::Continue(())
            });
            true
        };
        let verdict = conclude_by(a, b, query, deadline, &mut RayScratch::default(), &mut rays);
        let is_guess = self.may_miss() && cache.get_or_default::<Memory>().leaves_met;
        if is_guess && verdict.is_apart() {
            return Verdict::Undecided(Reason::Biased(Bias::Apart));
        }
        verdict
    }

    fn may_miss(&self) -> bool {
        self.leaves == LeafSearch::NeighbourQueue
    }
}

/// What is needed at the leaves of a descent.
struct Leaves<'s> {
    pair: [Placed<'s>; 2],
    patches: [&'s Patches; 2],
    patch_a: &'s mut WorldPatch,
    patch_b: &'s mut WorldPatch,
    /// The normal of the plane found last.
    known: Point,
    /// How far apart triangles may be to be shown; if not 0, they are not tested.
    within: f64,
    /// The source's search in place of ours.
    queue: Option<&'s mut NeighbourQueue>,
    leaves_met: &'s mut bool,
}

impl Leaves<'_> {
    /// Shows `found` the pairs of triangles at the leaves of a traversal, until it breaks. `work` counts, and checks the time
    /// (Daneu 3.4.1).
    fn search(
        &mut self,
        traversal: PairTraversal<'_, KDop<18>>,
        work: &mut impl Counter,
        found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let work = RefCell::new(work);
        let of_nodes = Shared::<_, true>(&work);
        let work = Shared::<_, false>(&work);
        traversal.counting(of_nodes).visit(&mut LeafVisitor { leaves: self, work, found })
    }
}

/// The visitor of the descent.
struct LeafVisitor<'l, 's, W, F> {
    leaves: &'l mut Leaves<'s>,
    work: W,
    found: F,
}

impl<W, F> Visitor<KDop<18>> for LeafVisitor<'_, '_, W, F>
where
    W: Counter,
    F: FnMut(TrianglePair) -> ControlFlow<()>,
{
    fn pair(&mut self, p: u32, q: u32) -> ControlFlow<()> {
        let Self { leaves, work, found } = self;
        let Leaves { pair: [a, b], patches, patch_a, patch_b, known, within, queue, leaves_met } =
            &mut **leaves;
        let p = patch_a.side(*a, patches[0], p);
        let q = patch_b.side(*b, patches[1], q);
        **leaves_met = true;
        if let Some(queue) = queue {
            return queue.each_contact(&p, &q, work, found);
        }
        if *within > 0.0 {
            return each_near(p, q, *within, work, found);
        }
        // The search for a plane takes about as long as a test of volumes.
        work.volumes(1);
        if separating_plane::parted(&p, &q, known) {
            return ControlFlow::Continue(());
        }
        each_contact(p, q, work, found)
    }
}

/// A counter of a traversal (`OF_NODES`) that its visitor counts with, too.
struct Shared<'c, 'w, C, const OF_NODES: bool>(&'c RefCell<&'w mut C>);

impl<C: Counter, const OF_NODES: bool> Counter for Shared<'_, '_, C, OF_NODES> {
    #[inline]
    fn volumes(&mut self, tests: u64) {
        self.0.borrow_mut().volumes(tests);
    }

    /// Those of the traversal are pairs of patches, whose triangles the visitor counts.
    #[inline]
    fn primitives(&mut self, tests: u64) {
        if !OF_NODES {
            self.0.borrow_mut().primitives(tests);
        }
    }

    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.0.borrow_mut().go_on()
    }

    fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
        self.0.borrow_mut().left(pairs, first);
    }
}

/// Shows `found` each pair of triangles of two patches that meet (Daneu 2002, 3.4.2, made exact): boxes over
/// the rounded world positions filter, and the triangle test decides.
fn each_contact(
    mut p: Side<'_>,
    mut q: Side<'_>,
    work: &mut impl Counter,
    found: &mut impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let around_q = q.boxes().iter().fold(Aabb::EMPTY, |all, bounds| all.merged(bounds));
    for s in 0..p.patch.triangles.len() {
        let around = p.boxes()[s];
        if !around.overlaps(&around_q) {
            continue;
        }
        let triangle = p.triangle(s);
        for t in 0..q.patch.triangles.len() {
            if !around.overlaps(&q.boxes()[t]) {
                continue;
            }
            work.primitives(1);
            if triangles_intersect(&triangle, &q.triangle(t)) {
                let [s, t] = [&p.patch.triangles[s], &q.patch.triangles[t]];
                found(TrianglePair(s.number as usize, t.number as usize))?;
            }
        }
        work.go_on()?;
    }
    ControlFlow::Continue(())
}

/// Shows `found` each pair of triangles of two patches whose boxes are no farther apart than `within` along every axis.
fn each_near(
    mut p: Side<'_>,
    mut q: Side<'_>,
    within: f64,
    work: &mut impl Counter,
    found: &mut impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for s in 0..p.patch.triangles.len() {
        let around = p.boxes()[s].expanded(within);
        for t in 0..q.patch.triangles.len() {
            if around.overlaps(&q.boxes()[t]) {
                work.primitives(1);
                let [s, t] = [&p.patch.triangles[s], &q.patch.triangles[t]];
                found(TrianglePair(s.number as usize, t.number as usize))?;
            }
        }
        work.go_on()?;
    }
    ControlFlow::Continue(())
}
