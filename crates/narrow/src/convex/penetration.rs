//! Penetration depth: the exact verdict, then bounds on the depth by
//! [EPA](xcollide_convex::Pair::penetration).

use xcollide_brep::Topology;
use xcollide_convex::{Body, Pair, Penetration, Polytope};

use super::Hybrid;
use super::prepare::polytope_of;
use crate::formula::need_meshes;
use crate::{Model, NarrowPhase, PairCache, Placed, Query, QueryError};

impl Hybrid {
    /// The penetration depth of the hulls of two placed models; `None` if the models are apart.
    ///
    /// - *Whether* there is a depth is exact: it is the verdict about the bodies. Models that touch have a
    ///   depth of zero, within the bounds.
    /// - [`at_most`](Penetration::at_most) is proved for any models: separated hulls separate what they
    ///   contain.
    /// - [`at_least`](Penetration::at_least) is proved for models that fill their hulls: convex bodies
    ///   (up to their measured [dents](xcollide_convex::Solidity)), and single convex polygons, segments
    ///   and points. For others it is 0.
    ///
    /// For convex bodies the bounds mostly agree up to 1e-13 of the size of the bodies. For round bodies of
    /// some hundred facets with nearly common centers the step limit leaves them some percent apart.
    ///
    /// `cache` makes the next query of the pair faster and changes bounds by rounding only.
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::convex::Hybrid;
    /// use xcollide_narrow::{Model, PairCache, Placed, Pose};
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let cube = Model::from_mesh(unit_cube)?;
    /// let pose_a = Pose::from_translation([0.75, 0.125, 0.0]);
    /// let a = Placed::new(&cube, &pose_a)?;
    /// let b = Placed::new(&cube, &Pose::IDENTITY)?;
    /// let found = Hybrid::penetration(a, b, &mut PairCache::new())?.ok_or("apart")?;
    /// assert_eq!(found.direction, [1.0, 0.0, 0.0]); // A leaves B along +x
    /// assert!(found.at_least <= 0.25 && 0.25 <= found.at_most);
    /// assert!(found.at_most - found.at_least < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::Scale`]: the models collide, but are so large or small that rounding has no bound.
    /// [`QueryError::NoMesh`]: a model is given by a formula.
    pub fn penetration(
        a: Placed<'_>,
        b: Placed<'_>,
        cache: &mut PairCache,
    ) -> Result<Option<Penetration>, QueryError> {
        need_meshes(a, b)?;
        if !Self::default().test(a, b, &Query::new(), cache).is_collision() {
            return Ok(None);
        }
        let [of_a, of_b] = [a, b].map(|placed| polytope_of(placed.model()));
        let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
        let flat = [is_flat(a.model(), &of_a), is_flat(b.model(), &of_b)];
        let side = if of_a.is_certifiable() { "second" } else { "first" };
        let found = pair.penetration(flat, cache.get_or_default());
        found.map(Some).ok_or(QueryError::Scale { side })
    }
}

impl Hybrid {
    /// Whether a model contains all points of its hull, up to measured dents.
    pub(crate) fn fills_hull(model: &Model) -> bool {
        let polytope = polytope_of(model);
        polytope.solidity().is_some() || is_flat(model, &polytope)
    }
}

/// Whether a model without volume contains all points of its hull: a convex polygon, a segment or a point.
fn is_flat(model: &Model, polytope: &Polytope) -> bool {
    // A simple polygon with all extreme points as corners is the hull.
    let flat = !polytope.is_empty() && polytope.dimension() < 3;
    let orderly = polytope.len() < 4 || model.topology().contains(Topology::CONVEX_FACES);
    let whole = model.mesh().faces().any(|face| {
        let mut corners = face.outer().to_vec();
        corners.sort_unstable();
        corners.dedup();
        corners.len() == polytope.len() && face.outer().len() == face.corners().len()
    });
    // A vertex that is no corner of the hull may dent the polygon.
    let all = model.used_vertices().len() == polytope.len();
    flat && orderly && whole && all
}
