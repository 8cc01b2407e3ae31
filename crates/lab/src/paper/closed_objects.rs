//! The Monte-Carlo test of closed objects (Zachmann 1994, 3.5.1, results): frames a second, what it misses, and how often a
//! random point finds a contact that no vertex does. The shares are the same on every machine.
//!
//! The thesis has three objects of 250 polygons in all in a cage of six boxes, and tells neither kinds nor speeds; here they are a
//! sphere, a torus and an array of cubes in the scene `cage`. Its frames contain rendering, ours only the test of all pairs.

use std::time::Instant;

use xcollide::World;
use xcollide::narrow::classic::MonteCarlo;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::{Feature, Model, NarrowPhase, PairCache, Placed, Query, Verdict};
use xcollide_scenes::NoFiles;

use super::experiment::{Stage, Tables, scene, unusable};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::CompareError;
use crate::run::{SceneWorld, models};

const SPEC: &str = "cage?objects=3&faces=83&side=3";

/// The rows of the thesis: points, vertices first, and frames a second.
const ROWS: [(&str, u32, bool, f64); 3] = [
    ("100 random points", 100, false, 17.0),
    ("vertices first, then 100 random points", 100, true, 12.0),
    ("1000 random points", 1000, false, 7.0),
];

/// What an algorithm found in all frames.
#[derive(Default)]
struct Counted {
    seconds: f64,
    collisions: usize,
    found: usize,
    /// By a point that is no vertex.
    by_point: usize,
}

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let frames = effort.frames_or(1000);
    let caption = format!(
        "The Monte-Carlo test over {frames} frames (in brackets: the thesis's, with rendering, on an SGI of 1994)"
    );
    let columns = ["frames a second", "collisions found, %", "found by a random point, %"];
    let mut table = FigureTable::new(caption, "method", columns);
    for (name, points, vertices, published) in ROWS {
        stage(name);
        let algorithm = MonteCarlo { points, vertices, ..MonteCarlo::default() };
        let counted = counted(frames, algorithm)?;
        let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        let by_point = Cell::ours(share(counted.by_point, counted.found));
        table = table.row(
            name,
            [
                Cell::ours(frames as f64 / counted.seconds).published(published),
                Cell::ours(share(counted.found, counted.collisions)),
                if vertices { by_point.published_text("less than 1") } else { by_point },
            ],
        );
    }
    let [[by_points, ..], [by_vertices, _, by_point], [by_many, ..]] = ROWS.map(|(name, ..)| {
        let row = table.row_of(name);
        [0, 1, 2].map(|column| row.get(column).copied().unwrap_or(f64::NAN))
    });
    let found = table.column("collisions found, %");
    let because = format!(
        "a pair that meets is done with the first point that both have in common: {} % of the collisions are found, in the order of \
         the table, and with vertices nearly all by one of the first vertices, after which no random point is tried; our test of a \
         point is a ray through a hierarchy, the thesis's a pass over all faces",
        listed(found)
    );
    Ok(vec![
        table
            .finding(
                "where all vertices are tried first, random points find less than 1 % of the collisions",
                by_point < 1.0,
                format!("{} %", listed([by_point])),
            )
            .finding(
                "100 random points are faster than all vertices and 100 points, and these faster than 1000 points",
                by_points > by_vertices && by_vertices > by_many,
                format!("{} frames a second", listed([by_points, by_vertices, by_many])),
            )
            .because(because),
    ])
}

fn counted(frames: usize, algorithm: MonteCarlo) -> Result<Counted, CompareError> {
    let failed = |problem: String| unusable(SPEC, problem);
    let scene = scene(SPEC, frames)?;
    let world = World::builder().narrow_phase(Auto::new()).build();
    let mut staged = SceneWorld::new(&scene, &mut NoFiles, world, false).map_err(failed)?;
    let models: Vec<Model> = models(staged.simulation()).map_err(failed)?;
    for model in &models {
        algorithm.prepare(model).map_err(|error| failed(error.to_string()))?;
    }
    let mut counted = Counted::default();
    for frame in 0..frames {
        if frame > 0 {
            staged.advance().map_err(|failure| failed(failure.to_string()))?;
        }
        staged.detect().map_err(|failure| failed(failure.to_string()))?;
        counted.collisions += staged.colliding().len();
        let simulation = staged.simulation();
        let (instances, poses) = (simulation.instances(), simulation.poses());
        let mut placed = Vec::with_capacity(poses.len());
        for (instance, pose) in instances.iter().zip(poses) {
            let at = Placed::new(&models[instance.mesh], pose);
            placed.push(at.map_err(|error| failed(error.to_string()))?);
        }
        // Other points in each frame, or a contact that lasts would count as often as it was found once.
        let algorithm = MonteCarlo { seed: frame as u64, ..algorithm };
        let began = Instant::now();
        for (first, &a) in placed.iter().enumerate() {
            for (second, &b) in placed.iter().enumerate().skip(first + 1) {
                // Walls do not collide with each other.
                if instances[first].is_static && instances[second].is_static {
                    continue;
                }
                let verdict = algorithm.test(a, b, &Query::new(), &mut PairCache::new());
                if let Verdict::Collides(witness) = verdict {
                    counted.found += 1;
                    let both = matches!((witness.a, witness.b), (Feature::Body, Feature::Body));
                    counted.by_point += usize::from(both);
                }
            }
        }
        counted.seconds += began.elapsed().as_secs_f64();
    }
    Ok(counted)
}
