//! Output files: complete or as they were.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;

use program::{xcollide, xcollide_at};

/// Every option that writes a file, on work of some seconds or none.
const OUTPUTS: [(&str, &str); 6] = [
    ("run asteroids --report", "html"),
    ("run asteroids?objects=9000 --export", "glb"),
    ("run asteroids --trace", "csv"),
    ("compare asteroids --report", "html"),
    ("picture shape:box --export", "glb"),
    ("classify shape:soup --repair", "off"),
];

#[test]
fn an_ending_that_does_not_fit_is_refused_before_any_work() {
    for (command, ending) in OUTPUTS {
        for wrong in ["gltf", "pdf", "json", "txt"] {
            let ran = xcollide(&format!("{command} no/such/out.{wrong}"));
            let error = ran.error(2);
            let found = format!("found the ending .{wrong}, expected ");
            assert!(error.contains(&found) && error.contains(&format!(".{ending}")), "{error}");
        }
    }
    assert!(xcollide("compare --save wrong.glb").error(2).contains("expected .toml"));
    let error = xcollide("classify shape:soup --repair out").error(2).to_owned();
    assert!(error.starts_with("out: the name has no ending of a format, expected .obj"), "{error}");
}

#[test]
fn what_cannot_be_replaced_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for (command, ending) in OUTPUTS {
        std::fs::create_dir_all(folder.path().join(format!("taken.{ending}"))).unwrap();
        for at in ["taken", "no/such/out"] {
            let arguments = format!("{command} {at}.{ending}");
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let ran = xcollide_at(folder.path(), &arguments, "");
            let expected = format!("{at}.{ending}: cannot be written: ");
            assert!(ran.error(1).starts_with(&expected), "{ran:?}");
        }
    }
}

/// Runs a shell command in a folder with an old `out.csv`, and asserts that it is all that is there.
#[cfg(unix)]
fn leaves_the_old_file(command: &str) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("out.csv"), "old").unwrap();
    let program = env!("CARGO_BIN_EXE_xcollide");
    let ran = std::process::Command::new("sh")
        .args(["-c", &command.replace("xcollide", program)])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("out.csv")).unwrap(), "old");
    let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let entries: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    let is_hidden = |name: &str| name.starts_with(".xcollide-") && name.ends_with(".tmp");
    assert!(entries.iter().all(|name| name == "out.csv" || is_hidden(name)), "{entries:?}");
    assert!(ran.status.code().is_none() || entries.len() == 1, "{entries:?}");
    ran
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let run = "xcollide run cage --trace out.csv";
    // A limit on the size of files, in blocks of 512 bytes, refuses writes as a full disk does.
    let ran = leaves_the_old_file(&format!("trap '' XFSZ; ulimit -f 16; {run}"));
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(error.starts_with("xcollide: out.csv: cannot be written: "), "{error}");
    // Without the trap the limit kills the program.
    let killed = leaves_the_old_file(&format!("ulimit -f 16; exec {run}"));
    assert_eq!(killed.status.code(), None);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_leaves_the_old_file() {
    let ran = leaves_the_old_file("xcollide run cage --json --trace out.csv | head -1");
    assert_eq!(
        (ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), ran.stderr.len()),
        (1, 0)
    );
    let ran = leaves_the_old_file("(xcollide list; echo $? >&2) | head -1");
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "0\n");
}

/// A folder without write permission refuses all but root.
#[cfg(unix)]
#[test]
fn a_folder_that_takes_no_files_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::write(closed.join("out.csv"), "old").unwrap();
    let set = |mode| {
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o555);
    if tempfile::tempfile_in(&closed).is_err() {
        let ran = xcollide_at(folder.path(), &["run", "--trace", "closed/out.csv"], "");
        assert!(ran.error(1).starts_with("closed/out.csv: cannot be written: permission denied"));
    }
    set(0o755);
    assert_eq!(std::fs::read_to_string(closed.join("out.csv")).unwrap(), "old");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_standard_output_are_written_directly() {
    let run = "run pile?layers=2&faces=40 --frames 2 --trace";
    assert_eq!(xcollide(&format!("{run} /dev/null")).status, 0);
    let full = xcollide(&format!("{run} /dev/full"));
    assert!(full.error(1).starts_with("/dev/full: cannot be written: "), "{full:?}");
    let shown = xcollide(&format!("{run} /dev/stdout")).out;
    assert!(shown.starts_with("frame,id,min_x") && shown.contains("\n2 frames: "), "{shown}");
    // Redirected to a file, the summary follows the trace too.
    let folder = tempfile::tempdir().unwrap();
    let command = format!("{} {run} /dev/stdout > out.txt", env!("CARGO_BIN_EXE_xcollide"));
    let command = command.replace("pile?layers=2&faces=40", "'pile?layers=2&faces=40'");
    let mut shell = std::process::Command::new("sh");
    let ended = shell.args(["-c", &command]).current_dir(folder.path()).status().unwrap();
    assert!(ended.success());
    let redirected = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
    let trace = |text: &str| text.split("pile").next().unwrap().to_owned();
    assert_eq!(trace(&redirected), trace(&shown));
    assert!(redirected.contains("\n2 frames: "), "{redirected}");
}

#[test]
fn nothing_to_mend_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = |json: bool| {
        let mut arguments = vec!["classify", "shape:box", "--repair", "out.off"];
        arguments.extend(json.then_some("--json"));
        xcollide_at(folder.path(), &arguments, "")
    };
    let text = run(false).text();
    let expected = "\n  nothing mended, out.off is not written: nothing to repair";
    assert!(text.contains(expected), "{text}");
    assert_eq!(run(true).json()[0]["repairs"], serde_json::json!({}));
    assert!(!Path::new(&folder.path().join("out.off")).exists());
}
