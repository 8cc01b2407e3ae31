//! Distances between bounds: with an error that is allowed, or in a time that is given.

use xcollide_bvh::Counter;
use xcollide_math::vector::largest;
use xcollide_predicates::closest_points;

use super::{Distance, containment, nearest_distance, told, trees, triangle};
use crate::formula::{self, any_formula};
use crate::hierarchy::work::Monitor;
use crate::point_in_polyhedron::{RayScratch, prepared_rays};
use crate::proof::nested::nested_by;
use crate::query::Deadline;
use crate::{PairCache, Placed, Query, Semantics};

/// A distance between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundedDistance {
    /// No two points are nearer than that: the bound of the search, less a margin for the rounding of measured distances.
    pub at_least: f64,
    /// The nearest points that were found; their distance is the upper bound.
    pub nearest: Distance,
    /// Pairs of boxes (of a formula the triangles and boxes of a mesh) that were left when the [time](distance_in_time) was over, at
    /// least 1 if it did not suffice to find out whether one body contains the other; 0 if the search was complete.
    pub parts_left: u32,
}

impl BoundedDistance {
    fn new([a, b]: [Placed<'_>; 2], nearest: Distance, at_least: f64) -> Self {
        let at_least = at_least * (1.0 - 1e-9) - rounding(a, b);
        Self { at_least: at_least.max(0.0), nearest, parts_left: 0 }
    }

    /// One body contains the other.
    fn zero(nearest: Distance) -> Self {
        Self { at_least: 0.0, nearest, parts_left: 0 }
    }
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
        let (at_least, nearest) = (found.at_least, found.into());
        return Some(BoundedDistance { at_least, nearest, parts_left: 0 });
    }
    let exact = |nearest: Distance| BoundedDistance::new([a, b], nearest, nearest.value);
    let Some(trees) = trees(a, b) else { return super::distance(a, b, semantics).map(exact) };
    if let Some(inside) = containment(a, b, semantics) {
        return Some(BoundedDistance::zero(inside.into()));
    }
    // NaN becomes 0.
    let (relative, absolute) = (relative.max(0.0), absolute.max(0.0));
    let bound = |value: f64| ((value - absolute) / (1.0 + relative)).max(0.0);
    let nearest = nearest_distance(a, b, trees, f64::INFINITY, bound, &mut ()).0?;
    Some(BoundedDistance::new([a, b], nearest, bound(nearest.value)))
}

/// The distance of two placed models as far as it is known when the [budget](Query::budget) of the query is used up, or the query
/// is [stopped](crate::Stop): the nearest points that were found, and the least bound of what was left. `None` if a model has no
/// faces.
///
/// If the time suffices (`parts_left` is 0), `nearest` is that of [`distance`](super::distance()), bit for bit. How far a search
/// comes depends on the clock; that the bounds hold does not. They exist after any time, as the way down to the
/// first pair of triangles is always gone; `at_least` is 0 while it is not known whether one body contains the other. The cache is
/// read for its stop, and gets the counts of two meshes if the query wants them.
///
/// Of a model given by a formula, both bounds are those of [`formula::distance`], and the parts that are left are triangles and
/// boxes of the mesh, or vertices against a half space. Two formulas take no search and have no limit.
///
/// ```
/// use std::time::Duration;
/// # use xcollide_narrow::{Model, PairCache, Placed, Pose, Query};
/// use xcollide_narrow::proximity::distance_in_time;
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cube = Model::from_mesh(xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// # let there = Pose::from_translation([5.0, 0.0, 0.0]);
/// # let (a, b) = (Placed::new(&cube, &Pose::IDENTITY)?, Placed::new(&cube, &there)?);
/// let query = Query::new().budget(Duration::from_micros(20));
/// let found = distance_in_time(a, b, &query, &mut PairCache::new()).ok_or("no faces")?;
/// assert!(found.at_least <= 4.0 && found.nearest.value >= 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn distance_in_time(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
) -> Option<BoundedDistance> {
    let mut deadline = Deadline::of(query, cache);
    if any_formula(a, b) {
        let found = formula::distance_in_time(a, b, query.semantics, &mut deadline);
        let (found, parts_left) = found.ok()?;
        let (at_least, nearest) = (found.at_least, found.into());
        return Some(BoundedDistance { at_least, nearest, parts_left });
    }
    let inside = match query.semantics {
        Semantics::Surface => Ok(None),
        Semantics::Solid => {
            let scratch = &mut RayScratch::default();
            nested_by(a, b, &mut prepared_rays, scratch, &mut deadline)
        }
    };
    if let Ok(Some(witness)) = inside {
        let nearest = Distance { value: 0.0, points: [witness.point; 2], faces: None };
        return Some(BoundedDistance::zero(nearest));
    }
    let mut monitor = Monitor::always(&deadline);
    let (nearest, left) = match trees(a, b) {
        Some(trees) => nearest_distance(a, b, trees, f64::INFINITY, |value| value, &mut monitor),
        None => nearest_of_all(a, b, &mut monitor),
    };
    let parts_left = monitor.left.map_or(0, |left| left.parts).max(u32::from(inside.is_err()));
    let _ = monitor.finish(0, query, cache);
    let nearest = nearest?;
    let known = if inside.is_ok() { left.unwrap_or(f64::INFINITY) } else { 0.0 };
    let found = BoundedDistance::new([a, b], nearest, known.min(nearest.value));
    Some(BoundedDistance { parts_left, ..found })
}

/// The same by all pairs of triangles, for models that are too large for a hierarchy; nothing is known of what is left.
fn nearest_of_all(
    a: Placed<'_>,
    b: Placed<'_>,
    monitor: &mut Monitor,
) -> (Option<Distance>, Option<f64>) {
    let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation().len() as u32);
    let mut nearest: Option<Distance> = None;
    for s in 0..of_a {
        // The first row is always measured.
        if s > 0 && monitor.go_on().is_break() {
            monitor.left((of_a - s) as usize, || Some((s, 0)));
            return (nearest, Some(0.0));
        }
        let one = triangle(a, s);
        for t in 0..of_b {
            monitor.primitives(1);
            let found = closest_points(&one, &triangle(b, t));
            if nearest.is_none_or(|nearest| found.distance < nearest.value) {
                nearest = Some(told(a, b, s, t, found));
            }
        }
    }
    (nearest, None)
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
