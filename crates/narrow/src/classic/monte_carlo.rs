//! The Monte-Carlo test: random points in both bodies (Zachmann 1994, 3.5: closed objects).
//!
//! Two closed bodies collide if some point is in both. The vertices of each are tried first, as one of them nearly always
//! is in the other body, then random points of the common part of the boxes. Vertices are taken in strides through the list,
//! because neighbours in it are close to each other ("stochastic pre-conditioning").
//!
//! The thesis lets a ray that meets a vertex or an edge pass for "outside"; here the test of a point is exact. Its question
//! whether there is a lower bound for the chance of a hit has the answer no: the common part may be as thin as one likes, or
//! one point. So "apart" is never certain.

use xcollide_brep::Topology;

use super::common_point::{Proposals, are_closed, decide, prepare_body};
use crate::query::OutOfTime;
use crate::{
    Feature, Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Verdict,
    Witness,
};

/// Tries vertices, and random points. `Collides` is right, with a point in both bodies; else it is undecided.
///
/// ```
/// use xcollide_narrow::classic::MonteCarlo;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(cube)?;
/// let pose = Pose::from_translation([0.5, 0.25, 0.25]);
/// let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
/// let random = MonteCarlo { vertices: false, ..MonteCarlo::default() };
/// assert!(random.test(a, b, &Query::new(), &mut PairCache::new()).is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonteCarlo {
    /// Whether to try the vertices of both bodies first.
    pub vertices: bool,
    /// How many random points to try; 100 by default.
    pub points: u32,
    /// The seed of the random points: the same points of a region at each query.
    pub seed: u64,
}

impl Default for MonteCarlo {
    /// The vertices, then 100 points.
    fn default() -> Self {
        Self { vertices: true, points: 100, seed: 1 }
    }
}

impl NarrowPhase for MonteCarlo {
    fn name(&self) -> &'static str {
        "monte-carlo"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        are_closed(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        prepare_body(self.name(), model)
    }

    fn prepared_bytes(&self, _: &Model) -> Option<usize> {
        Some(0)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        decide([a, b], query, cache, |at_work, _| {
            if self.vertices {
                if let Some(witness) = vertex_inside(at_work, a, b)? {
                    return Ok(Some(witness));
                }
                if let Some(witness) = vertex_inside(at_work, b, a)? {
                    return Ok(Some(witness.swapped()));
                }
            }
            let region = a.world_box().intersection(&b.world_box());
            let mut random = SplitMix(self.seed);
            for _ in 0..self.points {
                let point = [0, 1, 2].map(|axis| {
                    let (low, high) = (region.min[axis], region.max[axis]);
                    (low + (high - low) * random.unit()).clamp(low, high)
                });
                if let Some(witness) = at_work.witness(point)? {
                    return Ok(Some(witness));
                }
            }
            Ok(None)
        })
    }
}

/// A vertex of the first body in the second.
pub(super) fn vertex_inside<'a>(
    at_work: &mut Proposals<'a>,
    of: Placed<'a>,
    body: Placed<'a>,
) -> Result<Option<Witness>, OutOfTime> {
    let vertices = of.model().used_vertices();
    let bounds = body.world_box();
    let mut number = 0;
    let stride = stride(vertices.len());
    for _ in 0..vertices.len() {
        let vertex = vertices[number];
        number = (number + stride) % vertices.len();
        at_work.time.check()?;
        at_work.stats.transforms += 1;
        let point = of.position(vertex);
        if bounds.contains(point) && at_work.is_in(body, point)? {
            return Ok(Some(Witness { a: Feature::Vertex(vertex), b: Feature::Body, point }));
        }
    }
    Ok(None)
}

/// A step, coprime to `count` and near its golden section, by which all numbers below `count` are visited.
fn stride(count: usize) -> usize {
    let divides = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let first = (count as f64 * 0.618_033_988_749_895) as usize;
    (first.max(1)..).find(|&step| divides(step, count) == 1).unwrap_or(1)
}

/// Random numbers by one mixing step each (Steele, Lea and Flood 2014, `SplitMix`).
struct SplitMix(u64);

impl SplitMix {
    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_visit_all() {
        for count in 1..200 {
            let mut seen = vec![false; count];
            (0..count).for_each(|step| seen[step * stride(count) % count] = true);
            assert!(seen.iter().all(|&seen| seen), "{count}");
        }
    }

    #[test]
    fn random_points_fill_the_unit_interval() {
        let mut random = SplitMix(7);
        let mut counts = [0; 10];
        (0..10_000).for_each(|_| counts[(random.unit() * 10.0) as usize] += 1);
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
    }
}
