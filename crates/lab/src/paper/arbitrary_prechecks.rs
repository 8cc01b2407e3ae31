//! What the pre-checks of the algorithm for arbitrary polyhedra gain (Zachmann 1994, 3.2.1, the table of results).
//!
//! Ten objects of 4120 polygons in all fly in the cage and reverse on collision, as in the thesis. Its objects had 120 to 1450
//! polygons; here they are tori of 412, which are closed and manifold, as the relaxed phase requires.

use xcollide::narrow::Semantics;
use xcollide::narrow::classic::Arbitrary;

use super::experiment::{Stage, Tables, counts_of_a_test, played, scene};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, Comparison, mean};

const SPEC: &str = "cage?objects=10&faces=412&shape=torus";

/// All pre-checks off; without the order of collected faces, which the thesis does not have.
const NONE: Arbitrary = Arbitrary {
    edge_object_box: false,
    edge_face_box: false,
    collect: false,
    relaxed: false,
    ordered: false,
};

const OBJECT: Arbitrary = Arbitrary { edge_object_box: true, ..NONE };
const FACE: Arbitrary = Arbitrary { edge_face_box: true, ..OBJECT };
const COLLECT: Arbitrary = Arbitrary { collect: true, ..FACE };
const RELAXED: Arbitrary = Arbitrary { relaxed: true, ..COLLECT };
const ORDERED: Arbitrary = Arbitrary { ordered: true, ..COLLECT };

/// Pre-checks, accumulated; the thesis's average, shortest and longest time of a frame in ms.
const ROWS: [(&str, Arbitrary, Option<[f64; 3]>); 6] = [
    ("without any pre-check", NONE, None),
    ("edge vs. object box", OBJECT, Some([5000.0, 150.0, 13000.0])),
    ("edge vs. face box", FACE, Some([444.0, 107.0, 2570.0])),
    ("face collect phase", COLLECT, Some([484.0, 111.0, 3220.0])),
    ("relaxed collect phase", RELAXED, Some([470.0, 110.0, 2800.0])),
    ("ours: collected faces in order", ORDERED, None),
];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    stage("the cage");
    let mut comparison = Comparison::new().rounds(effort.rounds);
    for (name, algorithm, _) in ROWS {
        comparison = comparison.narrow(Algorithm::own_narrow_phase(name, move || algorithm));
    }
    let scene = scene(SPEC, effort.frames_or(12))?;
    let (_, outcome) = played(&scene, Semantics::Surface, &comparison)?;
    let caption = "Exact tests of a frame in ms (in brackets: the thesis, on an SGI Onyx with all other work of a frame)";
    let columns = ["average", "shortest", "longest", "speed-up"];
    let mut table = FigureTable::new(caption, "pre-checks, accumulated", columns);
    let average =
        |row: usize| outcome.figures.get(row).map_or(f64::NAN, |one| mean(&one.narrow_ns));
    for ((name, _, published), figures) in ROWS.into_iter().zip(&outcome.figures) {
        let times = &figures.narrow_ns;
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(0.0, f64::max);
        let cells = [mean(times), least, most].into_iter().enumerate();
        let cells = cells.map(|(at, ns)| Cell::ours(ns / 1e6).beside(published.map(|all| all[at])));
        let speedup = Cell::ours(average(1) / mean(times));
        let speedup = speedup.beside(published.map(|all| 5000.0 / all[0]));
        table = table.row(name, cells.chain([speedup]));
    }
    let by_boxes = average(1) / average(2);
    let [collect, relaxed] = [3, 4].map(|row| average(row) / average(2));
    let many = average(0) / average(1);
    let bound = "within a quarter of the time with boxes of faces";
    Ok(vec![
        table
            .finding(
                "without any pre-check many times as slow as with that of edges by the object's box (at least 3 times)",
                many >= 3.0,
                format!("{} times", listed([many])),
            )
            .finding(
                "boxes of faces make it 11.3 times as fast (5 to 25 times)",
                (5.0..=25.0).contains(&by_boxes),
                format!("{} times", listed([by_boxes])),
            )
            .finding(
                format!("the face collect phase gains nothing: {bound} (the thesis 1.09)"),
                (0.75..=1.25).contains(&collect),
                format!("{} times", listed([collect])),
            )
            .finding(
                format!("the relaxed collect phase gains nothing here: {bound} (the thesis 1.06)"),
                (0.75..=1.25).contains(&relaxed),
                format!("{} times", listed([relaxed])),
            )
            .because(format!(
                "{}; boxes of faces are computed on demand here and kept for all tests of a frame, so that what is left are tests of \
                 boxes, most of which the collect phases spare; the thesis computes the boxes of all faces anew",
                counts_of_a_test(&outcome)
            ))
            .remark(
                "Here the collect phase gains, too: our boxes of faces are computed on demand and kept for all tests of a frame, \
                 where the thesis computes those of all faces anew. Each wrong answer of the relaxed phase would be an error, but \
                 where it finds nothing it says that it does not know.",
            ),
    ])
}
