//! Time of contact of moving meshes, query by query, beside parry and FCL.
//!
//! `[XCOLLIDE_FCL=PROGRAM] cargo bench -p xcollide-benches --bench sweep [-- [--quick] CASE…]`, where PROGRAM
//! is `benches/peers/fcl_continuous.cpp`, compiled as its first lines say; without it FCL is left out.
//! `--quick` takes few queries and short limits, to see that all of it works.
//!
//! A mesh flies at constant velocity past or into one that rests, and turns by up to 90°. A row states the
//! accuracy in time that was asked for, in parts of the motion; its ratios are to our time at the same
//! accuracy. parry, which takes none, is compared with ours at 1e-6. A peer is *right* if it collides as we
//! do, whose proofs are verified, and at a time at most twice the accuracy from ours, parry and conservative
//! advancement at most 1e-3. Its ratios are of the queries it answers rightly. A query of ours is timed three
//! times, one of a peer once, and ours and FCL's samples take turns. Each peer has a time limit for a case;
//! once a single query of parry exceeds it, the bench skips parry in larger cases. A million samples take long,
//! so the bench takes them for a dozen queries only.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::hint::black_box;
use std::path::Path as FilePath;
use std::process::Command;
use std::time::{Duration, Instant};

use parry3d_f64::math::Vector;
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::TriMesh;
use xcollide_benches::parry::{parry_pose, trimesh};
use xcollide_fixtures::Random;
use xcollide_math::vector::{add, cross, length, scale, unit};
use xcollide_math::{Motion, Path, Speed};
use xcollide_narrow::continuous::{MotionVerdict, Moving, time_of_contact};
use xcollide_narrow::{Model, Pose, Query, Semantics};
use xcollide_scenes::shape;

/// The widths of the interval of time that a library is asked for; FCL's default is 1e-4.
const WIDTHS: [f64; 3] = [1e-6, 1e-4, 1e-3];
/// A time of contact of an iterative search that is farther off is wrong.
const RIGHT: f64 = 1e-3;
const LIMIT: Duration = Duration::from_secs(20);
/// The parts into which the queries are divided: for each, the bench times ours, then FCL's samples.
const PARTS: usize = 8;
/// The most queries for which a million samples are taken.
const FEW: usize = 12;

