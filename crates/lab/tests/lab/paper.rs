//! `xcollide compare --paper`: experiments of the sources, repeated.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::collections::BTreeSet;

use program::{xcollide, xcollide_at};
use xcollide_fixtures::long_run;
use xcollide_lab::paper::{Effort, experiment, experiments};

/// The names that scripts and the documentation rely on.
#[test]
fn all_promised_experiments_are_listed_once() {
    let listed = xcollide("compare --paper list --json").json();
    let names: Vec<&str> = listed.iter().map(|one| one["paper"].as_str().unwrap()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    let promised = [
        "zachmann-3.2.1",
        "zachmann-3.2.2",
        "zachmann-3.4.1",
        "zachmann-3.16",
        "zachmann-3.4.2",
        "zachmann-4.1.3",
        "zachmann-6.3",
        "zachmann-6.6-medium",
        "zachmann-6.6-dual",
        "chung-28",
        "zachmann-3.32",
        "zachmann-3.35",
        "zachmann-5.4.4",
        "zachmann-5.14",
        "zachmann-5.5.2",
        "zachmann-5.22",
        "zachmann-8.2",
        "zachmann-protocol",
        "daneu-table-2",
        "daneu-table-3",
        "zachmann-3.15",
        "zachmann-3.5.1",
        "zachmann-5.5.2-pipeline",
    ];
    let count = promised.len() + 9 + 6;
    assert_eq!(names.len(), count);
    let chung = (3..=11).map(|figure| format!("chung-6.{figure}"));
    let graphs = (1..=6).map(|graph| format!("icollide-graph-{graph}"));
    for name in promised.map(str::to_owned).into_iter().chain(chung).chain(graphs) {
        assert!(names.contains(&name.as_str()), "{name}");
        assert!(xcollide("compare --help").out.replace(",\n", ", ").contains(&name), "{name}");
    }
    assert!(listed.iter().all(|one| one["source"].is_string() && one["about"].is_string()));
    assert!(xcollide("compare --paper guesswork").error(2).contains("found `guesswork`"));
    assert_eq!(xcollide("compare cage --paper list").status, 2);
}

/// Counts are the same on every machine: pre-checks, errors of the perceptron, references of an octree.
#[test]
fn counts_of_experiments_are_deterministic() {
    let mut counted = Vec::new();
    let experiments = [
        ("zachmann-3.2.2", 3),
        ("zachmann-3.15", 200),
        ("zachmann-3.16", 200),
        ("zachmann-3.4.2", 200),
        ("zachmann-5.4.4", 20),
    ];
    for (name, frames) in experiments {
        let effort = xcollide(&format!("compare --paper {name} --frames {frames} --json")).json();
        for figure in effort {
            if let Some(finding) = figure.get("finding") {
                counted.push(format!("{name}: {finding}: {}", figure["found"]));
                continue;
            }
            let [row, column] = ["row", "column"].map(|key| figure[key].as_str().unwrap());
            if column == "µs a frame" || column == "kB" {
                continue;
            }
            let ours = figure["ours"].as_f64().unwrap();
            counted.push(format!("{name}: {row}, {column}: {ours:.6} ({})", figure["published"]));
        }
    }
    insta::assert_snapshot!("experiments", counted.join("\n"));
}

/// The tables have the source's figures beside ours, also in the report.
#[test]
fn published_figures_stand_beside_ours() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "compare",
        "--paper",
        "daneu-table-3",
        "--frames",
        "4",
        "--rounds",
        "1",
        "--report",
        "p.html",
    ];
    let ran = xcollide_at(folder.path(), &arguments, "");
    assert_eq!((ran.status, &*ran.err), (0, ""), "{ran:?}");
    for figure in ["(2.61)", "(1.82)", "(1.54)", "(2.59)"] {
        assert!(ran.out.contains(figure), "{}", ran.out);
    }
    let html = std::fs::read_to_string(folder.path().join("p.html")).unwrap();
    assert!(html.contains("Daneu 2002, 3.5.1, table 3") && html.contains("(1.54)"));

    let effort = Effort::default().frames(150);
    let cars = experiment("daneu-table-2").unwrap().run(&effort, &mut |_| ()).unwrap();
    for row in ["at most 1", "at most 6", "wide-obb"] {
        let [hit, miss] = ["collision", "no collision"].map(|c| cars[0].figure(row, c).unwrap());
        assert!(hit > 0.0 && miss > 0.0, "{row}: {hit}, {miss}");
    }
    let kb = |row: &str| cars[0].figure(row, "kB").unwrap();
    assert!(kb("at most 1") > kb("at most 6") && kb("at most 6") > kb("at most 10"));
}

