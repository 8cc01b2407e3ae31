//! Inner sphere trees (IST): bodies filled with disjoint spheres (Weller and Zachmann 2009; lecture slides, "Inner
//! Sphere Trees").
//!
//! The spheres of a body are made once ([`packing`]); a query compares two sets
//! ([`proximity`](xcollide_bvh::classic::inner_spheres::proximity())). It takes time in the spheres, not in the triangles,
//! and sees nothing of the body between the spheres and the surface: so "collides" is proved, and nothing else.

mod packing;
mod sphere_grid;

use xcollide_brep::Topology;
use xcollide_bvh::classic::inner_spheres::{Proximity, ProximitySearch, common_point, proximity};

pub use packing::{PackingOptions, SpherePacking};

use super::common_point::{are_closed, decide, prepare_body};
use crate::query::{Deadline, OutOfTime};
use crate::{Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Verdict};

/// Looks for two inner spheres that overlap. `Collides` is right, with a point in both bodies; it misses contacts that do
/// not reach the spheres, and returns `Undecided` if no two overlap. What is proved in a time that is not enough,
/// [`proximity`](Self::proximity) tells.
///
/// ```
/// use xcollide_convex::Bias;
/// use xcollide_narrow::classic::InnerSpheres;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Verdict};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(cube)?;
/// let spheres = InnerSpheres::default();
/// let ask = |x: f64| -> Result<Verdict, Box<dyn std::error::Error>> {
///     let pose = Pose::from_translation([x, 0.0, 0.0]);
///     let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
///     Ok(spheres.test(a, b, &Query::new(), &mut PairCache::new()))
/// };
/// assert!(ask(0.9)?.is_collision() && ask(1.1)?.is_apart());
/// assert_eq!(ask(1.0)?, Verdict::Undecided(Reason::Biased(Bias::Apart)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InnerSpheres {
    /// How finely bodies are filled.
    pub packing: PackingOptions,
}

impl InnerSpheres {
    /// The spheres of a model, made on the first call.
    #[must_use]
    pub fn packing_of<'m>(&self, model: &'m Model) -> &'m SpherePacking {
        let is_this = |packing: &SpherePacking| packing.options() == self.packing;
        model.data_where(is_this, |model| SpherePacking::of(model, self.packing))
    }

    /// How far apart the spheres of two placed models are, or what they have in common, with forces and torques. With a
    /// [budget](Query::budget) the search ends in time, with wider bounds.
    ///
    /// The distance is at most `distance_at_most`, and the common volume at least `volume_at_least`: both are proved for the
    /// placed bodies with their rounded vertices.
    ///
    /// ```
    /// use xcollide_narrow::classic::InnerSpheres;
    /// use xcollide_narrow::{Model, PairCache, Placed, Pose, Query};
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// # let cube = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let cube = Model::from_mesh(cube)?;
    /// let pose = Pose::from_translation([0.5, 0.0, 0.0]);
    /// let (a, b) = (Placed::new(&cube, &Pose::IDENTITY)?, Placed::new(&cube, &pose)?);
    /// let found = InnerSpheres::default().proximity(a, b, &Query::new(), &mut PairCache::new());
    /// assert!(found.volume_at_least > 0.25 && found.volume_at_least <= 0.5);
    /// assert!(found.force[0] < 0.0, "the first cube is pushed back");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn proximity(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> Proximity {
        let mut time = Deadline::of(query, cache);
        let limited = time.is_set();
        let mut go_on = || !time.passed();
        let go_on: Option<&mut dyn FnMut() -> bool> = if limited { Some(&mut go_on) } else { None };
        let trees = [a, b].map(|placed| self.packing_of(placed.model()).tree());
        let memory = cache.get_or_default::<ProximitySearch>();
        proximity((trees[0], a.pose()), (trees[1], b.pose()), memory, go_on)
    }
}

