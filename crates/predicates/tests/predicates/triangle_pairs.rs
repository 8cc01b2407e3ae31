//! Triangles against triangles: every answer equals the referee's, for any order, scale and degeneracy.

use crate::referee;

use proptest::prelude::*;
use referee::{Grid, Random, RandomGrid as _, to_f64};
use xcollide_fixtures::long_run;
use xcollide_predicates::{
    Point, closest_points, orient3d, point_on_segment, point_on_triangle,
    segment_intersects_triangle, segment_triangle_point, segments_intersect, triangle_distance,
    triangle_pair_point, triangles_intersect, triangles_within,
};

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

fn reordered(t: &[Point; 3], order: [usize; 3]) -> [Point; 3] {
    order.map(|i| t[i])
}

/// How often the interesting situations came up, so that no test passes for want of them.
#[derive(Debug, Default)]
struct Census {
    pairs: usize,
    meeting: usize,
    coplanar: usize,
    degenerate: usize,
    degenerate_meeting: usize,
    coplanar_meeting: usize,
}

impl Census {
    fn count(&mut self, a: &[Point; 3], b: &[Point; 3], meet: bool) {
        let flat = |t: &[Point; 3], p: Point| orient3d(t[0], t[1], t[2], p).is_zero();
        let in_plane = |t: &[Point; 3], u: &[Point; 3]| u.iter().all(|&p| flat(t, p));
        // Collinear corners have no plane to be off.
        let off = [[0.3, 0.7, 0.9], [-0.8, 0.1, 0.77], [0.11, -0.9, 0.3]];
        let degenerate = |t: &[Point; 3]| off.iter().all(|&p| flat(t, p));
        self.pairs += 1;
        self.meeting += usize::from(meet);
        if degenerate(a) || degenerate(b) {
            self.degenerate += 1;
            self.degenerate_meeting += usize::from(meet);
        } else if in_plane(a, b) {
            self.coplanar += 1;
            self.coplanar_meeting += usize::from(meet);
        }
    }

    fn assert_all_kinds(&self) {
        let least = self.meeting.min(self.pairs - self.meeting) * 20;
        assert!(least > self.pairs, "one-sided: {self:?}");
        for kind in [self.coplanar, self.degenerate, self.coplanar_meeting, self.degenerate_meeting]
        {
            assert!(kind * 2000 > self.pairs, "too few: {self:?}");
        }
    }
}

/// `pairs` pairs on each of the grids ±2, ±4, ±10, each in all orders.
fn check_grids(pairs: usize, seed: u64) {
    for limit in [2, 4, 10] {
        let mut random = Random::new(seed + limit as u64);
        let mut census = Census::default();
        for i in 0..pairs {
            let (a, b) = grid_pair(&mut random, limit, i);
            let expected = referee::triangles_meet(&a, &b);
            let (af, bf) = (to_f64(&a), to_f64(&b));
            census.count(&af, &bf, expected);
            for of_a in ORDERS {
                for of_b in ORDERS {
                    let (p, q) = (reordered(&af, of_a), reordered(&bf, of_b));
                    assert_eq!(triangles_intersect(&p, &q), expected, "{p:?} {q:?}");
                    assert_eq!(triangles_intersect(&q, &p), expected, "{q:?} {p:?}");
                }
            }
        }
        census.assert_all_kinds();
    }
}

/// Every other pair is made to have something in common: corners, a plane, or a line.
fn grid_pair(random: &mut Random, limit: i64, i: usize) -> ([Grid; 3], [Grid; 3]) {
    let (mut a, mut b) = (random.grid_triangle(limit), random.grid_triangle(limit));
    match i % 8 {
        1 => b[random.below(3)] = a[random.below(3)],
        3 => (b[0], b[1]) = (a[1], a[2]),
        5 => {
            let axis = random.below(3);
            let level = random.within(limit);
            a.iter_mut().chain(&mut b).for_each(|p| p[axis] = level);
        }
        7 => {
            let [p, q] = [random.grid_point(1), random.grid_point(1)];
            let onto_line = |k: i64| [0, 1, 2].map(|j| p[j] + k * q[j]);
            a = [0; 3].map(|_| onto_line(random.within(limit)));
            if i % 16 == 15 {
                b = [0; 3].map(|_| onto_line(random.within(limit)));
            }
        }
        _ => {}
    }
    (a, b)
}

