//! Errors of the perceptron by rate and iteration limit (Zachmann 1994, 3.4.2, figure 3.15). The
//! counts are the same on every machine.
//!
//! Two randomly turned cones of 100 faces lie in a cage in which about half of the pairs meet. Caches
//! are empty, and the test of bounding boxes is off.

use xcollide::narrow::classic::Perceptron;
use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::{Poses, shape};

use super::experiment::{Stage, Tables, unusable};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::CompareError;

/// Iteration limit, the thesis's best rate, and its errors in percent of all frames.
const CAPS: [(u32, f64, f64); 3] = [(10, 0.25, 15.0), (100, 0.03, 2.8), (1000, 0.007, 0.37)];

const RATES: [f64; 7] = [0.007, 0.03, 0.1, 0.25, 0.5, 1.0, 2.0];

/// Half the side of the cage, for cones of height and width 2.
const CAGE: f64 = 1.3;

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    const SPEC: &str = "shape:cone?faces=100";
    let mesh = shape(SPEC).map_err(|error| unusable(SPEC, error))?;
    let cone = Model::from_mesh(mesh).map_err(|error| unusable(SPEC, error))?;
    let count = effort.frames_or(2000);
    let mut poses = Poses::new(4);
    let mut apart = Vec::new();
    for _ in 0..count {
        let pair = [(); 2].map(|()| poses.within(CAGE).pose());
        let hit = test(&cone, &pair, &Hybrid::default())?;
        if hit == Some(false) {
            apart.push(pair);
        }
    }
    let caption = format!(
        "Pairs that are apart and for which no plane is found, in percent of {} such pairs of {count}",
        apart.len()
    );
    let columns = CAPS.map(|(cap, ..)| format!("≤ {cap} iterations"));
    let mut table = FigureTable::new(caption, "rate", columns);
    let mut best = [(f64::INFINITY, 0.0); CAPS.len()];
    for rate in RATES {
        stage(&format!("rate {rate}"));
        let mut cells = Vec::new();
        for (best, (cap, theirs, error)) in best.iter_mut().zip(CAPS) {
            let search = Perceptron::default().rate(rate).most_iterations(cap).without_boxes();
            let mut wrong = 0;
            for pair in &apart {
                wrong += usize::from(test(&cone, pair, &search)? != Some(false));
            }
            let ours = 100.0 * wrong as f64 / apart.len().max(1) as f64;
            if ours < best.0 {
                *best = (ours, rate);
            }
            cells.push(Cell::ours(ours).beside((rate == theirs).then_some(error)));
        }
        table = table.row(rate.to_string(), cells);
    }
    let cells =
        best.iter().zip(CAPS).map(|((_, ours), (_, rate, _))| Cell::ours(*ours).published(rate));
    let table = table.row("best rate", cells).remark(
        "In brackets: the thesis's best rates, and its errors there in percent of all frames.",
    );
    let falls = |figure: fn(&(f64, f64)) -> f64| {
        let figures = best.each_ref().map(figure);
        figures.is_sorted_by(|a, b| a >= b) && figures[0] > figures[CAPS.len() - 1]
    };
    Ok(vec![
        table
            .finding(
                "the more iterations, the fewer planes are missed at the best rate",
                falls(|&(missed, _)| missed),
                format!("{} % of the pairs that are apart", listed(best.map(|(missed, _)| missed))),
            )
            .finding(
                "the more iterations, the smaller the best rate",
                falls(|&(_, rate)| rate),
                format!("best rates {}", listed(best.map(|(_, rate)| rate))),
            ),
    ])
}

fn test(
    cone: &Model,
    pair: &[Pose; 2],
    algorithm: &dyn NarrowPhase,
) -> Result<Option<bool>, CompareError> {
    let place = |pose| Placed::new(cone, pose).map_err(|error| unusable("the cones", error));
    let (a, b) = (place(&pair[0])?, place(&pair[1])?);
    Ok(algorithm.test(a, b, &Query::new(), &mut PairCache::new()).decided())
}
