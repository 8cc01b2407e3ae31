//! Several processors, as the thesis measured them (Zachmann 1994, 6.6), and the cost of handing
//! over poses; prints tables for `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench concurrency [-- CASES]     # coarse,dual,handover
//! ```
//!
//! Contestants take turns by frame or by some queries; figures are medians and sums of medians. For
//! medium and fine grain see `grain`.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use xcollide::broad::{AllPairs, classic::Grid};
use xcollide::execution::{Execution, Parallel, Serial};
use xcollide::narrow::classic::Arbitrary;
use xcollide::narrow::classic::Perceptron;
use xcollide::narrow::combine::Race;
use xcollide::narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide::{Concurrent, Frame, ObjectId, World, WorldBuilder, registry};
use xcollide_benches::cage::{Crowd, cage};
use xcollide_benches::contest::Contestant;
use xcollide_benches::turns::in_turns;
use xcollide_scenes::{Response, Simulation};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A case: its name, and what runs it.
type Case = (&'static str, fn() -> Outcome);

const CASES: &[Case] = &[("coarse", coarse), ("dual", dual), ("handover", handover)];

fn main() -> Outcome {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| {
        chosen.is_empty() || chosen.iter().flat_map(|list| list.split(',')).any(|one| one == name)
    };
    for (name, run) in CASES.iter().filter(|(name, _)| wanted(name)) {
        println!("\n### {name}\n");
        run()?;
    }
    Ok(())
}

fn model(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A row of the thesis's figure of coarse grain.
struct Coarse {
    title: &'static str,
    /// The options of his program: objects, faces, pairwise algorithm, partitioning of space.
    spec: &'static str,
    count: usize,
    narrow: &'static str,
    grid: bool,
}

/// His four cases, from few large objects without a grid to many small ones.
const COARSE: [Coarse; 4] = [
    Coarse {
        title: "10 spheres of 42 faces, `arbitrary`, no grid",
        spec: "sphere?faces=42",
        count: 10,
        narrow: "arbitrary",
        grid: false,
    },
    Coarse {
        title: "10 convex of 132 faces, `cyrus-beck`, grid",
        spec: "polytope?vertices=68&kind=sphere",
        count: 10,
        narrow: "cyrus-beck",
        grid: true,
    },
    Coarse {
        title: "10 spheres of 132 faces, `box-tree`, grid",
        spec: "sphere?faces=132",
        count: 10,
        narrow: "box-tree",
        grid: true,
    },
    Coarse {
        title: "100 tetrahedra, `arbitrary`, grid",
        spec: "tetrahedron",
        count: 100,
        narrow: "arbitrary",
        grid: true,
    },
];

/// His four cases with his algorithms, and with the defaults; and larger ones of the same kind, which
/// today's processors take as long for as his did for those.
fn coarse() -> Outcome {
    println!("| case | pairs | serial, µs | two threads, µs | speed-up |");
    println!("|---|---|---|---|---|");
    for case in &COARSE {
        let narrow = || registry::narrow_phase(case.narrow).ok_or("no such narrow phase");
        let his = |builder: WorldBuilder| -> Result<WorldBuilder, &'static str> {
            let builder = builder.boxed_narrow_phase(narrow()?);
            Ok(match case.grid {
                true => builder.broad_phase(Grid::new()),
                false => builder.broad_phase(AllPairs::new()),
            })
        };
        let worlds = [his(World::builder())?, his(World::builder())?];
        coarse_row(case.title, case.spec, case.count, worlds, 1000)?;
    }
    let defaults = || [World::builder(), World::builder()];
    for case in &COARSE {
        let title = format!("{} {}, defaults", case.count, case.spec);
        coarse_row(&title, case.spec, case.count, defaults(), 1000)?;
    }
    coarse_row("10 spheres of 20,000 faces", "sphere?faces=20000", 10, defaults(), 300)?;
    coarse_row("100 tori of 1000 faces", "torus?faces=1000", 100, defaults(), 200)?;
    coarse_row("10,000 tetrahedra", "tetrahedron", 10_000, defaults(), 60)
}

fn coarse_row(
    title: &str,
    spec: &str,
    count: usize,
    worlds: [WorldBuilder; 2],
    frames: usize,
) -> Outcome {
    let response = Response::Exchange;
    let (mut cage, models) = cage(&Crowd { response, ..Crowd::new(&[spec], count, 2.0, 0.2) })?;
    let model = &models[0];
    let modes: [Box<dyn Execution>; 2] = [Box::new(Serial), Box::new(Parallel::with_threads(2)?)];
    let mut worlds = worlds.into_iter().zip(modes).map(|(builder, mode)| {
        let mut world = builder.boxed_execution(mode).build();
        let objects = cage.poses().iter().map(|pose| world.add(model, pose));
        let objects: Vec<ObjectId> = objects.collect::<Result<_, _>>()?;
        Ok((world, objects, Frame::new(), Vec::new()))
    });
    let mut worlds: Vec<_> = worlds.by_ref().collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let mut pairs = 0;
    for frame in 0..frames + 5 {
        for (world, objects, found, times) in &mut worlds {
            for (&object, pose) in objects.iter().zip(cage.poses()) {
                world.set_pose(object, pose)?;
            }
            let began = Instant::now();
            world.check_into(found);
            if frame >= 5 {
                times.push(began.elapsed());
            }
        }
        let colliding = |of: usize| worlds[of].2.colliding().map(|c| c.pair).collect::<Vec<_>>();
        assert_eq!(colliding(0), colliding(1));
        pairs += worlds[0].2.stats.pairs;
        let found = colliding(0).into_iter();
        let found = found.map(|pair| (pair.a.index() as usize, pair.b.index() as usize));
        cage.respond(&found.collect::<Vec<_>>());
        cage.advance();
    }
    let [one, two] = [0, 1].map(|of| micros(median(worlds[of].3.clone())));
    println!("| {title} | {} | {one:.1} | {two:.1} | {:.2} |", pairs / (frames + 5), one / two);
    Ok(())
}

/// Two objects that meet and part again and again, by the arbitrary algorithm, by separating planes
/// that are kept from frame to frame, and by both at once: his table of dual concurrent algorithms.
fn dual() -> Outcome {
    println!(
        "Nanoseconds a query; speed-up over `arbitrary`, and in 6.6 on two processors of 1994.\n"
    );
    println!("| objects | hits | `arbitrary` | `separating-plane` | `Race` | speed-up | in 6.6 |");
    println!("|---|---|---|---|---|---|---|");
    let rows = [
        ("tori, 100 faces", "torus?faces=100", "1.5"),
        ("tori, 1000 faces", "torus?faces=1000", "3.5"),
        ("hyperboloids, 100 faces", "hyperboloid?faces=100", "2"),
        ("hyperboloids, 1000 faces", "hyperboloid?faces=1000", "1.9"),
        ("spheres, 100 faces", "sphere?faces=100", "1.75"),
        ("spheres, 1000 faces", "sphere?faces=1000", "2.8"),
        ("spheres, 10,000 faces", "sphere?faces=10000", ""),
    ];
    for (title, spec, then) in rows {
        let model = model(spec)?;
        let path = path(2000)?;
        let (arbitrary, planes) = (Arbitrary::default(), Perceptron::default());
        let race = Race(Arbitrary::default(), Perceptron::default());
        let mut contestants = [
            contestant("arbitrary", &arbitrary, &model, &path),
            contestant("planes", &planes, &model, &path),
            contestant("race", &race, &model, &path),
        ];
        let queries = if spec.ends_with("10000") { 400 } else { path.len() };
        let figures = in_turns(&mut contestants, queries, 5);
        let [one, other, both] = [0, 1, 2].map(|of| figures[of].0);
        assert_eq!(figures[0].1, figures[2].1, "{title}: both have the same hits");
        let share = 100.0 * figures[0].1 as f64 / queries as f64;
        let other = if planes.accepts(model.topology(), model.topology()) {
            format!("{other:.0}")
        } else {
            "not accepted".to_owned()
        };
        println!(
            "| {title} | {share:.0} % | {one:.0} | {other} | {both:.0} | {:.2} | {then} |",
            one / both
        );
    }
    Ok(())
}

/// Where the second of two objects is as seen from the first, from frame to frame.
fn path(frames: usize) -> Result<Vec<Pose>, Box<dyn std::error::Error>> {
    let (mut cage, _) = cage(&Crowd::new(&["sphere?faces=100"], 2, 4.0, 0.15))?;
    let step = |_| {
        let seen = cage.poses()[0].inverse() * cage.poses()[1];
        cage.advance();
        seen
    };
    Ok((0..frames).map(step).collect())
}

fn contestant<'a>(
    name: &'a str,
    algorithm: &'a dyn NarrowPhase,
    model: &'a Model,
    path: &'a [Pose],
) -> Contestant<'a> {
    let mut cache = PairCache::new();
    Contestant::new(name, move |query| {
        let a = Placed::new(model, &Pose::IDENTITY).ok()?;
        let b = Placed::new(model, &path[query]).ok()?;
        algorithm.test(a, b, &Query::new(), &mut cache).decided()
    })
}

