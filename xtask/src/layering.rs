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
            "xcollide-simd",
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
    use std::collections::BTreeSet;

    use super::*;

    /// The rows of a table of the architecture, by its heading.
    fn rows(heading: &str) -> Vec<Vec<String>> {
        let document = crate::root().join("docs/architecture.md");
        let text = std::fs::read_to_string(document).unwrap();
        let (_, table) = text.split_once(heading).unwrap();
        let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        lines.map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
    }

    /// The name of a crate in manifests.
    fn crate_name(short: &str) -> String {
        if short == "xcollide" { short.to_owned() } else { format!("xcollide-{short}") }
    }

    /// The crates that a cell names.
    fn crates_of(cell: &str) -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(crate_name).collect()
    }

    /// The crates that one may use, by the table of this file.
    fn granted(name: &str) -> BTreeSet<String> {
        let rows = ALLOWED.iter().filter(|(known, _)| *known == name);
        rows.flat_map(|(_, on)| on.iter().map(|&on| on.to_owned())).collect()
    }

    /// What a crate uses of the registry: always; by its default features.
    fn directly(package: &Package) -> String {
        let mut features = vec!["default".to_owned()];
        let mut at = 0;
        while let Some(feature) = features.get(at).cloned() {
            features.extend(package.features.get(&feature).into_iter().flatten().cloned());
            at += 1;
        }
        let (mut always, mut by_default) = (BTreeSet::new(), BTreeSet::new());
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            let is_own = name == "xcollide" || name.starts_with("xcollide-");
            if is_own || dependency.kind != DependencyKind::Normal {
                continue;
            }
            if !dependency.optional {
                always.insert(name);
            } else if features.contains(&format!("dep:{name}")) {
                by_default.insert(name);
            }
        }
        let lists = [always, by_default].map(|names| Vec::from_iter(names).join(", "));
        lists.join("; ").trim_end_matches("; ").to_owned()
    }

    #[test]
    fn the_architecture_has_the_table_of_this_file() {
        let mut told = BTreeSet::new();
        for row in rows("\n| crate | contents | builds on |") {
            let mut on = crates_of(&row[3]);
            if row[3].contains("and what they build on") {
                let below: Vec<String> = on.iter().flat_map(|name| granted(name)).collect();
                on.extend(below);
            }
            for name in crates_of(&row[1]) {
                assert_eq!(on, granted(&name), "{name}");
                told.insert(name);
            }
        }
        assert_eq!(told.len(), ALLOWED.len(), "{told:?}");
    }

    #[test]
    fn the_architecture_has_the_packages_of_the_registry() {
        let manifest = crate::root().join("Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().unwrap();
        let rows = rows("\n| crate | before | without default features |");
        for row in &rows {
            // The first name is that of now.
            let name = row[1].split('`').nth(1).map(crate_name).unwrap();
            let packages = metadata.workspace_packages();
            let package = packages.iter().find(|package| package.name.as_str() == name);
            assert_eq!(row[6], directly(package.unwrap()), "{name}");
            // Other systems need others.
            if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
                let features = [&["--no-default-features"][..], &[], &["--all-features"]];
                for (told, features) in row[3..6].iter().zip(features) {
                    let count = packages_of_the_registry(&name, features).to_string();
                    assert!(*told == count || told == "–", "{name} {features:?}: {count}");
                }
            }
        }
        assert_eq!(rows.len(), ALLOWED.len());
    }

    /// How many packages a crate needs that are not its own workspace's.
    fn packages_of_the_registry(name: &str, features: &[&str]) -> usize {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.current_dir(crate::root()).args(["tree", "-e", "normal", "--prefix", "none"]);
        let output = cargo.args(["-p", name]).args(features).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let package = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let all: BTreeSet<String> = text.lines().map(package).collect();
        assert!(all.iter().any(|package| package.starts_with(&format!("{name} "))), "{name}");
        all.iter().filter(|package| !package.starts_with("xcollide")).count()
    }

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
