//! The multi-body simulation of I-COLLIDE (Cohen and others 1995, 5.3 and 7): its graphs 1 to 6 as
//! Markdown tables. `cargo bench -p xcollide-benches --bench multibody [-- GRAPHS]`, such as `1,4`.
//!
//! Polytopes, hulls of random points on a sphere, fly in a cube, bounce off its walls, and exchange
//! velocities on collision. By default 1000 of 36 faces fill 1 % of the cube, move by 10 % of their
//! radius a frame and turn by 10 degrees. Boxes are fixed cubes or dynamic; pairs come from sweep
//! and prune, as in the source, or from the default; the exact test is the convex hybrid with its
//! caches. Times are milliseconds a frame, medians over the frames of one run, without placing
//! models. The source's machine was an HP 9000/750.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rustc_hash::FxHashMap;
use xcollide_bounds::Aabb;
use xcollide_broad::classic::SweepAndPrune;
use xcollide_broad::{Auto, Bounds, BroadPhase, Everything, Pairs, ProxyId};
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::{PolytopeKind, Random, polytope};

/// The parameters of a run.
#[derive(Clone, Copy)]
struct Setting {
    count: usize,
    faces: usize,
    /// Volume of the polytopes relative to that of the cube.
    density: f64,
    /// Way a frame, relative to the radius.
    speed: f64,
    /// Degrees a frame.
    turn: f64,
}

const DEFAULT: Setting = Setting { count: 1000, faces: 36, density: 0.01, speed: 0.1, turn: 10.0 };

/// What boxes a run has, and what finds its pairs.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    FixedCubes,
    DynamicBoxes,
    /// Fixed cubes and the default.
    Default,
}

const METHODS: [Method; 3] = [Method::FixedCubes, Method::DynamicBoxes, Method::Default];