struct Case {
    name: &'static str,
    specs: [&'static str; 2],
    queries: usize,
}

const CASES: [Case; 4] = [
    Case { name: "boxes", specs: ["shape:box", "shape:box"], queries: 400 },
    Case { name: "1k", specs: ["shape:torus?faces=1000", "shape:knot?faces=1000"], queries: 200 },
    Case { name: "20k", specs: ["shape:torus?faces=20000", "shape:knot?faces=20000"], queries: 80 },
    Case {
        name: "100k",
        specs: ["shape:torus?faces=100000", "shape:knot?faces=100000"],
        queries: 40,
    },
];

/// What a library told of a query.
#[derive(Clone, Copy)]
struct Answer {
    /// `None`: apart throughout.
    time: Option<f64>,
    nanoseconds: f64,
}

fn radius(model: &Model) -> f64 {
    model.mesh().positions().iter().map(|&p| length(p)).fold(0.0, f64::max)
}

/// A motion from outside, by a line that passes the origin at less than the sum of the radii.
fn motion(random: &mut Random, reach: f64) -> Motion {
    let direction = |random: &mut Random| loop {
        if let Some(n) = unit(random.point(1.0)) {
            return n;
        }
    };
    let along = direction(random);
    let aside = unit(cross(along, direction(random))).unwrap();
    let offset = scale(aside, 0.45 * reach * (1.0 + random.point(1.0)[0]));
    let start = add(offset, scale(along, -1.5 * reach));
    let turn = |random: &mut Random, most: f64| {
        let angle = most * random.point(1.0)[0];
        (direction(random), angle)
    };
    let (axis, angle) = turn(random, 3.0);
    let from = Pose::from_axis_angle(axis, angle, start).unwrap();
    let (axis, angle) = turn(random, std::f64::consts::FRAC_PI_2);
    Motion::spinning([0.0; 3], from, scale(along, 3.0 * reach), scale(axis, angle)).unwrap()
}

fn ours([a, b]: [&Model; 2], motion: &Motion, width: f64) -> Answer {
    let (resting, moving) = (Moving::new(a, &Pose::IDENTITY), Moving::new(b, motion));
    let mut times = [0.0; 3];
    let mut time = None;
    for nanoseconds in &mut times {
        let began = Instant::now();
        let verdict = black_box(time_of_contact(resting, moving, width, &Query::new()).unwrap());
        *nanoseconds = began.elapsed().as_nanos() as f64;
        assert!(!matches!(verdict, MotionVerdict::Undecided { .. }));
        time = verdict.interval().map(|time| time.hi);
    }
    times.sort_by(f64::total_cmp);
    let certain = time_of_contact(resting, moving, width, &Query::new().certify(true)).unwrap();
    certain.verify(resting, moving, Semantics::Solid).unwrap();
    Answer { time, nanoseconds: times[1] }
}

fn parrys([a, b]: [&TriMesh; 2], motion: &Motion) -> Answer {
    let rest = NonlinearRigidMotion::constant_position(parry_pose(&Pose::IDENTITY));
    let vector = |[x, y, z]: [f64; 3]| Vector::new(x, y, z);
    let Speed { velocity, spin, .. } = motion.speed(0.0, 1.0);
    let start = parry_pose(motion.start());
    let moving = NonlinearRigidMotion::new(start, Vector::ZERO, vector(velocity), vector(spin));
    let began = Instant::now();
    let hit = black_box(cast_shapes_nonlinear(&rest, a, &moving, b, 0.0, 1.0, true).unwrap());
    let nanoseconds = began.elapsed().as_nanos() as f64;
    Answer { time: hit.map(|hit| hit.time_of_impact), nanoseconds }
}

/// The answers of a program that reads two meshes and motions: a line `collides time nanoseconds` each.
fn by_program(
    program: &FilePath,
    models: [&Model; 2],
    motions: &[Motion],
    [solver, tolerance]: [&str; 2],
    limit: Duration,
) -> Vec<Answer> {
    let folder = std::env::temp_dir().join(format!("xcollide-sweep-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let names = ["a.off", "b.off", "motions.txt"].map(|name| folder.join(name));
    for (model, name) in models.iter().zip(&names) {
        let triangles = model.triangulation().triangles();
        let mut off = format!("OFF\n{} {} 0\n", model.mesh().vertex_count(), triangles.len());
        for [x, y, z] in model.mesh().positions() {
            off += &format!("{x:?} {y:?} {z:?}\n");
        }
        for [a, b, c] in triangles.iter().map(|triangle| triangle.map(|vertex| vertex.0)) {
            off += &format!("3 {a} {b} {c}\n");
        }
        fs::write(name, off).unwrap();
    }
    let mut lines = String::new();
    for motion in motions {
        for pose in [motion.start(), motion.end()] {
            let ([r, s, t], translation) = (pose.rotation(), pose.translation());
            for number in [*r, *s, *t, translation].as_flattened() {
                lines += &format!("{number:?} ");
            }
        }
        lines.push('\n');
    }
    fs::write(&names[2], lines).unwrap();
    let mut command = Command::new(program);
    command.args(&names).args([solver, tolerance, &limit.as_secs_f64().to_string()]);
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let answer = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        Answer { time: (numbers[0] == 1.0).then_some(numbers[1]), nanoseconds: numbers[2] }
    };
    text.lines().map(answer).collect()
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len().saturating_sub(1) as f64 * part) as usize).copied().unwrap_or(f64::NAN)
}

/// A row: who answered, at which accuracy, and how far off a time may be to be right.
struct Row<'a> {
    case: &'a str,
    who: &'a str,
    width: f64,
    right: f64,
}

