//! The wide hierarchy against parry3d's trees descended together (`leaf_pairs`, its fastest way),
//! on the same meshes and poses in the same run; warm.
//!
//! Each figure is the time of a set of queries "do they meet?", `elements` of them: pairs of equal
//! meshes, turned at random, at 0.1–1 % of their size apart (`near`), as deep in each other
//! (`touching`), or at 40–85 % of the distance of contact (`overlapping`). parry's answer differs
//! from the exact one in rare cases of nearly touching triangles; that costs neither of them time.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::TriMesh;
use xcollide_bounds::Motion;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Poses, Random};
use xcollide_tree::wide::{self, Fit, Traversal, WideOptions, WidePlaced, WideTree};

struct Mesh {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    tree: WideTree,
    parry: TriMesh,
}

impl Mesh {
    fn new(spec: &str) -> Self {
        let (positions, triangles) = triangles(spec);
        let tree = WideTree::build(&positions, &triangles, WideOptions::default());
        let points = positions.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
        let parry = match TriMesh::new(points, triangles.clone()) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{spec}: {error}"),
        };
        Self { positions, triangles, tree, parry }
    }

    fn world(&self, motion: &Motion, triangle: u32) -> [[f64; 3]; 3] {
        self.triangles[triangle as usize]
            .map(|corner| motion.apply(self.positions[corner as usize]))
    }
}

fn triangles(spec: &str) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mesh = match xcollide_scenes::shape(spec) {
        Ok(mesh) => mesh,
        Err(error) => panic!("{spec}: {error}"),
    };
    let triangulation = mesh.triangulate();
    let corners = |t: &[_; 3]| t.map(|vertex: xcollide_brep::VertexId| vertex.index() as u32);
    (mesh.positions().to_vec(), triangulation.triangles().iter().map(corners).collect())
}

/// Where the second mesh is; the first is at the origin.
struct Placement {
    motion: Motion,
    parry: ParryPose,
}

impl Placement {
    fn new([x, y, z, w]: [f64; 4], translation: [f64; 3]) -> Self {
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [tx, ty, tz] = translation;
        Self {
            motion: Motion::new(rotation, translation),
            parry: ParryPose::from_parts(Vector::new(tx, ty, tz), Rotation::from_xyzw(x, y, z, w)),
        }
    }
}

fn ours(a: &Mesh, b: &Mesh, placement: &Placement, traversal: &mut Traversal) -> bool {
    let (here, there) = (Motion::IDENTITY, placement.motion);
    wide::first_hit(
        WidePlaced { tree: &a.tree, motion: here },
        WidePlaced { tree: &b.tree, motion: there },
        traversal,
        |s, t| triangles_intersect(&a.world(&here, s), &b.world(&there, t)),
    )
    .is_some()
}

fn parrys(a: &TriMesh, b: &TriMesh, ab: &ParryPose) -> bool {
    let axes = [Vector::X, Vector::Y, Vector::Z].map(|axis| (ab.rotation * axis).abs());
    let close = |n: &BvhNode, m: &BvhNode| {
        let half = (m.maxs() - m.mins()) * 0.5;
        let center = ab.rotation * m.center() + ab.translation;
        let half = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
        n.aabb().intersects(&Aabb::new(center - half, center + half))
    };
    a.bvh()
        .leaf_pairs(b.bvh(), close)
        .any(|(s, t)| intersection_test_support_map_support_map(ab, &a.triangle(s), &b.triangle(t)))
}

/// The distance along a direction at which the second mesh, coming from afar, first meets.
fn contact(a: &Mesh, b: &Mesh, q: [f64; 4], way: [f64; 3], traversal: &mut Traversal) -> f64 {
    let mut meet = |x: f64| ours(a, b, &Placement::new(q, way.map(|k| k * x)), traversal);
    let mut low = 4.0;
    while low > 0.0 && !meet(low) {
        low -= 0.01;
    }
    let mut high = low + 0.01;
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if meet(middle) { low = middle } else { high = middle }
    }
    low
}

