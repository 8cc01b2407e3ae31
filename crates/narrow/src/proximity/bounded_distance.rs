//! Distances with an error that is allowed, for less work.

use xcollide_math::vector::largest;

use super::{Distance, containment, distance, nearest_distance, trees};
use crate::formula::{self, any_formula};
use crate::{Placed, Semantics};

/// A distance between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundedDistance {
    /// No two points are nearer than that: the bound of the search, less a margin for the rounding of measured distances.
    pub at_least: f64,
    /// The nearest points that were found; their distance is the upper bound.
    pub nearest: Distance,
}

/// The distance of two placed models with an error that is allowed: the value that is found is at most the true distance times
/// 1 + `relative`, plus `absolute` in units of length, but for rounding. `None` if a model has no faces.
///
/// With 0 and 0 it is [`distance`](super::distance()); negative errors and NaN count as 0. The search leaves out what could make the
/// value better only by less, so it takes less time: for two surfaces far from each other, whose distances are nearly all the
/// same, much less. Of a model given by a formula, both bounds are those of [`formula::distance`].
///
/// ```
/// # use xcollide_narrow::{Model, Placed, Pose, Semantics};
/// use xcollide_narrow::proximity::bounded_distance;
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = Model::from_mesh(xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// # let there = Pose::from_translation([5.0, 0.0, 0.0]);
/// # let (a, b) = (Placed::new(&cube, &Pose::IDENTITY)?, Placed::new(&cube, &there)?);
/// let found = bounded_distance(a, b, 0.05, 0.0, Semantics::Solid).ok_or("no faces")?;
/// assert!(found.at_least <= 4.0 && found.nearest.value >= 4.0);
/// assert!(found.nearest.value <= 1.05 * found.at_least * (1.0 + 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn bounded_distance(
    a: Placed<'_>,
    b: Placed<'_>,
    relative: f64,
    absolute: f64,
    semantics: Semantics,
) -> Option<BoundedDistance> {
    if any_formula(a, b) {
        let found = formula::distance(a, b, semantics).ok()?;
        return Some(BoundedDistance { at_least: found.at_least, nearest: found.into() });
    }
    let rounded = |nearest: Distance, bound: f64| {
        let at_least = bound * (1.0 - 1e-9) - rounding(a, b);
        BoundedDistance { at_least: at_least.max(0.0), nearest }
    };
    let exact = |nearest: Distance| rounded(nearest, nearest.value);
    let Some(trees) = trees(a, b) else { return distance(a, b, semantics).map(exact) };
    if let Some(inside) = containment(a, b, semantics) {
        let nearest = Distance { value: 0.0, points: inside.points, faces: inside.faces };
        return Some(BoundedDistance { at_least: 0.0, nearest });
    }
    // NaN becomes 0.
    let (relative, absolute) = (relative.max(0.0), absolute.max(0.0));
    let bound = |value: f64| ((value - absolute) / (1.0 + relative)).max(0.0);
    let nearest = nearest_distance(a, b, trees, f64::INFINITY, bound)?;
    Some(rounded(nearest, bound(nearest.value)))
}

/// More than the error of a measured distance, which is some 2⁻⁴⁰ of the coordinates
/// ([`closest_points`](xcollide_predicates::closest_points)).
pub(super) fn rounding(a: Placed<'_>, b: Placed<'_>) -> f64 {
    let sizes = [a, b].map(|placed| {
        let local = placed.model().local_box();
        let reach = largest(local.min).max(largest(local.max));
        reach + largest(placed.pose().translation())
    });
    1e-11 * (sizes[0] + sizes[1])
}
