//! Voxmap and pointshell (lecture slides, "Voxmap-Pointshell"; `McNeely`, Puterbaugh and Troy 1999).
//!
//! One body is a grid of voxels, the other a shell of points near its surface; the basic step looks up the voxel of a
//! point. Here both bodies have both, and each shell is tested against the other's voxels. A voxel is *empty* or *inner* if no
//! part of the surface comes near it, else it is *at the surface*. Points in empty voxels are dropped at once; all others
//! take the exact test, so rounding and large voxels cost time and no wrong contacts.
//!
//! The bias is that of the shell: one point for each voxel at the surface whose middle is in the body, and the vertices. A
//! contact is missed if no such point of either body is in the other, as where an edge cuts less deep than a voxel.

use xcollide_brep::{Interior, Topology};
use xcollide_math::Pose;

use super::common_point::{Proposals, are_closed, decide, prepare_body};
use super::monte_carlo::vertex_inside;
use crate::point_distance::nearest_points;
use crate::point_in_polyhedron::{Location, locate};
use crate::query::OutOfTime;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, PreparedData, Query, Verdict,
    Witness,
};

/// Looks up points of each body in voxels of the other. `Collides` is right, with a point in both; it misses contacts that
/// no point of a shell reaches.
///
/// ```
/// use xcollide_narrow::classic::Voxmap;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(cube)?;
/// let pose = Pose::from_translation([0.75, 0.5, 0.5]);
/// let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
/// let voxmap = Voxmap { resolution: 10 };
/// assert!(voxmap.test(a, b, &Query::new(), &mut PairCache::new()).is_collision());
/// assert_eq!(voxmap.voxel(&model), 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voxmap {
    /// Voxels along the longest side of a model's box, from 1 to 256; 24 by default. Memory grows with the third power.
    pub resolution: u32,
}

impl Default for Voxmap {
    fn default() -> Self {
        Self { resolution: 24 }
    }
}

impl Voxmap {
    /// The side of a model's voxels: the stated bias.
    #[must_use]
    pub fn voxel(&self, model: &Model) -> f64 {
        let longest = model.local_box().size().into_iter().fold(0.0, f64::max);
        longest / f64::from(self.resolution.clamp(1, 256))
    }

    fn voxels<'m>(&self, model: &'m Model) -> &'m Voxels {
        let is_this = |voxels: &Voxels| voxels.resolution == self.resolution;
        model.data_where(is_this, |model| Voxels::of(model, *self))
    }

    /// A point of a body's shell in the other body.
    fn shell_inside<'a>(
        &self,
        at_work: &mut Proposals<'a>,
        of: Placed<'a>,
        body: Placed<'a>,
    ) -> Result<Option<Witness>, OutOfTime> {
        let voxels = self.voxels(body.model());
        let into = Pose::relative(body.pose(), of.pose());
        for &point in &self.voxels(of.model()).shell {
            at_work.time.check()?;
            at_work.stats.volume_tests += 1;
            if voxels.at(into.apply(point)) != Voxel::Empty {
                let witness = at_work.witness(of.pose().apply(point))?;
                if witness.is_some() {
                    return Ok(witness);
                }
            }
        }
        Ok(None)
    }
}

impl NarrowPhase for Voxmap {
    fn name(&self) -> &'static str {
        "voxmap"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        are_closed(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        prepare_body(self.name(), model)?;
        let _ = self.voxels(model);
        Ok(())
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let is_this = |voxels: &Voxels| voxels.resolution == self.resolution;
        Some(model.known_data_where(is_this)?.bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        decide([a, b], query, cache, |at_work, _| {
            for (of, body, is_swapped) in [(a, b, false), (b, a, true)] {
                let shell = self.shell_inside(at_work, of, body)?;
                let found = match shell {
                    Some(witness) => Some(witness),
                    None => vertex_inside(at_work, of, body)?,
                };
                if let Some(witness) = found {
                    return Ok(Some(if is_swapped { witness.swapped() } else { witness }));
                }
            }
            Ok(None)
        })
    }
}

/// What is known of a voxel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voxel {
    Empty,
    Surface,
    Inner,
}

/// The voxels of a model, and its shell.
#[derive(Debug)]
struct Voxels {
    resolution: u32,
    origin: [f64; 3],
    side: f64,
    counts: [usize; 3],
    voxels: Vec<Voxel>,
    shell: Vec<[f64; 3]>,
}

impl Voxels {
    fn of(model: &Model, map: Voxmap) -> Self {
        let bounds = model.local_box();
        let side = map.voxel(model);
        let is_body = model.interior() != Interior::None && side > 0.0 && side.is_finite();
        let count = |extent: f64| {
            if is_body { (extent / side).ceil().clamp(1.0, 256.0) as usize } else { 0 }
        };
        let counts = bounds.size().map(count);
        let placed = Placed::unmoved(model);
        let [x, y, z] = counts;
        let middles: Vec<[f64; 3]> = (0..x * y * z)
            .map(|number| {
                let cell = [number % x, number / x % y, number / (x * y)];
                [0, 1, 2].map(|k| bounds.min[k] + (cell[k] as f64 + 0.5) * side)
            })
            .collect();
        let nearest = nearest_points(placed, &middles).unwrap_or_default();
        // Half the diagonal, and more than rounding.
        let near = 0.5 * side * 1.732_050_808 * (1.0 + 1e-6);
        let mut shell = Vec::new();
        let voxels = nearest
            .iter()
            .zip(&middles)
            .map(|(nearest, &middle)| {
                let is_inside = locate(placed, middle) != Location::Outside;
                match (nearest.distance <= near, is_inside) {
                    (true, _) => {
                        shell.extend(is_inside.then_some(middle));
                        Voxel::Surface
                    }
                    (false, true) => Voxel::Inner,
                    (false, false) => Voxel::Empty,
                }
            })
            .collect();
        Self { resolution: map.resolution, origin: bounds.min, side, counts, voxels, shell }
    }

    /// The voxel of a point.
    fn at(&self, point: [f64; 3]) -> Voxel {
        let cell = [0, 1, 2].map(|k| (point[k] - self.origin[k]) / self.side);
        let is_in = (0..3).all(|k| cell[k] >= 0.0 && cell[k] < self.counts[k] as f64);
        if !is_in {
            return Voxel::Empty;
        }
        let [x, y, z] = cell.map(|k| k as usize);
        let number = (z * self.counts[1] + y) * self.counts[0] + x;
        self.voxels.get(number).copied().unwrap_or(Voxel::Empty)
    }
}

impl PreparedData for Voxels {
    fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&*self.voxels) + size_of_val(&*self.shell)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use xcollide_scenes::Random;

    use super::*;

    /// No point of the body is in an empty voxel, and every point of an inner one is in the body.
    #[test]
    fn voxels_are_what_they_say() {
        let model =
            Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=200").unwrap()).unwrap();
        let voxels = Voxels::of(&model, Voxmap { resolution: 12 });
        let (placed, bounds) = (Placed::unmoved(&model), model.local_box());
        let mut random = Random::new(3);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let point = [0, 1, 2].map(|k| random.between(bounds.min[k], bounds.max[k]));
            let voxel = voxels.at(point);
            seen[voxel as usize] += 1;
            let is_inside = locate(placed, point) != Location::Outside;
            assert!(voxel == Voxel::Surface || is_inside == (voxel == Voxel::Inner));
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }
}
