//! The slow, obviously right twins of the predicates, in exact arithmetic.
#![allow(dead_code, unreachable_pub)]

pub mod motion;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Float, Signed, Zero};

pub type Grid = [i64; 3];

/// Whether two triangles with integer corners meet.
///
/// Knows no geometry and hence no special cases: a point a₀ + u(a₁ − a₀) + v(a₂ − a₀) of one equals
/// a point of the other iff a system of 3 linear equations in 4 unknowns with 6 inequalities
/// (weights not negative, their sum at most 1) has a solution. Gaussian elimination uses up the
/// equations, Fourier–Motzkin elimination the remaining unknowns; whether the constants that
/// are left contradict each other is the answer. All in integers.
pub fn triangles_meet(a: &[Grid; 3], b: &[Grid; 3]) -> bool {
    // A row is constant + Σ coefficient·unknown; unknowns are the weights of a₁, a₂, b₁, b₂.
    type Row = [i128; 5];
    let mut equations: Vec<Row> = (0..3)
        .map(|k| {
            [
                (a[0][k] - b[0][k]).into(),
                (a[1][k] - a[0][k]).into(),
                (a[2][k] - a[0][k]).into(),
                (b[0][k] - b[1][k]).into(),
                (b[0][k] - b[2][k]).into(),
            ]
        })
        .collect();
    let mut at_least_zero: Vec<Row> = vec![
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [1, -1, -1, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
        [1, 0, 0, -1, -1],
    ];
    // scale·row + factor·other with scale > 0, made small again.
    let combined = |row: &Row, scale: i128, other: &Row, factor: i128| -> Row {
        let mut sum = [0; 5];
        for i in 0..5 {
            sum[i] = scale * row[i] + factor * other[i];
        }
        let divisor = sum.iter().fold(0, |g, &x| gcd(g, x)).max(1);
        sum.map(|x| x / divisor)
    };
    while let Some(equation) = equations.pop() {
        match (1..5).find(|&i| equation[i] != 0) {
            None if equation[0] != 0 => return false,
            None => {}
            Some(i) => {
                let pivot = equation[i];
                let eliminate = |row: &mut Row| {
                    *row = combined(row, pivot.abs(), &equation, -pivot.signum() * row[i]);
                    assert_eq!(row[i], 0);
                };
                equations.iter_mut().for_each(eliminate);
                at_least_zero.iter_mut().for_each(eliminate);
            }
        }
    }
    for i in 1..5 {
        let (lower, rest): (Vec<Row>, Vec<Row>) = at_least_zero.iter().partition(|row| row[i] > 0);
        let (upper, mut next): (Vec<Row>, Vec<Row>) = rest.iter().partition(|row| row[i] < 0);
        for low in &lower {
            for up in &upper {
                next.push(combined(low, -up[i], up, low[i]));
            }
        }
        next.sort_unstable();
        next.dedup();
        at_least_zero = next;
    }
    at_least_zero.iter().all(|row| row[0] >= 0)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The squared distance of two triangles, exactly.
///
/// The closest points are convex combinations of some corners of each; for every choice of
/// corners the closest points of their affine hulls are solved for by the normal equations, and
/// count if all weights are positive.
pub fn squared_distance(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> BigRational {
    let exact = |t: &[[f64; 3]; 3]| t.map(|p| p.map(rational));
    let (a, b) = (exact(a), exact(b));
    let choices: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[1, 2], &[2, 0], &[0, 1, 2]];
    let mut least: Option<BigRational> = None;
    for of_a in choices {
        for of_b in choices {
            if let Some(square) = distance_of_hulls(&a, of_a, &b, of_b)
                && least.as_ref().is_none_or(|least| square < *least)
            {
                least = Some(square);
            }
        }
    }
    least.expect("two corners always have a distance")
}

pub type BigRational = Ratio<BigInt>;

pub fn rational(x: f64) -> BigRational {
    assert!(x.is_finite(), "{x}");
    let (mantissa, exponent, sign) = x.integer_decode();
    let numerator = BigInt::from(mantissa) * sign;
    let power = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 { Ratio::new(numerator, power) } else { (numerator * power).into() }
}

type Exact = [BigRational; 3];

fn minus(p: &Exact, q: &Exact) -> Exact {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

fn dot(p: &Exact, q: &Exact) -> BigRational {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn distance_of_hulls(
    a: &[Exact; 3],
    of_a: &[usize],
    b: &[Exact; 3],
    of_b: &[usize],
) -> Option<BigRational> {
    // Minimise |w + Σ xᵢ dᵢ|², dᵢ the directions of both hulls (those of b negated).
    let w = minus(&a[of_a[0]], &b[of_b[0]]);
    let directions: Vec<Exact> = of_a[1..]
        .iter()
        .map(|&i| minus(&a[i], &a[of_a[0]]))
        .chain(of_b[1..].iter().map(|&i| minus(&b[of_b[0]], &b[i])))
        .collect();
    let n = directions.len();
    let mut rows: Vec<Vec<BigRational>> = (0..n)
        .map(|i| {
            let mut row: Vec<_> = directions.iter().map(|d| dot(&directions[i], d)).collect();
            row.push(-dot(&directions[i], &w));
            row
        })
        .collect();
    for i in 0..n {
        let pivot = (i..n).find(|&row| !rows[row][i].is_zero())?;
        rows.swap(i, pivot);
        for other in 0..n {
            if other != i && !rows[other][i].is_zero() {
                let factor = &rows[other][i] / &rows[i][i];
                let (own, pivot_row) = (rows[other].clone(), rows[i].clone());
                rows[other] = own.iter().zip(&pivot_row).map(|(x, y)| x - &factor * y).collect();
            }
        }
    }
    let x: Vec<BigRational> = (0..n).map(|i| &rows[i][n] / &rows[i][i]).collect();
    let split = of_a.len() - 1;
    let one = BigRational::from_integer(BigInt::from(1));
    for weights in [&x[..split], &x[split..]] {
        let sum: BigRational = weights.iter().sum();
        if weights.iter().any(Signed::is_negative) || sum > one {
            return None;
        }
    }
    let apart = [0, 1, 2]
        .map(|k| x.iter().zip(&directions).fold(w[k].clone(), |sum, (x, d)| sum + x * &d[k]));
    Some(dot(&apart, &apart))
}

/// Twice the signed area of a triangle in the plane.
pub fn area(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether `q` is inside (1), on the border of (0), or outside (−1) contours in the plane with
/// coordinates below 10⁵: even-odd rule along a ray in direction (10⁶, 1), on which no other point
/// with such coordinates lies.
pub fn locate(q: [i64; 2], contours: &[Vec<[i64; 2]>]) -> i32 {
    let far = [q[0] + 1_000_000, q[1] + 1];
    let mut crossings = 0;
    for contour in contours {
        for i in 0..contour.len() {
            let (a, b) = (contour[i], contour[(i + 1) % contour.len()]);
            let between = (0..2).all(|k| a[k].min(b[k]) <= q[k] && q[k] <= a[k].max(b[k]));
            if between && area(a, b, q) == 0 {
                return 0;
            }
            let (a_side, b_side) = (area(q, far, a).signum(), area(q, far, b).signum());
            // The edge crosses the line of the ray; on the ray iff q is on its left going up.
            if a_side < 0 && b_side > 0 && area(a, b, q) > 0
                || a_side > 0 && b_side < 0 && area(a, b, q) < 0
            {
                crossings += 1;
            }
        }
    }
    if crossings % 2 == 1 { 1 } else { -1 }
}

pub use xcollide_fixtures::Random;

/// Random points and triangles with integer corners.
pub trait RandomGrid {
    /// From −`limit` to `limit`.
    fn within(&mut self, limit: i64) -> i64;

    fn grid_point(&mut self, limit: i64) -> Grid {
        [0; 3].map(|_| self.within(limit))
    }

    fn grid_triangle(&mut self, limit: i64) -> [Grid; 3] {
        [[0; 3]; 3].map(|_| self.grid_point(limit))
    }
}

impl RandomGrid for Random {
    fn within(&mut self, limit: i64) -> i64 {
        self.integer(-limit, limit)
    }
}

pub fn to_f64<const N: usize>(points: &[Grid; N]) -> [[f64; 3]; N] {
    points.map(|p| p.map(|x| x as f64))
}
