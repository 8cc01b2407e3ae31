//! Bounding volumes: time to fit, to move and to test.
//!
//! Which volume pays depends on cost and tightness (slides, cost model T = Nv Cv + Np Cp). The test
//! with the moved volume is what a hierarchy does per pair of nodes. `cargo bench -p
//! xcollide-benches --bench bounds`.
#![allow(clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_fixtures::Random;
use xcollide_math::Pose;

type Triangle = [[f64; 3]; 3];

/// Patches of a wavy surface, of this many triangles each.
fn patches(count: usize, triangles: usize) -> Vec<Vec<Triangle>> {
    let mut generator = Random::new(1);
    let mut random = || generator.unit();
    let mut patch = || -> Vec<Triangle> {
        let center = [random(), random(), random()].map(|x| 3.0 * x);
        let slope = [random() - 0.5, random() - 0.5];
        let mut point = || {
            let [x, y] = [random(), random()];
            let bump = 0.1 * x * y;
            [center[0] + x, center[1] + y, center[2] + slope[0] * x + slope[1] * y + bump]
        };
        (0..triangles).map(|_| [point(), point(), point()]).collect()
    };
    (0..count).map(|_| patch()).collect()
}

fn turn() -> Pose {
    let rows = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]];
    Pose::from_matrix(rows, [0.3, -0.2, 0.5]).unwrap()
}

fn costs<V: BoundingVolume>(criterion: &mut Criterion, name: &str) {
    let mut group = criterion.benchmark_group("volume");
    let id = |what: &str| BenchmarkId::new(name, what);
    group.bench_function(id("prepare"), |bencher| {
        bencher.iter(|| V::prepare(black_box(&turn()), 0.0));
    });
    for triangles in [1, 100] {
        let patches = patches(16, triangles);
        group.throughput(Throughput::Elements(16));
        group.bench_function(id(&format!("fit {triangles}")), |bencher| {
            bencher.iter(|| {
                for patch in &patches {
                    black_box(V::fit_triangles(patch));
                }
            });
        });
    }
    let volumes: Vec<V> = patches(128, 4).iter().map(|patch| V::fit_triangles(patch)).collect();
    let prepared = V::prepare(&turn(), 1e-12);
    let pairs = || volumes.iter().zip(volumes.iter().rev());
    group.throughput(Throughput::Elements(128));
    group.bench_function(id("overlap"), |bencher| {
        bencher.iter(|| pairs().filter(|(a, b)| a.overlaps(b)).count());
    });
    group.bench_function(id("move and overlap"), |bencher| {
        bencher.iter(|| pairs().filter(|(a, b)| a.overlaps(&b.moved(&prepared))).count());
    });
    group.bench_function(id("merge"), |bencher| {
        bencher.iter(|| {
            for (a, b) in pairs() {
                black_box(a.merged(b));
            }
        });
    });
    group.bench_function(id("surface"), |bencher| {
        bencher.iter(|| volumes.iter().map(V::surface).sum::<f64>());
    });
    group.finish();
}

fn bounds(criterion: &mut Criterion) {
    costs::<Aabb>(criterion, "aabb");
    costs::<Sphere>(criterion, "sphere");
    costs::<KDop<14>>(criterion, "dop14");
    costs::<KDop<18>>(criterion, "dop18");
    costs::<KDop<26>>(criterion, "dop26");
    costs::<Obb>(criterion, "obb");
}

criterion_group!(benches, bounds);
criterion_main!(benches);