fn row(row: &Row<'_>, truth: &[Answer], answers: &[Answer]) {
    let Row { case, who, width, right } = row;
    let accuracy = if width.is_nan() { "–".to_owned() } else { format!("{width:e}") };
    let is_right = |(known, told): &(&Answer, &Answer)| match (known.time, told.time) {
        (None, None) => true,
        (Some(known), Some(told)) => (known - told).abs() <= *right,
        _ => false,
    };
    let right: Vec<_> = truth.iter().zip(answers).filter(is_right).collect();
    let missed = truth.iter().zip(answers);
    let missed = missed.filter(|(known, told)| known.time.is_some() && told.time.is_none()).count();
    let mut times: Vec<f64> = right.iter().map(|(_, told)| told.nanoseconds / 1e3).collect();
    let mut ratios: Vec<f64> =
        right.iter().map(|(known, told)| told.nanoseconds / known.nanoseconds).collect();
    println!(
        "| {case} | {who} | {accuracy} | {} | {} | {missed} | {:.1} | {:.1} | {:.2} | {:.2} |",
        answers.len(),
        right.len(),
        quantile(&mut times, 0.5),
        quantile(&mut times, 1.0),
        quantile(&mut ratios, 0.5),
        quantile(&mut ratios, 0.0),
    );
}

fn main() {
    let (flags, only): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with('-'));
    let is_quick = flags.iter().any(|flag| flag == "--quick");
    let limit = if is_quick { LIMIT / 20 } else { LIMIT };
    let fcl = std::env::var_os("XCOLLIDE_FCL");
    println!(
        "| case | library | accuracy | queries | right | missed contacts | median µs | longest µs | median ratio to ours | least ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut asks_parry = true;
    for Case { name, specs, queries } in CASES {
        if !only.is_empty() && !only.iter().any(|word| word == name) {
            continue;
        }
        let models = specs.map(|spec| Model::from_mesh(shape(spec).unwrap()).unwrap());
        let models = [&models[0], &models[1]];
        models.iter().for_each(|model| Moving::new(model, &Pose::IDENTITY).prepare());
        let mut random = Random::new(1);
        let reach = radius(models[0]) + radius(models[1]);
        let queries = if is_quick { queries.min(8) } else { queries };
        let motions: Vec<Motion> = (0..queries).map(|_| motion(&mut random, reach)).collect();
        let samples = |motions: &[Motion], width: f64, limit| {
            let solver = ["sampling", &format!("{width:e}")];
            fcl.as_ref()
                .map(|program| by_program(FilePath::new(program), models, motions, solver, limit))
        };
        let [fine, ..] = WIDTHS.map(|width| {
            let most = if width < 1e-5 { FEW.min(queries) } else { queries };
            let (mut known, mut sampled) = (Vec::new(), Vec::new());
            for part in motions.chunks(queries.div_ceil(PARTS)) {
                // Where the limit was reached, no more is asked.
                let is_asked = sampled.len() == known.len() && known.len() < most;
                known.extend(part.iter().map(|motion| ours(models, motion, width)));
                if is_asked {
                    let part = &part[..part.len().min(most - sampled.len())];
                    sampled
                        .extend(samples(part, width, limit / PARTS as u32).into_iter().flatten());
                }
            }
            row(&Row { case: name, who: "ours", width, right: width }, &known, &known);
            let who = "FCL, sampling";
            if fcl.is_some() {
                row(&Row { case: name, who, width, right: 2.0 * width }, &known, &sampled);
            }
            known
        });
        let fine = &fine;
        if asks_parry {
            let meshes = models.map(trimesh);
            let began = Instant::now();
            let within = motions.iter().take_while(|_| began.elapsed() < limit);
            let answers: Vec<Answer> =
                within.map(|motion| parrys([&meshes[0], &meshes[1]], motion)).collect();
            asks_parry = answers.len() > 1;
            row(&Row { case: name, who: "parry", width: f64::NAN, right: RIGHT }, fine, &answers);
        }
        let Some(program) = &fcl else { continue };
        let who = "FCL, conservative advancement";
        let solver = ["advancement", "1e-6"];
        let answers = by_program(FilePath::new(program), models, &motions, solver, limit);
        row(&Row { case: name, who, width: 1e-6, right: RIGHT }, fine, &answers);
    }
}
