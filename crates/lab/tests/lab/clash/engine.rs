//! The program with the other engine.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::*;

/// The one beside the program is started, else that on the path, with the arguments as they are and its exit status.
#[test]
fn the_engine_is_beside_the_program_or_on_the_path() {
    let place = tempfile::tempdir().unwrap();
    let [beside, on_path] = ["beside", "on_path"].map(|name| place.path().join(name));
    let program = beside.join("xcollide");
    fs::create_dir(&beside).unwrap();
    copy(Path::new(env!("CARGO_BIN_EXE_xcollide")), &program);
    let engine = |folder: &Path, status: u8| {
        fs::create_dir_all(folder).unwrap();
        let (draft, path) = (place.path().join("draft"), folder.join("xcollide-cluster"));
        fs::write(&draft, format!("#!/bin/sh\necho \"$0: $*\"\nexit {status}\n")).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        copy(&draft, &path);
        path
    };
    let run = || {
        let mut command = Command::new(&program);
        command.args(["clash", "plant.csv", "--engine", "datafusion", "--json"]);
        let ran = command.env("PATH", &on_path).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
    };
    assert_eq!(run().0, Some(2), "there is none");
    for (folder, status) in [(&on_path, 10), (&beside, 7)] {
        let path = engine(folder, status);
        let told = format!("{}: clash plant.csv --engine datafusion --json\n", path.display());
        assert_eq!(run(), (Some(i32::from(status)), told));
    }
}

/// Copies a program in another process. A process that a test beside this one starts would inherit the file while this process
/// writes it, and a file that is open for writing cannot be executed.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").args([from, to]).status().unwrap().success());
}
