//! Ray casting, exactly: whether and where a ray meets a triangle, and which of two triangles first.
//!
//! With the origin o of the ray at zero, let d be its direction and A, B, C the corners. The determinants
//!
//! > u = [d, B, C], v = [d, C, A], w = [d, A, B]
//!
//! are the sides on which the line passes the edges: it meets the triangle's inside or border iff none is
//! negative or none is positive, and one is not zero. Their sum is d·n, with the normal n = (B − A) × (C − A), and they are the
//! barycentric coordinates of the point times that. The point is o + t d with t = [A, B, C] / (d·n).
//!
//! If all three are zero, ray and triangle are in one plane, or the triangle has no area: then the ray enters it at its own
//! origin or where it meets an edge.

use std::cmp::Ordering;

use crate::exact::{self, Dyadic, Vector};
use crate::orientation::minus;
use crate::triangle::point_on_triangle;
use crate::{Point, Sign};

/// Bound on the error of the determinant of three vectors in f64, relative to 24 products of their largest coordinates. With
/// u = 2⁻⁵³, each of its six products is off by 3u as its factors may be rounded differences, and by u for its first
/// multiplication; differences of two of them are off by 6u together, products of these by 6u, and their sums by 10u: 46u.
const DETERMINANT: f64 = 2.25e-16;
/// The guard against underflow.
const UNDERFLOW: f64 = 1e-290;

/// A ray, exactly: an origin and a direction, or an origin and the difference of two points.
///
/// ```
/// use xcollide_predicates::Ray;
///
/// let ray = Ray::new([1.0, 0.0, 0.0], [0.0, 0.0, 2.0]);
/// assert_eq!(ray.at(1.5), [1.0, 0.0, 3.0]);
/// assert_eq!(Ray::through([0.1; 3], [0.3; 3]).origin(), [0.1; 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray {
    origin: Point,
    /// The direction is the exact difference of these.
    direction: [Point; 2],
}

impl Ray {
    /// The points `origin + s · direction` for s ≥ 0.
    #[must_use]
    pub const fn new(origin: Point, direction: [f64; 3]) -> Self {
        Self { origin, direction: [[0.0; 3], direction] }
    }

    /// The ray from one point through another, which it reaches at parameter 1.
    #[must_use]
    pub const fn through(from: Point, to: Point) -> Self {
        Self { origin: from, direction: [from, to] }
    }

    /// Where it begins.
    #[must_use]
    pub const fn origin(&self) -> Point {
        self.origin
    }

    /// The direction, rounded.
    #[must_use]
    pub fn direction(&self) -> [f64; 3] {
        minus(self.direction[1], self.direction[0])
    }

    /// The point at a parameter, rounded.
    #[must_use]
    pub fn at(&self, parameter: f64) -> Point {
        let d = self.direction();
        [0, 1, 2].map(|k| self.origin[k] + parameter * d[k])
    }

    fn exact_direction(&self) -> Vector {
        exact::difference(self.direction[0], self.direction[1])
    }

    /// Two points, whose exact difference is the direction.
    pub(crate) const fn exact_ends(&self) -> [Point; 2] {
        self.direction
    }
}

/// Where a ray first meets a triangle; see [`ray_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayContact {
    /// The point is [`Ray::at`] this. Rounded.
    pub parameter: f64,
    /// A bound on the error of the parameter.
    pub error: f64,
    /// The barycentric coordinates of the point, rounded: they are not negative, and their sum is 1 up to rounding.
    pub barycentric: [f64; 3],
}

