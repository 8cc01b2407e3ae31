//! The results of the early tests of eight pairs.
//!
//! A pair without a proof, because a direction separates within rounding or a portal is near the border, is searched
//! like a single pair.

use crate::batch::EIGHT;
use crate::mpr::MprBatchResult;
use crate::support_pair::SupportPair;

use super::open_pairs::Starts;
use super::single_ellipsoids::DEPTH;
use crate::batch_entry::BatchEntry;
use crate::body::{Body, SHORTEST};
use crate::ellipsoid_pair::{RIM, certified};
use crate::hybrid::{HybridMemory, test_portal};
use crate::pair::{Pair, Probe};
use crate::search_result::SearchResult;
use xcollide_math::vector::length_squared;

/// The results, lane by lane. Bit i of a number of bits is for lane i.
#[derive(Default)]
pub(crate) struct EarlyResults {
    /// Planes across the first directions separate the bodies, by the ellipsoids or by the farthest vertices.
    pub(crate) by_ellipsoids: u32,
    pub(crate) by_vertices: u32,
    pub(crate) offset: Lane,
    /// First directions separate, up to rounding.
    pub(crate) beyond: u32,
    /// These points, computed from either body, are in the ellipsoids inside of both bodies.
    pub(crate) inside: u32,
    pub(crate) inner_points: [[Lane; 3]; 2],
    /// First directions and their farthest vertices. The rest is set for bodies of more than eight vertices only.
    pub(crate) starts: Starts,
    /// Ellipsoids and directions are of single precision.
    pub(crate) in_single: bool,
    /// MPR searched these pairs.
    pub(crate) searched: u32,
    pub(crate) mpr: MprBatchResult,
    /// These points are in both bodies.
    pub(crate) common: u32,
    pub(crate) common_points: [Lane; 3],
}

type Lane = [f64; EIGHT];

impl EarlyResults {
    /// Nothing is decided yet.
    #[inline(always)]
    pub(crate) fn start(&mut self, in_single: bool) {
        self.in_single = in_single;
        (self.by_ellipsoids, self.by_vertices, self.beyond) = (0, 0, 0);
        (self.inside, self.searched, self.common) = (0, 0, 0);
    }

    /// Writes the result of one pair and updates its memory; `false` if the pair is still open.
    #[inline(always)]
    pub(crate) fn finish(
        &self,
        lane: usize,
        entry: &mut BatchEntry<'_, HybridMemory>,
        result: &mut SearchResult,
    ) -> bool {
        let lane = lane % EIGHT;
        let BatchEntry { pair, memory } = entry;
        let holds = |bits: u32| bits >> lane & 1 == 1;
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        if holds(self.by_ellipsoids | self.by_vertices) {
            // Without a branch on which of the two, which would be unpredictable.
            pair.count(u64::from(self.by_vertices >> lane & 1));
            let ends = [self.starts.ends[0][lane], self.starts.ends[1][lane]];
            // Read here, and so kept in registers.
            let [x, y, z] = at(&self.starts.direction);
            memory.remember_vector_if(holds(self.by_vertices), [x, y, z], ends);
            result.set_separated(x, y, z, self.offset[lane]);
            return true;
        }
        if holds(self.inside) {
            let points = [at(&self.inner_points[0]), at(&self.inner_points[1])];
            let part = if self.in_single { DEPTH } else { RIM };
            let depths = [depth(pair.a(), part), depth(pair.b(), part)];
            if let Some([x, y, z]) = certified(pair, points, depths) {
                memory.forget();
                result.set_intersecting(x, y, z);
            } else {
                alone(pair, memory, at(&self.starts.direction), result);
            }
            return true;
        }
        if holds(self.searched) {
            self.finish_mpr(lane, entry, result);
            return true;
        }
        if holds(self.beyond) {
            pair.count(1);
            let ends = [self.starts.ends[0][lane], self.starts.ends[1][lane]];
            self.beyond(pair, memory, at(&self.starts.direction), ends, result);
            return true;
        }
        false
    }

    #[inline]
    fn finish_mpr(
        &self,
        lane: usize,
        BatchEntry { pair, memory }: &mut BatchEntry<'_, HybridMemory>,
        result: &mut SearchResult,
    ) {
        let (mpr, holds) = (&self.mpr, |bits: u32| bits >> lane & 1 == 1);
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        if holds(mpr.clear) {
            let (normal, [low, high]) = (at(&mpr.direction), &mpr.heights);
            let offset = 0.5 * low[lane] + 0.5 * high[lane];
            let shortest = if self.in_single { SHORTEST_SINGLE } else { SHORTEST };
            if length_squared(normal) > shortest && offset.is_finite() {
                pair.count(u64::from(mpr.probes(lane)));
                memory.remember_vector(normal, mpr.last_ends(lane));
                let [x, y, z] = normal;
                result.set_separated(x, y, z, offset);
                return;
            }
        }
        if holds(mpr.held) {
            let ends = [0, 1, 2].map(|number| mpr.corner(lane, number));
            let common = holds(self.common).then(|| at(&self.common_points));
            if let Some([x, y, z]) = common.or_else(|| test_portal(pair, ends)) {
                pair.count(u64::from(mpr.probes(lane)));
                let [a, b, c] = ends;
                memory.remember_portal(a, b, c);
                result.set_intersecting(x, y, z);
                return;
            }
        }
        pair.count(u64::from(mpr.probes(lane)));
        match mpr.separated(lane) {
            Some((direction, ends)) => self.beyond(pair, memory, direction, ends, result),
            None => alone(pair, memory, at(&self.starts.direction), result),
        }
    }

    /// Certifies a direction that separates, up to rounding, with these farthest vertices.
    #[cold]
    fn beyond(
        &self,
        pair: &mut Pair<'_>,
        memory: &mut HybridMemory,
        direction: [f64; 3],
        ends: [u32; 2],
        result: &mut SearchResult,
    ) {
        let met = if self.in_single {
            pair.probe(direction, ends)
        } else {
            pair.measured(direction, ends)
        };
        if met.gap <= 0.0 {
            return alone(pair, memory, direction, result);
        }
        let Probe { ends, difference, gap, heights, .. } = met;
        memory.remember_vector(direction, ends);
        let met = SupportPair { direction, ends, difference, gap, heights };
        *result =
            pair.parted(&met).map_or(SearchResult::Direction(direction), SearchResult::Separated);
    }
}

/// Squared lengths of directions whose products do not vanish in single precision.
const SHORTEST_SINGLE: f64 = 1e-40;

#[cold]
fn alone(
    pair: &mut Pair<'_>,
    memory: &mut HybridMemory,
    direction: [f64; 3],
    result: &mut SearchResult,
) {
    *result = memory.search_along(pair, direction);
}

/// A part of the depth of the center of the ellipsoid in the body.
#[inline]
fn depth(body: &Body<'_>, part: f64) -> f64 {
    body.polytope().ellipsoid().map_or(0.0, |ellipsoid| part * ellipsoid.ball)
}
