//! The multi-body simulation of I-COLLIDE (Cohen and others 1995, 5.3 and 7), graphs 1 to 6.
//!
//! By default 1000 polytopes of 36 faces fill 1 % of their cage, move by 10 % of the radius and
//! turn by 10 degrees a frame, and exchange velocities on collision; each graph varies one of
//! these. Sweep and prune finds the pairs; boxes are fixed cubes or dynamic. The graphs are
//! pictures; the text gives one number: 23 frames a second with fixed cubes.

use xcollide::narrow::Semantics;

use super::experiment::{Stage, Tables, collisions, played, scene, with_registered};
use super::finding::listed;
use super::{Cell, Effort, Experiment, FigureTable};
use crate::compare::{CompareError, Comparison, Figures, median};

macro_rules! graph {
    ($constant:ident, $name:literal, $number:literal, $parameter:literal, $values:expr) => {
        pub(super) const $constant: Experiment = Experiment {
            name: $name,
            about: concat!("fixed cubes and dynamic boxes under sweep and prune, by ", $parameter),
            source: concat!("I-COLLIDE 1995, 7, graph ", $number),
            run: |effort, stage| graph(effort, stage, $parameter, &$values),
        };
    };
}

graph!(
    NUMBER,
    "icollide-graph-1",
    "1",
    "objects",
    ["20", "100", "250", "500", "1000", "1500", "2000"]
);
graph!(FACES, "icollide-graph-2", "2", "faces", ["4", "12", "20", "36", "60", "100", "200"]);
graph!(DENSITY, "icollide-graph-3", "3", "density", ["0.1", "0.5", "1", "2", "4", "8"]);
graph!(ROTATION, "icollide-graph-4", "4", "rotation", DEGREES);

const DEGREES: [&str; 6] = ["0", "5", "10", "20", "40", "60"];

/// Milliseconds a frame with fixed cubes and all defaults: "23 frames per second".
const PUBLISHED_MS: f64 = 1000.0 / 23.0;

/// The default value of a parameter.
fn default_of(parameter: &str) -> &'static str {
    match parameter {
        "objects" => "1000",
        "faces" => "36",
        "density" => "1",
        _ => "10",
    }
}

const BODIES: usize = 1000;
const FRAMES: usize = 60;

/// The value of a parameter and its scene, with fewer bodies for a smaller effort.
fn value_and_scene(effort: &Effort, parameter: &str, value: &str) -> (String, String) {
    if parameter == "objects" {
        let value = value.parse().map_or(BODIES, |count| effort.objects_of(count)).to_string();
        let spec = format!("icollide?objects={value}");
        return (value, spec);
    }
    let objects = effort.objects_of(BODIES);
    (value.to_owned(), format!("icollide?objects={objects}&{parameter}={value}"))
}

fn contestants(effort: &Effort, bounds: &[&str]) -> Result<Comparison, CompareError> {
    let comparison = Comparison::new().rounds(effort.rounds);
    with_registered(comparison, [&["sweep-and-prune"], &[], bounds])
}

/// Median milliseconds of bounds, broad and narrow phase; the source does not count
/// transformations.
fn ms(figures: &Figures) -> [f64; 3] {
    [1, 2, 3].map(|stage| {
        median(figures.frames_stages_ns.iter().map(|stages| stages[stage] / 1e6).collect())
    })
}

fn graph(effort: &Effort, stage: Stage<'_>, parameter: &str, values: &[&str]) -> Tables {
    let comparison = contestants(effort, &["fixed-cube", "dynamic-box"])?;
    let caption = format!("ms a frame by {parameter} (in brackets: I-COLLIDE, on an HP-9000/750)");
    let columns =
        ["fixed cubes", "dynamic boxes", "pairs, fixed", "pairs, dynamic", "collisions a frame"];
    let mut table = FigureTable::new(caption, parameter, columns);
    let (mut last, mut tests) = (String::new(), [(); 2].map(|()| Vec::new()));
    for value in values {
        let (value, spec) = value_and_scene(effort, parameter, value);
        if value == last {
            continue;
        }
        stage(&format!("{parameter} {value}"));
        let scene = scene(&spec, effort.frames_or(FRAMES))?;
        let (motion, outcome) = played(&scene, Semantics::Solid, &comparison)?;
        let [fixed, dynamic] = [0, 1].map(|at| &outcome.figures[at]);
        let [first, second] = [fixed, dynamic].map(|one| ms(one).iter().sum::<f64>());
        let is_published = value == default_of(parameter) && effort.objects_of(BODIES) == BODIES;
        let published = is_published.then_some(PUBLISHED_MS);
        let played = motion.frames() as f64;
        for (tests, figures) in tests.iter_mut().zip([fixed, dynamic]) {
            tests.push(figures.box_tests as f64 / played);
        }
        table = table.row(
            value.as_str(),
            [
                Cell::ours(first).beside(published),
                Cell::ours(second),
                Cell::ours(fixed.pairs as f64 / played),
                Cell::ours(dynamic.pairs as f64 / played),
                Cell::ours(collisions(&motion)),
            ],
        );
        last = value;
    }
    let [of_fixed, of_dynamic] = tests.map(listed);
    let table = with_findings(table, parameter).because(format!(
        "sweep and prune tests {of_fixed} pairs of boxes a frame with fixed cubes and {of_dynamic} with dynamic boxes, by {parameter}; \
         the rest of a time is what it takes to make the boxes, and what else the machine does"
    ));
    Ok(vec![table.remark(match parameter {
        "objects" => "I-COLLIDE: nearly linear with a small higher-order term, larger for dynamic boxes.",
        "faces" => "I-COLLIDE: nearly constant for fixed cubes; dynamic boxes are dearer to update and cheaper to sort.",
        "density" => "I-COLLIDE: collisions grow linearly with the density, and time grows with it.",
        _ => "I-COLLIDE: dynamic boxes mind rotation much more than fixed cubes.",
    })])
}

