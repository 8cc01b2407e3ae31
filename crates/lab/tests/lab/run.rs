//! `xcollide run` as a program.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{Ran, keys, xcollide, xcollide_at};
use serde_json::{Value, json};

/// A scene with many collisions, groups, static objects and a response.
const CAGE: &str = "run cage?objects=12&faces=60&side=3 --frames 60 --json";

/// The lists of all frames, without times.
pub(crate) fn lists(ran: &Ran) -> Vec<Value> {
    let objects = ran.json();
    let (summary, frames) = objects.split_last().unwrap();
    assert!(summary["summary"].is_object(), "{summary}");
    let kept = ["frame", "began", "persisting", "ended"];
    frames.iter().map(|frame| kept.iter().map(|key| frame[key].clone()).collect()).collect()
}

/// The number of pairs in all frames.
pub(crate) fn listed(lists: &[Value], place: usize) -> usize {
    lists.iter().map(|frame| frame[place].as_array().unwrap().len()).sum()
}

#[test]
fn lists_are_the_same_by_all_exact_algorithms_at_any_number_of_threads() {
    let expected = lists(&xcollide(CAGE));
    assert_eq!(expected.len(), 60);
    assert!(listed(&expected, 1) > 20 && listed(&expected, 2) > 0 && listed(&expected, 3) > 10);
    for options in [
        "--threads 2",
        "--execution parallel",
        "--execution serial --threads 2",
        "--execution concurrent",
        "--execution concurrent --broad sweep --narrow obb-tree --stats",
        "--broad all-pairs --narrow brute-force",
        "--broad sweep-and-prune --narrow box-tree --bounds dynamic-box",
        "--broad hash-grid --narrow wide-obb --bounds fixed-cube --threads 2",
        "--broad wide-tree --narrow arbitrary --bounds oriented",
        "--narrow obb-tree --build median",
        "--narrow wide-compact --build morton --threads 2",
        "--stats --quiet",
    ] {
        assert_eq!(lists(&xcollide(&format!("{CAGE} {options}"))), expected, "{options}");
    }
    let other = lists(&xcollide(&format!("{CAGE} --seed 2")));
    assert_ne!(other, expected, "the seed counts");
    assert_eq!(lists(&xcollide(&format!("{CAGE} --seed 1"))), expected, "1 is the scene's");
}

/// Began, persisting and ended are consistent: a pair begins once, persists, ends.
#[test]
fn lists_are_ordered_and_follow_from_each_other() {
    let mut touching: Vec<Value> = Vec::new();
    for frame in lists(&xcollide(CAGE)) {
        let of = |place: usize| frame[place].as_array().unwrap().clone();
        let [began, persisting, ended] = [of(1), of(2), of(3)];
        for list in [&began, &persisting, &ended] {
            let pairs: Vec<[u64; 2]> =
                list.iter().map(|pair| serde_json::from_value(pair.clone()).unwrap()).collect();
            assert!(pairs.is_sorted() && pairs.iter().all(|[a, b]| a < b), "{pairs:?}");
        }
        assert!(began.iter().all(|pair| !touching.contains(pair)));
        let before = touching.len();
        touching.retain(|pair| !ended.contains(pair));
        assert_eq!(touching.len(), before - ended.len());
        assert!(touching.len() == persisting.len());
        assert!(persisting.iter().all(|pair| touching.contains(pair)));
        touching.extend(began);
    }
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let ran = xcollide("run pile?layers=3&faces=40 --frames 2 --json");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3);
    for (number, line) in lines[..2].iter().enumerate() {
        assert_eq!(keys(line), ["frame", "began", "persisting", "ended", "pairs", "ns"]);
        let frame: Value = serde_json::from_str(line).unwrap();
        assert_eq!(frame["frame"], number);
        for stage in ["pose", "bounds", "broad", "narrow"] {
            assert!(frame["ns"][stage].is_u64(), "{stage}");
        }
    }
    assert_eq!(keys(lines[2]), ["summary"]);
    let summary = &ran.json()[2]["summary"];
    assert_eq!((&summary["scene"], &summary["frames"]), (&json!("pile"), &json!(2)));
    let ran = xcollide("run pile?layers=3&faces=40 --frames 2 --json --stats");
    assert!(ran.json().iter().all(|line| line["stats"].is_object() || line["summary"].is_object()));
    assert!(ran.json()[2]["summary"]["stats"]["primitive_tests"].as_u64().unwrap() > 0);
    assert_eq!(ran.json()[2]["summary"]["choice"], "all-pairs");
    let ran = xcollide("run cage?objects=60&faces=20 --frames 2 --json --stats");
    assert_eq!(ran.json()[2]["summary"]["choice"], "neighbour-list on hash-grid");
}

