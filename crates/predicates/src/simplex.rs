//! Whether differences of points enclose the origin: the certificate of contact of two convex bodies.
//!
//! The bodies P and Q have a common point iff the set of all differences p − q contains the origin.
//! Up to four differences whose hull contains it are a proof: the p and the q, with the same weights,
//! combine to the same point. Sources: Gilbert, Johnson and Keerthi, *A fast procedure for computing the
//! distance between complex objects*, 1988; Chung 1996, 5.1.
//!
//! A certificate is checked once, so there is no filter: all arithmetic is exact.

use crate::exact::{self, Dyadic};
use crate::{Point, Sign};

/// Whether the convex hull of the differences p − q of some pairs `[p, q]` contains the origin: whether
/// the p and the q, with the same non-negative weights of sum 1, combine to the same point. False
/// without pairs.
///
/// Exact for all finite coordinates. Four pairs suffice for any proof; n pairs take O(n⁴) steps.
///
/// ```
/// use xcollide_predicates::differences_hold_origin;
///
/// // Two segments that cross in (1, 0, 0) …
/// let (a, b) = ([[0.0; 3], [2.0, 0.0, 0.0]], [[1.0, -1.0, 0.0], [1.0, 3.0, 0.0]]);
/// let pairs = [[a[0], b[0]], [a[1], b[0]], [a[0], b[1]], [a[1], b[1]]];
/// assert!(differences_hold_origin(&pairs));
/// // … and the first against a point that is not on it.
/// let point = [1.0, 0.0, 5e-324];
/// assert!(!differences_hold_origin(&[[a[0], point], [a[1], point]]));
/// ```
#[must_use]
pub fn differences_hold_origin(pairs: &[[Point; 2]]) -> bool {
    let differences: Vec<Exact> = pairs.iter().map(|[p, q]| exact::difference(*q, *p)).collect();
    hold_origin(&differences.iter().collect::<Vec<_>>())
}

type Exact = [Dyadic; 3];

fn hold_origin(points: &[&Exact]) -> bool {
    let sub = |a: &Exact, b: &Exact| -> Exact { [0, 1, 2].map(|k| &a[k] - &b[k]) };
    let is_zero = |a: &Exact| a.iter().all(|x| x.sign().is_zero());
    let sign = |a: &Exact, b: &Exact| exact::dot(a, b).sign();
    match *points {
        [] => false,
        [a] => is_zero(a),
        [a, b] => is_zero(&exact::cross(a, b)) && !sign(a, b).is_positive(),
        [a, b, c] => {
            let normal = exact::cross(&sub(b, a), &sub(c, a));
            if is_zero(&normal) {
                return fewer(points);
            }
            let edges = [(a, b), (b, c), (c, a)];
            sign(&normal, a).is_zero()
                && edges.iter().all(|(p, q)| !sign(&normal, &exact::cross(p, q)).is_negative())
        }
        [a, b, c, d] => {
            // Barycentric coordinates of the origin, up to the factor that is their sum.
            let (ab, cd) = (exact::cross(a, b), exact::cross(c, d));
            let weights = [sign(b, &cd), -sign(a, &cd), sign(d, &ab), -sign(c, &ab)];
            let volume = sign(&exact::cross(&sub(b, a), &sub(c, a)), &sub(d, a));
            if volume == Sign::Zero {
                return fewer(points);
            }
            weights.iter().all(|&weight| weight * volume != Sign::Negative)
        }
        _ => fewer(points),
    }
}

/// Whether all but one of the points contain the origin in their hull: sufficient for affinely
/// dependent points, by Carathéodory's theorem.
fn fewer(points: &[&Exact]) -> bool {
    (0..points.len()).any(|left_out| {
        let rest: Vec<&Exact> =
            points.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, p)| *p).collect();
        hold_origin(&rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    fn holds(points: &[Point]) -> bool {
        let exact: Vec<[Point; 2]> = points.iter().map(|&p| [p, [0.0; 3]]).collect();
        let swapped: Vec<[Point; 2]> = points.iter().map(|&p| [[0.0; 3], p]).collect();
        let answer = differences_hold_origin(&exact);
        assert_eq!(answer, differences_hold_origin(&swapped));
        answer
    }

    /// Whether some direction has all points strictly above the origin. It is enough to try those
    /// of the nearest point of a vertex, an edge or a face.
    fn outside(points: &[[i64; 3]]) -> bool {
        let cross = |a: [i64; 3], b: [i64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let sub = |a: [i64; 3], b: [i64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let dot = |a: [i64; 3], b: [i64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let mut axes: Vec<[i64; 3]> = points.to_vec();
        let mut normals = Vec::new();
        for (i, &a) in points.iter().enumerate() {
            for &b in &points[..i] {
                axes.push(sub(a, b));
                normals.push(cross(a, b));
                for &c in points {
                    normals.push(cross(sub(a, b), sub(c, b)));
                }
            }
        }
        let lines = axes.clone();
        for &n in &normals {
            axes.extend(lines.iter().map(|&line| cross(n, line)));
            axes.push(n);
        }
        axes.iter().flat_map(|&n| [n, n.map(|x| -x)]).any(|n| points.iter().all(|&p| dot(n, p) > 0))
    }

    #[test]
    fn small_integers_agree_with_separating_directions() {
        let mut random = Random::new(5);
        let mut next = |reach: usize| random.below(2 * reach + 1) as i64 - reach as i64;
        let (mut inside, mut degenerate) = (0, 0);
        for round in 0..4000 {
            let reach = [1, 2, 5][round % 3];
            let points: Vec<[i64; 3]> =
                (0..1 + round % 4).map(|_| [(); 3].map(|()| next(reach))).collect();
            let floats: Vec<Point> = points.iter().map(|p| p.map(|x| x as f64)).collect();
            let answer = holds(&floats);
            assert_eq!(answer, !outside(&points), "{points:?}");
            inside += usize::from(answer);
            degenerate += usize::from(answer && points.len() < 4);
        }
        assert!(inside > 150 && degenerate > 30, "{inside} inside, {degenerate} of them flat");
    }

    #[test]
    fn one_unit_in_the_last_place_decides() {
        let square = |z: f64| [[1.0, 1.0, z], [-1.0, 1.0, z], [-1.0, -1.0, z], [1.0, -1.0, z]];
        assert!(holds(&square(0.0)));
        assert!(!holds(&square(5e-324)));
        let above = [[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(holds(&above));
        let pairs = above.map(|p| [p, [0.0, 0.0, 5e-324]]);
        assert!(differences_hold_origin(&pairs));
        let pairs = above.map(|p| [p, [0.0, 0.0, -5e-324]]);
        assert!(!differences_hold_origin(&pairs));
        assert!(!differences_hold_origin(&[]));
    }

    #[test]
    fn more_than_four_points_are_searched_through() {
        let cube: Vec<Point> = (0..8_u8)
            .map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 }))
            .collect();
        assert!(holds(&cube[1..8]));
        assert!(!holds(&cube.iter().map(|p| [p[0] + 2.0, p[1], p[2]]).collect::<Vec<_>>()));
    }
}
