//! Checks the workspace `cluster/`: its format, its lints and its tests.
//!
//! Its dependencies take minutes to build, so everything is compiled once: the lints of Clippy run in the build of the tests, by
//! its driver in place of the compiler of this one package, which denies warnings, and the build folder is its own and kept.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of the workspace, relative to the root.
const MANIFEST: &str = "cluster/Cargo.toml";

/// Runs the checks.
///
/// # Errors
/// One of them fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
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
