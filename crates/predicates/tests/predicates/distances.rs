//! Distances and common points against exact fractions.

use crate::referee;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use referee::{BigRational, Random, RandomGrid as _, rational, squared_distance, to_f64};
use xcollide_fixtures::long_run;
use xcollide_predicates::{
    Point, closest_points, orient3d, point_on_segment, point_on_triangle, segment_triangle_point,
    triangle_distance, triangle_pair_point, triangles_intersect, triangles_within,
};

/// Triangles as they come, needles, flat pairs, grid points, all with the same extent of about 1.
fn pair(random: &mut Random, kind: usize) -> ([Point; 3], [Point; 3]) {
    let grid = |random: &mut Random| to_f64(&random.grid_triangle(4)).map(|p| p.map(|x| x / 4.0));
    let any = |random: &mut Random| [[0; 3]; 3].map(|p| p.map(|_: i32| random.signed()));
    let needle = |random: &mut Random, width: f64| {
        let [a, b, c] = any(random);
        let t = random.signed();
        [a, b, [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]) + width * c[k])]
    };
    let (mut a, mut b) = (any(random), any(random));
    match kind % 8 {
        0 => {}
        1 => (a, b) = (grid(random), grid(random)),
        2 => (a, b) = (needle(random, 1e-9), needle(random, 1e-5)),
        3 => (a, b) = (needle(random, 1e-14), any(random)),
        // Close together: b's corner just off a point of a.
        4 => {
            let foot = [0, 1, 2].map(|k| 0.25 * a[0][k] + 0.5 * a[1][k] + 0.25 * a[2][k]);
            let gap = [1e-3, 1e-6, 1e-9, 1e-12][random.below(4)];
            b[0] = [0, 1, 2].map(|k| foot[k] + gap * b[0][k]);
        }
        // The same over a needle, or edge over edge of two needles.
        6 | 7 => {
            let width = [1e-3, 1e-5, 1e-7][random.below(3)];
            a = needle(random, width);
            let foot = [0, 1, 2].map(|k| 0.25 * a[0][k] + 0.5 * a[1][k] + 0.25 * a[2][k]);
            let gap = [1e-3, 1e-6, 1e-9][random.below(3)];
            b[0] = [0, 1, 2].map(|k| foot[k] + gap * b[0][k]);
            if kind % 8 == 7 {
                let turn = [1e-3, 1e-5, 1e-7][random.below(3)];
                b[1] = [0, 1, 2].map(|k| b[0][k] + a[1][k] - a[0][k] + turn * b[1][k]);
                b[0] = [0, 1, 2].map(|k| 2.0 * b[0][k] - b[1][k]);
            }
        }
        // Nearly parallel edges.
        _ => {
            let shift = [1e-3, 1e-8][random.below(2)];
            b[0] = [0, 1, 2].map(|k| a[0][k] + shift * b[0][k]);
            b[1] = [0, 1, 2].map(|k| a[1][k] + shift * b[1][k]);
        }
    }
    (a, b)
}

#[test]
fn distances_are_those_of_exact_fractions() {
    check_distances(180, 21);
}

#[test]
fn distances_are_those_of_exact_fractions_soak() {
    let run = long_run(40, 2000);
    check_distances(run.cases as usize, 26 + run.seed);
}

fn check_distances(pairs: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (mut apart, mut worst) = (0, 0.0f64);
    for i in 0..pairs {
        let (a, b) = pair(&mut random, i);
        let square = squared_distance(&a, &b);
        let closest = closest_points(&a, &b);
        assert_eq!(closest.distance == 0.0, square == rational(0.0), "{a:?} {b:?}");
        let expected = root(&square);
        let error = (closest.distance - expected).abs();
        worst = worst.max(error);
        assert!(error < 1e-12, "{error:e} at {expected:e}: {a:?} {b:?}");
        // The points are on the triangles and as far apart as it says.
        for (point, triangle) in [(closest.a, &a), (closest.b, &b)] {
            let off = root(&squared_distance(&[point; 3], triangle));
            assert!(off < 1e-13, "{off:e} off: {a:?} {b:?}");
        }
        let length = root(&squared_distance(&[closest.a; 3], &[closest.b; 3]));
        assert!((length - closest.distance).abs() < 1e-14);
        assert!((triangle_distance(&b, &a) - closest.distance).abs() < 1e-12);
        apart += usize::from(closest.distance > 0.0);
    }
    assert!(apart * 4 > pairs, "{apart} of {pairs}");
    assert!(worst < f64::from_bits(0x3d70_0000_0000_0000), "2⁻⁴⁰ is promised: {worst:e}");
}

