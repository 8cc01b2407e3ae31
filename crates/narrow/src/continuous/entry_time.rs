//! When two sets of points in linear motion can first meet, by directions that part them.
//!
//! Let g(t) be the gap between two sets along a direction: the least height of the one less the greatest of the other.
//! Heights of points are linear in the time, so the least is a concave function and the greatest a convex one. Hence
//! g(t) ≥ (1 − t) g(0) + t g(1): the gaps at both ends bound the time until which the sets are apart. For sets that do
//! not change their shape the two sides are equal, and the best direction gives the time itself.

use xcollide_math::vector::{add, cross, dot, largest, scale, sub, unit};
use xcollide_predicates::moving::MovingPoint;

use super::motion_front::is_unit;

type Vector = [f64; 3];
type MovingTriangle = [MovingPoint; 3];

/// Between which heights along a direction a set of points is, at time 0 and at time 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heights {
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
}

impl Heights {
    fn of_points(points: &[MovingPoint], direction: Vector) -> Self {
        let none = Self { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };
        points.iter().fold(none, |Self { low, high }, point| {
            let at = [dot(direction, point.start), dot(direction, point.end)];
            Self {
                low: [low[0].min(at[0]), low[1].min(at[1])],
                high: [high[0].max(at[0]), high[1].max(at[1])],
            }
        })
    }

    /// A time up to which a set is certainly apart from another, itself included: infinity if that is so all the time,
    /// 0 if nothing is known. `margin` bounds the error of the gaps; with infinity nothing is ever known.
    #[inline]
    pub(super) fn entry(&self, other: &Self, margin: f64) -> f64 {
        let gap = |low: &Self, high: &Self, end: usize| high.low[end] - low.high[end] - margin;
        let (start, end) = match gap(self, other, 0) {
            start if start > 0.0 => (start, gap(self, other, 1)),
            _ => (gap(other, self, 0), gap(other, self, 1)),
        };
        if start > 0.0 {
            if end > 0.0 {
                return f64::INFINITY;
            }
            // Three roundings.
            return start / (start - end) * (1.0 - 4.0 * f64::EPSILON);
        }
        0.0
    }
}

/// The best of some directions of any length, and the time that it gives; ends at one that gives `enough`.
#[inline]
pub(super) fn best_direction(
    directions: impl Iterator<Item = Vector>,
    enough: f64,
    entry: impl Fn(Vector) -> f64,
) -> (Vector, f64) {
    let mut best = ([0.0; 3], 0.0);
    for direction in directions {
        let Some(direction) = unit(direction).filter(|&unit| is_unit(unit)) else { continue };
        let time = entry(direction);
        if time > best.1 {
            best = (direction, time);
            if time >= enough {
                break;
            }
        }
    }
    best
}

/// From one center to the other at time 0, and how that changes: the directions across the relative motion towards the
/// other center, and towards it at time 0.
#[inline]
pub(super) fn between(from: [Vector; 2], to: [Vector; 2]) -> ([Vector; 2], Vector) {
    let start = sub(to[0], from[0]);
    let motion = sub(sub(to[1], from[1]), start);
    let square = dot(motion, motion);
    let across =
        if square > 0.0 { sub(start, scale(motion, dot(motion, start) / square)) } else { start };
    ([across, start], motion)
}

/// The direction that parts two triangles longest, and a time up to which they are certainly apart, as
/// [`Heights::entry`].
///
/// For triangles that move without changing their shape, the directions are all normals of the sides of their
/// Minkowski difference, and of what it sweeps, so the time is that of contact up to rounding.
pub(super) fn entry_of_triangles(
    first: &MovingTriangle,
    second: &MovingTriangle,
    enough: f64,
) -> (Vector, f64) {
    let margin = margin_of_points([largest_of(first), largest_of(second)]);
    let center = |triangle: &MovingTriangle| {
        let [a, b, c] = triangle;
        [add(add(a.start, b.start), c.start), add(add(a.end, b.end), c.end)]
            .map(|sum| scale(sum, 1.0 / 3.0))
    };
    let ([across, start], motion) = between(center(first), center(second));
    let edges = [first, second]
        .map(|[a, b, c]| [sub(b.start, a.start), sub(c.start, b.start), sub(a.start, c.start)]);
    let [of_first, of_second] = &edges;
    let normals = edges.iter().map(|[first, second, _]| cross(*first, *second));
    let swept = edges.iter().flatten().map(|&edge| cross(motion, edge));
    let across_edges =
        of_first.iter().flat_map(|&one| of_second.iter().map(move |&other| cross(one, other)));
    let directions = [across, start].into_iter().chain(normals).chain(swept).chain(across_edges);
    best_direction(directions, enough, |direction| {
        let [first, second] =
            [first, second].map(|triangle| Heights::of_points(triangle, direction));
        first.entry(&second, margin)
    })
}

/// The largest magnitude of a coordinate.
pub(super) fn largest_of(points: &[MovingPoint]) -> f64 {
    points.iter().fold(0.0, |most, point| most.max(largest(point.start)).max(largest(point.end)))
}

/// By how much a gap between two sets of points may be off, given the largest magnitudes of their coordinates: a product
/// with a direction of length 1 is off by less than 3.1 · 1.8 · 2⁻⁵³ of it, and the difference of two by the same again.
/// Infinite where products could overflow.
pub(super) fn margin_of_points([a, b]: [f64; 2]) -> f64 {
    /// Far from the end of the range of f64.
    const LARGEST: f64 = 1e150;
    let size = a + b;
    if size <= LARGEST { size / (1_u64 << 48) as f64 + f64::MIN_POSITIVE } else { f64::INFINITY }
}
