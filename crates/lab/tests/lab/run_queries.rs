//! `xcollide run` with the queries of `check`: semantics, tolerance, distances.

#![allow(clippy::unwrap_used)]

use crate::program;
use crate::run::{listed, lists};

use program::{keys, xcollide, xcollide_at};
use serde_json::{Value, json};

/// A small box in a large one, and one beside them at a distance of 2.5.
const SCENE: &str = "name = 'three'\n[[objects]]\nmesh = 'shape:box'\n\
                     [[objects]]\nmesh = 'shape:box?x=0.5&y=0.5&z=0.5'\n\
                     [[objects]]\nmesh = 'shape:box'\npose = [4.5, 0, 0]\n";

fn run(options: &str) -> Vec<Value> {
    let options: Vec<&str> = options.split_whitespace().collect();
    let arguments = [&["run", "-", "--frames", "2", "--json"], &options[..]].concat();
    xcollide_at(std::path::Path::new("."), &arguments, SCENE).json()
}

#[test]
fn surfaces_or_solids_within_a_tolerance_collide() {
    for (options, began) in [
        ("", json!([[0, 1]])),
        ("--semantics surface", json!([])),
        ("--tolerance 2.5", json!([[0, 1], [0, 2]])),
        ("--tolerance 2.49", json!([[0, 1]])),
        ("--tolerance 1 --semantics surface", json!([[0, 1]])),
        ("--tolerance 2.5 --execution concurrent", json!([[0, 1], [0, 2]])),
    ] {
        assert_eq!(run(options)[0]["began"], began, "{options}");
    }
}

#[test]
fn distances_of_all_pairs_are_listed() {
    for more in ["", "--broad hash-grid", "--threads 2", "--broad sweep-and-prune"] {
        let found = run(&format!("--distance {more}"));
        for frame in &found[..2] {
            assert_eq!(
                frame["distances"],
                json!([[0, 1, 0.0], [0, 2, 2.5], [1, 2, 3.25]]),
                "{more}"
            );
        }
        assert_eq!(found[0]["began"], json!([[0, 1]]));
    }
    let near = run("--distance=2.5");
    assert_eq!(near[0]["distances"], json!([[0, 1, 0.0], [0, 2, 2.5]]));
    let surfaces = run("--distance --semantics surface");
    assert_eq!(surfaces[0]["distances"][0], json!([0, 1, 0.75]));
    let line = xcollide("run pile?layers=2 --frames 1 --json --distance").out;
    let expected = ["frame", "began", "persisting", "ended", "distances", "pairs", "ns"];
    assert_eq!(keys(line.lines().next().unwrap()), expected);
}

/// The scenes of a run do not depend on what else is listed.
#[test]
fn distances_change_no_collisions() {
    let run = "run cage?objects=12&faces=60&side=3 --frames 40 --json";
    let expected = lists(&xcollide(run));
    assert!(listed(&expected, 1) > 10);
    assert_eq!(lists(&xcollide(&format!("{run} --distance"))), expected);
    assert_eq!(lists(&xcollide(&format!("{run} --tolerance 0"))), expected);
}

#[test]
fn options_that_have_no_effect_are_refused() {
    assert!(xcollide("run --distance").error(2).contains("--json"));
    assert!(xcollide("run --json --distance=-1").error(2).contains("at least 0"));
    let both = xcollide("run --json --distance --tolerance 1");
    assert!(both.error(2).contains("cannot be used with"), "{both:?}");
}
