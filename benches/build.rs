//! Hierarchies: build time and memory a triangle; parry3d's mesh in the same run.
//!
//! ```text
//! [XCOLLIDE_BENCH_LARGE=1] cargo bench -p xcollide-benches --bench build
//! ```
//!
//! A torus, a knot and a sphere together; all algorithms build once, then again, and so on. Figures
//! are medians. With `XCOLLIDE_BENCH_LARGE` also 500,000 and a million triangles. "All" threads are
//! those of rayon's default pool.
//!
//! Then `Model::moved` on models of 20,000 triangles with moved vertices, which refits prepared
//! data, in turns with preparing a new model; medians, also of the ratios.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::hint::black_box;
use std::time::Instant;

use parry3d_f64::math::Vector;
use parry3d_f64::shape::TriMesh;
use rayon::ThreadPool;
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_brep::PolygonMesh;
use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_bvh::classic::box_tree::{BoxTree, BoxTreeOptions};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree};
use xcollide_bvh::classic::patches::{PatchOptions, PatchTree};
use xcollide_bvh::wide::{CompactTree, WideOptions, WideTree};
use xcollide_narrow::classic::PatchTrees;
use xcollide_narrow::mesh::{BinaryTrees, BvhPair, Wide};
use xcollide_narrow::{Model, NarrowPhase};

/// A mesh in the forms in which builders take it.
struct Mesh {
    positions: Vec<[f64; 3]>,
    corners: Vec<[u32; 3]>,
    triangles: Vec<[[f64; 3]; 3]>,
}

impl Mesh {
    fn new(spec: &str) -> Self {
        let mesh = match xcollide_scenes::shape(spec) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{spec}: {error}"),
        };
        let positions = mesh.positions().to_vec();
        let triangulation = mesh.triangulate();
        let corners: Vec<[u32; 3]> =
            triangulation.triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
        let triangles = corners.iter().map(|t| t.map(|i| positions[i as usize])).collect();
        Self { positions, corners, triangles }
    }
}

/// One way to build.
struct Contestant {
    name: &'static str,
    /// Whether it can make use of several threads.
    parallel: bool,
    /// Builds, by all threads of the pool where that is wanted, and gives the bytes, where the library
    /// tells.
    build: fn(&Mesh, bool) -> Option<usize>,
}

fn bvh<V: BoundingVolume>(mesh: &Mesh, parallel: bool) -> Option<usize> {
    let tree: Result<Bvh<V>, _> = Builder::default().parallel(parallel).build(&mesh.triangles);
    black_box(tree.ok()).map(|tree| tree.bytes())
}

fn wide(mesh: &Mesh, options: WideOptions) -> Option<usize> {
    Some(black_box(WideTree::build(&mesh.positions, &mesh.corners, options)).bytes())
}

fn box_tree(mesh: &Mesh) -> Option<usize> {
    let tree = BoxTree::new(&mesh.triangles, &[], &BoxTreeOptions::default());
    black_box(tree.ok()).map(|tree| tree.bytes())
}

fn interval_tree(mesh: &Mesh) -> Option<usize> {
    let tree = IntervalTree::new(&mesh.triangles, IntervalSplit::default(), 1);
    black_box(tree.ok()).map(|tree| tree.bytes())
}

fn patches(mesh: &Mesh, parallel: bool) -> Option<usize> {
    let options = PatchOptions { parallel, ..PatchOptions::default() };
    let tree: Result<PatchTree, _> = PatchTree::build(&mesh.positions, &mesh.corners, &options);
    black_box(tree.ok()).map(|tree| tree.bytes())
}

/// Without the hierarchy's own bytes, which the library does not report.
fn parry(mesh: &Mesh) -> Option<usize> {
    let points = mesh.positions.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    black_box(TriMesh::new(points, mesh.corners.clone()).is_ok());
    None
}

/// What all of them are given.
fn input(mesh: &Mesh) -> usize {
    size_of_val(&*mesh.positions) + size_of_val(&*mesh.corners)
}

fn contestants() -> Vec<Contestant> {
    let one = |name, build| Contestant { name, parallel: false, build };
    let any = |name, build| Contestant { name, parallel: true, build };
    vec![
        any("wide", |mesh, _| wide(mesh, WideOptions::default())),
        any("wide, fast", |mesh, _| wide(mesh, WideOptions::fast())),
        any("wide, compact", |mesh, _| {
            let tree = CompactTree::build(&mesh.positions, &mesh.corners, WideOptions::default());
            Some(black_box(tree).bytes())
        }),
        any("obb-tree", bvh::<Obb>),
        any("aabb-tree", bvh::<Aabb>),
        any("kdop-tree, 18", bvh::<KDop<18>>),
        any("sphere-tree", bvh::<Sphere>),
        any("patches", patches),
        any("box-tree", |mesh, _| box_tree(mesh)),
        any("interval-tree", |mesh, _| interval_tree(mesh)),
        one("parry3d-f64 TriMesh", |mesh, _| parry(mesh)),
    ]
}

/// The medians of all contestants: nanoseconds a triangle by one thread and by all, and bytes.
type Figures = Vec<([Option<f64>; 2], Option<f64>)>;

