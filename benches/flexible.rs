//! Pairs within a mesh of many moving triangles, frame by frame: broad phases on one box a triangle, and the exact test for
//! self-intersections by the wide hierarchy, beside those of ipctk on the same frames.
//!
//! `[XCOLLIDE_PYTHON=PROGRAM] cargo bench -p xcollide-benches --bench flexible [-- FRAMES]`, where PROGRAM is a Python with
//! ipctk; without it ipctk is left out. One thread. A figure is milliseconds a frame; the boxes of ours are fitted within
//! the time. `at rest` is about the triangles of a frame, `moving` about those that move from one frame to the next.
//! Candidates of ours are pairs of triangles, of ipctk pairs of vertices or edges with edges or faces; where
//! self-intersections are found, the number is that of the intersections (of ipctk, whether there is one).
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::process::Command;
use std::time::Instant;

use xcollide_benches::frames::Frames;
use xcollide_benches::rank::ranked;
use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, BroadPhase, Everything, Pairs, ProxyId, catalogue};
use xcollide_narrow::self_intersection::SelfSearch;
use xcollide_narrow::{Model, PairCache, Query};

/// The broad phases that are compared.
const NAMES: [&str; 7] = [
    "auto",
    "hash-grid",
    "wide-tree",
    "neighbour-list",
    "dynamic-tree",
    "sweep",
    "sweep-and-prune",
];

/// What was measured of one way to find pairs.
struct Row {
    who: String,
    /// Of the last frame.
    candidates: usize,
    milliseconds: Vec<f64>,
}

impl Row {
    fn print(&self, case: &str) {
        let at = |part: f64| ranked(&self.milliseconds, part).unwrap_or(f64::NAN);
        println!(
            "| {case} | {} | {} | {:.2} | {:.2} |",
            self.who,
            self.candidates,
            at(0.5),
            at(1.0)
        );
    }
}

/// The box of a triangle at its places in one frame, or in two between which it moves.
fn box_of(triangle: [u32; 3], frames: &[&[[f64; 3]]]) -> Aabb {
    let corners = frames.iter().flat_map(|frame| triangle.map(|vertex| frame[vertex as usize]));
    Aabb::from_points(corners)
}

/// A broad phase of ours on the boxes of all triangles.
fn broad(frames: &Frames, name: &str, is_moving: bool) -> Row {
    let entry = catalogue().iter().find(|entry| entry.name == name).unwrap();
    let mut phase: Box<dyn BroadPhase> = entry.make();
    let triangles = &frames.triangles;
    let mut table = vec![Bounds::new(Aabb::EMPTY); triangles.len()];
    let mut pairs = Pairs::new();
    let mut milliseconds = Vec::new();
    for number in 1..frames.positions.len() {
        let now: &[_] = &frames.positions[number];
        let both = [now, &frames.positions[number - 1]];
        let seen = if is_moving { &both[..] } else { &both[..1] };
        let began = Instant::now();
        for (bounds, &triangle) in table.iter_mut().zip(triangles) {
            bounds.aabb = box_of(triangle, seen);
        }
        if number == 1 {
            for (index, bounds) in table.iter().enumerate() {
                phase.insert(ProxyId::new(index as u32, 0), bounds).unwrap();
            }
        } else {
            let change = |at: usize| (ProxyId::new(at as u32, 0), (&table[at]).into());
            phase.update_many(table.len(), &change, &mut |id, error| panic!("{id}: {error}"));
        }
        phase.pairs(&Everything, &mut pairs);
        milliseconds.push(began.elapsed().as_secs_f64() * 1e3);
    }
    // In the first frames lists are made.
    let milliseconds = milliseconds.split_off(milliseconds.len() / 4);
    let when = if is_moving { "moving" } else { "at rest" };
    Row { who: format!("{name}, {when}"), candidates: pairs.overlapping.len(), milliseconds }
}

/// Our exact test for self-intersections: the wide hierarchy is refitted, or built anew, within the time.
fn against_itself(frames: &Frames, rebuild: bool) -> Row {
    let mut model = Model::from_mesh(frames.mesh(0)).unwrap();
    let search = SelfSearch::new();
    search.prepare(&model);
    let (mut cache, query) = (PairCache::new(), Query::new());
    let mut row = Row {
        who: format!("self-intersections, {}", if rebuild { "built anew" } else { "refitted" }),
        candidates: 0,
        milliseconds: Vec::new(),
    };
    for number in 1..frames.positions.len() {
        let began = Instant::now();
        if rebuild {
            model = Model::from_mesh(frames.mesh(number)).unwrap();
        } else {
            model.set_positions(&frames.positions[number]).unwrap();
        }
        let found = search.pairs(&model, 0, &query, &mut cache);
        row.milliseconds.push(began.elapsed().as_secs_f64() * 1e3);
        row.candidates = found.count;
    }
    row
}

/// ipctk on the same frames.
fn peers(frames: &Frames, python: &str) -> Vec<Row> {
    const SCRIPT: &str = include_str!("peers/ipctk_frames.py");
    let path = std::env::temp_dir().join(format!("xcollide-frames-{}.bin", std::process::id()));
    let counts = [frames.positions[0].len(), frames.triangles.len(), frames.positions.len()];
    let mut bytes: Vec<u8> = counts.iter().flat_map(|&n| (n as u32).to_le_bytes()).collect();
    bytes.extend(frames.triangles.iter().flatten().flat_map(|n| n.to_le_bytes()));
    bytes.extend(frames.positions.iter().flatten().flatten().flat_map(|x| x.to_le_bytes()));
    fs::write(&path, bytes).unwrap();
    let ran = Command::new(python).args(["-c", SCRIPT]).arg(&path).output().unwrap();
    fs::remove_file(&path).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).unwrap();
    let row = |line: &str| {
        let mut words = line.split(' ');
        let who = format!("ipctk {}", words.next().unwrap());
        let candidates = words.next().unwrap().parse().unwrap();
        let times: Vec<f64> = words.map(|word| word.parse::<f64>().unwrap() / 1e6).collect();
        Row { who, candidates, milliseconds: times }
    };
    text.lines().map(row).collect()
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    println!("| frames | method | candidates | median ms | longest ms |");
    println!("|---|---|---|---|---|");
    for frames in Frames::all(asked.unwrap_or(60)) {
        for is_moving in [false, true] {
            for name in NAMES {
                broad(&frames, name, is_moving).print(frames.name);
            }
        }
        for rebuild in [false, true] {
            against_itself(&frames, rebuild).print(frames.name);
        }
        if let Ok(python) = std::env::var("XCOLLIDE_PYTHON") {
            peers(&frames, &python).iter().for_each(|row| row.print(frames.name));
        }
    }
}
