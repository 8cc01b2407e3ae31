//! Octrees and grids as the thesis measured them (Zachmann 1994, 5.4.4 and 5.5.2): references by
//! level, memory and time by depth and size, aligned against non-aligned boxes, and from how many
//! objects on a grid pays before exact tests. Prints Markdown tables.
//!
//! `cargo bench -p xcollide-benches --bench subdivision`. The set-up is the source's: 100 objects of
//! size 1³ fly about in a cube of 10³ (exact tests: tetrahedra in a cube of 5³). Times are medians
//! over the frames, memory is at the end, candidates are means.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Instant;

use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};
use xcollide_bounds::{Aabb, Obb};
use xcollide_broad::{
    AllPairs, Auto, Bounds, BroadPhase, Everything, Grid, GridSettings, Octree, Pairs, ProxyId,
    Volume,
};
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::{PolytopeKind, Random, polytope};

struct Body {
    pose: Pose,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

/// Objects that fly about in a cube, turned round at its walls.
struct Cage {
    side: f64,
    bodies: Vec<Body>,
}

impl Cage {
    fn new(count: usize, side: f64, turn: f64) -> Self {
        let mut random = Random::new(11);
        let body = |_| {
            let [x, y, z, w] = random.rotation();
            let at = [(); 3].map(|()| random.between(0.0, side));
            let turned = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
            let rotation = if turn > 0.0 { turned } else { UnitQuaternion::identity() };
            Body {
                pose: Pose::from_parts(Translation3::from(at), rotation),
                velocity: Vector3::from(random.direction()) * 0.05,
                spin: Vector3::from(random.direction()) * turn,
            }
        };
        Self { side, bodies: (0..count).map(body).collect() }
    }

    fn step(&mut self) {
        for Body { pose, velocity, spin } in &mut self.bodies {
            pose.rotation = UnitQuaternion::new(*spin) * pose.rotation;
            pose.translation.vector += *velocity;
            for axis in 0..3 {
                let at = pose.translation.vector[axis];
                if at < 0.5 {
                    velocity[axis] = velocity[axis].abs();
                } else if at > self.side - 0.5 {
                    velocity[axis] = -velocity[axis].abs();
                }
            }
        }
    }

