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
