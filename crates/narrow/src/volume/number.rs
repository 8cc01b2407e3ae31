//! The numbers that volumes are computed in: one or two f64 with a bound on the error, or [fractions](super::fraction).

use xcollide_predicates::Point;

/// A number that a computation knows exactly or between bounds.
pub(super) trait Number: Clone {
    /// A finite number, exactly.
    fn of(value: f64) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    /// The divisor is not zero.
    fn div(&self, other: &Self) -> Self;
    /// Bounds of the value; not finite if it has none.
    fn bounds(&self) -> [f64; 2];

    /// The difference of two finite numbers.
    #[inline(always)]
    fn difference(from: f64, to: f64) -> Self {
        Self::of(to).sub(&Self::of(from))
    }

    /// a d − b c.
    #[inline(always)]
    fn det2([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        a.mul(d).sub(&b.mul(c))
    }

    /// Six times the volume between a triangle and a point, positive if the point is behind it.
    #[inline(always)]
    fn signed_volume(triangle: &[Point; 3], point: Point) -> Self {
        let [a, b, c] = triangle;
        // Sides of a small triangle lose less than the lines from a point that is far away.
        dot(&vector(point, *a), &cross(&vector(*a, *b), &vector(*a, *c)))
    }
}

pub(super) type Vector<N> = [N; 3];

/// Rows.
pub(super) type Matrix = [Vector<Double>; 3];

// Written out, as closures in `map` of arrays are not inlined here.

#[inline(always)]
pub(super) fn vector<N: Number>(from: Point, to: Point) -> Vector<N> {
    [N::difference(from[0], to[0]), N::difference(from[1], to[1]), N::difference(from[2], to[2])]
}

#[inline(always)]
pub(super) fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

#[inline(always)]
pub(super) fn cross<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    [
        N::det2([&a[1], &a[2]], [&b[1], &b[2]]),
        N::det2([&a[2], &a[0]], [&b[2], &b[0]]),
        N::det2([&a[0], &a[1]], [&b[0], &b[1]]),
    ]
}

/// 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Above the underflow of one operation, whose parts are products of two numbers.
const UNDERFLOW: f64 = 1e-300;
/// For the rounding of the bound itself.
const MORE: f64 = 1.0 + 1e-14;

/// A value in f64, and a bound on its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    value: f64,
    error: f64,
}

impl Rounded {
    #[inline(always)]
    fn new(value: f64, error: f64) -> Self {
        Self { value, error: MORE * (error + UNIT * value.abs()) + UNDERFLOW }
    }
}

impl Number for Rounded {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Self::new(self.value + other.value, self.error + other.error)
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        Self::new(self.value - other.value, self.error + other.error)
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        let error = self.value.abs() * other.error + other.value.abs() * self.error;
        Self::new(self.value * other.value, error + self.error * other.error)
    }

    #[inline(always)]
    fn div(&self, other: &Self) -> Self {
        let value = self.value / other.value;
        let least = other.value.abs() - other.error;
        let error = (self.error + value.abs() * other.error) / least;
        Self::new(value, if least > 0.0 { error * (1.0 + 4.0 * UNIT) } else { f64::INFINITY })
    }

    fn bounds(&self) -> [f64; 2] {
        // With the rounding of both sums, each of which is at most 1.01 units of both numbers.
        let error = MORE * self.error + 2.0 * UNIT * self.value.abs();
        [self.value - error, self.value + error]
    }

    /// A difference does not underflow.
    #[inline(always)]
    fn difference(from: f64, to: f64) -> Self {
        let value = to - from;
        Self { value, error: UNIT * value.abs() }
    }

    /// Both products are rounded, and so is their difference, which is at most the sum of both.
    #[inline(always)]
    fn det2([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        let product = |one: &Self, other: &Self| {
            let (value, size) = (one.value * other.value, one.value.abs());
            let error = size * other.error + (other.value.abs() + other.error) * one.error;
            (value, error)
        };
        let ((left, of_left), (right, of_right)) = (product(a, d), product(b, c));
        let size = left.abs() + right.abs();
        let error = MORE * (of_left + of_right + 2.5 * UNIT * size) + 4.0 * UNDERFLOW;
        Self { value: left - right, error }
    }

    /// Each of the six terms of (a − p) · ((b − a) × (c − a)) is rounded eight times: three differences, two products and three
    /// sums.
    #[inline(always)]
    fn signed_volume(&[a, b, c]: &[Point; 3], point: Point) -> Self {
        let to = |from: Point, to: Point| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let (p, u, v) = (to(point, a), to(a, b), to(a, c));
        let term = |k: usize| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (one, other) = (u[i] * v[j], u[j] * v[i]);
            (p[k] * (one - other), p[k].abs() * (one.abs() + other.abs()))
        };
        let [x, y, z] = [term(0), term(1), term(2)];
        let size = x.1 + y.1 + z.1;
        let underflow = UNDERFLOW * (1.0 + p[0].abs() + p[1].abs() + p[2].abs());
        Self { value: x.0 + y.0 + z.0, error: MORE * (9.0 * UNIT * size) + underflow }
    }
}

