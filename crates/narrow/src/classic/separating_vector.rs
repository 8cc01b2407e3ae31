//! The separating vector algorithm (Chung 1996, chapters 3 and 4).
//!
//! ```text
//!           S        S′ = S − 2(S · r) r: the vector reflected at the line between the two support
//!        ╲  ▲  ╱     vertices, r being the unit vector from p to q. For discs and balls that are
//!      r ─►─┼─►─     apart the first reflection separates; for polytopes each comes nearer to
//!        ╱  ▼  ╲     every vector that separates (lemma 2). Half way is the vector square to r,
//!           S′       which is nearer, too (lemma 5), and so is all between (lemma 7).
//! ```
//!
//! Each r is one more vector with which a separating vector must not enclose an obtuse angle. When
//! no vector satisfies all of them, the bodies meet: see [`CollisionCondition`].
//!
//! The printed pseudo-code divides by zero where p = q (then the bodies touch), and its equation
//! 4.2 does where r is parallel to z (any frame across r does).

use xcollide_convex::{Pair, Probe, Search, SearchResult, VertexSearch};

use super::half_space::{CollisionCondition, Enclosure, HalfSpace};
use crate::convex::certified::Certified;
use xcollide_math::vector::{add, dot, scale, sub, unit};

/// Separating vectors, reflected, with a condition that notices contact.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::SeparatingVector;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
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

/// The search of [`SeparatingVector`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingVectorSearch {
    /// The most searching steps; beyond, the exact test decides. Chung's figures 6.3 to 6.5 have
    /// maxima of 25 to 55.
    pub most_steps: u32,
    /// α of the family 3.9, from 0 to 1: 1 is the whole reflection (formula 3.2, greedy), 0 stops
    /// half way, square to r (formula 3.5, conservative). Other numbers count as the nearer of the
    /// two.
    pub greed: f64,
    /// How contact is noticed.
    pub condition: CollisionCondition,
    /// How farthest vertices are searched. `Tabled` uses the table for the first direction only (Chung 1996, 3.5).
    pub support: VertexSearch,
    /// The vector to begin with where nothing is remembered.
    pub first: FirstDirection,
}

impl Default for SeparatingVectorSearch {
    fn default() -> Self {
        Self {
            most_steps: 200,
            greed: 1.0,
            condition: CollisionCondition::default(),
            support: VertexSearch::default(),
            first: FirstDirection::default(),
        }
    }
}

/// Along which line the first vector lies (Chung 1996, 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FirstDirection {
    /// From the mean of the vertices to that of the other.
    #[default]
    VertexMeans,
    /// From the centroid of the surface, faces counting by their area, to that of the other.
    SurfaceCentroids,
}

/// What is remembered: the vector that separated, the vertices it met, and room for a search.
#[derive(Clone, Debug, Default)]
pub struct SeparatingVectorMemory {
    direction: Option<[f64; 3]>,
    ends: [u32; 2],
    half_space: HalfSpace,
}

impl SeparatingVectorMemory {
    /// How often the last query met vertices for the second time (Chung 1996, 6.2.1: in less than
    /// one of a thousand tests of bodies that are apart).
    #[must_use]
    pub fn recurrences(&self) -> usize {
        self.half_space.recurrences()
    }

    /// Where to begin a search for the nearest points: the vertices that were met more than once,
    /// else the last two pairs (Chung 1996, 5.5).
    pub(crate) fn for_nearest(&self) -> &[[u32; 2]] {
        self.half_space.recurring()
    }

    /// Where to begin the next time.
    pub(crate) fn resume(&mut self, direction: [f64; 3], ends: [u32; 2]) {
        (self.direction, self.ends) = (Some(direction), ends);
    }
}

impl Search for SeparatingVectorSearch {
    const NAME: &'static str = "separating-vector";
    type Memory = SeparatingVectorMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut SeparatingVectorMemory) -> SearchResult {
        let mut direction = match memory.direction {
            Some(direction) => direction,
            None => self.begin(pair, &mut memory.ends),
        };
        let half_space = &mut memory.half_space;
        half_space.clear();
        // How often in a row nothing new was met.
        let mut repeated = 0;
        let mut last: Option<([f64; 3], [u32; 2])> = None;
        // What to say where nothing is proved: a vector that separates up to rounding, if one did.
        let mut doubt = SearchResult::Inconclusive;
        for _ in 0..self.most_steps {
            let probe = self.probe(pair, direction, memory.ends);
            memory.ends = probe.ends;
            if probe.gap > 0.0 {
                if let Some(plane) = pair.apart(direction, &probe) {
                    memory.direction = Some(direction);
                    return SearchResult::Separated(plane);
                }
                // Square to the last r, and rounded: there may be a better one.
                doubt = SearchResult::Direction(direction);
            }
            let Some(line) = unit(probe.difference) else { return doubt };
            if half_space.meets_again(probe.ends) {
                direction = match (repeated, last) {
                    // Lemma 3: twice in a row, so the whole reflection separates. A greed of 1 has
                    // just tried it; one of 0 is square to r, where rounding decides.
                    (0, Some((before, ends))) if ends == probe.ends && self.greed < 1.0 => {
                        reflected(before, line)
                    }
                    // Lemma 8: reflections make no progress, so ask the half space. Its middle may
                    // touch its border, which was good enough for the thesis, where touching is
                    // apart; the nearest point of what was met never does, if there is room.
                    (0 | 1, _) => {
                        repeated = 1;
                        half_space.middle()
                    }
                    (2, _) => match half_space.enclose([0.0; 3]) {
                        Enclosure::Outside(nearest) => unit(nearest).unwrap_or(nearest),
                        Enclosure::Inside(_) => return doubt,
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
    /// The first vector, and the vertices to begin with.
    #[cold]
    fn begin(&self, pair: &Pair<'_>, ends: &mut [u32; 2]) -> [f64; 3] {
        let direction = match self.first {
            FirstDirection::VertexMeans => pair.first_direction(),
            FirstDirection::SurfaceCentroids => pair.centroid_direction(),
        };
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