/// What the text says of the curves.
fn with_findings(table: FigureTable, parameter: &str) -> FigureTable {
    let [fixed, dynamic, collisions] =
        ["fixed cubes", "dynamic boxes", "collisions a frame"].map(|name| table.column(name));
    let values: Vec<f64> = table.rows.iter().filter_map(|(name, _)| name.parse().ok()).collect();
    let ends =
        |of: &[f64]| of.last().zip(of.first()).map_or(f64::NAN, |(last, first)| last / first);
    let [of_fixed, of_dynamic] = [ends(&fixed), ends(&dynamic)];
    let measured =
        format!("{} times the time, dynamic boxes {}", listed([of_fixed]), listed([of_dynamic]));
    match parameter {
        "objects" => {
            // From the middle on, where times are no longer those of a few objects.
            let middle = values.len() / 2;
            let power = |of: &[f64]| {
                let [n, time] = [&values, of].map(|all| ends(&all[middle.min(all.len())..]));
                libm::log(time) / libm::log(n)
            };
            let [of_fixed, of_dynamic] = [power(&fixed), power(&dynamic)];
            table
                .finding(
                    "nearly linear in the number of objects: a power of at most 1.3",
                    of_fixed <= 1.3 && of_dynamic <= 1.3,
                    format!("fixed cubes {of_fixed:.2}, dynamic boxes {of_dynamic:.2}"),
                )
                .finding(
                    "the higher-order term is larger for dynamic boxes",
                    of_dynamic > of_fixed,
                    format!("fixed cubes {of_fixed:.2}, dynamic boxes {of_dynamic:.2}"),
                )
        }
        "faces" => table
            .finding(
                "nearly constant for fixed cubes: at most half more time for the most faces than for the fewest",
                of_fixed <= 1.5,
                measured.clone(),
            )
            .finding("dynamic boxes mind faces more than fixed cubes", of_dynamic > of_fixed, measured),
        "density" => {
            let linear = ends(&collisions) / ends(&values);
            table
                .finding(
                    "collisions grow linearly with the density (within a factor of two)",
                    (0.5..=2.0).contains(&linear),
                    format!("{} times as much as linearly", listed([linear])),
                )
                .finding("time grows with the density", of_fixed > 1.0 && of_dynamic > 1.0, measured)
        }
        _ => table.finding(
            "dynamic boxes mind rotation more than fixed cubes",
            of_dynamic > of_fixed,
            measured,
        ),
    }
}

pub(super) fn parts(effort: &Effort, stage: Stage<'_>, bounds: &str) -> Tables {
    let comparison = contestants(effort, &[bounds])?;
    let columns = ["boxes", "sorting and pairs", "exact tests"];
    let mut table =
        FigureTable::new(format!("ms a frame with {bounds}"), "degrees a frame", columns);
    let mut tests = Vec::new();
    for value in DEGREES {
        stage(&format!("{value} degrees"));
        let (_, spec) = value_and_scene(effort, "rotation", value);
        let scene = scene(&spec, effort.frames_or(FRAMES))?;
        let (motion, outcome) = played(&scene, Semantics::Solid, &comparison)?;
        tests.push(outcome.figures[0].box_tests as f64 / motion.frames() as f64);
        table = table.row(value, ms(&outcome.figures[0]));
    }
    let growth = ["boxes", "sorting and pairs"].map(|name| {
        let times = table.column(name);
        times.last().zip(times.first()).map_or(f64::NAN, |(last, first)| last / first)
    });
    let (expected, found) = if bounds == "fixed-cube" {
        (
            "updating and sorting almost constant by rotation: within a quarter",
            growth.iter().all(|g| (0.75..=1.25).contains(g)),
        )
    } else {
        ("updating and sorting grow with rotation", growth.iter().all(|&growth| growth > 1.0))
    };
    let table = table.finding(
        expected,
        found,
        format!("from 0 to 60 degrees {} times the time", listed(growth)),
    )
    .because(format!(
        "{} pairs of boxes are tested a frame, by degrees; a box that rotation makes larger moves its sides, which costs exchanges, \
         and making it costs the same at any rotation",
        listed(tests)
    ));
    let remark = "I-COLLIDE: with fixed cubes both updating and sorting are almost constant, with \
                  dynamic boxes both grow.";
    Ok(vec![table.remark(remark)])
}
