//! The separating vector algorithm (Chung 1996, chapters 3 and 4).
//!
//! ```text
//!           S        S′ = S − 2(S · r) r: the vector reflected at the line between the two support
//!        ╲  ▲  ╱     vertices, r being the unit vector from p to q. For disjoint discs and balls the
//!      r ─►─┼─►─     first reflection separates; for polytopes each is nearer to every separating
//!        ╱  ▼  ╲     vector (lemma 2). So are the vector half way, perpendicular to r (lemma 5), and
//!           S′       all between (lemma 7).
//! ```
//!
//! A separating vector encloses no obtuse angle with any r. When no vector satisfies this for all r, the
//! bodies meet: see [`CollisionCondition`].
//!
//! The printed pseudo-code divides by zero if p = q (then the bodies touch), its equation 4.2 if r is
//! parallel to z (any frame across r does).

use xcollide_convex::{Pair, Polytope, Probe, Search, SearchResult, VertexSearch};

use super::half_space::{CollisionCondition, HalfSpace};
use crate::PairCache;
use crate::convex::certified::Certified;
use xcollide_math::vector::{add, dot, scale, sub, unit};

/// Separating vectors by reflection, with a condition that detects contact.
///
/// ```
/// use xcollide_narrow::classic::SeparatingVector;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_b = Pose::from_translation([0.75, 0.75, 0.75]);
/// let b = Placed::new(&model, &pose_b)?;
/// // The conservative direction of the thesis, and its other collision condition.
/// let algorithm = SeparatingVector::default().greed(0.0).half_planes();
/// assert!(!algorithm.test(a, b, &Query::new(), &mut PairCache::new()).is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SeparatingVector = Certified<SeparatingVectorSearch>;

/// The search of [`SeparatingVector`], with the parameters of its methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingVectorSearch {
    greed: f64,
    condition: CollisionCondition,
    support: VertexSearch,
    /// Whether the first vector is between the surface centroids.
    centroids: bool,
}

/// The most searching steps; beyond, the exact test decides. Chung's figures 6.3 to 6.5 have maxima of 25
/// to 55.
const MOST_STEPS: u32 = 200;

impl SeparatingVectorSearch {
    const DEFAULT: Self = Self {
        greed: 1.0,
        condition: CollisionCondition::Hemisphere,
        support: VertexSearch::Mixed,
        centroids: false,
    };
}

impl Default for SeparatingVectorSearch {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Certified<SeparatingVectorSearch> {
    /// As Chung (1996) measured it: hill climbing from a table, contact by the hemisphere method.
    #[must_use]
    pub const fn thesis() -> Self {
        Self(SeparatingVectorSearch::DEFAULT).vertices_by(VertexSearch::Tabled)
    }

    /// Sets α of the family 3.9, from 0 to 1: 1 (the default) is the whole reflection (formula 3.2,
    /// greedy), 0 stops half way, perpendicular to r (formula 3.5, conservative).
    #[must_use]
    pub const fn greed(mut self, greed: f64) -> Self {
        self.0.greed = greed;
        self
    }

    /// Detects contact by the half-plane method (Chung 1996, 4.3) instead of the hemisphere method (4.2).
    #[must_use]
    pub const fn half_planes(mut self) -> Self {
        self.0.condition = CollisionCondition::HalfPlanes;
        self
    }

    /// Sets the support mapping. `Tabled` uses the table for the first direction only, as in the thesis (Chung
    /// 1996, 3.5).
    #[must_use]
    pub const fn vertices_by(mut self, support: VertexSearch) -> Self {
        self.0.support = support;
        self
    }

    /// Begins along the line between the centroids of the surfaces, faces weighted by area, instead of the
    /// means of the vertices (Chung 1996, 3.4).
    #[must_use]
    pub const fn from_surface_centroids(mut self) -> Self {
        self.0.centroids = true;
        self
    }

    /// How often the last query met vertices for the second time (Chung 1996, 6.2.1: in less than one of a
    /// thousand tests of bodies that are apart).
    #[must_use]
    pub fn recurrences(cache: &PairCache) -> usize {
        Self::memory(cache).map_or(0, |memory| memory.half_space.again.len())
    }
}

/// Memory of a pair: the last vector, its support vertices, and scratch memory.
#[derive(Clone, Debug, Default)]
pub struct SeparatingVectorMemory {
    direction: Option<[f64; 3]>,
    ends: [u32; 2],
    half_space: HalfSpace,
}

impl SeparatingVectorMemory {
    /// The start of a search for the nearest points: the vertices met more than once, else the last two
    /// pairs (Chung 1996, 5.5).
    pub(crate) fn for_nearest(&self) -> &[[u32; 2]] {
        self.half_space.recurring()
    }

