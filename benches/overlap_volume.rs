//! Volumes of overlap: `overlap_volume` and the intersection of Manifold on the same meshes, in turns. Tables of
//! `docs/benchmarks.md`.
//!
//! ```text
//! [XCOLLIDE_PYTHON=PROGRAM] cargo bench -p xcollide-benches --bench overlap_volume [-- --quick]
//! ```
//!
//! PROGRAM is a Python with manifold3d and numpy; without it, only ours are timed. Manifold computes the mesh of the
//! intersection in f64 and measures it; here the volume is bounded to 1e-9 of it. What either prepares of one model is not
//! timed.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use xcollide_benches::pairs;
use xcollide_narrow::{Model, Placed, Pose, overlap_volume};
use xcollide_scenes::Poses;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let passes = if quick { 5 } else { 15 };
    println!(
        "| triangles each | pairs that cut | ours, µs | manifold3d, µs | ratio | volumes agree to |"
    );
    println!("|---|---|---|---|---|---|");
    for size in [1000, 20_000] {
        let models = pairs::models(size);
        let cases = cases(&models);
        let mut peer =
            std::env::var("XCOLLIDE_PYTHON").ok().map(|python| Peer::new(&python, &cases));
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (mut sum, mut other) = (0.0, 0.0);
        for _ in 0..=passes {
            let began = Instant::now();
            sum = cases.iter().map(Case::volume).sum();
            ours.push(began.elapsed().as_nanos() as f64);
            if let Some(peer) = &mut peer {
                let (nanoseconds, volume) = peer.ask();
                theirs.push(nanoseconds);
                other = volume;
            }
        }
        let cutting = cases.iter().filter(|case| case.volume() > 0.0).count();
        let median = |times: &[f64]| {
            let mut times = times[1..].to_vec();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2] / 1e3 / cases.len() as f64
        };
        let ours = median(&ours);
        let row = match &peer {
            Some(_) => {
                let theirs = median(&theirs);
                let apart = (sum - other).abs() / sum;
                format!("{ours:.0} | {theirs:.0} | {:.1} | {apart:.0e}", theirs / ours)
            }
            None => format!("{ours:.0} | – | – | –"),
        };
        println!("| {}k | {cutting} of {} | {row} |", size / 1000, cases.len());
    }
}

/// Two models, the second of which is moved.
struct Case<'m> {
    models: [&'m Model; 2],
    pose: Pose,
}

impl Case<'_> {
    fn volume(&self) -> f64 {
        let [a, b] = self.models;
        black_box(overlap_volume((a, &Pose::IDENTITY), (b, &self.pose)).unwrap()).at_least
    }
}

/// Each model with each, turned and moved by about their radius.
fn cases(models: &[Model]) -> Vec<Case<'_>> {
    let mut poses = Poses::new(71);
    let mut cases = Vec::new();
    for a in models {
        for b in models {
            for distance in [0.5, 1.0] {
                let way = poses.direction().map(|x| x * distance);
                let pose = Pose::from_quaternion(poses.rotation(), way).unwrap();
                cases.push(Case { models: [a, b], pose });
            }
        }
    }
    cases
}

struct Peer {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
    _file: tempfile::NamedTempFile,
}

impl Peer {
    fn new(python: &str, cases: &[Case<'_>]) -> Self {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&(cases.len() as u32).to_le_bytes()).unwrap();
        for case in cases {
            for (model, pose) in case.models.iter().zip([&Pose::IDENTITY, &case.pose]) {
                write_mesh(&mut file, Placed::new(model, pose).unwrap());
            }
        }
        file.flush().unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/manifold_volumes.py");
        let mut command = Command::new(python);
        command.arg(script).arg(file.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers, _file: file }
    }

    /// Nanoseconds of all pairs, and the sum of their volumes.
    fn ask(&mut self) -> (f64, f64) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input).unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let mut numbers = line.split_whitespace().map(|word| word.parse::<f64>().unwrap());
        (numbers.next().unwrap(), numbers.next().unwrap())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn write_mesh(file: &mut impl Write, placed: Placed<'_>) {
    let (positions, triangles) =
        (placed.model().mesh().positions(), placed.model().triangulation().triangles());
    let mut bytes = Vec::new();
    bytes.extend((positions.len() as u32).to_le_bytes());
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for vertex in 0..positions.len() as u32 {
        let position = placed.position(vertex.into());
        position.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    triangles.iter().flatten().for_each(|vertex| bytes.extend(vertex.0.to_le_bytes()));
    file.write_all(&bytes).unwrap();
}
