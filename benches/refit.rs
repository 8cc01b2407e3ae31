//! Refitting: nanoseconds a triangle to follow vertices that move, on one thread, and queries afterwards.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench refit
//! ```
//!
//! A torus of 100,000 triangles waves for 100 frames. Each frame the wide tree is refitted, a second one is built anew, a
//! model is moved as a whole and another in place; medians of the frames. Then, in the last frame, the box tests of
//! queries with both trees and the times of both, a sphere against the torus.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use xcollide_bvh::Counts;
use xcollide_bvh::wide::{self, CompactTree, Traversal, WideOptions, WideTree};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, Pose};

const FRAMES: usize = 100;

/// What is measured, and its times.
type Row = (&'static str, Vec<f64>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(pool.install(|| run().map_err(|error| error.to_string()))?)
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::from_mesh(xcollide_scenes::shape("torus?faces=100000")?)?;
    let start = model.mesh().positions().to_vec();
    let triangles: Vec<[u32; 3]> =
        model.triangulation().triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
    for (name, size) in [("waves a little", 0.01), ("waves", 0.1), ("bends", 0.6)] {
        frames(name, size, &model, &start, &triangles)?;
    }
    Ok(())
}

/// The vertices in a frame of a wave.
fn waved(start: &[[f64; 3]], size: f64, time: f64) -> Vec<[f64; 3]> {
    let wave = |[x, y, z]: [f64; 3]| {
        [
            x,
            y + 0.5 * size * libm::sin(2.0 * z + time),
            z + size * libm::sin(3.0 * x + 2.0 * y + time),
        ]
    };
    start.iter().map(|&position| wave(position)).collect()
}

fn frames(
    name: &str,
    size: f64,
    model: &Model,
    start: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<(), Box<dyn std::error::Error>> {
    let options = WideOptions::default();
    let mut tree = WideTree::build(start, triangles, options);
    let mut compact = CompactTree::build(start, triangles, options);
    let mut moved = Model::from_mesh(model.mesh().clone())?;
    let mut in_place = Model::from_mesh(model.mesh().clone())?;
    for model in [&moved, &in_place] {
        Wide::new().prepare(model)?;
    }
    let names = ["refit", "refit, compact", "build", "Model::moved", "Model::set_positions"];
    let mut rows: Vec<Row> = names.map(|name| (name, Vec::new())).to_vec();
    let mut fresh = tree.clone();
    for frame in 0..=FRAMES {
        let positions = waved(start, size, 0.1 * frame as f64);
        let mut measure = |row: usize, action: &mut dyn FnMut() -> bool| {
            let begin = Instant::now();
            assert!(action(), "it failed");
            let time = begin.elapsed().as_secs_f64();
            // The first one makes the memory.
            if frame > 0 {
                rows[row].1.push(1e9 * time / triangles.len() as f64);
            }
        };
        measure(0, &mut || {
            tree.refit(&positions, triangles);
            true
        });
        measure(4, &mut || in_place.set_positions(&positions).is_ok());
        if frame % 10 == 0 {
            measure(1, &mut || {
                compact.refit(&positions, triangles);
                true
            });
            measure(2, &mut || {
                fresh = WideTree::build(&positions, triangles, options);
                true
            });
            measure(3, &mut || match moved.moved(positions.clone()) {
                Ok(next) => {
                    moved = next;
                    true
                }
                Err(_) => false,
            });
        }
    }
    println!("{name}: ns a triangle, median and longest");
    for (name, times) in &mut rows {
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.1} | {:.1} |", times[times.len() / 2], times[times.len() - 1]);
    }
    let sphere = Model::from_mesh(xcollide_scenes::shape("sphere?faces=10000")?)?;
    let corners: Vec<[u32; 3]> =
        sphere.triangulation().triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
    let other = WideTree::build(sphere.mesh().positions(), &corners, options);
    for (name, tree) in [("refitted", &tree), ("new", &fresh)] {
        let (mut counts, mut pairs) = (Counts::default(), 0);
        let mut traversal = Traversal::new();
        let begin = Instant::now();
        for step in 0..200 {
            let pose = Pose::from_translation([0.01 * f64::from(step), 0.3, 0.1]);
            let flow = wide::candidates(
                (tree, &Pose::IDENTITY),
                (&other, &pose),
                &mut traversal,
                &mut counts,
                |_, _| {
                    pairs += 1;
                    ControlFlow::Continue(())
                },
            );
            black_box(flow.is_continue());
        }
        let time = begin.elapsed().as_secs_f64() * 1e6 / 200.0;
        println!(
            "| all pairs, {name} tree | {time:.1} us | {} box tests, {pairs} pairs |",
            counts.volumes
        );
    }
    Ok(())
}
