//! Two hierarchies of 18-DOPs with convex patches in the leaves (Daneu 2002, chapter 3).
//!
//! Where the leaves of two patches overlap, a plane between the patches is looked for by walking
//! from triangle to triangle; most pairs end there ([`parting`]). For the others the exact
//! triangle test decides ([`contact`]). The paper's walk decides by itself, and can miss: a patch
//! has a border, at which a walk towards a plane may end too early. Here a walk only proposes: a
//! plane counts if every vertex of both patches is on its side by more than all rounding, and
//! where no plane is found every pair of triangles with overlapping boxes is tested. So the answer
//! depends neither on walks nor on patches being convex, and rounded world positions, over which
//! patches hardly ever are, do no harm.

mod contact;
mod parting;
mod rays;
mod side;

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_bounds::{BoundingVolume, KDop};
use xcollide_brep::{FaceId, Topology};
use xcollide_bvh::binary::{PairTraversal, Step, Visitor};
use xcollide_bvh::classic::patches::{PatchOptions, PatchTree, Patches};
use xcollide_predicates::Point;

use crate::containment::conclude_by;
use crate::hierarchy::kinds::corners;
use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, TrianglePair};
use crate::query::Deadline;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query,
    Verdict,
};
use rays::PatchRays;
use side::WorldPatch;
use xcollide_bvh::Counter;

/// Two trees of 18-DOPs over convex patches, with a local search at their leaves. Exact, for any
/// two models.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::PatchTrees;
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
/// let verdict = PatchTrees::new().test(a, touching, &Query::new(), &mut PairCache::new());
/// assert!(verdict.is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchTrees;

impl PatchTrees {
    /// The algorithm.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }

    /// Prepares a model with at most `most` triangles in a patch (1 to 254) instead of 6, if nothing
    /// is prepared yet. Answers do not depend on it, times do (Daneu 2002, tables 2 and 3).
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
        NAME
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        Self::prepare_with(model, PatchOptions::default().most)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.known_data::<Prepared>()?.0.as_ref()?.bytes())
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

/// What a model keeps: the patches and their hierarchy, unless it is too large.
struct Prepared(Option<PatchTree>);

fn prepared(model: &Model) -> Option<&PatchTree> {
    prepared_with(model, PatchOptions::default().most)
}

fn prepared_with(model: &Model, most: usize) -> Option<&PatchTree> {
    let build = |model: &Model| {
        let options = PatchOptions {
            most,
            // The hierarchy; patches grow one after the other, as each takes what the last has left.
            #[cfg(feature = "parallel")]
            parallel: true,
            ..PatchOptions::default()
        };
        Prepared(PatchTree::build(model.mesh().positions(), &corners(model), &options).ok())
    };
    model.data(build).0.as_ref()
}

impl PreparedData for Prepared {
    /// The patches stay, convex or not; for other triangles they grow again.
    fn refitted(self: &Arc<Self>, from: &Model, to: &Model) -> Option<Arc<Self>> {
        if from.triangulation() != to.triangulation() {
            return None;
        }
        let mut tree = self.0.clone()?;
        tree.refit(to.mesh().positions()).ok()?;
        Some(Arc::new(Self(Some(tree))))
    }
}

/// What a pair keeps: memory for a patch of each model.
#[derive(Default)]
struct Memory([WorldPatch; 2]);

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
        let Memory([patch_a, patch_b]) = cache.get_or_default();
        patch_a.place(a, tree_a.hierarchy().reach());
        patch_b.place(b, tree_b.hierarchy().reach());
        let patches = [tree_a.patches(), tree_b.patches()];
        let mut traversal =
            PairTraversal::new((tree_a.hierarchy(), a.pose()), (tree_b.hierarchy(), b.pose()));
        let known = [0.0; 3];
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            let mut search = Search { a, b, patches, patch_a, patch_b, known, work: (), found };
            let _ = traversal.visit(&mut search);
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            let work = &mut monitor;
            let mut search = Search { a, b, patches, patch_a, patch_b, known, work, found };
            let _ = traversal.visit(&mut search);
            monitor.stats.transforms = patch_a.moved() + patch_b.moved();
        }
        if query.stats {
            cache.set_stats(monitor.stats);
        }
        if monitor.out_of_time { End::OutOfTime } else { End::Done }
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        _: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        conclude_by(a, b, query, deadline, &mut PatchRays)
    }
}

/// The visitor of the descent.
struct Search<'s, W, F> {
    a: Placed<'s>,
    b: Placed<'s>,
    patches: [&'s Patches; 2],
    patch_a: &'s mut WorldPatch,
    patch_b: &'s mut WorldPatch,
    /// The direction across the plane that was found last.
    known: Point,
    work: W,
    found: F,
}

impl<W, F> Visitor<KDop<18>> for Search<'_, W, F>
where
    W: Counter,
    F: FnMut(TrianglePair) -> ControlFlow<()>,
{
    /// Also looks whether time is up (Daneu 3.4.1).
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
        // A search for a plane takes about as long as a test of volumes.
        self.work.volumes(1);
        if parting::parted(&p, &q, &mut self.known) {
            return ControlFlow::Continue(());
        }
        contact::each(p, q, &mut self.work, &mut self.found)
    }
}