/// A name and queries: which mesh against which, placed how.
type Family = (&'static str, Vec<(usize, usize, Placement)>);

/// Poses of the three families.
fn families(meshes: &[Mesh]) -> [Family; 3] {
    const QUERIES: usize = 24;
    let (mut poses, mut random) = (Poses::new(42), Random::new(43));
    let mut traversal = Traversal::new();
    let mut families = [("near", vec![]), ("touching", vec![]), ("overlapping", vec![])];
    for i in 0..QUERIES {
        let (s, t) = (i % meshes.len(), (i / meshes.len()) % meshes.len());
        let (q, way) = (poses.rotation(), poses.direction());
        let touching = contact(&meshes[s], &meshes[t], q, way, &mut traversal);
        let gap = 2.5 * random.between(0.001, 0.01);
        let distances = [touching + gap, touching - gap, touching * random.between(0.4, 0.85)];
        for (family, distance) in families.iter_mut().zip(distances) {
            family.1.push((s, t, Placement::new(q, way.map(|k| k * distance))));
        }
    }
    families
}

fn queries(criterion: &mut Criterion) {
    for size in [1_000, 20_000, 100_000] {
        let meshes: Vec<_> = ["torus", "knot", "sphere"]
            .map(|shape| Mesh::new(&format!("{shape}?faces={size}")))
            .into();
        for (family, poses) in families(&meshes) {
            let mut group = criterion.benchmark_group(format!("wide/{family}"));
            group.throughput(Throughput::Elements(poses.len() as u64));
            for (name, mut traversal) in
                [("8-wide OBB", Traversal::new()), ("8-wide OBB, portable", Traversal::portable())]
            {
                group.bench_function(BenchmarkId::new(name, size), |bencher| {
                    bencher.iter(|| {
                        for (s, t, placement) in &poses {
                            black_box(ours(&meshes[*s], &meshes[*t], placement, &mut traversal));
                        }
                    });
                });
            }
            group.bench_function(BenchmarkId::new("parry3d leaf_pairs", size), |bencher| {
                bencher.iter(|| {
                    for (s, t, placement) in &poses {
                        black_box(parrys(&meshes[*s].parry, &meshes[*t].parry, &placement.parry));
                    }
                });
            });
            group.finish();
        }
    }
}

/// A sphere in another, 0.1 % of its radius from it everywhere.
fn conforming(criterion: &mut Criterion) {
    let meshes = [1.0, 0.999].map(|r| Mesh::new(&format!("sphere?faces=20000&radius={r}")));
    let placement = Placement::new([0.6, 0.0, 0.0, 0.8], [0.0002, 0.0001, 0.0]);
    let mut group = criterion.benchmark_group("wide/conforming");
    let mut traversal = Traversal::new();
    group.sample_size(10);
    group.bench_function("8-wide OBB", |bencher| {
        bencher.iter(|| black_box(ours(&meshes[0], &meshes[1], &placement, &mut traversal)));
    });
    group.bench_function("parry3d leaf_pairs", |bencher| {
        bencher.iter(|| {
            black_box(parrys(&meshes[0].parry, &meshes[1].parry, &placement.parry));
        });
    });
    group.finish();
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wide/build");
    group.sample_size(10);
    for size in [1_000, 100_000] {
        let (positions, triangles) = triangles(&format!("knot?faces={size}"));
        group.throughput(Throughput::Elements(triangles.len() as u64));
        for (name, fit) in [("smallest boxes", Fit::Smallest), ("principal axes", Fit::Principal)] {
            let options = WideOptions { fit };
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| black_box(WideTree::build(&positions, &triangles, options)));
            });
        }
        let points: Vec<_> = positions.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
        group.bench_function(BenchmarkId::new("parry3d TriMesh", size), |bencher| {
            bencher.iter(|| black_box(TriMesh::new(points.clone(), triangles.clone()).is_ok()));
        });
    }
    group.finish();
}

criterion_group!(benches, queries, conforming, build);
criterion_main!(benches);