/// The names of the object numbers.
#[test]
fn the_summary_names_objects_that_have_names() {
    let ran = xcollide("run pile?layers=2 --frames 1 --json").json();
    let summary = &ran[1]["summary"];
    let named = summary["named"].as_array().unwrap();
    let count = |of: &Value| of["count"].as_u64().unwrap();
    assert_eq!(named.iter().map(count).sum::<u64>(), summary["objects"].as_u64().unwrap());
    let mut next = 0;
    for one in named {
        assert_eq!(one["first"], next);
        assert!(!one["name"].as_str().unwrap().is_empty());
        next += count(one);
    }
    let folder = tempfile::tempdir().unwrap();
    let two = "name = 'two'\n[[objects]]\nmesh = 'shape:box'\ncount = 2\n\
               poses = [[0,0,0],[1,0,0]]\n[[objects]]\nname = 'ball'\nmesh = 'shape:sphere'\n";
    std::fs::write(folder.path().join("two.toml"), two).unwrap();
    let ran = xcollide_at(folder.path(), &["run", "two.toml", "--frames", "1", "--json"], "");
    let expected = json!([{"name": "ball", "first": 2, "count": 1}]);
    assert_eq!(ran.json()[1]["summary"]["named"], expected);
}

/// Every scene, small if necessary, runs and prints its summary.
#[test]
fn every_embedded_scene_runs() {
    for name in xcollide_scenes::names() {
        let parameters = match name {
            "asteroids" => "?objects=300",
            "bullets" => "?objects=40",
            "car-game" | "cage" | "qcollide" => "",
            "cars" => "?moving=200&standing=200",
            "city" => "?blocks=8&objects=20",
            "cloth" => "?triangles=200",
            "icollide" => "?objects=100",
            "pile" => "?layers=3",
            "potter" => "?faces=400",
            "sphere-in-sphere" => "?faces=100",
            "tetra-flakes" => "?obstacles=30&depth=1&side=8",
            "tumble" => "?faces=100",
            other => panic!("{other} wants small parameters here"),
        };
        let ran = xcollide(&format!("run {name}{parameters} --frames 4 --json"));
        let lines = ran.json();
        assert_eq!(lines.len(), 5, "{name}");
        assert_eq!(lines[4]["summary"]["scene"], name);
        assert!(lines[4]["summary"]["objects"].as_u64().unwrap() > 1);
    }
}

