//! `xcollide self`: its contract.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{keys, xcollide, xcollide_at};
use serde_json::json;

/// Two tetrahedra that cross, as one mesh.
pub(crate) const CROSSED: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nv 1 1 1\nv 5 1 1\nv 1 5 1\n\
    v 1 1 5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";

fn crossed(arguments: &str) -> program::Ran {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("crossed.obj"), CROSSED).unwrap();
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    xcollide_at(folder.path(), &arguments, "")
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let ran = crossed("self --json --stats crossed.obj");
    assert_eq!(keys(&ran.out), ["self_intersecting", "count", "pairs", "ns", "stats"]);
    assert_eq!(
        keys(&xcollide("self --json --count shape:box").out),
        ["self_intersecting", "count", "ns"]
    );
}

/// Only the slanted face of the first cuts the second: its three faces at the corner (1, 1, 1).
#[test]
fn pairs_are_listed_counted_and_limited() {
    let all = json!([[2, 4], [2, 5], [2, 7]]);
    let one = |arguments: &str| crossed(arguments).json().remove(0);
    let found = one("self --json --verify crossed.obj");
    assert_eq!((&found["self_intersecting"], &found["count"]), (&json!(true), &json!(3)));
    assert_eq!(found["pairs"], all);
    let limited = one("self --json --limit 1 crossed.obj");
    assert_eq!((&limited["count"], &limited["pairs"]), (&json!(3), &json!([[2, 4]])));
    let counted = one("self --json --count crossed.obj");
    assert_eq!((&counted["count"], counted.get("pairs")), (&json!(3), None));
    let classified = one("classify --json crossed.obj");
    assert_eq!(classified["self_intersections"], json!(3));
    assert_eq!(classified["self_intersecting_faces"], all);
}

#[test]
fn the_proof_of_smooth_regions_can_be_left_unused() {
    let [mut left_out, mut tested] = ["", "--every-pair"].map(|option| {
        let arguments = format!("self --json --stats {option} shape:sphere?faces=2000");
        xcollide(&arguments).json().remove(0)
    });
    let count = |found: &serde_json::Value, key: &str| found["stats"][key].as_u64().unwrap();
    assert!(count(&left_out, "pairs_left_out") > count(&tested, "primitive_tests"));
    assert_eq!(count(&tested, "pairs_left_out"), 0);
    assert!(4 * count(&left_out, "primitive_tests") < count(&tested, "primitive_tests"));
    for found in [&mut left_out, &mut tested] {
        let object = found.as_object_mut().unwrap();
        object.retain(|key, _| !["ns", "stats"].contains(&key.as_str()));
    }
    assert_eq!(left_out, tested);
}

#[test]
fn exit_statuses_are_those_of_the_contract() {
    for (arguments, status) in [
        ("self crossed.obj", 0),
        ("self --exit-code crossed.obj", 10),
        ("self --exit-code --verify shape:box", 0),
        ("self --exit-code --budget 0s shape:sphere?faces=5000", 11),
        ("self --limit -1 shape:box", 2),
        ("self --limit 1 --count shape:box", 2),
        ("self no-such-file.obj", 2),
    ] {
        assert_eq!(crossed(arguments).status, status, "{arguments}");
    }
}

#[test]
fn words_name_the_first_pairs() {
    assert_eq!(
        crossed("self crossed.obj").text(),
        "crossed.obj: intersects itself: 3 pairs of faces meet in more than the vertices and edges that both have\n  \
         2–4 2–5 2–7"
    );
    assert_eq!(xcollide("self shape:box").text(), "shape:box: does not intersect itself");
}

/// Five triangles through one line: `classify` names the first eight of ten pairs.
#[test]
fn a_classification_names_the_first_eight_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for [x, y] in [[1, 0], [2, 1], [1, 1], [0, 1], [-1, 1]] {
        text += &format!("v {x} {y} -1\nv {} {} -1\nv 0 0 1\n", -x, -y);
    }
    for face in 0..5 {
        text += &format!("f {} {} {}\n", 3 * face + 1, 3 * face + 2, 3 * face + 3);
    }
    std::fs::write(folder.path().join("fan.obj"), text).unwrap();
    let ask = |command: &str| {
        xcollide_at(folder.path(), &[command, "--json", "fan.obj"], "").json().remove(0)
    };
    let first =
        json!([[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]);
    assert_eq!(ask("self")["pairs"], first);
    let classified = ask("classify");
    assert_eq!(classified["self_intersections"], json!(10));
    let named = classified["self_intersecting_faces"].as_array().unwrap();
    assert_eq!(named[..], first.as_array().unwrap()[..8]);
}

/// If the time does not suffice, the answer says so instead of an answer.
#[test]
fn a_search_without_time_has_no_answer() {
    let hasty = xcollide("self --json --budget 0s shape:sphere?faces=5000").json().remove(0);
    assert_eq!((&hasty["complete"], &hasty["count"]), (&json!(false), &json!(0)));
    assert_eq!(hasty.get("self_intersecting"), None);
    let whole = xcollide("self --json shape:sphere?faces=500").json().remove(0);
    assert_eq!((whole.get("complete"), &whole["self_intersecting"]), (None, &json!(false)));
}
