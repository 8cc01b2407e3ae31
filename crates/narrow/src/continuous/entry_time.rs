//! When two sets of points in linear motion can first meet, by directions that part them.
//!
//! Let g(t) be the gap between two sets along a direction: the least height of the one less the greatest of the other.
//! Heights of points are linear in the time, so the least is a concave function and the greatest a convex one. Hence
//! g(t) ≥ (1 − t) g(0) + t g(1): the gaps at both ends bound the time until which the sets are apart. For sets that do
//! not change their shape the two sides are equal, and the best direction gives the time itself.

use xcollide_math::vector::{add, cross, dot, largest, scale, sub, taxicab};
use xcollide_predicates::moving::MovingPoint;

type Vector = [f64; 3];
type MovingTriangle = [MovingPoint; 3];

/// A box at time 0 and at time 1, around points that move linearly.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptBox {
    pub(super) centers: [Vector; 2],
    /// Directions of length 1.
    pub(super) axes: [[Vector; 3]; 2],
    /// Half the lengths of the sides.
    pub(super) half: [[f64; 3]; 2],
    /// Whether axes and sides are the same at both ends.
    pub(super) is_rigid: bool,
}

impl SweptBox {
    /// How far the box reaches from its centers along a direction.
    #[inline]
    fn reach(&self, direction: Vector) -> [f64; 2] {
        let at = |end: usize| {
            let side = |k: usize| self.half[end][k] * dot(direction, self.axes[end][k]).abs();
            side(0) + side(1) + side(2)
        };
        let start = at(0);
        [start, if self.is_rigid { start } else { at(1) }]
    }
}

/// A time up to which two sets are certainly apart, itself included, from the gaps between them at both ends, less what
/// these may be off: infinity if that is so all the time, 0 if nothing is known.
#[inline]
fn entry([start, end]: [f64; 2]) -> f64 {
    // False if a gap is NaN, as after an overflow.
    if start > 0.0 {
        if end > 0.0 {
            return f64::INFINITY;
        }
        // Three roundings.
        return start / (start - end) * (1.0 - 4.0 * f64::EPSILON);
    }
    0.0
}

/// A bound on the error of a gap: relative to the size of what is measured and to the length of the direction, and
/// absolute for what underflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margin(f64);

impl Margin {
    /// `share` of a size; without end where products of directions could overflow.
    pub(super) fn new(size: f64, share: f64) -> Self {
        /// Far from the cube root of the end of the range of f64.
        const LARGEST: f64 = 1e100;
        Self(if size <= LARGEST { size * share } else { f64::INFINITY })
    }

    /// For sets of points, given the largest magnitudes of their coordinates: a product with a direction is off by less
    /// than 3.1 · 2⁻⁵³ of the sum of its terms, and the difference of two by the same again.
    pub(super) fn of_points([a, b]: [f64; 2]) -> Self {
        Self::new(a + b, 1.0 / (1_u64 << 49) as f64)
    }

    #[inline]
    pub(super) fn along(self, direction: Vector) -> f64 {
        self.0 * taxicab(direction) + f64::MIN_POSITIVE
    }
}

/// The best of some directions of any length, and the time that it gives; ends at one that gives `enough`.
#[inline]
fn best_direction(
    directions: impl Iterator<Item = Vector>,
    enough: f64,
    entry: impl Fn(Vector) -> f64,
) -> (Vector, f64) {
    let mut best = ([0.0; 3], 0.0);
    for direction in directions {
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

/// A direction less its part along the motion: along it, the gap between rigid bodies does not change.
#[inline]
fn across(direction: Vector, motion: Vector) -> Vector {
    let square = dot(motion, motion);
    if square > 0.0 {
        sub(direction, scale(motion, dot(motion, direction) / square))
    } else {
        direction
    }
}

/// The direction that parts two boxes longest, and a time up to which they are certainly apart, itself included:
/// infinity if that is so all the time, 0 if nothing is known.
#[inline]
pub(super) fn entry_of_boxes([a, b]: &[SweptBox; 2], margin: Margin, enough: f64) -> (Vector, f64) {
    let between = [0, 1].map(|end| sub(b.centers[end], a.centers[end]));
    let motion = sub(between[1], between[0]);
    // The last axis is that of the shortest side.
    let first = [between[0], a.axes[0][2], b.axes[0][2]].map(|axis| across(axis, motion));
    let directions = first.into_iter().chain([between[0]]).chain(a.axes[0]).chain(b.axes[0]);
    best_direction(directions, enough, |direction| {
        let apart = between.map(|between| dot(direction, between));
        let (of_a, of_b) = (a.reach(direction), b.reach(direction));
        let margin = margin.along(direction);
        let side = 1.0_f64.copysign(apart[0]);
        entry([0, 1].map(|end| side * apart[end] - of_a[end] - of_b[end] - margin))
    })
}

/// The same for two triangles.
///
/// If they move without changing their shape, the directions are all normals of the sides of their Minkowski difference,
/// and of what it sweeps, so the time is that of contact up to rounding.
pub(super) fn entry_of_triangles(
    first: &MovingTriangle,
    second: &MovingTriangle,
    enough: f64,
) -> (Vector, f64) {
    let margin = Margin::of_points([largest_of(first), largest_of(second)]);
    let sum = |[a, b, c]: &MovingTriangle| {
        [add(add(a.start, b.start), c.start), add(add(a.end, b.end), c.end)]
    };
    let (of_first, of_second) = (sum(first), sum(second));
    let between = [0, 1].map(|end| sub(of_second[end], of_first[end]));
    let motion = sub(between[1], between[0]);
    let edges = [first, second]
        .map(|[a, b, c]| [sub(b.start, a.start), sub(c.start, b.start), sub(a.start, c.start)]);
    let [of_first, of_second] = &edges;
    let normals = edges.iter().map(|[first, second, _]| cross(*first, *second));
    let swept = edges.iter().flatten().map(|&edge| cross(motion, edge));
    let of_edges =
        of_first.iter().flat_map(|&one| of_second.iter().map(move |&other| cross(one, other)));
    let centers = [across(between[0], motion), between[0]];
    let directions = centers.into_iter().chain(normals).chain(swept).chain(of_edges);
    best_direction(directions, enough, |direction| {
        let ([low_a, high_a], [low_b, high_b]) =
            (heights(first, direction), heights(second, direction));
        let margin = margin.along(direction);
        let gaps = |low: [f64; 2], high: [f64; 2]| [0, 1].map(|end| low[end] - high[end] - margin);
        if low_b[0] > high_a[0] { entry(gaps(low_b, high_a)) } else { entry(gaps(low_a, high_b)) }
    })
}

/// The least and the greatest heights of points along a direction, at time 0 and at time 1.
fn heights(points: &[MovingPoint], direction: Vector) -> [[f64; 2]; 2] {
    let none = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    points.iter().fold(none, |[low, high], point| {
        let at = [dot(direction, point.start), dot(direction, point.end)];
        [[low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])]]
    })
}

/// The largest magnitude of a coordinate.
pub(super) fn largest_of(points: &[MovingPoint]) -> f64 {
    points.iter().fold(0.0, |most, point| most.max(largest(point.start)).max(largest(point.end)))
}
