//! Building the half-edge structure: search in the list of all edges so far, or in linear time (Zachmann 1994, 4.1.3).

use std::hint::black_box;
use std::time::Instant;

use xcollide::brep::{Dcel, PolygonMesh};
use xcollide_scenes::shape;

use super::experiment::{Stage, Tables, unusable};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::median;

/// Faces of tori, and the thesis's milliseconds by search and in linear time for 1220 edges; our second torus has 1218.
const FACES: [(usize, Option<[f64; 2]>); 4] =
    [(150, None), (610, Some([2800.0, 40.0])), (2440, None), (9760, None)];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let caption = "Building in ms, median (in brackets: the thesis, on an R4400 of 50 MHz)";
    let columns = ["by search", "linear", "by search / linear"];
    let mut table = FigureTable::new(caption, "edges", columns);
    let mut comparisons = Vec::new();
    for (faces, published) in FACES {
        let spec = format!("shape:torus?faces={faces}");
        let mesh = shape(&spec).map_err(|error| unusable(&spec, error))?;
        let edges = Dcel::new(&mesh).edge_count();
        stage(&format!("{edges} edges"));
        let (found, compared) = edges_by_search(&mesh);
        comparisons.push(compared as f64);
        if found != edges {
            return Err(unusable(&spec, "the search finds another number of edges"));
        }
        let rounds = effort.rounds.max(1);
        let search = milliseconds(rounds, || edges_by_search(&mesh));
        let linear = milliseconds(20 * rounds, || Dcel::new(&mesh));
        table = table.row(
            edges.to_string(),
            [
                Cell::ours(search).beside(published.map(|[search, _]| search)),
                Cell::ours(linear).beside(published.map(|[_, linear]| linear)),
                Cell::ours(search / linear)
                    .beside(published.map(|[search, linear]| search / linear)),
            ],
        );
    }
    let factors = table.column("by search / linear");
    let factor = factors.get(1).copied().unwrap_or(f64::NAN);
    let growth = |column: &str| {
        let times = table.column(column);
        times.windows(2).map(|pair| pair[1] / pair[0]).collect::<Vec<f64>>()
    };
    let [search, linear] = ["by search", "linear"].map(growth);
    Ok(vec![
        table
            .finding(
                "with 1220 edges the linear construction is 70 times as fast (at least 7 times)",
                factor >= 7.0,
                format!("{} times", listed([factor])),
            )
            .finding(
                "it is linear: four times the edges take 3 to 6 times the time, by search 10 to 20 times (the last step)",
                linear.last().is_some_and(|last| (3.0..=6.0).contains(last))
                    && search.last().is_some_and(|last| (10.0..=20.0).contains(last)),
                format!("linear {} times, by search {} times", listed(linear), listed(search)),
            )
            .because(format!(
                "the search makes {} times the comparisons from row to row; what its times differ from that is the memory of the list, \
                 eight bytes an edge, and what else the machine does",
                listed(comparisons.windows(2).map(|pair| pair[1] / pair[0]))
            ))
            .remark(
                "The search only finds the edges; the linear construction also links the half-edges, sorts them around each vertex \
                 and accepts any soup.",
            ),
    ])
}

/// The naive construction: each edge is looked for among those found so far.
/// How many there are, and how many were compared.
fn edges_by_search(mesh: &PolygonMesh) -> (usize, u64) {
    let (mut edges, mut compared): (Vec<[u32; 2]>, u64) = (Vec::new(), 0);
    for face in mesh.faces() {
        for contour in face.contours() {
            for (&tail, &head) in contour.iter().zip(contour.iter().cycle().skip(1)) {
                let [tail, head] = [u32::from(tail), u32::from(head)];
                let edge = [tail.min(head), tail.max(head)];
                let place = edges.iter().position(|known| *known == edge);
                compared += place.map_or(edges.len(), |at| at + 1) as u64;
                if place.is_none() {
                    edges.push(edge);
                }
            }
        }
    }
    (edges.len(), compared)
}

fn milliseconds<T>(times: usize, mut build: impl FnMut() -> T) -> f64 {
    let mut all = Vec::with_capacity(times);
    for _ in 0..times {
        let began = Instant::now();
        black_box(build());
        all.push(began.elapsed().as_secs_f64() * 1e3);
    }
    median(all)
}
