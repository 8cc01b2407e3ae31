//! The number of polygons from which on a box-tree beats the algorithm for arbitrary polyhedra
//! (Zachmann 1994, 3.6.5, figures 3.35 to 3.37 and the table under them).
//!
//! Two equal objects bounce off each other in a cage. The thesis does not give its size; here the
//! centers stay in a cube of one and a half diameters, so that boxes overlap in about half of the
//! frames. As in the thesis, building is not timed and only surfaces count. The box-tree runs with
//! the thesis's trees and traversal, with its trees and both phases in one traversal, and with its future work, empty leaves
//! and re-aligned boxes.

use xcollide::bounds::Aabb;
use xcollide::narrow::Semantics;
use xcollide::narrow::classic::EdgeFaceTrees;
use xcollide_scenes::{CageBox, Keep, Object, Response, Scene, Speed, shape};

use super::experiment::{Stage, Tables, played, unusable, with_registered};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison, mean};

/// An object, our spec for n polygons, and the thesis's figures: the threshold, and the box-tree's
/// speed-up at 50, 100, 500 and 1000 polygons.
pub(super) type Body = (&'static str, fn(usize) -> String, [f64; 5]);

pub(super) const BODIES: [Body; 3] = [
    ("sphere", |n| format!("shape:sphere?faces={n}"), [300.0, 0.47, 0.36, 1.18, 2.25]),
    ("torus", |n| format!("shape:torus?faces={n}"), [60.0, 0.9, 1.58, 4.6, 200.0]),
    (
        "tetra-flake",
        |n| format!("shape:tetraflake?depth={}", depth(n)),
        [300.0, 0.4, 0.5, 1.6, 2.1],
    ),
];

/// The box-tree of the thesis, and its future work.
const BOX_TREES: [(&str, &str); 3] = [
    (
        OF_1994,
        "edges against faces, tables of line parameters, both boxes cut by turns, two traversals: all as in the thesis",
    ),
    ("box-tree-1994", "the same in one traversal that cuts the larger box"),
    ("box-tree", "triangles against triangles, boxes re-aligned: the thesis's future work"),
];

/// The thesis's traversal, by a name that no algorithm of the registry has.
const OF_1994: &str = "two traversals";

/// Numbers of polygons; the last four are those of the thesis's table.
const SIZES: [usize; 6] = [12, 25, 50, 100, 500, 1000];

/// The depth of a tetra-flake (12 · 3^d − 12 faces) whose number of faces has the nearest ratio.
fn depth(faces: usize) -> u32 {
    let at = |depth: u32| 12 * 3_usize.pow(depth) - 12;
    let off = |depth: &u32| {
        let (more, less) = (at(*depth).max(faces), at(*depth).min(faces));
        more as f64 / less as f64
    };
    (1..9).min_by(|d, e| off(d).total_cmp(&off(e))).unwrap_or(1)
}

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let frames = effort.frames_or(300);
    let mut tables = BOX_TREES.map(|(name, how)| {
        let caption = format!(
            "Time of `arbitrary` over that of `{name}` ({how}), and the number of polygons from which \
             on that is above 1 (in brackets: the thesis)"
        );
        FigureTable::new(caption, "object", ["threshold", "n = 50", "n = 100", "n = 500", "n = 1000"])
    });
    let names = ["arbitrary", OF_1994, "box-tree-1994", "box-tree", "wide-obb"];
    let columns = std::iter::once("polygons").chain(names);
    let mut times = FigureTable::new("Narrow phase, µs a frame", "object", columns);
    let comparison = Comparison::new().rounds(effort.rounds);
    let comparison = with_registered(comparison, [&[], &names[..1], &[]])?
        .narrow(Algorithm::own_narrow_phase(OF_1994, EdgeFaceTrees::of_1994));
    let comparison = with_registered(comparison, [&[], &names[2..], &[]])?;
    for (name, spec, thesis) in BODIES {
        let mut curves = BOX_TREES.map(|_| Vec::new());
        // Nanoseconds and tests of boxes over all sizes, of `arbitrary` and the box-trees.
        let mut costs = [[0.0; 2]; 1 + BOX_TREES.len()];
        for size in SIZES {
            stage(&format!("{name}, {size} polygons"));
            let scene = bouncing(&spec(size), frames)?;
            let (motion, outcome) = played(&scene, Semantics::Surface, &comparison)?;
            let faces = motion.simulation().meshes()[0].face_count() as f64;
            let mean: Vec<f64> =
                outcome.figures.iter().map(|one| mean(&one.narrow_ns) / 1e3).collect();
            for (cost, figures) in costs.iter_mut().zip(&outcome.figures) {
                cost[0] += figures.narrow_ns.iter().sum::<f64>();
                cost[1] += figures.volume_tests as f64;
            }
            for (curve, box_tree) in curves.iter_mut().zip(&mean[1..]) {
                curve.push((faces, mean[0] / box_tree));
            }
            let cells = std::iter::once(faces).chain(mean);
            times = times.row(format!("{name}, {size}"), cells);
        }
        let of_a_test = costs.map(|[ns, tests]| ns / tests);
        for (number, ((table, (box_tree, _)), curve)) in
            tables.iter_mut().zip(BOX_TREES).zip(&curves).enumerate()
        {
            let last_four = &curve[curve.len() - 4..];
            let shares = last_four.iter().zip(&thesis[1..]);
            let shares = shares.map(|((_, ratio), theirs)| Cell::ours(*ratio).published(*theirs));
            let faster = |least: bool| {
                let decides = |(faces, _): &&(f64, f64)| {
                    if least { *faces >= thesis[0] } else { *faces < thesis[0] }
                };
                curve.iter().filter(decides).map(|&(_, ratio)| ratio).collect::<Vec<f64>>()
            };
            let (above, below) = (faster(true), faster(false));
            let bound = thesis[0];
            *table = table
                .clone()
                .finding(
                    format!(
                        "`{box_tree}` faster than `arbitrary` from {bound} polygons on ({name})"
                    ),
                    !above.is_empty() && above.iter().all(|&ratio| ratio > 1.0),
                    format!("{} times as fast", listed(above)),
                )
                .finding(
                    format!("`{box_tree}` slower than `arbitrary` below {bound} polygons ({name})"),
                    !below.is_empty() && below.iter().all(|&ratio| ratio < 1.0),
                    format!("{} times as fast", listed(below)),
                )
                .because(format!(
                    "all of its time together is {:.1} times as much for each test of two boxes as `arbitrary` takes for each of its \
                     pre-checks (counted over all sizes), where in 1994 a node took as long as dozens of them",
                    of_a_test[1 + number] / of_a_test[0]
                ));
            let threshold = Cell { ours: threshold(curve), ..Cell::default() }.published(thesis[0]);
            *table = table.clone().row(name, std::iter::once(threshold).chain(shares));
        }
    }
    let [of_1994, at_once, realigned] = tables;
    let of_1994 = of_1994
        .remark(
            "The threshold is – where the box-tree is faster at all sizes, from 12 polygons on.",
        )
        .remark("The tetra-flakes nearest to 50 and 100 polygons both have 96.");
    Ok(vec![of_1994, at_once, realigned, times])
}

