//! `xcollide run` with a limit of tests a frame.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::program::{xcollide, xcollide_at};

/// Boxes that fly in a small cage: more pairs a frame than the limit.
fn scene(schedule: &str) -> String {
    format!(
        "name = 'few'\nframes = 30\nresponse = 'reverse'\n[cage]\nmin = [-2, -2, -2]\nmax = [2, 2, 2]\n\
         keep = 'origin'\n{schedule}\n[[objects]]\nname = 'box'\nmesh = 'shape:box'\ncount = 8\n\
         placement = 'random'\nmotion = {{ kind = 'free', speed = 0.1, degrees = 3 }}\n"
    )
}

fn run(schedule: &str, options: &str) -> Vec<Value> {
    let arguments: Vec<&str> =
        "run - --json".split(' ').chain(options.split_whitespace()).collect();
    let mut records = xcollide_at(Path::new("."), &arguments, &scene(schedule)).json();
    for record in &mut records {
        // Times differ.
        record.as_object_mut().unwrap().remove("ns");
    }
    records.pop();
    records
}

/// The orders of scenes and of options are the same, differ from each other, and let a run be repeated.
#[test]
fn scenes_and_options_limit_the_tests_of_a_frame() {
    let all = run("", "");
    let mut seen = vec![all.clone()];
    for order in ["round-robin", "sequential", "sorted", "priority-queue"] {
        let limit = "[schedule]\ntests = 3\nviewer = [0, 0, 4]\nassume_contact = true";
        let named = run(&format!("{limit}\norder = '{order}'"), "");
        assert_eq!(named, run(limit, &format!("--order {order}")), "{order}");
        assert!(!seen.contains(&named), "{order}");
        assert!(named.iter().any(|frame| !frame["assumed"].as_array().unwrap().is_empty()));
        for frame in &named {
            let listed = |key: &str| frame[key].as_array().unwrap();
            let colliding = || listed("began").iter().chain(listed("persisting"));
            assert!(colliding().all(|pair| !listed("assumed").contains(pair)), "{frame}");
        }
        seen.push(named);
    }
    // A limit that is never reached changes nothing.
    assert_eq!(run("[schedule]\ntests = 1000", ""), all);
    assert_eq!(run("", "--tests 1000 --budget 60min"), all);
    // Without time hardly a pair is tested.
    let out_of_time = run("", "--budget 1ns");
    let waiting = |frames: &[Value]| -> usize {
        frames.iter().map(|frame| frame["undecided"].as_array().map_or(0, Vec::len)).sum()
    };
    assert!(waiting(&all) == 0 && waiting(&out_of_time) > 30, "{out_of_time:?}");
}

#[test]
fn orders_without_a_limit_are_refused() {
    for option in ["--order sorted", "--assume-contact"] {
        let told = xcollide(&format!("run cage {option}")).error(2).to_owned();
        assert!(told.contains("--tests, --budget"), "{told}");
    }
    let unknown = scene("[schedule]\ntests = 3\norder = 'luck'");
    let told = xcollide_at(Path::new("."), &["run", "-"], &unknown).error(2).to_owned();
    assert!(told.ends_with("expected one of: round-robin, sequential, sorted, priority-queue"));
}

/// Only `run` has limits: a comparison tests what it would without the schedule of its scene.
#[test]
fn comparisons_test_all_pairs_whatever_the_scene_limits() {
    let compared = |schedule: &str| {
        let arguments: Vec<&str> =
            "compare - --narrow box-tree,wide-obb --rounds 1 --json".split(' ').collect();
        let rows = xcollide_at(Path::new("."), &arguments, &scene(schedule)).json();
        let keys = ["pairs", "tested", "undecided", "equal"];
        let kept = |row: &Value| keys.map(|key| row[key].clone());
        rows.iter().map(kept).collect::<Vec<_>>()
    };
    let all = compared("");
    assert!(all.iter().all(|row| row[1].as_u64().unwrap() > 30), "more than one a frame: {all:?}");
    assert_eq!(compared("[schedule]\ntests = 1"), all);
}
