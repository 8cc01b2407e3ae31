//! Rewrites the golden logs of scenes: the collisions of each, frame by frame.
//!
//! The logs are snapshots of a test; `cargo insta review` shows changes one by one.

use std::env;
use std::path::Path;
use std::process::Command;

/// Runs that test and has it write the logs.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--package", "xcollide-lab", "--test", "golden"]);
    command.env("INSTA_UPDATE", "always").current_dir(root);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("golden logs: cargo test: {status}")),
        Err(error) => Err(format!("golden logs: cargo test: cannot be started: {error}")),
    }
}
