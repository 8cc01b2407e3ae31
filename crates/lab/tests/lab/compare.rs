//! `xcollide compare` as a program and as a library.

#![allow(clippy::unwrap_used)]

use crate::program;

mod wrong;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use program::{keys, xcollide, xcollide_at};
use serde_json::Value;
use wrong::{Forgetful, Hesitant, Lossy};
use xcollide::narrow::bvh::binary::{Builder, Split};
use xcollide::narrow::mesh::{BruteForce, TreeBuilder};
use xcollide::narrow::{NarrowPhase, PairCache};
use xcollide::registry::{self, Kind};
use xcollide_lab::compare::{
    Algorithm, Build, Claim, CompareError, Comparison, Disagreement, Figures, Motion, table,
};
use xcollide_scenes::{NoFiles, Scene, embedded};

fn motion(scene: &Scene) -> Motion {
    Motion::record(scene, &mut NoFiles, |_| ()).unwrap()
}

fn disagreement(comparison: &Comparison, scene: &Scene) -> Disagreement {
    match comparison.run(&motion(scene), |_| ()) {
        Err(CompareError::Disagreement(found)) => *found,
        other => panic!("{other:?}"),
    }
}

fn narrow(names: &[&str]) -> Comparison {
    let algorithms = names.iter().map(|name| Algorithm::narrow_phase(name).unwrap());
    algorithms.fold(Comparison::new().rounds(1), Comparison::narrow)
}

const CAGE: &str = "cage?objects=10&faces=60&side=3&frames=60";

/// An algorithm that misses collisions is caught at the first one, and the saved scene of two
/// static bodies shows it.
#[test]
fn a_wrong_answer_is_caught_with_a_scene_that_shows_it() {
    let scene = embedded(CAGE).unwrap();
    let wrong = || Algorithm::own_narrow_phase("forgetful", || Forgetful { of: |_| true });
    let found = disagreement(&narrow(&["auto", "box-tree"]).narrow(wrong()), &scene);
    let motion = motion(&scene);
    let first = (0..motion.frames()).find(|&frame| !motion.colliding(frame).is_empty()).unwrap();
    assert_eq!(found.frame, first);
    let Claim::Pair { objects, collides, referee } = found.claim else { panic!("{found:?}") };
    assert_eq!(objects, motion.colliding(first)[0]);
    assert_eq!((collides, referee), (false, Some(true)));
    assert!(found.reproduced);
    assert!(found.to_string().contains("forgetful"), "{found}");
    let [a, b] = objects;
    let told = format!(
        "says that objects {a} and {b} are apart, others that they collide; brute force says that they collide"
    );
    assert!(found.to_string().contains(&format!("frame {first}: ")), "{found}");
    assert!(found.to_string().ends_with(&told), "{found}");

    let saved = Scene::from_toml(&found.reduced.to_toml(), "saved.toml").unwrap();
    assert_eq!(saved, found.reduced);
    assert_eq!((saved.frames, saved.objects.len()), (1, 2));
    let again = disagreement(&narrow(&["auto"]).narrow(wrong()), &saved);
    assert_eq!((again.frame, again.claim), (0, Claim::Pair { objects: [0, 1], collides, referee }));
    assert!(narrow(&["auto", "box-tree"]).run(&self::motion(&saved), |_| ()).is_ok());
}

/// An algorithm that errs only on known pairs needs the motion up to there.
#[test]
fn a_mistake_of_the_memory_is_shown_with_its_history() {
    let scene = embedded(CAGE).unwrap();
    let wrong = || {
        let seen_before = |cache: &mut PairCache| {
            let seen: &mut AtomicUsize = cache.get_or_default();
            seen.fetch_add(1, Ordering::Relaxed) > 0
        };
        Box::new(Forgetful { of: seen_before }) as Box<dyn NarrowPhase>
    };
    let found = disagreement(&narrow(&[]).narrow(Algorithm::new("forgetful", wrong)), &scene);
    assert!(found.reproduced && found.reduced.frames == found.frame + 1, "{found:?}");
    assert_eq!(found.reduced.objects.len(), 2);
    let saved = Scene::from_toml(&found.reduced.to_toml(), "saved.toml").unwrap();
    let again = disagreement(&narrow(&[]).narrow(Algorithm::new("forgetful", wrong)), &saved);
    assert_eq!(again.frame, found.frame);
}

