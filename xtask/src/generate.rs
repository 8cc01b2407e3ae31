//! Runs the program that writes generated files, the package `generate`.
//!
//! It is a package of its own, as it builds on the crates of the project; the other chores do not.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::bench;

/// The default name of the file of sizes, in the root of the workspace.
const THRESHOLDS: &str = "xcollide-thresholds.toml";

/// The name of the part of `docs/benchmarks.md` for the measured sizes.
const PART: &str = "thresholds";

/// Runs cargo with these arguments in the root.
fn cargo(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root);
    let told =
        |problem: &dyn std::fmt::Display| format!("cargo {}: {problem}", arguments.join(" "));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(told(&status)),
        Err(error) => Err(told(&format!("cannot be started: {error}"))),
    }
}

/// Writes all files under `fixtures/` and the golden logs of scenes, which are snapshots of a test.
///
/// # Errors
/// The program or the test fails.
pub(crate) fn fixtures(root: &Path) -> Result<(), String> {
    cargo(root, &["run", "--quiet", "-p", "generate", "--", "fixtures"], &[])?;
    let golden = ["test", "--package", "xcollide-lab", "--", "golden"];
    cargo(root, &golden, &[("INSTA_UPDATE", "always")])
}

/// Draws the pictures of README and docs.
///
/// # Errors
/// The program fails.
pub(crate) fn pictures(root: &Path) -> Result<(), String> {
    cargo(root, &["run", "--quiet", "-p", "generate", "--", "pictures"], &[])
}

/// Measures the sizes by which `combine::Auto` chooses; with `write` also for `docs/benchmarks.md`.
///
/// # Errors
/// The program fails, or a file cannot be read or written.
pub(crate) fn calibrate(
    root: &Path,
    output: Option<&Path>,
    quick: bool,
    write: bool,
) -> Result<(), String> {
    if write {
        // Fail before a long measurement, not after it.
        bench::has_part(root, PART)?;
    }
    let output = output.map_or_else(|| root.join(THRESHOLDS), Path::to_owned);
    let output = output.display().to_string();
    let folder = tempfile::tempdir().map_err(|error| format!("calibrate: {error}"))?;
    let tables = folder.path().join("tables.md");
    let table = tables.display().to_string();
    let mut arguments = vec!["run", "--release", "-p", "generate", "--", "calibrate"];
    arguments.extend(["--output", &output, "--tables", &table]);
    arguments.extend(quick.then_some("--quick"));
    cargo(root, &arguments, &[])?;
    if !write {
        return Ok(());
    }
    let tables = std::fs::read_to_string(&tables)
        .map_err(|error| format!("calibrate: {}: {error}", tables.display()))?;
    bench::write(root, PART, "cargo xtask calibrate --write", &tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_sizes_have_their_part_of_the_document() {
        assert_eq!(bench::has_part(&crate::root(), PART), Ok(()));
        let nowhere = calibrate(Path::new("no such root"), None, true, true);
        assert!(nowhere.is_err_and(|problem| problem.starts_with("bench: docs/benchmarks.md")));
    }
}