#[test]
fn triangles_intersect_as_the_referee_says() {
    check_grids(40_000, 1);
}

#[test]
fn triangle_pairs_intersect_as_the_referee_says_soak() {
    let run = long_run(6000, 1_200_000);
    // Each round checks three pairs.
    check_grids(run.cases as usize / 3, 2 + run.seed);
}

/// Affine maps that are exact in f64 change no answer, at whatever end of the range and however
/// uneven.
#[test]
fn intersection_is_free_of_scale() {
    let power = power_of_two;
    let maps: [(&str, [f64; 3], [f64; 3]); 8] = [
        ("1e-300", [power(-996); 3], [0.0; 3]),
        ("1e150", [power(498); 3], [0.0; 3]),
        ("subnormal", [power(-1074); 3], [0.0; 3]),
        ("largest", [power(1019); 3], [0.0; 3]),
        ("far away", [1.0; 3], [power(50), -power(49), power(50)]),
        ("far away at 1e150", [power(450); 3], [power(500), -power(500), power(499)]),
        ("far away at 1e-300", [power(-1040); 3], [power(-992), power(-991), -power(-993)]),
        ("1e-300 by 1 by 1e150", [power(-996), 1.0, power(498)], [0.0; 3]),
    ];
    for (name, scale, shift) in maps {
        let mut random = Random::new(3);
        let mut census = Census::default();
        for i in 0..3000 {
            let (a, b) = grid_pair(&mut random, 4, i);
            let expected = referee::triangles_meet(&a, &b);
            let map =
                |t: &[Grid; 3]| to_f64(t).map(|p| [0, 1, 2].map(|k| p[k] * scale[k] + shift[k]));
            let (af, bf) = (map(&a), map(&b));
            assert_eq!(triangles_intersect(&af, &bf), expected, "{name}: {a:?} {b:?}");
            assert_eq!(triangles_intersect(&bf, &af), expected, "{name}: {b:?} {a:?}");
            assert_eq!(triangle_pair_point(&af, &bf).is_some(), expected, "{name}: {a:?} {b:?}");
            if i % 10 == 0 {
                assert_eq!(triangles_within(&af, &bf, 0.0), expected, "{name}");
                assert_eq!(triangle_distance(&af, &bf) == 0.0, expected, "{name}: {a:?} {b:?}");
            }
            census.count(&to_f64(&a), &to_f64(&b), expected);
        }
        census.assert_all_kinds();
    }
}

/// 2ᵏ, from its bits.
fn power_of_two(k: i32) -> f64 {
    (0..k.abs()).fold(1.0, |power, _| if k < 0 { power * 0.5 } else { power * 2.0 })
}

