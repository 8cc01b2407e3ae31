//! Exported scenes pass the Khronos validator.
//!
//! It is an npm package, in the folder `XCOLLIDE_GLTF_VALIDATOR` or fetched from the registry.
//! Without Node.js or a registry the test passes with a message; with `XCOLLIDE_REQUIRE_TOOLS=1` it
//! fails.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::{Path, PathBuf};
use std::process::Command;

use program::xcollide_at;
use xcollide_fixtures::skip;

/// The validator's version, as others may judge differently.
const PACKAGE: &str = "gltf-validator@2.0.0-dev.3.10";

/// Prints the numbers of errors, warnings and remarks of each file.
const SCRIPT: &str = "
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
    for (const file of process.argv.slice(2)) {
        const bytes = new Uint8Array(fs.readFileSync(file));
        const { issues } = await validator.validateBytes(bytes);
        console.log(file, issues.numErrors, issues.numWarnings, issues.numInfos);
        issues.messages.slice(0, 5).forEach(issue => console.error(file, JSON.stringify(issue)));
    }
})();
";

/// Installs the validator in a folder and returns its version, if possible.
fn install(place: &Path) -> Option<PathBuf> {
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(place).output().is_ok_and(|out| out.status.success())
    };
    let options = ["--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=20000"];
    if !run("node", &["--version"]) {
        return None;
    }
    if let Some(there) = std::env::var_os("XCOLLIDE_GLTF_VALIDATOR").map(PathBuf::from) {
        return Some(there);
    }
    let install = [&["install", "--prefix", ".", PACKAGE], &options[..]].concat();
    run("npm", &install).then(|| place.to_owned())
}

#[test]
fn exported_scenes_pass_the_khronos_validator() {
    let place = tempfile::tempdir().unwrap();
    let Some(judge) = install(place.path()) else {
        skip(&format!("node, npm and the package {PACKAGE} are not all at hand"));
        return;
    };
    std::fs::write(place.path().join("judge.js"), SCRIPT).unwrap();
    let scenes = [
        "cage",
        "sphere-in-sphere",
        "car-game",
        "pile",
        "tumble",
        "icollide?objects=60",
        "cloth?triangles=200",
        "potter?faces=400",
    ];
    let mut files = Vec::new();
    for (number, scene) in scenes.into_iter().enumerate() {
        let file = format!("{number}.glb");
        let ran =
            xcollide_at(place.path(), &["run", scene, "--frames", "120", "--export", &file], "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{scene}");
        files.push(file);
    }
    let pictures = [
        "shape:knot?faces=900 --algorithm obb-tree --level 4",
        "shape:knot?faces=900 --algorithm kdop-tree",
        "shape:torus?faces=900 shape:tetraflake?depth=3 --pose-b 1 0 0 0 0 0 1",
        "shape:box shape:box --algorithm sphere-tree --pose-b 9 0 0 0 0 0 1",
    ];
    for (number, picture) in pictures.into_iter().enumerate() {
        let file = format!("picture-{number}.glb");
        let mut arguments = vec!["picture", "--export", &file];
        arguments.extend(picture.split_whitespace());
        let ran = xcollide_at(place.path(), &arguments, "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{picture}");
        files.push(file);
    }
    let layers = "contacts,features,nearest,planes,boxes";
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes/arm.urdf");
    let arm = arm.display().to_string();
    std::fs::write(place.path().join("poses.txt"), "3 0 0\n2.3 0 0.1\n0.5 0 0\n").unwrap();
    let layered = [
        "run cage?objects=12&faces=60&side=7 --distance=1 --frames 60",
        "run cloth?triangles=200 --distance=1 --frames 20",
        "check shape:torus shape:sphere --distance --poses poses.txt",
        "check shape:box shape:box --distance --pose-b 3,0,0",
        &format!("robot {arm} --distance"),
    ];
    for (number, command) in layered.into_iter().enumerate() {
        let file = format!("layers-{number}.glb");
        let mut arguments: Vec<&str> = command.split_whitespace().collect();
        arguments.extend(["--report", "out.html", "--export", &file, "--layers", layers]);
        let ran = xcollide_at(place.path(), &arguments, "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{command}");
        files.push(file);
    }
    let judged = Command::new("node")
        .env("NODE_PATH", judge.join("node_modules"))
        .arg("judge.js")
        .args(&files)
        .current_dir(place.path())
        .output()
        .unwrap();
    let [told, details] =
        [judged.stdout, judged.stderr].map(|text| String::from_utf8(text).unwrap());
    let expected: Vec<String> = files.iter().map(|file| format!("{file} 0 0 0")).collect();
    assert_eq!(told.lines().collect::<Vec<_>>(), expected, "{details}");
}
