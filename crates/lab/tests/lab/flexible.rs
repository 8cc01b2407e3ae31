//! Objects that change their shape: nothing ever intersects, at any number of threads; and what cannot be done is told.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{Ran, xcollide, xcollide_at};
use serde_json::Value;
use xcollide_fixtures::long_run;

/// All frames without a collision and without a self-intersection; returns the vertices that the fail-safe stopped.
fn proved(ran: &Ran, frames: usize) -> u64 {
    let lines = ran.json();
    assert_eq!(lines.len(), frames + 1, "{}", ran.err);
    for line in &lines[..frames] {
        assert_eq!(line["self_intersections"], 0, "{line}");
        for list in ["began", "persisting", "ended"] {
            assert!(line[list].as_array().unwrap().is_empty(), "{line}");
        }
    }
    let summary = &lines[frames]["summary"];
    assert_eq!(summary["self_intersections"], 0);
    summary["stopped"].as_u64().unwrap()
}

/// The scene, small; in full it is that of the documentation.
#[test]
fn a_cloth_never_intersects_soak() {
    let run = long_run(60, 1000);
    let (frames, triangles) = (run.cases as usize, if run.is_whole { 20_000 } else { 500 });
    let scene = format!("cloth?triangles={triangles}");
    proved(&xcollide(&format!("run {scene} --frames {frames} --json")), frames);
}

/// A cloth that falls through its whole thickness and the ball's in a few frames: only the fail-safe holds it.
fn wild() -> String {
    "name = 'wild'
    [[objects]]
    mesh = 'shape:sheet?cells=10&side=2'
    pose = [0.03, 0.02, 0.9, 0, 0, 0.6, 0.8]
    flexible = { kind = 'cloth', thickness = 0.001, gravity = [0, 0, -0.05], friction = 0.5 }
    [[objects]]
    mesh = 'shape:sphere?faces=200&radius=0.5'
    static = true
    [[objects]]
    mesh = 'shape:box?x=4&y=4&z=0.2'
    pose = [0, 0, -0.7]
    motion = { kind = 'orbit', axis = [0, 0, 1], degrees = 5 }
    "
    .to_owned()
}

#[test]
fn the_fail_safe_stops_what_the_response_lets_through() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wild.toml"), wild()).unwrap();
    let run = |options: &[&str]| {
        let arguments = [&["run", "wild.toml", "--frames", "40", "--json"], options].concat();
        xcollide_at(folder.path(), &arguments, "")
    };
    let first = run(&[]);
    let stopped = proved(&first, 40);
    assert!(stopped > 0, "nothing was at stake");
    for options in [["--threads", "2"], ["--execution", "concurrent"]] {
        let other = run(&options);
        assert_eq!(proved(&other, 40), stopped, "{options:?}");
        let counts = |ran: &Ran| -> Vec<_> {
            ran.json()[..40].iter().map(|line| line["stopped"].clone()).collect()
        };
        assert_eq!(counts(&other), counts(&first), "{options:?}");
    }
}

#[test]
fn the_summary_has_the_sums_of_the_frames() {
    let here = std::path::Path::new(".");
    let lines = xcollide_at(here, &["run", "-", "--frames", "20", "--json"], &wild()).json();
    let (last, frames) = lines.split_last().unwrap();
    for key in [
        "/self_intersections",
        "/stopped",
        "/flexible_ns/response",
        "/flexible_ns/stop",
        "/flexible_ns/self",
    ] {
        let value = |object: &Value| object.pointer(key).unwrap().as_u64().unwrap();
        let sum: u64 = frames.iter().map(value).sum();
        assert_eq!(value(&last["summary"]), sum, "{key}");
    }
    assert!(last["summary"]["stopped"].as_u64() > Some(0));
}

#[test]
fn cloth_that_has_no_way_or_touches_at_the_start_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let told = |text: &str| {
        std::fs::write(folder.path().join("a.toml"), text).unwrap();
        xcollide_at(folder.path(), &["run", "a.toml", "--frames", "20", "--json"], "")
    };
    let head =
        "name = 'a'\n[[objects]]\nmesh = 'shape:sheet?cells=3'\nflexible = { kind = 'cloth' }\n";
    let floor = "[[objects]]\nmesh = 'shape:box?x=9&y=9&z=1'\nstatic = true\npose = [0.1, 0.2, ";
    let squeezing = format!(
        "{head}{floor}-0.6]\n[[objects]]\nmesh = 'shape:box?x=9&y=9&z=1'\n\
         motion = {{ kind = 'recorded', poses = [[0, 0, 0.6], [0, 0, 0.55], [0, 0, 0.3]] }}\n"
    );
    let ran = told(&squeezing);
    let expected = "frame 2: object 0: bodies leave the cloth no way";
    assert!(ran.error(1).starts_with(expected), "{}", ran.err);
    let touching = told(&format!("{head}{floor}0]\n"));
    assert!(
        touching.error(2).contains("cloth that touches the object at the start"),
        "{}",
        touching.err
    );
    let two =
        told(&format!("{head}[[objects]]\nmesh = 'shape:box'\nflexible = {{ kind = 'clay' }}\n"));
    assert!(two.error(2).contains("with rigid objects only"), "{}", two.err);
}

#[test]
fn the_lump_of_the_potter_is_modelled() {
    let hits = |options: &str| -> u64 {
        let ran =
            xcollide(&format!("run potter?faces=600&tool=forefinger{options} --frames 80 --json"));
        let lines = ran.json();
        lines[80]["summary"]["began"].as_u64().unwrap()
    };
    assert!(hits("") > 0 && hits("&turn=0") > 0);
    // What is pushed away is hit less: a lump that hardly gives way is hit all the time.
    let persisting = |depth: &str| {
        let scene =
            format!("run potter?faces=600&tool=forefinger&depth={depth} --frames 80 --json");
        xcollide(&scene).json()[80]["summary"]["persisting"].as_u64().unwrap()
    };
    assert!(persisting("1e-9") > persisting("0.03"));
}

#[test]
fn compare_tells_that_it_records_poses_only() {
    let ran = xcollide("compare cloth?triangles=50 --frames 2");
    assert!(ran.err.contains("changes its shape"), "{}", ran.err);
}
