//! The algorithm for convex objects and its pre-checks, against that for arbitrary ones (Zachmann 1994, 3.4.1, both tables).
//!
//! Two objects of size 2³ move in a cage of 1³, so that they collide in almost every frame. The convex algorithm is
//! `cyrus-beck`, which unlike the thesis's begins with the edge inside and the plane between of the last frame.

use xcollide::narrow::Semantics;
use xcollide::narrow::classic::CyrusBeck;

use super::box_tree_thresholds::bouncing_within;
use super::experiment::{Stage, Tables, counts_of_a_test, played, with_registered};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison, Outcome, mean};

/// Polygons of both objects together.
const SIZES: [usize; 3] = [250, 120, 60];

/// Kinds, and the thesis's frames a second with the algorithm for arbitrary and that for convex objects.
const KINDS: [(&str, [f64; 3], [f64; 3]); 2] =
    [("sphere", [6.7, 2.4, 1.1], [7.4, 2.1, 2.5]), ("cone", [7.4, 2.1, 0.8], [6.2, 2.3, 1.1])];

/// Pre-checks, accumulated, and the thesis's gain of each.
const PRE_CHECKS: [(&str, f64); 3] =
    [("none", 1.0), ("edge vs. object box", 1.3), ("edge vs. face box", 1.8)];

fn with_pre_checks(count: usize) -> CyrusBeck {
    let all = CyrusBeck::default();
    match count {
        0 => all.without_face_boxes().without_edge_boxes(),
        1 => all.without_face_boxes(),
        _ => all,
    }
}

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let caption = "Frames a second, exact tests alone (in brackets: the thesis, on an SGI Onyx with all other work of a frame)";
    let columns = ["arbitrary", "convex", "convex / arbitrary"];
    let mut speeds = FigureTable::new(caption, "objects", columns);
    let names = ["arbitrary", "cyrus-beck"];
    let both = with_registered(Comparison::new().rounds(effort.rounds), [&[], &names, &[]])?;
    let mut counts = Vec::new();
    for (kind, arbitrary, convex) in KINDS {
        for (at, faces) in SIZES.into_iter().enumerate() {
            stage(&format!("2 × {faces}, {kind}"));
            let outcome = in_a_cage(kind, faces, 0.5, effort, &both)?;
            let times = times(&outcome);
            if at == 0 {
                counts.push(counts_of_a_test(&outcome));
            }
            let [first, second] =
                [0, 1].map(|number| 1e9 / times.get(number).copied().unwrap_or(f64::NAN));
            speeds = speeds.row(
                format!("{kind}s, 2 × {faces}"),
                [
                    Cell::ours(first).published(arbitrary[at]),
                    Cell::ours(second).published(convex[at]),
                    Cell::ours(second / first).published(convex[at] / arbitrary[at]),
                ],
            );
        }
    }
    let ratios = speeds.column("convex / arbitrary");
    for (((kind, ..), ratios), counts) in
        KINDS.into_iter().zip(ratios.chunks(SIZES.len())).zip(counts)
    {
        speeds = speeds.finding(
            format!("for {kind}s the algorithm for convex objects gains little: half to two and a half times as fast"),
            ratios.iter().all(|ratio| (0.5..=2.5).contains(ratio)),
            format!("{} times as fast", listed(ratios.iter().copied())),
        )
        .because(format!(
            "of 2 × {} polygons {counts} (`arbitrary`, `cyrus-beck`): the former goes through all edges and faces again in each \
             frame, the latter begins with the edge and the plane of the last",
            SIZES[0]
        ));
    }
    let speeds = speeds
        .remark(
            "In our copy of the thesis its frames a second fall with the number of polygons, so its columns may be in reverse. Its \
             algorithm clips every edge anew in each frame; ours finds the edge that was inside the last time at once.",
        )
        .remark(
            "The base of a cone is one polygon with nearly all vertices. The thesis tests it whole; our `arbitrary` tests its \
             triangles, of which each edge near the base reaches most.",
        );
    let caption = "Gain of each pre-check of the convex algorithm over one pre-check less, in brackets the thesis's; and µs a frame";
    let mut gains = FigureTable::new(caption, "pre-check", ["gain", "µs, often apart"]);
    let mut comparison = Comparison::new().rounds(effort.rounds);
    for (count, (name, _)) in PRE_CHECKS.into_iter().enumerate() {
        comparison =
            comparison.narrow(Algorithm::own_narrow_phase(name, move || with_pre_checks(count)));
    }
    stage("pre-checks");
    let outcome = in_a_cage("sphere", 250, 1.5, effort, &comparison)?;
    let times = times(&outcome);
    for (row, (name, published)) in PRE_CHECKS.into_iter().enumerate() {
        let [before, time] =
            [row.saturating_sub(1), row].map(|at| times.get(at).copied().unwrap_or(f64::NAN));
        gains = gains
            .row(name, [Cell::ours(before / time).published(published), Cell::ours(time / 1e3)]);
    }
    let gain = gains.column("gain");
    let gains = gains
        .finding(
            "each pre-check gains: 1.3 and 1.8 times (at least 1.1 times each)",
            gain.len() == PRE_CHECKS.len() && gain.iter().skip(1).all(|&gain| gain >= 1.1),
            format!("{} times", listed(gain.into_iter().skip(1))),
        )
        .because(format!(
            "{}: the plane that rejected the last edge is tried first, so few edges are left for the boxes to reject",
            counts_of_a_test(&outcome)
        ))
        .remark(
            "Spheres of 250 polygons each, whose boxes overlap in about half of the frames. Our boxes of faces put the near faces \
             first, which gains little, as the plane that rejected the last edge is tried first anyway; the thesis leaves out the \
             others, which is wrong where one body is in the other.",
        );
    Ok(vec![speeds, gains])
}

/// Mean nanoseconds of a frame's exact tests, by algorithm.
fn times(outcome: &Outcome) -> Vec<f64> {
    outcome.figures.iter().map(|one| mean(&one.narrow_ns)).collect()
}

/// Two bodies that bounce about in a cage; the width of the cage is given in their diameters.
fn in_a_cage(
    kind: &str,
    faces: usize,
    diameters: f64,
    effort: &Effort,
    comparison: &Comparison,
) -> Result<Outcome, CompareError> {
    let spec = format!("shape:{kind}?faces={faces}");
    let scene = bouncing_within(&spec, diameters, effort.frames_or(300))?;
    Ok(played(&scene, Semantics::Solid, comparison)?.1)
}