/// `pairs` ignores interest, so the scene wants all pairs.
#[test]
fn a_trace_has_the_candidates_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for bounds in ["axis-aligned", "dynamic-box"] {
        let scene = "icollide?objects=80&density=5";
        let run = ["run", scene, "--frames", "12", "--json", "--bounds", bounds];
        let run = [&run[..], &["--trace", "boxes.csv"]].concat();
        let ran = xcollide_at(folder.path(), &run, "").json();
        let pairs = xcollide_at(folder.path(), &["pairs", "boxes.csv", "--json"], "").json();
        assert_eq!(pairs.len(), 12);
        let mut most = 0;
        for (ran, pairs) in ran.iter().zip(&pairs) {
            let found = pairs["pairs"].as_array().unwrap().len();
            assert_eq!((&ran["frame"], &ran["pairs"]), (&pairs["frame"], &json!(found)));
            most = most.max(found);
        }
        assert!(most > 10, "{most}");
    }
    // Frames without motion are named, too.
    let still =
        "name = 'still'\n[[objects]]\nmesh = 'shape:box'\ncount = 2\nposes = [[0,0,0],[1,0,0]]\n";
    std::fs::write(folder.path().join("still.toml"), still).unwrap();
    let run = ["run", "still.toml", "--frames", "3", "--trace", "still.csv", "--json"];
    let ran = lists(&xcollide_at(folder.path(), &run, ""));
    assert_eq!(ran[0], json!([0, [[0, 1]], [], []]));
    assert_eq!(ran[2], json!([2, [], [[0, 1]], []]));
    let pairs = xcollide_at(folder.path(), &["pairs", "still.csv", "--json"], "").json();
    assert_eq!(pairs.len(), 3);
}

#[test]
fn a_scene_file_brings_its_meshes_poses_and_phases() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("scenes");
    std::fs::create_dir(&inner).unwrap();
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(inner.join("a.obj"), mesh).unwrap();
    std::fs::write(inner.join("way.txt"), "# to and fro\n3 0 0 0 0 0 1\n0.5 0 0 0 0 0 1\n")
        .unwrap();
    let scene = "name = 'two'
        phases = { broad = 'sweep', narrow = 'obb-tree', bounds = 'oriented', execution = 'parallel',
                   build = 'sah' }
        [[objects]]\nmesh = 'a.obj'
        [[objects]]\nmesh = 'a.obj'\nmotion = { kind = 'recorded', file = 'way.txt', then = 'repeat' }";
    std::fs::write(inner.join("two.toml"), scene).unwrap();
    let run = ["run", "scenes/two.toml", "--frames", "3", "--json", "--broad", "all-pairs"];
    let ran = xcollide_at(folder.path(), &run, "");
    let expected =
        [json!([0, [], [], []]), json!([1, [[0, 1]], [], []]), json!([2, [], [], [[0, 1]]])];
    assert_eq!(lists(&ran), expected);
    let summary = &ran.json()[3]["summary"];
    for (key, name) in [
        ("broad", "all-pairs"), // the command line overrules the scene
        ("narrow", "obb-tree"),
        ("bounds", "oriented"),
        ("execution", "parallel"),
    ] {
        assert_eq!(summary[key], name);
    }
}

