//! Overlaps of triangles against clipping in integers: the same extreme points in the same order, each
//! within the stated bound.

#![allow(clippy::unwrap_used)]

use crate::referee;

use referee::{Grid, Random, RandomGrid as _, to_f64};
use xcollide_fixtures::long_run;
use xcollide_predicates::{Point, TriangleOverlap, triangle_pair_overlap, triangles_intersect};

/// A point (x/w, y/w, z/w), w > 0.
type Homogeneous = [i128; 4];

type Vector = [i128; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

fn minus(a: Grid, b: Grid) -> Vector {
    [0, 1, 2].map(|k| i128::from(a[k] - b[k]))
}

/// normal·(x − at) ≥ 0.
struct Half {
    normal: Vector,
    at: Grid,
}

impl Half {
    fn value(&self, [x, y, z, w]: Homogeneous) -> i128 {
        let at = self.at.map(i128::from);
        let [a, b, c] = self.normal;
        a * (x - at[0] * w) + b * (y - at[1] * w) + c * (z - at[2] * w)
    }
}

/// A triangle, segment or point as half-spaces.
fn halves(t: &[Grid; 3]) -> Vec<Half> {
    let mut halves = Vec::new();
    let equal = |normal: Vector, at: Grid, halves: &mut Vec<Half>| {
        halves.push(Half { normal, at });
        halves.push(Half { normal: normal.map(|x| -x), at });
    };
    let normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    if normal != [0; 3] {
        equal(normal, t[0], &mut halves);
        for i in 0..3 {
            let along = minus(t[(i + 1) % 3], t[i]);
            halves.push(Half { normal: cross(normal, along), at: t[i] });
        }
        return halves;
    }
    let (p, q) = (*t.iter().min().unwrap(), *t.iter().max().unwrap());
    let along = minus(q, p);
    let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    if along == [0; 3] {
        axes.iter().for_each(|&axis| equal(axis, p, &mut halves));
        return halves;
    }
    for axis in axes {
        equal(cross(along, axis), p, &mut halves);
    }
    halves.push(Half { normal: along, at: p });
    halves.push(Half { normal: along.map(|x| -x), at: q });
    halves
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The extreme points of what two triangles have in common, in the order of the first one's corners:
/// it is clipped by the half-spaces of the other (Sutherland and Hodgman 1974).
fn clipped(a: &[Grid; 3], b: &[Grid; 3]) -> Vec<Homogeneous> {
    let mut cycle: Vec<Homogeneous> =
        a.iter().map(|&[x, y, z]| [x.into(), y.into(), z.into(), 1]).collect();
    for half in halves(b) {
        let mut kept = Vec::new();
        for (i, &p) in cycle.iter().enumerate() {
            let q = cycle[(i + 1) % cycle.len()];
            let (g, h) = (half.value(p), half.value(q));
            if g >= 0 {
                kept.push(p);
            }
            if g.signum() * h.signum() < 0 {
                // The values are of p/p.w and q/q.w times p.w and q.w, which cancel out here.
                let weighted = [0, 1, 2, 3].map(|k| p[k] * h.abs() + q[k] * g.abs());
                let divisor = weighted.iter().fold(0, |d, &x| gcd(d, x));
                kept.push(weighted.map(|x| x / divisor));
            }
        }
        cycle = kept;
    }
    let mut points: Vec<Homogeneous> = Vec::new();
    for p in cycle {
        if !points.contains(&p) {
            points.push(p);
        }
    }
    let between = |p: Homogeneous, q: Homogeneous, r: Homogeneous| {
        let to = |s: Homogeneous| [0, 1, 2].map(|k| s[k] * p[3] - p[k] * s[3]);
        let (u, v) = (to(q), to(r));
        cross(u, v) == [0; 3] && u[0] * v[0] + u[1] * v[1] + u[2] * v[2] < 0
    };
    let is_extreme =
        |&p: &Homogeneous| !points.iter().any(|&q| points.iter().any(|&r| between(p, q, r)));
    points.iter().copied().filter(is_extreme).collect()
}

/// Whether the overlap has just these extreme points in this order, beginning anywhere, within the
/// stated bound for coordinates up to `limit`. Segments may be turned round.
fn agrees(found: &TriangleOverlap, expected: &[Homogeneous], limit: i64) -> bool {
    let n = expected.len();
    if found.corners().len() != n {
        return false;
    }
    let bound = (2 * limit) as f64 * 0.5_f64.powi(40) + limit as f64 * f64::EPSILON;
    let near = |p: &Point, [x, y, z, w]: Homogeneous| {
        [x, y, z].iter().zip(p).all(|(&x, p)| (x as f64 / w as f64 - p).abs() <= 1.01 * bound)
    };
    (0..n).any(|first| {
        let corners = found.corners().iter().enumerate();
        corners.clone().all(|(i, p)| near(p, expected[(first + i) % n]))
    })
}

/// Pairs with something in common every other time: corners, a plane, a line.
fn grid_pair(random: &mut Random, limit: i64, i: usize) -> ([Grid; 3], [Grid; 3]) {
    let (mut a, mut b) = (random.grid_triangle(limit), random.grid_triangle(limit));
    match i % 8 {
        1 => b[random.below(3)] = a[random.below(3)],
        3 => (b[0], b[1]) = (a[1], a[2]),
        5 | 6 => {
            // A common plane: level, or slanted.
            let [u, v] = [random.grid_point(2), random.grid_point(2)];
            let onto = |[s, t, _]: Grid| [0, 1, 2].map(|k| s * u[k] + t * v[k]);
            (a, b) = (a.map(onto), b.map(onto));
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

fn check(pairs: usize, seed: u64) {
    // How often so many extreme points came up.
    let mut kinds = [0_usize; 7];
    for limit in [2, 4, 10] {
        let mut random = Random::new(seed + limit as u64);
        for i in 0..pairs {
            let (a, b) = grid_pair(&mut random, limit, i);
            let expected = clipped(&a, &b);
            let (af, bf) = (to_f64(&a), to_f64(&b));
            let largest = a.iter().chain(&b).flatten().map(|x| x.abs()).max().unwrap_or(0);
            let found = triangle_pair_overlap(&af, &bf);
            assert_eq!(found.is_some(), !expected.is_empty(), "{a:?} {b:?}");
            assert_eq!(found.is_some(), triangles_intersect(&af, &bf));
            kinds[expected.len()] += 1;
            let Some(found) = found else { continue };
            assert!(agrees(&found, &expected, largest), "{a:?} {b:?}: {found:?} {expected:?}");
            // The same set the other way round; its order is that of the other triangle.
            let swapped = triangle_pair_overlap(&bf, &af).expect("symmetric");
            let expected = clipped(&b, &a);
            assert!(agrees(&swapped, &expected, largest), "{b:?} {a:?}: {swapped:?} {expected:?}");
        }
    }
    assert!(kinds.iter().all(|&count| count * 10_000 > pairs), "too few of a kind: {kinds:?}");
}

#[test]
fn overlaps_are_those_of_clipping_in_integers() {
    check(10_000, 1);
}

#[test]
fn overlaps_are_those_of_clipping_in_integers_soak() {
    let run = long_run(6000, 1_500_000);
    // Each round checks three pairs.
    check(run.cases as usize / 3, 2 + run.seed);
}

/// Affine maps that are exact in f64 change no structure, at whatever end of the range.
#[test]
fn the_kind_of_overlap_is_free_of_scale() {
    let power = |k: i32| (0..k.abs()).fold(1.0, |p, _| if k < 0 { p * 0.5 } else { p * 2.0 });
    let maps: [([f64; 3], [f64; 3]); 6] = [
        ([power(-996); 3], [0.0; 3]),
        ([power(498); 3], [0.0; 3]),
        ([power(-1070); 3], [0.0; 3]),
        ([power(1018); 3], [0.0; 3]),
        ([1.0; 3], [power(45), -power(44), power(45)]),
        ([power(-600), 1.0, power(498)], [0.0; 3]),
    ];
    for (scale, shift) in maps {
        let mut random = Random::new(3);
        for i in 0..2000 {
            let (a, b) = grid_pair(&mut random, 4, i);
            let map =
                |t: &[Grid; 3]| to_f64(t).map(|p| [0, 1, 2].map(|k| p[k] * scale[k] + shift[k]));
            let found = triangle_pair_overlap(&map(&a), &map(&b));
            let count = found.as_ref().map_or(0, |found| found.corners().len());
            assert_eq!(count, clipped(&a, &b).len(), "{scale:?} {shift:?} {a:?} {b:?}");
            let finite = found.iter().flat_map(TriangleOverlap::ends).flatten();
            assert!(finite.into_iter().all(f64::is_finite));
        }
    }
}

/// Any numbers: no panic, and something in common exactly if they meet.
#[test]
fn any_numbers_do_no_harm() {
    let mut random = Random::new(4);
    for _ in 0..5000 {
        let mut any = || f64::from_bits(random.bits());
        let [a, b] = [(); 2].map(|()| [(); 3].map(|()| [any(), any(), any()]));
        let meet = triangles_intersect(&a, &b);
        assert_eq!(triangle_pair_overlap(&a, &b).is_some(), meet);
        let touching = [a[0], b[1], b[2]];
        assert_eq!(
            triangle_pair_overlap(&a, &touching).is_some(),
            triangles_intersect(&a, &touching)
        );
    }
}
