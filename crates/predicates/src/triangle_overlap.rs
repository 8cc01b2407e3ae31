//! The common set of two triangles: a point, a segment, or a polygon where they are coplanar.
//!
//! The common set of two triangles is convex, the hull of its extreme points. An extreme point is
//! one of these, and all of these are common points:
//!
//! - a corner of one triangle that is on the other;
//! - where an edge of one runs through the plane of the other, its ends strictly on both sides, and
//!   hits it;
//! - where two edges cross in one plane, no end of either on the other.
//!
//! *Proof.* If the triangles have different planes, the common set is the intersection of two
//! intervals on the planes' common line. An extreme point of it is an end of one of them, say of the
//! first triangle's, and so a point of an edge. If both ends of the edge are on the other's plane, the
//! edge is the interval, and the point a corner; if one end is, the point is that corner; else the
//! edge runs through the plane. In one plane, an extreme point in the inside of an edge of each
//! triangle is where these edges cross, because otherwise a neighbourhood on one of the edges would be
//! common; and an extreme point in the inside of one triangle is a corner of the other. A triangle with
//! collinear corners is an edge or a corner, and the same holds. ∎
//!
//! Exact signs decide which candidates exist. Rounded coordinates decide which candidates coincide and
//! in what order they lie, if they differ by more than their error bounds; else exact fractions decide.
//! So a single touching point is reported as one point.

use std::cmp::Ordering;

use crate::common_point::{
    crossing_parameter, numerators, piercing_parameter, segment_triangle_point,
};
use crate::exact::{self, Dyadic};
use crate::orientation::TrianglePlane;
use crate::projected::{facing, project, turn};
use crate::segment::{point_on_segment, segments_intersect};
use crate::triangle::{hull_of_collinear, point_on_triangle};
use crate::triangle_pair::triangles_intersect;
use crate::{Point, Sign};

/// The common set of two triangles, as the convex hull of one to six points.
///
/// One point: they touch there. Two: the ends of a segment. More: the corners of a convex polygon of
/// coplanar triangles, in the orientation of the first triangle, the lexicographically least first.
#[derive(Clone, Copy, Debug)]
pub struct TriangleOverlap {
    corners: [Point; 6],
    count: u8,
}

impl TriangleOverlap {
    /// The extreme points; all different before rounding, which may make them equal.
    #[must_use]
    pub fn corners(&self) -> &[Point] {
        &self.corners[..usize::from(self.count)]
    }

    /// The ends of a segment, a point twice, or the two corners of a polygon that are farthest from
    /// each other.
    #[must_use]
    pub fn ends(&self) -> [Point; 2] {
        match *self.corners() {
            [point] => [point; 2],
            [start, end] => [start, end],
            ref corners => diameter(corners),
        }
    }

    pub(crate) fn of(corners: impl IntoIterator<Item = Point>) -> Self {
        let mut overlap = Self { corners: [[0.0; 3]; 6], count: 0 };
        // At most six: a triangle has two points on each edge of another.
        for (place, corner) in overlap.corners.iter_mut().zip(corners) {
            *place = corner;
            overlap.count += 1;
        }
        overlap
    }
}

impl PartialEq for TriangleOverlap {
    fn eq(&self, other: &Self) -> bool {
        self.corners() == other.corners()
    }
}

/// The two points that are farthest from each other, the first such pair.
fn diameter(points: &[Point]) -> [Point; 2] {
    let mut farthest = (f64::NEG_INFINITY, [[0.0; 3]; 2]);
    for (i, &p) in points.iter().enumerate() {
        for &q in &points[i + 1..] {
            // Halved and divided by the largest component, so that squares stay in range.
            let along = [0, 1, 2].map(|k| (0.5 * q[k] - 0.5 * p[k]).abs());
            let largest = along[0].max(along[1]).max(along[2]).max(f64::MIN_POSITIVE);
            let square: f64 = along.iter().map(|x| (x / largest) * (x / largest)).sum();
            let length = largest * square.sqrt();
            if length > farthest.0 {
                farthest = (length, [p, q]);
            }
        }
    }
    farthest.1
}