/// The sum of two f64, with about 106 bits (Dekker 1971), and a bound on its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    high: f64,
    low: f64,
    error: f64,
}

pub(super) fn doubles(vector: [f64; 3]) -> Vector<Double> {
    vector.map(Double::of)
}

pub(super) fn rounded(vector: &Vector<Double>) -> Point {
    vector.each_ref().map(Double::rounded)
}

/// The inverse of a matrix.
pub(super) fn inverse(rows: &[[f64; 3]; 3]) -> Matrix {
    let [r, s, t] = rows.map(doubles);
    let columns = [cross(&s, &t), cross(&t, &r), cross(&r, &s)];
    let determinant = dot(&r, &columns[0]);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i].div(&determinant)))
}

/// By how much a matrix enlarges volumes, rounded.
pub(super) fn enlargement(rows: &[[f64; 3]; 3]) -> f64 {
    let [r, s, t] = rows.map(doubles);
    dot(&r, &cross(&s, &t)).rounded().abs()
}

/// The rounded sum and its rounding (Knuth).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// The rounded product and its rounding (Veltkamp's splitting), unless it underflows.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let scaled = 134_217_729.0 * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (product, a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0))
}

impl Double {
    /// A leading part and the sum of small ones, whose magnitudes are at most `size` and which took four
    /// roundings at most.
    #[inline(always)]
    fn new(high: f64, low: f64, size: f64, error: f64) -> Self {
        let (high, low) = two_sum(high, low);
        Self { high, low, error: MORE * (error + 4.0 * UNIT * size) + UNDERFLOW }
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.high.abs() + self.low.abs()
    }

    /// The nearest f64, but for the error.
    pub(super) fn rounded(&self) -> f64 {
        self.high
    }
}

impl Number for Double {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Self { high: value, low: 0.0, error: 0.0 }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        let (sum, rounding) = two_sum(self.high, other.high);
        let size = self.low.abs() + other.low.abs() + rounding.abs();
        let low = rounding + (self.low + other.low);
        Self::new(sum, low, size, self.error + other.error)
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        self.add(&Self { high: -other.high, low: -other.low, error: other.error })
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        let (product, rounding) = two_product(self.high, other.high);
        let (one, two) = (self.high * other.low, self.low * other.high);
        let size = rounding.abs() + one.abs() + two.abs();
        let left_out = self.low.abs() * other.low.abs();
        let error =
            self.size() * other.error + other.size() * self.error + self.error * other.error;
        Self::new(product, rounding + (one + two), size, error + left_out)
    }

    fn div(&self, other: &Self) -> Self {
        let first = self.high / other.high;
        let rest = self.sub(&other.mul(&Self::of(first)));
        let second = rest.high / other.high;
        let (high, low) = two_sum(first, second);
        let quotient = Self { high, low, error: 0.0 };
        // What is left, over the least divisor.
        let rest = self.sub(&other.mul(&quotient));
        let least = other.high.abs() - other.low.abs() - other.error;
        let error = MORE * (rest.size() + rest.error) / least;
        Self { error: if least > 0.0 { error } else { f64::INFINITY }, ..quotient }
    }

    fn bounds(&self) -> [f64; 2] {
        let error = MORE * (self.error + self.low.abs());
        [(self.high - error).next_down(), (self.high + error).next_up()]
    }
}
