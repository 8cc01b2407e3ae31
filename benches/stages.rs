//! How the stages of a frame scale with threads; prints tables for `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench stages [-- SCENE [FRAMES [THREADS ...]]]
//! ```
//!
//! An embedded scene, by default `asteroids` with 100,000 moving bodies, at 1, 2, 4 and so on threads, up to the number
//! of processors, or at the given numbers of threads. Each has a world and a simulation of its own; they take turns of
//! some frames, so that all meet the same conditions of the machine. A turn takes place on a thread of the world's pool,
//! as [`Parallel`] advises, and all its threads move the scene between the frames, which is not timed. All have the same
//! collisions.
//!
//! The serial share is that of Amdahl's law: the part of a stage's time on one thread that does not become shorter on
//! several, with the waiting for each other counted as serial.
#![allow(clippy::print_stdout)]

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use xcollide::execution::{Execution, Parallel, Serial};
use xcollide::narrow::Model;
use xcollide::{Frame, ObjectId, World, WorldError};
use xcollide_benches::rank::ranked;
use xcollide_scenes::{Scene, Simulation, embedded};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const STAGES: [&str; 5] = ["poses", "bounds", "pairs of boxes", "tests and results", "all"];

/// Frames of a turn.
const TURN: usize = 25;

/// Frames in which velocities are not known yet and the first lists are made.
const BEGIN: usize = 50;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let name = words.first().map_or("asteroids", String::as_str);
    let frames = words.get(1).map_or(Ok(1000), |word| word.parse())?;
    if frames < BEGIN + TURN {
        return Err(
            format!("{frames} frames are too few, expected {} or more", BEGIN + TURN).into()
        );
    }
    let scene = embedded(name)?;
    let processors = available_parallelism().map_or(1, NonZero::get);
    let mut threads: Vec<usize> =
        words.iter().skip(2).map(|word| word.parse()).collect::<Result<_, _>>()?;
    if threads.is_empty() {
        let doubled = std::iter::successors(Some(1), |threads| Some(2 * threads));
        threads.extend(doubled.take_while(|&n| n <= processors));
    }
    let mut worlds: Vec<Subject> =
        threads.iter().map(|&threads| Subject::new(&scene, threads)).collect::<Outcome<_>>()?;
    for _ in 0..frames / TURN {
        for world in &mut worlds {
            world.turn()?;
        }
        assert!(worlds.iter().all(|world| world.found == worlds[0].found), "the same collisions");
    }
    println!(
        "{name}, {} bodies, {frames} frames. Milliseconds, median (mean):\n",
        worlds[0].objects.len()
    );
    let columns =
        |title: &dyn Fn(usize) -> String| threads.iter().map(|&n| title(n)).collect::<String>();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    println!(
        "| stage | {}serial share | with 16 threads |",
        columns(&|n| format!("{n} thread{} | ", plural(n)))
    );
    println!("|---|{}---|---|", columns(&|_| "---|".to_owned()));
    for (stage, name) in STAGES.iter().enumerate() {
        let times: Vec<[f64; 2]> = worlds.iter().map(|world| world.typical(stage)).collect();
        let cells: String =
            times.iter().map(|[median, mean]| format!("{median:.2} ({mean:.2}) | ")).collect();
        let (one, many) = (times[0][0], times[times.len() - 1][0]);
        let share = serial_share(one, many, threads[threads.len() - 1]);
        let faster = 1.0 / (share + (1.0 - share) / 16.0);
        println!("| {name} | {cells}{:.0} % | {faster:.1} × |", 100.0 * share);
    }
    println!(
        "\nMilliseconds a frame without the first {BEGIN}, and frames of more than 16.7 ms:\n"
    );
    println!("| threads | mean | median | 99th percentile | longest | over 16.7 |");
    println!("|---|---|---|---|---|---|");
    for (world, threads) in worlds.iter().zip(&threads) {
        let all = world.of_stage(STAGES.len() - 1);
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let over = all.iter().filter(|&&time| time > 1000.0 / 60.0).count();
        let [half, most, last] =
            [0.5, 0.99, 1.0].map(|part| ranked(&all, part).unwrap_or_default());
        println!(
            "| {threads} | {mean:.2} | {half:.2} | {most:.2} | {last:.2} | {over} of {} |",
            all.len()
        );
    }
    Ok(())
}

/// The part of the time of one thread that `threads` threads do not share.
fn serial_share(one: f64, many: f64, threads: usize) -> f64 {
    if threads < 2 {
        return 1.0;
    }
    let threads = threads as f64;
    ((threads * many / one - 1.0) / (threads - 1.0)).clamp(0.0, 1.0)
}

/// A scene in motion and its world.
struct Subject {
    pool: Arc<ThreadPool>,
    simulation: Simulation,
    world: World,
    objects: Vec<ObjectId>,
    frame: Frame,
    /// The colliding pairs of the last frame, by number.
    found: Vec<(usize, usize)>,
    /// The times of each frame, by stage.
    times: Vec<[Duration; 5]>,
}

impl Subject {
    fn new(scene: &Scene, threads: usize) -> Outcome<Self> {
        let simulation = Simulation::new(scene)?;
        let mode: Box<dyn Execution> = match threads {
            1 => Box::new(Serial),
            _ => Box::new(Parallel::new()),
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut world = World::builder().boxed_execution(mode).build();
        let models: Vec<Model> = simulation
            .meshes()
            .iter()
            .map(|mesh| Model::from_mesh(mesh.clone()))
            .collect::<Result<_, _>>()?;
        for model in &models {
            world.narrow_phase().prepare(model)?;
        }
        let bodies = simulation.instances().iter().zip(simulation.poses());
        let objects = bodies.map(|(body, pose)| world.add(&models[body.mesh], pose));
        let objects = objects.collect::<Result<_, _>>()?;
        let (frame, found, times) = (Frame::new(), Vec::new(), Vec::new());
        Ok(Self { pool: Arc::new(pool), simulation, world, objects, frame, found, times })
    }

    fn turn(&mut self) -> Result<(), WorldError> {
        let pool = Arc::clone(&self.pool);
        pool.install(|| (0..TURN).try_for_each(|_| self.frame()))
    }

    fn frame(&mut self) -> Result<(), WorldError> {
        let poses = self.simulation.poses();
        let began = Instant::now();
        self.world.set_poses(&self.objects, |number| poses[number])?;
        let handed = began.elapsed();
        self.world.check_into(&mut self.frame);
        let all = began.elapsed();
        let times = self.frame.times;
        self.times.push([handed + times.pose, times.bounds, times.broad, times.narrow, all]);
        self.found.clear();
        let pairs = self.frame.colliding().map(|found| found.pair);
        self.found.extend(pairs.map(|pair| (pair.a.index() as usize, pair.b.index() as usize)));
        self.simulation.respond(&self.found);
        self.simulation.advance_in_parallel();
        Ok(())
    }

    /// The times of a stage in milliseconds, without those of the first frames.
    fn of_stage(&self, stage: usize) -> Vec<f64> {
        self.times.iter().skip(BEGIN).map(|times| times[stage].as_secs_f64() * 1e3).collect()
    }

    /// The median and the mean of a stage.
    fn typical(&self, stage: usize) -> [f64; 2] {
        let times = self.of_stage(stage);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        [ranked(&times, 0.5).unwrap_or_default(), mean]
    }
}