/// Finding of the source: random points find what vertices do not in less than 1 % of the collisions. More points find more.
#[test]
fn the_monte_carlo_test_finds_nearly_all_by_vertices() {
    let effort = Effort::default().frames(150);
    let table = &experiment("zachmann-3.5.1").unwrap().run(&effort, &mut |_| ()).unwrap()[0];
    let found = |row: &str| table.figure(row, "collisions found, %").unwrap();
    let vertices = "vertices first, then 100 random points";
    assert!(found(vertices) > 90.0 && found(vertices) <= 100.0, "{table}");
    assert!(found("1000 random points") >= found("100 random points"), "{table}");
    assert!(table.figure(vertices, "found by a random point, %").unwrap() < 5.0, "{table}");
}

/// Why the separating vector was 28 times as fast: where bodies meet I-COLLIDE solves a linear program, whose answer is that
/// of the exact algorithms.
#[test]
fn the_linear_program_agrees_and_is_counted() {
    let effort = Effort::quick().frames(40);
    let tables = experiment("chung-28").unwrap().run(&effort, &mut |_| ()).unwrap();
    for table in &tables {
        let met = table
            .findings()
            .iter()
            .find(|one| one.expected().starts_with("the linear program finds no plane"));
        assert!(met.unwrap().is_found(), "{table}");
        let all = |row: &str| table.figure(row, "all, ns").unwrap();
        assert!(all("separating vector") > 0.0, "{table}");
    }
    // At 20 % some bodies meet in forty frames, and the program takes longer than the walk.
    let meeting = |row: &str| tables[1].figure(row, "meeting, ns").unwrap();
    let walk = meeting("closest features with distance");
    assert!(
        walk > 0.0 && meeting("closest features with distance and linear program") > walk,
        "{}",
        tables[1]
    );
}

/// The two constructions of the half-edge structure find the same edges; that by search grows with the square.
#[test]
fn the_search_for_edges_is_not_linear() {
    let table =
        &experiment("zachmann-4.1.3").unwrap().run(&Effort::quick(), &mut |_| ()).unwrap()[0];
    let times = |column: &str| ["300", "19520"].map(|row| table.figure(row, column).unwrap());
    let ([small, large], [linear_small, linear_large]) = (times("by search"), times("linear"));
    assert!(large / small > 2.0 * linear_large / linear_small, "{table}");
}

/// A quick look has fewer bodies, is marked, and omits incomparable figures of the source.
#[test]
fn a_quick_look_says_what_it_is() {
    let ran = xcollide("compare --paper icollide-graph-1 --quick");
    assert_eq!((ran.status, &*ran.err), (0, ""), "{ran:?}");
    assert!(ran.out.contains("A quick look: few frames"), "{}", ran.out);
    let rows: Vec<&str> =
        ran.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(rows.contains(&"20") && rows.contains(&"40") && !rows.contains(&"100"), "{}", ran.out);
    let figures = xcollide("compare --paper icollide-graph-3 --quick --frames 2 --json").json();
    assert!(figures.len() > 20);
    for figure in figures {
        assert!(figure["quick"] == true && figure["published"].is_null(), "{figure}");
    }
    assert_eq!(xcollide("compare cage --quick").status, 2);
    assert_eq!(xcollide("compare --paper icollide-graph-3 --quick --rounds 2").status, 2);
}

