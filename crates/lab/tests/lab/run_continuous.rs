//! `xcollide run` with objects that are tested on their way from frame to frame.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use serde_json::Value;
use xcollide_scenes::{Simulation, embedded};

use crate::program::{xcollide, xcollide_at};
use crate::run::{listed, lists};

const BULLETS: &str = "bullets?objects=60&frames=40";

fn pairs(list: &Value) -> BTreeSet<[u64; 2]> {
    let pair = |pair: &Value| [pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap()];
    list.as_array().unwrap().iter().map(pair).collect()
}

/// Whenever the center of a bullet gets to the other side of a wall, the two collide: none is missed. At the poses of
/// the frames nearly all are.
#[test]
fn no_bullet_passes_a_wall_unseen() {
    let ran = xcollide(&format!("run {BULLETS} --json"));
    let statically = xcollide(&format!("run {BULLETS} --json --continuous=false"));
    let (found, at_poses) = (lists(&ran), lists(&statically));
    let mut simulation = Simulation::new(&embedded(BULLETS).unwrap()).unwrap();
    let is_wall = |index: usize| simulation.instances()[index].is_static;
    let count = simulation.instances().len();
    let (walls, bullets): (Vec<usize>, Vec<usize>) = (0..count).partition(|&index| is_wall(index));
    let (mut passed, mut missed_at_poses) = (0, 0);
    let mut before = simulation.poses().to_vec();
    for (frame, at_poses) in found.iter().zip(&at_poses).skip(1) {
        simulation.advance();
        let colliding = |frame: &Value| &pairs(&frame[1]) | &pairs(&frame[2]);
        let (now, now_at_poses) = (colliding(frame), colliding(at_poses));
        for &bullet in &bullets {
            let x = |poses: &[xcollide::Pose], index: usize| poses[index].translation()[0];
            for &wall in &walls {
                let [from, to] = [&before[..], simulation.poses()]
                    .map(|poses| x(poses, bullet) - x(poses, wall));
                if from * to <= 0.0 {
                    let pair = [wall as u64, bullet as u64];
                    assert!(now.contains(&pair), "{frame}: {pair:?}");
                    passed += 1;
                    missed_at_poses += u32::from(!now_at_poses.contains(&pair));
                }
            }
        }
        before = simulation.poses().to_vec();
    }
    assert!(passed > 1000 && 10 * missed_at_poses > 9 * passed, "{passed} {missed_at_poses}");
}

/// The times are within the frame, at most 1e-9 wide, of colliding pairs, and the same on any threads.
#[test]
fn frames_tell_the_times_of_contacts() {
    let ran = xcollide(&format!("run {BULLETS} --json"));
    let objects = ran.json();
    let (summary, frames) = objects.split_last().unwrap();
    assert_eq!(summary["summary"]["continuous"], true);
    let mut count = 0;
    for frame in frames {
        let now = &pairs(&frame["began"]) | &pairs(&frame["persisting"]);
        let times = frame["times"].as_array().unwrap();
        for time in times {
            let [lo, hi] = [2, 3].map(|place| time[place].as_f64().unwrap());
            assert!((0.0..=1.0).contains(&lo) && lo <= hi && hi - lo <= 1e-9, "{time}");
            count += 1;
        }
        let listed: Value =
            times.iter().map(|t| Value::from([t[0].clone(), t[1].clone()])).collect();
        if frame["frame"] != 0 {
            assert_eq!(pairs(&listed), now, "{frame}");
        }
    }
    assert!(count > 1000, "{count}");
    let expected = lists(&ran);
    for options in
        ["--threads 2", "--execution concurrent", "--bounds dynamic-box --broad sweep --stats"]
    {
        let other = xcollide(&format!("run {BULLETS} --json {options}"));
        assert_eq!(lists(&other), expected, "{options}");
    }
}

/// A scene file may say so, and the option overrides it.
#[test]
fn a_scene_or_an_option_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"two\"\nframes = 3\ncontinuous = true\n\n[[objects]]\nmesh = \"shape:box\"\n\n\
                [[objects]]\nmesh = \"shape:box\"\n\n[objects.motion]\nkind = \"recorded\"\n\
                poses = [[-9, 0.1, 0], [9, 0.1, 0], [9, 9, 0]]\n";
    std::fs::write(folder.path().join("two.toml"), text).unwrap();
    let ask =
        |line: &str| xcollide_at(folder.path(), &line.split_whitespace().collect::<Vec<_>>(), "");
    let ran = |options: &str| lists(&ask(&format!("run two.toml --json {options}")));
    for (options, began) in [("", 1), ("--continuous=false", 0), ("--continuous", 1)] {
        assert_eq!(listed(&ran(options), 1), began, "{options}");
    }
    let report = ask("run two.toml --report two.html");
    assert!(report.text().contains("on the whole way"), "{}", report.text());
    let compared = ask("compare two.toml --json --broad sweep,wide-tree");
    assert!(compared.json().iter().all(|row| row["equal"] == true));
    let text = text.replace("continuous = true\n", "");
    std::fs::write(folder.path().join("two.toml"), text).unwrap();
    for (options, began) in [("", 0), ("--continuous", 1)] {
        assert_eq!(listed(&ran(options), 1), began, "{options}, not asked for by the scene");
    }
}
