//! `-` is standard input wherever a file is read.

#![allow(clippy::unwrap_used)]

use crate::program;
use crate::run::lists;

use std::path::Path;

use program::{Ran, xcollide_at};
use serde_json::json;

/// A square.
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
const SCENE: &str = "name = 'two'\n[[objects]]\nmesh = 'shape:box'\ncount = 2\n\
                     poses = [[0, 0, 0], [1, 0, 0]]\n";

fn run(arguments: &str, input: &str) -> Ran {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    xcollide_at(Path::new("."), &arguments, input)
}

#[test]
fn a_mesh_may_come_from_standard_input() {
    for arguments in ["check - shape:box --json", "check --json shape:box -"] {
        assert_eq!(run(arguments, SQUARE).json()[0]["verdict"], "collides");
    }
    let told = &run("classify --json -", SQUARE).json()[0];
    assert_eq!((&told["file"], &told["faces"]), (&json!("standard input"), &json!(1)));
    let error = run("check - shape:box", "v 0 0 0\nf 1 2 3\n");
    assert!(error.error(2).starts_with("standard input: line 2: vertex number 2"), "{error:?}");
    let none = "standard input: found 1 vertex and no faces, expected at least one face";
    assert_eq!(run("check - shape:box", "v 0 0 0\n").error(2), none);
}

#[test]
fn a_scene_may_come_from_standard_input() {
    let found = run("run - --frames 1 --json", SCENE);
    assert_eq!(lists(&found), [json!([0, [[0, 1]], [], []])]);
    let compared = run("compare - --frames 2 --rounds 1 --narrow box-tree --json", SCENE);
    assert_eq!(compared.json()[0]["scene"], "two");
    let error = run("run -", "name = ");
    assert!(error.error(2).starts_with("standard input: line 1: "), "{error:?}");
    for (content, format) in [("{\"asset\":{}}", "glTF"), (SQUARE, "OBJ")] {
        let error = run("run -", content);
        let expected = format!("standard input: found {format}, expected a scene as TOML");
        assert!(error.error(2).starts_with(&expected), "{error:?}");
    }
    let sizes = run("check shape:box shape:box --thresholds -", "nonsense\n");
    assert!(sizes.error(2).starts_with("standard input: "), "{sizes:?}");
}

#[test]
fn standard_input_is_read_once() {
    for arguments in [
        "check - -",
        "check - shape:box --poses -",
        "check --poses=- shape:box -",
        "classify - -",
        "picture - - --export out.glb",
        "compare - -",
    ] {
        let expected = "found - 2 times, expected it once: standard input can be read once";
        assert_eq!(run(arguments, SQUARE).error(2), expected, "{arguments}");
    }
}

#[test]
fn files_of_a_scene_from_standard_input_are_in_the_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("square.obj"), SQUARE).unwrap();
    let scene = SCENE.replace("shape:box", "square.obj");
    let found = xcollide_at(folder.path(), &["run", "-", "--frames", "1", "--json"], &scene);
    assert_eq!(lists(&found), [json!([0, [[0, 1]], [], []])]);
}

#[test]
fn rays_may_come_from_standard_input() {
    let found = run("ray shape:box --rays - --json", "# down\n0 0 5  0 0 -1\n0 0 5  0 0 1\n");
    let hits: Vec<_> = found.json().iter().map(|object| object["hit"].clone()).collect();
    assert_eq!(hits, [true, false]);
}
