//! The default algorithm: a choice by the two models.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};
use xcollide_bvh::wide::CompactTree;

use super::Thresholds;
use super::shared_out::shared_out;
use crate::convex::Hybrid;
use crate::formula::Formulas;
use crate::mesh::{BruteForce, BvhPair, Wide};
use crate::{
    Listing, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query, Verdict,
};

/// Chooses by the topology of the two models (Zachmann 1994, 7.1) and by their sizes: [`Hybrid`] if both
/// are convex, [`Wide`] for nearly all others. Exact for any meshes. Where a model is given by a formula, the answer is that
/// of [`Formulas`].
///
/// The choice depends only on the two models and the [`Thresholds`], so by default it is the same on every
/// machine.
///
/// ```
/// use xcollide_narrow::combine::Auto;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let auto = Auto::new();
/// assert_eq!(auto.choice(&model, &model).name(), "hybrid");
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// assert!(auto.test(a, a, &Query::new(), &mut PairCache::new()).is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto {
    convex: Hybrid,
    any: Wide,
    compact: BvhPair<CompactTree>,
    few: BruteForce,
    formulas: Formulas,
    thresholds: Thresholds,
}

impl Auto {
    /// With the default thresholds.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With other thresholds, such as those measured on this machine.
    #[must_use]
    pub fn with(thresholds: Thresholds) -> Self {
        Self { thresholds, ..Self::default() }
    }

    /// The thresholds.
    #[must_use]
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// The algorithm for these two models.
    #[inline]
    #[must_use]
    pub fn choice(&self, a: &Model, b: &Model) -> &dyn NarrowPhase {
        let Thresholds { brute_force_pairs, compact_triangles, .. } = self.thresholds;
        let triangles = |model: &Model| model.triangulation().len() as u64;
        if self.is_for_convex(a, b) {
            &self.convex
        } else if has_formula(a, b) {
            &self.formulas
        } else if triangles(a).saturating_mul(triangles(b)) <= brute_force_pairs {
            &self.few
        } else if triangles(a) + triangles(b) >= compact_triangles {
            &self.compact
        } else {
            &self.any
        }
    }

    /// Whether the convex algorithm tests these two models.
    #[inline]
    fn is_for_convex(&self, a: &Model, b: &Model) -> bool {
        let vertices = |model: &Model| model.mesh().positions().len() as u64;
        // The flags second: models whose vertices moved find them out on demand.
        vertices(a) + vertices(b) <= self.thresholds.convex_vertices
            && (a.topology() & b.topology()).contains(Topology::CONVEX)
            && !has_formula(a, b)
    }
}

/// Whether one of two models is given by a formula.
#[inline]
fn has_formula(a: &Model, b: &Model) -> bool {
    a.formula().is_some() || b.formula().is_some()
}

impl NarrowPhase for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn accepts_formulas(&self) -> bool {
        true
    }

    /// Prepares for every partner that the model may meet; what bodies given by formulas need is built when a mesh meets
    /// the first.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if model.formula().is_some() {
            return Ok(());
        }
        let Thresholds { convex_vertices, compact_triangles, .. } = self.thresholds;
        let vertices = model.mesh().positions().len() as u64;
        if vertices <= convex_vertices && model.topology().contains(Topology::CONVEX) {
            self.convex.prepare(model)?;
        }
        if (model.triangulation().len() as u64) < compact_triangles {
            self.any.prepare(model)?;
        }
        if compact_triangles < Thresholds::NEVER { self.compact.prepare(model) } else { Ok(()) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        // The bytes of the convex algorithm include those of the other.
        let kept = self.convex.prepared_bytes(model).or_else(|| self.any.prepared_bytes(model));
        let known = kept.into_iter().chain(self.compact.prepared_bytes(model));
        known.reduce(|a, b| a + b).or_else(|| self.choice(model, model).prepared_bytes(model))
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        self.choice(a.model(), b.model()).test(a, b, query, cache)
    }

    /// Passes all convex pairs to the convex algorithm in one call, and tests the others one by one.
    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        shared_out(
            |pairs, verdicts| self.convex.add_verdicts(pairs, query, verdicts),
            |pair| self.is_for_convex(pair.a.model(), pair.b.model()),
            |pair| self.test(pair.a, pair.b, query, pair.cache),
            pairs,
            verdicts,
        );
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        self.choice(a.model(), b.model()).each_contact(a, b, query, cache, visit)
    }

    fn contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        limit: usize,
        cache: &mut PairCache,
        contacts: &mut Vec<(FaceId, FaceId)>,
    ) -> Verdict {
        self.choice(a.model(), b.model()).contacts(a, b, query, limit, cache, contacts)
    }

    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        self.choice(a.model(), b.model()).count_contacts(a, b, query, cache)
    }
}
