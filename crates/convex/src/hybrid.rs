//! The fastest search for convex pairs: the proof of the last query, ellipsoids, then MPR.
//!
//! 1. After a hit the search tests the portal or tetrahedron that held the origin; if it still does, no support query is needed.
//!    Otherwise [MPR](crate::mpr::pair) starts from the last direction, which ends at once if that separates, or if the
//!    bodies have moved far.
//! 2. [Ellipsoids](crate::ellipsoid_pair) decide most pairs that are new to each other, or have moved far.
//! 3. MPR starts from their best direction. Where rounding decides, [`BooleanGjk`](crate::gjk::boolean::BooleanGjk) does.
//!
//! Batches take the second and third step for eight pairs at a time: [`batch`].

pub(crate) mod batch;

use crate::batch_entry::BatchEntry;
use crate::body::Body;
use crate::contact_certificate::{ContactCertificate, TOLERANCE, needed};
use crate::early_result::EarlyResult;
use crate::ellipsoid_pair::EllipsoidPair;
use crate::gjk::boolean::GjkOutcome;
use crate::mpr::pair::{MprOutcome, MprPair, MprPairResult, PortalPoint};
use crate::pair::Pair;
use crate::plane::Plane;
use crate::search::Search;
use crate::search_result::SearchResult;
use crate::support_pair::SupportPair;
use xcollide_math::vector::length_squared;

/// The fastest search: the proof of the last query, ellipsoids, then MPR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridSearch;

/// The most queries in a row that skip the last proof; after each failure they are twice as many and one.
const MOST_SKIPPED: u8 = 15;

/// Bodies that overlap by no more than this part of their half axes have moved a little since they were apart.
const NEAR: f64 = 0.06;

/// The proof of the last query, and when to try it again.
#[derive(Clone, Copy, Debug, Default)]
pub struct HybridMemory {
    last: Last,
    direction: [f64; 3],
    ends: [u32; 2],
    /// The number of queries that skip the last proof, and that number after the next failure: between unrelated poses
    /// the proof never holds.
    backoff: [u8; 2],
    /// Whether the last proof was just tried and failed.
    has_failed: bool,
    /// Whether boolean GJK goes on from the last direction: rounding decides where the search that followed ended, or there
    /// are no ellipsoids to begin it with.
    is_near: bool,
    /// The best direction of the last ellipsoids; zero without ellipsoids.
    begin: [f64; 3],
}

/// The proof of the last query, if it may hold again.
#[derive(Clone, Copy, Debug, Default)]
enum Last {
    #[default]
    Nothing,
    /// The direction separated.
    Vector,
    /// The vertices of a tetrahedron that held the origin.
    Tetrahedron([[u32; 2]; 4]),
    /// The vertices of a portal that held the origin together with the difference of the centers.
    Portal([[u32; 2]; 3]),
}

impl Search for HybridSearch {
    const NAME: &'static str = "hybrid";
    type Memory = HybridMemory;

    #[inline(always)]
    fn early_test(&self, pair: &mut Pair<'_>, memory: &mut HybridMemory) -> EarlyResult {
        let resumed = memory.resume(pair);
        if !resumed.is_nothing() || memory.is_near {
            return resumed;
        }
        memory.test_ellipsoids(pair)
    }

    #[inline]
    fn search(&self, pair: &mut Pair<'_>, memory: &mut HybridMemory) -> SearchResult {
        let mut begin = memory.direction;
        if !memory.is_near {
            if let Some(result) = memory.search_portal(pair) {
                return result;
            }
            begin = memory.begin;
        }
        memory.search_along(pair, begin)
    }

    fn search_many(
        &self,
        pairs: &mut [BatchEntry<'_, HybridMemory>],
        results: &mut [SearchResult],
    ) {
        self.search_all(pairs, results);
    }
}

impl HybridMemory {
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.last = Last::Nothing;
    }

    /// Keeps a direction that separated.
    #[inline]
    pub(crate) fn remember_vector(&mut self, direction: [f64; 3], ends: [u32; 2]) {
        (self.last, self.direction, self.ends) = (Last::Vector, direction, ends);
    }

    /// Keeps a direction that separated, or nothing.
    #[inline]
    pub(crate) fn remember_vector_if(
        &mut self,
        is_kept: bool,
        direction: [f64; 3],
        ends: [u32; 2],
    ) {
        self.remember_vector(direction, ends);
        self.last = if is_kept { Last::Vector } else { Last::Nothing };
    }

