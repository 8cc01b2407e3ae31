//! `xcollide view`, and the scenes that `check` and `robot` export.

#![allow(clippy::unwrap_used)]

use crate::glb::Glb;
use crate::program;

use std::collections::BTreeSet;
use std::path::Path;

use program::{keys, xcollide, xcollide_at, xcollide_with};
use serde_json::Value;

fn fixtures() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").display().to_string()
}

/// Each subject has a page with a view, in the folder for temporary files.
#[test]
fn every_subject_has_a_page() {
    let place = tempfile::tempdir().unwrap();
    let temporary = [("TMPDIR", place.path().to_str().unwrap())];
    let fixtures = fixtures();
    for (command, texts) in [
        ("shape:knot?faces=200".to_owned(), ["<h1>shape:knot?faces=200</h1>", "What it is"]),
        (format!("{fixtures}/meshes/cube.off"), ["cube.off</h1>", "<td>8</td>"]),
        (
            "shape:box shape:sphere --pose-b -1.5 0 0 --distance".to_owned(),
            ["<h1>shape:box – shape:sphere</h1>", "collides: "],
        ),
        (
            "shape:box shape:box --pose-b 4,0,0 --distance".to_owned(),
            ["Nobody met in 1 query.", "2 apart at 0"],
        ),
        ("cage?objects=4 --frames 9 --seed 3".to_owned(), ["Collisions in cage", "<td>3</td>"]),
        (format!("{fixtures}/scenes/clock.gltf"), ["Collisions in clock", "hand – peg"]),
        (
            format!("{fixtures}/scenes/arm.urdf --joints {fixtures}/scenes/arm.csv"),
            ["Collisions of arm", "base – hand"],
        ),
    ] {
        let arguments: Vec<&str> =
            ["view", "--no-open", "--json"].into_iter().chain(command.split_whitespace()).collect();
        let ran = xcollide_with(&temporary, place.path(), &arguments, "");
        assert_eq!(keys(&ran.out), ["file"], "{command}: {ran:?}");
        let file = ran.json()[0]["file"].as_str().unwrap().to_owned();
        assert!(Path::new(&file).starts_with(place.path()), "{file}");
        let html = std::fs::read_to_string(&file).unwrap();
        assert!(html.contains("<div class=\"view\""), "{command}");
        for text in texts {
            assert!(html.contains(text), "{command}: {text}");
        }
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 7, "a page each, nothing else");
}

