//! Moving pairs, frame after frame: the wide hierarchy with and without its temporal front, and
//! parry3d's trees descended together (`leaf_pairs`), on the same meshes and poses in the same run.
//!
//! Each figure is the time of all frames of three sequences, `elements` of them. In every frame the
//! second mesh turns and slides along the first one by the given part of its size, half of it each,
//! and is then put at a gap of 0.5 % of its size (`near`), as deep as 0.1 % (`touching`), or in turn
//! apart and in contact (`in and out`). So the motion that counts is a little larger than stated where the
//! surfaces are bumpy. `cargo bench -p xcollide-benches --bench coherent`, about two minutes;
//! `COHERENT_TABLE=1` with it prints the table of `docs/benchmarks.md` instead: medians of
//! interleaved passes.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::TriMesh;
use xcollide_bounds::Motion;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::Poses;
use xcollide_tree::wide::{self, TemporalFront, Traversal, WideOptions, WidePlaced, WideTree};

const FACES: usize = 20_000;
const FRAMES: usize = 150;
const MOTIONS: [f64; 5] = [0.0001, 0.001, 0.004, 0.01, 0.05];
const FAMILIES: [&str; 3] = ["near", "touching", "in and out"];

struct Mesh {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    tree: WideTree,
    parry: TriMesh,
    /// Twice the largest distance from the origin.
    size: f64,
}

impl Mesh {
    fn new(spec: &str) -> Self {
        let mesh = match xcollide_scenes::shape(spec) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{spec}: {error}"),
        };
        let triangulation = mesh.triangulate();
        let corners = |t: &[_; 3]| t.map(|vertex: xcollide_brep::VertexId| vertex.index() as u32);
        let triangles: Vec<_> = triangulation.triangles().iter().map(corners).collect();
        let positions = mesh.positions().to_vec();
        let points = positions.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
        let parry = match TriMesh::new(points, triangles.clone()) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{spec}: {error}"),
        };
        let square = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
        let size = 2.0 * positions.iter().map(square).fold(0.0, f64::max).sqrt();
        let tree = WideTree::build(&positions, &triangles, WideOptions::default());
        Self { positions, triangles, tree, parry, size }
    }

    fn world(&self, motion: &Motion, triangle: u32) -> [[f64; 3]; 3] {
        self.triangles[triangle as usize]
            .map(|corner| motion.apply(self.positions[corner as usize]))
    }
}

/// Where the second mesh is; the first is at the origin.
struct Frame {
    motion: Motion,
    parry: ParryPose,
}

impl Frame {
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

/// Two meshes and how they move.
struct Sequence<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    frames: Vec<Frame>,
}

fn fresh(a: &Mesh, b: &Mesh, frame: &Frame, traversal: &mut Traversal) -> bool {
    let (here, there) = (Motion::IDENTITY, frame.motion);
    wide::first_hit(
        WidePlaced { tree: &a.tree, motion: here },
        WidePlaced { tree: &b.tree, motion: there },
        traversal,
        |s, t| triangles_intersect(&a.world(&here, s), &b.world(&there, t)),
    )
    .is_some()
}

fn coherent(
    a: &Mesh,
    b: &Mesh,
    frame: &Frame,
    traversal: &mut Traversal,
    front: &mut TemporalFront,
) -> bool {
    let (here, there) = (Motion::IDENTITY, frame.motion);
    let exact = |s, t| {
        if triangles_intersect(&a.world(&here, s), &b.world(&there, t)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let (x, y) =
        (WidePlaced { tree: &a.tree, motion: here }, WidePlaced { tree: &b.tree, motion: there });
    let world = |s, t| [a.world(&here, s), b.world(&there, t)];
    front.search(x, y, traversal, &mut (), exact, world).is_break()
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

/// The distance along a direction at which the second mesh, coming from `from`, first meets.
fn contact(a: &Mesh, b: &Mesh, q: [f64; 4], way: [f64; 3], from: f64) -> f64 {
    let mut traversal = Traversal::new();
    let mut meet = |x: f64| fresh(a, b, &Frame::new(q, way.map(|k| k * x)), &mut traversal);
    let mut low = from;
    while low > 0.0 && !meet(low) {
        low -= 0.002 * b.size;
    }
    let mut high = low + 0.002 * b.size;
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if meet(middle) { low = middle } else { high = middle }
    }
    low
}

/// How far apart the meshes of a family are in a frame, in sizes.
fn gap(family: &str, frame: usize) -> f64 {
    match family {
        "near" => 0.005,
        "touching" => -0.001,
        _ => [0.001, 0.002, 0.001, -0.001, -0.002, -0.001][frame / 4 % 6],
    }
}

fn sequences<'a>(meshes: &'a [Mesh; 3], family: &str, motion: f64) -> Vec<Sequence<'a>> {
    (0..3)
        .map(|i| {
            let (a, b) = (&meshes[i], &meshes[(i + 1) % 3]);
            let mut poses = Poses::new(40 + i as u64);
            let (mut rotation, mut way) = (poses.rotation(), poses.direction());
            let (axis, slide) = (poses.direction(), poses.direction());
            let mut distance = contact(a, b, rotation, way, 2.0 * b.size);
            let frames = (0..FRAMES).map(|frame| {
                rotation = turned(rotation, axis, motion);
                let along = |k: usize| way[k] + slide[k] * motion * 0.5 * b.size / distance;
                way = normalized([along(0), along(1), along(2)]);
                let from = distance + (3.0 * motion + 0.01) * b.size;
                distance = contact(a, b, rotation, way, from);
                let at = distance + gap(family, frame) * b.size;
                Frame::new(rotation, way.map(|x| x * at))
            });
            Sequence { a, b, frames: frames.collect() }
        })
        .collect()
}

