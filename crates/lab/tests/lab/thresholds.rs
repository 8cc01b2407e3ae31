//! The sizes by which `auto` chooses, from a file.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;

use program::{Ran, xcollide_with};
use serde_json::Value;

/// Runs the program in a folder, with the variable set if there is a name.
fn ran(at: &Path, variable: Option<&str>, arguments: &str) -> Ran {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let variable = variable.map(|file| ("XCOLLIDE_THRESHOLDS", file));
    xcollide_with(variable.as_slice(), at, &arguments, "")
}

/// A file changes the chosen algorithm, and the option overrides the variable.
#[test]
fn a_stored_file_changes_the_choice_of_check() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("large.toml"), "# all\nconvex_vertices = 100\n").unwrap();
    std::fs::write(folder.path().join("small.toml"), "convex_vertices = 10\n").unwrap();
    let chosen = |variable: Option<&str>, option: &str| -> String {
        let shape = "shape:polytope?vertices=20";
        let ran = ran(folder.path(), variable, &format!("check {shape} {shape} --json {option}"));
        let objects = ran.json();
        assert_eq!(objects[0]["verdict"], "collides");
        objects[0]["algorithm"].as_str().unwrap().to_owned()
    };
    assert_eq!(chosen(None, ""), "hybrid");
    assert_eq!(chosen(None, "--thresholds small.toml"), "wide-obb");
    assert_eq!(chosen(Some("small.toml"), ""), "wide-obb");
    assert_eq!(chosen(Some("small.toml"), "--thresholds large.toml"), "hybrid");
    assert_eq!(chosen(Some("small.toml"), "--algorithm hybrid"), "hybrid");
    assert_eq!(chosen(Some(""), ""), "hybrid", "an empty variable is none");
}

/// The algorithms of `run` and `compare` change with it, their results do not.
#[test]
fn a_stored_file_changes_the_work_of_run_and_compare() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("no-convex.toml"), "convex_vertices = 0\n").unwrap();
    let scene = "qcollide?objects=30&density=10 --frames 10 --json";
    let compared = |option: &str| -> Vec<[Value; 2]> {
        let arguments =
            format!("compare {scene} --rounds 1 --narrow auto,wide-obb,hybrid {option}");
        let tests = |object: &Value| ["narrow", "volume_tests"].map(|key| object[key].clone());
        ran(folder.path(), None, &arguments).json().iter().map(tests).collect()
    };
    let tests = |of: &[[Value; 2]]| of.iter().map(|[_, tests]| tests.clone()).collect::<Vec<_>>();
    let built_in = tests(&compared(""));
    assert_eq!(built_in[0], built_in[2], "auto is hybrid");
    assert_ne!(built_in[1], built_in[2]);
    let stored = tests(&compared("--thresholds no-convex.toml"));
    assert_eq!(stored, [built_in[1].clone(), built_in[1].clone(), built_in[2].clone()]);

    let told = |variable: Option<&str>| {
        let lines = ran(folder.path(), variable, &format!("run {scene} --stats")).json();
        let lists = |line: &Value| ["began", "persisting", "ended"].map(|key| line[key].clone());
        let volumes = lines.iter().filter_map(|line| line["stats"]["volume_tests"].as_u64());
        let volumes: u64 = volumes.sum();
        (lines.iter().map(lists).collect::<Vec<_>>(), volumes)
    };
    let [(lists, few), (same, many)] = [told(None), told(Some("no-convex.toml"))];
    assert_eq!(lists, same);
    assert!(few < many, "{few} {many}");
}

#[test]
fn a_bad_file_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "convex_vertices = 1\nconvex = 2\n").unwrap();
    for command in ["check shape:box shape:box", "run cage --frames 2", "compare cage --frames 2"] {
        let told = ran(folder.path(), None, &format!("{command} --thresholds bad.toml"));
        let expected = "bad.toml: line 2: key `convex` is unknown, expected one of: ";
        assert!(told.error(2).starts_with(expected), "{told:?}");
        assert_eq!(ran(folder.path(), Some("bad.toml"), command).err, told.err);
        let told = ran(folder.path(), Some("none.toml"), command);
        assert!(told.error(2).starts_with("none.toml: "), "{told:?}");
    }
}