/// The common set of two closed triangles, or `None` exactly if it is empty. Both may be degenerate.
///
/// The number of corners is exact. A corner of one of the triangles is returned unrounded. Any other
/// corner is where an edge of one meets the other, with the accuracy of [`segment_triangle_point`].
///
/// ```
/// use xcollide_predicates::triangle_pair_overlap;
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let wall = [[1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 9.0, 0.0]];
/// let cut = triangle_pair_overlap(&floor, &wall);
/// assert_eq!(cut.map(|cut| cut.ends()), Some([[1.0, 0.0, 0.0], [1.0, 3.0, 0.0]]));
///
/// let shifted = floor.map(|[x, y, z]| [x + 1.0, y, z]);
/// let shared = triangle_pair_overlap(&floor, &shifted);
/// assert_eq!(
///     shared.as_ref().map(|shared| shared.corners()),
///     Some(&[[1.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 3.0, 0.0]][..])
/// );
/// ```
#[must_use]
pub fn triangle_pair_overlap(a: &[Point; 3], b: &[Point; 3]) -> Option<TriangleOverlap> {
    if !triangles_intersect(a, b) {
        return None;
    }
    let facings = [facing(a), facing(b)];
    let shapes = [Shape::new(a, facings[0].is_some()), Shape::new(b, facings[1].is_some())];
    let candidates = Candidates::of(&shapes);
    let found = candidates.found();
    let in_one_plane = shapes[1].corners().iter().all(|&p| shapes[0].plane.side(p).is_zero());
    Some(match facings {
        [Some((axis, facing)), Some(_)] if in_one_plane => polygon(found, axis, facing),
        _ => on_a_line(found),
    })
}

/// A triangle, or the segment or point that it is.
pub(crate) struct Shape<'a> {
    triangle: &'a [Point; 3],
    /// If degenerate, every point is on it.
    plane: TrianglePlane<'a>,
    corners: [Point; 3],
    count: usize,
}

impl<'a> Shape<'a> {
    pub(crate) fn new(triangle: &'a [Point; 3], has_plane: bool) -> Self {
        let plane = TrianglePlane::new(triangle);
        if has_plane {
            return Self { triangle, plane, corners: *triangle, count: 3 };
        }
        let [least, greatest] = hull_of_collinear(triangle);
        let count = if least == greatest { 1 } else { 2 };
        Self { triangle, plane, corners: [least, greatest, greatest], count }
    }

    fn corners(&self) -> &[Point] {
        &self.corners[..self.count]
    }

    fn edges(&self) -> impl Iterator<Item = [Point; 2]> + Clone + use<> {
        let [a, b, c] = self.corners;
        let count = match self.count {
            3 => 3,
            2 => 1,
            _ => 0,
        };
        [[a, b], [b, c], [c, a]].into_iter().take(count)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    /// Rounded coordinates.
    point: Point,
    /// Bound on the error on each axis.
    error: Point,
    origin: Origin,
}

/// The construction of a common point.
#[derive(Clone, Copy)]
enum Origin {
    Corner,
    /// An edge pierces the plane of a triangle.
    Through([Point; 2], [Point; 3]),
    /// Two edges in one plane cross.
    Crossing([Point; 2], [Point; 2]),
}

impl Candidate {
    fn corner(point: Point) -> Self {
        Self { point, error: [0.0; 3], origin: Origin::Corner }
    }

    fn on_edge(edge: &[Point; 2], point: Point, origin: Origin) -> Self {
        let [p, q] = *edge;
        let error = [0, 1, 2].map(|k| {
            let largest = p[k].abs().max(q[k].abs());
            (q[k] - p[k]).abs() * PARAMETER_ERROR + largest * f64::EPSILON + f64::from_bits(1)
        });
        Self { point, error, origin }
    }

    /// The exact point in homogeneous coordinates; the last one is positive.
    #[cold]
    pub(crate) fn exactly(&self) -> [Dyadic; 4] {
        let (edge, parameter) = match &self.origin {
            Origin::Corner => {
                let [x, y, z] = self.point.map(Dyadic::of);
                return [x, y, z, Dyadic::of(1.0)];
            }
            Origin::Through(edge, triangle) => (edge, piercing_parameter(edge, triangle)),
            Origin::Crossing(edge, other) => (edge, crossing_parameter(edge, other)),
        };
        let is_negative = parameter[1].sign().is_negative();
        let parameter = if is_negative { parameter.map(|part| -&part) } else { parameter };
        let [x, y, z] = numerators(edge, &parameter);
        let [_, denominator] = parameter;
        [x, y, z, denominator]
    }

