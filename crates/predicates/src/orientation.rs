//! Signs of determinants and dot products of points, each in three stages.
//!
//! 1. A floating-point filter: the value and a bound on its error, proven below. It nearly always
//!    decides, in a few nanoseconds.
//! 2. Expansions (Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust
//!    Geometric Predicates*, 1997; the crate `robust`), if the exponents are close enough that no part
//!    of an expansion can underflow or overflow.
//! 3. Big integers ([`exact`](crate::exact)).
//!
//! # The filters
//!
//! Write ε = 2⁻⁵³ and η = 2⁻¹⁰⁷⁵. Unless it overflows, a rounded operation gives
//! (x ∘ y)(1 + δ) + θ with |δ| ≤ ε and |θ| ≤ η. Sums and differences have θ = 0, since they
//! cannot underflow inexactly. Take [`orient3d`], the largest of the filters: with
//! u = b − a, v = c − a, w = d − a it computes
//!
//! > det = w₀(u₁v₂ − u₂v₁) + w₁(u₂v₀ − u₀v₂) + w₂(u₀v₁ − u₁v₀).
//!
//! *Rounding.* Each of the six products of three factors passes at most eight roundings: three
//! differences, the product of two, the difference of products, the product with w, two sums. Its
//! relative error is at most (1 + ε)⁸ − 1 < 8.001ε, so that of det is at most 8.001ε times the sum P
//! of the absolute products. P is computed too, as Σ|wᵢ|(|m| + |m′|), with at most eight roundings a
//! term, so the true P is at most 1.001 times the computed one. Hence 8.02ε·P bounds the error, and
//! [`ORIENT3D`] = 1e−15 > 9ε leaves room for the rounding of the bound itself.
//!
//! *Underflow.* A product of two may in addition be off by η, and two of them are multiplied by
//! each |wᵢ|: 2.001η|wᵢ| in all. The products with wᵢ add at most 3.001η. We add
//! ρ = 2⁻¹⁰²² to every |m| + |m′|. Then the bound contains 1e−15·ρ·|wᵢ| > 2⁻⁵⁰·2⁻¹⁰²²|wᵢ| = 8η|wᵢ|,
//! more than the first kind. Adding ρ = 2⁵³η once more to the whole covers the second kind and
//! the underflow in the products of the bound itself, at most 5η. If everything underflows, det
//! is 0, the bound is ρ, and stage 2 follows.
//!
//! *Overflow.* If P is finite, so is det, because rounding is monotone and thus every partial
//! result of det is at most the same partial result of P. If P is infinite or NaN (any
//! infinite difference or product makes it so: the factor |m| + |m′| + ρ is never zero), the
//! comparison with the bound is false and the next stage decides.
//!
//! The same three steps prove the other filters, with fewer roundings: [`ORIENT2D`] 4ε
//! (two differences, product, difference), [`DOT`] 5ε (two differences, product, two sums),
//! [`PLANE`] 4ε (product, three sums).
//!
//! # When expansions are exact
//!
//! Scale all coordinates by a power of two such that the largest has exponent 0. If the
//! smallest non-zero one has exponent ≥ −250, all are multiples of g = 2⁻³⁰². Every number that
//! appears in the expansions of `orient3d` is a sum of products of up to three such, hence a
//! multiple of g³ = 2⁻⁹⁰⁶, and below 2⁹: sums, products, their split halves and their tails
//! are all exact as Shewchuk requires. His error bounds are at least about 2⁻¹⁰³g³ ≥ 2⁻¹⁰⁰⁹
//! unless they are exactly zero, so they do not underflow either.

use crate::exact::{self, Dyadic, power_of_two};
use crate::{Point, Point2, Sign};

/// Relative error bound of the filter of [`TrianglePlane::side`] and [`orient3d`]: above 9ε.
const ORIENT3D: f64 = 1e-15;
/// Relative error bound of the filter of [`orient2d`]: above 4.5ε.
const ORIENT2D: f64 = 5e-16;
/// Relative error bound of the filter of [`dot_sign`]: above 5.8ε.
const DOT: f64 = 6.5e-16;
/// Relative error bound of the filter of [`plane_side`]: above 4.5ε.
const PLANE: f64 = 5e-16;
/// ρ, the guard against underflow.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;
/// How many binary orders of magnitude the coordinates may span for stage 2.
const SPAN: i32 = 250;

/// On which side of the line through `a` and `b` the point `c` lies: positive if a, b, c turn
/// counter-clockwise, zero if the three are collinear. Exact for all finite coordinates.
///
/// ```
/// use xcollide_predicates::{Sign, orient2d};
///
/// assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Sign::Positive);
/// assert_eq!(orient2d([0.0, 0.0], [1e-300, 1e-300], [1e150, 1e150]), Sign::Zero);
/// ```
#[inline(always)]
#[must_use]
pub fn orient2d(a: Point2, b: Point2, c: Point2) -> Sign {
    match certain_turn(a, b, c) {
        Some(sign) => sign,
        None => orient2d_slow(a, b, c),
    }
}