impl NarrowPhase for InnerSpheres {
    fn name(&self) -> &'static str {
        "inner-spheres"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        are_closed(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        prepare_body(self.name(), model)?;
        let _ = self.packing_of(model);
        Ok(())
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let is_this = |packing: &SpherePacking| packing.options() == self.packing;
        Some(model.known_data_where(is_this)?.tree().bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        decide([a, b], query, cache, |at_work, cache| {
            let trees = [a, b].map(|placed| self.packing_of(placed.model()).tree());
            let memory = cache.get_or_default::<ProximitySearch>();
            let mut late = false;
            let (time, stats) = (&mut at_work.time, &mut at_work.stats);
            let mut go_on = || {
                // Two nodes have eight spheres each.
                stats.volume_tests += 64;
                late = time.passed();
                !late
            };
            let poses = [a.pose(), b.pose()];
            let found =
                common_point((trees[0], poses[0]), (trees[1], poses[1]), memory, Some(&mut go_on));
            match found {
                Some(point) => at_work.witness(point),
                None if late => Err(OutOfTime),
                None => Ok(None),
            }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use xcollide_predicates::triangles_within;
    use xcollide_scenes::Poses;

    use super::*;
    use crate::point_in_polyhedron::{Location, locate};
    use crate::{Pose, overlap_volume, proximity};

    fn model(shape: &str) -> Model {
        Model::from_mesh(xcollide_scenes::shape(shape).unwrap()).unwrap()
    }

    const SHAPES: [&str; 4] = [
        "shape:polytope?vertices=20&seed=2",
        "shape:torus?faces=300",
        "shape:frame",
        "shape:tetraflake?depth=1",
    ];

    /// By the exact predicates alone: the center is inside, and no triangle is nearer than the radius.
    #[test]
    fn spheres_are_inside_and_disjoint() {
        for shape in SHAPES {
            let model = model(shape);
            let options = PackingOptions { most_spheres: 60, ..PackingOptions::default() };
            let packing = SpherePacking::of(&model, options);
            let spheres = packing.tree().spheres();
            assert!(spheres.len() == 60, "{shape}: {}", spheres.len());
            assert!(packing.tree().is_disjoint(), "{shape}");
            let placed = Placed::unmoved(&model);
            for sphere in spheres {
                assert_eq!(locate(placed, sphere.center), Location::Inside);
                for triangle in 0..model.triangulation().len() {
                    let triangle = placed.triangle(triangle);
                    let within = |r: f64| triangles_within(&[sphere.center; 3], &triangle, r);
                    assert!(!within(sphere.radius.next_down()), "{shape}");
                }
            }
        }
    }

    /// Each sphere is at least half as large as any that there was room for: sampled on a lattice.
    #[test]
    fn no_room_is_left_for_spheres_twice_as_large() {
        let model = model("shape:torus?faces=300");
        let options = PackingOptions { most_spheres: 40, ..PackingOptions::default() };
        let packing = SpherePacking::of(&model, options);
        let spheres = packing.tree().spheres();
        let least = spheres.iter().map(|sphere| sphere.radius).fold(f64::INFINITY, f64::min);
        let bounds = model.local_box();
        let mut inside = 0;
        for number in 0..20_u32.pow(3) {
            let step =
                [number % 20, number / 20 % 20, number / 400].map(|k| (f64::from(k) + 0.5) / 20.0);
            let point =
                [0, 1, 2].map(|k| bounds.min[k] + step[k] * (bounds.max[k] - bounds.min[k]));
            let depth = -crate::signed_distance((&model, &Pose::IDENTITY), point).unwrap().distance;
            let gap = |s: &xcollide_bounds::Sphere| {
                xcollide_math::vector::length(xcollide_math::vector::sub(s.center, point))
                    - s.radius
            };
            let free = spheres.iter().map(gap).fold(depth, f64::min);
            inside += u32::from(depth > 0.0);
            assert!(free <= 2.0 * least * (1.0 + 1e-9), "{free}, {least}");
        }
        assert!(inside > 500);
    }

    /// The bounds that hold for bodies, against the exact distance and volume; and what the verdict says.
    #[test]
    fn bounds_hold_for_the_bodies() {
        let options = PackingOptions { most_spheres: 200, ..PackingOptions::default() };
        let algorithm = InnerSpheres { packing: options };
        let mut poses = Poses::new(11);
        let (mut common, mut apart) = (0, 0);
        let models = SHAPES.map(model);
        for a in &models {
            for b in &models {
                for distance in [0.3, 1.1, 1.8, 2.6] {
                    let (here, there) =
                        (poses.at_distance(0.2).pose(), poses.at_distance(distance).pose());
                    let (a, b) = (Placed::new(a, &here).unwrap(), Placed::new(b, &there).unwrap());
                    let mut cache = PairCache::new();
                    let found = algorithm.proximity(a, b, &Query::new(), &mut cache);
                    let exact = overlap_volume(a, b).unwrap();
                    assert!(found.volume_at_least <= exact.at_most);
                    let gap = proximity::distance(a, b, crate::Semantics::Solid)
                        .map_or(0.0, |found| found.value);
                    assert!(found.distance_at_most >= gap * (1.0 - 1e-12));
                    let verdict = algorithm.test(a, b, &Query::new(), &mut cache);
                    assert_eq!(verdict.is_collision(), found.distance_at_most == 0.0);
                    if let Verdict::Collides(witness) = verdict {
                        common += 1;
                        witness.verify(a, b, crate::Semantics::Solid).unwrap();
                        assert!(found.volume_at_least > 0.0 && exact.at_least > 0.0);
                    } else {
                        apart += u32::from(gap > 0.0);
                    }
                }
            }
        }
        assert!(common > 10 && apart > 10, "{common} collide, {apart} apart");
    }

    /// A budget gives wider bounds or none, never wrong ones; an open model has no spheres.
    #[test]
    fn what_is_late_or_open_is_told() {
        let ball = model("shape:sphere?faces=400");
        let pose = Pose::from_translation([0.4, 0.1, 0.0]);
        let (a, b) = (Placed::unmoved(&ball), Placed::new(&ball, &pose).unwrap());
        let packing = PackingOptions { most_spheres: 100, ..PackingOptions::default() };
        let algorithm = InnerSpheres { packing };
        let mut cache = PairCache::new();
        let full = algorithm.proximity(a, b, &Query::new(), &mut cache);
        let late = Query::new().budget(Duration::ZERO);
        let early = algorithm.proximity(a, b, &late, &mut cache);
        assert!(full.complete && !early.complete && early.volume_at_least == 0.0);
        assert!(early.volume_at_most >= full.volume_at_least);
        assert_eq!(algorithm.test(a, b, &late, &mut cache).decided(), None);
        let open = model("shape:mobius?faces=30");
        assert!(algorithm.prepare(&open).is_err());
        assert!(SpherePacking::of(&open, PackingOptions::default()).tree().spheres().is_empty());
    }
}