/// Where a ray first meets a closed triangle, or `None` exactly if it meets none of
/// its points. Touching a corner or an edge is meeting. The triangle may be a segment or a point. Exact for all finite
/// coordinates and directions; `None` if the direction is zero.
///
/// Takes some ten nanoseconds where f64 decides.
///
/// ```
/// use xcollide_predicates::{Ray, ray_triangle};
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let down = |x, y, z| Ray::new([x, y, z], [0.0, 0.0, -2.0]);
/// let contact = ray_triangle(&down(0.25, 0.25, 5.0), &triangle).unwrap();
/// assert_eq!((contact.parameter, contact.barycentric), (2.5, [0.5, 0.25, 0.25]));
/// assert!(ray_triangle(&down(0.5, 0.5, 1.0), &triangle).is_some(), "through an edge");
/// assert!(ray_triangle(&down(0.5, 0.5f64.next_up(), 1.0), &triangle).is_none());
/// ```
#[inline(always)]
#[must_use]
pub fn ray_triangle(ray: &Ray, triangle: &[Point; 3]) -> Option<RayContact> {
    let direction = ray.direction();
    let [p, q, r] = *triangle;
    // From the edges, as they are short where the origin is far away.
    let (a, edges) = (minus(p, ray.origin), [minus(q, p), minus(r, p)]);
    let (normal, moment) = (cross(edges[0], edges[1]), cross(a, direction));
    let (sum, height) = (dot(direction, normal), dot(a, normal));
    let (v, w) = (dot(edges[1], moment), -dot(edges[0], moment));
    let u = sum - v - w;
    let (size_d, size_a) = (largest(direction), largest(a));
    let [size_p, size_q] = edges.map(largest);
    let of_sum = bound(size_d, size_p, size_q);
    let of_height = bound(size_a, size_p, size_q);
    let (of_v, of_w) = (bound(size_q, size_a, size_d), bound(size_p, size_a, size_d));
    // Two roundings more.
    let of_u = 1.3 * (of_sum + of_v + of_w);
    let sign = if sum < 0.0 { -1.0 } else { 1.0 };
    if sum.abs() > of_sum {
        let least = [sign * u + of_u, sign * v + of_v, sign * w + of_w, sign * height + of_height];
        if least.iter().any(|least| *least < 0.0) {
            return None; // beside it, or behind the origin
        }
        let is_inside =
            sign * u > of_u && sign * v > of_v && sign * w > of_w && sign * height > of_height;
        let parameter = height / sum;
        let error = (of_height + parameter * of_sum) / (sum.abs() - of_sum);
        if is_inside && error < 1e-9 * parameter {
            let error = 1.01 * error + 4.0 * f64::EPSILON * parameter + UNDERFLOW;
            // Far away, these lose digits.
            if of_u + of_v + of_w < 1e-11 * sum.abs() {
                let barycentric = [u / sum, v / sum, w / sum];
                return Some(RayContact { parameter, error, barycentric });
            }
            if let Some(barycentric) = weights(triangle, edges, ray.at(parameter)) {
                return Some(RayContact { parameter, error, barycentric });
            }
        }
    } else if (v > of_v && w < -of_w) || (v < -of_v && w > of_w) {
        return None;
    }
    exactly(ray, triangle).map(|exact| exact.rounded())
}

/// The barycentric coordinates of a point in a triangle, rounded, given the edges at its first corner; `None` for
/// triangles so small that products of four lengths underflow.
#[inline(never)]
fn weights(
    triangle: &[Point; 3],
    [along, across]: [[f64; 3]; 2],
    point: Point,
) -> Option<[f64; 3]> {
    let normal = cross(along, across);
    let [a, b, c] = triangle.map(|corner| minus(corner, point));
    let part = |p: [f64; 3], q: [f64; 3]| dot(normal, cross(p, q)).max(0.0);
    let [u, v, w] = [part(b, c), part(c, a), part(a, b)];
    let sum = u + v + w;
    (sum > 1e-280).then(|| [u / sum, v / sum, w / sum])
}

