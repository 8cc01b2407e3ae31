//! How deep two models are in each other: the exact verdict, then bounds on the depth by
//! [EPA](xcollide_convex::Pair::penetration).

use xcollide_brep::Topology;
use xcollide_convex::{Body, Pair, Penetration, Polytope};

use super::Hybrid;
use super::prepare::polytope_of;
use crate::{Model, NarrowPhase, PairCache, Placed, Query};

/// Why a depth has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PenetrationError {
    /// Products of coordinates leave the range in which rounding errors are known.
    #[error("the {side} model reaches beyond 1e60, or not beyond 1e-60: its depth has no bounds")]
    Scale {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
}

/// How deep the hulls of two placed models are in each other; `None` where the models are apart.
///
/// - *Whether* there is a depth is exact: it is the verdict of [`Hybrid`] about the bodies, which is
///   that of every exact algorithm. Models that touch have a depth of zero, within the bounds.
/// - [`at_most`](Penetration::at_most) is proved, for any models: hulls that are moved apart part
///   what they hold.
/// - [`at_least`](Penetration::at_least) is proved for models that fill their hulls: convex bodies
///   (up to their measured [dents](xcollide_convex::Solidity)), and single convex polygons, segments and
///   points. For others it is 0.
///
/// For convex bodies the two bounds mostly agree up to 1e-13 of the size of the bodies, which is
/// what they allow for rounding. Round bodies of some hundred facets that lie in each other's middle
/// use up the steps; then the bounds are some percent apart, and hold all the same.
///
/// `cache` keeps what makes the next query of the pair quicker; it changes bounds by rounding only.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::convex::penetration;
/// use xcollide_narrow::{Model, PairCache, Placed, Pose};
///
/// # let positions = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
/// # let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
/// # let unit_cube = PolygonMesh::from_polygons(positions, faces)?;
/// let cube = Model::from_mesh(unit_cube)?;
/// let pose_a = Pose::from_translation([0.75, 0.125, 0.0]);
/// let a = Placed::new(&cube, &pose_a)?;
/// let b = Placed::new(&cube, &Pose::IDENTITY)?;
/// let found = penetration(a, b, &mut PairCache::new())?.ok_or("apart")?;
/// assert_eq!(found.direction, [1.0, 0.0, 0.0]); // A is to leave B along +x
/// assert!(found.at_least <= 0.25 && 0.25 <= found.at_most);
/// assert!(found.at_most - found.at_least < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The models collide, but are so large or small that nothing is known about rounding.
pub fn penetration(
    a: Placed<'_>,
    b: Placed<'_>,
    cache: &mut PairCache,
) -> Result<Option<Penetration>, PenetrationError> {
    if !Hybrid::default().test(a, b, &Query::new(), cache).is_collision() {
        return Ok(None);
    }
    let [of_a, of_b] = [a, b].map(|placed| polytope_of(placed.model()));
    let [in_a, in_b] = [a.pose(), b.pose()];
    let mut pair = Pair::new(Body::new(&of_a, in_a), Body::new(&of_b, in_b));
    let flat = [is_flat(a.model(), &of_a), is_flat(b.model(), &of_b)];
    match pair.penetration(flat, cache.get_or_default()) {
        Some(found) => Ok(Some(found)),
        None => {
            let side = if of_a.is_certifiable() { "second" } else { "first" };
            Err(PenetrationError::Scale { side })
        }
    }
}

/// Whether a model without volume has all points of its hull: one convex polygon, a segment or a point.
fn is_flat(model: &Model, polytope: &Polytope) -> bool {
    // A polygon that has all extreme points as corners is the hull if it does not cross itself.
    let flat = !polytope.is_empty() && polytope.dimension() < 3;
    let orderly = polytope.len() < 4 || model.topology().contains(Topology::CONVEX_FACES);
    let whole = model.mesh().faces().any(|face| {
        let mut corners = face.outer().to_vec();
        corners.sort_unstable();
        corners.dedup();
        corners.len() == polytope.len() && face.outer().len() == face.corners().len()
    });
    // What is no corner of the hull may be one of the polygon, and dent it.
    let all = model.used_vertices().len() == polytope.len();
    flat && orderly && whole && all
}