    /// Keeps three pairs of vertices that held the origin together with the centers. Not inlined and in registers, as
    /// [`SearchResult`] is set.
    #[inline(never)]
    pub(crate) fn remember_portal(&mut self, a: [u32; 2], b: [u32; 2], c: [u32; 2]) {
        self.last = Last::Portal([a, b, c]);
    }

    /// Tests whether the proof of the last query still holds.
    #[inline(always)]
    pub(crate) fn test_last_proof(&mut self, pair: &mut Pair<'_>) -> EarlyResult {
        if self.skips_last_proof() {
            return EarlyResult::NOTHING;
        }
        let result = match self.last {
            Last::Nothing => return EarlyResult::NOTHING,
            Last::Vector => self.test_vector(pair),
            _ => {
                self.point_still_held(pair).map_or(EarlyResult::NOTHING, EarlyResult::intersecting)
            }
        };
        self.note_last_proof(result.is_nothing());
        result
    }

    /// Tests whether the proof of the last query still holds. If not, but the bodies are near contact along its direction,
    /// they have moved a little, so that ellipsoids would decide nothing: searches from there.
    #[inline(always)]
    fn resume(&mut self, pair: &mut Pair<'_>) -> EarlyResult {
        if self.skips_last_proof() || matches!(self.last, Last::Nothing) {
            return EarlyResult::NOTHING;
        }
        if let Some(point) = self.point_still_held(pair) {
            self.note_last_proof(false);
            return EarlyResult::intersecting(point);
        }
        let depth = NEAR * (half_axes(pair.a()) + half_axes(pair.b()));
        let Some(roundness) = roundness(pair) else {
            self.is_near = true;
            return EarlyResult::NOTHING;
        };
        let found = portal_from(pair, self.direction, roundness, depth);
        self.note_last_proof(found.origin == MprOutcome::Far);
        if self.has_failed {
            return EarlyResult::NOTHING;
        }
        let SupportPair { direction, ends, .. } = found.last;
        self.remember_vector(direction, ends);
        // Not as a [`SearchResult`]: making one would take a tenth of the time.
        let result = match found.origin {
            MprOutcome::Separated => pair
                .parted(&found.last)
                .map_or(EarlyResult::direction_only(direction), EarlyResult::separated),
            MprOutcome::Held(held) if certifies(pair, &held) => {
                self.last = Last::Portal(held.ends);
                EarlyResult::intersecting(held.point)
            }
            _ => EarlyResult::NOTHING,
        };
        self.is_near = result.is_nothing();
        result
    }

    /// Whether it is too soon to try the last proof again.
    #[inline(always)]
    fn skips_last_proof(&mut self) -> bool {
        (self.has_failed, self.is_near) = (false, false);
        let skips = self.backoff[0] > 0;
        self.backoff[0] -= u8::from(skips);
        skips
    }

    #[inline(always)]
    fn note_last_proof(&mut self, has_failed: bool) {
        self.has_failed = has_failed;
        let [_, longer] = self.backoff;
        self.backoff =
            if has_failed { [longer, (2 * longer + 1).min(MOST_SKIPPED)] } else { [0; 2] };
    }

    /// The point in both bodies that the last proof gives, if it was one of contact and still holds.
    #[inline(always)]
    fn point_still_held(&self, pair: &Pair<'_>) -> Option<[f64; 3]> {
        match self.last {
            Last::Nothing | Last::Vector => None,
            Last::Tetrahedron(ends) => ContactCertificate::of(pair)?.common_point_of(pair, ends),
            Last::Portal(ends) => test_portal(pair, ends),
        }
    }

    #[inline(always)]
    fn test_vector(&mut self, pair: &mut Pair<'_>) -> EarlyResult {
        let (normal, probe) = (self.direction, pair.probe(self.direction, self.ends));
        self.ends = probe.ends;
        if probe.gap <= 0.0 || probe.gap.is_nan() {
            return EarlyResult::NOTHING;
        }
        match pair.offset_between(normal, &probe) {
            Some(offset) => EarlyResult::separated(Plane { normal, offset }),
            None => EarlyResult::direction_only(normal),
        }
    }

