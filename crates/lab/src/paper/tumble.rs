//! Average and worst time of a test and visited node pairs, by distance: two equal objects in boxes
//! of side 2, one of which makes a full turn (Zachmann, *Minimal Hierarchical Collision Detection*,
//! VRST 2002, 6; the protocol of his later papers).

use xcollide::narrow::Semantics;

use super::experiment::{Stage, Tables, played, scene, with_registered};
use super::{Effort, FigureTable};
use crate::compare::{Comparison, mean};

const NAMES: [&str; 6] =
    ["wide-obb", "obb-tree", "kdop-tree", "aabb-tree", "box-tree", "interval-tree"];

const DISTANCES: [f64; 9] = [2.5, 2.25, 2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let steps = effort.frames_or(100);
    let titled = |caption: &str| FigureTable::new(caption, "distance", NAMES);
    let mut average = titled("Average time of a test at a distance, µs");
    let mut worst = titled("Worst time, µs");
    let mut visits = titled("Tests of volumes a test, on average");
    let comparison = with_registered(Comparison::new().rounds(effort.rounds), [&[], &NAMES, &[]])?;
    for distance in DISTANCES {
        stage(&format!("distance {distance}"));
        let spec = format!(
            "tumble?shape=torus&faces=5000&far={distance}&near={distance}&distances=1&steps={steps}"
        );
        let scene = scene(&spec, steps)?;
        let (_, outcome) = played(&scene, Semantics::Surface, &comparison)?;
        let all = || outcome.figures.iter();
        let name = distance.to_string();
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max) / 1e3;
        average = average.row(name.as_str(), all().map(|one| mean(&one.narrow_ns) / 1e3));
        worst = worst.row(name.as_str(), all().map(|one| most(&one.narrow_ns)));
        visits = visits.row(name, all().map(|one| one.volume_tests as f64 / steps as f64));
    }
    let remark = "Tori of 5000 faces, surfaces only. The paper's figures are curves, and not among our \
                  sources.";
    Ok(vec![average.remark(remark), worst, visits])
}
