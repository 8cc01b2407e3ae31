//! The parameters of box-trees: the most cuts above a leaf, and the fewest polygons of a box that is cut (Zachmann 1994,
//! 3.6.5, figures 3.32 to 3.34).
//!
//! The objects and their motion are those of the [comparison with the algorithm for arbitrary
//! polyhedra](super::box_tree_thresholds). As in the thesis one parameter is varied at a time: the depth with leaves of
//! one polygon, the size of leaves without a bound of the depth. The figures are drawn, so no numbers stand beside ours;
//! the text has one: below 50 polygons an object the depth does not matter.

use xcollide::narrow::Semantics;
use xcollide::narrow::bvh::classic::box_tree::BoxTreeOptions;
use xcollide::narrow::classic::EdgeFaceTrees;

use super::box_tree_thresholds::{BODIES, bouncing};
use super::experiment::{Stage, Tables, counts_of_a_test, played};
use super::{Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison, mean};

/// Numbers of polygons an object; the first is the thesis's bound below which nothing changes.
const SIZES: [usize; 4] = [50, 100, 500, 1000];
const DEPTHS: [u32; 7] = [1, 2, 4, 6, 8, 12, 20];
const LEAVES: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// With as many copies of polygons as the thesis reports, so that depth and leaves are what bounds a tree.
const UNBOUNDED: BoxTreeOptions = BoxTreeOptions { max_copies: 16.0, ..BoxTreeOptions::OF_1994 };

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let by_depth = DEPTHS.map(|max_depth| {
        let trees = BoxTreeOptions { max_depth, min_triangles: 1, ..UNBOUNDED };
        (max_depth.to_string(), trees)
    });
    let by_leaf = LEAVES.map(|min_triangles| {
        (min_triangles.to_string(), BoxTreeOptions { min_triangles, ..UNBOUNDED })
    });
    let depths = varied("most cuts above a leaf, leaves of one polygon", &by_depth, effort, stage)?;
    let mut tables: Vec<FigureTable> = depths.into_iter().map(with_finding).collect();
    let by_leaf = varied("most polygons of a leaf, any depth", &by_leaf, effort, stage)?;
    tables.extend(by_leaf.into_iter().map(|(table, _)| table));
    Ok(tables)
}

/// What the text says of few polygons.
fn with_finding((table, counts): (FigureTable, String)) -> FigureTable {
    let times = table.row_of("50");
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let ratio = slowest / times.iter().copied().fold(f64::INFINITY, f64::min);
    table.finding(
        "below 50 polygons an object the depth does not matter: the slowest takes at most a quarter longer",
        ratio <= 1.25,
        format!("{ratio:.2} times"),
    )
    .because(format!(
        "with {} polygons {counts}: a tree of few cuts leaves pairs of primitives, and these are what takes the time here, where in \
         1994 visiting a node took as long as dozens of pre-checks",
        SIZES[0]
    ))
}

/// A table of times for each kind of body, a column for each of the trees, and what is counted for the fewest polygons.
fn varied(
    what: &str,
    trees: &[(String, BoxTreeOptions)],
    effort: &Effort,
    stage: Stage<'_>,
) -> Result<Vec<(FigureTable, String)>, CompareError> {
    let mut comparison = Comparison::new().rounds(effort.rounds);
    for (name, trees) in trees.iter().cloned() {
        let algorithm = move || EdgeFaceTrees { trees, ..EdgeFaceTrees::default() };
        comparison = comparison.narrow(Algorithm::own_narrow_phase(name, algorithm));
    }
    let mut tables = Vec::new();
    for (body, spec, _) in BODIES {
        let columns = trees.iter().map(|(name, _)| name.clone());
        let caption = format!("Two objects, {body}: µs a frame of `box-tree-1994`, by {what}");
        let mut table = FigureTable::new(caption, "polygons", columns);
        let (mut best, mut counts) = (Vec::new(), String::new());
        for size in SIZES {
            stage(&format!("{body}, {size} polygons, {what}"));
            let scene = bouncing(&spec(size), effort.frames_or(300))?;
            let (motion, outcome) = played(&scene, Semantics::Surface, &comparison)?;
            if size == SIZES[0] {
                counts = counts_of_a_test(&outcome);
            }
            let times: Vec<f64> =
                outcome.figures.iter().map(|one| mean(&one.narrow_ns) / 1e3).collect();
            let slowest = times.iter().copied().fold(0.0, f64::max);
            let fastest = times.iter().enumerate().min_by(|(_, s), (_, t)| s.total_cmp(t));
            let faces = motion.simulation().meshes()[0].face_count();
            if let Some((column, fastest)) = fastest {
                let ratio = slowest / fastest;
                best.push(format!("{} ({ratio:.1}) at {faces}", trees[column].0));
            }
            // Two of the tetra-flakes are the same.
            table = table.row(format!("{size}"), times);
        }
        let remark =
            format!("The fastest, and how many times as fast as the slowest: {}.", best.join(", "));
        tables.push((table.remark(remark), counts));
    }
    Ok(tables)
}
