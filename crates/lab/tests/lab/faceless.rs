//! Meshes without faces and scenes without objects are refused: nothing would ever collide.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{Ran, xcollide_at};

const FILES: [(&str, &str); 6] = [
    ("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\n"),
    ("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"),
    ("empty.stl", "solid nothing\nendsolid nothing\n"),
    (
        "cloud.ply",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                   property float z\nend_header\n0 0 0\n",
    ),
    ("lines.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[]}]}"),
    ("none.toml", "name = 'none'\nobjects = []\n"),
];

/// Runs the program beside these files.
fn run(arguments: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
        let scene =
            format!("name = 'a'\n[[objects]]\nmesh = 'shape:box'\n[[objects]]\nmesh = '{name}'\n");
        std::fs::write(folder.path().join(format!("{name}.scene")), scene).unwrap();
    }
    let arguments: Vec<&str> = arguments.split(' ').collect();
    xcollide_at(folder.path(), &arguments, "")
}

#[test]
fn a_check_of_a_mesh_without_faces_is_refused() {
    for (file, vertices) in [
        ("points.obj", "3 vertices"),
        ("lines.obj", "2 vertices"),
        ("empty.stl", "no vertices"),
        ("cloud.ply", "1 vertex"),
    ] {
        let expected = format!("{file}: found {vertices} and no faces, expected at least one face");
        for command in ["check shape:box", "check --exit-code shape:box", "check --json shape:box"]
        {
            let ran = run(&format!("{command} {file}"));
            assert_eq!((ran.error(2), &*ran.out), (&*expected, ""));
        }
        assert_eq!(run(&format!("check {file} shape:box")).error(2), expected);
        assert_eq!(run(&format!("picture {file} --export out.glb")).error(2), expected);
    }
}

#[test]
fn a_classification_of_a_mesh_without_faces_warns() {
    let ran = run("classify --json points.obj shape:box");
    assert_eq!(ran.objects().len(), 2);
    assert_eq!(
        (ran.objects()[0]["vertices"].as_u64(), ran.objects()[0]["faces"].as_u64()),
        (Some(3), Some(0))
    );
    let expected = "points.obj: found 3 vertices and no faces, expected at least one face; nothing \
                    collides with it";
    assert_eq!(ran.error(0), expected);
    assert_eq!(run("classify --quiet points.obj").err, "");
}

#[test]
fn a_scene_with_nothing_to_collide_is_refused() {
    for (file, vertices) in [("points.obj", "3 vertices"), ("empty.stl", "no vertices")] {
        let expected =
            format!("key `objects[1].mesh`: found `{file}`, which has {vertices} and no faces");
        for command in ["run", "compare"] {
            let ran = run(&format!("{command} {file}.scene --frames 1"));
            assert!(ran.error(2).ends_with(&expected), "{ran:?}");
        }
    }
    for (scene, found) in [
        ("none.toml", "none.toml: found no objects, expected at least one"),
        (
            "lines.gltf",
            "lines.gltf: key `imports[0].file`: found `lines.gltf`, which shows no mesh",
        ),
    ] {
        for command in ["run", "compare"] {
            let ran = run(&format!("{command} {scene}"));
            assert!(ran.error(2).starts_with(found), "{ran:?}");
        }
    }
}
