//! Checks the workspace `cluster/`: its format, its lints and its tests.
//!
//! Its dependencies take minutes to build, so everything is compiled once: the lints of Clippy run in the build of the tests, by
//! its driver in place of the compiler of this one package, which denies warnings, and the build folder is its own and kept.
//!
//! From nothing that is a quarter of an hour, more than all other checks may take. So what was checked is recorded in
//! `cluster/checked.txt`, as the hash of all that goes into it, and the step of `cargo xtask ci` runs where the record is not
//! that of the sources.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file of the workspace, relative to the root.
const MANIFEST: &str = "cluster/Cargo.toml";

/// The record of the sources that were checked last.
const RECORD: &str = "cluster/checked.txt";

/// What goes into the checks, as git names it.
const SOURCES: [&str; 8] = [
    "Cargo.toml",
    "rust-toolchain.toml",
    "cluster",
    "crates/*/Cargo.toml",
    "crates/*/src/**",
    ":!cluster/checked.txt",
    ":!cluster/README.md",
    ":!crates/python",
];

/// The step of continuous integration: the checks, unless the record says that these sources passed them.
///
/// # Errors
/// As for [`run`].
pub(crate) fn step(root: &Path) -> Result<(), String> {
    let record = fs::read_to_string(root.join(RECORD)).unwrap_or_default();
    if sources(root).is_some_and(|sources| record.trim() == sources) {
        eprintln!(
            "cluster: {RECORD} says that these sources passed; `cargo xtask cluster` checks them again"
        );
        return Ok(());
    }
    run(root)
}

/// Runs the checks, and records the sources that passed them, unless there are changes without a commit.
///
/// # Errors
/// One of them fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    check(root)?;
    let Some(sources) = sources(root) else {
        eprintln!("cluster: passed; not recorded, as sources are not committed");
        return Ok(());
    };
    let path = root.join(RECORD);
    fs::write(&path, sources + "\n")
        .map_err(|error| format!("cluster: {}: {error}", path.display()))
}

/// The hash of the sources; `None` without git, or with changes that are not committed.
fn sources(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(root).stderr(Stdio::null());
        command
    };
    let listed = |arguments: &[&str]| {
        let output = git(arguments).arg("--").args(SOURCES).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    if !listed(&["status", "--porcelain"])?.is_empty() {
        return None;
    }
    let files = listed(&["ls-files", "--stage"])?;
    let mut hash = git(&["hash-object", "--stdin"]);
    let mut hash = hash.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    hash.stdin.take()?.write_all(&files).ok()?;
    let output = hash.wait_with_output().ok()?;
    let hash = String::from_utf8(output.stdout).ok()?;
    let hash = hash.trim();
    (output.status.success() && !hash.is_empty() && !files.is_empty()).then(|| hash.to_owned())
}

fn check(root: &Path) -> Result<(), String> {
    let manifest = root.join(MANIFEST);
    cargo(root, |command| command.args(["fmt", "--check", "--manifest-path"]).arg(&manifest))?;
    cargo(root, |command| {
        command.args(["test", "--locked", "--manifest-path"]).arg(&manifest);
        command.arg("--target-dir").arg(target(root));
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
    })
}

/// The build folder.
fn target(root: &Path) -> PathBuf {
    let shared = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    shared.join("cluster")
}

fn cargo(root: &Path, with: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    with(&mut command).env("CARGO_INCREMENTAL", "0").current_dir(root);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cluster: cargo: {status}")),
        Err(error) => Err(format!("cluster: cargo cannot be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_what_is_committed() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let git = |arguments: &str| {
            let mut command = Command::new("git");
            command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).current_dir(root);
            command.args(arguments.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            let made = fs::create_dir_all(path.parent().unwrap_or(root));
            made.and_then(|()| fs::write(path, text)).expect("a file");
        };
        assert_eq!(sources(root), None, "no repository");
        if !git("init") {
            eprintln!("skipped: there is no git");
            return;
        }
        let commit = || assert!(git("add .") && git("commit -m some"));
        write("crates/math/src/lib.rs", "one");
        write(MANIFEST, "two");
        commit();
        let first = sources(root);
        assert!(first.is_some());
        write("crates/math/src/lib.rs", "three");
        assert_eq!(sources(root), None, "a change that is not committed");
        commit();
        let second = sources(root);
        assert!(second.is_some() && second != first);
        write("cluster/README.md", "four");
        write("crates/python/src/lib.rs", "five");
        write(RECORD, "six");
        assert_eq!(sources(root), second, "none of these goes in");
        commit();
        assert_eq!(sources(root), second);
    }
}