/// A broad phase that loses pairs is caught even if they do not collide.
#[test]
fn a_lost_pair_of_boxes_is_caught() {
    let scene = embedded(CAGE).unwrap();
    let comparison = Comparison::new()
        .rounds(1)
        .broad(Algorithm::broad_phase("all-pairs").unwrap())
        .broad(Algorithm::own_broad_phase("lossy", Lossy::default));
    let found = disagreement(&comparison, &scene);
    assert!(found.combination.contains("lossy"), "{found}");
    match found.claim {
        Claim::Candidates { found, expected } => assert_eq!(found + 1, expected),
        Claim::Pair { collides, referee, .. } => {
            assert_eq!((collides, referee), (false, Some(true)));
        }
        other => panic!("{other:?}"),
    }
}

/// Counts of work are the same on every machine, for any number of rounds.
#[test]
fn counts_are_deterministic() {
    let arguments = "compare cage?objects=8&faces=60&side=3&frames=40 pile?layers=3&faces=40&frames=20 \
                     --broad sweep --narrow wide-obb,obb-tree,box-tree,brute-force --rounds";
    let counts = |rounds: &str| -> (Vec<String>, Vec<[Value; 4]>) {
        let ran = xcollide(&format!("{arguments} {rounds} --json"));
        let kept = [
            "scene",
            "broad",
            "narrow",
            "bounds",
            "execution",
            "equal",
            "volume_tests",
            "primitive_tests",
            "bytes",
            "pairs",
            "tested",
            "undecided",
            "frames",
        ];
        let row = |object: &Value| kept.map(|key| format!("{key} {}", object[key])).join(", ");
        let more = |object: &Value| {
            ["probes", "fallbacks", "handed_over", "box_tests"].map(|key| object[key].clone())
        };
        ran.json().iter().map(|object| (row(object), more(object))).unzip()
    };
    let expected = counts("1");
    assert_eq!(expected, counts("3"));
    assert!(expected.1.iter().all(|more| more.iter().all(Value::is_u64)), "{expected:?}");
    insta::assert_snapshot!("counts", expected.0.join("\n"));
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let ran =
        xcollide("compare cage?objects=4&faces=60&frames=10 --narrow obb-tree --rounds 2 --json");
    let objects = ran.json();
    assert_eq!(objects.len(), 1);
    let contract = [
        "scene",
        "broad",
        "narrow",
        "bounds",
        "execution",
        "median_ns",
        "min_ns",
        "max_ns",
        "equal",
        "volume_tests",
        "primitive_tests",
        "bytes",
        "build_ns",
        "build",
    ];
    assert_eq!(keys(ran.out.trim())[..contract.len()], contract);
    let times = ["min_ns", "median_ns", "max_ns"].map(|key| objects[0][key].as_u64().unwrap());
    assert!(0 < times[0] && times.is_sorted(), "{times:?}");
}

/// All exact algorithms that accept them agree on small versions of all embedded scenes.
#[test]
fn all_algorithms_agree_and_those_that_do_not_accept_are_named() {
    let ran = xcollide("compare cage?objects=6&faces=40&frames=8 --narrow all --rounds 1 --json");
    assert_eq!(ran.status, 0, "{ran:?}");
    let objects = ran.objects();
    let names: Vec<&str> =
        objects.iter().map(|object| object["narrow"].as_str().unwrap()).collect();
    assert!(names.contains(&"brute-force") && names.contains(&"patches"), "{names:?}");
    let [left_out, objects]: [Vec<&Value>; 2] = [true, false]
        .map(|out| objects.iter().filter(|object| object["left_out"].is_string() == out).collect());
    for object in &left_out {
        let why = object["left_out"].as_str().unwrap();
        assert!(why.starts_with("it does not accept objects "), "{why}");
    }
    assert!(left_out.iter().any(|object| object["narrow"] == "hybrid"));
    assert!(objects.iter().all(|object| object["narrow"] != "hybrid"));
    assert_eq!(ran.err, "", "messages are for terminals");
    let guesses = ["arbitrary-relaxed", "inner-spheres", "monte-carlo", "z-buffer", "voxmap"];
    let is_exact = |object: &&&Value| guesses.iter().all(|&name| object["narrow"] != name);
    let exact = objects.iter().filter(is_exact);
    assert!(exact.clone().count() > 10 && exact.clone().all(|object| object["equal"] == true));

    let ran = xcollide(
        "compare qcollide?objects=20&density=10 --frames 10 --narrow all --rounds 1 --json",
    );
    let objects = ran.json();
    assert!(objects.iter().any(|object| object["narrow"] == "separating-plane"));
    let ran = xcollide(
        "compare icollide?objects=20&density=8 --frames 3 --broad all --bounds all \
         --execution all --rounds 1 --threads 2 --json",
    );
    let combinations = ran.json();
    let kinds = |key: &str| {
        let mut names: Vec<&str> = combinations.iter().map(|c| c[key].as_str().unwrap()).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    };
    assert!(kinds("broad") > 10);
    let expected = [Kind::Bounds, Kind::Execution].map(|kind| registry::of_kind(kind).count());
    assert!(combinations.iter().any(|one| one["execution"] == "concurrent"));
    assert_eq!([kinds("bounds"), kinds("execution")], expected);
    assert_eq!(combinations.len(), kinds("broad") * expected[0] * expected[1]);
}

