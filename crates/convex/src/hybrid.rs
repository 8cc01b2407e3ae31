//! The fastest for convex pairs: what held the last time, ellipsoids, a separating vector, and then
//! Gilbert.
//!
//! 1. After a hit, the tetrahedron that held the origin is looked at again: if it still does, no
//!    support is searched at all. After a miss, the vector that separated is tried again.
//! 2. [Ellipsoids](super::Ellipsoid) decide most pairs that are new to each other, or have moved far,
//!    without any search; see there for how they find a common point or a plane.
//! 3. From their best direction boolean Gilbert by signs goes on, in registers:
//!    [`BooleanGjk`](crate::BooleanGjk). Up to 32 vertices all are looked at in each step; more
//!    are looked up in the [normal fan](super::Polytope::fan).
//!
//! Many pairs at once go another way from the second step on: [`batch`].

pub(crate) mod batch;

use crate::batch_entry::BatchEntry;
use crate::contact_certificate::ContactCertificate;
use crate::early_result::EarlyResult;
use crate::ellipsoid_pair::EllipsoidPair;
use crate::gjk::boolean::{GjkOutcome, GjkStart, SupportPair};
use crate::gjk::simplex::Simplex;
use crate::pair::Pair;
use crate::plane::Plane;
use crate::search::Search;
use crate::search_result::SearchResult;
use xcollide_math::vector::{length_squared, sub};

/// What held last time, ellipsoids, a vector and its reflection, then Gilbert: the fastest of those
/// here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridSearch;

/// What is remembered of a pair: how it was last proved apart, or to meet.
#[derive(Clone, Copy, Debug, Default)]
pub struct HybridMemory {
    last: Last,
    direction: [f64; 3],
    ends: [u32; 2],
    /// How many queries to go on without trying what is remembered, and how many the next time
    /// that it does not hold: where poses have nothing to do with each other it is no use.
    patience: [u8; 2],
    /// Whether what is remembered was just tried, and no longer holds.
    has_failed: bool,
    /// The best direction of the ellipsoids that were asked last; zero where there are none.
    begin: [f64; 3],
}

/// What decided the last query, if that may decide the next one.
#[derive(Clone, Copy, Debug, Default)]
enum Last {
    #[default]
    Nothing,
    /// The direction separated.
    Vector,
    /// The vertices of a tetrahedron that held the origin.
    Tetrahedron([[u32; 2]; 4]),
    /// The vertices of a triangle that held the origin together with the difference of the centers.
    MprOutcome([[u32; 2]; 3]),
}

impl Search for HybridSearch {
    const NAME: &'static str = "hybrid";
    type Memory = HybridMemory;

    #[inline(always)]
    fn glance(&self, pair: &mut Pair<'_>, memory: &mut HybridMemory) -> EarlyResult {
        let recalled = memory.recall(pair);
        if recalled.is_nothing() { memory.ask_ellipsoids(pair) } else { recalled }
    }

    #[inline]
    fn search(&self, pair: &mut Pair<'_>, memory: &mut HybridMemory) -> SearchResult {
        let simplex = memory.simplex(pair);
        let begin = memory.begin;
        let is_direction = (f64::MIN_POSITIVE..f64::INFINITY).contains(&length_squared(begin));
        memory.search_on(pair, is_direction.then_some(begin), simplex)
    }

    fn search_many(
        &self,
        pairs: &mut [BatchEntry<'_, HybridMemory>],
        findings: &mut Vec<SearchResult>,
    ) {
        self.search_all(pairs, findings);
    }
}

impl HybridMemory {
    /// Nothing that was found out would be of use again.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.last = Last::Nothing;
    }

    /// A direction separated.
    #[inline]
    pub(crate) fn remember_vector(&mut self, direction: [f64; 3], ends: [u32; 2]) {
        (self.last, self.direction, self.ends) = (Last::Vector, direction, ends);
    }

    /// Three vertices of each body, and the centers, held the origin.
    #[inline]
    pub(crate) fn remember_portal(&mut self, ends: [[u32; 2]; 3]) {
        self.last = Last::MprOutcome(ends);
    }