/// Two recorded objects: far apart, then meeting. Without time the second is undecided, with a bound.
#[test]
fn a_scene_can_ask_for_approximate_tests() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |phases: &str| {
        let text = format!(
            "name = 'two'\nframes = 3\nphases = {{ {phases} }}\n[[objects]]\nmesh = 'shape:torus?faces=60'\n\
             [[objects]]\nmesh = 'shape:torus?faces=60'\nmotion = {{ kind = 'recorded', file = 'way.txt' }}\n"
        );
        std::fs::write(folder.path().join("two.toml"), text).unwrap();
    };
    std::fs::write(
        folder.path().join("way.txt"),
        "9 0 0 0 0 0 1\n0.5 0 0 0 0 0 1\n0 0 0 0 0 0 1\n",
    )
    .unwrap();
    let run = |options: &[&str]| {
        let arguments = [&["run", "two.toml"][..], options].concat();
        xcollide_at(folder.path(), &arguments, "")
    };
    scene("degrade_to = 'arbitrary-boxes', degrade = '0s'");
    let objects = run(&["--json"]).json();
    assert_eq!(objects[0]["undecided"], Value::Null, "apart is proved");
    for frame in &objects[1..3] {
        assert_eq!((&frame["began"], &frame["approximate"]), (&json!([]), &json!(true)));
        let undecided = frame["undecided"].as_array().unwrap();
        assert_eq!((&undecided[0][0], &undecided[0][1]), (&json!(0), &json!(1)));
        assert!(undecided[0][2].as_f64().unwrap() < 1.0);
    }
    assert_eq!(objects[3]["summary"]["approximate"], 3);
    assert!(run(&[]).text().contains("3 frames were tested approximately"));
    // The command line overrules the scene.
    let exact = lists(&run(&["--json", "--degrade", "1min"]));
    assert_eq!(listed(&exact, 1), 1);
    scene("");
    let told = run(&["--json", "--degrade", "0s", "--degrade-to", "arbitrary-relaxed"]);
    assert_eq!(told.json()[3]["summary"]["approximate"], 3);
    // Levels of the cheapest: the coarser, the less is known.
    let known = [0, 9].map(|level| {
        scene(&format!("degrade_to = 'wide-obb-coarse:{level}', degrade = '0s'"));
        run(&["--json"]).json()[1]["undecided"][0][2].as_f64().unwrap()
    });
    assert!(known[0] > known[1] && known[1] > 0.0, "{known:?}");
    // Without a name it is that of the boxes.
    let of_boxes = ["", "degrade_to = 'wide-obb-boxes', "].map(|named| {
        scene(&format!("{named}degrade = '0s'"));
        run(&["--json"]).json()[1]["undecided"].clone()
    });
    assert!(of_boxes[0].is_array() && of_boxes[0] == of_boxes[1], "{of_boxes:?}");
    scene("degrade_to = 'arbitrary-boxes'");
    assert!(run(&[]).error(2).contains("expected --degrade"));
    scene("degrade = 'soon'");
    let wrong = run(&[]).error(2).to_owned();
    assert!(wrong.starts_with("two.toml: key `phases.degrade`: found `soon`"), "{wrong}");
}

#[test]
fn people_read_a_summary() {
    let text = xcollide("run pile?layers=2&faces=40 --frames 2 --stats").text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("pile: a pyramid of "), "{text}");
    assert!(lines[1].starts_with("6 objects (0 static), "), "{text}");
    assert_eq!(
        lines[2],
        "broad auto, narrow auto, bounds axis-aligned, execution serial, 1 thread"
    );
    assert!(lines[3].starts_with("2 frames: "), "{text}");
    assert!(text.contains("\nnarrow  ") && text.contains(" tests of volumes, "), "{text}");
    insta::assert_snapshot!("help_run", xcollide("run --help").text());
}

#[test]
fn a_robot_runs_with_its_disabled_pairs_and_its_table() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let ran = xcollide_at(&fixtures, &["run", "arm.toml", "--json"], "");
    let (found, summary) = (lists(&ran), ran.json().pop().unwrap());
    assert_eq!((summary["summary"]["objects"].as_u64(), found.len()), (Some(9), 41));
    // Objects 0 and 1 are the table and the cup, 2 is the base, then upper, lower, its sphere, hand,
    // left, right. Closed fingers hold the cup, and touch each other's sides.
    let began: Vec<Value> =
        found.iter().flat_map(|frame| frame[1].as_array().unwrap().clone()).collect();
    for pair in [json!([1, 7]), json!([1, 8]), json!([7, 8]), json!([0, 7]), json!([2, 6])] {
        assert!(began.contains(&pair), "{pair} in {began:?}");
    }
    // Pairs of a joint, of the SRDF, of the scene.
    for pair in [json!([2, 3]), json!([3, 4]), json!([6, 7]), json!([2, 4]), json!([1, 6])] {
        assert!(!began.contains(&pair), "{pair}");
    }
    // Its meshes are found from any folder.
    let above = xcollide_at(fixtures.parent().unwrap(), &["run", "scenes/arm.toml", "--json"], "");
    assert_eq!(lists(&above), found);
    // Without a scene: random motion, with the SRDF beside it; the same by other algorithms.
    let run = ["run", "arm.urdf", "--frames", "300", "--json"];
    let expected = lists(&xcollide_at(&fixtures, &run, ""));
    assert!(listed(&expected, 1) > 2, "{expected:?}");
    for options in [["--narrow", "brute-force"], ["--broad", "all-pairs"], ["--threads", "2"]] {
        let ran = xcollide_at(&fixtures, &[&run[..], &options].concat(), "");
        assert_eq!(lists(&ran), expected, "{options:?}");
    }
    let other = [&run[..], &["--seed", "2"]].concat();
    assert_ne!(lists(&xcollide_at(&fixtures, &other, "")), expected);
}

