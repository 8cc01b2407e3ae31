//! The Potter's frames a second, by polygons and tool (Zachmann 1994, 8.2).
//!
//! The thesis's frames contain rendering; ours detection and modelling. Its hand followed a data glove; ours is on the path
//! of the scene `potter`. Failures of the relaxed collect phase are counted against an exact world with the same vertices and
//! poses; what it misses it does not model.

use xcollide::World;
use xcollide::narrow::combine::Auto;
use xcollide::registry;
use xcollide_scenes::NoFiles;

use super::experiment::{Stage, Tables, scene, unusable};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::CompareError;
use crate::run::{SceneWorld, add_objects, models, set_interest};

/// Polygons, and the frames a second of the thesis: plain with the hand and the forefinger, relaxed with a still pot with
/// both.
const PUBLISHED: [(usize, [&str; 4]); 2] =
    [(9944, ["3-4", "8-10", "5-7", "10-12"]), (4220, ["10-13", "20", "15-20", "23-28"])];

/// Columns: tool, algorithm, degrees by which the pot turns in a frame.
const COLUMNS: [(&str, &str, &str, f64); 4] = [
    ("hand", "hand", "arbitrary", 3.0),
    ("forefinger", "forefinger", "arbitrary", 3.0),
    ("hand, relaxed, still", "hand", "arbitrary-relaxed", 0.0),
    ("forefinger, relaxed, still", "forefinger", "arbitrary-relaxed", 0.0),
];

/// Collisions of a run, those that its algorithm missed, and its seconds.
#[derive(Default)]
struct Counted {
    collisions: usize,
    missed: usize,
    seconds: f64,
    /// Of these, the tests and the response of the pot.
    parts: [f64; 2],
}

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    // One stroke of the path.
    let frames = effort.frames_or(80);
    let caption = format!(
        "Frames a second over {frames} frames (in brackets: the thesis's, with rendering, on an SGI of 1994)"
    );
    let columns = COLUMNS.map(|(name, ..)| name);
    let mut speeds = FigureTable::new(caption, "polygons", columns);
    let mut misses = FigureTable::new(
        "Collisions of a hand or forefinger with the pot that were missed, in percent",
        "polygons",
        columns,
    );
    let mut parts = Vec::new();
    for (faces, published) in PUBLISHED {
        let (mut speed, mut missed) = (Vec::new(), Vec::new());
        for ((name, tool, algorithm, turn), published) in COLUMNS.into_iter().zip(published) {
            stage(&format!("{faces} polygons, {name}"));
            let spec = format!("potter?faces={faces}&tool={tool}&turn={turn}");
            let counted = modelled(&spec, frames, algorithm)?;
            parts.push(counted.parts.map(|seconds| 1e3 * seconds / frames as f64));
            speed.push(Cell::ours(frames as f64 / counted.seconds).published_text(published));
            let share = 100.0 * counted.missed as f64 / counted.collisions.max(1) as f64;
            missed.push(Cell::ours(share));
        }
        speeds = speeds.row(faces.to_string(), speed);
        misses = misses.row(faces.to_string(), missed);
    }
    let [many, few] = PUBLISHED.map(|(faces, _)| speeds.row_of(&faces.to_string()));
    let both = || many.chunks_exact(2).chain(few.chunks_exact(2));
    let speeds = speeds
        .finding(
            "the forefinger is faster than the hand",
            both().all(|pair| pair[1] > pair[0]),
            format!("{} times as fast", listed(both().map(|pair| pair[1] / pair[0]))),
        )
        .finding(
            "fewer polygons are faster",
            many.iter().zip(&few).all(|(many, few)| few > many),
            format!(
                "{} times as fast",
                listed(few.iter().zip(&many).map(|(few, many)| few / many))
            ),
        );
    let gains: Vec<f64> = [&many, &few]
        .into_iter()
        .flat_map(|row| row.iter().zip(row.iter().skip(2)).map(|(plain, relaxed)| relaxed / plain))
        .collect();
    let speeds = speeds.finding(
        "the relaxed phase and a still pot are faster: some 1.7, 1.2, 1.5 and 1.3 times (at least 1.1)",
        !gains.is_empty() && gains.iter().all(|&gain| gain >= 1.1),
        format!("{} times as fast", listed(gains)),
    )
    .because(format!(
        "the tests take {} ms a frame and the response of the pot {}, in the order of the table: coordinates and boxes are computed on \
         demand, also of a pot that turns, so a still one saves little, and the relaxed phase goes through the vertices where the \
         plain one goes through the faces",
        listed(parts.iter().map(|[tests, _]| *tests)),
        listed(parts.iter().map(|[_, response]| *response))
    ));
    Ok(vec![
        speeds
            .remark("Plain: the algorithm for arbitrary polyhedra and a pot that turns by 3 degrees a frame.")
            .remark(
                "The thesis computes all coordinates and boxes of faces of a moving pot anew, and none of a still one's. Ours are \
                 computed on demand in both; the relaxed phase goes through the vertices where the plain one goes through the \
                 faces, so both test about as many volumes (`run potter --narrow arbitrary-relaxed --stats`).",
            ),
        misses.remark("A face larger than the common region of two boxes has no vertex in it and is not collected."),
    ])
}

fn modelled(spec: &str, frames: usize, algorithm: &str) -> Result<Counted, CompareError> {
    let failed = |problem: String| unusable(spec, problem);
    let scene = scene(spec, frames)?;
    let narrow = registry::narrow_phase(algorithm);
    let narrow = narrow.ok_or_else(|| failed(format!("there is no {algorithm}")))?;
    let world = World::builder().boxed_narrow_phase(narrow).build();
    let mut staged = SceneWorld::new(&scene, &mut NoFiles, world, false).map_err(failed)?;
    let mut exact = World::builder().narrow_phase(Auto::new()).build();
    let simulation = staged.simulation();
    let meshes = models(simulation).map_err(failed)?;
    let ids = add_objects(&mut exact, simulation, &meshes).map_err(failed)?;
    set_interest(&mut exact, simulation, &ids);
    let mut counted = Counted::default();
    for frame in 0..frames {
        if frame > 0 {
            staged.advance().map_err(|failure| failed(failure.to_string()))?;
        }
        let measured = staged.detect().map_err(|failure| failed(failure.to_string()))?;
        let stages: u64 = measured.ns.0.iter().sum();
        let response = measured.flexible.map_or(0, |flexible| flexible.ns.response);
        for (part, ns) in counted.parts.iter_mut().zip([measured.ns.0[3], response]) {
            *part += ns as f64 / 1e9;
        }
        counted.seconds += (stages + response) as f64 / 1e9;
        for (&id, pose) in ids.iter().zip(staged.simulation().poses()) {
            exact.set_pose(id, pose).map_err(|error| failed(error.to_string()))?;
        }
        for (instance, vertices) in staged.flexible().vertices() {
            let set = exact.set_vertices(ids[instance], vertices);
            set.map_err(|error| failed(error.to_string()))?;
        }
        let found = staged.colliding();
        for collision in exact.check().colliding() {
            counted.collisions += 1;
            counted.missed += usize::from(!found.contains(&crate::run::numbers(collision.pair)));
        }
    }
    Ok(counted)
}