/// Everybody builds all meshes of a size, by one thread and by all, and again.
fn measure(contestants: &[Contestant], size: usize, pools: &[ThreadPool; 2]) -> (Figures, f64) {
    let meshes =
        ["torus", "knot", "sphere"].map(|shape| Mesh::new(&format!("{shape}?faces={size}")));
    let count = meshes.iter().map(|mesh| mesh.corners.len()).sum::<usize>() as f64;
    // Large ones take long, and their times differ little.
    let passes = (300_000 / size).clamp(1, 21);
    let mut times = vec![[Vec::new(), Vec::new()]; contestants.len()];
    let mut bytes = vec![None; contestants.len()];
    for _ in 0..passes {
        for (i, contestant) in contestants.iter().enumerate() {
            for (threads, pool) in pools.iter().enumerate() {
                let all = threads == 1;
                if all && !contestant.parallel {
                    continue;
                }
                let began = Instant::now();
                let taken = pool.install(|| {
                    // All first: the sum would end at the first one whose bytes are not known.
                    let each = meshes.each_ref().map(|mesh| (contestant.build)(mesh, all));
                    each.into_iter().sum::<Option<usize>>()
                });
                times[i][threads].push(began.elapsed().as_nanos() as f64 / count);
                bytes[i] = taken.map(|taken| taken as f64 / count);
            }
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let figures = times.iter_mut().map(|both| both.each_mut().map(median)).zip(bytes).collect();
    (figures, meshes.iter().map(input).sum::<usize>() as f64 / count)
}

/// Prints what new versions of models take: nanoseconds a triangle, and by how much less it is than
/// for a new model.
fn versions(single: &ThreadPool) -> Result<(), Box<dyn std::error::Error>> {
    const PASSES: usize = 7;
    let algorithms: [Box<dyn NarrowPhase>; 9] = [
        Box::new(Wide::new()),
        Box::new(BvhPair::<CompactTree>::new()),
        Box::new(BinaryTrees::<Obb>::new()),
        Box::new(BinaryTrees::<Aabb>::new()),
        Box::new(BinaryTrees::<KDop<18>>::new()),
        Box::new(BinaryTrees::<Sphere>::new()),
        Box::new(PatchTrees::new()),
        Box::new(BvhPair::<BoxTree>::new()),
        Box::new(BvhPair::<IntervalTree>::new()),
    ];
    println!(
        "\nNanoseconds, a triangle, for a model whose vertices have moved; 20k, one thread:\n"
    );
    println!("| | new and prepared | `moved` | ratio |\n|---|---|---|---|");
    let mesh = xcollide_scenes::shape("torus?faces=20000")?;
    let faces = mesh.face_count() as f64;
    for algorithm in algorithms {
        let new = |mesh: &PolygonMesh| -> Result<Model, Box<dyn std::error::Error + Send + Sync>> {
            let model = Model::from_mesh(mesh.clone())?;
            algorithm.prepare(&model)?;
            Ok(model)
        };
        let mut model = new(&mesh).map_err(|error| error.to_string())?;
        let mut figures: [Vec<f64>; 3] = Default::default();
        for pass in 0..PASSES {
            // To and fro: it bends, and bends back.
            let bend = [0.1, -0.1][pass % 2];
            let bent = |[x, y, z]: [f64; 3]| [x, y, z + bend * x * x];
            let positions: Vec<_> = model.mesh().positions().iter().map(|&p| bent(p)).collect();
            let moved = model.mesh().moved(positions.clone())?;
            let began = Instant::now();
            black_box(single.install(|| new(&moved)).map_err(|error| error.to_string())?);
            let of_new = began.elapsed().as_nanos() as f64 / faces;
            let began = Instant::now();
            model = black_box(single.install(|| model.moved(positions))?);
            let of_moved = began.elapsed().as_nanos() as f64 / faces;
            let all = [of_new, of_moved, of_new / of_moved];
            figures.iter_mut().zip(all).for_each(|(list, figure)| list.push(figure));
        }
        let [of_new, of_moved, ratio] = figures.map(|mut list| {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        });
        println!("| {} | {of_new:.0} | {of_moved:.0} | {ratio:.1} |", algorithm.name());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sizes = vec![1_000, 20_000, 100_000];
    if std::env::var_os("XCOLLIDE_BENCH_LARGE").is_some() {
        sizes.extend([500_000, 1_000_000]);
    }
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [pool(1)?, pool(0)?];
    let contestants = contestants();
    let mut columns = Vec::new();
    for &size in &sizes {
        eprintln!("{size}");
        columns.push(measure(&contestants, size, &pools));
    }
    let titles: Vec<String> = sizes.iter().map(|size| format!("{}k", size / 1000)).collect();
    let titles = titles.join(" | ");
    let rule = "---|".repeat(sizes.len());
    let all = pools[1].current_num_threads();
    println!("Nanoseconds a triangle by one thread, by all {all}, and bytes a triangle:\n");
    println!("| | {titles} | all: {} | bytes |", titles.replace("| ", "| all: "));
    println!("|---|{rule}{rule}---|");
    let cell = |value: Option<f64>, digits: usize| {
        value.map_or(String::new(), |value| format!("{value:.digits$}"))
    };
    for (i, contestant) in contestants.iter().enumerate() {
        let by = |threads: usize| {
            let cells = columns.iter().map(|(figures, _)| cell(figures[i].0[threads], 0));
            cells.collect::<Vec<_>>().join(" | ")
        };
        let bytes = columns.last().and_then(|(figures, _)| figures[i].1);
        println!("| {} | {} | {} | {} |", contestant.name, by(0), by(1), cell(bytes, 1));
    }
    let input = columns.last().map(|(_, input)| *input);
    let none = " |".repeat(2 * sizes.len());
    println!("| what they are given: positions and corners |{none} {} |", cell(input, 1));
    versions(&pools[0])
}