#[test]
fn a_gltf_file_runs_as_long_as_its_animation() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let run = ["run", "clock.gltf", "--json"];
    let expected = lists(&xcollide_at(&fixtures, &run, ""));
    // Two seconds of 30 frames; plate, hand, peg, two balls.
    assert_eq!(expected.len(), 61);
    // The peg is in the hand's way in the first second, and again at the end.
    assert_eq!(expected[0], json!([0, [[1, 2]], [], []]));
    let ends: Vec<u64> = (0..61u64)
        .filter(|&frame| expected[frame as usize][3].as_array().unwrap().contains(&json!([1, 2])))
        .collect();
    // The hand turns away; it and the peg are back at frame 60.
    assert!(ends.len() == 1 && (1..6).contains(&ends[0]), "{ends:?}");
    assert!(expected[60][1].as_array().unwrap().contains(&json!([1, 2])));
    // The hand goes through the one ball that stands.
    assert!(expected.iter().any(|frame| frame[1].as_array().unwrap().contains(&json!([1, 4]))));
    let brute = [&run[..], &["--narrow", "brute-force", "--broad", "all-pairs"]].concat();
    assert_eq!(lists(&xcollide_at(&fixtures, &brute, "")), expected);

    let folder = tempfile::tempdir().unwrap();
    let file = fixtures.join("clock.gltf");
    let scene = |more: &str| {
        let text =
            format!("name = 'a'\nframes = 61\n[[imports]]\nfile = '{}'\n{more}", file.display());
        std::fs::write(folder.path().join("s.toml"), text).unwrap();
        xcollide_at(folder.path(), &["run", "s.toml", "--json"], "")
    };
    assert_eq!(lists(&scene("")), expected);
    assert_eq!(lists(&scene("name = 'wall'\npose = [3, -2, 1]")), expected);
    let slow = lists(&scene("rate = 15"));
    assert!((0..=30).all(|frame| slow[frame][1].as_array().unwrap().len()
        >= expected[2 * frame][1].as_array().unwrap().len()));
    let wrong = scene("animation = 2").error(2).to_owned();
    assert!(wrong.contains("which is no scene: animation 2, which does not exist"), "{wrong}");
    let wrong = scene("rate = 0").error(2).to_owned();
    assert!(
        wrong.contains("key `imports[0].rate`: found 0, expected a number of frames"),
        "{wrong}"
    );
    std::fs::write(folder.path().join("bad.glb"), "glTF").unwrap();
    let wrong = xcollide_at(folder.path(), &["run", "bad.glb"], "").error(2).to_owned();
    assert!(wrong.starts_with("bad.glb: is no scene: byte 4: "), "{wrong}");
}

