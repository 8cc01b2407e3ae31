//! Searching steps of the separating vector (Chung 1996, 6.2.1, figures 6.3 to 6.5): 500 polytopes
//! of one form and 500 vertices fly in a box and reverse on collision. The counts are the same on
//! every machine.

use std::sync::{Arc, Mutex, PoisonError};

use xcollide::brep::Topology;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Semantics, Verdict,
};
use xcollide_scenes::{CageBox, Object, Response, Scene, Speed};

use super::experiment::{Stage, Tables, played, with_registered};
use super::finding::listed;
use super::polytopes::THESIS;
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison};

const BODIES: usize = 500;

const KINDS: [&str; 3] = ["ellipsoid", "rod", "plate"];

/// The steps of each test, and whether the two are apart.
type Steps = Arc<Mutex<Vec<(u64, bool)>>>;

/// The separating vector of the thesis, recording its steps.
struct Recorded(Steps);

impl NarrowPhase for Recorded {
    fn name(&self) -> &'static str {
        "separating-vector"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        THESIS.accepts(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        THESIS.guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        THESIS.prepare(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let verdict = THESIS.test(a, b, query, cache);
        // Only in the counting round.
        if query.stats {
            let entry = (cache.stats().probes, verdict.is_apart());
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        }
        verdict
    }
}

/// The steps of all tests in a run.
fn steps(
    kind: &str,
    vertices: usize,
    [bodies, frames]: [usize; 2],
) -> Result<Vec<(u64, bool)>, CompareError> {
    let mut scene = Scene::new(kind);
    scene.frames = frames;
    // The cubes around the bodies, of radius 1, fill a twentieth.
    scene.cage = Some(CageBox::cube(libm::cbrt(8.0 * bodies as f64 / 0.05)));
    scene.response = Response::Reverse;
    let spec = format!("shape:polytope?vertices={vertices}&kind={kind}&seed={{}}");
    let mut bodies = Object::flying(kind, &spec, bodies, Speed::Radii(0.05), 10.0);
    bodies.variants = 4;
    scene.objects.push(bodies);
    let steps = Steps::default();
    let shared = Arc::clone(&steps);
    let recorded =
        Algorithm::own_narrow_phase("separating-vector", move || Recorded(Arc::clone(&shared)));
    // The tightest boxes, as in the source.
    let comparison = Comparison::new().rounds(1).narrow(recorded);
    let comparison = with_registered(comparison, [&[], &[], &["dynamic-box"]])?;
    played(&scene, Semantics::Solid, &comparison)?;
    let steps = std::mem::take(&mut *steps.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(steps)
}

pub(super) fn shares(effort: &Effort, stage: Stage<'_>, apart: bool) -> Tables {
    let which = if apart { "tests of polytopes that are apart" } else { "all tests" };
    let caption = format!("Percent of {which} that take at most so many steps, n = 500");
    let columns = ["tests", "1", "2", "3", "4", "10", "most"];
    let mut table = FigureTable::new(caption, "polytopes", columns);
    for kind in KINDS {
        stage(kind);
        let all = steps(kind, 500, [effort.objects_of(BODIES), effort.frames_or(60)])?;
        let counted: Vec<u64> = all
            .iter()
            .filter(|(_, is_apart)| *is_apart || !apart)
            .map(|(steps, _)| *steps)
            .collect();
        let share = |most: u64| {
            let few = counted.iter().filter(|steps| **steps <= most).count();
            100.0 * few as f64 / counted.len() as f64
        };
        let mut cells = vec![Cell::ours(counted.len() as f64)];
        for most in [1, 2, 3, 4, 10] {
            let cell = Cell::ours(share(most));
            cells.push(match (apart, most, kind) {
                (true, 3, _) => cell.published_text("> 95"),
                (true, 4, "ellipsoid") => cell.published_text("> 99"),
                (false, 3, _) => cell.published_text("> 80"),
                _ => cell,
            });
        }
        cells.push(Cell::ours(counted.iter().copied().max().unwrap_or(0) as f64));
        table = table.row(kind, cells);
    }
    let by_three = table.column("3");
    let bound = if apart { 95.0 } else { 80.0 };
    let mut table = table.finding(
        format!("more than {bound} % of {which} take at most 3 steps"),
        by_three.len() == KINDS.len() && by_three.iter().all(|&share| share > bound),
        format!("{} % for {}", listed(by_three), KINDS.join(", ")),
    );
    if apart {
        let by_four = table.figure("ellipsoid", "4").unwrap_or(f64::NAN);
        table = table.finding(
            "more than 99 % of the tests of ellipsoids that are apart take at most 4 steps",
            by_four > 99.0,
            format!("{} %", listed([by_four])),
        );
    }
    let most = listed(table.column("most"));
    let table = table.because(format!(
        "our rods are 20 times as long as thick, which the source does not tell of its own; the most steps are {most} for {}",
        KINDS.join(", ")
    ));
    let remark =
        "The density is not told there; here the cubes around the polytopes fill 5 % of the box.";
    Ok(vec![table.remark(remark)])
}

pub(super) fn most(effort: &Effort, stage: Stage<'_>) -> Tables {
    const SIZES: [usize; 5] = [10, 50, 100, 500, 1000];
    let columns = SIZES.map(|n| format!("n = {n}"));
    let mut table = FigureTable::new("Most searching steps of a test", "polytopes", columns);
    for kind in KINDS {
        let mut cells = Vec::new();
        for size in SIZES {
            stage(&format!("{kind}, {size} vertices"));
            let all = steps(kind, size, [effort.objects_of(BODIES), effort.frames_or(40)])?;
            let most = all.iter().map(|(steps, _)| *steps).max().unwrap_or(0);
            let cell = Cell::ours(most as f64);
            cells.push(match (kind, size) {
                ("ellipsoid", _) => cell.published_text("about 22"),
                ("rod", 10) => cell.published(25.0),
                ("rod", 1000) => cell.published(55.0),
                ("plate", 10) => cell.published(20.0),
                ("plate", 1000) => cell.published(40.0),
                _ => cell,
            });
        }
        table = table.row(kind, cells);
    }
    let ellipsoids = table.row_of("ellipsoid");
    let growth = |kind: &str| {
        let steps = table.row_of(kind);
        steps.last().zip(steps.first()).map_or(f64::NAN, |(last, first)| last / first)
    };
    let [rods, plates] = [growth("rod"), growth("plate")];
    let table = table
        .finding(
            "ellipsoids take about 22 steps at most, whatever their number of vertices (at most 33)",
            ellipsoids.iter().all(|&steps| steps <= 33.0),
            listed(ellipsoids),
        )
        .finding(
            "rods and plates of 1000 vertices take about twice as many steps as of 10 (1.5 to 3 times)",
            [rods, plates].iter().all(|times| (1.5..=3.0).contains(times)),
            format!("{} times", listed([rods, plates])),
        )
        .because(format!(
            "these are the steps of one test of each row, the longest of all in {} frames; the source does not tell how many it had",
            effort.frames_or(40)
        ));
    Ok(vec![table])
}