/// What the application pays to move an object: in a world; and where the detection is in a thread of
/// its own, asleep, or busy all the time.
fn handover() -> Outcome {
    let count = 1000;
    println!("Nanoseconds for each of {count} objects, medians over the frames.\n");
    println!("| | `set_pose` | the slowest 50 of a frame | `set_poses` |");
    println!("|---|---|---|---|");
    let (mut cage, models) = cage(&Crowd::new(&["sphere?faces=500"], count, 4.0, 0.1))?;
    let fill = |world: &mut World, cage: &Simulation| {
        cage.poses().iter().map(|pose| world.add(&models[0], pose)).collect::<Result<Vec<_>, _>>()
    };
    let frames = 400;
    let each = |times: Vec<Duration>| median(times).as_secs_f64() * 1e9 / count as f64;
    let line = |name: &str, one: Vec<Duration>, longest: Vec<Duration>, all: Vec<Duration>| {
        let longest = median(longest).as_nanos();
        println!("| {name} | {:.1} | {longest} | {:.1} |", each(one), each(all));
    };
    let mut world = World::new();
    let objects = fill(&mut world, &cage)?;
    let (mut set, mut frame) = (Vec::new(), Frame::new());
    for _ in 0..frames {
        let began = Instant::now();
        for (&object, pose) in objects.iter().zip(cage.poses()) {
            world.set_pose(object, pose)?;
        }
        set.push(began.elapsed());
        world.check_into(&mut frame);
        cage.advance();
    }
    println!("| `World` | {:.1} | | |", each(set));
    for (name, is_asleep) in [("`Concurrent`, asleep", true), ("`Concurrent`, busy", false)] {
        let mut world = World::new();
        let objects = fill(&mut world, &cage)?;
        let detection = Concurrent::start(world);
        let (mut one, mut longest, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..frames {
            for alone in [true, false] {
                let poses = cage.poses().to_vec();
                if is_asleep {
                    detection.wait();
                }
                let began = Instant::now();
                if alone {
                    let (mut before, mut most) = (began, Duration::ZERO);
                    for (number, (&object, pose)) in objects.iter().zip(&poses).enumerate() {
                        detection.set_pose(object, pose)?;
                        // To look at the clock takes as long as to set a pose.
                        if number % 50 == 49 {
                            let now = Instant::now();
                            most = most.max(now - before);
                            before = now;
                        }
                    }
                    one.push(began.elapsed());
                    longest.push(most / 50);
                } else {
                    detection.set_poses(objects.iter().copied().zip(poses))?;
                    all.push(began.elapsed());
                }
                detection.next_frame();
                cage.advance();
            }
        }
        line(name, one, longest, all);
    }
    Ok(())
}
