//! Distances between triangles, segments and points, and their closest points.
//!
//! The distance of two convex polygons is that of a corner of one to a face, edge or corner of the
//! other, or of two edges. The result is the least of all candidates, so only rounding can make it
//! wrong.

use crate::Point;
use crate::common_point::{segment_triangle_point, triangle_pair_point};
use crate::exact::power_of_two;
use crate::orientation::minus;
use crate::segment::{point_on_segment, segments_intersect};
use crate::triangle::point_on_triangle;

/// A closest pair of points of two sets, computed by [`closest_points`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoints {
    /// On the first set, rounded.
    pub a: Point,
    /// On the second set, rounded.
    pub b: Point,
    /// Their Euclidean distance: 0 if and only if the sets intersect.
    pub distance: f64,
}

/// The Euclidean distance of two closed triangles, either of which may be degenerate.
///
/// Accuracy and cost are those of [`closest_points`]. To compare with a tolerance exactly, use
/// [`triangles_within`](crate::triangles_within).
///
/// ```
/// use xcollide_predicates::triangle_distance;
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let above = [[1.0, 1.0, 2.5], [5.0, 5.0, 9.0], [3.0, 5.0, 9.0]];
/// assert_eq!(triangle_distance(&floor, &above), 2.5);
/// ```
#[must_use]
pub fn triangle_distance(a: &[Point; 3], b: &[Point; 3]) -> f64 {
    closest_points(a, b).distance
}

/// A closest pair of points of two closed sets, each a point, a segment or a triangle, given by
/// 1, 2 or 3 corners.
///
/// The distance is zero if and only if the sets intersect, which is decided exactly; both points
/// are then the same common point. Otherwise the points are on their sets up to rounding, and the
/// distance is within about 2⁻⁴⁰·L of the true one, where L is the greatest difference of coordinates of
/// two corners (measured against exact fractions, also for needles). Products are scaled by L, so
/// coordinates may range from 1e−300 to 1e300. A distance beyond the range of f64 is infinite.
///
/// ```
/// use xcollide_predicates::closest_points;
///
/// let segment = [[-1.0, 0.0, 3.0], [1.0, 0.0, 3.0]];
/// let triangle = [[0.0, -5.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, -5.0]];
/// let closest = closest_points(&segment, &triangle);
/// assert_eq!((closest.a, closest.b), ([0.0, 0.0, 3.0], [0.0, 0.0, 0.0]));
/// assert_eq!(closest.distance, 3.0);
/// ```
#[must_use]
pub fn closest_points<const N: usize, const M: usize>(
    a: &[Point; N],
    b: &[Point; M],
) -> ClosestPoints {
    const { assert!(1 <= N && N <= 3 && 1 <= M && M <= 3, "a point, a segment or a triangle") };
    if let Some(common) = common_point(a, b) {
        return ClosestPoints { a: common, b: common, distance: 0.0 };
    }
    Closest::of(a, b).unscaled(a, b)
}

fn common_point(a: &[Point], b: &[Point]) -> Option<Point> {
    match (a, b) {
        (&[p], &[q]) => (p == q).then_some(p),
        (&[p], &[q, r]) | (&[q, r], &[p]) => point_on_segment(p, &[q, r]).then_some(p),
        (&[p], &[q, r, s]) | (&[q, r, s], &[p]) => point_on_triangle(p, &[q, r, s]).then_some(p),
        (&[p, q], &[r, s]) => {
            // A segment is a triangle with two equal corners.
            let meet = segments_intersect(&[p, q], &[r, s]);
            meet.then(|| segment_triangle_point(&[p, q], &[r, s, s])).flatten()
        }
        (&[p, q], &[r, s, t]) | (&[r, s, t], &[p, q]) => {
            segment_triangle_point(&[p, q], &[r, s, t])
        }
        (&[p, q, r], &[s, t, u]) => triangle_pair_point(&[p, q, r], &[s, t, u]),
        _ => None,
    }
}

/// The best candidate so far, in the scaled frame.
pub(crate) struct Closest {
    pub(crate) frame: Frame,
    /// From the point on the first set to that on the second.
    pub(crate) apart: Point,
    /// Square of the length of `apart`·2⁵⁰⁰.
    square: f64,
    on_a: Place,
    on_b: Place,
}

/// A point of a set: corner `origin` + Σ weight·(corner − `origin`).
#[derive(Clone, Copy)]
struct Place {
    origin: usize,
    toward: [(usize, f64); 2],
}

impl Place {
    const fn corner(origin: usize) -> Self {
        Self::on_edge(origin, origin, 0.0)
    }

    const fn on_edge(origin: usize, end: usize, weight: f64) -> Self {
        Self { origin, toward: [(end, weight), (origin, 0.0)] }
    }

