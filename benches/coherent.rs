//! Moving pairs in successive frames: `wide-obb` with empty caches and with a coherent cache's
//! temporal front, and parry3d's trees (`leaf_pairs`), on the same models and poses in turns.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench coherent
//! ```
//!
//! In every frame the second model turns and slides around the first by the given part of its size,
//! half of it each, and is then put at a gap of 0.5 % of its size (`near`), at a depth of 0.1 %
//! (`touching`), or alternately apart and in contact (`in and out`). On bumpy surfaces the
//! effective motion is a little larger. Each figure is over 150 frames of three pairs.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use xcollide_benches::contest::{Contestant, Rules, contest};
use xcollide_benches::pairs::{self, Pair, SIZE};
use xcollide_benches::parry::{leaf_pairs, parry_pose, trimesh};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, PairCache};
use xcollide_scenes::Poses;

const TRIANGLES: usize = 40_000;
const FRAMES: usize = 150;
const MOTIONS: [f64; 5] = [0.0001, 0.001, 0.004, 0.01, 0.05];
const FAMILIES: [&str; 3] = ["near", "touching", "in and out"];

/// How far apart the models of a family are in a frame, in sizes.
fn gap(family: &str, frame: usize) -> f64 {
    match family {
        "near" => 0.005,
        "touching" => -0.001,
        _ => [0.001, 0.002, 0.001, -0.001, -0.002, -0.001][frame / 4 % 6],
    }
}

/// The frames of three pairs of models, one pair after the other.
fn sequences(models: &[Model], family: &str, motion: f64) -> Vec<Pair> {
    let mut all = Vec::new();
    for first in 0..models.len() {
        let numbers = [first, (first + 1) % models.len()];
        let [a, b] = numbers.map(|number| &models[number]);
        let mut poses = Poses::new(40 + first as u64);
        let (mut rotation, mut way) = (poses.rotation(), poses.direction());
        let (axis, slide) = (poses.direction(), poses.direction());
        let mut distance = pairs::contact(a, b, rotation, way, 4.0);
        for frame in 0..FRAMES {
            rotation = turned(rotation, axis, motion);
            let along = |k: usize| way[k] + slide[k] * motion * 0.5 * SIZE / distance;
            way = normalized([along(0), along(1), along(2)]);
            distance = pairs::contact(a, b, rotation, way, distance + (3.0 * motion + 0.01) * SIZE);
            let at = distance + gap(family, frame) * SIZE;
            let pose = pairs::pose(rotation, way.map(|k| k * at));
            all.push(Pair { models: numbers, pose });
        }
    }
    all
}

/// The rotation after a small turn about an axis.
fn turned([p, q, r, s]: [f64; 4], axis: [f64; 3], angle: f64) -> [f64; 4] {
    let [x, y, z] = axis.map(|k| k * 0.5 * angle);
    let w = (1.0 - 0.25 * angle * angle).sqrt();
    normalized([
        w * p + x * s + y * r - z * q,
        w * q - x * r + y * s + z * p,
        w * r + x * q - y * p + z * s,
        w * s - x * p - y * q - z * r,
    ])
}

fn normalized<const N: usize>(v: [f64; N]) -> [f64; N] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

fn main() {
    let models = pairs::models(TRIANGLES);
    let peers: Vec<_> = models.iter().map(trimesh).collect();
    let rules = Rules { passes: 15, patience: Duration::from_millis(800), cold: false };
    println!(
        "| µs a frame | motion | fresh | coherent | ratio | parry `leaf_pairs` | coherent against parry |"
    );
    println!("|---|---|---|---|---|---|---|");
    for family in FAMILIES {
        for motion in MOTIONS {
            eprintln!("{family}, {motion}");
            let frames = sequences(&models, family, motion);
            let poses: Vec<_> = frames.iter().map(|frame| parry_pose(&frame.pose)).collect();
            let ours = |cache: fn() -> PairCache| {
                pairs::contestant(Box::new(Wide::new()), &models, &frames, cache)
            };
            let parry = Contestant::new("parry3d `leaf_pairs`", |frame| {
                let [a, b] = frames[frame].models.map(|number| &peers[number]);
                Some(leaf_pairs(a, b, &poses[frame]))
            });
            let mut all = [ours(PairCache::new), ours(PairCache::coherent), parry];
            let timings = contest(&mut all, frames.len(), rules);
            assert_eq!(timings[0].hits, timings[1].hits, "a front never changes an answer");
            let [fresh, front, parry] = [0, 1, 2].map(|i: usize| timings[i].nanoseconds / 1000.0);
            println!(
                "| {family} | {:.2} % | {fresh:.2} | {front:.2} | {:.2} | {parry:.1} | {:.0} |",
                100.0 * motion,
                fresh / front,
                parry / front
            );
        }
    }
}
