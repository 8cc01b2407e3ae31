//! Whether some segments cover the common set of two triangles.
//!
//! The common set is the hull of its extreme points, which `triangle_overlap` constructs as exact fractions. Finitely many
//! segments never cover a polygon. A point is covered if it is on one of them. A segment is covered by those that lie on its
//! line: the others have at most one point of it each, and a closed set that contains all but finitely many points of a
//! segment contains all. Everything is decided in big integers.

use std::cmp::Ordering;

use crate::exact::{self, Dyadic, Vector};
use crate::projected::facing;
use crate::triangle_overlap::{Candidates, Shape};
use crate::{Point, triangles_intersect};

/// Whether two closed triangles have a common point that is on none of some closed segments. Triangles and segments may be
/// degenerate. Exact for all finite coordinates.
///
/// Some microseconds for each segment if the triangles meet.
///
/// ```
/// use xcollide_predicates::triangles_meet_outside;
///
/// let floor = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let wall = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 0.0, 1.0]];
/// let halves = [[[0.0; 3], [2.0, 0.0, 0.0]], [[2.0, 0.0, 0.0], [4.0, 0.0, 0.0]]];
/// assert!(!triangles_meet_outside(&floor, &wall, &halves));
/// assert!(triangles_meet_outside(&floor, &wall, &halves[..1]));
/// ```
#[must_use]
pub fn triangles_meet_outside(a: &[Point; 3], b: &[Point; 3], segments: &[[Point; 2]]) -> bool {
    if !triangles_intersect(a, b) {
        return false;
    }
    let shapes = [a, b].map(|triangle| Shape::new(triangle, facing(triangle).is_some()));
    let candidates = Candidates::of(&shapes);
    let points: Vec<Exact> = candidates.found().map(|point| Exact(point.exactly())).collect();
    let Some(first) = points.first() else { return false };
    let Some(other) = points.iter().find(|point| !point.is_equal(first)) else {
        return !segments.iter().any(|segment| first.is_on(segment));
    };
    let line = Line::new(first, other);
    if !points.iter().all(|point| line.contains(point)) {
        return true;
    }
    !line.is_covered(&points, segments)
}

/// A point in homogeneous coordinates; the last one is positive.
struct Exact([Dyadic; 4]);

impl Exact {
    fn of(point: Point) -> Self {
        let [x, y, z] = point.map(Dyadic::of);
        Self([x, y, z, Dyadic::of(1.0)])
    }

    /// The vector to another point, times a positive number.
    fn to(&self, other: &Self) -> Vector {
        let ([.., v], [.., w]) = (&self.0, &other.0);
        [0, 1, 2].map(|k| &(&other.0[k] * v) - &(&self.0[k] * w))
    }

    fn is_equal(&self, other: &Self) -> bool {
        self.to(other).iter().all(|component| component.sign().is_zero())
    }

    /// The order on an axis.
    fn order(&self, other: &Self, axis: usize) -> Ordering {
        let sign = self.to(other)[axis].sign();
        if sign.is_positive() {
            Ordering::Less
        } else if sign.is_negative() {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    fn is_on(&self, segment: &[Point; 2]) -> bool {
        let [start, end] = segment.map(Self::of);
        let is_between = |axis: usize| {
            let (from, to) = (start.order(self, axis), self.order(&end, axis));
            from.is_eq() || to.is_eq() || from == to
        };
        (0..3).all(is_between) && are_parallel(&self.to(&start), &self.to(&end))
    }
}

fn are_parallel(u: &Vector, v: &Vector) -> bool {
    exact::cross(u, v).iter().all(|component| component.sign().is_zero())
}

/// The line through two different points.
struct Line<'p> {
    origin: &'p Exact,
    direction: Vector,
    /// Points of the line are ordered as their coordinates on this axis.
    axis: usize,
}

impl<'p> Line<'p> {
    fn new(origin: &'p Exact, other: &Exact) -> Self {
        let direction = origin.to(other);
        let axis = (0..3).find(|&k| !direction[k].sign().is_zero()).unwrap_or(0);
        Self { origin, direction, axis }
    }

    fn contains(&self, point: &Exact) -> bool {
        are_parallel(&self.direction, &self.origin.to(point))
    }

    /// Whether the segments that lie on the line cover the hull of some of its points.
    fn is_covered(&self, points: &[Exact], segments: &[[Point; 2]]) -> bool {
        let order = |p: &&Exact, q: &&Exact| p.order(q, self.axis);
        let ends = (points.iter().min_by(order), points.iter().max_by(order));
        let (Some(mut covered), Some(end)) = ends else { return true };
        let on_line: Vec<[Exact; 2]> = segments
            .iter()
            .map(|segment| segment.map(Exact::of))
            .filter(|ends| ends.iter().all(|end| self.contains(end)))
            .map(|[p, q]| if p.order(&q, self.axis).is_gt() { [q, p] } else { [p, q] })
            .collect();
        while covered.order(end, self.axis).is_lt() {
            let next = on_line.iter().find(|[low, high]| {
                low.order(covered, self.axis).is_le() && high.order(covered, self.axis).is_gt()
            });
            let Some([_, high]) = next else { return false };
            covered = high;
        }
        true
    }
}