struct Body {
    pose: Pose,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

/// What a frame took.
#[derive(Clone, Copy, Default)]
struct Frame {
    boxes: Duration,
    pairs: Duration,
    exact: Duration,
    exchanges: u64,
    candidates: usize,
    hits: usize,
}

impl Frame {
    fn total(&self) -> Duration {
        self.boxes + self.pairs + self.exact
    }
}

fn radius(model: &Model) -> f64 {
    let length = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
    model.mesh().positions().iter().map(length).fold(0.0, f64::max).sqrt()
}

fn volume(model: &Model) -> f64 {
    let positions = model.mesh().positions();
    let corner = |index: u32| Vector3::from(positions[index as usize]);
    let cones = model.triangulation().triangles().iter().map(|t| {
        let [a, b, c] = t.map(|vertex| corner(vertex.0));
        a.dot(&b.cross(&c)) / 6.0
    });
    cones.sum()
}

fn run(setting: Setting, method: Method) -> Frame {
    let mut random = Random::new(5);
    let shapes: Vec<Model> = (0..8)
        .map(|seed| {
            let mesh = polytope(setting.faces / 2 + 2, PolytopeKind::Ellipsoid, seed + 1).unwrap();
            Model::from_mesh(mesh).unwrap()
        })
        .collect();
    let radii: Vec<f64> = shapes.iter().map(radius).collect();
    let filled: f64 = (0..setting.count).map(|i| volume(&shapes[i % shapes.len()])).sum();
    let half = 0.5 * (filled / setting.density).cbrt();
    let mut bodies: Vec<Body> = (0..setting.count)
        .map(|i| {
            let [x, y, z, w] = random.rotation();
            let at = [(); 3].map(|()| random.between(-half, half));
            let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
            Body {
                pose: Pose::try_from(Isometry3::from_parts(Translation3::from(at), turn)).unwrap(),
                velocity: Vector3::from(random.direction())
                    * setting.speed
                    * radii[i % radii.len()],
                spin: Vector3::from(random.direction()) * setting.turn.to_radians(),
            }
        })
        .collect();
    let mut broad: Box<dyn BroadPhase> = match method {
        Method::Default => Box::new(Auto::new()),
        _ => Box::new(SweepAndPrune::new()),
    };
    for index in 0..setting.count {
        broad.insert(ProxyId::new(index as u32, 0), &Aabb::EMPTY.into()).unwrap();
    }
    let hybrid = Hybrid::default();
    let mut caches: FxHashMap<(u32, u32), PairCache> = FxHashMap::default();
    let mut pairs = Pairs::new();
    let frames = (60_000 / setting.count).clamp(60, 400);
    let mut seen: Vec<Frame> = Vec::new();
    for _ in 0..frames {
        for body in &mut bodies {
            let turn = Pose::try_from(Isometry3::from_parts(
                Translation3::identity(),
                UnitQuaternion::new(body.spin),
            ))
            .unwrap();
            body.pose = (turn * body.pose).with_translation(body.pose.translation());
            body.pose = body.pose.with_translation(
                (Vector3::from(body.pose.translation()) + (body.velocity)).into(),
            );
            for axis in 0..3 {
                let at = Vector3::from(body.pose.translation())[axis];
                if at.abs() > half {
                    body.velocity[axis] = -body.velocity[axis].abs() * at.signum();
                }
            }
        }
        let placed: Vec<Placed<'_>> = (bodies.iter().enumerate())
            .map(|(i, body)| Placed::new(&shapes[i % shapes.len()], &body.pose).unwrap())
            .collect();

        let start = Instant::now();
        for (i, (placed, body)) in placed.iter().zip(&bodies).enumerate() {
            let aabb = if method == Method::DynamicBoxes {
                // The box of the corners, not that of the turned box, which is larger.
                let corners = shapes[i % shapes.len()].used_vertices().iter();
                Aabb::from_points(corners.map(|&vertex| placed.position(vertex)))
            } else {
                let (at, reach) =
                    (Vector3::from(body.pose.translation()), radii[i % radii.len()] * 1.000_001);
                Aabb::new([0, 1, 2].map(|k| at[k] - reach), [0, 1, 2].map(|k| at[k] + reach))
            };
            broad.update(ProxyId::new(i as u32, 0), &Bounds::new(aabb)).unwrap();
        }
        let boxes = start.elapsed();
        let start = Instant::now();
        broad.pairs(&Everything, &mut pairs);
        let found = start.elapsed();

        let start = Instant::now();
        let mut hits = Vec::new();
        for gone in &pairs.vanished {
            caches.remove(&(gone.a.index(), gone.b.index()));
        }
        for pair in &pairs.overlapping {
            let (a, b) = (pair.a.index(), pair.b.index());
            let cache = caches.entry((a, b)).or_default();
            let verdict = hybrid.test(placed[a as usize], placed[b as usize], &Query::new(), cache);
            if verdict.is_collision() {
                hits.push((a as usize, b as usize));
            }
        }
        let exact = start.elapsed();
        seen.push(Frame {
            boxes,
            pairs: found,
            exact,
            exchanges: broad.stats().exchanges,
            candidates: pairs.overlapping.len(),
            hits: hits.len(),
        });
        drop(placed);
        for (a, b) in hits {
            let velocity = bodies[a].velocity;
            bodies[a].velocity = bodies[b].velocity;
            bodies[b].velocity = velocity;
        }
    }
    let late = seen.split_off(seen.len() / 3);
    median(&late)
}

/// The middle of each figure by itself.
fn median(frames: &[Frame]) -> Frame {
    fn middle<T: Ord + Copy>(frames: &[Frame], of: impl Fn(&Frame) -> T) -> T {
        let mut all: Vec<T> = frames.iter().map(of).collect();
        all.sort();
        all[all.len() / 2]
    }
    Frame {
        boxes: middle(frames, |frame| frame.boxes),
        pairs: middle(frames, |frame| frame.pairs),
        exact: middle(frames, |frame| frame.exact),
        exchanges: middle(frames, |frame| frame.exchanges),
        candidates: middle(frames, |frame| frame.candidates),
        hits: middle(frames, |frame| frame.hits),
    }
}

fn ms(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

/// Graphs 1 to 4: one parameter varies.
fn graph(number: usize, what: &str, settings: &[(String, Setting)]) {
    println!("Graph {number}: ms a frame by {what}\n");
    println!(
        "| {what} | fixed cubes | dynamic boxes | the default, fixed cubes | box pairs, fixed | \
         box pairs, dynamic | collisions | exchanges, fixed | exchanges, dynamic |"
    );
    println!("|{}", "---|".repeat(9));
    for (name, setting) in settings {
        let [fixed, dynamic, auto] = METHODS.map(|method| run(*setting, method));
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            ms(fixed.total()),
            ms(dynamic.total()),
            ms(auto.total()),
            fixed.candidates,
            dynamic.candidates,
            fixed.hits,
            fixed.exchanges,
            dynamic.exchanges
        );
    }
    println!();
}

/// Graphs 5 and 6: where the time goes, by rotation.
fn parts(number: usize, name: &str, method: Method) {
    println!("Graph {number}: where the time goes, {name}, ms a frame by degrees a frame\n");
    println!("| degrees | boxes | sorting and pairs | exact tests | exchanges |");
    println!("|{}", "---|".repeat(5));
    for turn in [0.0, 5.0, 10.0, 20.0, 40.0, 60.0] {
        let frame = run(Setting { turn, ..DEFAULT }, method);
        let [boxes, pairs, exact] = [frame.boxes, frame.pairs, frame.exact].map(ms);
        println!("| {turn} | {boxes} | {pairs} | {exact} | {} |", frame.exchanges);
    }
    println!();
}

fn main() {
    let word = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    let asked: Vec<usize> = word.split(',').filter_map(|number| number.parse().ok()).collect();
    let is_asked = |number: usize| asked.is_empty() || asked.contains(&number);
    let vary = |values: &[f64], set: &dyn Fn(&mut Setting, f64)| -> Vec<(String, Setting)> {
        let make = |&value: &f64| {
            let mut setting = DEFAULT;
            set(&mut setting, value);
            (value.to_string(), setting)
        };
        values.iter().map(make).collect()
    };
    if is_asked(1) {
        let counts = [20.0, 100.0, 250.0, 500.0, 1000.0, 1500.0, 2000.0];
        graph(1, "polytopes", &vary(&counts, &|setting, count| setting.count = count as usize));
    }
    if is_asked(2) {
        let faces = [4.0, 12.0, 20.0, 36.0, 60.0, 100.0, 200.0];
        graph(2, "faces", &vary(&faces, &|setting, faces| setting.faces = faces as usize));
    }
    if is_asked(3) {
        let shares = [0.1, 0.5, 1.0, 2.0, 4.0, 8.0];
        graph(3, "density, %", &vary(&shares, &|setting, share| setting.density = share / 100.0));
    }
    if is_asked(4) {
        let turns = [0.0, 5.0, 10.0, 20.0, 40.0, 60.0];
        graph(4, "degrees a frame", &vary(&turns, &|setting, turn| setting.turn = turn));
    }
    if is_asked(5) {
        parts(5, "dynamic boxes", Method::DynamicBoxes);
    }
    if is_asked(6) {
        parts(6, "fixed cubes", Method::FixedCubes);
    }
}
