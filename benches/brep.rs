//! Building half-edges and classifying, from a thousand faces to a million.
//!
//! Expected: constant nanoseconds a face (thesis 4.1.3: a naive search took 2.8 s at 1220 edges,
//! neighbour lists 40 ms). `cargo bench -p xcollide-benches --bench brep`.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rustc_hash::FxHashMap;
use std::hint::black_box;
use xcollide_brep::{Brep, Dcel, PolygonMesh};
use xcollide_fixtures::Random;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// A convex ball of about this many triangles: the faces of an octahedron, divided into k² each.
fn ball(faces: usize) -> PolygonMesh {
    let k = ((faces as f64 / 8.0).sqrt().round() as i32).max(1);
    let mut numbers = FxHashMap::default();
    let mut corners = Vec::new();
    let mut number = |x: i32, y: i32, z: i32| {
        *numbers.entry([x, y, z]).or_insert_with(|| {
            let point = [x, y, z].map(f64::from);
            let length = point.iter().map(|c| c * c).sum::<f64>().sqrt();
            corners.push(point.map(|c| c / length));
            corners.len() as u32 - 1
        })
    };
    let mut triangles = Vec::new();
    for octant in 0..8 {
        let sign = |axis: i32| if octant >> axis & 1 == 0 { 1 } else { -1 };
        let mirrored = sign(0) * sign(1) * sign(2) < 0;
        let mut corner = |x: i32, y: i32| number(sign(0) * x, sign(1) * y, sign(2) * (k - x - y));
        for (x, y) in (0..k).flat_map(|x| (0..k - x).map(move |y| (x, y))) {
            let [a, b, c] = [corner(x, y), corner(x + 1, y), corner(x, y + 1)];
            triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
            if x + y + 1 < k {
                let d = corner(x + 1, y + 1);
                triangles.push(if mirrored { [b, c, d] } else { [b, d, c] });
            }
        }
    }
    PolygonMesh::from_polygons(corners, triangles).unwrap_or_default()
}

/// The same faces in a random order, so that neighbours are far apart in memory.
fn shuffled(mesh: &PolygonMesh) -> PolygonMesh {
    let mut faces: Vec<Vec<u32>> =
        mesh.faces().map(|face| face.outer().iter().map(|corner| corner.0).collect()).collect();
    let mut random = Random::new(1);
    for last in (1..faces.len()).rev() {
        faces.swap(last, random.below(last + 1));
    }
    PolygonMesh::from_polygons(mesh.positions().to_vec(), faces).unwrap_or_default()
}

fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("brep");
    group.sample_size(10);
    for mesh in SIZES.map(ball) {
        let faces = mesh.face_count();
        let mixed = shuffled(&mesh);
        let dcel = Dcel::new(&mesh);
        let bytes = dcel.heap_bytes() as f64 / dcel.edge_count() as f64;
        group.throughput(Throughput::Elements(faces as u64));
        group.bench_function(
            BenchmarkId::new(format!("dcel ({bytes:.1} B an edge)"), faces),
            |b| {
                b.iter(|| Dcel::new(black_box(&mesh)));
            },
        );
        group.bench_function(BenchmarkId::new("dcel of shuffled faces", faces), |b| {
            b.iter(|| Dcel::new(black_box(&mixed)));
        });
        group.bench_function(
            BenchmarkId::new("pairs of sides by hashing, nothing else", faces),
            |b| {
                b.iter(|| pairs_by_hashing(black_box(&mesh)));
            },
        );
        group.bench_function(BenchmarkId::new("dcel and classification", faces), |b| {
            b.iter_batched(|| mesh.clone(), Brep::new, BatchSize::LargeInput);
        });
    }
    group.finish();
}

/// The naive search of thesis 4.1.3 at its size and four times that.
fn searching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edges");
    group.sample_size(10);
    for mesh in [813, 3_252].map(ball) {
        let edges = Dcel::new(&mesh).edge_count();
        group.throughput(Throughput::Elements(edges as u64));
        group.bench_function(BenchmarkId::new("naive search", edges), |b| {
            b.iter(|| edges_by_search(black_box(&mesh)));
        });
        group.bench_function(BenchmarkId::new("dcel", edges), |b| {
            b.iter(|| Dcel::new(black_box(&mesh)));
        });
    }
    group.finish();
}

fn sides(mesh: &PolygonMesh) -> impl Iterator<Item = [u32; 2]> + '_ {
    mesh.faces().flat_map(|face| {
        let corners = face.outer();
        (0..corners.len()).map(move |i| {
            let (from, to) = (corners[i].0, corners[(i + 1) % corners.len()].0);
            [from.min(to), from.max(to)]
        })
    })
}

/// Looks through the edges found so far for each new one.
fn edges_by_search(mesh: &PolygonMesh) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for side in sides(mesh) {
        if !edges.contains(&side) {
            edges.push(side);
        }
    }
    edges
}

/// By half-edge the one that last ran the same edge: a part of what the DCEL does.
fn pairs_by_hashing(mesh: &PolygonMesh) -> Vec<u32> {
    let mut last: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    last.reserve(mesh.corner_count() / 2);
    sides(mesh)
        .enumerate()
        .map(|(side, ends)| last.insert(ends, side as u32).unwrap_or(side as u32))
        .collect()
}

criterion_group!(benches, building, searching);
criterion_main!(benches);
