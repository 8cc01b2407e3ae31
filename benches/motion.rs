//! Time of contact of moving vertices, faces and edges, query by query.
//!
//! `[XCOLLIDE_CCD=FOLDER] cargo bench -p xcollide-benches --bench motion`, where FOLDER holds queries
//! of the Tight-Inclusion benchmark, SCENE/vertex-face/*.csv and SCENE/edge-edge/*.csv; without it
//! only the random queries are timed.
//!
//! A query is timed nine times, sixteen calls each; its time is the median. A row has the median, the
//! mean and the longest over the queries, which are counted with those that collide and the wrong
//! answers. `width` is that asked for: infinity for yes or no only, 0 for neighbouring numbers.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use xcollide_fixtures::Random;
use xcollide_predicates::moving::{MovingPoint, edge_edge_contact, vertex_face_contact};

const REPEATS: usize = 16;
const PASSES: usize = 9;

struct Query {
    is_vertex_face: bool,
    points: [MovingPoint; 4],
    truth: Option<bool>,
}

impl Query {
    fn collides(&self, width: f64) -> bool {
        let [a, b, c, d] = self.points;
        if self.is_vertex_face {
            vertex_face_contact(&a, &[b, c, d], width).is_some()
        } else {
            edge_edge_contact(&[a, b], &[c, d], width).is_some()
        }
    }

    /// Nanoseconds of a call.
    fn time(&self, width: f64) -> f64 {
        let mut passes: Vec<f64> = (0..PASSES)
            .map(|_| {
                let began = Instant::now();
                for _ in 0..REPEATS {
                    black_box(black_box(self).collides(black_box(width)));
                }
                began.elapsed().as_nanos() as f64 / REPEATS as f64
            })
            .collect();
        passes.sort_by(f64::total_cmp);
        passes[PASSES / 2]
    }
}

/// The queries of a file: eight lines of numerators and denominators each, and the truth.
fn read(path: &Path, is_vertex_face: bool) -> Vec<Query> {
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<[f64; 7]> = text
        .lines()
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
            numbers.try_into().unwrap()
        })
        .collect();
    let point = |row: &[f64; 7]| [row[0] / row[1], row[2] / row[3], row[4] / row[5]];
    rows.chunks_exact(8)
        .map(|rows| Query {
            is_vertex_face,
            points: [0, 1, 2, 3]
                .map(|i| MovingPoint { start: point(&rows[i]), end: point(&rows[i + 4]) }),
            truth: Some(rows[0][6] == 1.0),
        })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

/// Points in the unit cube that move by `reach`.
fn random(count: usize, reach: f64) -> Vec<Query> {
    let mut random = Random::new(1);
    let mut moving = || {
        let (start, step) = (random.point(1.0), random.point(reach));
        MovingPoint { start, end: [0, 1, 2].map(|k| start[k] + step[k]) }
    };
    let query =
        |i| Query { is_vertex_face: i % 2 == 0, points: [(); 4].map(|()| moving()), truth: None };
    (0..count).map(query).collect()
}

fn report(title: &str, queries: &[Query], width: f64) {
    let hits = queries.iter().filter(|query| query.collides(width)).count();
    let wrong = |truth| {
        let judged = queries.iter().filter(|query| query.truth == Some(truth));
        judged.filter(|query| query.collides(width) != truth).count()
    };
    let (false_negatives, false_positives) = (wrong(true), wrong(false));
    let mut times: Vec<f64> = queries.iter().map(|query| query.time(width)).collect();
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "| {title} | {width:e} | {} | {hits} | {false_negatives} | {false_positives} | {:.0} | {mean:.0} | {:.0} | {:.0} |",
        queries.len(),
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        times[times.len() - 1],
    );
}

fn main() {
    println!(
        "| queries | width | number | collide | false negatives | false positives | median ns | mean ns | 99 % ns | longest ns |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut sets: Vec<(String, Vec<Query>)> = Vec::new();
    if let Some(folder) = std::env::var_os("XCOLLIDE_CCD").map(PathBuf::from) {
        let mut all = Vec::new();
        for scene in files(&folder).iter().filter(|path| path.is_dir()) {
            let mut queries = Vec::new();
            for (kind, is_vertex_face) in [("vertex-face", true), ("edge-edge", false)] {
                for file in files(&scene.join(kind)) {
                    queries.extend(read(&file, is_vertex_face));
                    all.extend(read(&file, is_vertex_face));
                }
            }
            sets.push((scene.file_name().unwrap().to_string_lossy().into_owned(), queries));
        }
        sets.push(("all scenes".to_owned(), all));
    }
    sets.push(("random, moving by 0.1".to_owned(), random(20_000, 0.1)));
    sets.push(("random, moving by 1".to_owned(), random(20_000, 1.0)));
    for (title, queries) in &sets {
        for width in [f64::INFINITY, 1e-6, 0.0] {
            report(title, queries, width);
        }
    }
}
