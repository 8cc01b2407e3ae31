//! `cargo xtask features`: whether each crate compiles alone with every choice of its features.

use std::path::Path;
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

/// Checks every published crate with each subset of its features.
///
/// # Errors
/// The metadata cannot be read, or a choice of features does not compile: all of these are named.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let manifest = root.join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
    let metadata = metadata.map_err(|error| format!("cargo metadata: {error}"))?;
    let choices = choices(&metadata);
    let mut refused = Vec::new();
    for (number, (name, features)) in choices.iter().enumerate() {
        let features = features.join(",");
        eprintln!("features: {} of {}: {name} with [{features}]", number + 1, choices.len());
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root).env("RUSTFLAGS", "-D warnings");
        cargo.args(["check", "--quiet", "--package", name, "--no-default-features"]);
        cargo.args(["--features", &features]);
        match cargo.status() {
            Ok(status) if status.success() => {}
            Ok(_) => refused.push(format!("{name} with [{features}]")),
            Err(error) => return Err(format!("cargo check: {error}")),
        }
    }
    if refused.is_empty() {
        eprintln!("features: all {} choices compile", choices.len());
        return Ok(());
    }
    Err(format!("these do not compile: {}", refused.join("; ")))
}

/// The crates that are published, by name, with the subsets of their features.
fn choices(metadata: &Metadata) -> Vec<(String, Vec<String>)> {
    let mut choices = Vec::new();
    for package in metadata.workspace_packages() {
        if package.publish.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let features: Vec<&String> =
            package.features.keys().filter(|&feature| feature != "default").collect();
        for subset in 0..1_u32 << features.len() {
            let chosen = features.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
            let chosen = chosen.map(|(_, feature)| (*feature).clone()).collect();
            choices.push((package.name.to_string(), chosen));
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_crate_is_checked_without_features_and_with_all() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
        let choices = choices(&metadata.unwrap_or_else(|error| panic!("{error}")));
        let of = |name: &str| choices.iter().filter(|(one, _)| one == name).count();
        assert_eq!(of("xcollide-math"), 16, "glam, mint, nalgebra and serde");
        assert_eq!(of("xcollide-predicates"), 2, "serde");
        assert_eq!(of("xcollide-fixtures"), 0, "it is not published");
        assert!(choices.iter().all(|(_, features)| features.iter().all(|one| one != "default")));
    }
}