#[inline]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Of two triangles that a ray meets, whether it meets the first one earlier, later or at the same time. Exact where
/// both contacts are those of [`ray_triangle`].
#[must_use]
pub fn ray_order(
    ray: &Ray,
    first: (&[Point; 3], &RayContact),
    second: (&[Point; 3], &RayContact),
) -> Ordering {
    let apart = first.1.parameter - second.1.parameter;
    if apart.abs() > (first.1.error + second.1.error) * (1.0 + 4.0 * f64::EPSILON) {
        return apart.total_cmp(&0.0);
    }
    let [one, other] = [first.0, second.0].map(|triangle| exactly(ray, triangle));
    match (one, other) {
        (Some(one), Some(other)) => order(&(&one.height * &other.sum), &(&other.height * &one.sum)),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// Whether a ray meets a triangle, at the contact of [`ray_triangle`], not after a parameter. Exact.
#[inline]
#[must_use]
pub fn ray_reaches(ray: &Ray, triangle: &[Point; 3], contact: &RayContact, reach: f64) -> bool {
    let apart = reach - contact.parameter;
    if reach == f64::INFINITY || apart.abs() > contact.error * (1.0 + 4.0 * f64::EPSILON) {
        return apart > 0.0;
    }
    exactly(ray, triangle)
        .is_some_and(|exact| order(&exact.height, &(&Dyadic::of(reach) * &exact.sum)).is_le())
}

fn order(one: &Dyadic, other: &Dyadic) -> Ordering {
    one.partial_cmp(other).unwrap_or(Ordering::Equal)
}

/// A bound on the error of x·(y × z) in f64, from the largest coordinates of the vectors, each of which may be a rounded
/// difference. If something overflows on the way to a sum of three determinants, it is infinite.
#[inline(always)]
fn bound(x: f64, y: f64, z: f64) -> f64 {
    DETERMINANT * (24.0 * x * (y * z + UNDERFLOW)) + UNDERFLOW
}

#[inline(always)]
fn largest([x, y, z]: [f64; 3]) -> f64 {
    let greater = |x: f64, y: f64| if x > y { x } else { y };
    greater(greater(x.abs(), y.abs()), z.abs())
}

/// A contact in fractions: the parameter is `height / sum`, with a positive sum, at `weights / total` of the corners.
struct ExactContact {
    height: Dyadic,
    sum: Dyadic,
    weights: [Dyadic; 3],
    total: Dyadic,
}

impl ExactContact {
    fn rounded(&self) -> RayContact {
        let parameter = self.height.ratio(&self.sum);
        let error = parameter.abs() * f64::EPSILON + f64::from_bits(1);
        let barycentric = self.weights.each_ref().map(|weight| weight.ratio(&self.total));
        RayContact { parameter, error, barycentric }
    }
}

#[cold]
fn exactly(ray: &Ray, triangle: &[Point; 3]) -> Option<ExactContact> {
    let (origin, d) = (ray.origin, ray.exact_direction());
    let [a, b, c] = triangle.map(|corner| exact::difference(origin, corner));
    let sides = [(&b, &c), (&c, &a), (&a, &b)].map(|(p, q)| exact::dot(&d, &exact::cross(p, q)));
    let signs = sides.each_ref().map(Dyadic::sign);
    if signs == [Sign::Zero; 3] {
        return in_plane(origin, &d, triangle, [&a, &b, &c]);
    }
    if signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative) {
        return None;
    }
    let height = exact::dot(&a, &exact::cross(&b, &c));
    let sum = &(&sides[0] + &sides[1]) + &sides[2];
    let is_negative = sum.sign().is_negative();
    let turned = |x: Dyadic| if is_negative { -&x } else { x };
    let (height, weights, sum) = (turned(height), sides.map(turned), turned(sum));
    (!height.sign().is_negative()).then(|| ExactContact {
        height,
        weights,
        total: sum.clone(),
        sum,
    })
}

/// The contact of a ray with a triangle in one plane with it, or without area. The corners are relative to the origin.
fn in_plane(
    origin: Point,
    d: &Vector,
    triangle: &[Point; 3],
    corners: [&Vector; 3],
) -> Option<ExactContact> {
    let (zero, one) = (|| Dyadic::of(0.0), || Dyadic::of(1.0));
    let square = exact::dot(d, d);
    if square.sign().is_zero() {
        return None;
    }
    if point_on_triangle(origin, triangle) {
        let weights = weights_in_plane(corners);
        let total = &(&weights[0] + &weights[1]) + &weights[2];
        return Some(ExactContact { height: zero(), sum: one(), weights, total });
    }
    let mut best: Option<ExactContact> = None;
    let mut add = |height: Dyadic, sum: Dyadic, at: [(usize, Dyadic); 2], total: Dyadic| {
        let is_better = best
            .as_ref()
            .is_none_or(|best| order(&(&height * &best.sum), &(&best.height * &sum)).is_lt());
        if is_better && !height.sign().is_negative() {
            let mut weights = [zero(), zero(), zero()];
            at.into_iter().for_each(|(corner, weight)| weights[corner] = weight);
            best = Some(ExactContact { height, sum, weights, total });
        }
    };
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let (p, q) = (corners[i], corners[j]);
        let along = [0, 1, 2].map(|k| &q[k] - &p[k]);
        let normal = exact::cross(d, &along);
        let size = exact::dot(&normal, &normal);
        if size.sign().is_positive() {
            // p + s along = t d
            let t = exact::dot(&exact::cross(p, &along), &normal);
            let s = exact::dot(&exact::cross(p, d), &normal);
            let is_on = exact::dot(p, &normal).sign().is_zero();
            if is_on && !s.sign().is_negative() && s <= size {
                add(t, size.clone(), [(i, &size - &s), (j, s)], size);
            }
        } else {
            // An end on the line of the ray; the other edges have the same.
            for (corner, end) in [(i, p), (j, q)] {
                if exact::cross(d, end).iter().all(|x| x.sign().is_zero()) {
                    let other = if corner == i { j } else { i };
                    add(
                        exact::dot(d, end),
                        square.clone(),
                        [(other, zero()), (corner, one())],
                        one(),
                    );
                }
            }
        }
    }
    best
}