/// An SRDF file of the robot's name is read with it.
#[test]
fn an_srdf_beside_the_robot_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let cart = |name: &str| {
        format!(
            "<link name='{name}'><collision><geometry><box size='1 1 1'/></geometry></collision>\
             </link><joint name='slide-{name}' type='prismatic'><parent link='rail'/>\
             <child link='{name}'/><limit lower='0' upper='0.1'/></joint>"
        )
    };
    let urdf = format!("<robot name='r'><link name='rail'/>{}{}</robot>", cart("a"), cart("b"));
    std::fs::write(folder.path().join("r.urdf"), urdf).unwrap();
    let run =
        || lists(&xcollide_at(folder.path(), &["run", "r.urdf", "--frames", "3", "--json"], ""));
    assert_eq!(run()[0][1], json!([[0, 1]]));
    let srdf = "<robot name='r'><disable_collisions link1='a' link2='b'/></robot>";
    std::fs::write(folder.path().join("r.srdf"), srdf).unwrap();
    assert_eq!(listed(&run(), 1), 0);
}

#[test]
fn an_animation_stays_at_its_end_or_begins_again() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    // The pairs that collide in each frame.
    let colliding = |keys: &str| -> Vec<Vec<Value>> {
        let text = format!("name = 'a'\nframes = 122\n[[imports]]\nfile = 'clock.gltf'\n{keys}\n");
        let ran = xcollide_at(&fixtures, &["run", "-", "--json"], &text);
        let both = |frame: &Value| {
            let mut pairs = [1, 2].map(|list| frame[list].as_array().unwrap().clone()).concat();
            pairs.sort_by_key(ToString::to_string);
            pairs
        };
        lists(&ran).iter().map(both).collect()
    };
    let stays = colliding("");
    assert!(stays[..60].iter().any(|pairs| *pairs != stays[60]));
    assert!(stays[61..].iter().all(|pairs| *pairs == stays[60]));
    let repeats = colliding("then = 'repeat'");
    assert_eq!([&stays[..61], &stays[..61]].concat(), repeats);
    assert_ne!(colliding("animation = 1"), stays);
}

