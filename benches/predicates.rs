//! Cost of exactness, and the fastest point-in-polygon algorithm by number of vertices.
//!
//! `cargo bench -p xcollide-benches --bench predicates`
//!
//! Inputs are arrays of 1024 cases, one pass per iteration; times are per case (`thrpt` in the
//! output, in elements a second).

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use xcollide_predicates::polygon::{ConvexPolygon, Projection};
use xcollide_predicates::{
    Point, TrianglePlane, closest_points, orient3d, ray_crossing, triangle_pair_point,
    triangles_intersect, triangles_within,
};

const CASES: usize = 1024;

type Triangle = [Point; 3];

/// `SplitMix64`: the same inputs on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From −1 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn point(&mut self) -> Point {
        [0; 3].map(|_| self.unit())
    }

    fn triangle(&mut self) -> Triangle {
        [[0; 3]; 3].map(|_| self.point())
    }
}

fn cases<T>(seed: u64, make: impl Fn(&mut Random) -> T, keep: impl Fn(&T) -> bool) -> Vec<T> {
    let mut random = Random(seed);
    let mut all = Vec::with_capacity(CASES);
    while all.len() < CASES {
        let case = make(&mut random);
        if keep(&case) {
            all.push(case);
        }
    }
    all
}

fn orientation(c: &mut Criterion) {
    let mut group = c.benchmark_group("orient3d");
    group.throughput(Throughput::Elements(CASES as u64));
    let robust_sign = |[a, b, c, d]: [Point; 4]| {
        let [a, b, c, d] = [a, b, c, d].map(|[x, y, z]| robust::Coord3D { x, y, z });
        robust::orient3d(a, b, c, d)
    };
    let spread = cases(1, |r| [[0; 3]; 4].map(|_| r.point()), |_| true);
    // The last point rounded onto the plane of the others: the filters fail.
    let flat = cases(
        2,
        |r| {
            let [a, b, c] = r.triangle();
            [a, b, c, [0, 1, 2].map(|k| a[k] + 0.3 * (b[k] - a[k]) + 0.4 * (c[k] - a[k]))]
        },
        |_| true,
    );
    let tiny: Vec<_> = spread.iter().map(|points| points.map(|p| p.map(|x| x * 1e-300))).collect();
    let mixed: Vec<_> =
        flat.iter().map(|points| points.map(|[x, y, z]| [x * 1e-300, y, z * 1e150])).collect();
    for (name, points) in [("spread", &spread), ("flat", &flat), ("tiny", &tiny), ("mixed", &mixed)]
    {
        group.bench_with_input(BenchmarkId::new("ours", name), points, |bencher, points| {
            bencher.iter(|| {
                for &[a, b, c, d] in points {
                    black_box(orient3d(a, b, c, d));
                }
            });
        });
    }
    for (name, points) in [("spread", &spread), ("flat", &flat)] {
        group.bench_with_input(BenchmarkId::new("robust", name), points, |bencher, points| {
            bencher.iter(|| {
                for &points in points {
                    black_box(robust_sign(points));
                }
            });
        });
    }
    group.bench_function("three points, one plane", |bencher| {
        bencher.iter(|| {
            for pair in spread.chunks_exact(2) {
                let [a, b, c, _] = &pair[0];
                let triangle = [*a, *b, *c];
                let plane = TrianglePlane::new(&triangle);
                for p in &pair[1][..3] {
                    black_box(plane.side(*p));
                }
            }
        });
    });
    group.finish();
}

/// Pairs whose boxes overlap, as a hierarchy hands them over, by their answer.
fn near_pairs(seed: u64, intersecting: bool) -> Vec<(Triangle, Triangle)> {
    cases(
        seed,
        |r| {
            let center = r.point();
            let b = r.triangle().map(|p| [0, 1, 2].map(|k| p[k] + 0.7 * center[k]));
            (r.triangle(), b)
        },
        |(a, b)| {
            let boxes_overlap = (0..3).all(|k| {
                let low = |t: &Triangle| t.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
                let high = |t: &Triangle| t.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
                low(a) <= high(b) && low(b) <= high(a)
            });
            boxes_overlap && triangles_intersect(a, b) == intersecting
        },
    )
}

fn triangle_pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("triangle pairs");
    group.throughput(Throughput::Elements(CASES as u64));
    let disjoint = near_pairs(3, false);
    let crossing = near_pairs(4, true);
    let touching: Vec<_> = disjoint.iter().map(|&(a, [_, q, r])| (a, [a[0], q, r])).collect();
    let coplanar: Vec<_> =
        disjoint.iter().map(|&(a, b)| (a, b).map_both(|[x, y, _]| [x, y, 0.5])).collect();
    let segments: Vec<_> = crossing.iter().map(|&(a, [p, q, _])| (a, [p, q, q])).collect();
    for (name, pairs) in [
        ("disjoint", &disjoint),
        ("crossing", &crossing),
        ("sharing a corner", &touching),
        ("coplanar", &coplanar),
        ("one a segment", &segments),
    ] {
        group.bench_with_input(BenchmarkId::new("intersect", name), pairs, |bencher, pairs| {
            bencher.iter(|| {
                for (a, b) in pairs {
                    black_box(triangles_intersect(a, b));
                }
            });
        });
    }
    group.bench_with_input("common point/crossing", &crossing, |bencher, pairs| {
        bencher.iter(|| {
            for (a, b) in pairs {
                black_box(triangle_pair_point(a, b));
            }
        });
    });
    group.bench_with_input("closest points/disjoint", &disjoint, |bencher, pairs| {
        bencher.iter(|| {
            for (a, b) in pairs {
                black_box(closest_points(a, b));
            }
        });
    });
    group.bench_with_input("within 0.1/disjoint", &disjoint, |bencher, pairs| {
        bencher.iter(|| {
            for (a, b) in pairs {
                black_box(triangles_within(a, b, 0.1));
            }
        });
    });
    group.bench_with_input("ray crossing/near", &disjoint, |bencher, pairs| {
        bencher.iter(|| {
            for (a, b) in pairs {
                black_box(ray_crossing(b[0], a));
            }
        });
    });
    group.finish();
}

