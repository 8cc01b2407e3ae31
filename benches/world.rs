//! Whole pipelines, frame by frame, with the time of each stage; prints the tables of
//! `docs/benchmarks.md`.
//!
//! `cargo bench -p xcollide-benches --bench world [-- CASES]`, such as `polytopes,crowd`. Figures
//! are medians over the frames in microseconds; `set` is the application's time to set all moved
//! poses. Rows of one case take turns, frame by frame, on a thread of rayon's pool, as [`Parallel`] advises.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use xcollide::bounding::{AxisAligned, DynamicBox, FixedCubes};
use xcollide::broad::Interest;
use xcollide::execution::Parallel;
use xcollide::interest::{Ask, InterestMatrix};
use xcollide::narrow::{Model, Pose, mesh};
use xcollide::{Frame, ObjectId, StageTimes, World};
use xcollide_benches::cage::{Crowd, cage};
use xcollide_benches::rank::ranked;
use xcollide_scenes::{Response, Simulation};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A case: its name, and what runs it.
type Case = (&'static str, fn() -> Outcome);

const CASES: &[Case] = &[
    ("polytopes", polytopes),
    ("clusters", clusters),
    ("cage", cage_of_the_thesis),
    ("cars", cars),
    ("crowd", crowd),
    ("hundred-thousand", hundred_thousand),
    ("speed-up", speed_up),
    ("small", small_costs),
    ("interest", interest),
];

fn main() -> Outcome {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| {
        chosen.is_empty() || chosen.iter().flat_map(|list| list.split(',')).any(|one| one == name)
    };
    for (name, run) in CASES.iter().filter(|(name, _)| wanted(name)) {
        println!("\n### {name}\n");
        let mut outcome = Ok(());
        rayon::scope(|_| outcome = run().map_err(|error| error.to_string()));
        outcome?;
    }
    Ok(())
}

/// A world with the bodies of a cage, and what it takes.
struct Row {
    name: String,
    world: World,
    objects: Vec<ObjectId>,
    frame: Frame,
    set: Vec<Duration>,
    times: Vec<StageTimes>,
    pairs: usize,
    colliding: usize,
}

impl Row {
    fn new(
        name: &str,
        mut world: World,
        models: &[Model],
        cage: &Simulation,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let bodies = cage.poses().iter().enumerate();
        let objects = bodies
            .map(|(number, pose)| world.add(&models[cage.instances()[number].mesh], pose))
            .collect::<Result<Vec<_>, _>>()?;
        let (set, times) = (Vec::new(), Vec::new());
        let frame = Frame::new();
        Ok(Self { name: name.into(), world, objects, frame, set, times, pairs: 0, colliding: 0 })
    }

    fn step(&mut self, poses: &[Pose]) -> Outcome {
        let began = Instant::now();
        self.world.set_poses(&self.objects, |number| poses[number])?;
        self.set.push(began.elapsed());
        self.world.check_into(&mut self.frame);
        assert!(self.frame.failures.is_empty());
        self.times.push(self.frame.times);
        self.pairs += self.frame.stats.pairs;
        self.colliding += self.frame.stats.colliding;
        Ok(())
    }

    fn total(&self) -> Duration {
        self.frame_of_rank(0.5)
    }

    /// The time of the frame than which this part of all frames took no longer.
    fn frame_of_rank(&self, part: f64) -> Duration {
        let frames: Vec<Duration> =
            self.times.iter().zip(&self.set).map(|(times, set)| times.total() + *set).collect();
        ranked(&frames, part).unwrap_or_default()
    }

    fn print(&self) {
        let of = |stage: fn(&StageTimes) -> Duration| {
            micros(median(self.times.iter().map(stage).collect()))
        };
        let frames = self.times.len();
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | **{}** | {} | {} | {} | {} |",
            self.name,
            micros(median(self.set.clone())),
            of(|t| t.pose),
            of(|t| t.bounds),
            of(|t| t.broad),
            of(|t| t.narrow),
            of(|t| t.report),
            micros(self.total()),
            micros(self.frame_of_rank(0.99)),
            micros(self.frame_of_rank(1.0)),
            self.pairs / frames,
            self.colliding / frames,
        );
    }
}

