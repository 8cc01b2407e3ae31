//! Golden logs: the collisions in every embedded scene and those of `fixtures/`, the same on every
//! platform and by every exact algorithm.
//!
//! `cargo insta review` shows changes; `cargo xtask fixtures` rewrites the logs.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::fmt::Write as _;
use std::path::Path;

use program::xcollide_at;
use serde_json::Value;
use xcollide_fixtures::long_run;

/// Each scene, with parameters if it is large or long, and its number of frames.
const SCENES: [(&str, u32); 20] = [
    ("asteroids?objects=3000", 10),
    ("cage", 200),
    ("cage?objects=100&shape=tetrahedron", 30),
    ("car-game", 300),
    ("cars", 361),
    ("city", 60),
    ("bullets", 40),
    ("cloth?triangles=200", 60),
    ("icollide", 30),
    ("icollide?objects=200&density=10", 60),
    ("pile", 200),
    ("potter?faces=400&tool=forefinger", 60),
    ("qcollide", 100),
    ("qcollide?vertices=500&velocity=20", 30),
    ("sphere-in-sphere", 60),
    ("tetra-flakes", 200),
    ("tumble?faces=1000&steps=10", 90),
    ("arm.toml", 41),
    ("arm.urdf", 300),
    ("clock.gltf", 61),
];

#[test]
fn what_collides_is_what_it_was() {
    let mut log = String::new();
    for (scene, frames) in SCENES {
        log += &told(scene, frames, &[]);
    }
    insta::assert_snapshot!("what_collides", log);
}

/// Every scene has a log.
#[test]
fn every_embedded_scene_is_among_them() {
    for name in xcollide_scenes::names() {
        assert!(SCENES.iter().any(|(scene, _)| scene.split('?').next() == Some(name)), "{name}");
    }
}

/// The log is the same for other algorithms.
#[test]
fn other_algorithms_write_the_same() {
    for (scene, frames) in [("cage", 30), ("arm.urdf", 60), ("qcollide", 20)] {
        let expected = told(scene, frames, &[]);
        for options in [
            ["--narrow", "brute-force", "--broad", "all-pairs"],
            ["--narrow", "box-tree", "--broad", "sweep-and-prune"],
            ["--narrow", "wide-obb", "--threads", "2"],
        ] {
            assert_eq!(told(scene, frames, &options), expected, "{scene}: {options:?}");
        }
    }
}

/// The belt at full size: two different broad phases and two narrow ones find the logged
/// collisions.
#[test]
fn the_whole_belt_is_what_it_was_soak() {
    let run = long_run(2, 25);
    let frames = run.cases as u32;
    let log = told("asteroids", frames, &[]);
    assert!(log.starts_with("asteroids: 100000 objects"), "{log}");
    let others = ["--broad", "sweep-and-prune", "--narrow", "wide-obb"];
    assert_eq!(told("asteroids", frames, &others), log);
    if run.is_whole {
        insta::assert_snapshot!("the_whole_belt", log);
    }
}

/// A scene's log: its objects, then some frames with the checksum so far.
fn told(scene: &str, frames: u32, options: &[&str]) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let count = frames.to_string();
    let arguments = [&["run", scene, "--frames", &count, "--json"], options].concat();
    let lines = xcollide_at(&fixtures, &arguments, "").json();
    let (summary, lines) = lines.split_last().unwrap();
    let summary = &summary["summary"];
    let mut log = String::new();
    writeln!(log, "{scene}: {} objects, {frames} frames", summary["objects"]).unwrap();
    let mut checksum = Checksum::new();
    let (mut began, mut ended) = (0, 0);
    for (frame, line) in lines.iter().enumerate() {
        let lists = ["began", "persisting", "ended"].map(|key| line[key].as_array().unwrap());
        checksum.add(frame as u64);
        for list in lists {
            checksum.add(list.len() as u64);
            for pair in list {
                checksum.add(pair[0].as_u64().unwrap());
                checksum.add(pair[1].as_u64().unwrap());
            }
        }
        began += lists[0].len();
        ended += lists[2].len();
        // The first, the last, and some between.
        let every = (lines.len() / 4).max(1);
        if frame % every == 0 || frame + 1 == lines.len() {
            let first =
                lists[0].first().or(lists[1].first()).map_or(String::new(), |pair: &Value| {
                    format!(", {} and {} among them", pair[0], pair[1])
                });
            writeln!(
                log,
                "  frame {frame}: {} collide{first}; {began} began, {ended} ended so far; {:016x}",
                lists[0].len() + lists[1].len(),
                checksum.0
            )
            .unwrap();
        }
    }
    log
}

/// FNV-1a (Fowler, Noll and Vo).
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
