//! The search for triangles that meet by two hierarchies.

use std::collections::HashSet;
use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_predicates::triangles_intersect;

use super::Hierarchy;
use super::bvh_pair::{BvhPair, Wide};
use super::parallel_traversal::{PairParts, PartedSearch};
use super::prepared::{Memory, prepared_with};
use super::rays::triangles_along;
use super::triangle_tests::{Corners, TriangleContact, TriangleTests};
use super::work::Monitor;
use crate::containment::conclude_by;
use crate::pair_search::{End, PairSearch};
use crate::parallel_for::helpers;
use crate::query::Deadline;
use crate::{PairCache, Placed, Query, Verdict};

/// Shows the pairs of faces that have a point in common, found by wide hierarchies. Returns whether these are all.
pub(crate) fn surface_contacts(
    pair: [Placed<'_>; 2],
    query: &Query,
    cache: &mut PairCache,
    visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
) -> bool {
    Wide::new().listing(pair, query, cache, visit).complete
}

impl<H: Hierarchy> PairSearch for BvhPair<H> {
    type Hit = TriangleContact;

    /// The first contact includes a common point of the triangles.
    #[inline]
    fn search<const FIRST: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(TriangleContact) -> ControlFlow<()>,
    ) -> End {
        // First of all, as the data may have to be loaded from memory.
        let (corners_a, corners_b) = (Corners::of(&a), Corners::of(&b));
        let coherently = FIRST && cache.is_coherent();
        let helpers = if coherently { 0 } else { helpers(query.grain) };
        let monitor = match helpers {
            0 => Monitor::of(query, deadline),
            _ => Some(Monitor::always(deadline)),
        };
        let memory: &mut Memory<H> = cache.get_or_default();
        let (scratch, mut front) = if coherently {
            let (scratch, front) =
                memory.with_front([a, b].map(|placed| placed.model().version()), self.settings);
            (scratch, Some(front))
        } else {
            (&mut memory.scratch, None)
        };
        let tree_a = prepared_with(a.model(), self.settings);
        let tree_b = prepared_with(b.model(), self.settings);
        let (Some(tree_a), Some(tree_b)) = (tree_a, tree_b) else {
            return End::TooLarge;
        };
        let placed_a = (tree_a, a.pose());
        let placed_b = (tree_b, b.pose());
        let corners = [&corners_a, &corners_b];
        let mut world =
            |s: u32, t: u32| [corners_a.triangle(s as usize), corners_b.triangle(t as usize)];
        let Some(mut monitor) = monitor else {
            let visit = TriangleTests::new(corners, FIRST, &mut found);
            match front {
                None => H::candidates(placed_a, placed_b, scratch, &mut (), visit),
                Some(front) => {
                    H::coherent(placed_a, placed_b, front, scratch, &mut (), visit, &mut world);
                }
            }
            return End::Done;
        };
        if monitor.in_time().is_continue() {
            match &mut front {
                None if helpers > 0 => {
                    let parts = PairParts::new(placed_a, placed_b, helpers, scratch, &mut monitor);
                    let parted = PartedSearch::new(parts, helpers);
                    let meets = |s: u32, t: u32| {
                        let [of_a, of_b] = world(s, t);
                        triangles_intersect(&of_a, &of_b)
                    };
                    let mut shown = HashSet::new();
                    let mut show = |s: u32, t: u32| {
                        if H::REPEATS && !shown.insert((s, t)) {
                            return ControlFlow::Continue(());
                        }
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
                    let visit = TriangleTests::new(corners, FIRST, &mut found);
                    H::candidates(placed_a, placed_b, scratch, &mut monitor, visit);
                }
                Some(front) => {
                    let visit = TriangleTests::new(corners, FIRST, &mut found);
                    H::coherent(
                        placed_a,
                        placed_b,
                        front,
                        scratch,
                        &mut monitor,
                        visit,
                        &mut world,
                    );
                }
            }
        }
        let transforms = 6 * monitor.stats.primitive_tests;
        monitor.finish(transforms, query, cache)
    }

    fn conclude(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &mut Deadline,
    ) -> Verdict {
        let Memory::<H> { scratch, rays: ray_scratch, .. } = cache.get_or_default();
        let mut rays = |placed: Placed<'_>, ray, found: &mut Vec<u32>| {
            triangles_along::<H>(placed, self.settings, ray, scratch, found)
        };
        conclude_by(a, b, query, deadline, ray_scratch, &mut rays)
    }
}