pub(super) fn bouncing(spec: &str, frames: usize) -> Result<Scene, CompareError> {
    bouncing_within(spec, 1.5, frames)
}

/// Two bodies whose centers stay in a cube; its side in diameters of the bodies.
pub(super) fn bouncing_within(
    spec: &str,
    diameters: f64,
    frames: usize,
) -> Result<Scene, CompareError> {
    let mesh = shape(spec).map_err(|error| unusable(spec, error))?;
    let Aabb { min, max } = Aabb::from_points(mesh.positions().iter().copied());
    let diameter = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
    let mut scene = Scene::new("bouncing");
    scene.frames = frames;
    scene.response = Response::Impulse;
    let mut cage = CageBox::cube(diameters * diameter);
    cage.keep = Keep::Origin;
    scene.cage = Some(cage);
    let mut body = Object::flying("body", spec, 2, Speed::Units(0.02 * diameter), 3.5);
    body.centered = true;
    scene.objects.push(body);
    Ok(scene)
}

/// Where the ratio finally exceeds 1, interpolated linearly over the logarithm of the size; `None`
/// if it always or never does.
fn threshold(curve: &[(f64, f64)]) -> Option<f64> {
    let below = curve.iter().rposition(|&(_, ratio)| ratio < 1.0)?;
    let &(n1, r1) = curve.get(below + 1)?;
    let (n0, r0) = curve[below];
    let share = if r1 > r0 { (1.0 - r0) / (r1 - r0) } else { 0.0 };
    Some(n0 * libm::exp(libm::log(n1 / n0) * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_lies_where_the_ratio_crosses_one() {
        assert_eq!(threshold(&[(10.0, 0.5), (40.0, 1.5)]).map(f64::round), Some(20.0));
        assert_eq!(threshold(&[(10.0, 1.5), (40.0, 2.5)]), None);
        assert_eq!(threshold(&[(10.0, 0.5), (40.0, 0.9)]), None);
    }

    #[test]
    fn flakes_are_the_nearest_in_proportion() {
        assert_eq!([50, 100, 500, 1000].map(depth), [2, 2, 3, 4]);
    }
}