/// A point is a triangle with three equal corners, a segment one with two.
#[test]
fn points_and_segments_agree_with_the_referee() {
    let mut met = [0; 4];
    for limit in [2, 4] {
        let mut random = Random::new(4);
        for i in 0..30_000 {
            let (t, s) = grid_pair(&mut random, limit, i);
            let (tf, sf) = (to_f64(&t), to_f64(&s));
            let [p, q, r] = s;
            let [pf, qf, rf] = sf;
            let answers = [
                (point_on_triangle(pf, &tf), referee::triangles_meet(&[p; 3], &t)),
                (
                    segment_intersects_triangle(&[pf, qf], &tf),
                    referee::triangles_meet(&[p, q, q], &t),
                ),
                (point_on_segment(rf, &[pf, qf]), referee::triangles_meet(&[r; 3], &[p, q, q])),
                (
                    segments_intersect(&[pf, qf], &[tf[0], tf[1]]),
                    referee::triangles_meet(&[p, q, q], &[t[0], t[1], t[1]]),
                ),
            ];
            for (which, (answer, expected)) in answers.into_iter().enumerate() {
                assert_eq!(answer, expected, "{which}: {s:?} {t:?}");
                met[which] += usize::from(expected);
            }
            assert_eq!(segment_intersects_triangle(&[qf, pf], &tf), answers[1].1);
            assert_eq!(segments_intersect(&[tf[1], tf[0]], &[pf, qf]), answers[3].1);
            assert_eq!(
                segment_triangle_point(&[pf, qf], &tf).is_some(),
                answers[1].1,
                "{s:?} {t:?}"
            );
            let distances = [
                (closest_points(&[pf], &tf).distance, answers[0].1),
                (closest_points(&[pf, qf], &tf).distance, answers[1].1),
                (closest_points(&[pf, qf], &[rf]).distance, answers[2].1),
                (closest_points(&[pf, qf], &[tf[0], tf[1]]).distance, answers[3].1),
            ];
            assert!(distances.iter().all(|&(distance, meet)| (distance == 0.0) == meet));
        }
    }
    assert!(met.iter().all(|&count| count > 300), "{met:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The same law as the grids, for its shrinking.
    #[test]
    fn shrunk_triangle_pairs_agree_with_the_referee(
        a in prop::array::uniform3(prop::array::uniform3(-3i64..=3)),
        b in prop::array::uniform3(prop::array::uniform3(-3i64..=3)),
    ) {
        prop_assert_eq!(triangles_intersect(&to_f64(&a), &to_f64(&b)), referee::triangles_meet(&a, &b));
    }

    /// With any numbers, answers are symmetric and nothing panics.
    #[test]
    fn answers_are_symmetric_on_any_numbers(
        a in prop::array::uniform3(prop::array::uniform3(any::<f64>())),
        b in prop::array::uniform3(prop::array::uniform3(any::<f64>())),
        of_a in 0usize..6, of_b in 0usize..6,
    ) {
        let finite = a.iter().chain(&b).flatten().all(|x| x.is_finite());
        let (c, d) = (reordered(&b, ORDERS[of_b]), reordered(&a, ORDERS[of_a]));
        let answers = [triangles_intersect(&a, &b), triangles_intersect(&c, &d)];
        let _ = closest_points(&a, &b);
        let _ = triangles_within(&a, &b, a[0][0]);
        let _ = segment_triangle_point(&[a[0], a[1]], &b);
        if finite {
            prop_assert_eq!(answers[0], answers[1]);
        }
    }
}

#[test]
fn named_degenerate_cases() {
    let o = [0.0, 0.0, 0.0];
    let x = [4.0, 0.0, 0.0];
    let y = [0.0, 4.0, 0.0];
    let floor = [o, x, y];
    let cases: [(&str, [Point; 3], bool); 40] = [
        ("itself", floor, true),
        ("turned over", [o, y, x], true),
        ("corner on corner, above", [o, [0.0, 1.0, 3.0], [1.0, 0.0, 3.0]], true),
        ("corner on corner, coplanar, outside", [o, [-4.0, 0.0, 0.0], [0.0, -4.0, 0.0]], true),
        ("shared edge, standing on it", [o, x, [2.0, 0.0, 4.0]], true),
        ("shared edge, coplanar neighbour", [x, y, [4.0, 4.0, 0.0]], true),
        ("shared edge, folded over", [x, y, [1.0, 1.0, 0.0]], true),
        ("part of an edge shared", [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 1.0]], true),
        (
            "edge in line with an edge, beyond it",
            [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 0.0, 1.0]],
            false,
        ),
        (
            "edge in line with an edge, touching its end",
            [x, [6.0, 0.0, 0.0], [5.0, 0.0, 1.0]],
            true,
        ),
        ("corner on an edge", [[2.0, 0.0, 0.0], [2.0, -1.0, 1.0], [2.0, -1.0, -1.0]], true),
        (
            "corner on an edge, coplanar",
            [[2.0, 0.0, 0.0], [1.0, -2.0, 0.0], [3.0, -2.0, 0.0]],
            true,
        ),
        ("corner inside, from above", [[1.0, 1.0, 0.0], [1.0, 1.0, 2.0], [2.0, 1.0, 2.0]], true),
        ("corner just above", [[1.0, 1.0, 5e-324], [1.0, 1.0, 2.0], [2.0, 1.0, 2.0]], false),
        (
            "corner in the plane, outside",
            [[3.0, 3.0, 0.0], [3.0, 3.0, 2.0], [4.0, 3.0, 2.0]],
            false,
        ),
        ("edge through the inside", [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]], true),
        ("edge across an edge", [[2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [9.0, 9.0, 0.0]], true),
        ("edge across a corner", [[4.0, 0.0, -1.0], [4.0, 0.0, 1.0], [9.0, 0.0, 0.0]], true),
        (
            "edge just past an edge",
            [
                [2.0, 2.0 + 4.0 * f64::EPSILON, -1.0],
                [2.0, 2.0 + 4.0 * f64::EPSILON, 1.0],
                [9.0, 9.0, 0.0],
            ],
            false,
        ),
        ("parallel above", [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]], false),
        ("contained, coplanar", [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]], true),
        ("containing, coplanar", [[-9.0, -9.0, 0.0], [30.0, -9.0, 0.0], [-9.0, 30.0, 0.0]], true),
        (
            "star, coplanar, no corner inside",
            [[-1.0, 1.0, 0.0], [4.0, 1.0, 0.0], [1.5, -1.0, 0.0]],
            true,
        ),
        ("apart, coplanar", [[3.0, 3.0, 0.0], [5.0, 3.0, 0.0], [3.0, 5.0, 0.0]], false),
        (
            "apart, coplanar, boxes overlap",
            [[2.5, 2.5, 0.0], [3.5, 2.5, 0.0], [2.5, 3.5, 0.0]],
            false,
        ),
        (
            "segment in the plane, across",
            [[-1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [9.0, 1.0, 0.0]],
            true,
        ),
        ("segment in the plane, inside", [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.5, 0.0]], true),
        (
            "segment in the plane, outside",
            [[3.0, 3.0, 0.0], [5.0, 5.0, 0.0], [4.0, 4.0, 0.0]],
            false,
        ),
        ("segment on an edge", [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]], true),
        (
            "segment in line with an edge, beyond",
            [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [7.0, 0.0, 0.0]],
            false,
        ),
        ("segment piercing", [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], true),
        (
            "segment ending on it, thrice the way",
            [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 3.0]],
            true,
        ),
        ("segment parallel above", [[0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 1.0]], false),
        ("segment passing beside", [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [3.0, 3.0, 0.0]], false),
        ("point inside", [[1.0, 1.0, 0.0]; 3], true),
        ("point on an edge", [[2.0, 2.0, 0.0]; 3], true),
        ("point on a corner", [y; 3], true),
        ("point in the plane, outside", [[3.0, 3.0, 0.0]; 3], false),
        ("point above", [[1.0, 1.0, 1.0]; 3], false),
        ("negative zeros", [[-0.0, -0.0, -0.0], [-1.0, -0.0, 1.0], [-0.0, -1.0, 1.0]], true),
    ];
    for (name, other, expected) in cases {
        for of_a in ORDERS {
            for of_b in ORDERS {
                let (a, b) = (reordered(&floor, of_a), reordered(&other, of_b));
                assert_eq!(triangles_intersect(&a, &b), expected, "{name}");
                assert_eq!(triangles_intersect(&b, &a), expected, "{name}, swapped");
                assert_eq!(triangle_pair_point(&a, &b).is_some(), expected, "{name}");
                assert_eq!(triangle_distance(&a, &b) == 0.0, expected, "{name}");
                assert_eq!(triangles_within(&a, &b, 0.0), expected, "{name}");
            }
        }
    }
}

