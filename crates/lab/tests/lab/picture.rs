//! `xcollide picture`: drawn hierarchies and errors.

#![allow(clippy::unwrap_used)]

use crate::glb::Glb;
use crate::program;

use std::collections::BTreeSet;

use program::{Ran, keys, xcollide, xcollide_at};
use serde_json::json;

/// Runs `picture` in its own folder; returns the file too.
fn picture(arguments: &str) -> (Ran, Option<Vec<u8>>) {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("points.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let mut all = vec!["picture"];
    all.extend(arguments.split_whitespace());
    all.extend(["--export", "out.glb"]);
    let ran = xcollide_at(place.path(), &all, "");
    (ran, std::fs::read(place.path().join("out.glb")).ok())
}

const ALGORITHMS: [&str; 7] =
    ["box-tree", "interval-tree", "aabb-tree", "obb-tree", "kdop-tree", "sphere-tree", "wide-obb"];

/// Numbers of triangles and lines of a GLB file, read independently from its JSON.
fn elements(glb: &[u8]) -> [u64; 2] {
    let root = Glb::of(glb).json;
    let mut counts = [0; 2];
    for mesh in root["meshes"].as_array().unwrap() {
        for primitive in mesh["primitives"].as_array().unwrap() {
            let indices = primitive["indices"].as_u64().unwrap() as usize;
            let count = root["accessors"][indices]["count"].as_u64().unwrap();
            match primitive["mode"].as_u64() {
                Some(1) => counts[1] += count / 2,
                _ => counts[0] += count / 3,
            }
        }
    }
    counts
}

/// Every hierarchy shows all faces once; level 0 is one volume.
#[test]
fn a_level_shows_the_whole_mesh_once() {
    for algorithm in ALGORITHMS {
        for (level, volumes) in [("0", Some(1)), ("3", None), ("leaves", None)] {
            let line =
                format!("shape:sphere?faces=200 --algorithm {algorithm} --level {level} --json");
            let (ran, file) = picture(&line);
            let record = ran.json().remove(0);
            assert_eq!(keys(&ran.out), ["algorithm", "level", "volumes", "faces", "file"]);
            let drawn = record["volumes"].as_u64().unwrap();
            assert!(volumes.is_none_or(|wanted| drawn == wanted), "{line}: {drawn} volumes");
            assert!(level == "0" || drawn > 1, "{line}");
            let [triangles, lines] = elements(&file.unwrap());
            let (classified, faces) =
                (xcollide("classify --json shape:sphere?faces=200"), &record["faces"]);
            assert_eq!(classified.json()[0]["faces"], *faces);
            assert!(triangles >= faces.as_u64().unwrap(), "{line}");
            let per_volume = if algorithm == "sphere-tree" { 72 } else { 12 };
            if algorithm == "kdop-tree" {
                assert!(lines >= 3 * drawn, "{line}: {lines} lines");
            } else {
                assert_eq!(lines, per_volume * drawn, "{line}");
            }
        }
    }
}

/// Each sphere is a node with the shape of the ball, beside the body; an open mesh has none.
/// A triangle in several volumes is drawn once, in one of six colours.
#[test]
fn each_triangle_is_drawn_once_in_one_of_six_colors() {
    let mut counts = BTreeSet::new();
    for algorithm in ALGORITHMS {
        for level in ["3", "leaves"] {
            let line = format!("shape:knot?faces=500 --algorithm {algorithm} --level {level}");
            let glb = picture(&line).1.unwrap();
            counts.insert(elements(&glb)[0]);
            let root = Glb::of(&glb).json;
            let names = root["materials"].as_array().unwrap().iter().map(|of| of["name"].as_str());
            let plain = names.flatten().map(|name| name.replace(", lines", ""));
            let colors: BTreeSet<_> = plain.collect();
            assert!((2..=6).contains(&colors.len()), "{line}: {colors:?}");
            assert!(level == "3" || colors.len() == 6, "{line}: {colors:?}");
        }
    }
    assert_eq!(counts.len(), 1, "triangles by algorithm and level: {counts:?}");
}

#[test]
fn spheres_fill_a_closed_mesh() {
    let (ran, file) = picture("shape:torus?faces=200 --spheres 30 --json");
    let record = ran.json().remove(0);
    assert_eq!(keys(&ran.out), ["algorithm", "spheres", "filled", "faces", "file"]);
    assert_eq!((&record["algorithm"], &record["spheres"]), (&json!("inner-spheres"), &json!(30)));
    let filled = record["filled"].as_f64().unwrap();
    assert!(filled > 0.3 && filled < 1.0, "{filled}");
    let glb = file.unwrap();
    let root = Glb::of(&glb).json;
    assert_eq!(
        root["nodes"].as_array().unwrap().iter().filter(|n| n["name"] == "sphere").count(),
        30
    );
    let (open, file) = picture("shape:mobius?faces=30 --spheres 30");
    assert_eq!((open.status, file), (2, None));
    assert!(open.err.contains("bounds no body"), "{}", open.err);
}

#[test]
fn two_meshes_at_work_show_what_is_reached() {
    for algorithm in ALGORITHMS {
        let pose = "--pose-a 0 0 1 0 0 0 1 --pose-b 1.2 0 1 0 0 0 1";
        let meshes = "shape:sphere?faces=300 shape:torus?faces=300";
        let (ran, file) = picture(&format!("{meshes} {pose} --algorithm {algorithm} --json"));
        let record = ran.json().remove(0);
        assert_eq!(keys(&ran.out), ["algorithm", "reached", "overlapping", "contacts", "file"]);
        for side in 0..2 {
            let [reached, overlapping] =
                ["reached", "overlapping"].map(|key| record[key][side].as_u64().unwrap());
            assert!(overlapping > 0 && overlapping <= reached, "{algorithm}: {record}");
        }
        let checked = xcollide(&format!("check {meshes} {pose} --contacts --json")).json();
        let contacts = checked[0]["contacts"].as_array().unwrap().len();
        assert!(contacts > 0);
        assert_eq!(record["contacts"], json!(contacts), "{algorithm}");
        assert!(elements(&file.unwrap())[1] > 0);
    }
    let (far, file) = picture("shape:box shape:box --pose-b 9 0 0 0 0 0 1 --json");
    assert_eq!(far.json()[0]["contacts"], 0);
    assert_eq!(far.json()[0]["overlapping"], json!([0, 0]));
    assert!(file.is_some());
}

#[test]
fn the_same_picture_is_the_same_bytes() {
    let line = "shape:knot?faces=500 shape:box --pose-b 1 0 0 0 0 0 1 --algorithm obb-tree";
    assert_eq!(picture(line).1.unwrap(), picture(line).1.unwrap());
}

#[test]
fn wrong_use_is_told_in_one_line() {
    for (line, told) in [
        ("shape:box --algorithm brute-force", "invalid value 'brute-force'"),
        ("shape:box --level deep", "expected a whole number, or leaves"),
        ("shape:box --level -1", "'-1'"),
        ("shape:box shape:box --level 2", "cannot be used with"),
        ("shape:box --pose-b 0 0 0 0 0 0 1", "required"),
        ("shape:box shape:box --pose-b 0 0 0 0 0 0 2", "--pose-b"),
        ("shape:bax", "bax"),
        ("no-such-file.obj", "no-such-file.obj"),
        ("points.obj", "points.obj: found 2 vertices and no faces, expected at least one face"),
    ] {
        let (ran, file) = picture(line);
        assert!(ran.error(2).contains(told), "{line}: {}", ran.err);
        assert!(file.is_none(), "{line} writes nothing");
    }
    assert_eq!(xcollide("picture shape:box").status, 2);
    assert!(xcollide("picture shape:box --export no/such/folder.glb").error(1).contains("no/such"));
}

#[test]
fn people_read_lines() {
    let (ran, _) = picture("shape:box --algorithm aabb-tree --level 1");
    assert_eq!(ran.text(), "aabb-tree, level 1: 2 volumes around 6 faces; drawn into out.glb");
    insta::assert_snapshot!("help_picture", xcollide("picture --help").text());
}

/// Leaves that overlap are orange, faces that meet are red.
#[test]
fn two_meshes_at_work_have_their_colours() {
    let meshes = "shape:sphere?faces=300 shape:torus?faces=300 --pose-b 1.2 0 0 0 0 0 1";
    let glb = picture(meshes).1.unwrap();
    let root = Glb::of(&glb).json;
    let color = |name: &str| -> [f64; 3] {
        let materials = root["materials"].as_array().unwrap();
        let number = materials.iter().position(|material| material["name"] == name).unwrap();
        let meshes = root["meshes"].as_array().unwrap();
        let is_used = |mesh: &serde_json::Value| mesh["primitives"][0]["material"] == number;
        assert!(meshes.iter().any(is_used), "{name}");
        let factor = &materials[number]["pbrMetallicRoughness"]["baseColorFactor"];
        [0, 1, 2].map(|part| factor[part].as_f64().unwrap())
    };
    let [red, green, blue] = color("overlaps");
    assert!(red > 2.0 * green && green > 0.1 && blue < 0.01, "{red} {green} {blue}");
    let [red, green, blue] = color("meets");
    assert!(red > 0.9 && green < 0.01 && blue < 0.01, "{red} {green} {blue}");
}
