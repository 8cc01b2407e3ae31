//! The algorithm for two models where nobody chooses.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};

use crate::convex::Hybrid;
use crate::mesh::Wide;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Verdict,
};

/// Chooses by the topology of the two models (Zachmann 1994, 7.1): [`Hybrid`] where both are convex,
/// [`Wide`] for all others. Exact, for any models.
///
/// The choice depends on nothing but the two models, so it is the same on every machine.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::combine::Auto;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let auto = Auto::new();
/// assert_eq!(auto.choice(&model, &model).name(), "hybrid");
/// let a = Placed::new(&model, &Pose::identity())?;
/// assert!(auto.test(a, a, &Query::new(), &mut PairCache::new()).is_collision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto {
    convex: Hybrid,
    any: Wide,
}

impl Auto {
    /// The chooser.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What it asks about these two models.
    #[inline]
    #[must_use]
    pub fn choice(&self, a: &Model, b: &Model) -> &dyn NarrowPhase {
        if (a.topology() & b.topology()).contains(Topology::CONVEX) {
            &self.convex
        } else {
            &self.any
        }
    }
}

impl NarrowPhase for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    /// Prepares for any partner: a convex model for both algorithms.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        if model.topology().contains(Topology::CONVEX) {
            self.convex.prepare(model)?;
        }
        self.any.prepare(model)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let any = self.any.prepared_bytes(model)?;
        if model.topology().contains(Topology::CONVEX) {
            Some(any + self.convex.prepared_bytes(model)?)
        } else {
            Some(any)
        }
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        self.choice(a.model(), b.model()).test(a, b, query, cache)
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