/// Both degenerate, which the table with the floor cannot show.
#[test]
fn named_pairs_of_segments_and_points() {
    let segment = [[0.0; 3], [2.0; 3], [1.0; 3]];
    let cases: [(&str, [Point; 3], bool); 8] = [
        ("the same", segment, true),
        ("crossing", [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 1.0]], true),
        ("passing", [[0.0, 2.0, 1.5], [2.0, 0.0, 1.5], [1.0, 1.0, 1.5]], false),
        ("in line, overlapping", [[1.5; 3], [3.0; 3], [2.5; 3]], true),
        ("in line, touching", [[2.0; 3], [3.0; 3], [2.5; 3]], true),
        ("in line, apart", [[2.5; 3], [3.0; 3], [2.75; 3]], false),
        ("point on it", [[1.25; 3]; 3], true),
        ("point in line with it", [[2.25; 3]; 3], false),
    ];
    for (name, other, expected) in cases {
        for order in ORDERS {
            let (a, b) = (reordered(&segment, order), reordered(&other, order));
            assert_eq!(triangles_intersect(&a, &b), expected, "{name}");
            assert_eq!(triangles_intersect(&b, &a), expected, "{name}, swapped");
            assert_eq!(triangle_pair_point(&a, &b).is_some(), expected, "{name}");
        }
    }
    let point = [[1.0; 3]; 3];
    assert!(triangles_intersect(&point, &point));
    assert!(!triangles_intersect(&point, &[[1.0, 1.0, 1.0 + f64::EPSILON]; 3]));
}