/// By the node's number: those of the clock and of its axle have no mesh.
#[test]
fn a_mesh_may_be_a_node_of_a_gltf_file() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let ran = |node: usize| {
        let text = format!("name = 'a'\n[[objects]]\nmesh = 'clock.gltf#{node}'\n");
        xcollide_at(&fixtures, &["run", "-", "--frames", "1", "--json"], &text)
    };
    for node in 0..8 {
        if [1, 3, 4, 5, 6].contains(&node) {
            assert_eq!(ran(node).json().len(), 2, "{node}");
        } else {
            let wrong = ran(node).error(2).to_owned();
            assert!(wrong.contains("is no node with a mesh"), "{node}: {wrong}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_robot_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let error = |text: &str| {
        std::fs::write(folder.path().join("r.urdf"), text).unwrap();
        xcollide_at(folder.path(), &["run", "r.urdf"], "").error(2).to_owned()
    };
    assert!(error("no xml").starts_with("r.urdf: line 1: "));
    let with_mesh = |mesh: &str| {
        let mesh = format!("<collision><geometry><mesh filename='{mesh}'/></geometry></collision>");
        error(&format!("<robot name='r'>\n<link name='a'>{mesh}</link></robot>"))
    };
    let wrong = with_mesh("package://legs/foot.stl");
    assert!(
        wrong.starts_with("r.urdf: line 2: link `a`: found the mesh `package://legs/foot.stl`, ")
    );
    assert!(wrong.contains("ROS_PACKAGE_PATH"), "{wrong}");
    assert!(
        with_mesh("foot.stl").contains("which is not at foot.stl"),
        "{}",
        with_mesh("foot.stl")
    );
    let missing = xcollide_at(folder.path(), &["run", "none.urdf"], "").error(2).to_owned();
    assert!(missing.starts_with("none.urdf: cannot be read: "), "{missing}");
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |text: &str| {
        std::fs::write(folder.path().join("s.toml"), text).unwrap();
        xcollide_at(folder.path(), &["run", "s.toml", "--frames", "1"], "").error(2).to_owned()
    };
    assert_eq!(
        scene("name = 'a'\n[[objects]]\nmesh = 'shape:box'\nmas = 1\n"),
        "s.toml: line 4: key `objects[0].mas` is unknown, expected one of: name, mesh, height_field, \
         scale, stretch, centered, color, count, variants, pose, poses, placement, within, upright, motion, static, \
         group, parent, jointed, mass, flexible, promise"
    );
    assert!(scene("name = ").starts_with("s.toml: line 1: "));
    let wrong = scene("name = 'a'\n[[objects]]\nmesh = 'no.obj'\n");
    assert!(wrong.starts_with("s.toml: key `objects[0].mesh`: found `no.obj`, which "), "{wrong}");
    let wrong =
        scene("name = 'a'\nphases = { broad = 'magic' }\n[[objects]]\nmesh = 'shape:box'\n");
    assert!(
        wrong.starts_with("s.toml: key `phases.broad`: found `magic`, expected one of: auto, ")
    );
    let error = |arguments: &str| xcollide(arguments).error(2).to_owned();
    let wrong = error("run --execution concurrent --trace t.csv");
    assert!(wrong.starts_with("--trace: not with the execution concurrent"), "{wrong}");
    assert!(error("run nowhere").starts_with("scene `nowhere` is unknown, expected one of: "));
    assert!(error("run no/where").starts_with("no/where: cannot be read: "));
    assert!(error("run nowhere.toml").starts_with("nowhere.toml: cannot be read: "));
    for (mesh, expected) in
        [("cow.off", "found a mesh, expected a scene"), ("a.srdf", "found an SRDF")]
    {
        assert!(error(&format!("run {mesh}")).starts_with(&format!("{mesh}: {expected}")));
    }
    for frames in ["0", "x", "1000000001", "99999999999999999999999"] {
        let expected = "expected a whole number from 1 to 1000000000";
        let wrong = error(&format!("run cage --frames {frames}"));
        assert!(wrong.contains(frames) && wrong.ends_with(expected), "{wrong}");
    }
    assert!(error("run cage?objects=x").starts_with("scene `cage`: "));
    assert!(error("run --broad magic").contains("magic"));
    let wrong = error("run cage --narrow box-tree --build median");
    assert!(wrong.starts_with("cage: build median: box-tree keeps a box-tree, "), "{wrong}");
    assert!(error("run cage --build sah").contains("auto has no tree whose builder can be chosen"));
    let wrong =
        scene("name = 'a'\nphases = { build = 'magic' }\n[[objects]]\nmesh = 'shape:box'\n");
    assert!(
        wrong.starts_with("s.toml: key `phases.build`: found `magic`, expected one of: auto, sah")
    );
    let wrong = error("run cage --narrow hybrid");
    assert!(wrong.starts_with("cage: hybrid does not accept objects "), "{wrong}");
    // Walls alone would not be accepted either, but their pairs are not wanted.
    let text = "name = 'a'\nphases = { narrow = 'hybrid' }\n[[objects]]\nmesh = 'shape:torus'\n\
        static = true\nposes = [[0, 0, 0], [1, 0, 0]]\n[[objects]]\nmesh = 'shape:box'\n";
    let only = text.split("[[objects]]\nmesh = 'shape:box'").next().unwrap();
    assert!(scene(text).starts_with("s.toml: hybrid does not accept objects 0 and 2 "));
    std::fs::write(folder.path().join("s.toml"), only).unwrap();
    let ran = xcollide_at(folder.path(), &["run", "s.toml", "--frames", "1", "--json"], "");
    assert_eq!(ran.json().len(), 2);
    let ran = xcollide("run pile?layers=2 --frames 1 --trace no/such/folder.csv");
    assert!(ran.error(1).starts_with("no/such/folder.csv: cannot be written: "));
}

/// Frames have names, witnesses and contacts on request, and nothing of it otherwise.
#[test]
fn frames_carry_names_witnesses_and_contacts_on_request() {
    let ran = xcollide("run pile?layers=2&faces=40 --frames 2 --json --names --witness --contacts");
    let line = ran.out.lines().next().unwrap();
    let expected =
        ["frame", "began", "persisting", "ended", "pairs", "names", "witnesses", "contacts", "ns"];
    assert_eq!(keys(line), expected);
    let frame = &ran.json()[0];
    let began = frame["began"].as_array().unwrap();
    assert!(began.len() > 3);
    for list in ["witnesses", "contacts"] {
        let pairs: Vec<Value> =
            frame[list].as_array().unwrap().iter().map(|one| one["pair"].clone()).collect();
        assert_eq!(&pairs, began, "{list}");
    }
    for pair in began {
        for number in pair.as_array().unwrap() {
            let name = frame["names"][number.to_string()].as_str().unwrap();
            assert!(name.ends_with(&format!(" {number}")) || name == "ball", "{name}");
        }
    }
    assert!(frame["witnesses"][0]["witness"]["point"].as_array().unwrap().len() == 3);
    assert!(!frame["contacts"][0]["faces"].as_array().unwrap().is_empty());
    let few = xcollide("run pile?layers=2&faces=40 --frames 1 --json --contacts=1").json();
    let most = few[0]["contacts"].as_array().unwrap().iter();
    assert_eq!(most.map(|one| one["faces"].as_array().unwrap().len()).max(), Some(1));
    for wrong in
        ["--names", "--witness", "--contacts", "--distance", "--layers planes --export a.glb"]
    {
        assert!(xcollide(&format!("run pile {wrong}")).error(2).contains("--"), "{wrong}");
    }
}

/// A ball that falls on the ground touches it where its radius and the height below say so.
#[test]
fn a_ball_falls_on_heights_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "name = 'hill'\n[[objects]]\nstatic = true\n[objects.height_field]\n\
                 file = 'hill.csv'\nfloor = -1\n[[objects]]\nmesh = 'formula:ball?radius=0.5'\n\
                 pose = [0, 0, 3]\nmotion = { kind = 'free', velocity = [0, 0, -0.25] }\n";
    std::fs::write(folder.path().join("hill.toml"), scene).unwrap();
    std::fs::write(folder.path().join("hill.csv"), "0,0,0\n0,1.25,0\n0,0,0\n").unwrap();
    let ran = xcollide_at(folder.path(), &["run", "hill.toml", "--frames", "9", "--json"], "");
    let began: Vec<usize> =
        lists(&ran).iter().map(|frame| frame[1].as_array().unwrap().len()).collect();
    // The top at 1.25 and the lowest point of the ball, at 2.5 less a quarter a frame, meet in frame 5.
    assert_eq!(began, [0, 0, 0, 0, 0, 1, 0, 0, 0]);
}

/// Two threads and more run in parallel, unless another execution is named.
#[test]
fn the_number_of_threads_is_that_of_an_execution() {
    for (options, expected) in [
        ("", "serial"),
        ("--threads 1", "serial"),
        ("--threads 2", "parallel"),
        ("--threads 2 --execution two-phases", "two-phases"),
    ] {
        let ran = xcollide(&format!("run pile?layers=2&faces=40 --frames 1 --json {options}"));
        assert_eq!(ran.json()[1]["summary"]["execution"], expected, "{options}");
    }
}

/// The name of an embedded scene is not that of a file beside it; without a name the scene is the cage.
#[test]
fn a_path_is_a_file_and_a_name_is_an_embedded_scene() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "name = 'mine'\n[[objects]]\nmesh = 'shape:box'\n";
    std::fs::write(folder.path().join("cage"), scene).unwrap();
    let name = |scene: &[&str]| {
        let arguments = [&["run"][..], scene, &["--frames", "1", "--json"]].concat();
        xcollide_at(folder.path(), &arguments, "").json()[1]["summary"]["scene"].clone()
    };
    assert_eq!([name(&["cage"]), name(&["./cage"]), name(&[])], ["cage", "mine", "cage"]);
}
