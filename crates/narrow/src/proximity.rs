//! Distances and tolerance tests between placed models (the queries of SWIFT++, see Daneu 2002, 2.6).
//!
//! Both descend the wide hierarchies of oriented boxes together, nearest boxes first. Near the closest points two surfaces
//! are almost parallel, and oriented boxes separate them better than axis-aligned boxes or spheres: at a gap of 0.5 % of the
//! size they leave a hundredth of the pairs of triangles.

mod bounded_distance;
mod near_formulas;
mod regions;

use xcollide_brep::FaceId;
use xcollide_bvh::Counter;
use xcollide_bvh::wide::{WideTree, best_first, best_first_in_time};
use xcollide_convex::shape::ShapeDistance;
use xcollide_math::vector::{dot, sub, unit};
use xcollide_predicates::{ClosestPoints, closest_points, triangles_within};

use crate::formula::{self, any_formula};
use crate::hierarchy::prepared::prepared;
use crate::point_in_polyhedron::{Location, locate};
use crate::proof::nested::nested;
use crate::proof::witness::{is_near, point_tolerance, triangles};
use crate::{Feature, Placed, ProofError, Semantics};

pub use bounded_distance::{BoundedDistance, bounded_distance, distance_in_time};
pub use regions::{NearRegions, near_regions};

/// The distance of two models, with the nearest points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distance {
    /// The smallest distance of two points, one of each model; 0 if they collide. The error is a few units in
    /// the last place of the value plus a few of the largest coordinate.
    pub value: f64,
    /// The nearest points, in world coordinates.
    pub points: [[f64; 3]; 2],
    /// The faces of these points; `None` if one body contains the other, or a model is given by a formula.
    pub faces: Option<[FaceId; 2]>,
}

/// Two faces close to each other.
///
/// The faces are the proof: the predicates decide exactly whether they are within the tolerance, while the
/// nearest points are rounded. If one body contains the other, the point is exactly a vertex, and in both.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nearness {
    /// Their nearest points, in world coordinates, rounded.
    pub points: [[f64; 3]; 2],
    /// The faces; `None` if one body contains the other, or a model is given by a formula.
    pub faces: Option<[FaceId; 2]>,
}

impl From<ShapeDistance> for Distance {
    /// With the upper bound as the value.
    fn from(found: ShapeDistance) -> Self {
        Self { value: found.at_most, points: found.points, faces: None }
    }
}

impl From<Nearness> for Distance {
    /// Of models that have a point in common.
    fn from(Nearness { points, faces }: Nearness) -> Self {
        Self { value: 0.0, points, faces }
    }
}

impl Nearness {
    /// Verifies that the two placed models are at most `tolerance` apart, exactly, and that the points lie on
    /// the faces up to 2⁻³⁸ of their largest coordinate.
    ///
    /// Takes a comparison for each pair of triangles of the two faces, or two calls of [`locate`].
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        tolerance: f64,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        if any_formula(a, b) {
            let near = formula::within(a, b, tolerance, semantics).is_none_or(|(near, _)| near);
            return near.then_some(()).ok_or(ProofError::PointOff { point: self.points[0] });
        }
        match self.faces {
            Some(faces) => self.verify_faces(a, b, faces, tolerance),
            None if semantics == Semantics::Surface => Err(ProofError::NoBody),
            None => {
                let [point, other] = self.points;
                let in_both = |placed| locate(placed, point) != Location::Outside;
                let holds = tolerance >= 0.0 && point == other && in_both(a) && in_both(b);
                holds.then_some(()).ok_or(ProofError::PointOff { point })
            }
        }
    }

    fn verify_faces(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        faces: [FaceId; 2],
        tolerance: f64,
    ) -> Result<(), ProofError> {
        let of_a = triangles(a, Feature::Face(faces[0]))?;
        let of_b = triangles(b, Feature::Face(faces[1]))?;
        let near = of_a.iter().any(|s| of_b.iter().any(|t| triangles_within(s, t, tolerance)));
        if !near {
            let [a, b] = faces.map(Feature::Face);
            return Err(ProofError::TooFar { a, b, tolerance });
        }
        let slack = point_tolerance(&of_a, &of_b);
        let mut points = self.points.into_iter().zip([&of_a, &of_b]);
        let off = points.find(|&(point, triangles)| !is_near(point, triangles, slack));
        off.map_or(Ok(()), |(point, _)| Err(ProofError::PointOff { point }))
    }
}

