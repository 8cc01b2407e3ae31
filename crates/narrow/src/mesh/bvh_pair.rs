//! The simultaneous descent of two hierarchies as a [`NarrowPhase`], for any kind of hierarchy.
//!
//! A hierarchy only filters: it hands over pairs of triangles, among them all that meet, and the
//! exact triangle test over the world positions decides. So all hierarchies give the same answers,
//! and differ in time and memory only.

use std::fmt;
use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};

use crate::hierarchy::Hierarchy;
use crate::hierarchy::prepared::{already_prepared, prepared_with};
use crate::hierarchy::search::TreeSearch;
use crate::hierarchy::tree_builder::{BuilderRefused, TreeBuilder};
use crate::narrow_phase::count_distinct;
use crate::pair_search::PairSearch;
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Verdict,
};

/// Descends two hierarchies of the kind `H` together. Exact, for any two models.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_bounds::Obb;
/// use xcollide_narrow::mesh::{BinaryTrees, Wide};
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_touching = Pose::from_translation([1.0, 0.0, 0.0]);
/// let touching = Placed::new(&model, &pose_touching)?;
/// let obbs = BinaryTrees::<Obb>::new();
/// let algorithms: [Box<dyn NarrowPhase>; 2] = [Box::new(Wide::new()), Box::new(obbs)];
/// for algorithm in algorithms {
///     algorithm.prepare(&model)?; // or let the first query do it
///     assert!(algorithm.test(a, touching, &Query::new(), &mut PairCache::new()).is_collision());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its trees are built with the default settings of their kind, or [with](Self::with) others. Two of
/// the same kind with different settings keep a tree each with a model.
pub struct BvhPair<H: Hierarchy> {
    /// `None`: the default.
    settings: Option<H::Settings>,
}

impl<H: Hierarchy> BvhPair<H> {
    /// The algorithm, with trees as they are best for most models.
    #[must_use]
    pub const fn new() -> Self {
        Self { settings: None }
    }

    /// The algorithm with trees that are built with these settings.
    ///
    /// ```
    /// use xcollide_bounds::Obb;
    /// use xcollide_bvh::wide::WideOptions;
    /// use xcollide_bvh::binary::{Builder, Split};
    /// use xcollide_narrow::mesh::{BinaryTrees, Wide};
    ///
    /// let halves = BinaryTrees::<Obb>::with(Builder::new(Split::Median));
    /// let quickly_built = Wide::with(WideOptions::fast());
    /// # let _ = (halves, quickly_built);
    /// ```
    ///
    /// Settings that are not equal to themselves, as with a NaN among them, are taken for the
    /// default: their trees would not be found again.
    #[must_use]
    pub fn with(settings: H::Settings) -> Self {
        let again = settings;
        // What is the default has no second tree.
        let is_other = settings == again && settings != H::Settings::default();
        Self { settings: is_other.then_some(settings) }
    }

    /// The hierarchy with the default settings that a model keeps, built on the first call; `None` if
    /// the model is too large for it. For tools that show or measure hierarchies.
    #[must_use]
    pub fn tree(model: &Model) -> Option<&H> {
        prepared_with(model, None)
    }

    #[inline]
    fn search(self) -> TreeSearch<H> {
        TreeSearch { settings: self.settings }
    }
}

impl<H: Hierarchy> Default for BvhPair<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: Hierarchy> Clone for BvhPair<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Hierarchy> Copy for BvhPair<H> {}

impl<H: Hierarchy> fmt::Debug for BvhPair<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_tuple("BvhPair");
        told.field(&H::NAME);
        if let Some(settings) = &self.settings {
            told.field(settings);
        }
        told.finish()
    }
}

impl<H: Hierarchy> NarrowPhase for BvhPair<H> {
    fn name(&self) -> &'static str {
        H::NAME
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let refused = PrepareError::NotAccepted { algorithm: H::NAME, needed: TOO_LARGE };
        if prepared_with::<H>(model, self.settings).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(already_prepared::<H>(model, self.settings)?.memory())
    }

    fn built_by(&self, builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, BuilderRefused> {
        match H::settings(builder) {
            Some(settings) => Ok(Box::new(Self::with(settings))),
            None => Err(BuilderRefused::OtherTree {
                algorithm: H::NAME,
                keeps: H::KIND,
                builds: builder.builds(),
            }),
        }
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        self.search().verdict([a, b], query, cache)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        self.search().listing([a, b], query, cache, visit)
    }

    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        let only_triangles = |placed: Placed<'_>| {
            placed.model().triangulation().len() == placed.model().mesh().face_count()
        };
        if H::REPEATS || !only_triangles(a) || !only_triangles(b) {
            return count_distinct(self, a, b, query, cache);
        }
        // Each pair of triangles comes once and is a pair of faces: nothing need be remembered.
        let mut pairs = 0;
        let listing = self.each_contact(a, b, query, cache, &mut |_, _| {
            pairs += 1;
            ControlFlow::Continue(())
        });
        (pairs, listing)
    }
}

/// What a model must be; only the largest are not.
const TOO_LARGE: &str = "of fewer than half a billion triangles";