    /// Looks whether what decided the last query still holds.
    #[inline(always)]
    pub(crate) fn recall(&mut self, pair: &mut Pair<'_>) -> EarlyResult {
        self.has_failed = false;
        if self.patience[0] > 0 {
            self.patience[0] -= 1;
            return EarlyResult::NOTHING;
        }
        let recalled = match self.last {
            Last::Nothing => return EarlyResult::NOTHING,
            Last::Vector => self.recall_plane(pair),
            Last::Tetrahedron(ends) => {
                let point = ContactCertificate::of(pair)
                    .and_then(|inset| inset.common_point_of(pair, ends));
                point.map_or(EarlyResult::NOTHING, EarlyResult::meet)
            }
            Last::MprOutcome(ends) => {
                recall_portal(pair, ends).map_or(EarlyResult::NOTHING, EarlyResult::meet)
            }
        };
        self.has_failed = recalled.is_nothing();
        // Twice as patient, up to a limit.
        let [_, longer] = self.patience;
        self.patience = if self.has_failed { [longer, (2 * longer + 1).min(7)] } else { [0; 2] };
        recalled
    }

    #[inline(always)]
    fn recall_plane(&mut self, pair: &mut Pair<'_>) -> EarlyResult {
        let (normal, probe) = (self.direction, pair.probe(self.direction, self.ends));
        self.ends = probe.ends;
        if probe.gap <= 0.0 || probe.gap.is_nan() {
            return EarlyResult::NOTHING;
        }
        match pair.offset_between(normal, &probe) {
            Some(offset) => EarlyResult::apart(Plane { normal, offset }),
            None => EarlyResult::parting(normal),
        }
    }

    /// Whether the ellipsoids decide a pair.
    #[inline(always)]
    pub(crate) fn ask_ellipsoids(&mut self, pair: &Pair<'_>) -> EarlyResult {
        self.begin = [0.0; 3];
        let Some(ellipsoids) = EllipsoidPair::of(pair) else { return EarlyResult::NOTHING };
        if let Some(plane) = ellipsoids.apart() {
            self.last = Last::Nothing;
            return EarlyResult::apart(plane);
        }
        let likely = ellipsoids.is_likely_inside();
        let by_faces = || if likely { ellipsoids.common_point_by_faces(pair) } else { None };
        if let Some(point) = ellipsoids.common_point(pair).or_else(by_faces) {
            self.last = Last::Nothing;
            return EarlyResult::meet(point);
        }
        self.begin = ellipsoids.direction;
        EarlyResult::NOTHING
    }

    /// Where to go on from: a tetrahedron that has just failed to hold the origin, or nothing.
    #[inline]
    fn simplex(&self, pair: &Pair<'_>) -> Simplex {
        let mut simplex = Simplex::new();
        if let Last::Tetrahedron(tetrahedron) = self.last
            && self.has_failed
            && let Some(inset) = ContactCertificate::of(pair)
        {
            for ends in tetrahedron {
                simplex.push(sub(pair.difference(ends), inset.shift), ends);
            }
        }
        simplex
    }

    /// The search from a direction on, or from a tetrahedron that was tried, and has been shifted.
    pub(crate) fn search_on(
        &mut self,
        pair: &mut Pair<'_>,
        direction: Option<[f64; 3]>,
        mut simplex: Simplex,
    ) -> SearchResult {
        let inset = ContactCertificate::of(pair);
        let shift = inset.map_or([0.0; 3], |inset| inset.shift);
        let found = if simplex.is_empty() {
            let direction = direction.unwrap_or_else(|| pair.first_direction());
            pair.search_origin(GjkStart::Direction(direction), shift)
        } else {
            let Some(nearest) = simplex.reduce() else { return SearchResult::Inconclusive };
            let direction = simplex.towards_origin(nearest);
            let mut corners = [([0.0; 3], [0; 2]); 3];
            let of_simplex = simplex.points().iter().zip(simplex.ends());
            for (corner, (&point, &ends)) in corners.iter_mut().zip(of_simplex) {
                *corner = (point, ends);
            }
            let corners = &corners[..simplex.len().min(3)];
            pair.search_origin(GjkStart::Feature { corners, direction }, shift)
        };
        let SupportPair { direction, ends, .. } = found.last;
        self.remember_vector(direction, ends);
        match found.origin {
            GjkOutcome::Separated => pair
                .parted(&found.last)
                .map_or(SearchResult::Direction(direction), SearchResult::Separated),
            GjkOutcome::Intersecting(ends) => {
                let point = inset.and_then(|inset| inset.common_point_of(pair, ends));
                if point.is_some() {
                    self.last = Last::Tetrahedron(ends);
                }
                point.map_or(SearchResult::Inconclusive, SearchResult::Intersecting)
            }
            GjkOutcome::Inconclusive => SearchResult::Inconclusive,
        }
    }
}

/// A call of its own, as few remember portals who are asked alone.
#[inline(never)]
fn recall_portal(pair: &Pair<'_>, ends: [[u32; 2]; 3]) -> Option<[f64; 3]> {
    ContactCertificate::of(pair)?.common_point_from_center(pair, ends)
}
