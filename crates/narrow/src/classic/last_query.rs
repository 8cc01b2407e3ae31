//! What the last query of a pair showed, for algorithms that keep no front: what met, or how far apart the surfaces are.
//!
//! Where they met, the same pair is tested first. Where they are apart by more than they have moved since
//! ([`Clearance`]), nothing is tested.

use std::ops::ControlFlow;

use xcollide_bvh::Counter;
use xcollide_bvh::levels::Clearance;
use xcollide_math::Pose;
use xcollide_predicates::{Point, triangle_distance, triangles_within};

use crate::Placed;

/// The pair at which the last search broke, and the gap that it found.
#[derive(Clone, Debug, Default)]
pub struct LastQuery {
    met: Option<(u32, u32)>,
    clearance: Clearance,
}

/// Two bodies: their poses, and the largest magnitudes of their coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'p> {
    pub(crate) poses: [&'p Pose; 2],
    pub(crate) reaches: [f64; 2],
}

impl<'p> Bodies<'p> {
    pub(crate) fn of(pair: [Placed<'p>; 2]) -> Self {
        let poses = pair.map(|placed| placed.pose());
        Self { poses, reaches: pair.map(|placed| placed.model().extent()) }
    }
}

impl LastQuery {
    /// Shows `visit` pairs of triangles, or of an edge and a triangle, among them the first that meets, at which it breaks; or
    /// none, where the surfaces are apart by the gap that is known. `corners` are those of such a pair in the world, an edge as a
    /// triangle. `candidates` shows all that may be within a distance, until its visitor or counter breaks.
    pub(crate) fn search<C: Counter>(
        &mut self,
        bodies: Bodies<'_>,
        work: &mut C,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
        mut corners: impl FnMut(u32, u32) -> [[Point; 3]; 2],
        candidates: impl FnOnce(
            f64,
            &mut C,
            &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
        ) -> ControlFlow<()>,
    ) {
        if let Some((s, t)) = self.met.take() {
            work.primitives(1);
            if visit(s, t).is_break() {
                self.met = Some((s, t));
                return;
            }
        }
        if self.clearance.holds(bodies.poses, bodies.reaches) {
            return;
        }
        let margin = self.clearance.margin();
        let mut gap = margin;
        let mut met = None;
        let flow = candidates(margin, work, &mut |s, t| {
            let flow = visit(s, t);
            if flow.is_break() {
                met = Some((s, t));
            } else if gap > 0.0 {
                gap = narrowed(gap, &corners(s, t));
            }
            flow
        });
        self.met = met;
        // A search that was broken off shows no gap.
        if flow.is_continue() {
            self.clearance.record(gap);
        }
    }
}

/// The gap, or a lower bound of the distance of two triangles if that is less.
fn narrowed(gap: f64, [s, t]: &[[Point; 3]; 2]) -> f64 {
    if are_beyond(gap, s, t) {
        return gap;
    }
    let rounded = 0.999_999 * triangle_distance(s, t);
    let least = if rounded < gap { rounded } else { gap };
    if least > 0.0 && !triangles_within(s, t, least) { least } else { 0.0 }
}

/// Whether the boxes of two triangles are a gap apart along an axis, up to rounding.
fn are_beyond(gap: f64, s: &[Point; 3], t: &[Point; 3]) -> bool {
    (0..3).any(|axis| {
        let ends = [s, t].map(|triangle| {
            let [a, b, c] = triangle.map(|corner| corner[axis]);
            [a.min(b).min(c), a.max(b).max(c)]
        });
        ends[0][0] - ends[1][1] > gap || ends[1][0] - ends[0][1] > gap
    })
}

/// The part of [`Hierarchy`](crate::hierarchy::Hierarchy) by which one keeps the last query, and the traversal that it searches
/// with.
macro_rules! keeps_the_last_query {
    ($traversal:ident) => {
        type Front = $crate::classic::last_query::LastQuery;

        fn coherent(
            a: (&Self, &Pose),
            b: (&Self, &Pose),
            front: &mut Self::Front,
            _: &mut Self::Scratch,
            work: &mut impl Counter,
            mut visit: impl Visit,
            world: &mut dyn FnMut(u32, u32) -> [[Point; 3]; 2],
        ) {
            let bodies = $crate::classic::last_query::Bodies {
                poses: [a.1, b.1],
                reaches: [a.0.reach(), b.0.reach()],
            };
            let visit = |s, t| visit.pair(s, t);
            front.search(bodies, work, visit, world, |within, work, visit| {
                $traversal::new(a, b).widened(within).counting(work).candidates(visit)
            });
        }
    };
}

pub(super) use keeps_the_last_query;