    /// The order of the exact points on an axis.
    fn order(&self, other: &Self, axis: usize) -> Ordering {
        let difference = self.point[axis] - other.point[axis];
        let error = self.error[axis] + other.error[axis];
        if error == 0.0 || difference.abs() > error + difference.abs() * f64::EPSILON {
            return self.point[axis].partial_cmp(&other.point[axis]).unwrap_or(Ordering::Equal);
        }
        let ([.., v], [.., w]) = (&self.exactly(), &other.exactly());
        let (mine, others) = (&self.exactly()[axis] * w, &other.exactly()[axis] * v);
        mine.partial_cmp(&others).unwrap_or(Ordering::Equal)
    }
}

/// Error bound of [`segment_triangle_point`], relative to the length on an axis.
const PARAMETER_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

/// Six corners, and at most two points of each edge that are no corners.
const MOST: usize = 6 + 2 * 6;

pub(crate) struct Candidates {
    all: [Option<Candidate>; MOST],
    count: usize,
}

impl Candidates {
    pub(crate) fn of(shapes: &[Shape<'_>; 2]) -> Self {
        let mut candidates = Self { all: [None; MOST], count: 0 };
        for (own, other) in [(&shapes[0], &shapes[1]), (&shapes[1], &shapes[0])] {
            for &corner in own.corners() {
                if point_on_triangle(corner, other.triangle) {
                    candidates.push(Candidate::corner(corner));
                }
            }
        }
        // Each pair of edges with one in the plane of the other triangle, once.
        let in_plane = |edge: &[Point; 2], other: &Shape<'_>| {
            edge.iter().all(|&end| other.plane.side(end).is_zero())
        };
        for edge in shapes[0].edges() {
            let whole = in_plane(&edge, &shapes[1]);
            for other in shapes[1].edges() {
                if (whole || in_plane(&other, &shapes[0])) && cross(&edge, &other) {
                    // The second edge as a flat triangle has no plane, so the common point is the
                    // crossing.
                    let flat = [other[0], other[1], other[1]];
                    if let Some(point) = segment_triangle_point(&edge, &flat) {
                        let origin = Origin::Crossing(edge, other);
                        candidates.push(Candidate::on_edge(&edge, point, origin));
                    }
                }
            }
        }
        for (own, other) in [(&shapes[0], &shapes[1]), (&shapes[1], &shapes[0])] {
            for edge in own.edges() {
                let sides = edge.map(|end| other.plane.side(end));
                if !sides[0].is_zero()
                    && sides[0] == -sides[1]
                    && let Some(point) = segment_triangle_point(&edge, other.triangle)
                {
                    let origin = Origin::Through(edge, *other.triangle);
                    candidates.push(Candidate::on_edge(&edge, point, origin));
                }
            }
        }
        candidates
    }

    fn push(&mut self, candidate: Candidate) {
        if let Some(place) = self.all.get_mut(self.count) {
            *place = Some(candidate);
            self.count += 1;
        }
    }

