//! The program with the other engine.

use std::fs;
use std::process::Command;

use super::*;

/// The one beside the program is started, else that on the path, with the arguments as they are and its exit status.
#[test]
fn the_engine_is_beside_the_program_or_on_the_path() {
    let place = tempfile::tempdir().unwrap();
    let [beside, on_path] = ["beside", "on_path"].map(|name| place.path().join(name));
    let copied = beside.join("xcollide");
    fs::create_dir(&beside).unwrap();
    program::copy(Path::new(env!("CARGO_BIN_EXE_xcollide")), &copied);
    let engine = |folder: &Path, status: u8| {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join("xcollide-cluster");
        program::write_script(&path, &format!("echo \"$0: $*\"\nexit {status}\n"));
        path
    };
    let run = || {
        let mut command = Command::new(&copied);
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
