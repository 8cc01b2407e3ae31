//! What several processors gain (Zachmann 1994, 6.6): many pairs at once (figure 6.3), both phases of one pair (the table of medium
//! grain), and two algorithms at once (both tables of concurrent algorithms).
//!
//! Gains depend on the machine: with one processor there are none, and with two that share one core fewer. Times are those of
//! whole frames; models, worlds and threads are made before.

use xcollide::execution::Execution;
use xcollide::narrow::Semantics;
use xcollide_scenes::Scene;

use super::box_tree_thresholds::bouncing;
use super::experiment::{Stage, Tables, played, scene, unusable, with_registered};
use super::finding::listed;
use super::{Cell, Effort, FigureTable};
use crate::compare::{Algorithm, CompareError, Comparison};
use crate::execution_mode::execution_mode;

/// The processors of the thesis's machines.
const MOST: usize = 4;

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST)
}

/// Objects, their scene, broad and narrow phase.
const MANY: [(&str, &str, &str, &str); 4] = [
    ("10 objects, arbitrary, no grid", "cage?objects=10", "all-pairs", "arbitrary"),
    ("10 spheres, convex, grid", "cage?objects=10&shape=sphere", "grid", "cyrus-beck"),
    ("10 objects, box-trees, grid", "cage?objects=10", "grid", "box-tree"),
    ("100 tetrahedra, arbitrary, grid", "cage?objects=100&shape=tetrahedron", "grid", "arbitrary"),
];

pub(super) fn many_pairs(effort: &Effort, stage: Stage<'_>) -> Tables {
    let most = processors();
    let columns = (1..=most)
        .map(|count| format!("{count} processors"))
        .chain(["µs a frame of one".to_owned()]);
    let caption = "How many times as fast a world of several processors is as one";
    let mut table = FigureTable::new(caption, "objects", columns);
    for (name, spec, broad, narrow) in MANY {
        stage(name);
        let mut comparison = Comparison::new().rounds(effort.rounds);
        for threads in 1..=most {
            let mode = if threads == 1 { "serial" } else { "parallel" };
            comparison = comparison.execution(named(mode, threads)?);
        }
        let comparison = with_registered(comparison, [&[broad], &[narrow], &[]])?;
        let scene = scene(spec, effort.frames_or(150))?;
        let (first, gains) = gains(&scene, &comparison)?;
        table = table.row(name, gains.into_iter().chain([first / 1e3]));
    }
    let last = table.column(&format!("{most} processors"));
    let (tetrahedra, others) =
        last.split_last().map_or((f64::NAN, &[][..]), |(last, all)| (*last, all));
    let measured = format!("{} times as fast with {most} processors", listed(last.iter().copied()));
    let needed = 1.0 + 0.25 * (most as f64 - 1.0);
    let table = table
        .finding(
            "objects of some hundred polygons gain by each processor (a quarter of it at least)",
            most > 1 && others.iter().all(|&gain| gain >= needed),
            measured.clone(),
        )
        .finding(
            "100 tetrahedra gain the least, as their tests are quickly done",
            most > 1 && others.iter().all(|&gain| gain > tetrahedra),
            measured,
        );
    let times = table.column("µs a frame of one");
    let mut by_time: Vec<(f64, f64)> = times.iter().copied().zip(last.iter().copied()).collect();
    by_time.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let of_tetrahedra = times.last().copied().unwrap_or(f64::NAN);
    let shorter = times.iter().filter(|&&time| time < of_tetrahedra).count();
    let (by_time, times) = (listed(by_time.into_iter().map(|(_, gain)| gain)), listed(times));
    let table = table.because(format!(
        "a frame of one processor takes {times} µs here, in the order of the table, and 20 to 500 ms in the thesis; waking a \
         thread takes some 10 µs, so frames of less than some 100 µs stay on one thread; from the shortest to the longest frame \
         the gains are {by_time}, and {shorter} of the others are shorter than the tetrahedra's"
    ));
    Ok(vec![table.remark(
        "The thesis has curves for up to four processors of an SGI Skywriter and an Onyx, whose frames took 20 to 500 ms. Waking a thread takes some 10 µs here, so frames of less than some 100 µs stay on one.",
    )])
}