    fn point(&self, corners: &[Point]) -> Point {
        let origin = corners[self.origin];
        let [(i, s), (j, t)] = self.toward;
        [0, 1, 2].map(|k| {
            let step = |corner: usize, weight: f64| {
                // An infinite difference must not meet a zero weight.
                let half = 0.5 * corners[corner][k] - 0.5 * origin[k];
                2.0 * (weight * half)
            };
            origin[k] + step(i, s) + step(j, t)
        })
    }
}

impl Closest {
    /// The closest of all candidates, for sets that do not intersect.
    pub(crate) fn of(a: &[Point], b: &[Point]) -> Self {
        let frame = Frame::of(a, b);
        let (sides_a, sides_b) = (Polygon::of(a, &frame), Polygon::of(b, &frame));
        // From corner i of a to corner j of b.
        let mut between = [[[0.0; 3]; 3]; 3];
        for (row, &p) in between.iter_mut().zip(a) {
            for (vector, &q) in row.iter_mut().zip(b) {
                *vector = frame.vector(p, q);
            }
        }
        let (none, apart) = (Place::corner(0), between[0][0]);
        let mut closest = Self { frame, apart, square: square_of(apart), on_a: none, on_b: none };
        for i in 0..a.len() {
            let to_corner = between[i].map(|w| w.map(|x| -x));
            sides_b.feet(to_corner, |place, apart| {
                closest.offer(apart.map(|x| -x), Place::corner(i), place);
            });
        }
        for j in 0..b.len() {
            sides_a.feet([0, 1, 2].map(|i| between[i][j]), |place, apart| {
                closest.offer(apart, place, Place::corner(j));
            });
        }
        for i in 0..sides_a.edge_count() {
            for j in 0..sides_b.edge_count() {
                let (u, v) = (sides_a.edges[i], sides_b.edges[j]);
                if let Some((s, t, apart)) = closest_on_lines(u, v, between[i][j]) {
                    let on_a = Place::on_edge(i, sides_a.end(i), s);
                    closest.offer(apart, on_a, Place::on_edge(j, sides_b.end(j), t));
                }
            }
        }
        closest
    }

    fn offer(&mut self, apart: Point, on_a: Place, on_b: Place) {
        let square = square_of(apart);
        if square < self.square {
            (self.apart, self.square, self.on_a, self.on_b) = (apart, square, on_a, on_b);
        }
    }

    /// The distance in the scaled frame, in which all coordinates differ by less than 4.
    pub(crate) fn scaled_distance(&self) -> f64 {
        length(self.apart)
    }

    fn unscaled(&self, a: &[Point], b: &[Point]) -> ClosestPoints {
        ClosestPoints {
            a: self.on_a.point(a),
            b: self.on_b.point(b),
            // The sets do not intersect, whatever rounding makes of their distance.
            distance: self.frame.unscale(self.scaled_distance()).max(f64::from_bits(1)),
        }
    }
}

/// A point, segment or triangle in the scaled frame.
struct Polygon {
    corners: usize,
    /// Edge i leads from corner i to the next.
    edges: [Point; 3],
    inverse_squares: [f64; 3],
    /// edges 0 × 1, zero unless it is a triangle.
    normal: Point,
    inverse_area: f64,
    rounds: usize,
}

impl Polygon {
    fn of(corners: &[Point], frame: &Frame) -> Self {
        let count = corners.len();
        let mut edges = [[0.0; 3]; 3];
        for (i, edge) in edges.iter_mut().enumerate().take(if count == 3 { 3 } else { count - 1 }) {
            *edge = frame.vector(corners[i], corners[(i + 1) % count]);
        }
        let normal = if count == 3 { cross(edges[0], edges[1]) } else { [0.0; 3] };
        let squares = edges.map(|edge| dot(edge, edge));
        let area = dot(normal, normal);
        Self {
            corners: count,
            edges,
            inverse_squares: squares.map(inverse),
            normal,
            inverse_area: inverse(area),
            rounds: rounds(area, squares[0] * squares[1]),
        }
    }

    fn edge_count(&self) -> usize {
        if self.corners == 3 { 3 } else { self.corners - 1 }
    }

    fn end(&self, edge: usize) -> usize {
        if edge + 1 == self.corners { 0 } else { edge + 1 }
    }

    /// Projects a point on the edges and the face, given the vectors `to` it from the corners. Calls
    /// `offer` with each foot and the vector from there to the point.
    fn feet(&self, to: [Point; 3], mut offer: impl FnMut(Place, Point)) {
        if self.corners == 1 {
            offer(Place::corner(0), to[0]);
        }
        for i in 0..self.edge_count() {
            let (edge, end) = (self.edges[i], self.end(i));
            let t = (dot(to[i], edge) * self.inverse_squares[i]).clamp(0.0, 1.0);
            // Measured from the nearer end, so that a foot at either end is not rounded.
            if t <= 0.5 {
                offer(Place::on_edge(i, end, t), plus_scaled(to[i], -t, edge));
            } else {
                offer(Place::on_edge(end, i, 1.0 - t), plus_scaled(to[end], 1.0 - t, edge));
            }
        }
        if self.inverse_area > 0.0 {
            // From corner 1, between its edges to corners 0 and 2.
            let (u, v, w) = (self.edges[0].map(|x| -x), self.edges[1], to[1]);
            let normal = self.normal.map(|x| -x);
            let (mut s, mut t, mut apart) = (0.0, 0.0, w);
            for _ in 0..self.rounds {
                s += dot(cross(apart, v), normal) * self.inverse_area;
                t += dot(cross(u, apart), normal) * self.inverse_area;
                apart = plus_scaled(plus_scaled(w, -s, u), -t, v);
            }
            if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
                offer(Place { origin: 1, toward: [(0, s), (2, t)] }, apart);
            }
        }
    }
}