/// The rotation after a small turn about an axis.
fn turned([p, q, r, s]: [f64; 4], axis: [f64; 3], angle: f64) -> [f64; 4] {
    let [x, y, z] = axis.map(|k| k * 0.5 * angle);
    let w = (1.0 - 0.25 * angle * angle).sqrt();
    normalized([
        w * p + x * s + y * r - z * q,
        w * q - x * r + y * s + z * p,
        w * r + x * q - y * p + z * s,
        w * s - x * p - y * q - z * r,
    ])
}

fn normalized<const N: usize>(v: [f64; N]) -> [f64; N] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

fn meshes() -> [Mesh; 3] {
    ["torus", "knot", "sphere"].map(|shape| Mesh::new(&format!("{shape}?faces={FACES}")))
}

fn moving(criterion: &mut Criterion) {
    let meshes = meshes();
    for family in FAMILIES {
        let mut group = criterion.benchmark_group(format!("coherent/{family}"));
        group.sample_size(20);
        for motion in MOTIONS {
            let sequences = sequences(&meshes, family, motion);
            group.throughput(Throughput::Elements((sequences.len() * FRAMES) as u64));
            for (name, pass) in PASSES {
                group.bench_function(BenchmarkId::new(name, motion), |bencher| {
                    let mut state = State::default();
                    bencher.iter(|| pass(&sequences, &mut state));
                });
            }
        }
        group.finish();
    }
}

/// What passes use again; a front for each sequence.
#[derive(Default)]
struct State {
    traversal: Traversal,
    fronts: [TemporalFront; 3],
}

type Pass = fn(&[Sequence<'_>], &mut State) -> usize;

/// Each gives the number of frames in contact.
const PASSES: [(&str, Pass); 3] = [
    ("8-wide OBB", |sequences, state| {
        let frames = sequences.iter().flat_map(|s| s.frames.iter().map(move |frame| (s, frame)));
        frames.filter(|(s, frame)| black_box(fresh(s.a, s.b, frame, &mut state.traversal))).count()
    }),
    ("8-wide OBB, temporal front", |sequences, state| {
        let State { traversal, fronts } = state;
        let hits = sequences.iter().zip(fronts).map(|(s, front)| {
            let hit = |frame: &&Frame| black_box(coherent(s.a, s.b, frame, traversal, front));
            s.frames.iter().filter(hit).count()
        });
        hits.sum()
    }),
    ("parry3d leaf_pairs", |sequences, _| {
        let frames = sequences.iter().flat_map(|s| s.frames.iter().map(move |frame| (s, frame)));
        frames.filter(|(s, f)| black_box(parrys(&s.a.parry, &s.b.parry, &f.parry))).count()
    }),
];

/// The table for the documents: medians of passes that take turns.
#[allow(clippy::print_stdout, reason = "a table to be copied")]
fn table() {
    let meshes = meshes();
    println!(
        "| µs a frame | motion | fresh | temporal front | ratio | parry `leaf_pairs` | front against parry |"
    );
    println!("|---|---|---|---|---|---|---|");
    for family in FAMILIES {
        for motion in MOTIONS {
            let sequences = sequences(&meshes, family, motion);
            let mut states = [(); 3].map(|()| State::default());
            let mut times = [const { Vec::new() }; 3];
            let mut hits = [0; 3];
            for round in 0..30 {
                for (i, (_, pass)) in PASSES.iter().enumerate() {
                    if i == 2 && round % 10 != 0 {
                        continue;
                    }
                    let start = Instant::now();
                    hits[i] = pass(&sequences, &mut states[i]);
                    times[i].push(start.elapsed().as_secs_f64() * 1e6);
                }
            }
            assert_eq!(hits[0], hits[1], "a front never changes an answer");
            let frames = (sequences.len() * FRAMES) as f64;
            let [fresh, front, parry] = times.map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[times.len() / 2] / frames
            });
            println!(
                "| {family} | {:.2} % | {fresh:.2} | {front:.2} | {:.2} | {parry:.1} | {:.0} |",
                100.0 * motion,
                fresh / front,
                parry / front
            );
        }
    }
}

criterion_group!(benches, moving);

fn main() {
    if std::env::var_os("COHERENT_TABLE").is_some() {
        table();
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
