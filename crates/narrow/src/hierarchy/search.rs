//! The search for triangles that meet by two hierarchies.

use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_bvh::wide::WideTree;
use xcollide_predicates::triangles_intersect;

use super::Hierarchy;
use super::parallel_traversal::PartedSearch;
use super::prepared::{Memory, prepared_with};
use super::rays::TreeRays;
use super::triangle_tests::{Corners, TriangleContact, TriangleTests};
use super::work::Monitor;
use crate::containment::conclude_by;
use crate::pair_search::{End, Hit, PairSearch};
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::{PairCache, Placed, Query, Verdict, Witness};

/// Descends two hierarchies of a kind together; the exact test of triangles decides.
pub(crate) struct TreeSearch<H: Hierarchy> {
    /// `None`: the default.
    pub(crate) settings: Option<H::Settings>,
}

/// Shows `visit` the pairs of faces of two models that have a point in common, at least once each,
/// until it breaks off; whether none is missing. By the 8-wide hierarchies: fast for any model.
pub(crate) fn each_contact(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
    visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
) -> bool {
    TreeSearch::<WideTree> { settings: None }.listing([a, b], query, cache, visit).complete
}

impl Hit for TriangleContact {
    #[inline]
    fn witness(self, _: [Placed<'_>; 2]) -> Witness {
        Self::witness(&self)
    }

    #[inline]
    fn each_pair_of_faces(
        &self,
        _: [Placed<'_>; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit(self.faces[0], self.faces[1])
    }
}

impl<H: Hierarchy> PairSearch for TreeSearch<H> {
    type Hit = TriangleContact;

    /// The first contact comes with a point that both triangles have in common.
    #[inline]
    fn search<const FIRST: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(TriangleContact) -> ControlFlow<()>,
    ) -> End {
        // First of all, as it may have to come from memory.
        let (corners_a, corners_b) = (Corners::of(&a), Corners::of(&b));
        let coherently = FIRST && cache.is_coherent();
        let helpers = if H::PARTS && !coherently { helpers(query.grain) } else { 0 };
        let monitor = match helpers {
            0 => Monitor::of(query, deadline),
            _ => Some(Monitor::always(deadline)),
        };
        let Memory::<H> { scratch, coherence } = cache.get_or_default();
        let tree_a = prepared_with(a.model(), self.settings);
        let tree_b = prepared_with(b.model(), self.settings);
        let (Some(tree_a), Some(tree_b)) = (tree_a, tree_b) else {
            return End::TooLarge;
        };
        let placed_a = (tree_a, a.pose());
        let placed_b = (tree_b, b.pose());
        let corners = [&corners_a, &corners_b];
        let world =
            |s: u32, t: u32| [corners_a.triangle(s as usize), corners_b.triangle(t as usize)];
        let mut coherence = coherently.then(|| coherence.get_or_insert_default());
        let Some(mut monitor) = monitor else {
            let visit = TriangleTests::<_, FIRST>::new(corners, found);
            match coherence {
                None => H::candidates(placed_a, placed_b, scratch, &mut (), visit),
                Some(kept) => {
                    H::coherent(placed_a, placed_b, kept, scratch, &mut (), visit, world);
                }
            }
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            match &mut coherence {
                None if helpers > 0 => {
                    let parted =
                        PartedSearch::new(placed_a, placed_b, helpers, scratch, &mut monitor);
                    let meets = |s: u32, t: u32| {
                        let [of_a, of_b] = world(s, t);
                        triangles_intersect(&of_a, &of_b)
                    };
                    let mut show = |s: u32, t: u32| {
                        let faces = [corners_a.face(s as usize), corners_b.face(t as usize)];
                        found(TriangleContact { faces, triangles: world(s, t), point: None })
                    };
                    if !FIRST {
                        parted.all(&mut monitor, meets, show);
                    } else if let Some((s, t)) = parted.first(&mut monitor, meets) {
                        let _ = show(s, t);
                    }
                }
                None => {
                    let visit = TriangleTests::<_, FIRST>::new(corners, found);
                    H::candidates(placed_a, placed_b, scratch, &mut monitor, visit);
                }
                Some(kept) => {
                    let visit = TriangleTests::<_, FIRST>::new(corners, found);
                    H::coherent(placed_a, placed_b, kept, scratch, &mut monitor, visit, world);
                }
            }
        }
        let Monitor { mut stats, out_of_time, .. } = monitor;
        if query.stats {
            stats.transforms = 6 * stats.primitive_tests;
            cache.set_stats(stats);
        }
        if out_of_time { End::OutOfTime } else { End::Done }
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let scratch = &mut cache.get_or_default::<Memory<H>>().scratch;
        let rays = &mut TreeRays::<H> { settings: self.settings, scratch };
        conclude_by(a, b, query, deadline, rays)
    }
}
