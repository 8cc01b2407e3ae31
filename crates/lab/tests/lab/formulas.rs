//! Bodies by formulas in the program: what answers about them, and what refuses them.

#![allow(clippy::unwrap_used)]

use serde_json::json;

use crate::program::{xcollide, xcollide_at};

#[test]
fn check_answers_about_formulas_with_proofs() {
    let check = |arguments: &str| {
        let mut told = xcollide(&format!("check --json --verify {arguments}")).json();
        assert_eq!(told[0]["algorithm"], "formulas");
        told.remove(0)
    };
    let meets = check("formula:ball?radius=1 shape:box --distance");
    assert_eq!((&meets["verdict"], &meets["distance"]), (&json!("collides"), &json!(0.0)));
    assert_eq!(meets["witness"]["a"], json!({ "body": true }));
    let apart = check("formula:ball?radius=1 shape:box --pose-b 2.5,0,0 --distance");
    assert_eq!(apart["verdict"], "apart");
    assert!((apart["distance"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    let on_the_ground = check("formula:half-space shape:box --pose-b 0,0,1,0,0,0,1");
    assert_eq!(on_the_ground["verdict"], "collides", "touching is decided exactly");
}

/// A rounded box is as far away as its radius says: beside a face, an edge and a corner, from meshes and formulas.
#[test]
fn rounded_boxes_have_names() {
    let boxed = "formula:rounded-box?x=2&y=2&z=2&radius=0.25";
    for (other, place, expected) in [
        ("shape:box", "3,0,0", 0.75),
        ("formula:ball?radius=0.5", "4,5,1", 4.25),
        ("formula:ball?radius=0.5", "3,4,7", 6.25),
        ("formula:rounded-box?x=2&y=2&z=2&radius=0.5", "0,5,6", 4.25),
        ("formula:half-space", "0,0,-2", 0.75),
    ] {
        let arguments =
            format!("check --json --verify --distance {boxed} {other} --pose-b {place}");
        let told = xcollide(&arguments).json();
        assert_eq!(told[0]["verdict"], "apart", "{other} {place}");
        let distance = told[0]["distance"].as_f64().unwrap();
        assert!((distance - expected).abs() < 1e-9, "{other} {place}: {distance}");
    }
    let meets = xcollide(&format!("check --json --verify {boxed} shape:box --pose-b 2,0,0")).json();
    assert_eq!(meets[0]["verdict"], "collides");
}

/// How near, how deep and how much, for formulas and meshes.
#[test]
fn check_tells_kind_depth_and_volume() {
    let check = |arguments: &str| {
        xcollide(&format!("check --json --kind --depth --volume {arguments}")).json().remove(0)
    };
    let within = |told: &serde_json::Value, expected: f64, width: f64| {
        let [low, high] = ["at_least", "at_most"].map(|key| told[key].as_f64().unwrap());
        assert!(low <= expected && expected <= high && high - low < width, "{told} {expected}");
    };
    let told = check("formula:ball?radius=2 formula:ball?radius=2 --pose-b 2,0,0");
    assert_eq!(told["kind"], "overlapping");
    within(&told["depth"], 2.0, 1e-12);
    within(&told["volume"], 5.0 / 12.0 * 8.0 * std::f64::consts::PI, 1e-10);
    let told = check("formula:box?x=1&y=1&z=1 shape:box?x=4&y=4&z=4 --pose-a 0.5,0,0");
    assert_eq!((&told["kind"], &told["volume"]["at_least"]).0, "enclosed");
    within(&told["volume"], 1.0, 1e-8);
    let told = check("shape:box?x=2&y=2&z=2 formula:half-space --pose-a 0,0,0.75");
    assert_eq!(told["kind"], "overlapping");
    within(&told["depth"], 0.25, 1e-12);
    within(&told["volume"], 1.0, 1e-8);
}

/// A ray enters a body and leaves it; where it is no mesh, it has a normal in place of a face.
#[test]
fn rays_hit_formulas() {
    let cast = |arguments: &str| xcollide(&format!("ray --json {arguments}")).json().remove(0);
    let first = cast("formula:ball --origin 0,0,5 --direction 0,0,-2");
    assert_eq!(
        first,
        json!({ "query": 0, "hit": true, "t": 2.0, "point": [0.0, 0.0, 1.0], "normal": [0.0, 0.0, 1.0] })
    );
    let all =
        cast("formula:cylinder?radius=2 --pose-a 0,0,1 --origin 9,0,1 --direction -1,0,0 --all");
    assert_eq!(all["hits"][0]["t"], 7.0);
    assert_eq!(all["hits"][1]["t"], 11.0);
    let past = xcollide("ray formula:half-space --origin 0,0,1 --direction 1,0,0");
    assert_eq!(past.out, "hits nothing\n");
    let told = xcollide("ray formula:half-space --origin 0,0,1 --direction 0,0,-1");
    assert!(told.out.starts_with("hits it at (0.0, 0.0, 0.0), t = 1.0"), "{}", told.out);
}

/// Whatever is about meshes alone says so, as does an algorithm for meshes.
#[test]
fn what_needs_meshes_refuses_formulas() {
    for (arguments, expected) in [
        ("check formula:half-space formula:half-space --volume", "both models are half spaces"),
        ("check formula:ball shape:box --algorithm obb-tree", "does not accept formula:ball"),
        ("self formula:ball", "found a body by a formula, expected a mesh"),
        ("check formula:egg shape:box", "expected one of: ball, box, capsule"),
        ("check formula:ball?radius=-1 shape:box", "found -1, expected a number"),
    ] {
        let ran = xcollide(arguments);
        let told = ran.error(2);
        assert!(told.contains(expected), "{arguments}: {told}");
    }
    // Two balls and two cones touch, also where f64 does not have the point.
    let touching = xcollide("check --exit-code formula:ball formula:ball --pose-b 2,0,0,0,0,0,1");
    assert_eq!(touching.status, 10, "{touching:?}");
    let touching =
        xcollide("check --exit-code formula:ball formula:ball?radius=2 --pose-b 1,2,2,0,0,0,1");
    assert_eq!(touching.status, 10, "{touching:?}");
    let touching = xcollide(
        "check --exit-code formula:cone?radius=2 formula:cone?radius=3 --pose-b 3,4,0,0,0,0,1",
    );
    assert_eq!(touching.status, 10, "{touching:?}");
}

/// The time at which a ball that falls meets the ground, between two poses at which they are apart.
#[test]
fn sweep_answers_about_formulas_with_proofs() {
    let told = xcollide(
        "sweep formula:ball?radius=0.25 formula:half-space --json --verify --from-a 0,0,1 --to-a 4,0,-1",
    )
    .json();
    assert_eq!(told[0]["verdict"], "collides");
    let bound = |key: &str| told[0]["time"][key].as_f64().unwrap();
    assert!(bound("at_least") <= 0.375 && 0.375 <= bound("at_most"), "{told:?}");
    let past = xcollide(
        "sweep formula:ball?radius=0.25 formula:cylinder --json --verify --from-a -9,3,0 --to-a 9,3,0",
    )
    .json();
    assert_eq!(past[0]["verdict"], "apart");
}

/// A body without faces has no contacts, and where rounding hides how two lie to each other there is no kind.
#[test]
fn formulas_have_no_contacts_but_a_kind_where_rounding_hides_it() {
    let check = |arguments: &str| xcollide(&format!("check --json {arguments}")).json().remove(0);
    let found = check("formula:ball shape:box --pose-b 1.5,0,0 --contacts --kind");
    assert_eq!((&found["verdict"], &found["contacts"]), (&json!("collides"), &json!([])));
    assert_eq!(found["kind"], "overlapping");
    // A cone just fits in its cylinder, that in a capsule, and an ellipsoid in another one.
    let cone = "formula:cone?radius=0.5&height=1.5 formula:cylinder?radius=0.5&height=1.5 --kind";
    assert_eq!(check(cone)["kind"], "enclosed");
    let can = "formula:cylinder?radius=0.5&height=1.5 formula:capsule?radius=0.5&length=1.5 --kind";
    assert_eq!(check(can)["kind"], "enclosed");
    let egg = "formula:ellipsoid?x=1&y=1&z=2 formula:capsule?radius=0.5&length=1 --kind";
    assert_eq!(check(egg)["kind"], "enclosed");
}

/// Commands that are about meshes alone refuse formulas.
#[test]
fn commands_about_meshes_refuse_formulas() {
    let place = tempfile::tempdir().unwrap();
    for command in
        ["classify formula:ball", "self formula:ball", "picture formula:ball --export a.glb"]
    {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let ran = xcollide_at(place.path(), &arguments, "");
        let expected = "formula:ball: found a body by a formula, expected a mesh; ";
        assert!(ran.error(2).starts_with(expected), "{command}: {ran:?}");
        assert_eq!(ran.out, "", "{command}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

/// Scenes with formulas are compared: all narrow phases leave these pairs to the same answer.
#[test]
fn scenes_with_formulas_are_compared() {
    let scene = "name = 'two'\nframes = 3\n[[objects]]\nmesh = 'formula:ball?radius=0.5'\n\
                 [[objects]]\nmesh = 'shape:box'\npose = [1.25, 0, 0]\n";
    let command = "compare - --narrow box-tree,wide-obb --rounds 1 --json";
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let compared = xcollide_at(std::path::Path::new("."), &arguments, scene).json();
    assert_eq!(compared.len(), 2);
    assert!(compared.iter().all(|one| one["equal"] == true), "{compared:?}");
}