fn root(square: &BigRational) -> f64 {
    // Enough digits for any double: take the root of square·2⁶⁰⁰.
    let shifted = square * BigRational::from_integer(BigInt::from(1) << 600);
    let root = shifted.to_integer().sqrt();
    root.to_f64().expect("in range") * f64::from_bits((1023 - 300) << 52)
}

/// At the distance itself, one number below it and one above: only exact arithmetic can tell.
#[test]
fn triangles_are_within_a_tolerance_exactly() {
    check_tolerances(180, 22);
}

#[test]
fn triangles_are_within_a_tolerance_exactly_soak() {
    let run = long_run(40, 2000);
    check_tolerances(run.cases as usize, 27 + run.seed);
}

fn check_tolerances(pairs: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut counts = [0; 2];
    for i in 0..pairs {
        let (a, b) = pair(&mut random, i);
        let square = squared_distance(&a, &b);
        let distance = root(&square);
        let near = [distance, distance.next_up(), distance.next_down(), distance * 0.9];
        for tolerance in near.into_iter().chain([distance * 1.5, 1e-9, 0.5]) {
            if tolerance < 0.0 {
                continue;
            }
            let expected = square <= rational(tolerance) * rational(tolerance);
            assert_eq!(triangles_within(&a, &b, tolerance), expected, "{tolerance:e}: {a:?} {b:?}");
            assert_eq!(triangles_within(&b, &a, tolerance), expected, "{tolerance:e}: {b:?} {a:?}");
            counts[usize::from(expected)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > pairs), "{counts:?}");
}

#[test]
fn a_tolerance_is_inclusive_and_free_of_scale() {
    // 2, 3, 6 off in the three coordinates: 7 apart.
    let corner = [[0.0; 3], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let other = [[2.0, 3.0, 6.0], [3.0, 4.0, 6.0], [3.0, 4.0, 7.0]];
    for k in [1.0, 2f64.powi(-996), 2f64.powi(498), 2f64.powi(1018), 2f64.powi(-1072)] {
        let [a, b] = [corner, other].map(|t| t.map(|p| p.map(|x| x * k)));
        assert_eq!(triangle_distance(&a, &b), 7.0 * k);
        assert!(triangles_within(&a, &b, 7.0 * k));
        assert!(triangles_within(&a, &b, f64::INFINITY));
        assert!(!triangles_within(&a, &b, (7.0 * k).next_down()));
        assert!(!triangles_within(&a, &b, 0.0));
        assert!(!triangles_within(&a, &b, -1.0));
        assert!(!triangles_within(&a, &b, f64::NAN));
    }
    // Far away in one coordinate, tiny in the others.
    let [a, b] =
        [corner, other].map(|t| t.map(|[x, y, z]| [1e150, x * 1e-300, y * 1e-300 + z * 0.0]));
    assert!((triangle_distance(&a, &b) / 1e-300 - 13f64.sqrt()).abs() < 1e-12);
    // Beyond the range of f64.
    let far = [[f64::MAX; 3], [f64::MAX, 0.0, f64::MAX], [f64::MAX; 3]];
    assert_eq!(triangle_distance(&far, &far.map(|p| p.map(|x| -x))), f64::INFINITY);
}

/// No two points of the triangles are closer than the distance says.
#[test]
fn sampled_points_are_never_closer() {
    let mut random = Random::new(23);
    for i in 0..1000 {
        let (a, b) = pair(&mut random, i);
        let distance = triangle_distance(&a, &b);
        for _ in 0..50 {
            let mut sample = |t: &[Point; 3]| {
                let (mut s, mut u) = (random.signed().abs(), random.signed().abs());
                if s + u > 1.0 {
                    (s, u) = (1.0 - s, 1.0 - u);
                }
                [0, 1, 2].map(|k| t[0][k] + s * (t[1][k] - t[0][k]) + u * (t[2][k] - t[0][k]))
            };
            let (p, q) = (sample(&a), sample(&b));
            let apart = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>().sqrt();
            assert!(apart > distance - 1e-12, "{apart} < {distance}: {a:?} {b:?}");
        }
    }
}

/// Where a segment pierces the plane of a triangle, in exact fractions.
fn pierced(segment: &[Point; 2], triangle: &[Point; 3]) -> [BigRational; 3] {
    let exact = |p: Point| p.map(rational);
    let minus = |p: &[BigRational; 3], q: &[BigRational; 3]| [0, 1, 2].map(|k| &p[k] - &q[k]);
    let [a, b, c] = triangle.map(exact);
    let [p, q] = segment.map(exact);
    let (u, v) = (minus(&b, &a), minus(&c, &a));
    let n = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i]);
    let height = |r: &[BigRational; 3]| -> BigRational {
        let w = minus(r, &a);
        (0..3).map(|k| &n[k] * &w[k]).sum()
    };
    let t = height(&p) / (height(&p) - height(&q));
    [0, 1, 2].map(|k| &p[k] + &t * (&q[k] - &p[k]))
}