/// [`orient2d`], unless it takes exact arithmetic.
#[inline(always)]
pub(crate) fn certain_turn(a: Point2, b: Point2, c: Point2) -> Option<Sign> {
    let left = (b[0] - a[0]) * (c[1] - a[1]);
    let right = (b[1] - a[1]) * (c[0] - a[0]);
    filtered(left - right, ORIENT2D * (left.abs() + right.abs()) + UNDERFLOW)
}

/// [`orient2d`] of a point of which rounded coordinates and bounds on their errors are known; `None` if these do not
/// decide it.
///
/// Moving `c` by the errors changes the determinant by no more than the sum of their products with the edge, which is
/// computed with at most four roundings.
pub(crate) fn orient2d_near(a: Point2, b: Point2, c: Point2, error: Point2) -> Option<Sign> {
    let (u, v) = (b[0] - a[0], b[1] - a[1]);
    let (left, right) = (u * (c[1] - a[1]), v * (c[0] - a[0]));
    let of_point = u.abs() * error[1] + v.abs() * error[0];
    let bound = ORIENT2D * (left.abs() + right.abs()) + 1.01 * of_point + 2.0 * UNDERFLOW;
    filtered(left - right, bound)
}

/// On which side of the plane through `a`, `b` and `c` the point `d` lies: the sign of
/// ((b − a) × (c − a)) · (d − a). Positive if a, b, c turn counter-clockwise as seen from d; zero if
/// the four are coplanar, in particular if a, b and c are collinear. Exact for all finite coordinates.
///
/// Use [`TrianglePlane`] to compare several points with one plane.
///
/// ```
/// use xcollide_predicates::{Sign, orient3d};
///
/// let (a, b, c) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// assert_eq!(orient3d(a, b, c, [0.0, 0.0, 1.0]), Sign::Positive);
/// assert_eq!(orient3d(a, b, c, [0.0, 0.0, -5e-324]), Sign::Negative);
/// ```
#[inline(always)]
#[must_use]
pub fn orient3d(a: Point, b: Point, c: Point, d: Point) -> Sign {
    volume_sign(&a, &b, &c, &d)
}

/// The sign of (b − a) · (d − c): positive if the two directions enclose an acute angle. Exact for all
/// finite coordinates.
///
/// ```
/// use xcollide_predicates::{Sign, dot_sign};
///
/// let o = [0.0; 3];
/// assert_eq!(dot_sign(o, [1.0, 0.0, 0.0], o, [0.0, 1.0, 0.0]), Sign::Zero);
/// assert_eq!(dot_sign(o, [1e-300, 1.0, 0.0], o, [1.0, 0.0, 0.0]), Sign::Positive);
/// ```
#[inline]
#[must_use]
pub fn dot_sign(a: Point, b: Point, c: Point, d: Point) -> Sign {
    let products = [0, 1, 2].map(|k| (b[k] - a[k]) * (d[k] - c[k]));
    let [x, y, z] = products.map(f64::abs);
    let value = products[0] + products[1] + products[2];
    match filtered(value, DOT * (x + y + z) + UNDERFLOW) {
        Some(sign) => sign,
        None => dot_slow(a, b, c, d),
    }
}

/// The sign of normal · p − offset: positive if `p` lies beyond the plane in the direction of its
/// normal, which need not have unit length. Exact for all finite numbers.
///
/// ```
/// use xcollide_predicates::{Sign, plane_side};
///
/// assert_eq!(plane_side([0.0, 0.0, 2.0], 3.0, [7.0, 8.0, 1.5]), Sign::Zero);
/// // The rounded sum of the products is 0.
/// assert_eq!(plane_side([1e200, 1.0, -1e200], 0.0, [1.0; 3]), Sign::Positive);
/// ```
#[inline]
#[must_use]
pub fn plane_side(normal: [f64; 3], offset: f64, p: Point) -> Sign {
    let products = [0, 1, 2].map(|k| normal[k] * p[k]);
    let [x, y, z] = products.map(f64::abs);
    let value = products[0] + products[1] + products[2] - offset;
    let bound = PLANE * (x + y + z + offset.abs()) + UNDERFLOW;
    match filtered(value, bound) {
        Some(sign) => sign,
        None => plane_side_slow(normal, offset, p),
    }
}

