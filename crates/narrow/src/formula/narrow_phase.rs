//! The narrow phase of formulas.

use xcollide_bounds::Aabb;
use xcollide_brep::Topology;
use xcollide_bvh::binary::Bvh;

use super::pair::verdict;
use super::refusal;
use crate::hierarchy::prepared::prepared;
use crate::query::Deadline;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Verdict,
};

/// Decides pairs of which at least one model is [given by a formula](Model::formula): proved, or undecided where rounding
/// hides whether they touch. Two meshes are [not accepted](Reason::NotAccepted).
///
/// ```
/// use xcollide_convex::shape::{Ball, Cylinder};
/// use xcollide_narrow::formula::Formulas;
/// use xcollide_narrow::{Formula, Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// let ball = Model::from_formula(Formula::Ball(Ball::new(0.5)?));
/// let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 0.25)?));
/// let above = Pose::from_translation([0.0, 0.0, 1.25]);
/// let (a, b) = (Placed::new(&can, &Pose::IDENTITY)?, Placed::new(&ball, &above)?);
/// let verdict = Formulas.test(a, b, &Query::new(), &mut PairCache::new());
/// assert!(verdict.is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formulas;

impl NarrowPhase for Formulas {
    fn name(&self) -> &'static str {
        "formulas"
    }

    /// No two meshes: topologies are theirs.
    fn accepts(&self, _: Topology, _: Topology) -> bool {
        false
    }

    fn accepts_formulas(&self) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    /// Builds the boxes over the triangles of a mesh.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if model.formula().is_none() {
            let _ = prepared::<Bvh<Aabb>>(model);
        }
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut time = Deadline::of(query, cache);
        if time.passed() {
            return Verdict::Undecided(Reason::OutOfTime);
        }
        // Of meshes alone.
        if refusal([a, b]).is_none() {
            return Verdict::Undecided(Reason::NotAccepted);
        }
        let (verdict, stats) = verdict(a, b, query, &mut time);
        if query.stats {
            cache.set_stats(stats);
        }
        verdict
    }
}
