//! `xcollide run`: reports and exports, and what a scene promises about its motion.

#![allow(clippy::unwrap_used)]

use crate::glb::Glb;
use crate::program;
use crate::run::lists;

use program::{Ran, xcollide, xcollide_at};
use serde_json::{Value, json};

/// The report is self-contained, has the run's results, and its command repeats the run.
#[test]
fn a_report_tells_what_was_found_and_how_to_repeat_it() {
    let place = tempfile::tempdir().unwrap();
    let scene = "cage?objects=6&faces=40&side=2";
    let arguments =
        ["run", scene, "--frames", "30", "--report", "out.html", "--narrow", "box-tree", "--stats"];
    let words = xcollide_at(place.path(), &arguments, "");
    assert_eq!((words.status, &*words.err), (0, ""));
    let html = std::fs::read_to_string(place.path().join("out.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options).unwrap();
    let texts = |name: &str| -> Vec<String> {
        let found = document.descendants().filter(|node| node.tag_name().name() == name);
        found.map(|node| node.text().unwrap_or("").trim().to_owned()).collect()
    };
    let sections = [
        "Who met",
        "When",
        "The scene in motion",
        "What was run",
        "The algorithms",
        "What was found",
        "Time",
        "How to repeat it",
        "The scene",
    ];
    assert_eq!(texts("h2"), sections);
    assert_eq!(texts("svg").len(), 4);

    let command = &texts("pre")[0];
    assert_eq!(
        command,
        &format!("xcollide run '{scene}' --frames 30 --seed 1 --narrow box-tree --stats")
    );
    let again: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let again = xcollide_at(place.path(), &[&again[..], &["--json"]].concat(), "");
    let summary = again.json().pop().unwrap()["summary"].clone();
    let row = |name: &str| -> String {
        let heading = document.descendants().find(|node| node.text() == Some(name)).unwrap();
        heading.next_sibling_element().unwrap().text().unwrap().to_owned()
    };
    // Each meeting is a row with its two moments.
    let moments = texts("a").iter().filter(|text| text.parse::<u64>().is_ok()).count();
    assert_eq!(Some(moments as u64), summary["began"].as_u64().map(|began| 2 * began));
    assert!(moments > 0 && words.out.contains("\nwho met, the longest first:\n"), "{}", words.out);
    for (name, key) in
        [("frames", "frames"), ("collisions that began", "began"), ("that ended", "ended")]
    {
        assert_eq!(row(name), summary[key].to_string(), "{name}");
    }
    // Counts are exact, however large.
    for (name, key) in [("tests of volumes", "volume_tests"), ("pairs tested", "tested")] {
        assert_eq!(row(name), summary["stats"][key].to_string(), "{name}");
    }
    assert!(summary["stats"]["volume_tests"].as_u64() > Some(1000));
}

/// The table of times has the stages; the scene's file gives the same run.
#[test]
fn a_report_has_times_by_stage_and_the_scene_as_a_file() {
    let place = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| xcollide_at(place.path(), arguments, "");
    let scene = "cage?objects=6&faces=40&side=2";
    let report = ["--report", "out.html", "--json"];
    let first = run(&[&["run", scene, "--frames", "30", "--seed", "3"][..], &report].concat());
    let html = std::fs::read_to_string(place.path().join("out.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options).unwrap();
    let texts = |name: &str| -> Vec<String> {
        let found = document.descendants().filter(|node| node.tag_name().name() == name);
        found.map(|node| node.text().unwrap_or("").trim().to_owned()).collect()
    };
    let headings = ["stage", "median", "99 %", "longest", "all frames", "share"];
    assert!(texts("th").windows(6).any(|found| found == headings), "{:?}", texts("th"));
    std::fs::write(place.path().join("again.toml"), &texts("pre")[1]).unwrap();
    let again = run(&["run", "again.toml", "--json"]);
    assert_eq!(lists(&first), lists(&again));
    assert!(lists(&first).iter().any(|frame| frame[1] != json!([])));
}

/// Two runs have the same report but for times and how to repeat it.
#[test]
fn only_times_and_date_differ_from_run_to_run() {
    let place = tempfile::tempdir().unwrap();
    let sections = |file: &str| -> Vec<String> {
        let scene = "cage?objects=6&faces=40&side=2";
        let arguments = ["run", scene, "--frames", "30", "--stats", "--report", file];
        assert_eq!(xcollide_at(place.path(), &arguments, "").status, 0);
        let html = std::fs::read_to_string(place.path().join(file)).unwrap();
        let differs = |part: &str| {
            ["Time</h2>", "How to repeat it</h2>"].iter().any(|heading| part.starts_with(heading))
        };
        html.split("<h2>").filter(|part| !differs(part)).map(str::to_owned).collect()
    };
    let [first, second] = ["a.html", "b.html"].map(sections);
    assert_eq!(first.len(), 8, "the head and seven sections");
    assert!(first == second);
}

/// A pair that never meets has its least distance in the report.
#[test]
fn a_report_tells_how_near_pairs_came() {
    let place = tempfile::tempdir().unwrap();
    let scene = "name = 'two'\nframes = 3\n[[objects]]\nname = 'here'\nmesh = 'shape:box'\n\
        [[objects]]\nname = 'there'\nmesh = 'shape:box'\nmotion = { kind = 'recorded', file = 'way.txt' }\n";
    std::fs::write(place.path().join("two.toml"), scene).unwrap();
    std::fs::write(place.path().join("way.txt"), "5 0 0\n2.5 0 0\n4 0 0\n").unwrap();
    let run = ["run", "two.toml", "--distance", "--report", "out.html"];
    assert_eq!(xcollide_at(place.path(), &run, "").status, 0);
    let html = std::fs::read_to_string(place.path().join("out.html")).unwrap();
    assert!(html.contains("Nobody met in 3 frames."));
    let row = "<th scope=\"row\">here – there</th>";
    assert!(
        html.contains(row) && html.contains("<a href=\"#moment=1\">0.5 apart at 1</a>"),
        "{html}"
    );
}

#[test]
fn what_cannot_be_written_is_said_before_the_run() {
    for option in ["--report", "--trace"] {
        let ran = xcollide(&format!("run asteroids {option} no/such/folder"));
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.err.starts_with("xcollide: no/such/folder: cannot be written: "), "{ran:?}");
    }
}

/// Each object of an exported scene is red in exactly the frames in which it collides; the file is
/// the same by every exact algorithm.
#[test]
fn an_export_marks_what_collides_while_it_does() {
    let place = tempfile::tempdir().unwrap();
    let scene = ["run", "cage?objects=12&faces=60&side=7", "--frames", "200", "--json", "--export"];
    let ran = xcollide_at(place.path(), &[&scene[..], &["a.glb"]].concat(), "");
    let other = ["b.glb", "--narrow", "brute-force", "--broad", "all-pairs", "--threads", "2"];
    xcollide_at(place.path(), &[&scene[..], &other].concat(), "").json();
    let [path, other] = ["a.glb", "b.glb"].map(|name| place.path().join(name));
    assert!(std::fs::read(&path).unwrap() == std::fs::read(other).unwrap());
    let glb = Glb::read(&path);
    let lists = lists(&ran);
    let mut changing = 0;
    for node in glb.json["nodes"].as_array().unwrap() {
        let Some(name) = node["name"].as_str().filter(|name| !name.ends_with("up")) else {
            continue;
        };
        let Some(Ok(object)) = name.rsplit(' ').next().map(str::parse::<u64>) else { continue };
        let expected: Vec<bool> = lists
            .iter()
            .map(|frame| {
                let now = [1, 2].map(|list| frame[list].as_array().unwrap());
                now.into_iter()
                    .flatten()
                    .any(|pair| pair.as_array().unwrap().contains(&object.into()))
            })
            .collect();
        let Some(children) = node["children"].as_array() else {
            assert!(expected.iter().all(|&collides| collides == expected[0]), "{name}");
            continue;
        };
        changing += 1;
        let [apart, collides] =
            [0, 1].map(|child| glb.shown(children[child].as_u64().unwrap(), 200));
        assert_eq!(collides, expected, "{name}");
        assert!(apart.iter().zip(&collides).all(|(apart, collides)| apart != collides), "{name}");
    }
    assert!(changing > 8, "{changing}");
    // The file is a mesh, too: all faces, those of changing objects twice.
    assert!(xcollide_io::read_path(&path).unwrap().face_count() > 12 * 60);
}

/// A box around another is transparent, so that one sees what is inside. The file has no extensions.
#[test]
fn objects_that_contain_others_are_transparent() {
    let place = tempfile::tempdir().unwrap();
    let scene = "name = 'nested'\nframes = 1\n[[objects]]\nname = 'outer'\nmesh = 'shape:box'\nscale = 3\n\
        [[objects]]\nname = 'inner'\nmesh = 'shape:box'\n";
    std::fs::write(place.path().join("nested.toml"), scene).unwrap();
    for semantics in ["solid", "surface"] {
        let run = ["run", "nested.toml", "--semantics", semantics, "--export", "out.glb"];
        assert_eq!(xcollide_at(place.path(), &run, "").status, 0);
        let glb = Glb::read(&place.path().join("out.glb"));
        assert!(glb.json["extensionsUsed"].is_null() && glb.json["extensionsRequired"].is_null());
        let nodes = glb.json["nodes"].as_array().unwrap();
        let is_transparent = ["outer", "inner"].map(|name| {
            let node = nodes.iter().find(|node| node["name"] == name).unwrap();
            let mesh = &glb.json["meshes"][node["mesh"].as_u64().unwrap() as usize];
            let material = mesh["primitives"][0]["material"].as_u64().unwrap();
            glb.json["materials"][material as usize]["alphaMode"] == "BLEND"
        });
        assert_eq!(is_transparent, [true, false], "{semantics}");
    }
}

/// An export is a scene: the same objects at the same places with the same collisions, within f32
/// numbers and the export's tolerance.
#[test]
fn an_export_can_be_run_again() {
    let place = tempfile::tempdir().unwrap();
    let run = |options: &[&str]| xcollide_at(place.path(), options, "");
    let scene = "cage?objects=12&faces=60&side=7";
    let first = run(&["run", scene, "--frames", "120", "--json", "--export", "a.glb"]);
    let second = run(&["run", "a.glb", "--json"]);
    let summary = |ran: &Ran| ran.json().last().unwrap()["summary"].clone();
    let [before, after] = [&first, &second].map(summary);
    for key in ["frames", "objects", "static"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    // Each has the object's name and number.
    for (number, named) in after["named"].as_array().unwrap().iter().enumerate() {
        let name = named["name"].as_str().unwrap();
        assert_eq!(name.rsplit(' ').next(), Some(&*number.to_string()));
    }
    let now = |ran: &Ran| -> Vec<Vec<Value>> {
        let both =
            |frame: &Value| [1, 2].map(|list| frame[list].as_array().unwrap().clone()).concat();
        lists(ran).iter().map(both).collect()
    };
    let [before, after] = [&first, &second].map(now);
    // A grazing pair may have another answer.
    let all = before.iter().flatten().count();
    let same = before.iter().zip(&after);
    let same: usize = same.map(|(a, b)| a.iter().filter(|pair| b.contains(pair)).count()).sum();
    let found = after.iter().flatten().count();
    assert!(all > 15 && 10 * same > 9 * all && 10 * same > 9 * found, "{all} {same} {found}");
}

#[test]
fn an_export_that_would_be_too_large_is_refused_with_advice() {
    let ran = xcollide("run asteroids --export no/such/folder.glb --frames 1000");
    let expected = "found 100000 moving objects in 1000 frames, expected at most 4000000 poses in \
                    all; --frames 40 would do\n";
    assert!(ran.status == 2 && ran.err.ends_with(expected), "{ran:?}");
}

/// Scenes promise motion bounds, and bouncing breaks them: the lists do not change.
#[test]
fn promises_to_space_time_change_no_lists() {
    for scene in ["cage?objects=30&faces=20", "asteroids?objects=100"] {
        let lists = |broad: &str| {
            let ran = xcollide(&format!("run {scene} --frames 60 --broad {broad} --json"));
            let mut frames = ran.json();
            frames.pop();
            for frame in &mut frames {
                frame.as_object_mut().unwrap().remove("ns");
            }
            frames
        };
        let expected = lists("auto");
        assert!(expected.iter().any(|frame| frame["began"] != json!([])), "{scene}");
        assert_eq!(lists("space-time"), expected, "{scene}");
    }
}

/// A ball is thrown and a wall hangs over it that it cannot reach: with the promise of its fall the pair sleeps, so fewer pairs of boxes are
/// compared, and with the direction fewer still. The lists stay the same, also of a promise that is wrong.
#[test]
fn what_a_scene_promises_saves_tests_of_space_time() {
    let folder = tempfile::tempdir().unwrap();
    let poses: String = (0..60)
        .map(|frame| {
            let t = f64::from(frame);
            format!("[{}, 0, {}],", 0.2 * t, 0.6 * t - 0.01 * t * t)
        })
        .collect();
    let mut counts = Vec::new();
    let mut expected = None;
    for promise in [
        "",
        "[objects.promise]\nacceleration = 0.02",
        "[objects.promise]\nacceleration = 0.02\nnever_towards = [0, 0, 1]",
        "[objects.promise]\nacceleration = 0\nnever_towards = [0, 0, -1]",
    ] {
        let text = format!(
            "name = 'throw'\nframes = 60\n[phases]\nbroad = 'space-time'\n\
             [[objects]]\nmesh = 'shape:box'\nmotion = {{ kind = 'recorded', poses = [{poses}] }}\n{promise}\n\
             [[objects]]\nmesh = 'shape:box'\nstretch = [9, 3, 0.2]\npose = [6, 0, 10.5]\nstatic = true\n\
             [[objects]]\nmesh = 'shape:box'\npose = [11.5, 0, 2]\nstatic = true\n"
        );
        std::fs::write(folder.path().join("throw.toml"), text).unwrap();
        let arguments = ["run", "throw.toml", "--json", "--stats"];
        let ran = xcollide_at(folder.path(), &arguments, "");
        let mut frames = ran.json();
        let summary = frames.pop().unwrap();
        counts.push(summary["summary"]["stats"]["box_tests"].as_u64().unwrap());
        let began: Vec<_> = frames.iter().map(|frame| frame["began"].clone()).collect();
        assert!(began.iter().any(|began| *began == json!([[0, 2]])), "it meets the other box");
        assert_eq!(*expected.get_or_insert(began.clone()), began, "{promise}");
    }
    assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
}

/// An export has the layers that are asked for: a box around each object, a cross at each contact point.
#[test]
fn an_export_of_a_run_has_the_layers_that_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let scene = "name = 'two'\n[[objects]]\nmesh = 'shape:box'\ncount = 2\n\
                 poses = [[0, 0, 0], [1, 0, 0]]\n";
    let layers = |options: &[&str]| -> Vec<String> {
        let run = ["run", "-", "--frames", "2", "--json", "--export", "a.glb"];
        let ran = xcollide_at(place.path(), &[&run[..], options].concat(), scene);
        assert_eq!(ran.json().len(), 3);
        let glb = Glb::read(&place.path().join("a.glb"));
        glb.layers().into_iter().map(str::to_owned).collect()
    };
    let counts = |options: &[&str]| {
        let found = layers(options);
        ["bounding boxes", "contact points"]
            .map(|name| found.iter().filter(|layer| *layer == name).count())
    };
    assert_eq!(counts(&["--layers", "contacts,boxes"]), [2, 1]);
    assert_eq!(counts(&["--layers", "contacts"]), [0, 1]);
    assert_eq!(counts(&[]), [0, 0]);
}