#[test]
fn every_experiment_can_be_repeated_soak() {
    let count = experiments().len();
    let run = long_run(1, count as u64);
    for (_, experiment) in
        experiments().iter().enumerate().filter(|(number, _)| run.picks(*number, count))
    {
        let sheets = experiment.run(&Effort::quick(), &mut |_| ()).unwrap();
        assert!(!sheets.is_empty(), "{}", experiment.name);
        for finding in sheets.iter().flat_map(xcollide_lab::paper::FigureTable::findings) {
            // A quick look finds little again; it says why of everything.
            let is_explained = finding.because().is_some_and(has_figures);
            assert_eq!(is_explained, !finding.is_found(), "{}: {finding}", experiment.name);
        }
        // Of this one the sources have no words.
        let findings: usize = sheets.iter().map(|sheet| sheet.findings().len()).sum();
        assert!(findings > 0 || experiment.name == "zachmann-protocol", "{}", experiment.name);
        let mut positive = 0;
        for sheet in &sheets {
            // What scripts find a figure by; a row with too few cells would lose some.
            let names: BTreeSet<_> = sheet.cells().map(|(row, column, _)| (row, column)).collect();
            assert_eq!(names.len(), sheet.cells().count(), "{}: a name twice", experiment.name);
            for (row, column, cell) in sheet.cells() {
                let ours = sheet.figure(row, column);
                let told = cell.to_string();
                assert_eq!(told.starts_with('–'), ours.is_none(), "{row}, {column}: {told}");
                assert!(ours.is_none_or(f64::is_finite), "{}: {row}, {column}", experiment.name);
                positive += usize::from(ours.is_some_and(|ours| ours > 0.0));
            }
        }
        // This one counts errors, of which few pairs need have none.
        let is_enough = positive > 3 || experiment.name == "zachmann-3.4.2";
        assert!(is_enough, "{}: {positive} figures are above 0", experiment.name);
        assert!(sheets.iter().all(|sheet| sheet.cells().count() > 3), "{}", experiment.name);
    }
}

/// What the source says is an object of its own beside the figures, and a line of the text.
#[test]
fn findings_of_the_source_are_found_again_or_not() {
    let records = xcollide("compare --paper zachmann-3.15 --frames 200 --json").json();
    let (findings, figures): (Vec<_>, Vec<_>) =
        records.iter().partition(|one| one.get("finding").is_some());
    for figure in figures {
        for key in ["paper", "source", "table", "row", "column", "ours"] {
            assert!(figure.get(key).is_some(), "{key}: {figure}");
        }
    }
    assert_eq!(findings.len(), 2);
    for finding in findings {
        assert_eq!(finding["paper"], "zachmann-3.15");
        assert!(finding["source"].is_string() && finding["table"].is_string(), "{finding}");
        assert_eq!(finding["found"], true, "{finding}");
        assert!(finding["finding"].as_str().unwrap().starts_with("the more iterations"));
        assert!(finding["why"].as_str().unwrap().contains(", "), "{finding}");
    }
    let text = xcollide("compare --paper zachmann-3.15 --frames 200").out;
    assert!(
        text.contains("\nFound again: the more iterations, the smaller the best rate"),
        "{text}"
    );
}

/// Whether a reason is a sentence with figures.
fn has_figures(text: &str) -> bool {
    text.len() > 40 && text.contains(|c: char| c.is_ascii_digit())
}

/// Where the machine or the inputs make the difference, what is not found is told with a reason that has our figures, in the text
/// and in JSON; what is found has none.
#[test]
fn what_is_not_found_again_says_why() {
    let mut missing = 0;
    for name in [
        "zachmann-3.4.1",
        "zachmann-3.5.1",
        "zachmann-5.4.4",
        "zachmann-5.14",
        "zachmann-5.5.2",
        "zachmann-6.3",
        "zachmann-6.6-medium",
        "zachmann-6.6-dual",
        "chung-28",
        "daneu-table-2",
    ] {
        let records = xcollide(&format!("compare --paper {name} --quick --frames 3 --json")).json();
        let findings = records.iter().filter(|one| one.get("finding").is_some());
        for finding in findings {
            let because = finding.get("because").and_then(|because| because.as_str());
            let is_explained = because.is_some_and(has_figures);
            assert_eq!(is_explained, finding["found"] == false, "{finding}");
            missing += usize::from(is_explained);
        }
    }
    assert!(missing > 7, "{missing}");
    let text = xcollide("compare --paper zachmann-6.3 --quick --frames 3").out;
    assert!(!text.contains("the reason is not known"), "{text}");
}

/// Every experiment whose source says something in words or figures says whether that is found again.
#[test]
fn experiments_with_published_figures_have_findings() {
    let names = [
        "zachmann-3.15",
        "zachmann-3.4.1",
        "zachmann-4.1.3",
        "zachmann-5.5.2",
        "zachmann-6.3",
        "zachmann-6.6-dual",
        "icollide-graph-5",
        "daneu-table-2",
    ];
    for name in names {
        let effort = Effort::quick().frames(3);
        let tables = experiment(name).unwrap().run(&effort, &mut |_| ()).unwrap();
        let findings: Vec<_> =
            tables.iter().flat_map(xcollide_lab::paper::FigureTable::findings).collect();
        assert!(!findings.is_empty(), "{name}");
        assert!(findings.iter().all(|one| !one.expected().is_empty()), "{name}");
    }
}
