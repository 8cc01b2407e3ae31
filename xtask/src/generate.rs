//! Runs the program that writes generated files, the package `generate`.
//!
//! It is a package of its own, as it builds on the crates of the project; the other chores do not.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::{self, block};

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

/// Reads all mesh files under some folders and prints which are read. With `write` the tables replace
/// those of `docs/formats.md`; `counts` is a file for the sizes of all meshes.
///
/// # Errors
/// The program fails, or a file cannot be read or written.
pub(crate) fn census(
    root: &Path,
    folders: &[PathBuf],
    write: bool,
    counts: Option<&Path>,
) -> Result<(), String> {
    const PATH: &str = "docs/formats.md";

    let failed = |error: &dyn std::fmt::Display| format!("census: {PATH}: {error}");
    let path = root.join(PATH);
    let text = std::fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let tables = folder.path().join("tables.md");
    let here = env::current_dir().map_err(|error| failed(&error))?;
    let absolute = |path: &Path| here.join(path).display().to_string();
    let mut arguments: Vec<String> =
        ["run", "--quiet", "-p", "generate", "--", "census"].map(str::to_owned).to_vec();
    arguments.extend(folders.iter().map(|folder| absolute(folder)));
    arguments.extend(["--tables".to_owned(), absolute(&tables)]);
    arguments.extend(counts.into_iter().flat_map(|path| ["--counts".to_owned(), absolute(path)]));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    cargo(root, &arguments, &[])?;
    let tables = std::fs::read_to_string(&tables).map_err(|error| failed(&error))?;
    print!("{tables}");
    if write {
        let text = block::replaced(&text, "census", &tables).map_err(|error| failed(&error))?;
        std::fs::write(&path, text).map_err(|error| failed(&error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_sizes_have_their_part_of_the_document() {
        assert_eq!(bench::has_part(&crate::root(), PART), Ok(()));
        let document = std::fs::read_to_string(crate::root().join("docs/formats.md"));
        assert!(block::replaced(&document.unwrap_or_default(), "census", "").is_ok());
        let nowhere = calibrate(Path::new("no such root"), None, true, true);
        assert!(nowhere.is_err_and(|problem| problem.starts_with("bench: docs/benchmarks.md")));
    }
}
