//! Time of contact of moving vertices, faces and edges, query by query, and of moving models.
//!
//! `[XCOLLIDE_CCD=FOLDER] cargo bench -p xcollide-benches --bench motion [-- models]`, where FOLDER holds
//! queries of the Tight-Inclusion benchmark, SCENE/vertex-face/*.csv and SCENE/edge-edge/*.csv; without it
//! only the random queries are timed. With `models` only the models are timed.
//!
//! A query is timed nine times, sixteen calls each; its time is the median. A row has the median, the
//! mean and the longest over the queries, which are counted with those that collide and the wrong
//! answers. `width` is that asked for: infinity for yes or no only, 0 for neighbouring numbers.
//!
//! Models are translated past and into each other by three engines: `linear` is `meshes_contact`, `rigid`
//! `time_of_contact`, both for intervals of 1e-9, and `advance` conservative advancement by the exact
//! distance of the whole models, to within 1e-9. `deform` is `linear` with the vertices at time 1 given, so
//! that each query fits the boxes. A query is timed three times, in turns, and the least taken; a row has the
//! medians over the queries. A near miss passes at about a thousandth of the size.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use xcollide_fixtures::Random;
use xcollide_math::{Motion, Pose};
use xcollide_narrow::continuous::{Moving, MovingMesh, meshes_contact, time_of_contact};
use xcollide_narrow::{Model, Query as ModelQuery, distance};
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

/// Width of the intervals of models.
const WIDTH: f64 = 1e-9;

/// A model that is translated past another at rest.
struct Flight<'a> {
    model: &'a Model,
    poses: [Pose; 2],
    rest: Pose,
}

impl Flight<'_> {
    fn meshes(&self) -> [MovingMesh; 2] {
        let [start, end] = &self.poses;
        [
            MovingMesh::between(self.model, start, end).unwrap(),
            MovingMesh::resting(self.model, &self.rest).unwrap(),
        ]
    }

    fn linear(&self) -> bool {
        let [a, b] = self.meshes();
        meshes_contact(&a, &b, WIDTH, &ModelQuery::new()).unwrap().interval().is_some()
    }

    fn deform(&self, vertices: &[[f64; 3]]) -> bool {
        let a = MovingMesh::deforming(self.model, &self.poses[0], vertices).unwrap();
        let [_, b] = self.meshes();
        meshes_contact(&a, &b, WIDTH, &ModelQuery::new()).unwrap().interval().is_some()
    }

    fn rigid(&self) -> bool {
        let motion = Motion::linear(self.poses[0], self.poses[1]).unwrap();
        let (a, b) = (Moving::new(self.model, &motion), Moving::new(self.model, &self.rest));
        time_of_contact(a, b, WIDTH, &ModelQuery::new()).unwrap().interval().is_some()
    }

    fn advance(&self) -> bool {
        let [from, to] = self.poses.map(|pose| pose.translation());
        let way = [0, 1, 2].map(|k| to[k] - from[k]);
        let speed = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut time = 0.0;
        while time <= 1.0 {
            let pose = self.poses[0].with_translation([0, 1, 2].map(|k| from[k] + time * way[k]));
            let gap = distance((self.model, &pose), (self.model, &self.rest)).unwrap();
            if gap <= WIDTH {
                return true;
            }
            time += gap / speed;
        }
        false
    }
}

/// Flights that hit, and near misses beside them.
fn flights<'m>(model: &'m Model, count: usize, random: &mut Random) -> [Vec<Flight<'m>>; 2] {
    let [mut hits, mut misses] = [Vec::new(), Vec::new()];
    let unit = |random: &mut Random| loop {
        let v = random.point(1.0);
        let square: f64 = v.iter().map(|x| x * x).sum();
        if (0.01..1.0).contains(&square) {
            break v.map(|x| x / square.sqrt());
        }
    };
    while hits.len() < count {
        let [way, side] = [unit(random), unit(random)];
        let turned = |random: &mut Random| {
            let angle = 3.0 * random.signed();
            Pose::from_axis_angle(unit(random), angle, [0.0; 3]).unwrap()
        };
        let (turn, rest) = (turned(random), turned(random));
        let flight = |offset: f64| {
            let at = |along: f64| [0, 1, 2].map(|k| along * way[k] + offset * side[k]);
            let poses = [-4.0, 4.0].map(|along| turn.with_translation(at(along)));
            Flight { model, poses, rest }
        };
        // The offset from which on they pass.
        let (mut meets, mut passes) = (0.0, 4.0);
        if !flight(meets).linear() || flight(passes).linear() {
            continue;
        }
        while passes - meets > 2e-3 {
            let middle = 0.5 * (meets + passes);
            if flight(middle).linear() { meets = middle } else { passes = middle }
        }
        hits.push(flight(meets * random.unit()));
        misses.push(flight(passes));
    }
    [hits, misses]
}

/// The medians of the least of three times, in microseconds.
fn time_models(flights: &[Flight<'_>]) -> [f64; 4] {
    let mut times = [const { Vec::new() }; 4];
    for flight in flights {
        let mut least = [f64::INFINITY; 4];
        let positions = flight.model.mesh().positions();
        let vertices: Vec<_> = positions.iter().map(|&p| flight.poses[1].apply(p)).collect();
        for _ in 0..3 {
            let engines: [&dyn Fn() -> bool; 4] =
                [&|| flight.linear(), &|| flight.rigid(), &|| flight.advance(), &|| {
                    flight.deform(&vertices)
                }];
            for (engine, least) in engines.into_iter().zip(&mut least) {
                let began = Instant::now();
                black_box(engine());
                *least = least.min(began.elapsed().as_secs_f64() * 1e6);
            }
        }
        times.iter_mut().zip(least).for_each(|(times, least)| times.push(least));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn models() {
    println!("\n| model | triangles | flights | linear µs | rigid µs | advance µs | deform µs |");
    println!("|---|---|---|---|---|---|---|");
    let mut random = Random::new(7);
    for shape in ["sphere", "knot", "torus"] {
        for faces in [1000, 20_000] {
            let mesh = xcollide_scenes::shape(&format!("shape:{shape}?faces={faces}")).unwrap();
            let model = Model::from_mesh(mesh).unwrap();
            Moving::new(&model, &Pose::IDENTITY).prepare();
            let [hits, misses] = flights(&model, 20, &mut random);
            for (kind, flights) in [("hits", &hits), ("near misses", &misses)] {
                let [linear, rigid, advance, deform] = time_models(flights);
                println!(
                    "| {shape} | {} | {kind} | {linear:.1} | {rigid:.1} | {advance:.1} | {deform:.1} |",
                    model.triangulation().len(),
                );
            }
        }
    }
}

fn main() {
    if std::env::args().any(|argument| argument == "models") {
        return models();
    }
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
    models();
}
