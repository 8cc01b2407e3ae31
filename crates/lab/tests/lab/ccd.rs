//! `xcollide ccd`: every option, key and exit status of its contract.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::program::{Ran, keys, xcollide_at};

/// A vertex that falls from height 1 to −2 through a triangle, and one that falls beside it.
const VERTEX_FACE: &str = "\
1,4,1,4,1,1,1
0,1,0,1,0,1,1
1,1,0,1,0,1,1
0,1,1,1,0,1,1
1,4,1,4,-2,1,1
0,1,0,1,0,1,1
1,1,0,1,0,1,1
0,1,1,1,0,1,1

1,1,1,1,1,1,0
0,1,0,1,0,1,0
1,1,0,1,0,1,0
0,1,1,1,0,1,0
1,1,1,1,-2,1,0
0,1,0,1,0,1,0
1,1,0,1,0,1,0
0,1,1,1,0,1,0
";

fn ask(text: &str, options: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("ccd - --type vertex-face {options}");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    xcollide_at(folder.path(), &arguments, text)
}

#[test]
fn every_query_has_its_answer_and_all_a_summary() {
    let ran = ask(VERTEX_FACE, "--json");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(keys(lines[0]), ["query", "collides", "time", "truth", "ns"]);
    assert_eq!(keys(lines[1]), ["query", "collides", "truth", "ns"]);
    let found = ran.json();
    let [hit, miss, summary] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&hit["query"], &hit["collides"], &hit["truth"]),
        (&0.into(), &true.into(), &true.into())
    );
    let time = |key: &str| hit["time"][key].as_f64().unwrap();
    let (at_least, at_most) = (time("at_least"), time("at_most"));
    assert!(at_least <= 1.0 / 3.0 && 1.0 / 3.0 <= at_most && at_most - at_least <= 1e-9, "{hit}");
    assert_eq!(miss["collides"], false);
    let summary = &summary["summary"];
    let counts = ["queries", "false_negatives", "false_positives"].map(|key| &summary[key]);
    assert_eq!(counts, [2, 0, 0]);
    for key in ["median_ns", "mean_ns", "p99_ns", "max_ns"] {
        assert!(summary[key].is_u64(), "{summary}");
    }
}

/// A third is between two neighbouring numbers.
#[test]
fn an_interval_of_width_zero_is_two_neighbours() {
    let found = ask(VERTEX_FACE, "--json --width 0").json();
    let time = |key: &str| found[0]["time"][key].as_f64().unwrap();
    assert_eq!((time("at_least"), time("at_most")), (1.0 / 3.0, (1.0_f64 / 3.0).next_up()));
}

#[test]
fn answers_do_not_depend_on_what_the_file_says() {
    let lies = VERTEX_FACE.replace(",1\n", ",2\n").replace(",0\n", ",1\n").replace(",2\n", ",0\n");
    let ran = ask(&lies, "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("query 0: collides at a time from 0.333"), "{}", ran.out);
    assert!(ran.out.contains("query 1: apart, though the file says otherwise"), "{}", ran.out);
    assert!(
        ran.out.contains("2 queries: 1 false negative, 1 false positive; median "),
        "{}",
        ran.out
    );
}

/// Edges that cross at time 1/2, in a folder that says what they are.
#[test]
fn the_folder_tells_what_the_points_are() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("edge-edge");
    std::fs::create_dir(&below).unwrap();
    let rows = "-1,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,-1,1,1,1,1\n0,1,1,1,1,1,1\n\
                -1,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,-1,1,-1,1,1\n0,1,1,1,-1,1,1\n";
    std::fs::write(below.join("one.csv"), rows).unwrap();
    std::fs::write(folder.path().join("other.csv"), rows).unwrap();
    let run = |arguments: &[&str]| xcollide_at(folder.path(), arguments, "");
    let found: Vec<Value> =
        run(&["ccd", "edge-edge/one.csv", "edge-edge/one.csv", "--json"]).json();
    assert_eq!(found.len(), 3);
    assert_eq!((&found[0]["time"], &found[1]["query"]), (&found[1]["time"], &1.into()));
    assert!(found[0]["time"]["at_least"].as_f64().unwrap() <= 0.5);
    let refused = run(&["ccd", "other.csv"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("other.csv: the folder is not called vertex-face or edge-edge"));
}

#[test]
fn bad_input_names_its_line() {
    let fourth = |row: &str| {
        let rows: Vec<&str> = VERTEX_FACE.lines().collect();
        [&rows[..3], &[row], &rows[4..8]].concat().join("\n")
    };
    for (text, expected) in [
        (fourth("1,3,0,1,0,1,1"), "standard input, line 4: 1/3 is no f64 exactly"),
        (fourth("1,2,0,1,0,1"), "standard input, line 4: found 6 numbers, expected 7"),
        (fourth("x,2,0,1,0,1,1"), "standard input, line 4: found `x`, expected a whole number"),
        (fourth("1,2,0,1,0,1,2"), "standard input, line 4: found the truth `2`, expected 0 or 1"),
        (fourth("1,2,0,1,0,1,0"), "standard input, line 4: found another truth than in the lines"),
        (
            VERTEX_FACE.lines().take(5).collect::<Vec<_>>().join("\n"),
            "standard input, line 5: the file ends after 5 of the 8 lines of a query",
        ),
    ] {
        let ran = ask(&text, "");
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let none = ask("", "--json").json();
    assert_eq!(none[0]["summary"]["queries"], 0);
    let missing = xcollide_at(Path::new("."), &["ccd"], "");
    assert_eq!(missing.status, 2);
}

/// A vertex that falls from 1 to −1 is in the plane of the triangle at 1/2.
#[test]
fn an_interval_of_width_zero_is_the_time_if_it_is_a_number() {
    let half = VERTEX_FACE.replace(",-2,1,", ",-1,1,");
    let found = ask(&half, "--json --width 0").json();
    assert_eq!(found[0]["time"], serde_json::json!({"at_least": 0.5, "at_most": 0.5}));
}
