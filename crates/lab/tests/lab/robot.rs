//! `xcollide robot`.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::{Path, PathBuf};

use program::{Ran, keys, xcollide_at, xcollide_with};
use serde_json::json;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes")
}

fn robot(arguments: &str, input: &str) -> Ran {
    let arguments: Vec<&str> = ["robot"].into_iter().chain(arguments.split_whitespace()).collect();
    xcollide_at(&fixtures(), &arguments, input)
}

const ROWS: &str = "elbow,finger\n0.5,0.02\n1.5,0.02\n0.5,0\n";

#[test]
fn a_row_tells_the_links_that_meet() {
    let ran = robot("arm.urdf --joints - --json --distance", ROWS);
    let rows = ran.json();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        keys(ran.out.lines().next().unwrap()),
        ["row", "verdict", "pairs", "distance", "nearest"]
    );
    assert_eq!((&rows[0]["row"], &rows[0]["verdict"]), (&json!(0), &json!("apart")));
    assert_eq!((&rows[0]["pairs"], &rows[0]["nearest"]), (&json!([]), &json!(["left", "right"])));
    // Fingers 0.02 thick, each 0.02 off the middle.
    assert!((rows[0]["distance"].as_f64().unwrap() - 0.02).abs() < 1e-12);
    assert_eq!((&rows[2]["verdict"], &rows[2]["distance"]), (&json!("collides"), &json!(0.0)));
    assert_eq!(rows[2]["pairs"], json!([["left", "right"]]));
    let alone = robot("arm.urdf --joints - --json --distance", "finger,elbow\n0.02,1.5\n").json();
    for key in ["verdict", "pairs", "distance"] {
        assert_eq!(rows[1][key], alone[0][key], "rows are independent");
    }
    let plain = robot("arm.urdf --joints - --json", "elbow,finger\n0.5,0.02\n0.5,0\n");
    let expected = [
        r#"{"row":0,"verdict":"apart","pairs":[]}"#,
        r#"{"row":1,"verdict":"collides","pairs":[["left","right"]]}"#,
    ];
    assert_eq!(plain.out.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn as_text_there_is_a_summary() {
    let ran = robot("arm.urdf --joints - --distance --stats", ROWS);
    insta::assert_snapshot!(ran.text());
    insta::assert_snapshot!("help_robot", robot("--help", "").text());
    assert_eq!(
        robot("arm.urdf", "").text(),
        "row 0: collides: left–right\nwho met, the longest first:\n  left – right, row 0, at (1.25, 0.0, 1.2)\n\
         1 row: 1 colliding, 0 apart"
    );
}

#[test]
fn threads_change_nothing() {
    let mut table = "shoulder,elbow,wrist,finger\n".to_owned();
    for row in 0..9000 {
        let part = f64::from(row);
        table += &format!("0,{},{},{}\n", part % 1.55, part % 3.0, part * 0.37 % 0.1);
    }
    let one = robot("arm.urdf --joints - --json --stats", &table);
    assert_eq!(one.json().len(), 9000);
    assert_eq!(robot("arm.urdf --joints - --json --stats --threads 2", &table).out, one.out);
}

#[test]
fn the_exit_status_tells_the_verdict_if_asked() {
    for (row, options, status) in [
        ("0.5,0", "--exit-code", 10),
        ("0.5,0", "", 0),
        ("0.5,0.02", "--exit-code", 0),
        ("0.5,0.02", "--exit-code --margin 0.1", 10),
        ("0.5,0.02", "--exit-code --margin 0.1 --allow right,left", 0),
    ] {
        let ran =
            robot(&format!("arm.urdf --joints - {options}"), &format!("elbow,finger\n{row}\n"));
        assert_eq!((ran.status, &*ran.err), (status, ""), "{row} {options}: {}", ran.out);
    }
}

#[test]
fn the_objects_of_a_scene_are_obstacles() {
    let place = tempfile::tempdir().unwrap();
    let scene = "name = 'cell'\n[[objects]]\nname = 'post'\nmesh = 'shape:box?x=0.1&y=0.1&z=4'\n\
        count = 2\nposes = [[0.85, 0, 0], [0, 0.85, 0]]\n";
    std::fs::write(place.path().join("cell.toml"), scene).unwrap();
    let cell = place.path().join("cell.toml");
    let rows = "shoulder,elbow,finger\n0,0,0.02\n0.8,0,0.02\n1.5707963267948966,0,0.02\n";
    let ran =
        robot(&format!("arm.urdf --joints - --json --obstacles {}", cell.display()), rows).json();
    let pairs: Vec<String> = ran.iter().map(|row| row["pairs"].to_string()).collect();
    assert_eq!(pairs, [r#"[["lower","post#1"]]"#, "[]", r#"[["lower","post#2"]]"#]);
}

#[test]
fn values_outside_limits_are_used_with_one_warning() {
    let rows = "elbow,finger\n2,0.02\n3,0.02\n0,-0.02\n";
    let ran = robot("arm.urdf --joints - --json", rows);
    assert_eq!(ran.objects().len(), 3);
    assert_eq!(
        ran.error(0),
        "warning: `elbow` is outside -1.2 to 1.55 in 2 of 3 rows, `finger` is outside 0.0 to 0.1 in 1 of 3 rows"
    );
    assert_eq!(robot("arm.urdf --joints - --json --quiet", rows).err, "");
}

#[test]
fn packages_are_found_by_manifest_and_by_option() {
    let place = tempfile::tempdir().unwrap();
    let urdf = "<robot name='one'><link name='base'><collision><geometry>\
        <mesh filename='package://cubes/meshes/cube.off'/></geometry></collision></link></robot>";
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let cube = std::fs::read_to_string(fixtures().join("../meshes/cube.off")).unwrap();
    write("cubes-1.0/package.xml", "<package><name>cubes</name></package>");
    write("cubes-1.0/meshes/cube.off", &cube);
    write("cubes-1.0/urdf/one.urdf", urdf);
    write("two/one.urdf", urdf);
    let run = |arguments: &[&str]| xcollide_at(place.path(), &[&["robot"], arguments].concat(), "");
    assert_eq!(
        run(&["cubes-1.0/urdf/one.urdf"]).text(),
        "row 0: apart\n1 row: 0 colliding, 1 apart"
    );
    let message = run(&["two/one.urdf"]).error(2).to_owned();
    assert!(message.starts_with("two/one.urdf: line 1: link `base`: found the mesh"), "{message}");
    assert!(message.contains("--package") && message.contains("ROS_PACKAGE_PATH"), "{message}");
    assert_eq!(run(&["two/one.urdf", "--package", "cubes=cubes-1.0"]).status, 0);
    // A folder of the variable is a package or full of packages.
    for folder in ["cubes-1.0", "."] {
        let variable = [("ROS_PACKAGE_PATH", folder)];
        let ran = xcollide_with(&variable, place.path(), &["robot", "two/one.urdf"], "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{folder}");
    }
    let message = run(&["two/one.urdf", "--package", "cubes=nowhere"]).error(2).to_owned();
    assert!(message.contains("is not at nowhere/meshes/cube.off"), "{message}");
}

#[test]
fn what_is_skipped_in_a_mesh_is_a_warning_and_strictly_an_error() {
    let place = tempfile::tempdir().unwrap();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n";
    std::fs::write(place.path().join("a.obj"), text).unwrap();
    let urdf = "<robot name='r'><link name='base'><collision><geometry><mesh filename='a.obj'/>\
                </geometry></collision></link></robot>";
    std::fs::write(place.path().join("r.urdf"), urdf).unwrap();
    let run =
        |options: &[&str]| xcollide_at(place.path(), &[&["robot", "r.urdf"], options].concat(), "");
    let ran = run(&[]);
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (0, "xcollide: a.obj: skipped 1 statement `l` in line 5\n")
    );
    assert_eq!(run(&["--quiet"]).err, "");
    assert_eq!(run(&["--strict"]).error(2), "a.obj: skipped 1 statement `l` in line 5 (--strict)");
}

/// Nothing is printed before the whole table is read.
#[test]
fn bad_input_is_told_with_file_and_line() {
    let mut messages = Vec::new();
    for table in [
        "",
        "elbow\n",
        "elbow,knee\n1,2\n",
        "elbow,elbow\n1,2\n",
        "mount\n1\n",
        "elbow,finger\n1,0.02\n1\n",
        "elbow\n1\n\n# two\ninf\n",
        "elbow\n1e10\n",
    ] {
        let ran = robot("arm.urdf --joints - --json", table);
        assert_eq!(ran.out, "", "{table}");
        messages.push(ran.error(2).to_owned());
    }
    for arguments in [
        "leg.urdf",
        "arm.toml",
        "arm.urdf --srdf leg.srdf",
        "arm.urdf --joints leg.csv",
        "arm.urdf --obstacles ../meshes/cube.off",
        "arm.urdf --obstacles cell",
        "arm.urdf --allow hand,foot",
        "arm.urdf --allow hand",
        "arm.urdf --package cubes",
        "arm.urdf --margin -1",
    ] {
        messages.push(robot(arguments, "").error(2).to_owned());
    }
    insta::assert_snapshot!(messages.join("\n"));
}

/// A robot of one link has no pair that is tested, and so no distance.
#[test]
fn without_pairs_there_is_no_distance() {
    let place = tempfile::tempdir().unwrap();
    let urdf = "<robot name='r'><link name='base'><collision><geometry><box size='1 1 1'/>\
                </geometry></collision></link></robot>";
    std::fs::write(place.path().join("r.urdf"), urdf).unwrap();
    let arguments = ["robot", "r.urdf", "--json", "--distance", "--stats"];
    let ran = xcollide_at(place.path(), &arguments, "");
    assert_eq!(keys(&ran.out), ["row", "verdict", "pairs", "stats"]);
    let row = &ran.json()[0];
    assert_eq!((&row["verdict"], &row["pairs"]), (&json!("apart"), &json!([])));
    assert_eq!(row["stats"], json!({"box_tests": 0, "shape_tests": 0}));
}
