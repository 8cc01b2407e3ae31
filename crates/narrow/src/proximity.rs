//! Distances and tolerances between placed models (the queries of SWIFT++, as Daneu 2002, 2.6
//! describes them).
//!
//! Both descend two hierarchies of oriented boxes together, nearest boxes first. Near the closest
//! points two surfaces run almost parallel, and boxes that lie along them part what axis-aligned
//! boxes and spheres cannot: at a gap of 0.5 % of the size they leave a hundredth of the pairs of
//! triangles. For a distance the nearest pair of all that wait is opened; for a tolerance, where any pair
//! will do, depth first. The hierarchy is that of `BinaryTrees<Obb>`, built once a model.

mod nearness;

use xcollide_bounds::Obb;
use xcollide_brep::FaceId;
use xcollide_bvh::binary::{Bvh, PairTraversal};
use xcollide_predicates::{closest_points, triangles_within};

use crate::hierarchy::prepared::prepared;
use crate::proof::nested::nested;
use crate::{Feature, Placed, Semantics};

/// How far two models are apart, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The smallest distance of two points, one of each model; 0 where they collide. Rounded: the
    /// relative error is a few units of the last place, plus as many of the largest coordinate.
    pub value: f64,
    /// The nearest points, in world coordinates.
    pub points: [[f64; 3]; 2],
    /// The faces that they lie on; `None` where one body holds the other.
    pub faces: Option<[FaceId; 2]>,
}

/// Two faces that come close to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearness {
    /// Their nearest points, in world coordinates, rounded.
    pub points: [[f64; 3]; 2],
    /// The faces; `None` where one body holds the other.
    pub faces: Option<[FaceId; 2]>,
}

/// The distance of two placed models; `None` where one of them has no faces.
///
/// 0 where one body holds the other. The value is rounded: to decide whether the models touch use a
/// [`NarrowPhase`](crate::NarrowPhase), or [`within`] for any other threshold. It is the least of
/// the distances of all pairs of triangles, as
/// [`triangle_distance`](xcollide_predicates::triangle_distance) gives them.
///
/// The first query of a model builds its hierarchy, in O(n log n); some microseconds a triangle,
/// 280 bytes.
#[must_use]
pub fn distance(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Distance> {
    if let Some(inside) = containment(a, b, semantics) {
        return Some(Distance { value: 0.0, points: inside.points, faces: inside.faces });
    }
    let closest = |s: u32, t: u32| closest_points(&triangle(a, s), &triangle(b, t));
    let measure = |s, t| closest(s, t).distance;
    let (s, t) = match trees(a, b) {
        [Some(tree_a), Some(tree_b)] => {
            let (of_a, of_b) = (a.pose(), b.pose());
            let mut pairing = PairTraversal::new((tree_a, of_a), (tree_b, of_b));
            let nearest = pairing.nearest(f64::INFINITY, measure)?;
            (nearest.a, nearest.b)
        }
        _ => every_pair(a, b).min_by(|p, q| measure(p.0, p.1).total_cmp(&measure(q.0, q.1)))?,
    };
    let nearest = closest(s, t);
    Some(Distance {
        value: nearest.distance,
        points: [nearest.a, nearest.b],
        faces: Some([face(a, s), face(b, t)]),
    })
}

/// Two faces at most `tolerance` apart, or `None` where all points of one model are farther than
/// that from all points of the other.
///
/// Exact: decided by comparing the true distance of the triangles with `tolerance`. A tolerance of
/// 0 asks whether the models touch. A negative or NaN tolerance is never met. Prepares what
/// [`distance`] does.
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
    let decide = |s, t| triangles_within(&triangle(a, s), &triangle(b, t), tolerance);
    let found = match trees(a, b) {
        [Some(tree_a), Some(tree_b)] => {
            let (of_a, of_b) = (a.pose(), b.pose());
            PairTraversal::new((tree_a, of_a), (tree_b, of_b)).within(tolerance, decide)
        }
        _ => every_pair(a, b).find(|&(s, t)| decide(s, t)),
    };
    let Some((s, t)) = found else { return containment(a, b, semantics) };
    let pair = closest_points(&triangle(a, s), &triangle(b, t));
    Some(Nearness { points: [pair.a, pair.b], faces: Some([face(a, s), face(b, t)]) })
}

/// Whether one body holds a piece of the other.
fn containment(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Nearness> {
    if semantics == Semantics::Surface {
        return None;
    }
    let witness = nested(a, b)?;
    debug_assert!(witness.a == Feature::Body || witness.b == Feature::Body);
    Some(Nearness { points: [witness.point; 2], faces: None })
}

/// The hierarchies of two models; `None` in those of more than 2³¹ triangles.
fn trees<'m>(a: Placed<'m>, b: Placed<'m>) -> [Option<&'m Bvh<Obb>>; 2] {
    [a, b].map(|placed| prepared(placed.model()))
}

/// What is left to do for models that no hierarchy can number.
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
