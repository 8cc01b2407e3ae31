//! Error messages say what is wrong and what to do.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;

use program::{xcollide, xcollide_at};

#[test]
fn without_a_command_the_usage_is_shown() {
    let ran = xcollide_at(Path::new("."), &[], "");
    assert_eq!((ran.status, &*ran.out), (2, ""));
    assert!(ran.err.contains("Usage: xcollide [OPTIONS] <COMMAND>"), "{}", ran.err);
    assert!(ran.err.contains("\n  check ") && ran.err.contains("--json"), "{}", ran.err);
}

/// Files of known formats, the name of each and the first words of what to do.
const FOREIGN: [(&str, &[u8], &str); 8] = [
    (
        "a.dae",
        b"<?xml version='1.0'?>\n<COLLADA version='1.4.1'/>",
        "a Collada file; convert it to glTF",
    ),
    ("a.obj", b"\n<COLLADA/>", "a Collada file; convert it to glTF"),
    ("a.fbx", b"Kaydara FBX Binary  \0\x1a\0", "an FBX file; convert it to glTF"),
    ("a.3mf", b"PK\x03\x04\x14\0", "a 3MF file; convert it to glTF"),
    ("a.zip", b"PK\x03\x04\x14\0", "a zip file; unpack it"),
    ("a.stl.gz", b"\x1f\x8b\x08\0\0\0", "a gzip file; decompress it"),
    (
        "arm.xml",
        b"<robot name='a'><link name='b'/></robot>",
        "a URDF file; `xcollide run` takes it",
    ),
    ("arm.xacro", b"<robot xmlns:xacro='x'/>", "a xacro file; expand it to URDF"),
];

#[test]
fn files_of_other_formats_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, about) in FOREIGN {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let scene = format!("name = 'a'\n[[objects]]\nmesh = '{name}'\n");
        std::fs::write(folder.path().join("s.toml"), scene).unwrap();
        let told =
            |arguments: &[&str]| xcollide_at(folder.path(), arguments, "").error(2).to_owned();
        let expected = format!("{name}: is {about}");
        for arguments in [&["check", "shape:box", name][..], &["classify", name]] {
            assert!(told(arguments).starts_with(&expected), "{}", told(arguments));
        }
        // A mesh is refused as a scene by its ending.
        if name != "a.obj" {
            let [run, compare] = ["run", "compare"].map(|command| told(&[command, name]));
            assert!(run.starts_with(&expected) && run == compare, "{run}");
        }
        let object = told(&["run", "s.toml"]);
        let expected = format!("s.toml: key `objects[0].mesh`: found `{name}`, which is {about}");
        assert!(object.starts_with(&expected), "{object}");
        if let Ok(text) = std::str::from_utf8(bytes) {
            let ran = xcollide_at(folder.path(), &["check", "-", "shape:box"], text);
            assert!(ran.error(2).starts_with("standard input: "), "{ran:?}");
        }
    }
    assert!(xcollide("check nowhere.dae shape:box").error(2).contains("cannot be read"));
}

#[test]
fn a_value_that_is_too_small_is_told_with_the_least() {
    let check = "check shape:box shape:box";
    let at_least_one = "expected a whole number of at least 1";
    for (arguments, expected) in [
        (format!("{check} --threads 0"), at_least_one),
        (format!("{check} --threads -1"), at_least_one),
        (format!("{check} --repeat 0"), at_least_one),
        (format!("{check} --repeat -3"), at_least_one),
        ("compare --rounds 0".to_owned(), at_least_one),
        ("compare --rounds -1".to_owned(), at_least_one),
        ("run --frames -1".to_owned(), "expected a whole number from 1"),
        ("run --seed -1".to_owned(), "invalid value '-1' for '--seed <N>'"),
        (format!("{check} --tolerance -1"), "expected a finite number of at least 0"),
        ("run --tolerance -1".to_owned(), "expected a finite number of at least 0"),
        (format!("{check} --budget -1ms"), "expected a number and a unit"),
        (format!("{check} --contacts=-1"), "expected a whole number, or nothing"),
        ("picture shape:box --export a.glb --level -1".to_owned(), "expected a whole number"),
        (format!("{check} --pose-a -1 0"), "found 2 numbers, expected 3"),
        (format!("{check} --pose-a -1,0"), "found 2 numbers, expected 3"),
    ] {
        let ran = xcollide(&arguments);
        assert!(ran.error(2).contains(expected), "{arguments}: {ran:?}");
    }
}

#[test]
fn poses_may_begin_with_a_minus() {
    for pose in [&["-1 0 0"][..], &["-1", "0", "0"], &["-1,0,0"], &["-1e0 -0 -0"]] {
        for option in ["--pose-a", "--pose-b"] {
            let arguments = [&["check", option], pose, &["shape:box", "shape:box"]].concat();
            let ran = xcollide_at(Path::new("."), &arguments, "");
            assert!(ran.text().starts_with("collides: "), "{arguments:?}: {ran:?}");
        }
    }
}

/// No number is written with hundreds of zeros.
#[test]
fn tiny_numbers_are_in_scientific_notation() {
    for (arguments, expected) in [
        ("check shape:sphere?radius=1e-310 shape:box", "found 1e-310, expected a length"),
        ("check shape:mobius?width=1e10&radius=1e-90 shape:box", "at most the radius, 1e-90"),
        ("run cage?side=1e-310", "found 1e-310, expected a length"),
        ("check shape:box shape:box --pose-b 0,0,0,1e-150,0,0,0", "has length 1e-150"),
        ("check shape:box shape:box --pose-b 1,0,0,0,0,1e-150,0,0,0,0,1,0", "has length 1e-150"),
        ("check shape:box?x=1e-90 shape:box --pose-b 3,0,0 --distance", "(5e-91, "),
    ] {
        let ran = xcollide(arguments);
        let text = format!("{}{}", ran.out, ran.err);
        assert!(text.contains(expected) && !text.contains("0.00000000"), "{text}");
    }
}