/// Builders are a layer: all valid combinations play, and their hierarchies differ.
#[test]
fn builders_are_compared() {
    let ran = xcollide(
        "compare cage?objects=8&faces=80&side=3&frames=20 --narrow obb-tree,aabb-tree,box-tree \
         --build auto,sah,median,cut-sweep --rounds 1 --json",
    );
    let objects = ran.json();
    let [left_out, objects]: [Vec<&Value>; 2] = [true, false]
        .map(|out| objects.iter().filter(|object| object["left_out"].is_string() == out).collect());
    let names: Vec<[&str; 2]> = objects
        .iter()
        .map(|object| ["narrow", "build"].map(|key| object[key].as_str().unwrap()))
        .collect();
    let expected = [
        ["obb-tree", "auto"],
        ["obb-tree", "sah"],
        ["obb-tree", "median"],
        ["aabb-tree", "auto"],
        ["aabb-tree", "sah"],
        ["aabb-tree", "median"],
        ["box-tree", "auto"],
        ["box-tree", "cut-sweep"],
    ];
    assert_eq!(names, expected);
    assert!(objects.iter().all(|object| object["equal"] == true));
    let work = |number: usize| &objects[number]["volume_tests"];
    assert!(work(0) == work(1) && work(1) != work(2), "{} {}", work(1), work(2));
    assert!(work(6) != work(7), "{}", work(6));
    for (narrow, build, why) in [
        (
            "obb-tree",
            "cut-sweep",
            "obb-tree keeps a binary tree, the builder makes a box-tree; builders for it: auto, sah, \
             median,",
        ),
        ("box-tree", "median", "box-tree keeps a box-tree"),
    ] {
        let told = left_out.iter().find(|one| one["narrow"] == narrow && one["build"] == build);
        let told = told.and_then(|one| one["left_out"].as_str()).unwrap();
        assert!(told.starts_with(why), "{told}");
    }
}

/// With builders and no narrow phase named, all that can use one of them play.
#[test]
fn builders_find_the_algorithms_that_use_them() {
    let ran = xcollide("compare tumble?faces=100&frames=4 --build morton --rounds 1 --json");
    let objects = ran.json();
    let names: Vec<&str> =
        objects.iter().map(|object| object["narrow"].as_str().unwrap()).collect();
    assert_eq!(names, ["wide-obb", "wide-compact"]);
}

/// The library takes unregistered builders and reports those that no algorithm can use.
#[test]
fn a_builder_of_ones_own_is_compared() {
    let fours = TreeBuilder::Binary(Builder::new(Split::Median).leaf_size(4));
    let comparison = narrow(&["kdop-tree", "brute-force"])
        .build(Build::default())
        .build(Build::own("fours", [fours]));
    let outcome = comparison.run(&motion(&embedded(CAGE).unwrap()), |_| ()).unwrap();
    let bytes = |number: usize| outcome.figures[number].prepared_bytes.unwrap();
    assert!(2 * bytes(1) < bytes(0), "{} {}", bytes(0), bytes(1));
    assert_eq!(outcome.figures[1].names[4], "fours");
    let told = outcome.left_out[0].to_string();
    let expected = "narrow brute-force, bounds axis-aligned, serial, build fours is left out: \
                    brute-force has no tree whose builder can be chosen";
    assert!(told.contains(expected), "{told}");
    let told = table(&outcome);
    assert!(told.contains("kdop-tree + fours") && told.contains("brute-force + auto"), "{told}");
}