#[test]
fn what_cannot_be_viewed_is_told_and_leaves_no_file() {
    let place = tempfile::tempdir().unwrap();
    let temporary = [("TMPDIR", place.path().to_str().unwrap())];
    for (command, told) in [
        ("nothing.stl", "nothing.stl: cannot be read"),
        ("cagee", "scene `cagee` is unknown"),
        ("cage --joints a.csv", "--joints"),
        ("shape:box --pose-b 1,0,0", "required arguments"),
        ("shape:box shape:box --pose-b one", "one"),
    ] {
        let arguments: Vec<&str> =
            ["view", "--no-open"].into_iter().chain(command.split_whitespace()).collect();
        let ran = xcollide_with(&temporary, place.path(), &arguments, "");
        assert!(
            ran.status == 2 && ran.err.contains(told) && ran.out.is_empty(),
            "{command}: {ran:?}"
        );
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    insta::assert_snapshot!("help_view", xcollide("view --help").text());
}

/// The browser is the one of the desktop.
#[cfg(target_os = "linux")]
#[test]
fn a_browser_gets_the_page() {
    let place = tempfile::tempdir().unwrap();
    let opener = place.path().join("xdg-open");
    program::write_script(&opener, "echo \"$1\" > opened.tmp\nmv opened.tmp opened\n");
    let folder = place.path().to_str().unwrap();
    let path = format!("{folder}:/usr/bin:/bin");
    let variables = [("TMPDIR", folder), ("PATH", &*path)];
    let ran = xcollide_with(&variables, place.path(), &["view", "shape:box"], "");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let opened = place.path().join("opened");
    let began = std::time::Instant::now();
    while !opened.exists() {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "nothing was opened");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(std::fs::read_to_string(opened).unwrap(), ran.out);
    let none = [("TMPDIR", folder), ("PATH", "/nowhere")];
    let ran = xcollide_with(&none, place.path(), &["view", "shape:box"], "");
    assert!(ran.error(1).contains("xdg-open: cannot open"), "{ran:?}");
}

/// Marks are lines in layers of their own, and lie where the answers say.
#[test]
fn exports_have_layers() {
    let place = tempfile::tempdir().unwrap();
    let command = "check shape:box shape:box --pose-b 4,0,0 --distance --export a.glb --json \
                   --layers contacts,features,nearest,planes,boxes";
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let answer = xcollide_at(place.path(), &arguments, "").json().remove(0);
    let glb = Glb::read(&place.path().join("a.glb"));
    let json = &glb.json;
    let list = |key: &str| json[key].as_array().unwrap().clone();
    let of = |name: &str| -> Vec<Value> {
        list("nodes").into_iter().filter(|node| glb.layer(node) == Some(name)).collect()
    };
    // They are apart, so there is no contact.
    assert_eq!((of("bounding boxes").len(), of("contact points").len()), (2, 0));
    assert_eq!((of("nearest points").len(), of("separating planes").len()), (1, 1));
    assert_eq!(of("features").len(), 2);
    let numbers = |node: &Value, key: &str| -> Vec<f64> {
        node[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    // From x = 1 to x = 3, and the plane between.
    let nearest = &of("nearest points")[0];
    let from: Vec<f64> = serde_json::from_value(answer["nearest"][0].clone()).unwrap();
    assert!(numbers(nearest, "translation").iter().zip(&from).all(|(a, b)| (a - b).abs() < 1e-6));
    assert_eq!((from[0], numbers(nearest, "scale")[0]), (1.0, 2.0));
    let offset = answer["separation"]["offset"].as_f64().unwrap();
    let plane = &of("separating planes")[0];
    assert!((numbers(plane, "translation")[0] - offset).abs() < 1e-6, "{plane}");
    assert_eq!(numbers(&of("bounding boxes")[1], "translation")[0], 4.0);
}

/// The names of the layers that have marks in a GLB file.
fn layers_of(path: &Path) -> BTreeSet<String> {
    let names =
        ["contact points", "features", "nearest points", "separating planes", "bounding boxes"];
    let layers = Glb::read(path).layers().into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    layers.into_iter().filter(|name| names.contains(&&**name)).collect()
}

/// `check` has contacts, nearest points and planes, `run` nothing; planes of `check` need no distance, and a robot has none.
#[test]
fn layers_are_those_asked_for_or_the_defaults() {
    let place = tempfile::tempdir().unwrap();
    let fixtures = fixtures();
    let scene = "name = 'two'\nframes = 2\n[[objects]]\nmesh = 'shape:box'\n\
        [[objects]]\nmesh = 'shape:box'\npose = [1.5, 0, 0]\n[[objects]]\nmesh = 'shape:box'\npose = [9, 0, 0]\n";
    std::fs::write(place.path().join("two.toml"), scene).unwrap();
    let boxes = "check shape:box shape:box --pose-b";
    let robot = format!("robot {fixtures}/scenes/arm.urdf --joints {fixtures}/scenes/arm.csv");
    let cases: [(String, &[&str]); 7] = [
        (format!("{boxes} 4,0,0 --distance"), &["nearest points", "separating planes"]),
        (format!("{boxes} 4,0,0"), &["separating planes"]),
        (format!("{boxes} 1.5,0,0"), &["contact points"]),
        (format!("{boxes} 4,0,0 --layers boxes"), &["bounding boxes"]),
        ("run two.toml".to_owned(), &[]),
        ("run two.toml --layers contacts".to_owned(), &["contact points"]),
        (format!("{robot} --distance --layers planes,boxes"), &["bounding boxes"]),
    ];
    for (command, layers) in cases {
        let arguments: Vec<&str> =
            command.split_whitespace().chain(["--export", "a.glb"]).collect();
        let ran = xcollide_at(place.path(), &arguments, "");
        assert_eq!(ran.status, 0, "{command}: {ran:?}");
        let found = layers_of(&place.path().join("a.glb"));
        assert!(found.iter().eq(layers), "{command}: {found:?}");
    }
    let planes = ["run", "two.toml", "--layers", "planes", "--export", "b.glb"];
    let refused = xcollide_at(place.path(), &planes, "");
    assert!(refused.error(2).contains("found planes without --distance"), "{refused:?}");
}

#[test]
fn each_query_of_a_check_is_a_frame_of_its_export() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("poses.txt"), "4 0 0\n3 0 0\n1.5 1 0\n").unwrap();
    let check = ["check", "shape:box", "shape:box", "--poses", "poses.txt", "--export", "a.glb"];
    let ran = xcollide_at(place.path(), &check, "");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let glb = Glb::read(&place.path().join("a.glb"));
    let json = &glb.json;
    let samplers = json["animations"][0]["samplers"].as_array().unwrap();
    let ends = samplers.iter().map(|sampler| {
        let times = &json["accessors"][sampler["input"].as_u64().unwrap() as usize];
        times["max"][0].as_f64().unwrap()
    });
    // Frames 0 to 2, of which there are 30 in a second.
    let end = ends.fold(0.0, f64::max);
    assert!((end - 2.0 / 30.0).abs() < 1e-6, "{end}");
}

/// The bodies of a robot are its links, and an export of it can be read as a mesh.
#[test]
fn a_robot_has_a_report_and_an_export() {
    let place = tempfile::tempdir().unwrap();
    let fixtures = fixtures();
    let [urdf, csv] = ["arm.urdf", "arm.csv"].map(|name| format!("{fixtures}/scenes/{name}"));
    let files = ["--report", "a.html", "--export", "a.glb", "--json", "--witness"];
    let arguments = [&["robot", &urdf, "--joints", &csv][..], &files].concat();
    let rows = xcollide_at(place.path(), &arguments, "").json();
    let html = std::fs::read_to_string(place.path().join("a.html")).unwrap();
    let mut met = 0;
    for row in &rows {
        let witnesses = row["witnesses"].as_array().unwrap();
        assert_eq!(witnesses.len(), row["pairs"].as_array().unwrap().len());
        for (pair, witness) in row["pairs"].as_array().unwrap().iter().zip(witnesses) {
            assert_eq!(&witness["pair"], pair);
            assert_eq!(witness["witness"]["point"].as_array().unwrap().len(), 3);
            let names = format!("{} – {}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
            assert!(html.contains(&names), "{names}");
            met += 1;
        }
    }
    assert!(met > 10 && html.contains("meters and radians"), "{met}");
    assert!(xcollide_io::read_path(place.path().join("a.glb")).unwrap().face_count() > 100);
}

/// Without `--layers` an export of a check has contact points, nearest points and planes; it has a frame for each query.
#[test]
fn an_export_has_three_layers_and_a_frame_a_query() {
    let place = tempfile::tempdir().unwrap();
    let command = "check shape:box shape:box --poses - --distance --export a.glb --json";
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let poses = "4 0 0\n1 0.5 0\n3 2 1\n5 0 0\n";
    assert_eq!(xcollide_at(place.path(), &arguments, poses).json().len(), 4);
    let glb = Glb::read(&place.path().join("a.glb"));
    let json = &glb.json;
    let layers = glb.layers();
    for (name, is_there) in [
        ("contact points", true),
        ("nearest points", true),
        ("separating planes", true),
        ("features", false),
        ("bounding boxes", false),
    ] {
        assert_eq!(layers.contains(&name), is_there, "{name}: {layers:?}");
    }
    // Thirty frames a second: the last one is that of the fourth query.
    let samplers = json["animations"][0]["samplers"].as_array().unwrap();
    let ends = samplers.iter().map(|sampler| {
        let times = sampler["input"].as_u64().unwrap() as usize;
        json["accessors"][times]["max"][0].as_f64().unwrap()
    });
    let last = ends.fold(0.0, f64::max);
    assert!((last - 0.1).abs() < 1e-6, "{last}");
}

/// A link that touches an obstacle: the faces that meet are marked, and there is no plane.
#[test]
fn an_export_of_a_robot_marks_the_features_that_meet() {
    let place = tempfile::tempdir().unwrap();
    let urdf = "<robot name='r'><link name='base'/><link name='arm'><collision><geometry>\
                <box size='1 1 1'/></geometry></collision></link>\
                <joint name='turn' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint></robot>";
    std::fs::write(place.path().join("r.urdf"), urdf).unwrap();
    let cell = "name = 'cell'\n[[objects]]\nname = 'post'\nmesh = 'shape:box?x=1&y=1&z=1'\n\
                pose = [1, 0.25, 0.25]\n";
    std::fs::write(place.path().join("cell.toml"), cell).unwrap();
    let command = "robot r.urdf --obstacles cell.toml --distance --export a.glb --json \
                   --layers contacts,features,planes";
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let row = xcollide_at(place.path(), &arguments, "").json().remove(0);
    assert_eq!(row["pairs"], serde_json::json!([["arm", "post"]]));
    let glb = Glb::read(&place.path().join("a.glb"));
    let json = &glb.json;
    let nodes = json["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().filter(|node| node["name"] == "feature").count(), 2);
    let materials = json["materials"].as_array().unwrap();
    assert!(materials.iter().all(|material| material["name"] != "separating planes"));
}
