//! Gauss's rules for means over triangles, and their errors.

/// How many points a rule has along a line.
const POINTS: [usize; 5] = [2, 3, 5, 8, 12];
/// The first rule with this error is good enough.
const NEGLIGIBLE: f64 = 1e-11;

/// Rules that become better and take longer.
pub(super) struct Rules([Vec<Node>; POINTS.len()]);

/// A place in the unit square and its weight.
pub(super) struct Node {
    /// The place p + u (q − p) + u v (r − q) in a triangle with the corners p, q and r.
    pub(super) place: [f64; 2],
    /// That of u, too. Weights are positive, and their sum is 1.
    pub(super) weight: f64,
}

impl Rules {
    pub(super) fn new() -> Self {
        Self(POINTS.map(|points| {
            let line = line(points);
            let node = |&(u, one): &(f64, f64), &(v, other): &(f64, f64)| Node {
                place: [u, v],
                weight: 2.0 * u * one * other,
            };
            line.iter().flat_map(|u| line.iter().map(move |v| node(u, v))).collect()
        }))
    }

    pub(super) fn nodes(&self, rule: usize) -> &[Node] {
        &self.0[rule]
    }
}

/// The rule that is good enough for means of 1/s³, or the best one, and its error in parts of 1/s³ at the center.
///
/// A function that is at most 64 times as great on a ball of complex vectors has an expansion whose terms of degree k are, by Cauchy, at
/// most 64 `part`ᵏ in a part of this ball. A rule with n points a line is exact for those up to the degree 2n − 2, and neither
/// the mean nor the sum of a term is greater than the term.
pub(super) fn good_rule(part: f64) -> (usize, f64) {
    if part.is_nan() || part >= 1.0 {
        return (0, f64::INFINITY);
    }
    let (mut power, mut degree, mut error) = (1.0, 0, f64::INFINITY);
    for (rule, points) in POINTS.into_iter().enumerate() {
        while degree < 2 * points - 1 {
            power *= part;
            degree += 1;
        }
        error = 2.0 * 64.0 * power / (1.0 - part);
        if error <= NEGLIGIBLE {
            return (rule, error);
        }
    }
    (POINTS.len() - 1, error)
}

/// Places between 0 and 1, and weights whose sum is 1: the roots of Legendre's polynomial by Newton's method.
fn line(points: usize) -> Vec<(f64, f64)> {
    let n = points as f64;
    let node = |k: usize| {
        let mut x = libm::cos(std::f64::consts::PI * (k as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        for _ in 0..8 {
            // The polynomials of degrees n and n − 1 (Bonnet).
            let (mut before, mut at) = (1.0, x);
            for degree in 2..=points {
                let m = degree as f64;
                (before, at) = (at, ((2.0 * m - 1.0) * x * at - (m - 1.0) * before) / m);
            }
            slope = n * (x * at - before) / (x * x - 1.0);
            x -= at / slope;
        }
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..points).map(node).collect()
}