#[test]
fn a_scale_gives_an_object_a_value_and_one_for_the_growth() {
    let ran = xcollide(
        "compare cage?objects=3&faces=40&frames=8 --narrow auto,box-tree --rounds 1 --json \
         --scale objects=2,4,8",
    );
    let objects = ran.json();
    assert_eq!(objects.len(), 8);
    assert_eq!(objects[4]["scene"], "cage?faces=40&frames=8&objects=8");
    assert_eq!((&objects[4]["parameter"], &objects[4]["value"]), (&"objects".into(), &8.0.into()));
    assert_eq!(objects[7]["scaling"]["narrow"], "box-tree");
    assert!(objects[7]["scaling"]["exponent"].is_f64());
    // The distance of two tumbling objects is a parameter, too.
    let ran = xcollide(
        "compare tumble?distances=1&faces=100 --semantics surface --frames 4 --narrow auto --rounds 1 \
         --json --scale far=0.5,1",
    );
    let objects = ran.json();
    assert_eq!(objects.len(), 3);
    assert_eq!((&objects[1]["parameter"], &objects[1]["value"]), (&"far".into(), &1.0.into()));
    assert!(objects[2]["scaling"]["exponent"].is_f64());
}

/// A report names the contestants, has its plots, and says how to repeat it.
#[test]
fn a_report_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "cage?faces=40&frames=9", "tumble?faces=100&frames=9", "--narrow"];
    let rest = ["auto,box-tree", "--rounds", "1", "--report", "out.html"];
    let ran = xcollide_at(folder.path(), &[&arguments[..], &rest[..]].concat(), "");
    assert_eq!(ran.status, 0, "{ran:?}");
    let html = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    for part in [
        "<h2>cage?faces=40&amp;frames=9</h2>",
        "<h2>tumble?faces=100&amp;frames=9</h2>",
        "box-tree",
        "--narrow auto,box-tree --rounds 1 --report out.html",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<svg").count(), 4);
    // Counts are exact; the table has a row for each algorithm.
    let counted = [&arguments[..], &["auto,box-tree", "--rounds", "1", "--json"]].concat();
    for object in xcollide_at(folder.path(), &counted, "").json() {
        let cells = ["tested", "volume_tests", "primitive_tests"]
            .map(|key| format!("<td class=\"n\">{}</td>", object[key]));
        assert!(html.contains(&cells.concat()), "{cells:?}");
    }
    let ran = xcollide_at(
        folder.path(),
        &[
            "compare",
            "cage?faces=40&frames=9",
            "--narrow",
            "auto",
            "--rounds",
            "1",
            "--scale",
            "objects=2,4",
            "--report",
            "scaled.html",
        ],
        "",
    );
    assert_eq!(ran.status, 0, "{ran:?}");
    let html = std::fs::read_to_string(folder.path().join("scaled.html")).unwrap();
    assert!(html.contains("<h2>cage: time over objects</h2>"));
    assert_eq!(html.matches("<svg").count(), 5);
}

/// In a thread of its own, in step, a world finds the same, with the same work.
#[test]
fn concurrent_is_compared_on_equal_terms() {
    let ran = xcollide(
        "compare cage?objects=8&faces=60&side=3&frames=40 --narrow auto,box-tree --broad sweep \
         --execution serial,concurrent --rounds 2 --json",
    );
    let objects = ran.json();
    assert_eq!(objects.len(), 4);
    for both in objects.chunks(2) {
        assert_eq!(
            [&both[0]["execution"], &both[1]["execution"]],
            [&Value::from("serial"), &"concurrent".into()]
        );
        assert!(both[1]["median_ns"].as_u64().unwrap() > 0);
        for key in ["equal", "volume_tests", "primitive_tests", "pairs", "tested", "bytes"] {
            assert_eq!(both[0][key], both[1][key], "{key}");
        }
        assert_eq!((&both[1]["equal"], &both[1]["frames"]), (&true.into(), &39.into()));
    }
    // Errors are found there too.
    let scene = embedded(CAGE).unwrap();
    let wrong = Algorithm::own_narrow_phase("forgetful", || Forgetful { of: |_| true });
    let apart = Algorithm::execution("concurrent", 0).unwrap();
    let found = disagreement(&narrow(&[]).narrow(wrong).execution(apart), &scene);
    assert!(found.combination.ends_with("concurrent") && found.reproduced, "{found:?}");
}

