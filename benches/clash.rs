//! Clash detection in a generated plant, with loaded models: the whole of `ClashDetector::detect`. Table of
//! `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench clash [-- --quick]
//! ```
//!
//! A plant has pipes with valves in racks, beams and columns of steel, and equipment, on floors; each element is a
//! cylinder, a ring, a cuboid or a round body of 6 to 400 faces in one of some sizes. The same elements in every run.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::{Duration, Instant};

use xcollide_clash::{ClashDetector, Clashes, Instance, InstanceSet, Rules};
use xcollide_narrow::Model;
use xcollide_scenes::{Random, shape};

/// Elements of the plant.
const ELEMENTS: usize = 50_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let passes = if quick { 5 } else { 15 };
    let rows = plant(ELEMENTS);
    let begun = Instant::now();
    let set = InstanceSet::load(rows, |reference| -> Result<Model, String> {
        let mesh = shape(reference).map_err(|error| error.to_string())?;
        Model::from_mesh(mesh).map_err(|error| error.to_string())
    });
    eprintln!("{} elements, loaded in {:?}", set.len(), begun.elapsed());
    if let Some(failure) = set.failures().first() {
        return Err(format!("{failure:?}").into());
    }
    println!("| | candidates | clashes | 1 thread | all threads |\n|---|---:|---:|---:|---:|");
    for (name, tolerance) in [("contact and kind", 0.0), ("clearance of 0.05", 0.05)] {
        let detector = ClashDetector::new(Rules::new().tolerance(tolerance));
        let mut times = [Duration::MAX; 2];
        let mut all = Clashes::default();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let pools = [one, rayon::ThreadPoolBuilder::new().build()?];
        for _ in 0..passes {
            for (time, pool) in times.iter_mut().zip(&pools) {
                let begun = Instant::now();
                all = pool.install(|| detector.detect(&set));
                *time = begun.elapsed().min(*time);
            }
        }
        let [one, both] = times.map(|time| format!("{:.1} ms", time.as_secs_f64() * 1e3));
        println!("| {name} | {} | {} | {one} | {both} |", all.candidates, all.clashes.len());
    }
    Ok(())
}

/// Elements of a plant, with numbers as ids.
fn plant(count: usize) -> Vec<Instance> {
    let mut random = Random::new(26);
    let mut rows = Vec::with_capacity(count);
    // Racks of pipes and steel, one in each cell of a floor.
    let side = (count as f64 / 200.0).sqrt().ceil();
    let mut cell = 0;
    while rows.len() < count {
        let floor = (cell / (side * side) as usize) as f64;
        let (x, y) = ((cell as f64) % side, (cell as f64 / side).floor() % side);
        let corner = [30.0 * x, 30.0 * y, 8.0 * floor];
        rack(&mut random, corner, &mut rows);
        cell += 1;
    }
    rows.truncate(count);
    rows
}

/// Some two hundred elements in a cell of 30 by 30 by 8.
fn rack(random: &mut Random, corner: [f64; 3], rows: &mut Vec<Instance>) {
    let mut add = |group: &str, model: String, turned: [[f64; 3]; 3], at: [f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| corner[k] + at[k]);
        let [r, s, t] = turned;
        let pose = [r[0], r[1], r[2], x, s[0], s[1], s[2], y, t[0], t[1], t[2], z];
        let (id, group) = (format!("{:06}", rows.len()), group.to_owned());
        rows.push(Instance { id, model, pose, group, attributes: Vec::new() });
    };
    let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let along_x = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
    let along_y = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    // Columns and beams.
    for k in 0..16 {
        let at = [7.0 * f64::from(k % 4) + 3.0, 7.0 * f64::from(k / 4) + 3.0, 3.5];
        add("steel", "shape:box?x=0.3&y=0.3&z=6.4".to_owned(), upright, at);
        add("steel", "shape:box?x=6.6&y=0.2&z=0.3".to_owned(), upright, [at[0] + 3.5, at[1], 6.9]);
    }
    // Layers of pipes, with valves on them.
    for layer in 0..4 {
        let height = 1.2 + 1.3 * f64::from(layer);
        for lane in 0..14 {
            let radius = [0.05, 0.1, 0.15, 0.2][below(random, 4) as usize];
            let length = [4, 6, 9][below(random, 3) as usize];
            let way = if layer % 2 == 0 { along_x } else { along_y };
            let start = random.between(6.0, 24.0);
            let lane = 1.4 + 2.0 * f64::from(lane) + random.between(-0.15, 0.15);
            let height = height + random.between(-0.12, 0.12);
            let at = if layer % 2 == 0 { [start, lane, height] } else { [lane, start, height] };
            let faces = 2 * (8 + 8 * below(random, 4));
            let pipe = format!("shape:cylinder?faces={faces}&radius={radius}&height={length}");
            add("pipes", pipe, way, at);
            if below(random, 4) == 0 {
                let shift = random.between(-1.5, 1.5);
                let [x, y, z] = at;
                let at = if layer % 2 == 0 { [x + shift, y, z] } else { [x, y + shift, z] };
                let valve = "shape:torus?faces=400&radius=0.3&tube=0.08".to_owned();
                add("valves", valve, way, at);
            }
        }
    }
    // Equipment and hangers.
    for _ in 0..20 {
        let at = [random.between(1.0, 29.0), random.between(1.0, 29.0), random.between(0.3, 6.5)];
        add("hangers", "shape:box?x=0.05&y=0.05&z=0.5".to_owned(), upright, at);
    }
    for _ in 0..10 {
        let at = [random.between(1.0, 29.0), random.between(1.0, 29.0), 0.4];
        add("equipment", "shape:sphere?faces=200&radius=0.4".to_owned(), upright, at);
    }
}

/// A whole number from 0 to `count` − 1.
fn below(random: &mut Random, count: u32) -> u32 {
    (random.unit() * f64::from(count)) as u32
}
