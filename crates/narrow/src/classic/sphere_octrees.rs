//! Sphere trees from octrees (Hubbard 1993): as hierarchies for [`BvhPair`], and compared level by level.

use std::ops::ControlFlow;

use xcollide_bvh::classic::sphere_octree::{
    SphereOctree, SphereOctreeOptions, SphereOctreeTraversal,
};
use xcollide_bvh::levels::LevelSearch;
use xcollide_bvh::wide::Visit;
use xcollide_bvh::{Candidates, Counter};
use xcollide_convex::Bias;
use xcollide_math::Pose;
use xcollide_predicates::{Point, triangles_intersect};

use super::last_query::keeps_the_last_query;
use crate::containment::conclude_by;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::kinds::triangles;
use crate::hierarchy::prepared::{already_prepared, prepared};
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::hierarchy::work::Monitor;
use crate::mesh::BvhPair;
use crate::pair_search::{End, PairSearch, TrianglePair, answers_by_search};
use crate::point_in_polyhedron::RayScratch;
use crate::query::Deadline;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Verdict,
};

/// Two sphere trees from octrees, descended to the triangles (Hubbard 1993). Exact for any two models.
pub type SphereOctrees = BvhPair<SphereOctree>;

impl Hierarchy for SphereOctree {
    const NAME: &'static str = "sphere-octree";
    /// A triangle is in every leaf that it reaches into.
    const REPEATS: bool = true;
    const KIND: &'static str = "a sphere tree from an octree";
    type Settings = SphereOctreeOptions;
    type Scratch = ();
    /// The whole.
    type Part = ();
    keeps_the_last_query!(SphereOctreeTraversal);

    fn settings(builder: &TreeBuilder) -> Option<SphereOctreeOptions> {
        match builder {
            TreeBuilder::SphereOctree(options) => Some(*options),
            _ => None,
        }
    }

    fn build(model: &Model, options: &SphereOctreeOptions) -> Option<Self> {
        Self::new(&triangles(model), options).ok()
    }

    /// Cells do not follow the vertices.
    fn refit_to(&mut self, _: &Model, _: &SphereOctreeOptions, _: bool) -> bool {
        false
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let mut traversal = SphereOctreeTraversal::new(a, b).counting(work);
        let _ = traversal.candidates(|s, t| visit.pair(s, t));
    }

    /// One part only.
    fn parts(
        _: (&Self, &Pose),
        _: (&Self, &Pose),
        _: usize,
        _: &mut (),
        _: &mut impl Counter,
        parts: &mut Vec<()>,
    ) {
        parts.push(());
    }

    fn candidates_below(
        _: &(),
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        scratch: &mut (),
        work: &mut impl Counter,
        visit: impl Visit,
    ) {
        Self::candidates(a, b, scratch, work, visit);
    }

    fn along(
        (tree, pose): (&Self, &Pose),
        segment: [Point; 2],
        _: &mut (),
        found: &mut Vec<u32>,
    ) -> bool {
        tree.segment_query(pose, segment, |triangle| {
            found.push(triangle);
            ControlFlow::Continue(())
        })
        .is_continue()
    }
}

/// Sphere trees compared level by level, as far as the time of the query allows and no further than a level (Hubbard 1993).
///
/// No overlap at a level proves that the surfaces are apart. Where spheres still overlap at the end, the verdict is
/// undecided and leans to a collision, without regard to how long it took; if the level is that of the leaves, the exact
/// test of their triangles decides.
///
/// ```
/// use xcollide_narrow::classic::SphereLevels;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let coarse = SphereLevels { levels: 0 };
/// let mut verdict_at = |x: f64| -> Result<_, xcollide_math::PoseError> {
///     let pose = Pose::from_translation([x, 0.0, 0.0]);
///     let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
///     Ok(coarse.test(a, b, &Query::new(), &mut PairCache::new()))
/// };
/// assert!(verdict_at(1.8)?.is_apart());
/// assert_eq!(verdict_at(1.2)?.decided(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SphereLevels {
    /// The last level that is compared; 0 is that of the roots.
    pub levels: usize,
}

impl Default for SphereLevels {
    /// Six levels, whose spheres have about a fiftieth of the radius of a root.
    fn default() -> Self {
        Self { levels: 6 }
    }
}

const NAME: &str = "sphere-levels";
const NEEDED: &str = "of fewer than two billion triangles";

impl NarrowPhase for SphereLevels {
    fn name(&self) -> &'static str {
        NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::FalseHits
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = model.components();
        let refused = PrepareError::NotAccepted { algorithm: NAME, needed: NEEDED };
        if prepared::<SphereOctree>(model).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(already_prepared::<SphereOctree>(model, None)?.memory())
    }

    answers_by_search!();
}

/// Memory of a pair.
#[derive(Default)]
struct Memory {
    rays: RayScratch,
    /// Whether the search ended where spheres overlap.
    ended_early: bool,
}

/// Spheres promise nothing beyond this magnitude.
const TRUSTED: f64 = 1e100;

impl PairSearch for SphereLevels {
    type Hit = TrianglePair;

    fn search<const FIRST: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> End {
        let trees = [a, b].map(|placed| prepared::<SphereOctree>(placed.model()));
        let [Some(tree_a), Some(tree_b)] = trees else { return End::TooLarge };
        let mut monitor = Monitor::always(deadline);
        let coordinates = [a, b].map(|placed| placed.pose().translation());
        let mut coordinates =
            coordinates.as_flattened().iter().copied().chain([tree_a.reach(), tree_b.reach()]);
        let is_trusted = coordinates.all(|value| value.abs() < TRUSTED);
        let mut search = LevelSearch::new((tree_a, a.pose()), (tree_b, b.pose()));
        monitor.volumes(1);
        while !search.is_complete() && search.level() < self.levels {
            if search.refine(&mut monitor).is_break() {
                break;
            }
        }
        let mut ended_early = !is_trusted || !search.is_complete();
        if !ended_early {
            let flow = search.candidates(|s, t| {
                if monitor.go_on().is_break() {
                    ended_early = true;
                    return ControlFlow::Break(());
                }
                monitor.primitives(1);
                let (s, t) = (s as usize, t as usize);
                if triangles_intersect(&a.triangle(s), &b.triangle(t)) {
                    return found(TrianglePair(s, t));
                }
                ControlFlow::Continue(())
            });
            let _ = flow;
        }
        cache.get_or_default::<Memory>().ended_early = ended_early;
        let transforms = 6 * monitor.stats.primitive_tests;
        // What the time did not suffice for is an answer of its own.
        let _ = monitor.finish(transforms, query, cache);
        End::Done
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let Memory { rays: scratch, ended_early } = cache.get_or_default();
        if *ended_early {
            return Verdict::Undecided(Reason::Biased(Bias::Collides));
        }
        let mut rays = |placed: Placed<'_>, ray, found: &mut Vec<u32>| {
            let tree = prepared::<SphereOctree>(placed.model());
            tree.is_some_and(|tree| SphereOctree::along((tree, placed.pose()), ray, &mut (), found))
        };
        conclude_by(a, b, query, deadline, scratch, &mut rays)
    }

    /// It lists no contacts where it ends early.
    fn may_miss(&self) -> bool {
        true
    }
}