#[test]
fn common_points_are_within_their_bound() {
    let mut random = Random::new(24);
    let (mut pierce, mut lie) = (0, 0);
    let power = 1.0 / (1u64 << 40) as f64;
    for i in 0..8_000 {
        let (mut t, s) = pair(&mut random, i);
        let mut segment = [s[0], s[1]];
        if i % 8 == 1 {
            // On a grid: halfway between two corners, exactly.
            segment[0] = [0, 1, 2].map(|k| 0.5 * t[0][k] + 0.5 * t[1][k]);
        } else if i % 3 == 0 {
            // Make it pierce, flatly: the ends are a little off the plane.
            let tilt = [1.0, 1e-8, 1e-15][random.below(3)];
            let inside = [0, 1, 2].map(|k| 0.5 * t[0][k] + 0.25 * t[1][k] + 0.25 * t[2][k]);
            let ahead = [0, 1, 2].map(|k| t[1][k] - t[2][k] + tilt * s[0][k]);
            segment = [-0.5, 0.25].map(|w| [0, 1, 2].map(|k| inside[k] + w * ahead[k]));
        }
        let scale = [1.0, 1.0, 1e-300, 1e150][random.below(4)];
        t = t.map(|p| p.map(|x| x * scale));
        segment = segment.map(|p| p.map(|x| x * scale));
        let Some(point) = segment_triangle_point(&segment, &t) else { continue };
        let sides = segment.map(|end| orient3d(t[0], t[1], t[2], end));
        if sides.iter().any(|side| side.is_zero()) {
            // An end that is in the plane alone is the point; otherwise it is on both, roughly.
            if sides[0] != sides[1] {
                assert!(segment.contains(&point));
            }
            let off =
                closest_points(&[point], &t).distance + closest_points(&[point], &segment).distance;
            assert!(off <= 1e-15 * scale, "{off:e} {segment:?} {t:?}");
            lie += 1;
            continue;
        }
        let truth = pierced(&segment, &t);
        for k in 0..3 {
            let [p, q] = segment.map(|end| end[k]);
            let ulp = p.abs().max(q.abs()).next_up() - p.abs().max(q.abs());
            let error = (rational(point[k]) - &truth[k]).abs();
            let bound = rational(power) * (rational(q) - rational(p)).abs() + rational(ulp);
            assert!(error <= bound, "{point:?} {segment:?} {t:?}");
            assert!(p.min(q) <= point[k] && point[k] <= p.max(q));
        }
        pierce += 1;
    }
    assert!(pierce > 2000 && lie > 300, "{pierce} {lie}");
}

#[test]
fn pairs_of_triangles_have_a_point_exactly_if_they_intersect() {
    let mut random = Random::new(25);
    let (mut met, mut exactly) = (0, 0);
    for i in 0..20_000 {
        let (a, b) = pair(&mut random, i);
        let point = triangle_pair_point(&a, &b);
        assert_eq!(point.is_some(), triangles_intersect(&a, &b));
        assert_eq!(point.is_some(), triangle_pair_point(&b, &a).is_some());
        let Some(point) = point else { continue };
        met += 1;
        exactly += usize::from(point_on_triangle(point, &a) && point_on_triangle(point, &b));
        for triangle in [&a, &b] {
            assert!(closest_points(&[point], triangle).distance < 4e-12, "{a:?} {b:?}");
        }
    }
    assert!(met > 4000 && exactly > 100, "{met} {exactly}");
}

/// The common point of coplanar crossing segments, where no corner is a common point.
#[test]
fn crossing_edges_give_their_crossing() {
    let star = [[-3.0, 1.0, 0.0], [4.0, 1.0, 0.0], [0.5, -5.0, 0.0]];
    let triangle = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 3.0, 0.0]];
    let segment = [[-1.0, 0.5, 0.0], [5.0, 0.5, 0.0]];
    let point = segment_triangle_point(&segment, &triangle).expect("it crosses");
    assert_eq!(point[1], 0.5);
    assert!(point_on_segment(point, &segment));
    assert!(triangle_pair_point(&star, &triangle).is_some());
    // Two segments, given as triangles.
    let (a, b) =
        ([[0.0; 3], [3.0; 3], [1.0; 3]], [[0.0, 3.0, 1.5], [3.0, 0.0, 1.5], [0.0, 3.0, 1.5]]);
    assert_eq!(triangle_pair_point(&a, &b), Some([1.5; 3]));
}
