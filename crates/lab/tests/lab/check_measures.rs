//! `xcollide check`: kinds, depths, volumes, distances and tolerances, in a time that is given, and what they take.

#![allow(clippy::unwrap_used)]

use crate::check::{BOXES, one};
use crate::program;
use crate::self_intersection::CROSSED;

use program::{xcollide, xcollide_at};
use serde_json::{Value, json};

/// `--kind` prints one of the words of its documentation, and which body is inside where one is.
#[test]
fn kinds_have_their_words() {
    let boxes = "check shape:box shape:box --kind --pose-b";
    for (pose, kind) in [
        ("2.5,0,0,0,0,0,1", "apart"),
        ("2,0,0,0,0,0,1", "touching"),
        ("1,0,0,0,0,0,1", "overlapping"),
        ("0,0,0,0,0,0,1", "equal"),
    ] {
        let found = one(&format!("{boxes} {pose}"));
        assert_eq!((&found["kind"], found.get("inner")), (&json!(kind), None), "{pose}");
    }
    let found = one("check shape:sphere?radius=3 shape:box --kind");
    assert_eq!((&found["kind"], &found["inner"]), (&json!("enclosed"), &json!("b")));
    let text = xcollide("check shape:sphere?radius=3 shape:box --kind").text();
    assert!(text.contains("A encloses B"), "{text}");
    assert_eq!(one(BOXES).get("kind"), None);
}

/// The depth of convex solids is known closely, and left out where interiors do not meet.
#[test]
fn depths_are_intervals() {
    let found = one(&format!("{BOXES} --depth --pose-b 1.75,0.5,0"));
    let [low, high] = ["at_least", "at_most"].map(|key| found["depth"][key].as_f64().unwrap());
    assert!(low <= 0.25 && 0.25 <= high && high - low < 1e-6 * high, "{low} {high}");
    assert_eq!(found["depth"]["direction"], json!([-1.0, 0.0, 0.0]));
    assert_eq!(one(&format!("{BOXES} --depth --pose-b 2,0,0")).get("depth"), None);
    let torus = "check shape:torus?faces=200 shape:box";
    let found = one(&format!("{torus} --depth --pose-b 2.25,0,0 --kind"));
    let [low, high] = ["at_least", "at_most"].map(|key| found["depth"][key].as_f64().unwrap());
    assert!(0.0 < low && low <= high, "{low} {high}");
    assert_eq!(found["kind"], json!("overlapping"));
    let surface = one(&format!("{BOXES} --depth --semantics surface --pose-b 1.75,0,0"));
    assert_eq!(surface.get("depth"), None);
}

/// The volume in common is known to a part in 10⁹.
#[test]
fn volumes_are_intervals() {
    let bounds =
        |found: &Value| ["at_least", "at_most"].map(|key| found["volume"][key].as_f64().unwrap());
    let [low, high] = bounds(&one(&format!("{BOXES} --volume --pose-b 1.75,0.5,0")));
    assert!(low <= 0.75 && 0.75 <= high && high - low <= 1e-9 * low, "{low} {high}");
    assert_eq!(bounds(&one(&format!("{BOXES} --volume --pose-b 2,0,0"))), [0.0; 2], "touching");
    assert_eq!(one(BOXES).get("volume"), None);
    let surface = one(&format!("{BOXES} --volume --semantics surface"));
    assert_eq!(surface.get("volume"), None);
    let text = xcollide(&format!("{BOXES} --volume")).text();
    assert!(
        text.contains("volume in common 8.0 to 8.0") || text.contains("volume in common 7.99"),
        "{text}"
    );
}

#[test]
fn distances_are_measured() {
    let gap = one(&format!("{BOXES} --pose-b 5,6,0,0,0,0,1 --distance"));
    assert_eq!(gap["distance"], 5.0, "3 along x, 4 along y");
    let nearest: [[f64; 3]; 2] = serde_json::from_value(gap["nearest"].clone()).unwrap();
    assert_eq!(nearest.map(|[x, y, _]| [x, y]), [[1.0, 1.0], [4.0, 5.0]], "of A, of B");
    assert_eq!(nearest[0][2], nearest[1][2]);
    let touching = one(&format!("{BOXES} --pose-b 2,0,0,0,0,0,1 --distance"));
    assert_eq!(touching["distance"], 0.0);
    assert_eq!(
        touching["nearest"],
        json!([touching["witness"]["point"], touching["witness"]["point"]])
    );
    let inside = "check shape:box shape:box?x=0.5&y=0.5&z=0.5 --distance";
    assert_eq!(one(inside)["distance"], 0.0);
    assert_eq!(one(&format!("{inside} --semantics surface"))["distance"], 0.75);
}

#[test]
fn within_the_tolerance_is_colliding() {
    let gap = format!("{BOXES} --pose-b 2.5,0,0,0,0,0,1 --tolerance");
    assert_eq!(one(&format!("{gap} 0.25"))["verdict"], "apart");
    let near = one(&format!("{gap} 0.5"));
    assert_eq!(near["verdict"], "collides", "the gap is exactly 0.5");
    assert!(near["witness"]["a"]["face"].is_u64() && near["witness"]["b"]["face"].is_u64());
    assert_eq!(near["witness"]["point"][0], 1.25, "halfway between the two");
    assert_eq!(near.get("separation"), None);
}