/// Polygons, and the thesis's gain for arbitrary objects and for box-trees.
const TWO_PHASES: [(usize, [Option<f64>; 2]); 3] =
    [(42, [Some(1.15), None]), (132, [Some(1.73), None]), (442, [Some(1.76), Some(1.83)])];

pub(super) fn two_phases(effort: &Effort, stage: Stage<'_>) -> Tables {
    const NAMES: [&str; 2] = ["arbitrary", "box-tree-1994"];
    const COLUMNS: [&str; 4] =
        ["arbitrary", "box-tree-1994", "arbitrary, near misses", "box-tree-1994, near misses"];
    let caption = "How many times as fast two objects are tested with a processor for each phase (in brackets: the thesis)";
    let mut table = FigureTable::new(caption, "polygons", COLUMNS);
    // Microseconds of a frame on one processor.
    let mut times = [const { Vec::new() }; 2];
    for (faces, published) in TWO_PHASES {
        let bouncing = bouncing(&format!("shape:sphere?faces={faces}"), effort.frames_or(200))?;
        let near =
            scene(&format!("sphere-in-sphere?faces={faces}&ratio=0.75"), effort.frames_or(60))?;
        let mut cells = Vec::new();
        for (which, (scene, published)) in
            [(&bouncing, published), (&near, [None; 2])].into_iter().enumerate()
        {
            for (narrow, published) in NAMES.into_iter().zip(published) {
                stage(&format!("2 × {faces}, {narrow}"));
                let comparison = Comparison::new()
                    .rounds(effort.rounds)
                    .execution(named("serial", 1)?)
                    .execution(named("two-phases", 2)?);
                let comparison = with_registered(comparison, [&[], &[narrow], &[]])?;
                let (one, mut gains) = gains(scene, &comparison)?;
                times[which].push(one / 1e3);
                cells.push(Cell::ours(gains.pop().unwrap_or(f64::NAN)).beside(published));
            }
        }
        table = table.row(format!("2 × {faces}"), cells);
    }
    let many = processors() > 1;
    for ((which, names), times) in [
        ("objects that bounce", [COLUMNS[0], COLUMNS[1]]),
        ("near misses", [COLUMNS[2], COLUMNS[3]]),
    ]
    .into_iter()
    .zip(times)
    {
        let [arbitrary, trees] = names.map(|name| table.column(name));
        table = table
            .finding(
                format!(
                    "{which}: two phases at once gain the more, the more polygons: 1.15, 1.73, 1.76 (at least 1.4 from 2 × 132 on)"
                ),
                many && arbitrary.first() < arbitrary.get(1) && arbitrary.iter().skip(1).all(|&gain| gain >= 1.4),
                format!("{} times", listed(arbitrary)),
            )
            .finding(
                format!("{which}: box-trees of 2 × 442 polygons gain 1.83 times (at least 1.4)"),
                many && trees.last().is_some_and(|&gain| gain >= 1.4),
                format!("{} times", listed(trees.last().copied())),
            )
            .because(format!(
                "a frame of one processor takes {} µs here (`arbitrary` and box-trees by turns, from few polygons to many), and \
                 waking the thread for the second phase some 10 µs; pairs of less than 250 polygons, and box-trees of less than \
                 1000 pairs of nodes, stay on one",
                listed(times)
            ));
    }
    Ok(vec![table.remark(
        "Spheres that bounce in a cage are tested in some 10 µs, before another thread wakes up. A near miss is the case that needs \
         both phases: a sphere that turns in a slightly larger one. With less than 250 polygons in both, nothing is shared.",
    )])
}

/// Kinds of objects, and how many times as fast the thesis's two algorithms were with 2 × 100 and 2 × 1000 polygons.
const DUAL: [(&str, [f64; 2]); 3] =
    [("torus", [1.5, 3.5]), ("hyperboloid", [2.0, 1.9]), ("sphere", [1.75, 2.8])];

/// Polygons of all ten objects, and the thesis's frames a second with and without.
const CAGES: [(&str, &str, [f64; 2]); 2] = [
    ("4000", "cage?objects=10&faces=400", [6.2, 8.5]),
    ("700", "cage?objects=10&faces=70", [66.0, 83.0]),
];

