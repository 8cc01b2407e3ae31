//! `cargo xtask publish`: whether all crates can be packaged and compile from their packages.

use std::path::Path;
use std::process::Command;

/// Packages and verifies all published crates in the order in which they would be uploaded.
///
/// # Errors
/// Cargo cannot be run, or refuses a crate; it prints why.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["publish", "--workspace", "--dry-run"]);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("a crate cannot be published".to_owned()),
        Err(error) => Err(format!("cargo publish: {error}")),
    }
}