trait MapBoth {
    fn map_both(self, map: impl Fn(Point) -> Point) -> Self;
}

impl MapBoth for (Triangle, Triangle) {
    fn map_both(self, map: impl Fn(Point) -> Point) -> Self {
        (self.0.map(&map), self.1.map(&map))
    }
}

/// `n` points of a circle in a slanted plane, by its rational parametrisation (no sines).
fn round_polygon(n: usize) -> Vec<Point> {
    (0..n)
        .map(|i| {
            let turns = 4.0 * i as f64 / n as f64;
            let t = turns.fract();
            let [x, y] = [(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)];
            let [x, y] = [[x, y], [-y, x], [-x, -y], [y, -x]][turns as usize];
            slanted(x, y)
        })
        .collect()
}

fn slanted(x: f64, y: f64) -> Point {
    [x, y, 0.25 * x - 0.5 * y]
}

fn point_in_polygon(c: &mut Criterion) {
    let mut group = c.benchmark_group("point in polygon");
    group.throughput(Throughput::Elements(CASES as u64));
    let points = cases(5, |r| slanted(1.2 * r.unit(), 1.2 * r.unit()), |_| true);
    for n in [4, 16, 64, 256, 1024] {
        let polygon = [round_polygon(n)];
        let projection = Projection::of(&polygon);
        let Some(convex) = ConvexPolygon::new(&polygon[0], projection) else { continue };
        group.bench_function(BenchmarkId::new("angles", n), |bencher| {
            bencher.iter(|| {
                for &p in &points {
                    black_box(projection.locate_by_angles(p, &polygon));
                }
            });
        });
        group.bench_function(BenchmarkId::new("one-shot", n), |bencher| {
            bencher.iter(|| {
                for &p in &points {
                    black_box(projection.locate_by_ray(p, &polygon));
                }
            });
        });
        group.bench_function(BenchmarkId::new("wedges", n), |bencher| {
            bencher.iter(|| {
                for &p in &points {
                    black_box(convex.locate_by_wedges(p));
                }
            });
        });
        group.bench_function(BenchmarkId::new("Fibonacci", n), |bencher| {
            bencher.iter(|| {
                for &p in &points {
                    black_box(convex.locate_by_fibonacci(p));
                }
            });
        });
    }
    group.finish();
}

/// The thesis's table of what the pre-checks decide, for points spread over a square so many
/// times as wide as the polygon.
#[allow(clippy::print_stdout)]
fn pre_check_shares(_: &mut Criterion) {
    println!("share of edges decided by pre-check (1) to (6), and computed:");
    for spread in [1.0, 3.0, 10.0] {
        let mut counts = [0u64; 7];
        for n in [3, 4, 5, 8] {
            let polygon = [round_polygon(n)];
            let projection = Projection::of(&polygon);
            let mut random = Random(n as u64);
            for _ in 0..100_000 {
                let p = slanted(spread * random.unit(), spread * random.unit());
                let q = projection.apply(p);
                for i in 0..n {
                    let edge = [polygon[0][i], polygon[0][(i + 1) % n]];
                    counts[deciding_rule(q, edge.map(|end| projection.apply(end)))] += 1;
                }
            }
        }
        let total: u64 = counts.iter().sum();
        let shares = counts.map(|count| format!("{:.2} %", 100.0 * count as f64 / total as f64));
        println!("  spread {spread:>2}: {}", shares.join("  "));
    }
}

/// The index of the first rule of `Projection::locate_by_ray` that decides an edge; 6 if it is
/// computed.
fn deciding_rule([x, y]: [f64; 2], edge: [[f64; 2]; 2]) -> usize {
    let rules: [fn(f64, f64) -> bool; 6] = [
        |right, _| right < 0.0,
        |_, up| up > 0.0,
        |_, up| up <= 0.0,
        |right, _| right > 0.0,
        |right, up| up > right,
        |right, up| -up > right,
    ];
    let decides = |rule: &fn(f64, f64) -> bool| edge.iter().all(|end| rule(end[0] - x, end[1] - y));
    rules.iter().position(decides).unwrap_or(6)
}

criterion_group!(benches, orientation, triangle_pairs, point_in_polygon, pre_check_shares);
criterion_main!(benches);
