//! Which crates have changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cargo_metadata::MetadataCommand;

/// The packages with files that differ from the last commit; if none does, those with files of the last
/// commit.
///
/// # Errors
/// Git or cargo cannot be asked.
pub(super) fn changed(root: &Path) -> Result<Vec<String>, String> {
    let now = git(root, &["status", "--porcelain", "--untracked-files=all", "--no-renames"])?;
    // Two letters and a blank stand before each path.
    let mut files: Vec<&str> = now.lines().filter_map(|line| line.get(3..)).collect();
    let last;
    if files.is_empty() {
        last = git(root, &["show", "--name-only", "--format=", "--no-renames", "HEAD"])?;
        files = last.lines().collect();
    }
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("ci: cargo metadata: {error}"))?;
    let folders = metadata.workspace_packages().into_iter().filter_map(|package| {
        let folder = package.manifest_path.parent()?.strip_prefix(&metadata.workspace_root).ok()?;
        Some((folder.as_str().to_owned(), package.name.to_string()))
    });
    Ok(owners(&folders.collect::<Vec<_>>(), &files))
}

/// The packages in whose folders the files lie.
fn owners(folders: &[(String, String)], files: &[&str]) -> Vec<String> {
    let owner = |file: &&str| {
        let path = Path::new(file);
        let holding = folders.iter().filter(|(folder, _)| path.starts_with(folder));
        holding.max_by_key(|(folder, _)| folder.len()).map(|(_, name)| name.clone())
    };
    files.iter().filter_map(owner).collect::<BTreeSet<_>>().into_iter().collect()
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let told = |problem: &dyn std::fmt::Display| format!("git {}: {problem}", arguments.join(" "));
    let output = Command::new("git").args(arguments).current_dir(root).output();
    let output = output.map_err(|error| told(&error))?;
    if !output.status.success() {
        return Err(told(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_the_innermost_package() {
        let folders = [("crates/a", "a"), ("crates/ab", "ab"), ("crates/a/inner", "inner")]
            .map(|(folder, name)| (folder.to_owned(), name.to_owned()));
        let files = ["crates/ab/src/lib.rs", "crates/a/inner/x.rs", "README.md", "crates/ab/b.rs"];
        assert_eq!(owners(&folders, &files), ["ab", "inner"]);
    }
}
