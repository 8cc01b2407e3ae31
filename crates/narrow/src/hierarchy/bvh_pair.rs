//! The simultaneous descent of two hierarchies, for any kind of hierarchy.
//!
//! A hierarchy only filters: it finds pairs of triangles, among them all that meet, and the exact triangle
//! test over the world positions decides. So all hierarchies give the same answers.

use std::fmt;

use xcollide_bvh::binary::Bvh;
use xcollide_bvh::wide::WideTree;

use super::Hierarchy;
use super::prepared::prepared_with;
use crate::Model;

/// Descends two hierarchies of the kind `H` together. Exact for any two models.
///
/// ```
/// use xcollide_bounds::Obb;
/// use xcollide_narrow::mesh::{BinaryTrees, Wide};
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
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
/// Trees are built with the default settings of their kind, or [with](Self::with) others. A model keeps a
/// tree for each kind and settings.
pub struct BvhPair<H: Hierarchy> {
    /// `None`: the default.
    pub(crate) settings: Option<H::Settings>,
}

/// Two 8-wide hierarchies of oriented boxes in f32, eight boxes tested at once: the default.
///
/// About 60 bytes a triangle; a query for nearby shapes takes microseconds and hardly depends on the number
/// of triangles. `BvhPair<CompactTree>` stores boxes in 16 bits a number: 20 bytes a triangle, 15 to 40 %
/// slower.
pub type Wide = BvhPair<WideTree>;

/// Two binary trees of bounding volumes: of [`Obb`](xcollide_bounds::Obb)s (RAPID: Gottschalk, Lin
/// and Manocha 1996), [`Aabb`](xcollide_bounds::Aabb)s (SOLID: van den Bergen 1997),
/// [`KDop<18>`](xcollide_bounds::KDop)s (`QuickCD`: Klosowski and others 1998) or
/// [`Sphere`](xcollide_bounds::Sphere)s (Hubbard 1993).
pub type BinaryTrees<V> = BvhPair<Bvh<V>>;

impl<H: Hierarchy> BvhPair<H> {
    /// The algorithm with the default settings.
    #[must_use]
    pub const fn new() -> Self {
        Self { settings: None }
    }

    /// The algorithm with trees built with these settings.
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
    /// Settings that are not equal to themselves, with a NaN among them, are replaced by the default:
    /// their trees would not be found again.
    #[must_use]
    pub fn with(settings: H::Settings) -> Self {
        let again = settings;
        // The default needs no second tree.
        let is_other = settings == again && settings != H::Settings::default();
        Self { settings: is_other.then_some(settings) }
    }

    /// The hierarchy with the default settings, built on the first call; `None` if the model is too large
    /// for it. For tools that show or measure hierarchies.
    #[must_use]
    pub fn tree(model: &Model) -> Option<&H> {
        prepared_with(model, None)
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
        f.debug_tuple("BvhPair").field(&H::NAME).field(&self.settings).finish()
    }
}