/// The recorded files equal those of `run`, byte by byte.
#[test]
fn files_of_the_motion_are_those_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    for (scene, bounds) in [("cage?faces=40", "axis-aligned"), ("car-game", "fixed-cube")] {
        for command in ["run", "compare"] {
            let arguments = format!(
                "{command} {scene} --frames 30 --seed 7 --bounds {bounds} --quiet --export \
                 {command}.glb --trace {command}.csv"
            );
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            let ran = xcollide_at(folder.path(), &arguments, "");
            assert_eq!((ran.status, &*ran.err), (0, ""), "{scene}");
        }
        assert!(read("run.glb").len() > 10_000 && read("run.csv").len() > 10_000);
        assert!(read("run.glb") == read("compare.glb"), "{scene}");
        assert!(read("run.csv") == read("compare.csv"), "{scene}");
    }
    for wrong in
        ["compare cage pile --export out.glb", "compare cage --scale objects=2,3 --trace out.csv"]
    {
        let arguments: Vec<&str> = wrong.split_whitespace().collect();
        let ran = xcollide_at(folder.path(), &arguments, "");
        assert!(ran.error(2).ends_with(": found 2 scenes, expected one"), "{ran:?}");
        assert!(!folder.path().join("out.glb").exists() && !folder.path().join("out.csv").exists());
    }
    assert!(xcollide("compare --paper chung-6.6 --export out.glb").error(2).contains("--paper"));
}

#[test]
fn people_are_told_in_the_table_who_is_left_out() {
    let ran = xcollide("compare cage?objects=4&faces=40&frames=5 --narrow auto,hybrid --rounds 1");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let told = "broad auto, narrow hybrid, bounds axis-aligned, serial is left out: it does not \
                accept objects ";
    assert!(ran.out.contains(told), "{}", ran.out);
}

/// A scene with algorithms is compared with those, such as a saved disagreement.
#[test]
fn a_scene_says_which_algorithms_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = 'two'\nframes = 3\n[phases]\nnarrow = 'kdop-tree'\n\
                [[objects]]\nmesh = 'shape:box'\n[[objects]]\nmesh = 'shape:box'\npose = [0.5, 0, 0]\n";
    std::fs::write(folder.path().join("two.toml"), text).unwrap();
    let ran = xcollide_at(folder.path(), &["compare", "two.toml", "--json"], "");
    let objects = ran.json();
    assert_eq!((objects.len(), &objects[0]["narrow"]), (1, &"kdop-tree".into()));
    let ran = xcollide_at(folder.path(), &["compare", "two.toml", "--scale", "objects=1,2"], "");
    assert!(ran.error(2).contains("expected an embedded scene"));
    let text = text.replace("kdop-tree", "guesswork");
    std::fs::write(folder.path().join("two.toml"), text).unwrap();
    let ran = xcollide_at(folder.path(), &["compare", "two.toml", "--json"], "");
    assert!(ran.error(2).contains("found `guesswork`"), "{ran:?}");
}

/// What is undecided contradicts nothing, and is not equal.
#[test]
fn undecided_pairs_contradict_nothing_and_are_not_equal() {
    let comparison = narrow(&["auto"]).narrow(Algorithm::own_narrow_phase("hesitant", || Hesitant));
    let outcome = comparison.run(&motion(&embedded(CAGE).unwrap()), |_| ()).unwrap();
    let [auto, hesitant] = &outcome.figures[..] else { panic!("{outcome:?}") };
    assert!(auto.is_decided() && !hesitant.is_decided());
    assert!(hesitant.undecided > 0, "{hesitant:?}");
    let equal = |of: &Figures| serde_json::to_value(of).unwrap()["equal"].clone();
    assert_eq!([equal(auto), equal(hesitant)], [true, false]);
}

/// Without names narrow phases are compared, of 200 objects and more broad phases; in five rounds.
/// Memory is that of the broad phase and of what the narrow phase keeps.
#[test]
fn without_names_a_crowd_compares_broad_phases_and_few_narrow_ones() {
    let layers = |objects: &[Value]| {
        ["broad", "narrow"].map(|layer| {
            let names = objects.iter().map(|object| object[layer].as_str().unwrap().to_owned());
            names.collect::<BTreeSet<_>>()
        })
    };
    let few = xcollide("compare cage?objects=4&faces=40 --frames 3 --json").json();
    let [broad, narrow] = layers(&few);
    assert!(broad.len() == 1 && narrow.len() > 3, "{broad:?} {narrow:?}");
    assert!(few.iter().all(|object| object["rounds"] == 5));
    let many = "compare asteroids?objects=200 --frames 3 --rounds 1 --json";
    let many = xcollide(many).json();
    let [broad, narrow] = layers(&many);
    assert!(broad.len() > 3 && narrow.len() == 1, "{broad:?} {narrow:?}");
    let chooses = |object: &&Value| object["choice"].is_string();
    let choosing: Vec<&Value> =
        many.iter().filter(chooses).map(|object| &object["broad"]).collect();
    assert_eq!(choosing, ["auto"], "only this one has a choice");

    let ran = xcollide(
        "compare cage?objects=4&faces=40 --frames 3 --rounds 1 --narrow brute-force,obb-tree --json",
    );
    let bytes = |object: &Value| ["bytes", "broad_bytes"].map(|key| object[key].as_u64().unwrap());
    let bytes: Vec<[u64; 2]> = ran.json().iter().map(bytes).collect();
    let [[alone, broad], [with_trees, same]] = bytes[..] else { panic!("{bytes:?}") };
    assert!(alone == broad && broad == same && with_trees > broad, "{bytes:?}");
}

