//! Runs the built program.

#![allow(dead_code, clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program in the folder `at`, with text on standard input.
pub(crate) fn xcollide_at(at: &Path, arguments: &[&str], input: &str) -> Ran {
    xcollide_with(&[], at, arguments, input)
}

/// The same with environment variables.
pub(crate) fn xcollide_with(
    variables: &[(&str, &str)],
    at: &Path,
    arguments: &[&str],
    input: &str,
) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_xcollide"))
        .args(arguments)
        .current_dir(at)
        .env_remove("COLUMNS")
        .env_remove("XCOLLIDE_THRESHOLDS")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends without reading its input closes the pipe; that is no error here.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let ended = child.wait_with_output().unwrap();
    Ran {
        status: ended.status.code().unwrap(),
        out: String::from_utf8(ended.stdout).unwrap(),
        err: String::from_utf8(ended.stderr).unwrap(),
    }
}

/// Runs the program on arguments separated by blanks.
pub(crate) fn xcollide(arguments: &str) -> Ran {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    xcollide_at(Path::new("."), &arguments, "")
}

impl Ran {
    /// The objects on standard output; asserts success and nothing else there.
    pub(crate) fn json(&self) -> Vec<Value> {
        assert_eq!((self.status, &*self.err), (0, ""), "{self:?}");
        self.objects()
    }

    /// The objects on standard output, one a line.
    pub(crate) fn objects(&self) -> Vec<Value> {
        let objects: Vec<Value> =
            self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(objects.iter().all(Value::is_object), "{self:?}");
        objects
    }

    /// The text on standard output with times replaced; asserts success.
    pub(crate) fn text(&self) -> String {
        assert_eq!((self.status, &*self.err), (0, ""), "{self:?}");
        without_times(&self.out)
    }

    /// The error line.
    pub(crate) fn error(&self, status: i32) -> &str {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        self.err.trim_end().strip_prefix("xcollide: ").unwrap()
    }
}

/// The text with times such as "12.3 µs" replaced.
fn without_times(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in &mut lines {
        let is_time = ["ns]", "µs]", "ms]", " s]"].iter().any(|unit| line.ends_with(unit));
        if let (Some(open), true) = (line.rfind('['), is_time) {
            let (before, bracket) = line.split_at(open);
            let algorithm = bracket.trim_start_matches('[').split(',').next().unwrap();
            *line = format!("{before}[{algorithm}, TIME]");
        }
    }
    lines.join("\n")
}

/// The keys of an object, in order of writing.
pub(crate) fn keys(line: &str) -> Vec<String> {
    // serde_json's map may reorder them.
    let object: Value = serde_json::from_str(line).unwrap();
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort_by_key(|key| line.find(&format!("\"{key}\":")).unwrap());
    keys
}

/// Copies a program in another process. A process that a test beside this one starts would inherit the file while this process
/// writes it, and a file that is open for writing cannot be executed.
pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").args([from, to]).status().unwrap().success());
}

/// Writes a script of the shell that can be executed, by [`copy`].
#[cfg(unix)]
pub(crate) fn write_script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let draft = path.with_extension("draft");
    std::fs::write(&draft, format!("#!/bin/sh\n{text}")).unwrap();
    std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o755)).unwrap();
    copy(&draft, path);
}