/// The plane through three points, prepared for comparison with many points.
///
/// Its sides equal those of [`orient3d`], at half the cost from the second point on.
///
/// ```
/// use xcollide_predicates::{Sign, TrianglePlane};
///
/// let floor = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let plane = TrianglePlane::new(&floor);
/// assert_eq!(plane.side([5.0, 5.0, 1.0]), Sign::Positive);
/// assert_eq!(plane.side([5.0, 5.0, 0.0]), Sign::Zero);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TrianglePlane<'a> {
    triangle: &'a [Point; 3],
    normal: Normal,
}

impl<'a> TrianglePlane<'a> {
    /// The plane through the corners of a triangle. If they are collinear, every point is on it.
    #[inline(always)]
    #[must_use]
    pub fn new(triangle: &'a [Point; 3]) -> Self {
        let [a, b, c] = triangle;
        Self { triangle, normal: normal(a, b, c) }
    }

    /// On which side of the plane `p` lies: `orient3d(a, b, c, p)`, exactly.
    #[inline(always)]
    #[must_use]
    pub fn side(&self, p: Point) -> Sign {
        self.side_of(&p)
    }

    /// [`side`](Self::side) by reference: copying the point costs more than the arithmetic.
    #[inline(always)]
    pub(crate) fn side_of(&self, p: &Point) -> Sign {
        let [a, b, c] = self.triangle;
        let (value, bound) = height(a, self.normal, p);
        match filtered(value, bound) {
            Some(sign) => sign,
            None => undecided(a, b, c, p),
        }
    }

    /// The sides of three points, unless one of them takes exact arithmetic.
    #[inline(always)]
    pub(crate) fn certain_sides(&self, points: &[Point; 3]) -> Option<[Sign; 3]> {
        let of = |p: &Point| height(&self.triangle[0], self.normal, p);
        let [p, q, r] = points;
        let ((p, p_bound), (q, q_bound), (r, r_bound)) = (of(p), of(q), of(r));
        Some([filtered(p, p_bound)?, filtered(q, q_bound)?, filtered(r, r_bound)?])
    }

    /// The side of a point of which rounded coordinates and bounds on their errors are known; `None` if these do not
    /// decide it.
    pub(crate) fn side_near(&self, p: &Point, error: &Point) -> Option<Sign> {
        let (value, bound) = self.height(p);
        let m = self.normal.magnitude;
        let of_point = error[0] * m[0] + error[1] * m[1] + error[2] * m[2];
        filtered(value, bound + 1.01 * of_point + UNDERFLOW)
    }

    /// (b − a) × (c − a), rounded; not for exact decisions.
    pub(crate) fn normal(&self) -> [f64; 3] {
        self.normal.vector
    }

    /// The determinant whose sign is the side, rounded, and a bound on its error. The value is valid
    /// only if the bound is finite.
    #[inline(always)]
    pub(crate) fn height(&self, p: &Point) -> (f64, f64) {
        height(&self.triangle[0], self.normal, p)
    }
}

/// (b − a) × (c − a), rounded.
#[derive(Clone, Copy, Debug)]
struct Normal {
    vector: [f64; 3],
    /// The same with absolute products added up, plus ρ: the error of `vector` is relative to it.
    magnitude: [f64; 3],
}

#[inline(always)]
fn normal(a: &Point, b: &Point, c: &Point) -> Normal {
    let (u, v) = (minus(*b, *a), minus(*c, *a));
    let (m0, m1) = (u[1] * v[2], u[2] * v[1]);
    let (m2, m3) = (u[2] * v[0], u[0] * v[2]);
    let (m4, m5) = (u[0] * v[1], u[1] * v[0]);
    Normal {
        vector: [m0 - m1, m2 - m3, m4 - m5],
        magnitude: [
            m0.abs() + m1.abs() + UNDERFLOW,
            m2.abs() + m3.abs() + UNDERFLOW,
            m4.abs() + m5.abs() + UNDERFLOW,
        ],
    }
}

/// [`orient3d`] by reference: copying the points costs more than the arithmetic.
#[inline(always)]
pub(crate) fn volume_sign(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    let (value, bound) = height(a, normal(a, b, c), d);
    match filtered(value, bound) {
        Some(sign) => sign,
        None => undecided(a, b, c, d),
    }
}

/// normal · (p − a), and a bound on its error.
#[inline(always)]
fn height(a: &Point, normal: Normal, p: &Point) -> (f64, f64) {
    let (n, m) = (normal.vector, normal.magnitude);
    let w = minus(*p, *a);
    let value = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    let size = w[0].abs() * m[0] + w[1].abs() * m[1] + w[2].abs() * m[2];
    (value, ORIENT3D * size + UNDERFLOW)
}

/// The sign of `value` if its absolute value exceeds the error bound; `None` if `value` is NaN or the
/// bound is infinite or NaN.
///
/// Branch prediction fails for the sign, so it is selected without a branch.
#[inline(always)]
fn filtered(value: f64, bound: f64) -> Option<Sign> {
    let sign = if value > 0.0 { Sign::Positive } else { Sign::Negative };
    if value.abs() > bound { Some(sign) } else { None }
}