/// Weights of the corners of a triangle whose sum of weighted corners is zero; not all weights are zero, none is negative.
fn weights_in_plane(corners: [&Vector; 3]) -> [Dyadic; 3] {
    let sub = |a: &Vector, b: &Vector| -> Vector { [0, 1, 2].map(|k| &a[k] - &b[k]) };
    let [a, b, c] = corners;
    let normal = exact::cross(&sub(b, a), &sub(c, a));
    if normal.iter().any(|x| !x.sign().is_zero()) {
        return [(b, c), (c, a), (a, b)].map(|(p, q)| exact::dot(&normal, &exact::cross(p, q)));
    }
    let mut weights = [Dyadic::of(0.0), Dyadic::of(0.0), Dyadic::of(0.0)];
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        // Between two corners: −p·q is not negative.
        let (p, q) = (corners[i], corners[j]);
        if !exact::dot(p, q).sign().is_positive() {
            let along = sub(q, p);
            let square = exact::dot(&along, &along);
            if square.sign().is_zero() {
                weights[i] = Dyadic::of(1.0);
            } else {
                weights[i] = exact::dot(q, &along);
                weights[j] = -&exact::dot(p, &along);
            }
            break;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    /// Least t ≥ 0 with o + t d in the triangle, in integer fractions: by the plane, else by the edges.
    fn plain(o: [i64; 3], d: [i64; 3], t: [[i64; 3]; 3]) -> Option<(i64, i64)> {
        let sub = |a: [i64; 3], b: [i64; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
        let dot = |a: [i64; 3], b: [i64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<i64>();
        let cross = |a: [i64; 3], b: [i64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let normal = cross(sub(t[1], t[0]), sub(t[2], t[0]));
        let slope = dot(normal, d);
        if slope != 0 {
            let height = dot(normal, sub(t[0], o));
            let (height, slope) = if slope < 0 { (-height, -slope) } else { (height, slope) };
            // The point times the slope.
            let p = [0, 1, 2].map(|k| o[k] * slope + height * d[k]);
            let inside = (0..3).all(|i| {
                let (from, to) = (t[i], t[(i + 1) % 3]);
                let w = sub(p, from.map(|x| x * slope));
                dot(cross(sub(to, from), w), normal) >= 0
            });
            return (inside && height >= 0).then_some((height, slope));
        }
        // Every point of the plane, or of the line, at which something may change.
        let mut best: Option<(i64, i64)> = None;
        let mut consider = |num: i64, den: i64| {
            let (num, den) = if den < 0 { (-num, -den) } else { (num, den) };
            if num < 0 || best.is_some_and(|(n, m)| num * m >= n * den) {
                return;
            }
            // Whether the point is in the triangle, its corners times the denominator.
            let p = [0, 1, 2].map(|k| o[k] * den + num * d[k]);
            let points: Vec<Point> =
                t.iter().map(|corner| corner.map(|x| (x * den) as f64)).collect();
            if point_on_triangle(p.map(|x| x as f64), &[points[0], points[1], points[2]]) {
                best = Some((num, den));
            }
        };
        consider(0, 1);
        for i in 0..3 {
            let (p, q) = (t[i], t[(i + 1) % 3]);
            let along = sub(q, p);
            let across = cross(d, along);
            for k in 0..3 {
                if across[k] != 0 {
                    consider(cross(sub(p, o), along)[k], across[k]);
                }
            }
            consider(dot(sub(p, o), d), dot(d, d));
        }
        best
    }

    #[test]
    fn small_integers_agree_with_fractions() {
        let mut random = Random::new(11);
        let (mut hits, mut flat) = (0, 0);
        for round in 0..60_000 {
            let reach = [1, 2, 4][round % 3];
            let mut point = || [(); 3].map(|()| random.integer(-reach, reach));
            let (o, d, t) = (point(), point(), [(); 3].map(|()| point()));
            if d == [0; 3] {
                continue;
            }
            let float = |p: [i64; 3]| p.map(|x| x as f64);
            let triangle = t.map(float);
            let to = [0, 1, 2].map(|k| o[k] + d[k]);
            let ray = [Ray::new(float(o), float(d)), Ray::through(float(o), float(to))][round % 2];
            let found = ray_triangle(&ray, &triangle);
            let expected = plain(o, d, t);
            assert_eq!(found.is_some(), expected.is_some(), "{o:?} {d:?} {t:?}");
            if let (Some(found), Some((num, den))) = (found, expected) {
                hits += 1;
                let exact = num as f64 / den as f64;
                let slack = found.error + exact * f64::EPSILON;
                assert!((found.parameter - exact).abs() <= slack, "{o:?} {d:?} {t:?} {found:?}");
                let at = [0, 1, 2]
                    .map(|k| (0..3).map(|i| found.barycentric[i] * triangle[i][k]).sum::<f64>());
                for k in 0..3 {
                    let there = o[k] as f64 + exact * d[k] as f64;
                    assert!((at[k] - there).abs() < 1e-12, "{o:?} {d:?} {t:?} {found:?}");
                }
                assert!(found.barycentric.iter().all(|&weight| weight >= 0.0));
                for reach in [exact, exact.next_down(), exact.next_up()] {
                    // Integers up to 2⁵³ convert exactly, so f64 compares the fractions where they are f64.
                    let is_exact = exact * den as f64 == num as f64 && den.count_ones() == 1;
                    if is_exact {
                        let reaches = ray_reaches(&ray, &triangle, &found, reach);
                        assert_eq!(reaches, reach >= exact, "{o:?} {d:?} {t:?}");
                    }
                }
                let other = [(); 3].map(|()| [(); 3].map(|()| random.integer(-reach, reach)));
                let second = other.map(float);
                let at_second = ray_triangle(&ray, &second);
                if let (Some(at_second), Some((n, m))) = (at_second, plain(o, d, other)) {
                    let order = ray_order(&ray, (&triangle, &found), (&second, &at_second));
                    assert_eq!(order, (num * m).cmp(&(n * den)), "{o:?} {d:?} {t:?} {other:?}");
                }
            } else if plain(o, d, t).is_none() {
                flat += 1;
            }
        }
        assert!(hits > 6000 && flat > 6000, "{hits} {flat}");
    }
}
