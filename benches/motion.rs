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
use xcollide_predicates::moving::{
    MovingPoint, edge_edge_contact, triangles_contact, vertex_face_contact,
};

const REPEATS: usize = 16;
const PASSES: usize = 9;
/// Number of random queries of a kind.
const RANDOM: usize = 20_000;

enum Query {
    VertexFace(MovingPoint, [MovingPoint; 3]),
    EdgeEdge([MovingPoint; 2], [MovingPoint; 2]),
    Triangles([MovingPoint; 3], [MovingPoint; 3]),
}

/// A query and its truth, if that is known.
type Judged = (Query, Option<bool>);

impl Query {
    fn collides(&self, width: f64) -> bool {
        match self {
            Self::VertexFace(vertex, face) => vertex_face_contact(vertex, face, width).is_some(),
            Self::EdgeEdge(first, second) => edge_edge_contact(first, second, width).is_some(),
            Self::Triangles(first, second) => triangles_contact(first, second, width).is_some(),
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
fn read(path: &Path, is_vertex_face: bool) -> Vec<Judged> {
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<[f64; 7]> = text
        .lines()
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
            numbers.try_into().unwrap()
        })
        .collect();
    let point = |row: &[f64; 7]| [row[0] / row[1], row[2] / row[3], row[4] / row[5]];
    let query = |rows: &[[f64; 7]]| {
        let moving = |i: usize| MovingPoint::new(point(&rows[i]), point(&rows[i + 4]));
        let [a, b, c, d] = [0, 1, 2, 3].map(moving);
        let query = if is_vertex_face {
            Query::VertexFace(a, [b, c, d])
        } else {
            Query::EdgeEdge([a, b], [c, d])
        };
        (query, Some(rows[0][6] == 1.0))
    };
    rows.chunks_exact(8).map(query).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

/// Vertices and faces, edges, or triangles, in the cube [−1, 1)³, whose points move by `reach` at most on
/// each axis.
fn random(reach: f64, of_triangles: bool) -> Vec<Judged> {
    let mut random = Random::new(1);
    let mut moving = || {
        let (start, step) = (random.point(1.0), random.point(reach));
        MovingPoint::new(start, [0, 1, 2].map(|k| start[k] + step[k]))
    };
    let mut query = |i: usize| {
        let [a, b, c, d, e, f] = [(); 6].map(|()| moving());
        match i % 2 {
            _ if of_triangles => Query::Triangles([a, b, c], [d, e, f]),
            0 => Query::VertexFace(a, [b, c, d]),
            _ => Query::EdgeEdge([a, b], [c, d]),
        }
    };
    (0..RANDOM).map(|i| (query(i), None)).collect()
}

fn report(title: &str, queries: &[Judged], width: f64) {
    let hits = queries.iter().filter(|(query, _)| query.collides(width)).count();
    let wrong = |expected| {
        let judged = queries.iter().filter(|(_, truth)| *truth == Some(expected));
        judged.filter(|(query, _)| query.collides(width) != expected).count()
    };
    let (false_negatives, false_positives) = (wrong(true), wrong(false));
    let mut times: Vec<f64> = queries.iter().map(|(query, _)| query.time(width)).collect();
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
    let mut sets: Vec<(String, Vec<Judged>)> = Vec::new();
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
    for reach in [0.1, 1.0] {
        sets.push((format!("random, moving by {reach}"), random(reach, false)));
        sets.push((format!("random triangles, moving by {reach}"), random(reach, true)));
    }
    for (title, queries) in &sets {
        for width in [f64::INFINITY, 1e-6, 0.0] {
            report(title, queries, width);
        }
    }
}
