//! Broad phases on the same moving boxes, frame by frame in turn, beside parry's `Bvh` and rapier's
//! `BroadPhaseBvh`; prints the tables of `docs/benchmarks.md`.
//!
//! `cargo bench -p xcollide-benches --bench broad [-- SIZES [NAMES [CROWDS]]]`, such as
//! `1000,10000 hash-grid,parry-refit Moving`. A figure is the median time of a frame in milliseconds: giving every
//! moved box its new bounds, finding the pairs and, for ours, putting them in order and comparing
//! them with those of the frame before. parry's and rapier's own pairs have no order. Every frame,
//! all of ours must have the same pairs, and parry as many.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::time::Instant;

use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rapier3d_f64::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder, ColliderHandle,
    ColliderSet, IntegrationParameters, RigidBodySet,
};
use xcollide_bounds::Aabb;
use xcollide_broad::{
    Bounds, BroadPhase, Everything, HashGrid, Mobility, Pairs, ProxyId, catalogue,
};
use xcollide_scenes::Random;

/// A kind of crowd, by the columns of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Crowd {
    /// Every box moves by 1 to 10 % of its size a frame; the boxes fill 10 % of space.
    Moving,
    /// The same, but nine of ten stand still.
    MostlyStatic,
    /// Sizes spread evenly, by their logarithm, from 1 to 64; they fill 50 % of space.
    Sizes,
}

struct World {
    boxes: Vec<Aabb>,
    velocities: Vec<[f64; 3]>,
    is_static: Vec<bool>,
    side: f64,
}

impl World {
    fn new(count: usize, crowd: Crowd) -> Self {
        let mut random = Random::new(count as u64 + 17);
        let mut sizes: Vec<[f64; 3]> =
            (0..count).map(|_| [(); 3].map(|()| random.between(0.5, 1.5))).collect();
        if crowd == Crowd::Sizes {
            for size in &mut sizes {
                let octaves = random.between(0.0, 6.0);
                let factor = 0.25 * f64::from(1 << octaves as u32) * (1.0 + octaves.fract());
                *size = size.map(|side| side * factor);
            }
        }
        let filled = if crowd == Crowd::Sizes { 0.5 } else { 0.1 };
        let volume: f64 = sizes.iter().map(|[x, y, z]| x * y * z).sum();
        let side = (volume / filled).cbrt();
        let boxes = sizes.iter().map(|size| {
            let low = size.map(|extent| random.between(0.0, side) - 0.5 * extent);
            Aabb::new(low, [0, 1, 2].map(|axis| low[axis] + size[axis]))
        });
        let boxes: Vec<Aabb> = boxes.collect();
        let velocities = (0..count).map(|_| {
            let way = [(); 3].map(|()| random.between(-1.0, 1.0));
            let length = way.iter().map(|x| x * x).sum::<f64>().sqrt().max(0.1);
            let speed = random.between(0.01, 0.1) / length;
            way.map(|x| x * speed)
        });
        let velocities = velocities.collect();
        let share = if crowd == Crowd::MostlyStatic { 0.9 } else { 0.0 };
        let is_static = (0..count).map(|_| random.between(0.0, 1.0) < share).collect();
        Self { boxes, velocities, is_static, side }
    }

    /// Moves what moves, and turns it round at the walls.
    fn step(&mut self) {
        for ((aabb, velocity), &is_static) in
            self.boxes.iter_mut().zip(&mut self.velocities).zip(&self.is_static)
        {
            if is_static {
                continue;
            }
            for axis in 0..3 {
                let middle = 0.5 * (aabb.min[axis] + aabb.max[axis]);
                if middle < 0.0 {
                    velocity[axis] = velocity[axis].abs();
                } else if middle > self.side {
                    velocity[axis] = -velocity[axis].abs();
                }
                aabb.min[axis] += velocity[axis];
                aabb.max[axis] += velocity[axis];
            }
        }
    }

    fn moved(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.boxes.len()).filter(|&index| !self.is_static[index])
    }

    fn bounds(&self, index: usize) -> Bounds {
        let still = self.is_static[index];
        let mobility = if still { Mobility::Static } else { Mobility::Moving };
        Bounds::new(self.boxes[index]).mobility(mobility)
    }
}

/// Something that is told of the boxes every frame and says how many pairs there are.
trait Subject {
    fn frame(&mut self, world: &World) -> usize;

    /// The pairs, where they are known in order.
    fn pairs(&self) -> Option<&Pairs> {
        None
    }