    /// Sets the start of the next query.
    pub(crate) fn resume(&mut self, direction: [f64; 3], ends: [u32; 2]) {
        (self.direction, self.ends) = (Some(direction), ends);
    }
}

impl Search for SeparatingVectorSearch {
    const NAME: &'static str = "separating-vector";
    type Memory = SeparatingVectorMemory;

    fn prepare(&self, polytope: &Polytope) {
        self.support.prepare(polytope);
        if self.centroids {
            let _ = polytope.centroid();
        }
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut SeparatingVectorMemory) -> SearchResult {
        let mut direction = match memory.direction {
            Some(direction) => direction,
            None => self.begin(pair, &mut memory.ends),
        };
        let half_space = &mut memory.half_space;
        half_space.clear();
        // How often in a row no new vertices were met.
        let mut repeated = 0;
        let mut last: Option<([f64; 3], [u32; 2])> = None;
        // The result without a proof: a vector that separates up to rounding, if there was one.
        let mut doubt = SearchResult::Inconclusive;
        for _ in 0..MOST_STEPS {
            let probe = self.probe(pair, direction, memory.ends);
            memory.ends = probe.ends;
            if probe.gap > 0.0 {
                if let Some(plane) = pair.apart(direction, &probe) {
                    memory.direction = Some(direction);
                    return SearchResult::Separated(plane);
                }
                // Perpendicular to the last r, and rounded: there may be a better one.
                doubt = SearchResult::Direction(direction);
            }
            let Some(line) = unit(probe.difference) else { return doubt };
            if half_space.meets_again(probe.ends) {
                direction = match (repeated, last) {
                    // Lemma 3: the same vertices twice in a row, so the whole reflection separates. A
                    // greed of 1 has just tried it; 0 is perpendicular to r, where rounding decides.
                    (0, Some((before, ends))) if ends == probe.ends && self.greed < 1.0 => {
                        reflected(before, line)
                    }
                    // Lemma 8: reflections make no progress, so take the middle of the half space. It
                    // may touch the border, where the thesis, but not we, counts touching as apart; the
                    // nearest point of the differences met does not, if there is room.
                    (0 | 1, _) => {
                        repeated = 1;
                        half_space.middle
                    }
                    (2, _) => match half_space.enclose([0.0; 3]) {
                        Err(nearest) => unit(nearest).unwrap_or(nearest),
                        Ok(_) => return doubt,
                    },
                    _ => return doubt,
                };
                repeated += 1;
                continue;
            }
            last = Some((direction, probe.ends));
            repeated = 0;
            if !half_space.add(line, probe.difference, probe.ends, self.condition) {
                memory.direction = Some(direction);
                return match half_space.contact(pair) {
                    SearchResult::Inconclusive => doubt,
                    contact => contact,
                };
            }
            direction = self.next(direction, line);
        }
        memory.direction = Some(direction);
        doubt
    }
}

impl SeparatingVectorSearch {
    /// The first vector; sets the first vertices.
    #[cold]
    fn begin(&self, pair: &Pair<'_>, ends: &mut [u32; 2]) -> [f64; 3] {
        let direction =
            if self.centroids { pair.centroid_direction() } else { pair.first_direction() };
        if self.support == VertexSearch::Tabled {
            *ends = pair.farthest_by(VertexSearch::Tabled, direction, *ends);
        }
        direction
    }

    #[inline]
    fn probe(&self, pair: &mut Pair<'_>, direction: [f64; 3], near: [u32; 2]) -> Probe {
        match self.support {
            VertexSearch::Mixed => pair.probe(direction, near),
            VertexSearch::Tabled => pair.probe_by(VertexSearch::Climbing, direction, near),
            search => pair.probe_by(search, direction, near),
        }
    }

    /// The next vector (formula 3.9).
    #[inline]
    fn next(&self, direction: [f64; 3], line: [f64; 3]) -> [f64; 3] {
        let greedy = reflected(direction, line);
        if self.greed >= 1.0 || self.greed.is_nan() {
            return greedy;
        }
        let greed = self.greed.max(0.0);
        let conservative = unit(sub(direction, scale(line, dot(direction, line))));
        let between = conservative
            .and_then(|square| unit(add(scale(greedy, greed), scale(square, 1.0 - greed))));
        between.unwrap_or(greedy)
    }
}

/// The whole reflection (formula 3.2).
#[inline]
fn reflected(direction: [f64; 3], line: [f64; 3]) -> [f64; 3] {
    sub(direction, scale(line, 2.0 * dot(direction, line)))
}