/// The distance of two placed models: 0 if one body contains the other, else the least
/// [`triangle_distance`](xcollide_predicates::triangle_distance) of all pairs of triangles. `None` if a model
/// has no faces.
///
/// The value is rounded: to decide whether the models touch use a [`NarrowPhase`](crate::NarrowPhase), for
/// another threshold [`within`].
///
/// Of a model given by a formula, the value is the upper bound of [`formula::distance`].
///
/// The first query of a model builds its hierarchy in O(n log n), unless a test of meshes has, with some microsecond and 60
/// bytes a triangle.
#[must_use]
pub fn distance(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Distance> {
    if any_formula(a, b) {
        return formula::distance(a, b, semantics).ok().map(Distance::from);
    }
    if let Some(inside) = containment(a, b, semantics) {
        return Some(inside.into());
    }
    if let Some(trees) = trees(a, b) {
        return nearest_distance(a, b, trees, f64::INFINITY, |value| value, &mut ()).0;
    }
    let all = every_pair(a, b);
    let (s, t, nearest) = all
        .map(|(s, t)| (s, t, closest_points(&triangle(a, s), &triangle(b, t))))
        .min_by(|(.., one), (.., other)| one.distance.total_cmp(&other.distance))?;
    Some(told(a, b, s, t, nearest))
}

/// The least distance of two triangles, if that is below a limit; or any if the limit is infinite. Once a distance is known, only
/// those below `bound` of it are looked for. If `counter` ends the search, also a bound of what is left, as of
/// [`best_first_in_time`].
fn nearest_distance(
    a: Placed<'_>,
    b: Placed<'_>,
    [tree_a, tree_b]: [&WideTree; 2],
    limit: f64,
    bound: impl Fn(f64) -> f64,
    counter: &mut impl Counter,
) -> (Option<Distance>, Option<f64>) {
    let mut best: Option<(u32, u32, ClosestPoints)> = None;
    // Along it most pairs of triangles are farther apart than the nearest that are known.
    let mut along = None;
    let pair = [(tree_a, a.pose()), (tree_b, b.pose())];
    let left = best_first_in_time(pair[0], pair[1], limit, counter, |of_a, of_b, below| {
        let mut below = below;
        for &s in of_a {
            let one = triangle(a, s);
            for &t in of_b {
                let other = triangle(b, t);
                if along.is_some_and(|along| gap_along(along, &one, &other) > below) {
                    continue;
                }
                let found = closest_points(&one, &other);
                if found.distance < below || limit == f64::INFINITY && best.is_none() {
                    below = bound(found.distance);
                    along = unit(sub(found.b, found.a));
                    best = Some((s, t, found));
                }
            }
        }
        // Nothing is nearer than what touches.
        Some(if below > 0.0 { below } else { -1.0 })
    });
    (best.map(|(s, t, nearest)| told(a, b, s, t, nearest)), left)
}

fn told(a: Placed<'_>, b: Placed<'_>, s: u32, t: u32, nearest: ClosestPoints) -> Distance {
    Distance {
        value: nearest.distance,
        points: [nearest.a, nearest.b],
        faces: Some([face(a, s), face(b, t)]),
    }
}

/// How far two triangles are apart along a direction of length 1 at least, but for rounding; negative if they are not.
fn gap_along(n: [f64; 3], one: &[[f64; 3]; 3], other: &[[f64; 3]; 3]) -> f64 {
    let highest = one.iter().map(|&p| dot(n, p)).fold(f64::NEG_INFINITY, f64::max);
    let lowest = other.iter().map(|&p| dot(n, p)).fold(f64::INFINITY, f64::min);
    let rounding = 16.0 * f64::EPSILON * (highest.abs() + lowest.abs());
    (lowest - highest) * (1.0 - 1e-9) - rounding
}

/// Two faces at most `tolerance` apart, or `None` if all points of one model are farther than that from all
/// points of the other. Exact.
///
/// Of a model given by a formula, `None` is proved, and what rounding hides counts as near; [`formula::within`] tells it.
///
/// With a tolerance of 0: whether the models touch. `None` for a negative or NaN tolerance. Builds the same
/// hierarchy as [`distance`].
#[must_use]
pub fn within(
    a: Placed<'_>,
    b: Placed<'_>,
    tolerance: f64,
    semantics: Semantics,
) -> Option<Nearness> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return None;
    }
    if any_formula(a, b) {
        return match formula::within(a, b, tolerance, semantics) {
            Some((false, _)) => None,
            Some((true, points)) => Some(Nearness { points, faces: None }),
            None => {
                let points = formula::distance(a, b, semantics).ok()?.points;
                Some(Nearness { points, faces: None })
            }
        };
    }
    let decide = |s, t| triangles_within(&triangle(a, s), &triangle(b, t), tolerance);
    let found = match trees(a, b) {
        Some([tree_a, tree_b]) => {
            let mut found = None;
            let (of_a, of_b) = ((tree_a, a.pose()), (tree_b, b.pose()));
            best_first(of_a, of_b, tolerance, |of_a, of_b, _| {
                let mut pairs = of_a.iter().flat_map(|&s| of_b.iter().map(move |&t| (s, t)));
                found = pairs.find(|&(s, t)| decide(s, t));
                // Enough.
                found.map(|_| -1.0)
            });
            found
        }
        None => every_pair(a, b).find(|&(s, t)| decide(s, t)),
    };
    let Some((s, t)) = found else { return containment(a, b, semantics) };
    let pair = closest_points(&triangle(a, s), &triangle(b, t));
    Some(Nearness { points: [pair.a, pair.b], faces: Some([face(a, s), face(b, t)]) })
}