    fn bytes(&self) -> usize {
        0
    }
}

struct Ours {
    broad: Box<dyn BroadPhase>,
    pairs: Pairs,
}

impl Ours {
    fn new(mut broad: Box<dyn BroadPhase>, world: &World) -> Self {
        for index in 0..world.boxes.len() {
            let id = ProxyId::new(index as u32, 0);
            if let Err(error) = broad.insert(id, &world.bounds(index)) {
                panic!("{error}");
            }
        }
        Self { broad, pairs: Pairs::new() }
    }
}

impl Subject for Ours {
    fn frame(&mut self, world: &World) -> usize {
        for index in world.moved() {
            let bounds = Bounds::new(world.boxes[index]);
            if let Err(error) = self.broad.update(ProxyId::new(index as u32, 0), &bounds) {
                panic!("{error}");
            }
        }
        self.broad.pairs(&Everything, &mut self.pairs);
        self.pairs.overlapping.len()
    }

    fn pairs(&self) -> Option<&Pairs> {
        Some(&self.pairs)
    }

    fn bytes(&self) -> usize {
        self.broad.bytes()
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}

fn parry_box(aabb: &Aabb) -> ParryAabb {
    ParryAabb::new(vector(aabb.min), vector(aabb.max))
}

/// parry's hierarchy: refitted (and improved a little), or built anew, every frame.
struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
    rebuild: bool,
}

impl Parry {
    fn build(world: &World) -> Bvh {
        let boxes: Vec<_> = world.boxes.iter().map(parry_box).collect();
        Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
    }

    fn new(world: &World, rebuild: bool) -> Self {
        Self { bvh: Self::build(world), workspace: BvhWorkspace::default(), rebuild }
    }
}

impl Subject for Parry {
    fn frame(&mut self, world: &World) -> usize {
        if self.rebuild {
            self.bvh = Self::build(world);
        } else {
            for index in world.moved() {
                let aabb = parry_box(&world.boxes[index]);
                self.bvh.insert_or_update_partially(aabb, index as u32, 0.0);
            }
            self.bvh.refit(&mut self.workspace);
            self.bvh.optimize_incremental(&mut self.workspace);
        }
        let mut pairs = 0;
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |_, _| pairs += 1);
        pairs
    }
}

/// rapier's broad phase. Its pairs are of boxes that it has enlarged, so there are more.
struct Rapier {
    broad: BroadPhaseBvh,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
    bodies: RigidBodySet,
    events: Vec<BroadPhasePairEvent>,
    pairs: i64,
}

impl Rapier {
    fn new(world: &World) -> Self {
        let mut colliders = ColliderSet::new();
        let handles = world.boxes.iter().map(|aabb| {
            let half = (vector(aabb.max) - vector(aabb.min)) * 0.5;
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z)
                .translation(vector(aabb.min) + half)
                .active_collision_types(ActiveCollisionTypes::all());
            colliders.insert(shape.build())
        });
        let handles: Vec<_> = handles.collect();
        let mut rapier = Self {
            broad: BroadPhaseBvh::new(),
            colliders,
            handles: Vec::new(),
            bodies: RigidBodySet::new(),
            events: Vec::new(),
            pairs: 0,
        };
        rapier.update(&handles);
        rapier.handles = handles;
        rapier
    }

    fn update(&mut self, moved: &[ColliderHandle]) {
        self.events.clear();
        let parameters = IntegrationParameters::default();
        let Self { broad, colliders, bodies, events, .. } = self;
        broad.update(&parameters, colliders, bodies, moved, &[], events);
        for event in &self.events {
            let added = matches!(event, BroadPhasePairEvent::AddPair(_));
            self.pairs += if added { 1 } else { -1 };
        }
    }
}

impl Subject for Rapier {
    fn frame(&mut self, world: &World) -> usize {
        let mut moved = Vec::new();
        for index in world.moved() {
            let handle = self.handles[index];
            let aabb = &world.boxes[index];
            let middle = (vector(aabb.min) + vector(aabb.max)) * 0.5;
            if let Some(collider) = self.colliders.get_mut(handle) {
                collider.set_translation(middle);
            }
            moved.push(handle);
        }
        self.update(&moved);
        self.pairs as usize
    }
}

/// Which peers there are, and the referee that all of ours are compared with.
const REFEREE: &str = "hash-grid";

/// Those that take seconds a frame, and above how many boxes they are left out.
const SLOW: [(&str, usize); 1] = [("all-pairs", 3_000)];