#[test]
fn the_help_says_what_there_is() {
    insta::assert_snapshot!("help_compare", xcollide("compare --help").text());
}

#[test]
fn wrong_usage_is_told_in_a_line() {
    for (arguments, part) in [
        ("compare nowhere", "nowhere"),
        ("compare --narrow guesswork", "guesswork"),
        ("compare --scale objects", "objects"),
        ("compare --build guesswork", "possible values: auto, sah, median, longest-axis"),
        (
            "compare cage --narrow box-tree --build median --frames 3",
            "builders for it: auto, cut-bisection, cut-empty, cut-sweep",
        ),
        ("compare cage?objects=0", "objects"),
        ("compare cage --frames 0", "expected a whole number from 1 to 1000000000"),
        ("compare cage --frames 1000000001", "expected a whole number from 1 to 1000000000"),
        ("compare cage --narrow hybrid --frames 3", "hybrid"),
    ] {
        let ran = xcollide(arguments);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.err.contains(part), "{ran:?}");
    }
}

/// The referee agrees with itself, and a comparison of one succeeds.
#[test]
fn brute_force_alone_is_compared_with_the_recording() {
    let scene = embedded(CAGE).unwrap();
    let comparison =
        Comparison::new().rounds(1).narrow(Algorithm::own_narrow_phase("mine", || BruteForce));
    let outcome = comparison.run(&motion(&scene), |_| ()).unwrap();
    assert_eq!(outcome.figures[0].names[1], "mine");
    assert!(outcome.figures[0].primitive_tests > 1000 && outcome.figures[0].volume_tests == 0);
}

/// Broad phases on tighter volumes have fewer candidates if they get such volumes; the collisions
/// are the same.
#[test]
fn tighter_volumes_leave_fewer_candidates_and_the_same_collisions() {
    let ran = xcollide(
        "compare cage?objects=40&faces=60&frames=8 --broad auto,grid,grid-stabbed,slab-octree \
         --bounds axis-aligned,oriented,k-dop --rounds 1 --json",
    );
    let objects = ran.json();
    assert_eq!(objects.len(), 12);
    let pairs = |broad: &str, bounds: &str| {
        let of = |object: &&Value| {
            object["broad"] == broad && object["bounds"] == bounds && object["equal"] == true
        };
        objects.iter().find(of).unwrap()["pairs"].as_u64().unwrap()
    };
    for (broad, bounds) in [("grid-stabbed", "oriented"), ("slab-octree", "k-dop")] {
        for other in ["axis-aligned", "oriented", "k-dop"] {
            let (found, boxes) = (pairs(broad, other), pairs("auto", other));
            assert_eq!(boxes, pairs("grid", other));
            let is_as_it_should = if other == bounds { found < boxes } else { found == boxes };
            assert!(is_as_it_should, "{broad} on {other}: {found} of {boxes}");
        }
    }
}

/// The trace of a recorded motion does not depend on the executions that play it.
#[test]
fn a_trace_is_written_with_any_execution() {
    let folder = tempfile::tempdir().unwrap();
    let traces = ["serial", "concurrent"].map(|execution| {
        let arguments = format!(
            "compare cage?objects=4&faces=40 --frames 8 --narrow auto --rounds 1 --quiet \
             --execution {execution} --trace {execution}.csv"
        );
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let ran = xcollide_at(folder.path(), &arguments, "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{execution}");
        std::fs::read_to_string(folder.path().join(format!("{execution}.csv"))).unwrap()
    });
    assert!(traces[0].starts_with("frame,id,min_x,") && traces[0].lines().count() > 8);
    assert_eq!(traces[0], traces[1]);
}