    /// Tests the ellipsoids of a pair.
    #[inline(always)]
    pub(crate) fn test_ellipsoids(&mut self, pair: &Pair<'_>) -> EarlyResult {
        self.begin = [0.0; 3];
        let Some(ellipsoids) = EllipsoidPair::of(pair) else { return EarlyResult::NOTHING };
        if let Some(plane) = ellipsoids.apart() {
            self.last = Last::Nothing;
            return EarlyResult::separated(plane);
        }
        let likely = ellipsoids.is_likely_inside();
        let by_faces = || if likely { ellipsoids.common_point_by_faces(pair) } else { None };
        if let Some(point) = ellipsoids.common_point(pair).or_else(by_faces) {
            self.last = Last::Nothing;
            return EarlyResult::intersecting(point);
        }
        self.begin = ellipsoids.direction;
        EarlyResult::NOTHING
    }

    /// Searches by MPR from the direction of the ellipsoids; `None` without them, or if rounding decides.
    #[inline(always)]
    fn search_portal(&mut self, pair: &mut Pair<'_>) -> Option<SearchResult> {
        let found = portal_from(pair, self.begin, roundness(pair)?, f64::INFINITY);
        let SupportPair { direction, ends, .. } = found.last;
        self.remember_vector(direction, ends);
        match found.origin {
            MprOutcome::Separated => Some(
                pair.parted(&found.last)
                    .map_or(SearchResult::Direction(direction), SearchResult::Separated),
            ),
            MprOutcome::Held(held) => {
                if !certifies(pair, &held) {
                    return None;
                }
                self.last = Last::Portal(held.ends);
                Some(SearchResult::Intersecting(held.point))
            }
            MprOutcome::Near | MprOutcome::Far => None,
        }
    }

    /// Searches by boolean GJK from a direction, or from center to center if that is zero or overflows.
    #[cold]
    pub(crate) fn search_along(
        &mut self,
        pair: &mut Pair<'_>,
        mut direction: [f64; 3],
    ) -> SearchResult {
        let certificate = ContactCertificate::of(pair);
        let shift = certificate.map_or([0.0; 3], |certificate| certificate.shift);
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&length_squared(direction)) {
            direction = pair.first_direction();
        }
        let found = pair.boolean_gjk(direction, shift);
        let SupportPair { direction, ends, .. } = found.last;
        self.remember_vector(direction, ends);
        match found.origin {
            GjkOutcome::Separated => pair
                .parted(&found.last)
                .map_or(SearchResult::Direction(direction), SearchResult::Separated),
            GjkOutcome::Intersecting(ends) => {
                let point =
                    certificate.and_then(|certificate| certificate.common_point_of(pair, ends));
                if point.is_some() {
                    self.last = Last::Tetrahedron(ends);
                }
                point.map_or(SearchResult::Inconclusive, SearchResult::Intersecting)
            }
            GjkOutcome::Inconclusive => SearchResult::Inconclusive,
        }
    }
}

/// How round both bodies are, from 0 to 1; `None` without ellipsoids.
#[inline(always)]
fn roundness(pair: &Pair<'_>) -> Option<f64> {
    let [a, b] = [pair.a().polytope().ellipsoid()?, pair.b().polytope().ellipsoid()?];
    Some(0.5 * (a.inner + b.inner))
}

/// Searches by MPR from a direction, no deeper along it than this.
#[inline(always)]
fn portal_from(
    pair: &mut Pair<'_>,
    direction: [f64; 3],
    roundness: f64,
    deepest: f64,
) -> MprPairResult {
    let bodies = [*pair.a(), *pair.b()];
    let centers = [pair.a().center(), pair.b().center()];
    let found = MprPair { bodies, centers, direction, roundness, deepest }.run();
    pair.count(u64::from(found.probes));
    found
}

/// Bounds the half axes of the ellipsoid; 0 without one.
#[inline]
fn half_axes(body: &Body<'_>) -> f64 {
    let polytope = body.polytope();
    polytope.ellipsoid().map_or(0.0, |ellipsoid| ellipsoid.size - 2.0 * polytope.reach())
}

/// Whether the point of a portal is in both bodies: the center's weight is the factor by which both hulls may be shrunk about their
/// centers without losing it (see [`ContactCertificate`]), so the search needs no shift.
#[inline]
fn certifies(pair: &Pair<'_>, held: &PortalPoint) -> bool {
    let noise = pair.a().noise() + pair.b().noise();
    let deep = |body| needed(body, noise).is_some_and(|needed| held.of_center > needed);
    held.to_twin < TOLERANCE * noise && deep(pair.a()) && deep(pair.b())
}

#[inline]
fn test_portal(pair: &Pair<'_>, ends: [[u32; 2]; 3]) -> Option<[f64; 3]> {
    ContactCertificate::of(pair)?.common_point_from_center(pair, ends)
}
