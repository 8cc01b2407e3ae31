//! Distances and tolerances between placed models (the queries of SWIFT++, as Daneu 2002, 2.6
//! describes them).
//!
//! Both walk two median hierarchies over the triangles from the nearest boxes outward, so a
//! distance costs about as much as sorting the triangles, not their product.

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_predicates::{closest_points, triangles_within};

use crate::halves::{Half, Halves};
use crate::{Feature, Placed, Semantics, closed};

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
/// [`NarrowPhase`](crate::NarrowPhase), or [`within`] for any other threshold. O(n log n) to set
/// up.
#[must_use]
pub fn distance(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Distance> {
    if let Some(inside) = containment(a, b, semantics) {
        return Some(Distance { value: 0.0, points: inside.points, faces: inside.faces });
    }
    let (halves_a, halves_b) = (Halves::new(a), Halves::new(b));
    let mut nearest: Option<Distance> = None;
    let mut open = vec![(0.0, halves_a.root()?, halves_b.root()?)];
    while let Some((bound, half_a, half_b)) = open.pop() {
        let to_beat = nearest.map_or(f64::INFINITY, |found| found.value);
        if bound > to_beat {
            continue;
        }
        if half_a.len == 1 && half_b.len == 1 {
            let (s, t) = (halves_a.triangle(half_a), halves_b.triangle(half_b));
            let pair = closest_points(&halves_a.triangles[s], &halves_b.triangles[t]);
            if pair.distance < to_beat {
                let faces = [face(a, s), face(b, t)];
                nearest = Some(Distance {
                    value: pair.distance,
                    points: [pair.a, pair.b],
                    faces: Some(faces),
                });
                if pair.distance == 0.0 {
                    break;
                }
            }
            continue;
        }
        push_nearer_last(&mut open, &halves_a, half_a, &halves_b, half_b);
    }
    nearest
}

/// Two faces at most `tolerance` apart, or `None` where all points of one model are farther than
/// that from all points of the other.
///
/// Exact: decided by comparing the true distance of the triangles with `tolerance`. A tolerance of
/// 0 asks whether the models touch. A negative or NaN tolerance is never met.
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
    let (halves_a, halves_b) = (Halves::new(a), Halves::new(b));
    let mut open = Vec::new();
    if let (Some(root_a), Some(root_b)) = (halves_a.root(), halves_b.root()) {
        open.push((0.0, root_a, root_b));
    }
    while let Some((_, half_a, half_b)) = open.pop() {
        // Boxes grown outward: a pair is dropped only if an axis alone shows it to be too far.
        if !halves_a.bounds(half_a).expanded(tolerance).overlaps(halves_b.bounds(half_b)) {
            continue;
        }
        if half_a.len > 1 || half_b.len > 1 {
            push_nearer_last(&mut open, &halves_a, half_a, &halves_b, half_b);
            continue;
        }
        let (s, t) = (halves_a.triangle(half_a), halves_b.triangle(half_b));
        let triangles = (&halves_a.triangles[s], &halves_b.triangles[t]);
        if triangles_within(triangles.0, triangles.1, tolerance) {
            let pair = closest_points(triangles.0, triangles.1);
            return Some(Nearness {
                points: [pair.a, pair.b],
                faces: Some([face(a, s), face(b, t)]),
            });
        }
    }
    containment(a, b, semantics)
}

/// Whether one body holds a piece of the other.
fn containment(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<Nearness> {
    if semantics == Semantics::Surface {
        return None;
    }
    let witness = closed::nested(a, b)?;
    debug_assert!(witness.a == Feature::Body || witness.b == Feature::Body);
    Some(Nearness { points: [witness.point; 2], faces: None })
}

fn face(placed: Placed<'_>, triangle: usize) -> FaceId {
    placed.model().triangulation().face_of(triangle)
}

type Pair = (f64, Half, Half);

/// Halves the larger of two ranges and pushes both parts, the nearer last, so that it is next.
fn push_nearer_last(
    open: &mut Vec<Pair>,
    halves_a: &Halves,
    half_a: Half,
    halves_b: &Halves,
    half_b: Half,
) {
    let extent = |bounds: &Aabb| bounds.size()[bounds.longest_axis()];
    let (box_a, box_b) = (halves_a.bounds(half_a), halves_b.bounds(half_b));
    let split_a = half_b.len == 1 || (half_a.len > 1 && extent(box_a) >= extent(box_b));
    let parts = if split_a {
        half_a.split().map(|part| (part, half_b))
    } else {
        half_b.split().map(|part| (half_a, part))
    };
    let mut pairs = parts.map(|(of_a, of_b)| {
        (lower_bound(halves_a.bounds(of_a), halves_b.bounds(of_b)), of_a, of_b)
    });
    if pairs[0].0 < pairs[1].0 {
        pairs.swap(0, 1);
    }
    open.extend(pairs);
}

/// A lower bound of the distance of two boxes: the length of the gap between them, rounded down.
/// Scaled by the largest gap, so that squares neither overflow nor vanish.
fn lower_bound(a: &Aabb, b: &Aabb) -> f64 {
    let gaps =
        [0, 1, 2].map(|axis| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]).max(0.0));
    let largest = gaps[0].max(gaps[1]).max(gaps[2]);
    if largest == 0.0 || largest.is_infinite() {
        return 0.0;
    }
    let ratio = gaps.map(|gap| gap / largest);
    let length = (ratio[0] * ratio[0] + ratio[1] * ratio[1] + ratio[2] * ratio[2]).sqrt();
    // Ten roundings at most, each of half an epsilon.
    largest * length * (1.0 - 8.0 * f64::EPSILON)
}
