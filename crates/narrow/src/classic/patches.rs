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

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bounds::{Aabb, BoundingVolume, KDop};
use xcollide_bvh::Counter;
use xcollide_bvh::binary::{PairTraversal, Step, Visitor};
use xcollide_bvh::classic::patches::{PatchOptions, PatchTree, Patches};
use xcollide_convex::Bias;
use xcollide_predicates::{Point, triangles_intersect};

use crate::containment::conclude_by;
use crate::hierarchy::kinds::corners;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, TrianglePair, answers_by_search};
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Reason,
    Verdict,
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
        found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> End {
        let (Some(tree_a), Some(tree_b)) = (prepared(a.model()), prepared(b.model())) else {
            return End::TooLarge;
        };
        let Memory { patches: [patch_a, patch_b], queue, leaves_met } = cache.get_or_default();
        *leaves_met = false;
        patch_a.place(a, tree_a.hierarchy().reach());
        patch_b.place(b, tree_b.hierarchy().reach());
        let patches = [tree_a.patches(), tree_b.patches()];
        let mut traversal =
            PairTraversal::new((tree_a.hierarchy(), a.pose()), (tree_b.hierarchy(), b.pose()));
        let known = [0.0; 3];
        let queue = (self.leaves == LeafSearch::NeighbourQueue).then_some(queue);
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            let work = ();
            let mut search =
                Search { a, b, patches, patch_a, patch_b, known, queue, leaves_met, work, found };
            let _ = traversal.visit(&mut search);
            return End::Done;
        };
        let mut transforms = 0;
        if monitor.in_time().is_continue() {
            let work = &mut monitor;
            let mut search =
                Search { a, b, patches, patch_a, patch_b, known, queue, leaves_met, work, found };
            let _ = traversal.visit(&mut search);
            transforms = patch_a.moved() + patch_b.moved();
        }
        monitor.finish(transforms, query, cache)
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

/// The visitor of the descent.
struct Search<'s, W, F> {
    a: Placed<'s>,
    b: Placed<'s>,
    patches: [&'s Patches; 2],
    patch_a: &'s mut WorldPatch,
    patch_b: &'s mut WorldPatch,
    /// The normal of the plane found last.
    known: Point,
    /// The source's search in place of ours.
    queue: Option<&'s mut NeighbourQueue>,
    leaves_met: &'s mut bool,
    work: W,
    found: F,
}

impl<W, F> Visitor<KDop<18>> for Search<'_, W, F>
where
    W: Counter,
    F: FnMut(TrianglePair) -> ControlFlow<()>,
{
    /// Also checks the time (Daneu 3.4.1).
    #[inline]
    fn step(&mut self, a: &KDop<18>, b: &KDop<18>) -> Step {
        self.work.volumes(1);
        if self.work.go_on().is_break() {
            Step::Stop
        } else if a.overlaps(b) {
            Step::Open(0.0)
        } else {
            Step::Prune
        }
    }

    fn pair(&mut self, p: u32, q: u32) -> ControlFlow<()> {
        let p = self.patch_a.side(self.a, self.patches[0], p);
        let q = self.patch_b.side(self.b, self.patches[1], q);
        *self.leaves_met = true;
        if let Some(queue) = &mut self.queue {
            return queue.each_contact(&p, &q, &mut self.work, &mut self.found);
        }
        // The search for a plane takes about as long as a test of volumes.
        self.work.volumes(1);
        if separating_plane::parted(&p, &q, &mut self.known) {
            return ControlFlow::Continue(());
        }
        each_contact(p, q, &mut self.work, &mut self.found)
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