/// Runs the rows in turns and prints them; the first frames, in which things are built, do not
/// count.
fn run(rows: &mut [Row], cage: &mut Simulation, frames: usize) -> Outcome {
    for frame in 0..frames + 5 {
        for row in rows.iter_mut() {
            row.step(cage.poses())?;
            if frame < 5 {
                (row.set, row.times) = (Vec::new(), Vec::new());
                (row.pairs, row.colliding) = (0, 0);
            }
        }
        let colliding: Vec<Vec<_>> = rows
            .iter()
            .map(|row| row.frame.colliding().map(|collision| collision.pair).collect())
            .collect();
        assert!(colliding.windows(2).all(|two| two[0] == two[1]), "rows differ at frame {frame}");
        let pairs = colliding[0].iter();
        let pairs = pairs.map(|pair| (pair.a.index() as usize, pair.b.index() as usize));
        cage.respond(&pairs.collect::<Vec<_>>());
        cage.advance();
    }
    println!(
        "| | set | pose | bounds | broad | narrow | report | frame | 99 % | longest | pairs | colliding |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(Row::print);
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 100.0 { format!("{micros:.1}") } else { format!("{micros:.0}") }
}

/// I-COLLIDE's multi-body simulation (7): polytopes of 36 faces at a density of 1 %, 10 % of their
/// radius and 10 degrees a frame; source: 43 ms a frame for 1000 on an HP-9000/750.
fn polytopes() -> Outcome {
    let shapes: Vec<String> =
        (0..8).map(|seed| format!("polytope?vertices=20&seed={seed}")).collect();
    let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
    for count in [100, 1000, 10_000] {
        // The volume of the ellipsoids, about.
        let (mut cage, models) = cage(&Crowd {
            step: 0.1,
            degrees: 10.0,
            response: Response::Exchange,
            ..Crowd::new(&shapes, count, 2.0, 0.01)
        })?;
        println!("\n{count} polytopes of 36 faces, density 1 %, 10 % and 10° a frame\n");
        let mut rows = vec![
            Row::new("default", World::new(), &models, &cage)?,
            Row::new("fixed-cube", World::builder().bounding(FixedCubes).build(), &models, &cage)?,
            Row::new("dynamic-box", World::builder().bounding(DynamicBox).build(), &models, &cage)?,
            Row::new(
                "parallel",
                World::builder().execution(Parallel::new()).build(),
                &models,
                &cage,
            )?,
        ];
        run(&mut rows, &mut cage, (200_000 / count).clamp(50, 500))?;
    }
    Ok(())
}

/// Q-COLLIDE's workload (6.5): 100 polytopes of 20 and of 500 vertices, close together.
fn clusters() -> Outcome {
    for vertices in [20, 500] {
        let shapes: Vec<String> =
            (0..8).map(|seed| format!("polytope?vertices={vertices}&seed={seed}")).collect();
        let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
        let (mut cage, models) =
            cage(&Crowd { degrees: 10.0, ..Crowd::new(&shapes, 100, 2.0, 0.1) })?;
        println!("\n100 polytopes of {vertices} vertices, density 10 %, 5 % and 10° a frame\n");
        let mut rows = vec![
            Row::new("default", World::new(), &models, &cage)?,
            Row::new("dynamic-box", World::builder().bounding(DynamicBox).build(), &models, &cage)?,
        ];
        run(&mut rows, &mut cage, 500)?;
    }
    Ok(())
}

/// Zachmann's cage of spheres, tori and tetra-flakes (3.6.5), by his box-tree and by the default.
fn cage_of_the_thesis() -> Outcome {
    let shapes = ["sphere?faces=500", "torus?faces=500", "tetraflake?depth=3"];
    let response = Response::Exchange;
    let (mut cage, models) = cage(&Crowd { response, ..Crowd::new(&shapes, 60, 4.0, 0.1) })?;
    println!("\n60 spheres, tori and tetra-flakes of 300 to 500 faces, density 10 %\n");
    let builder = || World::builder().bounding(AxisAligned);
    let mut rows = vec![
        Row::new("default", builder().build(), &models, &cage)?,
        Row::new("coherent pairs", builder().coherent(true).build(), &models, &cage)?,
        Row::new("parallel", builder().execution(Parallel::new()).build(), &models, &cage)?,
        Row::new(
            "box-tree",
            builder()
                .narrow_phase(mesh::BvhPair::<xcollide_bvh::classic::box_tree::BoxTree>::new())
                .build(),
            &models,
            &cage,
        )?,
    ];
    run(&mut rows, &mut cage, 200)
}

/// Daneu's two cars of about 900 triangles (3.5.1): one drives through the other, all of the way.
fn cars() -> Outcome {
    let scene = xcollide_scenes::embedded("cars")?;
    let mut cars = Simulation::new(&scene)?;
    let models = cars.meshes().iter().map(|mesh| Model::from_mesh(mesh.clone()));
    let models: Vec<Model> = models.collect::<Result<_, _>>()?;
    println!("\nTwo cars of 905 and 878 triangles, one drives through the other\n");
    let mut rows = vec![
        Row::new("default", World::new(), &models, &cars)?,
        Row::new("coherent pairs", World::builder().coherent(true).build(), &models, &cars)?,
        Row::new(
            "patches",
            World::builder().narrow_phase(xcollide::narrow::classic::PatchTrees::new()).build(),
            &models,
            &cars,
        )?,
    ];
    let frames = scene.frames.saturating_sub(5);
    run(&mut rows, &mut cars, frames)
}

/// Ten thousand objects that all move.
fn crowd() -> Outcome {
    moving(10_000, 0.01, 100)?;
    moving(10_000, 0.05, 100)
}

/// A hundred thousand objects that all move.
fn hundred_thousand() -> Outcome {
    moving(100_000, 0.01, 40)?;
    moving(100_000, 0.05, 20)
}

fn moving(count: usize, density: f64, frames: usize) -> Outcome {
    let shapes = ["box", "octahedron", "icosahedron"];
    let crowd = Crowd { degrees: 3.0, ..Crowd::new(&shapes, count, 4.0, density) };
    let (mut cage, models) = cage(&crowd)?;
    println!("\n{count} moving convex objects, density {} %\n", density * 100.0);
    let parallel = World::builder().execution(Parallel::new()).build();
    let mut rows = vec![
        Row::new("serial", World::new(), &models, &cage)?,
        Row::new("parallel", parallel, &models, &cage)?,
    ];
    run(&mut rows, &mut cage, frames)
}

/// The four cases of the thesis's figure of coarse grain (6.6): few large objects, many small ones.
fn speed_up() -> Outcome {
    let cases = [
        ("10 spheres of 1000 faces", 10, "sphere?faces=1000"),
        ("20 convex of 200 faces", 20, "polytope?vertices=102"),
        ("20 tori of 200 faces", 20, "torus?faces=200"),
        ("100 tetrahedra", 100, "tetrahedron"),
    ];
    for (title, count, spec) in cases {
        let (mut cage, models) = cage(&Crowd::new(&[spec], count, 2.0, 0.2))?;
        let parallel = World::builder().execution(Parallel::with_threads(2)?).build();
        println!("\n{title}\n");
        let mut rows = vec![
            Row::new("serial", World::new(), &models, &cage)?,
            Row::new("two threads", parallel, &models, &cage)?,
        ];
        run(&mut rows, &mut cage, 400)?;
        let [one, two] = [&rows[0], &rows[1]].map(|row| row.total().as_secs_f64());
        println!("\nspeed-up {:.2}", one / two);
    }
    Ok(())
}

/// Nanoseconds of small things: moving an object, an idle frame.
fn small_costs() -> Outcome {
    for count in [1000, 100_000] {
        let (cage, models) = cage(&Crowd::new(&["box"], count, 4.0, 0.05))?;
        let poses = cage.poses();
        let on_threads = World::builder().execution(Parallel::new()).build();
        let mut rows = [("", World::new()), ("on all threads", on_threads)]
            .into_iter()
            .map(|(name, world)| Row::new(name, world, &models, &cage))
            .collect::<Result<Vec<_>, _>>()?;
        let mut idle = Vec::new();
        for row in &mut rows {
            row.step(poses)?;
            let frames = (0..50).map(|_| timed(|| row.world.check_into(&mut row.frame)));
            idle.push(median(frames.collect()));
        }
        let row = &mut rows[0];
        let shifted: Vec<Pose> =
            poses.iter().map(|p| Pose::from_translation([1e-9, 0.0, 0.0]) * *p).collect();
        let set = timed(|| {
            for (&object, pose) in row.objects.iter().zip(&shifted) {
                let _ = row.world.set_pose(object, pose);
            }
        });
        let same = timed(|| {
            for (&object, pose) in row.objects.iter().zip(&shifted) {
                let _ = row.world.set_pose(object, pose);
            }
        });
        let each = |time: Duration| time.as_secs_f64() * 1e9 / count as f64;
        println!(
            "{count} objects, {} pairs collide: set_pose {:.1} ns, to where it is {:.1} ns; an idle \
             frame {} µs, on all threads {} µs",
            row.frame.stats.colliding,
            each(set),
            each(same),
            micros(idle[0]),
            micros(idle[1]),
        );
    }
    Ok(())
}

fn timed(task: impl FnOnce()) -> Duration {
    let began = Instant::now();
    task();
    began.elapsed()
}

/// Nanoseconds of the interest filter, for matrices that are dense and sparse.
fn interest() -> Outcome {
    println!("| objects | no rules | groups | a rule an object | 64 rules an object | asks |");
    println!("|---|---|---|---|---|---|");
    for count in [256_u32, 1000, 1500, 4096, 100_000] {
        let id = |index: u32| ObjectId::new(index, 0);
        let mut groups = InterestMatrix::new();
        groups.set_groups(1, 2, false);
        (0..count).for_each(|index| groups.set_group(id(index), (index % 3) as u8));
        let with = |rules: u32| {
            let mut matrix = groups.clone();
            for index in 0..count {
                for step in 1..=rules {
                    let other = (index + step * step * 7 + 1) % count;
                    matrix.set_pair(id(index), id(other), step % 2 == 0);
                }
            }
            matrix
        };
        let mut asks = with(1);
        asks.set_pair_ask(id(0), id(1), Ask::Contacts { limit: 1 });
        // Pairs as broad phases show them: near each other in one order, but far in memory.
        let pairs: Vec<[ObjectId; 2]> = (0..20_000_u32)
            .map(|n| [n.wrapping_mul(2_654_435_761) % count, n.wrapping_mul(40_503) % count])
            .map(|pair| pair.map(id))
            .filter(|[a, b]| a != b)
            .collect();
        let cost = |matrix: &InterestMatrix| {
            let rounds = (0..21).map(|_| {
                timed(|| {
                    let matrix: &dyn Interest = black_box(matrix);
                    let wanted =
                        pairs.iter().filter(|[a, b]| matrix.wants((*a).into(), (*b).into()));
                    black_box(wanted.count());
                })
            });
            median(rounds.collect()).as_secs_f64() * 1e9 / pairs.len() as f64
        };
        let ask = median(
            (0..21)
                .map(|_| {
                    timed(|| {
                        let contacts = |pair: &&[ObjectId; 2]| {
                            matches!(asks.ask(pair[0], pair[1]), Ask::Contacts { .. })
                        };
                        black_box(pairs.iter().filter(contacts).count());
                    })
                })
                .collect(),
        );
        println!(
            "| {count} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            cost(&InterestMatrix::nothing()),
            cost(&groups),
            cost(&with(1)),
            cost(&with(64)),
            ask.as_secs_f64() * 1e9 / pairs.len() as f64
        );
    }
    Ok(())
}
