//! The smallest enclosing ball (Welzl 1991; pivoting after Gärtner 1999).
//!
//! Welzl's algorithm goes through the points. A point outside the smallest ball of those before it must be
//! on the border of the next ball, and moves to the front of the list. Gärtner passes it only the point
//! that is furthest outside, so few rounds suffice. The recursion is four deep: four points fix a sphere.

use xcollide_math::vector::dot;

type Point = [f64; 3];

/// A point counts as outside only by more than this share of the squared radius.
const TOLERANCE: f64 = 1e-14;

/// Points whose span is thinner than this angle do not fix a sphere.
const FLAT: f64 = 1e-12;

/// Rounds of pivoting; in practice below thirty.
const MAX_ROUNDS: usize = 200;

/// The center of the smallest ball around the points, rounded; `None` where there are none.
pub(crate) fn center_of_smallest_ball(points: &[Point]) -> Option<Point> {
    let origin = *points.first()?;
    // Relative to a point of the set, for precision far from the origin, and scaled, so that no square
    // overflows or underflows.
    let offset = |p: &Point| [0, 1, 2].map(|k| p[k] - origin[k]);
    let size = points.iter().flat_map(offset).fold(0.0, |m: f64, x| m.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return Some(origin);
    }
    let scaled: Vec<Point> = points.iter().map(|p| offset(p).map(|x| x / size)).collect();
    let ball = smallest_ball(&scaled);
    Some([0, 1, 2].map(|k| origin[k] + ball.center[k] * size))
}

#[derive(Clone, Copy)]
struct Ball {
    center: Point,
    squared: f64,
}

impl Ball {
    fn excludes(&self, p: &Point) -> bool {
        distance_squared(&self.center, p) > self.squared * (1.0 + TOLERANCE)
    }
}

fn smallest_ball(points: &[Point]) -> Ball {
    let mut ball = Ball { center: points[0], squared: 0.0 };
    let mut seen = vec![points[0]];
    for _ in 0..MAX_ROUNDS {
        let furthest = points.iter().fold(points[0], |best, p| {
            let is_further =
                distance_squared(&ball.center, p) > distance_squared(&ball.center, &best);
            if is_further { *p } else { best }
        });
        if !ball.excludes(&furthest) {
            break;
        }
        let end = seen.len();
        let larger = move_to_front(&mut seen, end, &mut Border::of(furthest));
        // In exact arithmetic the ball grows; if it does not, only rounding is left to gain.
        let Some(larger) = larger.filter(|larger| larger.squared > ball.squared) else { break };
        seen.insert(0, furthest);
        ball = larger;
    }
    ball
}

/// The smallest ball around the first `end` points that has the border points on its border.
fn move_to_front(points: &mut [Point], end: usize, border: &mut Border) -> Option<Ball> {
    let mut ball = border.ball()?;
    if border.count == 4 {
        return Some(ball);
    }
    for i in 0..end {
        if ball.excludes(&points[i]) {
            border.push(points[i]);
            let larger = move_to_front(points, i, border);
            border.count -= 1;
            if let Some(larger) = larger {
                ball = larger;
                points[..=i].rotate_right(1);
            }
        }
    }
    Some(ball)
}

/// Up to four points that lie on the border.
struct Border {
    points: [Point; 4],
    count: usize,
}

impl Border {
    fn of(point: Point) -> Self {
        Self { points: [point; 4], count: 1 }
    }

    fn push(&mut self, point: Point) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// The smallest ball through the points; `None` if they do not fix one.
    fn ball(&self) -> Option<Ball> {
        let first = self.points[0];
        let (mut axes, mut along) = ([[0.0; 3]; 3], [0.0; 3]);
        let mut offset = [0.0; 3];
        for i in 1..self.count {
            // The center c, relative to the first point, has v · c = |v|² / 2 for each other point
            // v. In orthonormal axes of their span, v lies along the axes up to its own.
            let v = [0, 1, 2].map(|k| self.points[i][k] - first[k]);
            let (mut rest, mut known) = (v, 0.0);
            for j in 0..i - 1 {
                let part = dot(rest, axes[j]);
                known += dot(v, axes[j]) * along[j];
                rest = [0, 1, 2].map(|k| rest[k] - part * axes[j][k]);
            }
            let (length, height) = (dot(v, v).sqrt(), dot(rest, rest).sqrt());
            if height <= FLAT * length {
                return None;
            }
            axes[i - 1] = rest.map(|x| x / height);
            along[i - 1] = (0.5 * dot(v, v) - known) / height;
            offset = [0, 1, 2].map(|k| offset[k] + along[i - 1] * axes[i - 1][k]);
        }
        let center = [0, 1, 2].map(|k| first[k] + offset[k]);
        Some(Ball { center, squared: dot(offset, offset) })
    }
}

fn distance_squared(a: &Point, b: &Point) -> f64 {
    let d = [0, 1, 2].map(|k| a[k] - b[k]);
    dot(d, d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: the smallest of all balls through two, three or four points that hold all
    /// points.
    fn brute_force(points: &[Point]) -> f64 {
        let mut best = f64::INFINITY;
        let n = points.len();
        let mut consider = |chosen: &[usize]| {
            let mut border = Border::of(points[chosen[0]]);
            for &i in &chosen[1..] {
                border.push(points[i]);
            }
            if let Some(ball) = border.ball() {
                let reach = points.iter().map(|p| distance_squared(&ball.center, p));
                let reach = reach.fold(0.0, f64::max);
                if reach <= ball.squared * (1.0 + 1e-9) {
                    best = best.min(reach);
                }
            }
        };
        for i in 0..n {
            for j in 0..i {
                consider(&[i, j]);
                for k in 0..j {
                    consider(&[i, j, k]);
                    for l in 0..k {
                        consider(&[i, j, k, l]);
                    }
                }
            }
        }
        best.sqrt()
    }

    fn radius(points: &[Point]) -> f64 {
        let center = center_of_smallest_ball(points).expect("there are points");
        points.iter().map(|p| distance_squared(&center, p)).fold(0.0, f64::max).sqrt()
    }

    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![-1.0..1.0, (-2..=2_i32).prop_map(f64::from)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Ordinary points, and points of a coarse grid: many on one sphere, plane or line.
        #[test]
        fn no_ball_through_points_is_smaller(
            points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 2..9)
        ) {
            let (found, smallest) = (radius(&points), brute_force(&points));
            // All points alike: no ball of two.
            prop_assume!(smallest.is_finite());
            prop_assert!(found <= smallest * (1.0 + 1e-12), "{found} > {smallest}");
        }
    }

    #[test]
    fn points_on_a_sphere_give_that_sphere() {
        let mut points = Vec::new();
        for i in -50..50 {
            for j in -50..50 {
                let (u, v) = (f64::from(i) * 0.1, f64::from(j) * 0.1);
                // Stereographic projection.
                let s = 1.0 + u * u + v * v;
                points.push([2.0 * u / s + 1e6, 2.0 * v / s, (s - 2.0) / s]);
            }
        }
        assert!((radius(&points) - 1.0).abs() < 1e-9);
    }
}
