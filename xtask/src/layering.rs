//! Dependencies run one way: the table of which crate may build on which, and its check.

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// What each crate under `crates/` may use of the others, as the architecture says.
///
/// A new crate joins this table with what the architecture grants it. What tests alone need is
/// not looked at, but for one rule: parry is there to be compared with, never to build on.
const ALLOWED: [(&str, &[&str]); 15] = [
    ("xcollide-math", &[]),
    ("xcollide-simd", &[]),
    ("xcollide-predicates", &[]),
    ("xcollide-bounds", &["xcollide-math", "xcollide-simd"]),
    ("xcollide-brep", &["xcollide-predicates", "xcollide-math"]),
    ("xcollide-bvh", &["xcollide-bounds", "xcollide-simd", "xcollide-predicates", "xcollide-math"]),
    (
        "xcollide-convex",
        &["xcollide-bounds", "xcollide-simd", "xcollide-predicates", "xcollide-math"],
    ),
    ("xcollide-broad", &["xcollide-bounds", "xcollide-simd", "xcollide-math"]),
    (
        "xcollide-narrow",
        &[
            "xcollide-bvh",
            "xcollide-convex",
            "xcollide-brep",
            "xcollide-predicates",
            "xcollide-bounds",
            "xcollide-simd",
            "xcollide-math",
        ],
    ),
    (
        "xcollide",
        &[
            "xcollide-narrow",
            "xcollide-broad",
            "xcollide-convex",
            "xcollide-brep",
            "xcollide-predicates",
            "xcollide-bounds",
            "xcollide-math",
            "xcollide-io",
            "xcollide-scenes",
        ],
    ),
    ("xcollide-io", &["xcollide-brep", "xcollide-math"]),
    ("xcollide-scenes", &["xcollide-brep", "xcollide-math"]),
    (
        "xcollide-clash",
        &[
            "xcollide-narrow",
            "xcollide-broad",
            "xcollide-convex",
            "xcollide-bounds",
            "xcollide-math",
        ],
    ),
    (
        "xcollide-lab",
        &["xcollide", "xcollide-clash", "xcollide-io", "xcollide-scenes", "xcollide-simd"],
    ),
    ("xcollide-python", &["xcollide", "xcollide-io", "xcollide-scenes"]),
];

/// A crate and one it builds on, in a build or in a build script.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dependency {
    from: String,
    on: String,
}

/// A member of the workspace under `crates/`, and what it builds on.
#[derive(Debug)]
struct Crate {
    name: String,
    dependencies: Vec<Dependency>,
}

/// Reads the workspace from `cargo metadata` and reports every dependency against the table.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("layering: cargo metadata: {error}"))?;
    let crates = crates(&metadata);
    let violations = violations(&crates);
    if violations.is_empty() {
        println!("layering: {} crates, all dependencies run one way", crates.len());
        return Ok(());
    }
    Err(violations.iter().map(|line| format!("layering: {line}")).collect::<Vec<_>>().join("\n"))
}

fn crates(metadata: &Metadata) -> Vec<Crate> {
    let under = metadata.workspace_root.join("crates");
    let members = metadata.workspace_packages();
    let of = |package: &&Package| package.manifest_path.starts_with(&under);
    members.into_iter().filter(of).map(read).collect()
}

fn read(package: &Package) -> Crate {
    let name = package.name.to_string();
    let builds_on = |kind| kind != DependencyKind::Development;
    let dependencies = package.dependencies.iter().filter(|dependency| builds_on(dependency.kind));
    let dependencies =
        dependencies.map(|to| Dependency { from: name.clone(), on: to.name.clone() }).collect();
    Crate { name, dependencies }
}