fn subjects(world: &World, only: &[String]) -> Vec<(String, Box<dyn Subject>)> {
    let count = world.boxes.len();
    let asked = |name: &str| only.is_empty() || only.iter().any(|asked| asked == name);
    let in_time = |name: &str| SLOW.iter().all(|&(slow, limit)| slow != name || count <= limit);
    let mut subjects: Vec<(String, Box<dyn Subject>)> = Vec::new();
    for entry in catalogue() {
        if asked(entry.name) && in_time(entry.name) {
            subjects.push((entry.name.to_owned(), Box::new(Ours::new(entry.make(), world))));
        }
    }
    if asked("hash-grid, 2 threads") {
        let grid = Box::new(HashGrid::parallel());
        subjects.push(("hash-grid, 2 threads".to_owned(), Box::new(Ours::new(grid, world))));
    }
    for (name, rebuild) in [("parry-refit", false), ("parry-rebuild", true)] {
        if asked(name) {
            subjects.push((name.to_owned(), Box::new(Parry::new(world, rebuild))));
        }
    }
    if asked("rapier") && count <= 100_000 {
        subjects.push(("rapier".to_owned(), Box::new(Rapier::new(world))));
    }
    subjects
}

/// Median milliseconds a frame and bytes a box, by name.
fn measure(count: usize, crowd: Crowd, only: &[String]) -> Vec<(String, f64, f64)> {
    let mut world = World::new(count, crowd);
    let mut subjects = subjects(&world, only);
    let mut referee = Ours::new(Box::new(HashGrid::new()), &world);
    let frames = (3_000_000 / count).clamp(7, 60);
    let mut times: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for frame in 0..frames {
        world.step();
        let expected = referee.frame(&world);
        for (index, (name, subject)) in subjects.iter_mut().enumerate() {
            let start = Instant::now();
            let pairs = subject.frame(&world);
            let elapsed = start.elapsed().as_secs_f64() * 1e3;
            match subject.pairs() {
                // In the first frame all pairs have appeared for some, and not for others.
                Some(pairs) if frame > 0 => {
                    assert!(*pairs == referee.pairs, "{name} and {REFEREE} differ");
                }
                None if name != "rapier" => assert_eq!(pairs, expected, "{name}"),
                _ => {}
            }
            // The first frames fill the caches.
            if frame >= 2 {
                times.entry(index).or_default().push(elapsed);
            }
        }
    }
    let of = |(index, (name, subject)): (usize, &(String, Box<dyn Subject>))| {
        let times = times.entry(index).or_default();
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().unwrap_or(f64::NAN);
        (name.clone(), median, subject.bytes() as f64 / count as f64)
    };
    subjects.iter().enumerate().map(of).collect()
}

fn main() {
    // Cargo adds `--bench`.
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let list = |index: usize| -> Vec<String> {
        let words = arguments.get(index).map(String::as_str).unwrap_or_default();
        words.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let mut sizes: Vec<usize> = list(0).iter().filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000, 100_000];
    }
    let only = list(1);
    let mut crowds = vec![Crowd::Moving, Crowd::MostlyStatic, Crowd::Sizes];
    let asked = list(2);
    crowds.retain(|crowd| asked.is_empty() || asked.contains(&format!("{crowd:?}")));
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    let mut head = String::from("| ms a frame |");
    for &count in &sizes {
        for &crowd in &crowds {
            head += &format!(" {count} {crowd:?} |");
            let column = measure(count, crowd, &only);
            let peer = column
                .iter()
                .filter(|(name, ..)| name.starts_with("parry") || name == "rapier")
                .map(|&(_, time, _)| time)
                .fold(f64::INFINITY, f64::min);
            for (name, time, _) in &column {
                let cell = format!("{time:.3} ({:.1}×)", peer / time);
                match rows.iter_mut().find(|(row, _)| row == name) {
                    Some((_, cells)) => cells.push(cell),
                    None => {
                        let before = head.matches('|').count() - 3;
                        let mut cells = vec!["–".to_owned(); before];
                        cells.push(cell);
                        rows.push((name.clone(), cells));
                    }
                }
            }
            for (_, cells) in &mut rows {
                cells.resize(head.matches('|').count() - 2, "–".to_owned());
            }
        }
    }
    println!("{head}\n|{}", "---|".repeat(head.matches('|').count() - 1));
    for (name, cells) in rows {
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!("\nIn brackets: times as fast as the fastest peer (parry or rapier) of the column.");
}