    pub(crate) fn found(&self) -> impl Iterator<Item = &Candidate> + Clone {
        self.all[..self.count].iter().flatten()
    }
}

/// Whether two coplanar segments cross in a point that is no end of either.
fn cross(edge: &[Point; 2], other: &[Point; 2]) -> bool {
    segments_intersect(edge, other)
        && !edge.iter().any(|&end| point_on_segment(end, other))
        && !other.iter().any(|&end| point_on_segment(end, edge))
}

/// The first and the last of points on a line; one if they coincide. Among equal candidates the first
/// wins: a corner, which is not rounded.
fn on_a_line<'c>(found: impl Iterator<Item = &'c Candidate> + Clone) -> TriangleOverlap {
    let extent = |axis: usize| {
        let values = found.clone().map(|candidate| candidate.point[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        values.fold(f64::NEG_INFINITY, f64::max) - low
    };
    let extents = [extent(0), extent(1), extent(2)];
    let longest = if extents[0] >= extents[1].max(extents[2]) {
        0
    } else {
        usize::from(extents[2] > extents[1]) + 1
    };
    // Points on a line are ordered as any coordinate that changes along it.
    let order = |p: &Candidate, q: &Candidate| {
        let axes = [longest, (longest + 1) % 3, (longest + 2) % 3];
        axes.iter().map(|&axis| p.order(q, axis)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut ends: Option<[&Candidate; 2]> = None;
    for candidate in found.clone() {
        match &mut ends {
            None => ends = Some([candidate; 2]),
            Some([first, last]) => {
                // At most two comparisons: exact ones are slow, and most points are between the ends.
                if order(candidate, first).is_lt() {
                    *first = candidate;
                } else if order(candidate, last).is_gt() {
                    *last = candidate;
                }
            }
        }
    }
    match ends {
        Some([first, last]) if order(first, last).is_lt() => {
            TriangleOverlap::of([first.point, last.point])
        }
        Some([first, _]) => TriangleOverlap::of([first.point]),
        None => TriangleOverlap::of([]),
    }
}

/// The extreme points of the common set of coplanar triangles, ordered by their turns as seen along
/// `axis`, with the orientation `facing`.
///
/// All candidates are extreme and differ, except that a common corner of both triangles comes twice.
fn polygon<'c>(
    found: impl Iterator<Item = &'c Candidate>,
    axis: usize,
    facing: Sign,
) -> TriangleOverlap {
    let mut corners: [Option<&Candidate>; MOST] = [None; MOST];
    let mut count = 0;
    for candidate in found {
        let is_corner = |known: &&Candidate| {
            matches!((known.origin, candidate.origin), (Origin::Corner, Origin::Corner))
        };
        let mut known = corners[..count].iter().flatten();
        if known.any(|other| is_corner(other) && other.point == candidate.point) {
            continue;
        }
        // Insertion sort around the first point: it is extreme, so all are within half a turn.
        let mut place = count;
        while place > 1
            && let (Some(pivot), Some(before)) = (corners[0], corners[place - 1])
            && turn_of(axis, pivot, before, candidate) == -facing
        {
            corners[place] = corners[place - 1];
            place -= 1;
        }
        corners[place] = Some(candidate);
        count += 1;
    }
    let points = || corners[..count].iter().flatten().map(|candidate| candidate.point);
    let least = points().fold([f64::INFINITY; 3], |least, p| if p < least { p } else { least });
    let first = points().position(|point| point == least).unwrap_or(0);
    TriangleOverlap::of(points().cycle().skip(first).take(count))
}

/// The sign of the turn p, q, r of the exact points, as seen along an axis.
fn turn_of(axis: usize, p: &Candidate, q: &Candidate, r: &Candidate) -> Sign {
    let points = [p, q, r];
    if points.iter().all(|candidate| matches!(candidate.origin, Origin::Corner)) {
        return turn(axis, p.point, q.point, r.point);
    }
    let [from, over, to] = points.map(|candidate| project(candidate.point, axis));
    let (first, second) = (minus(over, from), minus(to, from));
    let value = first[0] * second[1] - first[1] * second[0];
    // Each coordinate of the differences is off by less than 2e, so the value by less than
    // 2(2·2e·l + 4e²) and its own rounding, less than 2⁻⁵⁰l².
    let length = first.iter().chain(&second).fold(0.0, |m: f64, x| m.max(x.abs()));
    let error = points.iter().flat_map(|c| c.error).fold(0.0, f64::max);
    let bound = 16.0 * error * (length + error)
        + length * length * (4.0 * f64::EPSILON)
        + f64::MIN_POSITIVE;
    if value.abs() > bound {
        return Sign::of(value);
    }
    let [p, q, r] = points.map(|candidate| {
        let [x, y, z, w] = candidate.exactly();
        let [u, v] = match axis {
            0 => [y, z],
            1 => [z, x],
            _ => [x, y],
        };
        [u, v, w]
    });
    // The determinant of the three, whose last coordinates are positive.
    exact::dot(&p, &exact::cross(&q, &r)).sign()
}

fn minus(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    [p[0] - q[0], p[1] - q[1]]
}
