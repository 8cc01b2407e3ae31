//! `xcollide ray`: its contract.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{keys, xcollide, xcollide_at};
use serde_json::json;

const DOWN: &str = "ray shape:box --origin 0.25,0.5,5 --direction 0,0,-2";

#[test]
fn the_first_hit_has_the_keys_of_the_contract() {
    let ran = xcollide(&format!("{DOWN} --json"));
    assert_eq!(keys(&ran.out), ["query", "hit", "t", "face", "point", "triangle", "barycentric"]);
    let found = ran.json().remove(0);
    assert_eq!((&found["hit"], &found["t"]), (&json!(true), &json!(2.0)));
    assert_eq!(found["point"], json!([0.25, 0.5, 1.0]));
    let text = xcollide(DOWN).text();
    assert!(text.contains("at [0.25, 0.5, 1.0], t = 2.0") || text.contains("t = 2.0"), "{text}");
}

#[test]
fn all_hits_are_in_order_and_a_reach_ends_the_ray() {
    let found = xcollide(&format!("{DOWN} --all --json")).json().remove(0);
    let times: Vec<f64> =
        found["hits"].as_array().unwrap().iter().map(|hit| hit["t"].as_f64().unwrap()).collect();
    assert_eq!(times, [2.0, 3.0]);
    assert_eq!((found.get("t"), &found["hit"]), (None, &json!(true)));
    let short = xcollide(&format!("{DOWN} --reach 1.9 --json"));
    assert_eq!(keys(&short.out), ["query", "hit"]);
    assert_eq!(short.json()[0]["hit"], json!(false));
    let touching = xcollide(&format!("{DOWN} --reach 2 --json")).json().remove(0);
    assert_eq!(touching["hit"], json!(true), "touching is a hit");
    let none = xcollide(&format!("{DOWN} --reach 1 --all --json")).json().remove(0);
    assert_eq!((&none["hit"], &none["hits"]), (&json!(false), &json!([])));
}

#[test]
fn files_of_rays_are_answered_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rays.txt");
    std::fs::write(&file, "# down, then past\n0 0 5  0 0 -1\n\n0,0,5,0,0,1\n").unwrap();
    let ran = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        xcollide_at(folder.path(), &arguments, "")
    };
    let found = ran("ray shape:box --rays rays.txt --json").json();
    assert_eq!((&found[0]["t"], &found[1]["hit"]), (&json!(4.0), &json!(false)));
    assert_eq!(found[1]["query"], json!(1));
    std::fs::write(&file, "0 0 5  0 0 -1\n1 2 3\n").unwrap();
    let error = ran("ray shape:box --rays rays.txt");
    assert!(error.error(2).contains("rays.txt: line 2: found 3 numbers, expected 6"));
    std::fs::write(&file, "0 0 5  0 0 0\n").unwrap();
    assert!(
        ran("ray shape:box --rays rays.txt").error(2).contains("rays.txt: line 1: the direction")
    );
    for wrong in [
        "ray shape:box",
        "ray shape:box --origin 0,0,0",
        "ray shape:box --origin 0,0,0 --direction 0,0",
        "ray shape:box --origin 0,0,0 --direction 0,0,0",
        "ray shape:box --origin 0,0,0 --direction 0,0,1 --reach -1",
        "ray shape:box --rays rays.txt --origin 0,0,0",
    ] {
        assert_eq!(ran(wrong).status, 2, "{wrong}");
    }
}

#[test]
fn a_pose_moves_the_mesh() {
    let moved = "ray shape:box --origin -5,0,0 --direction 1,0,0 --pose-a 2,0,0 --json";
    assert_eq!(xcollide(moved).json()[0]["t"], json!(6.0));
}

/// The triangles of all faces are numbered in order, and the coordinates in one are those of its corners in order.
#[test]
fn a_hit_names_its_triangle_and_its_place_in_it() {
    let folder = tempfile::tempdir().unwrap();
    // A square beside a triangle.
    let text = "v 9 0 0\nv 10 0 0\nv 10 1 0\nv 9 1 0\nv 0 0 0\nv 4 0 0\nv 0 4 0\n\
                f 1 2 3 4\nf 5 6 7\n";
    std::fs::write(folder.path().join("two.obj"), text).unwrap();
    let ray = ["ray", "two.obj", "--origin", "1,0.5,5", "--direction", "0,0,-1", "--json"];
    let found = xcollide_at(folder.path(), &ray, "").json().remove(0);
    assert_eq!((&found["face"], &found["triangle"]), (&json!(1), &json!(2)));
    let weights: [f64; 3] = serde_json::from_value(found["barycentric"].clone()).unwrap();
    let expected = [0.625, 0.25, 0.125];
    assert!(weights.iter().zip(expected).all(|(w, x)| (w - x).abs() < 1e-12), "{weights:?}");
}
