//! What a look at eight pairs has seen, and the finding that it is of each pair.
//!
//! What the lanes have not proved, a direction that separates within rounding or a portal that is near the
//! border, goes on as of a pair that is asked about alone.

use crate::batch::EIGHT;
use crate::gjk::boolean::SupportPair;
use crate::mpr::{MprBatchResult, MprOutcome, MprResult};

use crate::batch_entry::BatchEntry;
use crate::ellipsoid_pair::{RIM, certified};
use crate::gjk::simplex::Simplex;
use crate::hybrid::HybridMemory;
use crate::pair::{Body, Pair, SHORTEST};
use crate::search_result::SearchResult;
use xcollide_math::vector::length_squared;

/// What was seen, lane by lane; where a bit is set, it holds of that lane.
pub(crate) struct Seen {
    /// Planes across the first directions part the bodies, by the ellipsoids or by what was met.
    pub(crate) by_ellipsoids: u32,
    pub(crate) by_vertices: u32,
    pub(crate) offset: Lane,
    /// First directions separate, more or less.
    pub(crate) beyond: u32,
    /// These points are in the ellipsoids that the bodies fill, as seen from either body.
    pub(crate) inside: u32,
    pub(crate) inner_points: [[Lane; 3]; 2],
    /// First directions and what they met.
    pub(crate) direction: [Lane; 3],
    pub(crate) ends: [[u32; EIGHT]; 2],
    pub(crate) difference: [Lane; 3],
    pub(crate) gap: Lane,
    pub(crate) heights: [Lane; 2],
    /// What portals of the others have come to, if they were searched.
    pub(crate) searched: u32,
    pub(crate) passed: MprBatchResult,
    /// These points are in both bodies.
    pub(crate) common: u32,
    pub(crate) common_points: [Lane; 3],
}

type Lane = [f64; EIGHT];

const NOTHING: Lane = [0.0; EIGHT];

impl Seen {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            by_ellipsoids: 0,
            by_vertices: 0,
            offset: NOTHING,
            beyond: 0,
            inside: 0,
            inner_points: [[NOTHING; 3]; 2],
            direction: [NOTHING; 3],
            ends: [[0; EIGHT]; 2],
            difference: [NOTHING; 3],
            gap: NOTHING,
            heights: [NOTHING; 2],
            searched: 0,
            passed: MprBatchResult::default(),
            common: 0,
            common_points: [NOTHING; 3],
        }
    }

    /// Makes a finding of what was seen of one pair, and tells its memory; `false` where it is open yet.
    #[inline(always)]
    pub(crate) fn tell(
        &self,
        lane: usize,
        joint: &mut BatchEntry<'_, HybridMemory>,
        finding: &mut SearchResult,
    ) -> bool {
        let lane = lane % EIGHT;
        let BatchEntry { pair, memory } = joint;
        let holds = |bits: u32| bits >> lane & 1 == 1;
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        let normal = at(&self.direction);
        if holds(self.by_ellipsoids) {
            memory.forget();
            let [x, y, z] = normal;
            finding.set_apart(x, y, z, self.offset[lane]);
            return true;
        }
        if holds(self.by_vertices) {
            pair.count(1);
            memory.remember_vector(normal, [self.ends[0][lane], self.ends[1][lane]]);
            let [x, y, z] = normal;
            finding.set_apart(x, y, z, self.offset[lane]);
            return true;
        }
        if holds(self.inside) {
            let points = [at(&self.inner_points[0]), at(&self.inner_points[1])];
            if let Some([x, y, z]) = certified(pair, points, [rim(pair.a()), rim(pair.b())]) {
                memory.forget();
                finding.set_meet(x, y, z);
            } else {
                alone(pair, memory, normal, finding);
            }
            return true;
        }
        if holds(self.searched) {
            self.tell_of_portal(lane, joint, finding);
            return true;
        }
        if holds(self.beyond) {
            let met = SupportPair {
                direction: normal,
                ends: [self.ends[0][lane], self.ends[1][lane]],
                difference: at(&self.difference),
                gap: self.gap[lane],
                heights: [self.heights[0][lane], self.heights[1][lane]],
            };
            pair.count(1);
            beyond(pair, memory, &met, finding);
            return true;
        }
        false
    }

    #[inline]
    fn tell_of_portal(
        &self,
        lane: usize,
        BatchEntry { pair, memory }: &mut BatchEntry<'_, HybridMemory>,
        finding: &mut SearchResult,
    ) {
        let (passed, holds) = (&self.passed, |bits: u32| bits >> lane & 1 == 1);
        let at = |of: &[Lane; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        if holds(passed.clear) {
            let (normal, [low, high]) = (at(&passed.direction), &passed.heights);
            let offset = 0.5 * low[lane] + 0.5 * high[lane];
            if length_squared(normal) > SHORTEST && offset.is_finite() {
                pair.count(u64::from(passed.probes(lane)));
                memory.remember_vector(normal, passed.last_ends(lane));
                let [x, y, z] = normal;
                finding.set_apart(x, y, z, offset);
                return;
            }
        }
        if holds(self.common) {
            pair.count(u64::from(passed.probes(lane)));
            memory.remember_portal([0, 1, 2].map(|number| passed.corner(lane, number)));
            let [x, y, z] = at(&self.common_points);
            finding.set_meet(x, y, z);
            return;
        }
        let MprResult { portal, probes } = passed.of(lane);
        pair.count(u64::from(probes));
        match portal {
            MprOutcome::Separated { met, .. } => beyond(pair, memory, &met, finding),
            MprOutcome::Intersecting(_) | MprOutcome::Inconclusive => {
                alone(pair, memory, at(&self.direction), finding);
            }
        }
    }
}

/// What is found of a pair that a direction separates, more or less.
#[cold]
fn beyond(
    pair: &mut Pair<'_>,
    memory: &mut HybridMemory,
    met: &SupportPair,
    finding: &mut SearchResult,
) {
    memory.remember_vector(met.direction, met.ends);
    *finding =
        pair.parted(met).map_or(SearchResult::Direction(met.direction), SearchResult::Separated);
}

/// What is found of a pair that is searched alone, from a direction on.
#[cold]
fn alone(
    pair: &mut Pair<'_>,
    memory: &mut HybridMemory,
    direction: [f64; 3],
    finding: &mut SearchResult,
) {
    let is_direction = (f64::MIN_POSITIVE..f64::INFINITY).contains(&length_squared(direction));
    *finding = memory.search_on(pair, is_direction.then_some(direction), Simplex::new());
}

/// How deep in the body the rim of what the ellipsoid fills is.
#[inline]
fn rim(body: &Body<'_>) -> f64 {
    body.polytope().ellipsoid().map_or(0.0, |ellipsoid| RIM * ellipsoid.ball())
}