/// The distance of two placed models if it is at most `tolerance`, as [`within`] decides: exactly; else `None`. The result is
/// that of [`distance`], bit for bit.
///
/// Takes less time than both.
#[must_use]
pub fn distance_within(
    a: Placed<'_>,
    b: Placed<'_>,
    tolerance: f64,
    semantics: Semantics,
) -> Option<Distance> {
    let by_both = || within(a, b, tolerance, semantics).and_then(|_| distance(a, b, semantics));
    if any_formula(a, b) {
        return by_both();
    }
    let Some(trees) = trees(a, b) else { return by_both() };
    if tolerance.is_nan() || tolerance < 0.0 {
        return None;
    }
    if let Some(inside) = containment(a, b, semantics) {
        return Some(inside.into());
    }
    let slack = 1e-9 * tolerance + bounded_distance::rounding(a, b);
    let found = nearest_distance(a, b, trees, tolerance + slack, |value| value, &mut ()).0?;
    if found.value >= tolerance - slack { by_both() } else { Some(found) }
}

/// Whether one body contains a piece of the other.
fn containment(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Nearness> {
    if semantics == Semantics::Surface {
        return None;
    }
    let witness = nested(a, b)?;
    debug_assert!(witness.a == Feature::Body || witness.b == Feature::Body);
    Some(Nearness { points: [witness.point; 2], faces: None })
}

/// The hierarchies of two models; `None` if one is too large for one.
fn trees<'m>(a: Placed<'m>, b: Placed<'m>) -> Option<[&'m WideTree; 2]> {
    Some([prepared(a.model())?, prepared(b.model())?])
}

/// All pairs of triangles, for models that are too large for a hierarchy.
fn every_pair(a: Placed<'_>, b: Placed<'_>) -> impl Iterator<Item = (u32, u32)> {
    let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation().len() as u32);
    (0..of_a).flat_map(move |s| (0..of_b).map(move |t| (s, t)))
}

fn triangle(placed: Placed<'_>, triangle: u32) -> [[f64; 3]; 3] {
    placed.triangle(triangle as usize)
}

fn face(placed: Placed<'_>, triangle: u32) -> FaceId {
    placed.model().triangulation().face_of(triangle as usize)
}