/// The parameters of the closest points of two lines and the vector between them, if both points are
/// inside the edges `u` and `v`; `w` leads from the start of `u` to that of `v`.
///
/// The parameters come from the cross product of the directions: the difference uu·vv − (uv)² loses
/// twice as many digits where edges are nearly parallel.
fn closest_on_lines(u: Point, v: Point, w: Point) -> Option<(f64, f64, Point)> {
    let n = cross(u, v);
    let square = dot(n, n);
    let inverse = inverse(square);
    if inverse == 0.0 {
        return None;
    }
    let (mut s, mut t, mut apart) = (0.0, 0.0, w);
    for _ in 0..rounds(square, dot(u, u) * dot(v, v)) {
        s += dot(cross(apart, v), n) * inverse;
        t += dot(cross(apart, u), n) * inverse;
        apart = plus_scaled(plus_scaled(w, t, v), -s, u);
    }
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    inside.then_some((s, t, apart))
}

/// 1/x, or 0 if x is too small relative to the frame to be inverted.
fn inverse(x: f64) -> f64 {
    if x > 1e-290 { 1.0 / x } else { 0.0 }
}

/// How many times to solve for the two parameters: twice, to correct the residual, where the
/// directions enclose less than about half a degree.
fn rounds(sine_squared: f64, one: f64) -> usize {
    if sine_squared > 1e-4 * one { 1 } else { 2 }
}

/// Scales differences of points by a power of two such that the largest is between 1 and 4. Products
/// then never overflow, and underflow only where it does not matter.
pub(crate) struct Frame {
    /// Factor before the subtraction: ¼ if the difference might overflow.
    before: f64,
    /// Factors after the subtraction; two, because 2¹⁰⁷⁴ is no f64.
    after: [f64; 2],
}

impl Frame {
    fn of(a: &[Point], b: &[Point]) -> Self {
        let longest = |p: Point| p[0].abs().max(p[1].abs()).max(p[2].abs());
        let greatest = |size: &dyn Fn(Point) -> f64| {
            a.iter().chain(b).fold(0.0, |greatest: f64, &p| greatest.max(size(p)))
        };
        let before = if greatest(&longest) > power_of_two(1020) { 0.25 } else { 1.0 };
        let mut frame = Self { before, after: [1.0; 2] };
        let extent = greatest(&|p| longest(frame.vector(a[0], p)));
        if extent > 0.0 && extent.is_finite() {
            let exponent = -binary_exponent(extent);
            let half = exponent / 2;
            frame.after = [power_of_two(half), power_of_two(exponent - half)];
        }
        frame
    }

    /// The scaled vector from `p` to `q`.
    pub(crate) fn vector(&self, p: Point, q: Point) -> Point {
        let [first, second] = self.after;
        minus(q.map(|x| x * self.before), p.map(|x| x * self.before)).map(|x| x * first * second)
    }

    /// A length in the scaled frame; infinite if it is far greater than the extent.
    pub(crate) fn scale(&self, length: f64) -> f64 {
        length * self.before * self.after[0] * self.after[1]
    }

    fn unscale(&self, length: f64) -> f64 {
        length / self.after[1] / self.after[0] / self.before
    }
}

/// ⌊log₂ x⌋ of a positive finite number, subnormal ones included.
fn binary_exponent(x: f64) -> i32 {
    let bits = x.to_bits();
    let biased = (bits >> 52) as i32;
    if biased > 0 { biased - 1023 } else { -1011 - bits.leading_zeros() as i32 }
}

/// The square of |v|·2⁵⁰⁰, so that distances down to 2⁻¹⁰⁰⁰ of the extent have a non-zero square.
fn square_of(v: Point) -> f64 {
    let v = v.map(|x| x * power_of_two(500));
    dot(v, v)
}

pub(crate) fn length(v: Point) -> f64 {
    let greatest = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if greatest == 0.0 {
        return 0.0;
    }
    let lift = power_of_two((-binary_exponent(greatest)).clamp(-1000, 1000));
    let v = v.map(|x| x * lift);
    dot(v, v).sqrt() / lift
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn plus_scaled(v: Point, t: f64, u: Point) -> Point {
    [v[0] + t * u[0], v[1] + t * u[1], v[2] + t * u[2]]
}