    fn universe(&self) -> Aabb {
        Aabb::new([0.0; 3], [self.side; 3])
    }
}

/// The bounds of an object of the given half sides: its oriented box, and the aligned one around.
fn bounds(body: &Body, half: [f64; 3]) -> Bounds {
    let turn = body.pose.rotation.to_rotation_matrix();
    let axes = [0, 1, 2].map(|k| {
        let column = turn.matrix().column(k);
        [column[0], column[1], column[2]]
    });
    let at = body.pose.translation.vector;
    let corners = (0..8).map(|corner| {
        let sign = |k: usize| if corner >> k & 1 == 0 { half[k] } else { -half[k] };
        let point = at + turn * Vector3::new(sign(0), sign(1), sign(2));
        [point.x, point.y, point.z]
    });
    let corners: Vec<[f64; 3]> = corners.collect();
    Bounds::new(Aabb::from_points(corners.iter().copied())).oriented(Obb::with_axes(&corners, axes))
}

/// What one structure did with the objects of a cage.
struct Seen {
    microseconds: f64,
    kilobytes: f64,
    candidates: f64,
    moves: f64,
}

const FRAMES: usize = 1000;

fn play(broad: &mut dyn BroadPhase, mut cage: Cage, half: [f64; 3]) -> Seen {
    let id = |index: usize| ProxyId::new(index as u32, 0);
    for (index, body) in cage.bodies.iter().enumerate() {
        broad.insert(id(index), &bounds(body, half)).unwrap();
    }
    let mut pairs = Pairs::new();
    let mut times = Vec::new();
    let (mut candidates, mut moves) = (0, 0);
    for _ in 0..FRAMES {
        cage.step();
        let all: Vec<Bounds> = cage.bodies.iter().map(|body| bounds(body, half)).collect();
        let start = Instant::now();
        for (index, bounds) in all.iter().enumerate() {
            broad.update(id(index), bounds).unwrap();
        }
        broad.pairs(&Everything, &mut pairs);
        times.push(start.elapsed().as_secs_f64() * 1e6);
        candidates += broad.work().tests;
        moves += broad.work().moves;
    }
    times.sort_by(f64::total_cmp);
    Seen {
        microseconds: times[times.len() / 2],
        kilobytes: broad.bytes() as f64 / 1024.0,
        candidates: candidates as f64 / FRAMES as f64,
        moves: moves as f64 / FRAMES as f64,
    }
}

const CUBE: [f64; 3] = [0.5; 3];

fn octrees() {
    println!("Octree of a 10³ cube with 100 objects of size 1³ (5.4.4)\n");
    println!(
        "| depth | references at level 0, 1, … (%) | kB | changes a frame | candidates | µs |"
    );
    println!("|{}", "---|".repeat(6));
    for depth in 2..=6 {
        let cage = Cage::new(100, 10.0, 0.0);
        let mut octree = Octree::over_universe(&cage.universe(), depth);
        let seen = play(&mut octree, cage, CUBE);
        let levels = octree.finder().references_by_level();
        let all = levels.iter().sum::<usize>().max(1) as f64;
        let shares: Vec<String> =
            levels.iter().map(|&n| format!("{:.1}", 100.0 * n as f64 / all)).collect();
        println!(
            "| {depth} | {} | {:.0} | {:.0} | {:.0} | {:.1} |",
            shares.join(", "),
            seen.kilobytes,
            seen.moves,
            seen.candidates,
            seen.microseconds
        );
    }
    println!();
}

fn grid(size: usize, side: f64, universe: &Aabb) -> GridSettings {
    GridSettings::new().cell(side / size as f64).universe(universe)
}

fn grids() {
    println!("Grid of a 10³ cube with 100 objects of size 1³ (5.5.2): cells an axis\n");
    println!(
        "| size | simple, kB | doubly indexed, kB | simple, µs | doubly indexed, µs | candidates |"
    );
    println!("|{}", "---|".repeat(6));
    for size in [4, 8, 16, 32, 64] {
        let cage = || Cage::new(100, 10.0, 0.0);
        let settings = grid(size, 10.0, &cage().universe());
        let simple = play(&mut Grid::with(settings), cage(), CUBE);
        let indexed = play(&mut Grid::with(settings.indexed()), cage(), CUBE);
        println!(
            "| {size} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} |",
            simple.kilobytes,
            indexed.kilobytes,
            simple.microseconds,
            indexed.microseconds,
            simple.candidates
        );
    }
    println!(
        "\nAligned against non-aligned boxes: 100 turning boxes of 2 × 0.3 × 0.3 in a 10³ cube\n"
    );
    println!("| size | aligned, µs | stabbed, µs | aligned, candidates | stabbed, candidates |");
    println!("|{}", "---|".repeat(5));
    for size in [4, 8, 16, 32, 64] {
        let (cage, half) = (|| Cage::new(100, 10.0, 0.1), [1.0, 0.15, 0.15]);
        let settings = grid(size, 10.0, &cage().universe());
        let aligned = play(&mut Grid::with(settings), cage(), half);
        let stabbed = play(&mut Grid::with(settings.stabbed()), cage(), half);
        println!(
            "| {size} | {:.1} | {:.1} | {:.0} | {:.0} |",
            aligned.microseconds, stabbed.microseconds, aligned.candidates, stabbed.candidates
        );
    }
    let plain = play(&mut AllPairs::new(), Cage::new(100, 10.0, 0.1), [1.0, 0.15, 0.15]);
    let tight =
        play(&mut AllPairs::on(Volume::Oriented), Cage::new(100, 10.0, 0.1), [1.0, 0.15, 0.15]);
    println!(
        "| none | {:.1} | {:.1} | {:.0} | {:.0} |\n",
        plain.microseconds, tight.microseconds, plain.candidates, tight.candidates
    );
}

/// Microseconds a frame with exact tests of what a broad phase leaves; `None`: of all pairs.
fn with_exact_tests(count: usize, broad: Option<&mut dyn BroadPhase>) -> f64 {
    let model = Model::from_mesh(polytope(4, PolytopeKind::Ellipsoid, 3).unwrap()).unwrap();
    let mut cage = Cage::new(count, 5.0, 0.1);
    let id = |index: usize| ProxyId::new(index as u32, 0);
    let mut caches: Vec<PairCache> = (0..count * count).map(|_| PairCache::new()).collect();
    let hybrid = Hybrid::default();
    let mut broad = broad;
    for index in 0..count {
        if let Some(broad) = &mut broad {
            broad.insert(id(index), &Aabb::EMPTY.into()).unwrap();
        }
    }
    let mut pairs = Pairs::new();
    let mut times = Vec::new();
    for _ in 0..FRAMES / 5 {
        cage.step();
        // Half the size of the polytope is 1.
        let poses = cage.bodies.iter();
        let placed: Vec<Placed<'_>> =
            poses.map(|body| Placed::new(&model, &body.pose).unwrap()).collect();
        let start = Instant::now();
        let mut test = |a: usize, b: usize| {
            let cache = &mut caches[a * count + b];
            hybrid.test(placed[a], placed[b], &Query::new(), cache).is_collision()
        };
        let mut hits = 0;
        if let Some(broad) = &mut broad {
            for (index, placed) in placed.iter().enumerate() {
                broad.update(id(index), &placed.world_box().into()).unwrap();
            }
            broad.pairs(&Everything, &mut pairs);
            for pair in &pairs.overlapping {
                hits += usize::from(test(pair.a.index() as usize, pair.b.index() as usize));
            }
        } else {
            for a in 0..count {
                for b in a + 1..count {
                    hits += usize::from(test(a, b));
                }
            }
        }
        std::hint::black_box(hits);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn exact() {
    println!("With exact tests: tetrahedra in a 5³ cube, µs a frame (figure 5.22)\n");
    println!("| tetrahedra | no broad phase | all boxes | octree | grid of 8³ | default |");
    println!("|{}", "---|".repeat(6));
    for count in [10, 20, 50, 100, 200, 400] {
        let universe = Aabb::new([0.0; 3], [5.0; 3]);
        let mut all = AllPairs::new();
        let mut octree = Octree::new();
        let mut cells = Grid::with(grid(8, 5.0, &universe));
        let mut auto = Auto::new();
        let subjects: [Option<&mut dyn BroadPhase>; 5] =
            [None, Some(&mut all), Some(&mut octree), Some(&mut cells), Some(&mut auto)];
        let cells = subjects.map(|broad| format!("{:.1}", with_exact_tests(count, broad)));
        println!("| {count} | {} |", cells.join(" | "));
    }
    println!();
}

fn main() {
    octrees();
    grids();
    exact();
}