/// A descent that the time ends tells how many pairs of boxes were left, and how far apart the two are at most.
#[test]
fn what_was_known_when_the_time_ran_out_is_told() {
    let near =
        "check shape:sphere?faces=3000 shape:sphere?faces=3000&radius=1.004 --semantics surface";
    let known = (0..30).find_map(|round| {
        let budget = 4.0 * 1.4_f64.powi(round);
        let found = one(&format!("{near} --algorithm obb-tree --budget {budget}us"));
        if found["verdict"] != "undecided" || found.get("parts_left").is_none() {
            return None;
        }
        assert!(found["parts_left"].as_u64().unwrap() > 0, "{found}");
        found["at_most"].as_f64()
    });
    assert!(known.is_some_and(|at_most| at_most >= 0.003), "{known:?}");
}

/// A distance that the budget ends has two bounds in place of a value, of meshes and of a formula and a mesh.
#[test]
fn a_distance_that_the_budget_ends_has_bounds() {
    for other in ["shape:torus?faces=4000", "formula:capsule?radius=0.2"] {
        let far = format!("check shape:knot?faces=4000 {other} --pose-b 9,1,0,0,0,0,1 --distance");
        let whole = one(&far);
        let distance = whole["distance"].as_f64().unwrap();
        assert!(distance > 1.0 && whole["distance_bounds"].is_null());
        let found = one(&format!("{far} --budget 1ns"));
        assert!(found["distance"].is_null() && found["nearest"].is_array(), "{found}");
        let bounds = &found["distance_bounds"];
        let [at_least, at_most] = ["at_least", "at_most"].map(|key| bounds[key].as_f64().unwrap());
        assert!(at_least <= distance && distance <= at_most, "{bounds} of {distance}");
        assert!(bounds["parts_left"].as_u64().unwrap() > 0);
        let words = xcollide(&format!("{far} --budget 1ns")).text();
        assert!(words.contains(" when the budget was used up, with "), "{words}");
        assert_eq!(one(&format!("{far} --budget 1min"))["distance"], whole["distance"]);
    }
}

#[test]
fn a_budget_that_is_used_up_leaves_it_undecided() {
    let heavy =
        "check shape:sphere?faces=2000 shape:sphere?faces=2000&radius=0.9 --semantics surface";
    let found = one(&format!("{heavy} --algorithm brute-force --budget 1ns"));
    assert_eq!(found["verdict"], "undecided");
    assert!(found.get("witness").is_none() && found.get("separation").is_none());
    let enough = one(&format!("{BOXES} --budget 1min"));
    assert_eq!(enough["verdict"], "collides");
}

#[test]
fn the_work_is_counted_when_asked_for() {
    let counted = |algorithm: &str| {
        let found = one(&format!(
            "{BOXES} --semantics surface --pose-b 1.99,0,0,0,0,0,1 --algorithm {algorithm} --stats --contacts"
        ));
        found["stats"]["primitive_tests"].as_u64().unwrap()
    };
    assert_eq!(counted("brute-force"), 12 * 12, "all pairs of triangles");
    assert!(counted("arbitrary") > 0);
    let told = xcollide(&format!("{BOXES} --stats --algorithm brute-force")).text();
    assert!(told.contains(" primitive test, 72 vertices moved"), "{told}");
}

/// Convex algorithms also count searches and exact tests: floating point proves nothing for
/// touching boxes.
#[test]
fn exact_fallbacks_are_counted() {
    let at =
        |x: &str| format!("{BOXES} --pose-b {x},0,0,0,0,0,1 --algorithm separating-vector --stats");
    let counted = |x: &str| {
        let found = one(&at(x));
        ["probes", "fallbacks"].map(|key| found["stats"][key].as_u64().unwrap())
    };
    let (touching, apart) = (counted("2"), counted("2.5"));
    assert!(touching[0] > 0 && apart[0] > 0, "{touching:?} {apart:?}");
    assert_eq!([touching[1], apart[1]], [1, 0]);
    let told = xcollide(&at("2")).text();
    assert!(told.contains(" searched, 1 exact fallback"), "{told}");
}

/// `sat` and `closest-features` prove that bodies are apart, and leave contacts to GJK; the other convex algorithms decide both.
#[test]
fn answers_by_another_algorithm_are_counted() {
    let at = |x: &str, name: &str| {
        format!("{BOXES} --pose-b {x},0,0,0,0,0,1 --algorithm {name} --stats")
    };
    let counted = |x: &str, name: &str| one(&at(x, name))["stats"]["handed_over"].as_u64();
    for name in ["sat", "closest-features"] {
        assert_eq!([counted("1.9", name), counted("2.5", name)], [Some(1), Some(0)], "{name}");
    }
    for name in ["gilbert", "cyrus-beck", "hybrid", "separating-vector", "wide-obb"] {
        assert_eq!([counted("1.9", name), counted("2.5", name)], [Some(0); 2], "{name}");
    }
    let told = xcollide(&at("1.9", "sat")).text();
    assert!(told.contains(", left to GJK"), "{told}");
}

/// A surface that bounds no body has no volume in common with another, nor has one that intersects itself.
#[test]
fn volumes_of_open_and_self_intersecting_meshes_are_refused() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("crossed.obj"), CROSSED).unwrap();
    for (first, expected) in [
        ("shape:plane", "the first model is open: "),
        ("crossed.obj", "the first model intersects itself, "),
    ] {
        let ran = xcollide_at(place.path(), &["check", first, "shape:box", "--volume"], "");
        assert!(ran.error(2).contains(expected), "{ran:?}");
    }
}
