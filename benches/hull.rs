//! Convex hulls, triangulation and repair: preparation of a mesh.
//!
//! Expected: hulls take n log n also if all points are vertices (sphere) or thousands are coplanar
//! (grid). `cargo bench -p xcollide-benches --bench hull`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use xcollide_brep::{ConvexHull, PolygonMesh, RepairOptions, repair};
use xcollide_fixtures::Random;

/// Makes about so many points.
type Cloud = fn(usize) -> Vec<[f64; 3]>;

fn cube(points: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(1);
    (0..points).map(|_| [random.unit(), random.unit(), random.unit()]).collect()
}

fn sphere(points: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(2);
    let ball = std::iter::repeat_with(|| {
        [random.unit(), random.unit(), random.unit()].map(|x| 2.0 * x - 1.0)
    });
    ball.map(|p| (p, p.iter().map(|x| x * x).sum::<f64>()))
        .filter(|(_, length_squared)| (0.01..1.0).contains(length_squared))
        .map(|(p, length_squared)| p.map(|x| x / length_squared.sqrt()))
        .take(points)
        .collect()
}

/// Whole numbers, sheared: six faces full of points.
fn grid(points: usize) -> Vec<[f64; 3]> {
    let side = (points as f64).cbrt().round() as usize;
    (0..side * side * side)
        .map(|i| [i % side, i / side % side, i / side / side].map(|x| x as f64))
        .map(|[x, y, z]| [x + 2.0 * y, y - z, z + 3.0 * x])
        .collect()
}

/// A wavy sheet of quadrilaterals, each with vertices of its own.
fn loose_quads(faces: usize) -> PolygonMesh {
    let side = (faces as f64).sqrt().round() as usize;
    let height = |x: usize, y: usize| ((x * 7 + y * 13) % 11) as f64 / 20.0;
    let at = |x: usize, y: usize| [x as f64, y as f64, height(x, y)];
    let corners = (0..side * side)
        .map(|i| (i % side, i / side))
        .flat_map(|(x, y)| [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]);
    let quads = (0..(side * side) as u32).map(|i| [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    PolygonMesh::from_polygons(corners.collect(), quads).unwrap_or_default()
}

fn hulls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hull");
    group.sample_size(10);
    let clouds: [(&str, Cloud); 3] = [("cube", cube), ("sphere", sphere), ("grid", grid)];
    for (name, cloud) in clouds {
        for points in [1_000, 10_000, 100_000].map(cloud) {
            group.throughput(Throughput::Elements(points.len() as u64));
            group.bench_with_input(BenchmarkId::new(name, points.len()), &points, |b, points| {
                b.iter(|| ConvexHull::of(black_box(points)));
            });
        }
    }
    group.finish();
}

fn preparing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("prepare");
    group.sample_size(10);
    for mesh in [10_000, 500_000].map(loose_quads) {
        let faces = mesh.face_count();
        group.throughput(Throughput::Elements(faces as u64));
        group.bench_with_input(BenchmarkId::new("triangulate", faces), &mesh, |b, mesh| {
            b.iter(|| black_box(mesh).triangulate());
        });
        group.bench_with_input(BenchmarkId::new("repair", faces), &mesh, |b, mesh| {
            b.iter(|| repair(black_box(mesh), &RepairOptions::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, hulls, preparing);
criterion_main!(benches);