const ALONE_AND_DUAL: [&str; 2] = ["arbitrary", "race:separating-plane+arbitrary"];

pub(super) fn two_algorithms(effort: &Effort, stage: Stage<'_>) -> Tables {
    let comparison = || -> Result<Comparison, CompareError> {
        let comparison = Comparison::new().rounds(effort.rounds).execution(named("parallel", 2)?);
        with_registered(comparison, [&[], &ALONE_AND_DUAL, &[]])
    };
    let caption = "How many times as fast two objects are tested by `arbitrary` and separating planes at once as by `arbitrary` \
                   alone (in brackets: the thesis)";
    let mut two = FigureTable::new(caption, "objects", ["2 × 100", "2 × 1000"]);
    for (kind, published) in DUAL {
        let mut cells = Vec::new();
        for (faces, published) in [100, 1000].into_iter().zip(published) {
            stage(&format!("{kind}, 2 × {faces}"));
            let scene = bouncing(&format!("shape:{kind}?faces={faces}"), effort.frames_or(200))?;
            let gain = gains(&scene, &comparison()?)?.1.pop().unwrap_or(f64::NAN);
            cells.push(Cell::ours(gain).published(published));
        }
        two = two.row(kind, cells);
    }
    let of_two: Vec<f64> = two.cells().filter_map(|(_, _, cell)| cell.ours).collect();
    let many = processors() > 1;
    let two = two.finding(
        "two objects: 1.5 to 3.5 times as fast (at least 1.2 times everywhere)",
        many && of_two.iter().all(|&gain| gain >= 1.2),
        format!("{} times", listed(of_two)),
    )
    .because(
        "the algorithm that decided the pair the last time runs alone at first, for about as long as it took then, and both begin \
         again with 4 ms for each: where `arbitrary` is the faster one, as it is for pairs that meet, nothing is gained",
    );
    let caption = "Ten objects in the cage, frames a second (in brackets: the thesis)";
    let mut cage = FigureTable::new(caption, "polygons", ["with planes", "without", "gain"]);
    for (polygons, spec, [with, without]) in CAGES {
        stage(&format!("{polygons} polygons"));
        let scene = scene(spec, effort.frames_or(100))?;
        let (_, outcome) = played(&scene, Semantics::Surface, &comparison()?)?;
        let speed = |at: usize| outcome.figures.get(at).map_or(f64::NAN, |one| 1e9 / one.mean_ns);
        cage = cage.row(
            polygons,
            [
                Cell::ours(speed(1)).published(with),
                Cell::ours(speed(0)).published(without),
                Cell::ours(speed(1) / speed(0)).published(with / without),
            ],
        );
    }
    let of_cage = cage.column("gain");
    let cage = cage
        .finding(
            "among ten objects both at once are slower than `arbitrary` alone",
            many && of_cage.iter().all(|&gain| gain < 1.0),
            format!("{} times as fast", listed(of_cage)),
        )
        .because(
            "the loser is stopped within 64 steps here and both start with the algorithm that decided the pair the last time; \
             the thesis's threads waited 7 ms for each other",
        )
        .remark(
            "The thesis could not explain its figures: planes decided 80 % of its tests first, and its threads waited 7 ms for each \
             other. Ours start with the algorithm that decided the pair the last time, and stop the other within 64 steps.",
        );
    Ok(vec![two, cage])
}

/// An execution mode of its own threads, by its name.
fn named(mode: &str, threads: usize) -> Result<Algorithm<dyn Execution>, CompareError> {
    let made = execution_mode(mode, threads).map_err(|error| unusable(mode, error))?;
    let make = made.ok_or_else(|| unusable(mode, "there is no such mode"))?;
    Ok(Algorithm::new(format!("{mode}, {threads}"), make))
}

/// Nanoseconds of a frame of the first combination, and how many times as fast each is, by mean frames.
fn gains(scene: &Scene, comparison: &Comparison) -> Result<(f64, Vec<f64>), CompareError> {
    let (_, outcome) = played(scene, Semantics::Surface, comparison)?;
    let first = outcome.figures.first().map_or(f64::NAN, |one| one.mean_ns);
    Ok((first, outcome.figures.iter().map(|one| first / one.mean_ns).collect()))
}