/// One line for each dependency or crate that is not in the table.
fn violations(crates: &[Crate]) -> Vec<String> {
    let mut lines = Vec::new();
    for Crate { name, dependencies } in crates {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| known == name) else {
            lines.push(format!("{name} is not in the table of xtask/src/layering.rs"));
            continue;
        };
        for Dependency { from, on } in dependencies {
            if on.starts_with("parry") {
                lines.push(format!("{from} builds on {on}, which only tests and benches may use"));
            } else if (on == "xcollide" || on.starts_with("xcollide-"))
                && !allowed.contains(&on.as_str())
            {
                let expected =
                    if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
                lines.push(format!("{from} builds on {on}, allowed are: {expected}"));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> Vec<Crate> {
        let member = |&(name, on): &(&str, &[&str])| Crate {
            name: name.to_owned(),
            dependencies: on
                .iter()
                .map(|&on| Dependency { from: name.to_owned(), on: on.to_owned() })
                .collect(),
        };
        edges.iter().map(member).collect()
    }

    #[test]
    fn what_the_architecture_grants_is_no_violation() {
        let mut all = graph(&ALLOWED);
        all.extend(graph(&[("xcollide-predicates", &["robust", "thiserror"])]));
        assert_eq!(violations(&all), Vec::<String>::new());
    }

    #[test]
    fn every_violation_is_reported() {
        let found = violations(&graph(&[
            ("xcollide-predicates", &["robust", "xcollide-brep"]),
            ("xcollide-broad", &["xcollide-bounds", "xcollide-brep"]),
            ("xcollide-narrow", &["xcollide"]),
            ("xcollide-brep", &["parry3d-f64"]),
            ("xcollide-new", &[]),
        ]));
        assert_eq!(
            found,
            [
                "xcollide-predicates builds on xcollide-brep, allowed are: none",
                "xcollide-broad builds on xcollide-brep, allowed are: xcollide-bounds, \
                 xcollide-simd, xcollide-math",
                "xcollide-narrow builds on xcollide, allowed are: xcollide-bvh, xcollide-convex, \
                 xcollide-brep, xcollide-predicates, xcollide-bounds, xcollide-simd, xcollide-math",
                "xcollide-brep builds on parry3d-f64, which only tests and benches may use",
                "xcollide-new is not in the table of xtask/src/layering.rs",
            ]
        );
    }

    #[test]
    fn the_table_has_no_cycle() {
        // Whoever only builds on crates already removed can be removed; in the end nobody is left.
        let mut left: Vec<_> = ALLOWED.to_vec();
        while !left.is_empty() {
            let before = left.len();
            let names: Vec<&str> = left.iter().map(|&(name, _)| name).collect();
            left.retain(|(_, on)| on.iter().any(|on| names.contains(on)));
            assert!(left.len() < before, "a cycle among {names:?}");
        }
    }

    #[test]
    fn build_dependencies_count_and_development_dependencies_do_not() {
        let metadata = r#"{
            "packages": [{
                "name": "xcollide-brep", "version": "0.1.0", "id": "b", "license": null,
                "license_file": null, "description": null, "source": null, "targets": [],
                "features": {}, "manifest_path": "/w/crates/brep/Cargo.toml", "edition": "2024",
                "dependencies": [
                    {"name": "xcollide-io", "source": null, "req": "*", "kind": "dev",
                     "rename": null, "optional": false, "uses_default_features": true,
                     "features": [], "target": null, "registry": null},
                    {"name": "xcollide-scenes", "source": null, "req": "*", "kind": "build",
                     "rename": null, "optional": false, "uses_default_features": true,
                     "features": [], "target": null, "registry": null}
                ]
            }],
            "workspace_members": ["b"], "resolve": null, "target_directory": "/w/target",
            "version": 1, "workspace_root": "/w", "metadata": null
        }"#;
        let metadata: Metadata =
            serde_json::from_str(metadata).unwrap_or_else(|error| panic!("{error}"));
        let found = violations(&crates(&metadata));
        assert_eq!(
            found,
            ["xcollide-brep builds on xcollide-scenes, allowed are: xcollide-predicates, \
                 xcollide-math"]
        );
    }

    #[test]
    fn this_workspace_is_seen() {
        assert_eq!(run(&crate::root()), Ok(()));
    }
}
