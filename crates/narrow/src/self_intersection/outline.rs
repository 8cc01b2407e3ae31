//! Whether the outline of a part of a surface, seen from one direction, certainly does not meet itself.
//!
//! Points are projected to a plane with rounding, so a point is known up to a bound on its error. What is told is certain:
//! a comparison that the errors could turn round counts as failed.

type Point2 = [f64; 2];

/// Points that are off by at most `error` along each axis.
#[derive(Clone, Copy)]
pub(super) struct Rounded {
    pub(super) error: f64,
}

impl Rounded {
    /// Whether the exact points a, b and c certainly turn to the left (1), or to the right (−1); else 0.
    ///
    /// With differences of coordinates that are off by 2e, the products of the determinant are off by 2e times the other
    /// factor, and 4e² for both. What it takes to compute them is less, as `error` is more than 16 · 2⁻⁵³ of each coordinate.
    fn turn(self, [a, b, c]: [Point2; 3]) -> i32 {
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let value = u[0] * v[1] - u[1] * v[0];
        let size = u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs();
        let bound = 4.0 * self.error * (size + 4.0 * self.error) + f64::MIN_POSITIVE;
        i32::from(value > bound) - i32::from(value < -bound)
    }

    /// Whether two segments certainly have no common point.
    fn are_apart(self, [a, b]: [Point2; 2], [c, d]: [Point2; 2]) -> bool {
        let parts = |[a, b]: [Point2; 2], [c, d]: [Point2; 2]| {
            self.turn([a, b, c]) * self.turn([a, b, d]) > 0
        };
        let [(low_a, high_a), (low_c, high_c)] = [[a, b], [c, d]].map(|[p, q]| range(p[1], q[1]));
        let slack = 2.0 * self.error;
        high_a + slack < low_c
            || high_c + slack < low_a
            || parts([a, b], [c, d])
            || parts([c, d], [a, b])
    }

    /// Whether two segments with the end b of the one in common certainly have no other common point.
    fn goes_on(self, [a, b, c]: [Point2; 3]) -> bool {
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
        let along = u[0] * v[0] + u[1] * v[1];
        let size = u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs();
        let bound = 4.0 * self.error * (size + 4.0 * self.error) + f64::MIN_POSITIVE;
        along > bound || self.turn([a, b, c]) != 0
    }

    /// Whether a closed polygon certainly has no common points of its sides but for the corners between them. Sides that
    /// overlap along the first axis are compared: O(n log n + k).
    pub(super) fn is_simple(self, corners: &[Point2], order: &mut Vec<u32>) -> bool {
        let count = corners.len();
        let corner = |i: usize| corners[if i < count { i } else { i - count }];
        let side = |i: u32| [corner(i as usize), corner(i as usize + 1)];
        if count < 3 || !(0..count).all(|i| self.goes_on([corner(i), corner(i + 1), corner(i + 2)]))
        {
            return false;
        }
        let ends = |i: u32| {
            let [p, q] = side(i);
            range(p[0], q[0])
        };
        order.clear();
        order.extend(0..count as u32);
        order.sort_unstable_by(|&i, &j| ends(i).0.total_cmp(&ends(j).0));
        order.iter().enumerate().all(|(place, &i)| {
            let until = ends(i).1 + 2.0 * self.error;
            let near = order[place + 1..].iter().take_while(|&&j| ends(j).0 <= until);
            near.into_iter().all(|&j| {
                let between = i.abs_diff(j) as usize;
                between == 1 || between + 1 == count || self.are_apart(side(i), side(j))
            })
        })
    }
}

fn range(a: f64, b: f64) -> (f64, f64) {
    if a < b { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_simple(corners: &[Point2], error: f64) -> bool {
        Rounded { error }.is_simple(corners, &mut Vec::new())
    }

    #[test]
    fn outlines_that_touch_or_cross_themselves_are_told() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        assert!(is_simple(&square, 1e-12));
        assert!(is_simple(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0]], 1e-12), "straight on");
        let bow = [[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]];
        assert!(!is_simple(&bow, 1e-12));
        let back = [[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, 3.0]];
        assert!(!is_simple(&back, 1e-12), "folded back");
        // A corner on a side, and one that is nearly there.
        let dented = |y: f64| [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, y], [0.0, 4.0]];
        assert!(!is_simple(&dented(0.0), 1e-12) && !is_simple(&dented(1e-13), 1e-12));
        assert!(is_simple(&dented(1e-11), 1e-12));
        // The same corner twice.
        let eight = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]];
        assert!(!is_simple(&eight, 1e-12));
        assert!(!is_simple(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]], 1e-12));
    }

    /// On small integers, without an error: the definition.
    #[test]
    fn integer_polygons_are_judged_as_by_exact_segments() {
        use xcollide_fixtures::Random;
        use xcollide_predicates::segments_intersect;
        let mut random = Random::new(3);
        let mut simple = 0;
        for _ in 0..20_000 {
            let count = 3 + random.below(4);
            let corners: Vec<Point2> =
                (0..count).map(|_| [0; 2].map(|_| random.below(5) as f64)).collect();
            let at = |i: usize| {
                let [x, y] = corners[i % count];
                [x, y, 0.0]
            };
            let expected = (0..count).all(|i| {
                let next = (at(i), at(i + 1), at(i + 2));
                // Next to each other: no fold.
                let u: Vec<f64> = (0..2).map(|k| next.1[k] - next.0[k]).collect();
                let v: Vec<f64> = (0..2).map(|k| next.2[k] - next.1[k]).collect();
                let (turn, along) = (u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
                (turn != 0.0 || along > 0.0)
                    && (i + 2..count).all(|j| {
                        (i == 0 && j + 1 == count)
                            || !segments_intersect(&[at(i), at(i + 1)], &[at(j), at(j + 1)])
                    })
            });
            simple += usize::from(expected);
            assert_eq!(is_simple(&corners, 1e-12), expected, "{corners:?}");
        }
        assert!(simple > 1000, "{simple}");
    }
}