#[inline(always)]
pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[cold]
#[inline(never)]
fn orient2d_slow(a: Point2, b: Point2, c: Point2) -> Sign {
    if obviously_flat(&[a, b, c]) {
        return Sign::Zero;
    }
    match in_expansion_range([a, b, c]) {
        Some(points) => {
            let [a, b, c] = points.map(|[x, y]| robust::Coord { x, y });
            Sign::of(robust::orient2d(a, b, c))
        }
        None => orient2d_exact(a, b, c),
    }
}

fn orient2d_exact(a: Point2, b: Point2, c: Point2) -> Sign {
    let difference = |p: Point2, q: Point2, k: usize| &Dyadic::of(q[k]) - &Dyadic::of(p[k]);
    let left = &difference(a, b, 0) * &difference(a, c, 1);
    let right = &difference(a, b, 1) * &difference(a, c, 0);
    (&left - &right).sign()
}

/// Calls [`orient3d_slow`] with plain numbers. Arrays and captured variables would be passed by
/// address, which would keep them in memory instead of registers and triple the caller's time.
#[inline(always)]
fn undecided(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    #[cold]
    #[inline(never)]
    fn slow(
        a: (f64, f64),
        b: (f64, f64),
        c: (f64, f64),
        d: (f64, f64),
        (az, bz): (f64, f64),
        (cz, dz): (f64, f64),
    ) -> Sign {
        let point = |(x, y), z| [x, y, z];
        orient3d_slow(point(a, az), point(b, bz), point(c, cz), point(d, dz))
    }
    let flat = |p: &Point| (p[0], p[1]);
    slow(flat(a), flat(b), flat(c), flat(d), (a[2], b[2]), (c[2], d[2]))
}

fn orient3d_slow(a: Point, b: Point, c: Point, d: Point) -> Sign {
    if obviously_flat(&[a, b, c, d]) {
        return Sign::Zero;
    }
    match in_expansion_range([a, b, c, d]) {
        Some(points) => {
            let [a, b, c, d] = points.map(|[x, y, z]| robust::Coord3D { x, y, z });
            // `robust` counts points below the plane as positive.
            -Sign::of(robust::orient3d(a, b, c, d))
        }
        None => orient3d_exact(a, b, c, d),
    }
}

fn orient3d_exact(a: Point, b: Point, c: Point, d: Point) -> Sign {
    let normal = exact::cross(&exact::difference(a, b), &exact::difference(a, c));
    exact::dot(&normal, &exact::difference(a, d)).sign()
}

#[cold]
#[inline(never)]
fn dot_slow(a: Point, b: Point, c: Point, d: Point) -> Sign {
    exact::dot(&exact::difference(a, b), &exact::difference(c, d)).sign()
}

#[cold]
#[inline(never)]
fn plane_side_slow(normal: [f64; 3], offset: f64, p: Point) -> Sign {
    let product = exact::dot(&normal.map(Dyadic::of), &p.map(Dyadic::of));
    (&product - &Dyadic::of(offset)).sign()
}

/// Whether two of the points are equal or all agree in a coordinate: the most frequent causes of a
/// zero determinant (shared vertices, axis-parallel faces).
fn obviously_flat<const D: usize>(points: &[[f64; D]]) -> bool {
    let repeated = |(i, p)| points[..i].contains(p);
    (0..D).any(|k| points.iter().all(|p| p[k] == points[0][k]))
        || points.iter().enumerate().any(repeated)
}

/// The points scaled by a power of two into the range where expansions are exact; `None` if they span
/// too many orders of magnitude or are not finite.
fn in_expansion_range<const D: usize, const N: usize>(
    points: [[f64; D]; N],
) -> Option<[[f64; D]; N]> {
    let (mut least, mut greatest) = (i32::MAX, i32::MIN);
    for coordinate in points.as_flattened() {
        if *coordinate != 0.0 {
            // Subnormal numbers have the same unit as those of exponent −1022.
            let biased = ((coordinate.to_bits() >> 52) & 0x7ff) as i32;
            let exponent = biased.max(1) - 1023;
            least = least.min(exponent);
            greatest = greatest.max(exponent);
        }
    }
    if least > greatest {
        return Some(points); // all zero
    }
    if greatest > 1023 || greatest - least > SPAN {
        return None;
    }
    // In two steps: factors range from 2⁻¹⁰²³ to 2¹⁰²².
    let factor = power_of_two(-greatest);
    Some(points.map(|point| point.map(|coordinate| coordinate * factor)))
}

#[cfg(test)]
mod tests;
