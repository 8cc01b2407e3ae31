//! Runs the loom models under every thread schedule.
//!
//! Their compiler flag affects all dependencies, so they have a build folder of their own.

use std::env;
use std::path::Path;
use std::process::Command;

/// Builds and runs the models.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--package=xcollide-loom", "--lib", "--profile=soak", "--target-dir"]);
    command.arg(target.join("loom")).env("RUSTFLAGS", "--cfg loom").current_dir(root);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("loom: cargo test: {status}")),
        Err(error) => Err(format!("loom: cargo cannot be started: {error}")),
    }
}
